//! The grammar of declarations.

use super::expr::{MODULE_OPERATORS, capitals, operator};
use super::parser::Parser;
use super::tokens::is_number;
use super::tree::{Action, Decl, DeclKind, Macro, Meaning, Module, Name, Object, Symbol, TypeBody, When};
use crate::program::grammar::Grammar as _;
use crate::refusal::{Result, refuse, uncovered};

/// The attributes, by the last part of their names.
const ATTRIBUTES: &str = "bmc cardinality check complete constructors cppstd global_parameter iterable libspec \
    macro_finder mc method override radix separate test weight";

impl Parser<'_> {
    pub(super) fn decls(&mut self, end: &str) -> Result<Vec<Decl>> {
        let mut decls = Vec::new();
        while !self.is(end) {
            if !self.eat(";") {
                self.decl(&mut decls)?;
            }
        }
        Ok(decls)
    }

    fn decls_in_braces(&mut self) -> Result<Vec<Decl>> {
        self.expect("{")?;
        self.rest_of_decls()
    }

    fn rest_of_decls(&mut self) -> Result<Vec<Decl>> {
        self.enter()?;
        let decls = self.decls("}")?;
        self.leave();
        self.expect("}").map(|()| decls)
    }

    fn decl(&mut self, decls: &mut Vec<Decl>) -> Result<()> {
        let start = self.peek();
        let (mut is_explicit, mut is_of_type) = (false, false);
        for word in ["explicit", "finite", "ghost"] {
            if self.is(word) && !self.is_name(word) {
                is_explicit |= word == "explicit";
                is_of_type |= word != "explicit";
                self.take();
            }
        }
        let mut word = self.peek();
        let is_fact = matches!(&*word.text, "axiom" | "property" | "invariant" | "definition" | "temporal");
        if is_of_type && &*word.text != "type" || is_explicit && !is_fact {
            return refuse(word.at, "expected another declaration");
        }
        if is_explicit && matches!(&*word.text, "axiom" | "invariant" | "definition") {
            return uncovered(word.at, "what proofs alone know");
        }
        // `template` is reserved in the last version, where nothing has it.
        if self.is_name(&word.text) && &*word.text != "template" {
            return refuse(word.at, "expected a declaration");
        }
        self.take();
        let kind = match &*word.text {
            "include" => {
                let name = self.word()?;
                self.include(&name)?
            }
            "type" => self.type_declaration()?,
            "relation" | "function" | "individual" | "constant" | "var" | "parameter" | "destructor" => {
                let mut symbols = self.symbols(&word.text)?;
                if matches!(&*word.text, "individual" | "constant" | "var")
                    && let Some(symbol) = symbols.iter().find(|it| it.value.is_some())
                {
                    return refuse(symbol.name.at, "expected no value");
                }
                if &*word.text == "parameter" {
                    // A default value says nothing.
                    for symbol in &mut symbols {
                        symbol.value = None;
                        if symbol.result.is_none() {
                            return refuse(symbol.name.at, format!("`{}` has no type", symbol.name.text));
                        }
                    }
                }
                DeclKind::Symbols(symbols, &*word.text == "destructor")
            }
            "axiom" | "property" | "init" | "conjecture" | "invariant" | "safety" => {
                if &*word.text == "invariant" && self.version < 7 {
                    return refuse(word.at, "there are no declarations of invariants");
                }
                let label = self.label()?;
                if &*word.text == "axiom" && self.is("{") {
                    return uncovered(word.at, "schemata");
                }
                let formula = self.formula()?;
                if &*word.text == "property" && self.is("named") {
                    return uncovered(word.at, "values with names");
                }
                if self.is("with") {
                    return uncovered(word.at, "claims that help");
                }
                self.proof()?;
                if &*word.text == "invariant" {
                    word.text = "conjecture".into();
                }
                DeclKind::Formula(word, label, formula)
            }
            "definition" | "derived" => {
                self.label()?;
                if self.is("{") {
                    return uncovered(word.at, "definitions that are unfolded");
                }
                let is_of_declared = &*word.text == "definition";
                let mut symbol = self.definition(&word)?;
                while (!is_of_declared || self.version < 7) && self.eat(",") {
                    let kind = DeclKind::Definition { is_of_declared, symbol };
                    decls.push(Decl { at: start.at, kind });
                    symbol = self.definition(&word)?;
                }
                self.proof()?;
                DeclKind::Definition { is_of_declared, symbol }
            }
            "macro" => {
                let (name, params) = (self.word()?, self.params()?);
                self.expect("=")?;
                if self.is("{") {
                    let params = params.into_iter().map(|param| param.name).collect();
                    DeclKind::Macro(Macro { name, params, body: self.block()? })
                } else {
                    let symbol = Symbol { name, params, result: None, value: Some(self.formula()?) };
                    DeclKind::Definition { is_of_declared: false, symbol }
                }
            }
            "module" => {
                let is_isolate = self.eat("isolate");
                let (name, params) = (self.word()?, self.group(Self::dotted)?);
                let with = if is_isolate { self.with()? } else { Vec::new() };
                self.expect("=")?;
                let decls = self.decls_in_braces()?;
                DeclKind::Module(Module { is_isolate, name, params, decls, with })
            }
            "trusted" => {
                let word = self.take();
                if &*word.text != "isolate" {
                    return refuse(word.at, "expected `isolate`");
                }
                self.object(&word, true)?
            }
            "object" | "isolate" | "extract" => self.object(&word, false)?,
            // Isolates alone see less of the program.
            "private" if self.version < 7 => {
                self.dotted()?;
                DeclKind::Ignored
            }
            "specification" | "implementation" | "private" => DeclKind::Section(self.decls_in_braces()?),
            "global" if self.version >= 8 => DeclKind::Section(self.decls_in_braces()?),
            "instance" | "instantiate" => {
                let mut instance = self.instance()?;
                while self.eat(",") {
                    decls.push(Decl { at: start.at, kind: instance });
                    instance = self.instance()?;
                }
                instance
            }
            "action" => DeclKind::Action(self.action(true)?),
            "implement" if self.is("type") => {
                return uncovered(start.at, "types that others implement");
            }
            "implement" => DeclKind::Monitor(When::Implement, self.action(false)?),
            "before" => DeclKind::Monitor(When::Before, self.action(false)?),
            "around" => DeclKind::Monitor(When::Around, self.action(false)?),
            "after" if self.eat("init") => {
                let at = self.peek().at;
                if self.eat("(") {
                    return uncovered(at, "initializers with parameters");
                }
                DeclKind::Init(self.block()?)
            }
            "after" => DeclKind::Monitor(When::After, self.action(false)?),
            "export" | "import" => {
                let name = if self.eat("action") {
                    let action = self.action(true)?;
                    let name = action.name.clone();
                    decls.push(Decl { at: start.at, kind: DeclKind::Action(action) });
                    name
                } else {
                    self.dotted()?
                };
                if &*word.text == "export" { DeclKind::Export(name) } else { DeclKind::Import(name) }
            }
            // Names with brackets are not covered, so nothing is made of it.
            "autoinstance" => {
                self.word()?;
                while self.eat("[") {
                    self.word()?;
                    self.expect("]")?;
                }
                self.expect(":")?;
                self.dotted()?;
                self.group(Self::dotted)?;
                DeclKind::Ignored
            }
            "alias" => {
                let name = self.word()?;
                self.expect("=")?;
                DeclKind::Alias(name, self.sort()?)
            }
            "interpret" => self.interpretation()?,
            "attribute" => self.attribute()?,
            "template" if self.version < 8 => {
                self.label()?;
                self.formula()?;
                DeclKind::Ignored
            }
            "schema" => {
                if *self.ahead(1).text == *"=" && *self.ahead(2).text == *"{" {
                    return uncovered(word.at, "schemata");
                }
                self.word()?;
                self.params()?;
                self.expect("=")?;
                if self.is("{") {
                    self.brackets()?
                } else {
                    self.formula().map(|_| ())?
                }
                DeclKind::Ignored
            }
            "theorem" => self.theorem()?,
            "proof" => return uncovered(word.at, "proofs"),
            _ => return refuse(word.at, "expected a declaration"),
        };
        decls.push(Decl { at: start.at, kind });
        Ok(())
    }

    fn type_declaration(&mut self) -> Result<DeclKind> {
        let name = self.word_or_this()?;
        if !self.eat("=") {
            return Ok(DeclKind::Type(name, TypeBody::Nothing));
        }
        if self.is("struct") && self.version >= 5 {
            self.take();
            self.expect("{")?;
            let mut fields = Vec::new();
            while !self.is("}") {
                fields.push(self.symbol("individual")?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("}")?;
            return Ok(DeclKind::Type(name, TypeBody::Structure(fields)));
        }
        Ok(DeclKind::Type(name, self.elements()?))
    }

    /// Reads `{ a, b }` or `{ 0..3 }`.
    fn elements(&mut self) -> Result<TypeBody> {
        self.expect("{")?;
        let mut values = vec![self.bound_of_range()?];
        if self.is(".") || is_number(&values[0].text) {
            self.expect(".")?;
            self.expect(".")?;
            let last = self.bound_of_range()?;
            self.expect("}")?;
            return Ok(TypeBody::Range([values.remove(0), last]));
        }
        while self.eat(",") {
            values.push(self.word()?);
        }
        self.expect("}")?;
        Ok(TypeBody::Enumeration(values))
    }

    fn bound_of_range(&mut self) -> Result<Name> {
        if is_number(&self.peek().text) { Ok(self.take()) } else { self.dotted() }
    }

    fn symbols(&mut self, word: &str) -> Result<Vec<Symbol>> {
        let mut symbols = vec![self.symbol(word)?];
        while self.eat(",") {
            symbols.push(self.symbol(word)?);
        }
        match symbols.iter().find(|it| it.result.is_none() && it.value.is_none()) {
            Some(symbol) => refuse(symbol.name.at, format!("`{}` has no type", symbol.name.text)),
            None => Ok(symbols),
        }
    }

    fn symbol(&mut self, word: &str) -> Result<Symbol> {
        let name = self.word()?;
        let are_given = matches!(word, "relation" | "function" | "destructor");
        let params = if are_given { self.some_params()? } else { self.params()? };
        let result = match word {
            "relation" => Some("bool".into()),
            _ if self.eat(":") => Some(self.sort()?),
            _ => None,
        };
        if self.is("=") && *self.ahead(1).text == *"some" {
            return uncovered(name.at, "one of several values");
        }
        let value = if self.eat("=") { Some(self.formula()?) } else { None };
        Ok(Symbol { name, params, result, value })
    }

    fn theorem(&mut self) -> Result<DeclKind> {
        let name = match self.label()? {
            Some(label) => label,
            None => {
                let name = self.word()?;
                self.expect("=")?;
                name
            }
        };
        let (mut decls, mut formulas) = (Vec::new(), Vec::new());
        if self.eat("{") {
            while !self.eat("}") {
                let Name { text, at } = self.take();
                let kind = match &*text {
                    ";" | "explicit" => continue,
                    "type" => DeclKind::Type(self.word()?, TypeBody::Nothing),
                    "relation" | "function" | "individual" | "parameter" | "destructor" => {
                        DeclKind::Symbols(self.symbols(&text)?, &*text == "destructor")
                    }
                    "{" | "theorem" => return uncovered(at, "premises that are rules"),
                    "property" => {
                        self.label()?;
                        if self.is("{") {
                            return uncovered(at, "premises that are rules");
                        }
                        formulas.push(self.formula()?);
                        continue;
                    }
                    _ => return refuse(at, "expected a declaration of a theorem"),
                };
                decls.push(Decl { at, kind });
            }
        } else {
            formulas.push(self.formula()?);
        }
        self.proof()?;
        let Some(claim) = formulas.pop() else { return refuse(name.at, "the theorem claims nothing") };
        let claim = match formulas.len() {
            0 => claim,
            1 => operator("->", vec![formulas.remove(0), claim], name.at),
            _ => operator("->", vec![operator("&", formulas, name.at), claim], name.at),
        };
        Ok(DeclKind::Theorem(name, decls, claim))
    }

    fn object(&mut self, word: &Name, is_trusted: bool) -> Result<DeclKind> {
        let (name, params) = (self.word_or_this()?, self.some_params()?);
        let is_isolate = &*word.text != "object";
        self.expect("=")?;
        if is_isolate && !self.is("{") {
            let mut names = self.atoms()?;
            names.append(&mut self.with()?);
            return Ok(if &*word.text == "extract" { DeclKind::Ignored } else { DeclKind::Isolate(names) });
        }
        self.expect("{")?;
        let is_continued = self.is(".");
        if is_continued && is_isolate {
            return refuse(self.ahead(0).at, "an isolate continues nothing");
        }
        if is_continued {
            self.dots()?;
        }
        let decls = self.rest_of_decls()?;
        let with = if is_isolate { self.with()? } else { Vec::new() };
        let is_isolate = &*word.text == "isolate";
        Ok(DeclKind::Object(Object { is_isolate, is_trusted, name, params, is_continued, decls, with }))
    }

    /// Reads `with` and names, if they are there.
    fn with(&mut self) -> Result<Vec<Name>> {
        if self.eat("with") { self.atoms() } else { Ok(Vec::new()) }
    }

    /// Reads names with parameters, which are read over.
    fn atoms(&mut self) -> Result<Vec<Name>> {
        self.list(|parser| {
            if parser.version < 6 && parser.is("this") {
                return refuse(parser.peek().at, "the whole program has no name");
            }
            let name = parser.dotted()?;
            parser.params()?;
            Ok(name)
        })
    }

    /// Reads a definition without its first word and label.
    fn definition(&mut self, word: &Name) -> Result<Symbol> {
        let (name, params) = (self.dotted()?, self.some_params()?);
        if self.eat(":") {
            self.sort()?;
        }
        self.expect("=")?;
        if self.is("some") {
            return uncovered(word.at, "one of several values");
        }
        Ok(Symbol { name, params, result: None, value: Some(self.formula()?) })
    }

    fn instance(&mut self) -> Result<DeclKind> {
        let mut module = self.dotted()?;
        let (mut name, mut params) = (None, Vec::new());
        // In front of `:`, parentheses have parameters.
        let mut ahead = 0;
        while self.is("(") && !matches!(&*self.ahead(ahead).text, ")" | "") {
            ahead += 1;
        }
        if self.is(":") || self.is("(") && *self.ahead(ahead + 1).text == *":" {
            params = self.params()?;
            capitals(&params)?;
            self.expect(":")?;
            name = Some(std::mem::replace(&mut module, self.dotted()?));
        }
        let args = self.group(|it| {
            let text = &*it.peek().text;
            let is_no_name =
                is_number(text) || matches!(text, "true" | "false") || MODULE_OPERATORS.contains(&text);
            if is_no_name { Ok(it.take()) } else { it.dotted() }
        })?;
        Ok(DeclKind::Instance { name, params, module, args })
    }

    fn action(&mut self, is_declared: bool) -> Result<Action> {
        let name = self.dotted()?;
        let has_params = is_declared || self.is("(");
        let params = self.params()?;
        let params = has_params.then_some(params);
        let mut results = Vec::new();
        if self.is("returns") && !self.is_name("returns") {
            self.take();
            if !self.is("(") {
                return refuse(self.peek().at, "expected `(`");
            }
            results = self.some_params()?;
        }
        let has_body = self.eat("=") || !is_declared;
        if !has_body && self.is("{") {
            return refuse(self.peek().at, "expected `=`");
        }
        let body = if has_body { Some(self.block()?) } else { None };
        Ok(Action { name, params, results, body })
    }

    fn interpretation(&mut self) -> Result<DeclKind> {
        let name = self.interpreted()?;
        self.expect("->")?;
        if self.is("{") {
            let meaning = match self.elements()? {
                TypeBody::Range([low, high]) => Meaning::Numbers([Some(low), Some(high)]),
                TypeBody::Enumeration(values) => Meaning::Enumeration(values),
                _ => Meaning::Anything,
            };
            return Ok(DeclKind::Interpret(name, meaning));
        }
        if self.is("+") || self.is("-") || self.is("*") || self.is("/") {
            return uncovered(self.peek().at, "arithmetic");
        }
        let target = self.interpreted()?;
        let sizes = self.sizes()?;
        if matches!(&*target.text, "strbv" | "intbv") {
            return uncovered(target.at, "numbers that are shown in another way");
        }
        let number = |number: u64| Some(Name { text: number.to_string().into(), at: target.at });
        let meaning = match (&*target.text, &sizes[..]) {
            ("int", []) => Meaning::Numbers([None, None]),
            ("nat", []) => Meaning::Numbers([number(0), None]),
            ("bv", [bits]) => match bits.text.parse::<u32>() {
                Ok(bits @ 0..=63) => Meaning::Numbers([number(0), number((1 << bits) - 1)]),
                Ok(_) => Meaning::Numbers([number(0), None]),
                Err(_) if is_number(&bits.text) => Meaning::Anything,
                Err(_) => Meaning::Sized(bits.clone()),
            },
            _ => Meaning::Anything,
        };
        Ok(DeclKind::Interpret(name, meaning))
    }

    /// Reads a name, or an operator.
    fn interpreted(&mut self) -> Result<Name> {
        let is_operator = matches!(&*self.peek().text, "+" | "-" | "*" | "<" | "<=" | ">" | ">=");
        if is_operator { Ok(self.take()) } else { self.dotted() }
    }

    fn sizes(&mut self) -> Result<Vec<Name>> {
        let mut sizes = Vec::new();
        while self.eat("[") {
            sizes.push(self.bound_of_range()?);
            self.expect("]")?;
        }
        Ok(sizes)
    }

    fn attribute(&mut self) -> Result<DeclKind> {
        let name = self.dotted()?;
        let last = name.text.rsplit('.').next().unwrap_or_default();
        if ATTRIBUTES.split_whitespace().all(|known| known != last) {
            return refuse(name.at, "this is no attribute");
        }
        if last == "check" {
            return uncovered(name.at, "`attribute check`");
        }
        if self.is("(") {
            self.brackets()?;
        }
        self.expect("=")?;
        let value = self.peek();
        if is_number(&value.text) || matches!(&*value.text, "true" | "false") {
            self.take();
            if self.is(".") && is_number(&self.ahead(1).text) {
                self.take();
                self.take();
            }
        } else {
            self.dotted()?;
            self.sizes()?;
            if self.is("(") {
                self.brackets()?;
            }
        }
        Ok(DeclKind::Ignored)
    }
}
