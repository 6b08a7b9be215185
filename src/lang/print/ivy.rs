//! Printer of `.ivy`.

use super::comments::Comments;
use super::formulas::Printer;
use crate::fol::ast::{Expr, Ident, Level, SortedVar};
use crate::ivy::ast::{
    Action, Condition, Decl, DeclKind, FieldValue, File, Listed, Premise, Schema, Skipped, SortRef, Stmt,
    StmtKind, SymbolDecl, Theorem, TypeBody, UpdateDecl,
};

/// Prints a file. Parts with syntax errors are omitted.
pub fn ivy(file: &File) -> String {
    ivy_with(file, None)
}

/// Prints a file with comments.
pub(crate) fn ivy_with(file: &File, comments: Option<Comments>) -> String {
    let mut printer = Printer::new();
    printer.is_ivy = true;
    printer.has_colons = file.version.has_subscripts();
    printer.comments = comments;
    printer.word(&format!("#lang ivy1.{}\n\n", file.version.minor));
    printer.header();
    printer.decls(&file.decls, 0);
    printer.out
}

/// Returns the group of a declaration. Adjacent declarations of the same group below 6 are printed without empty lines
/// between them.
fn group(decl: &Decl) -> u8 {
    match &decl.kind {
        DeclKind::Include(_) => 0,
        DeclKind::Type { .. } | DeclKind::Alias { .. } => 1,
        DeclKind::Symbols { .. } => 2,
        DeclKind::Instance { .. } | DeclKind::Definition { .. } => 3,
        DeclKind::Formula { .. } => 4,
        DeclKind::Export(_)
        | DeclKind::Import(_)
        | DeclKind::Interpret { .. }
        | DeclKind::Isolate { .. }
        | DeclKind::Attribute { .. }
        | DeclKind::Ignored { .. } => 5,
        _ => 6,
    }
}

impl Printer {
    fn decls(&mut self, decls: &[Decl], indent: usize) {
        let mut last = None;
        for decl in decls.iter().filter(|decl| !matches!(decl.kind, DeclKind::Broken(_))) {
            let group = group(decl);
            if last.is_some_and(|last| last != group || group > 5) {
                self.word("\n");
            }
            last = Some(group);
            if !matches!(decl.kind, DeclKind::Export(_)) {
                self.comment(decl.place, indent);
            }
            self.blanks(indent);
            self.ivy_decl(&decl.kind, indent);
            self.word("\n");
        }
    }

    fn blanks(&mut self, indent: usize) {
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn named_word(&mut self, keyword: &str, name: &Ident) {
        self.word(keyword);
        self.word(" ");
        self.word(&name.name);
    }

    fn vars(&mut self, vars: &[SortedVar]) {
        if !vars.is_empty() {
            self.word("(");
            self.separated(vars, |printer, var| printer.ivy_var(var));
            self.word(")");
        }
    }

    pub(super) fn ivy_var(&mut self, var: &SortedVar) {
        self.word(&var.name.name);
        if let Some(sort) = &var.sort {
            self.word(":");
            self.sort(sort);
        }
    }

    fn idents(&mut self, names: &[Ident]) {
        if !names.is_empty() {
            self.word("(");
            self.separated(names, |printer, name: &Ident| printer.word(&name.name));
            self.word(")");
        }
    }

    fn decl_block(&mut self, is_continued: bool, decls: &[Decl], indent: usize) {
        self.word(if is_continued { "{ ...\n" } else { "{\n" });
        self.decls(decls, indent + 4);
        self.blanks(indent);
        self.word("}");
    }

    pub(super) fn skipped(&mut self, skipped: Option<&Skipped>, indent: usize) {
        if let Some(skipped) = skipped {
            self.newline(indent);
            self.word(&skipped.text);
        }
    }

    /// Prints a name with its parameters; of an operator, these are on its sides.
    fn declared(&mut self, name: &Ident, params: &[SortedVar]) {
        match params {
            [left, right] if !name.name.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                self.word("(");
                self.ivy_var(left);
                self.word(&format!(" {} ", name.name));
                self.ivy_var(right);
                self.word(")");
            }
            _ => {
                self.word(&name.name);
                self.vars(params);
            }
        }
    }

    fn ivy_symbol(&mut self, symbol: &SymbolDecl) {
        self.declared(&symbol.name, &symbol.params);
        if let Some(result) = &symbol.result {
            self.word(" : ");
            self.sort(result);
        }
        if let Some(definition) = symbol.definition.as_ref().or(symbol.default.as_ref()) {
            self.word(" =");
            self.hanging(definition, 4);
        }
    }

    #[inline(never)]
    fn ivy_decl(&mut self, decl: &DeclKind, indent: usize) {
        match decl {
            DeclKind::Include(name) => self.named_word("include", name),
            DeclKind::Type { name, of, body } => {
                match of {
                    Some(of) => {
                        self.named_word("variant", name);
                        self.word(" ");
                        self.named_word("of", of);
                    }
                    None => self.named_word("type", name),
                }
                match body {
                    TypeBody::Uninterpreted => {}
                    TypeBody::Enumerated(values) => {
                        self.word(" = { ");
                        self.separated(values, |printer, value: &Ident| printer.word(&value.name));
                        self.word(" }");
                    }
                    TypeBody::Struct(fields) => {
                        self.word(" = struct { ");
                        self.separated(fields, Self::ivy_symbol);
                        self.word(" }");
                    }
                }
            }
            DeclKind::Symbols { keyword, symbols } => {
                self.word(keyword);
                self.word(" ");
                self.separated(symbols, Self::ivy_symbol);
            }
            DeclKind::Definition { keyword, label, name, params, body, recursion, is_explicit } => {
                self.word(if *is_explicit && recursion.is_none() { "explicit " } else { "" });
                self.word(keyword);
                self.opt_name(label);
                self.word(" ");
                // In braces it is for proofs alone.
                self.word(if recursion.is_some() { "{ " } else { "" });
                self.declared(name, params);
                self.word(" =");
                self.hanging(body, indent + 4);
                if let Some(recursion) = recursion {
                    self.word(" }");
                    self.word("\n");
                    self.indent(indent);
                    self.word(&format!("proof {{ apply {} }}", recursion.schema.name));
                }
            }
            DeclKind::Choice(choice) => {
                self.word(&choice.keyword);
                self.word(" ");
                self.declared(&choice.name, &choice.params);
                if let Some(result) = &choice.result {
                    self.word(" : ");
                    self.sort(result);
                }
                let (var, property) = &choice.chosen;
                self.word(" = some ");
                self.ivy_var(var);
                self.word(". ");
                self.flat(property, Level::Open);
                if let Some((value, otherwise)) = &choice.value {
                    self.word(" in ");
                    self.flat(value, Level::Open);
                    self.word(" else ");
                    self.flat(otherwise, Level::Open);
                }
            }
            DeclKind::Autoinstance(instance) => {
                self.named_word("autoinstance", &instance.name);
                instance.params.iter().for_each(|param| self.word(&format!("[{}]", param.name)));
                self.word(" : ");
                self.word(&instance.module.name);
                self.idents(&instance.args);
            }
            DeclKind::Mixin { mixer, when, action } => {
                self.named_word("mixin", mixer);
                self.word(" ");
                self.named_word(when.keyword(), action);
            }
            DeclKind::Private(names) => {
                self.word("private ");
                self.separated(names, |printer, name: &Ident| printer.word(&name.name));
            }
            DeclKind::Delegate(names) => {
                self.word("delegate ");
                self.separated(names, |printer, name: &Ident| printer.word(&name.name));
            }
            DeclKind::Unchecked { keyword, label, formula, named, proof, .. } => {
                self.word(keyword);
                self.opt_name(label);
                self.hanging(formula, indent + 4);
                self.named_values(named.as_ref());
                self.skipped(proof.as_ref(), indent);
            }
            DeclKind::Native { text, .. } => self.word(&text.text),
            DeclKind::Formula { keyword, label, formula, with, named, proof, .. } => {
                self.word(keyword);
                self.opt_name(label);
                self.hanging(formula, indent + 4);
                self.named_values(named.as_ref());
                self.with(with.as_ref());
                self.skipped(proof.as_ref().map(|it| &it.text), indent);
            }
            DeclKind::Theorem(theorem) | DeclKind::Rule(theorem) => {
                self.rule(theorem, indent);
                self.skipped(theorem.proof.as_ref().map(|it| &it.text), indent);
            }
            DeclKind::Proof(proof) => self.word(&proof.text.text),
            DeclKind::Object { keyword, name, params, is_continued, decls, with } => {
                self.named_word(keyword, name);
                self.vars(params);
                self.word(" = ");
                self.decl_block(*is_continued, decls, indent);
                self.with(with.as_ref());
            }
            DeclKind::Section { keyword, decls } => {
                self.word(keyword);
                self.word(" ");
                self.decl_block(false, decls, indent);
            }
            DeclKind::Module(module) => {
                let keyword = if module.is_isolate { "module isolate" } else { "module" };
                self.named_word(keyword, &module.name);
                self.idents(&module.params);
                self.with(module.with.as_ref());
                self.word(" = ");
                self.decl_block(false, &module.decls, indent);
            }
            DeclKind::Instance { keyword, name, params, module, args } => {
                self.word(keyword);
                self.word(" ");
                if let Some(name) = name {
                    self.word(&name.name);
                    self.vars(params);
                    self.word(" : ");
                }
                self.word(&module.name);
                self.idents(args);
            }
            DeclKind::Macro { name, params, body } => {
                self.named_word("macro", name);
                self.idents(params);
                self.word(" = ");
                self.stmt_block(body, indent);
            }
            DeclKind::Action(action) => self.ivy_action("action", action, indent),
            DeclKind::Monitor { when, action } => self.ivy_action(when.keyword(), action, indent),
            DeclKind::Init { params, body } => {
                self.word("after init");
                if !params.is_empty() {
                    self.vars(params);
                }
                self.word(" ");
                self.stmt_block(body, indent);
            }
            DeclKind::Export(name) => self.named_word("export", name),
            DeclKind::Import(name) => self.named_word("import", name),
            DeclKind::Alias { name, sort } => {
                self.named_word("alias", name);
                self.word(" = ");
                self.sort(sort);
            }
            DeclKind::Schema(schema) => self.schema(schema, indent),
            DeclKind::Scheme(scheme) => {
                self.named_word("schema", &scheme.name);
                self.idents(&scheme.params);
                self.word(" =");
                self.hanging(&scheme.formula, indent + 4);
            }
            DeclKind::Update(update) => self.update(update, indent),
            DeclKind::Interpret { text, .. }
            | DeclKind::Isolate { text, .. }
            | DeclKind::Attribute { text, .. }
            | DeclKind::Ignored { text, .. } => self.word(&text.text),
            DeclKind::Broken(_) => {}
        }
    }

    fn named_values(&mut self, named: Option<&(Ident, Vec<SortedVar>)>) {
        if let Some((name, params)) = named {
            self.word(" named ");
            self.word(&name.name);
            self.vars(params);
        }
    }

    fn with(&mut self, with: Option<&Listed>) {
        if let Some(with) = with {
            self.word(" ");
            self.word(&with.text.text);
        }
    }

    fn rule(&mut self, rule: &Theorem, indent: usize) {
        self.word(&rule.keyword);
        let name = &rule.name.name;
        self.word(&match (&*rule.keyword, rule.is_label) {
            ("", _) => "{".to_owned(),
            (_, true) => format!(" [{name}] {{"),
            (_, false) if name.is_empty() => " {".to_owned(),
            (_, false) => format!(" {name} = {{"),
        });
        for decl in &rule.decls {
            self.newline(indent + 4);
            self.ivy_decl(&decl.kind, indent + 4);
        }
        for premise in &rule.premises {
            self.newline(indent + 4);
            match premise {
                Premise::Formula(label, formula) => self.property(label, formula, indent + 4),
                Premise::Rule(rule) => self.rule(rule, indent + 4),
            }
        }
        self.newline(indent + 4);
        self.property(&None, &rule.conclusion, indent + 4);
        self.newline(indent);
        self.word("}");
    }

    fn property(&mut self, label: &Option<Ident>, formula: &Expr, indent: usize) {
        self.word("property");
        self.opt_name(label);
        self.hanging(formula, indent + 4);
    }

    fn schema(&mut self, schema: &Schema, indent: usize) {
        if schema.is_axiom {
            self.word("axiom");
            self.opt_name(&schema.name);
        } else if let Some(name) = &schema.name {
            self.named_word("schema", name);
            self.word(" =");
        }
        self.word(" {");
        for sort in &schema.sorts {
            self.newline(indent + 4);
            self.named_word("type", sort);
        }
        for (keyword, symbol) in &schema.symbols {
            self.newline(indent + 4);
            self.word(keyword);
            self.word(" ");
            self.ivy_symbol(symbol);
        }
        self.newline(indent + 4);
        self.word(&schema.keyword);
        self.hanging(&schema.formula, indent + 8);
        for trigger in &schema.triggers {
            self.newline(indent + 4);
            self.word("trigger ");
            self.separated(&trigger.terms, |printer, term| printer.flat(term, Level::Open));
        }
        self.newline(indent);
        self.word("}");
    }

    fn update(&mut self, update: &UpdateDecl, indent: usize) {
        let names = |printer: &mut Self, names: &[Ident]| {
            printer.separated(names, |printer, name: &Ident| printer.word(&name.name));
        };
        self.word("update ");
        names(self, &update.defined);
        self.word(" from ");
        names(self, &update.sources);
        for pattern in &update.patterns {
            self.newline(indent + 4);
            self.word("params ");
            names(self, &pattern.params);
            self.word(" in ");
            self.ivy_stmt(&pattern.stmt.kind, indent + 4);
            self.word(" ->");
            let parts = pattern.requires.iter().map(|it| ("requires", it));
            for (keyword, formula) in parts.chain([("ensures", &pattern.ensures)]) {
                self.newline(indent + 8);
                self.word(keyword);
                self.hanging(formula, indent + 12);
            }
        }
    }

    fn ivy_action(&mut self, keyword: &str, action: &Action, indent: usize) {
        self.named_word(keyword, &action.name);
        match &action.params {
            Some(params) if params.is_empty() && keyword != "action" => self.word("()"),
            Some(params) => match action.receiver {
                Some(at) => {
                    let mut params = params.clone();
                    if let Some(param) = params.get_mut(at) {
                        param.name.name = format!("^{}", param.name.name).into();
                    }
                    self.vars(&params);
                }
                None => self.vars(params),
            },
            None => {}
        }
        if !action.returns.is_empty() {
            self.word(" returns ");
            self.vars(&action.returns);
        }
        if let Some(body) = &action.body {
            self.word(if keyword == "action" { " = " } else { " " });
            if let [Stmt { kind: StmtKind::Crash, .. }] = body.as_slice() {
                return self.word("*");
            }
            self.stmt_block(body, indent);
        }
    }

    pub(super) fn stmt_block(&mut self, stmts: &[Stmt], indent: usize) {
        self.word("{\n");
        for stmt in stmts.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Broken)) {
            self.blanks(indent + 4);
            self.ivy_stmt(&stmt.kind, indent + 4);
            let is_alone = matches!(stmt.kind, StmtKind::Rest | StmtKind::Native(_));
            self.word(if is_alone { "\n" } else { ";\n" });
        }
        self.blanks(indent);
        self.word("}");
    }

    pub(super) fn exprs(&mut self, items: &[Expr]) {
        if !items.is_empty() {
            self.list(items);
        }
    }

    #[inline(never)]
    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Any => self.word("*"),
            Condition::Formula(formula) => self.flat(formula, Level::Open),
            Condition::Some { vars, formula, extremum } => {
                self.word("some ");
                // After a type without parentheses, the first `.` ends the variables.
                if vars.iter().any(|var| var.sort.as_ref().is_some_and(SortRef::is_dotted)) {
                    self.vars(vars);
                    self.word(" ");
                } else {
                    self.separated(vars, |printer, var| printer.ivy_var(var));
                    self.word(". ");
                }
                self.flat(formula, Level::Open);
                if let Some((which, term)) = extremum {
                    self.word(&format!(" {} ", which.keyword()));
                    self.flat(term, Level::Open);
                }
            }
        }
    }

    fn ivy_stmt(&mut self, stmt: &StmtKind, indent: usize) {
        match stmt {
            StmtKind::Check { kind, label, formula, proof } => {
                self.word(kind.keyword());
                self.opt_name(label);
                self.hanging(formula, indent + 4);
                self.skipped(proof.as_ref().map(|it| &it.text), indent);
            }
            StmtKind::Assign { targets, value } => {
                match targets.as_slice() {
                    [only] => self.flat(only, Level::Unary),
                    several => self.list(several),
                }
                self.word(" :=");
                match value {
                    Some(value) => self.hanging(value, indent + 4),
                    None => self.word(" *"),
                }
            }
            StmtKind::Field { object, field, value } => {
                self.flat(object, Level::Unary);
                self.word(&format!(".{} := ", field.name));
                match value {
                    FieldValue::Nothing => self.word("false"),
                    FieldValue::One(value) => self.flat(value, Level::Sum),
                    FieldValue::Copy(value, field) => {
                        self.flat(value, Level::Sum);
                        self.word(&format!(".{}", field.name));
                    }
                }
            }
            StmtKind::Call(call) => {
                self.word("call ");
                self.flat(call, Level::Unary);
            }
            StmtKind::Var { var, params, value } => {
                self.word("var ");
                self.word(&var.name.name);
                self.vars(params);
                if let Some(sort) = &var.sort {
                    self.word(":");
                    self.sort(sort);
                }
                if let Some(value) = value {
                    self.word(" :=");
                    self.hanging(value, indent + 4);
                }
            }
            StmtKind::Local { vars, body } => {
                self.word("local ");
                self.separated(vars, |printer, var| printer.ivy_var(var));
                self.word(" ");
                self.stmt_block(body, indent);
            }
            StmtKind::If { condition, then, otherwise } => {
                self.word("if ");
                self.condition(condition);
                self.word(" ");
                self.stmt_block(then, indent);
                match otherwise.as_slice() {
                    [] if *condition != Condition::Any => {}
                    [Stmt { kind: kind @ StmtKind::If { .. }, .. }] => {
                        self.word(" else ");
                        self.ivy_stmt(kind, indent);
                    }
                    _ => {
                        self.word(" else ");
                        self.stmt_block(otherwise, indent);
                    }
                }
            }
            StmtKind::While(it) => {
                self.word("while ");
                self.condition(&it.condition);
                self.rest_of_loop(it, &it.body, indent);
            }
            StmtKind::Instantiate { name, args } => {
                self.named_word("instantiate", name);
                self.exprs(args);
            }
            StmtKind::Block(body) if self.loop_over_container(body, indent) => {}
            StmtKind::Block(body) => self.stmt_block(body, indent),
            StmtKind::Rest => self.word("..."),
            StmtKind::Crash => self.word("*"),
            StmtKind::Native(text) | StmtKind::Ignored(text) | StmtKind::Debug(text, _) => {
                self.word(&text.text);
            }
            StmtKind::Broken => {}
        }
    }
}
