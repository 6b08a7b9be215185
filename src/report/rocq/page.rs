//! What all pages have: a vocabulary in ordinary words, definitions under the lines of the model, and the encoding of states in
//! closed systems.

use std::fmt::Write as _;

use super::words::Words;
use ramsey_core::base::span::{Sources, Span, line_end, line_starts};
use ramsey_core::logic::{Signature, SortId, SymId, SymbolKind, TermId, Terms};
use ramsey_kernel::core::spelled_out;

/// The line down to which a page is read.
pub(super) const READ: &str = "\n(* From here on nothing needs to be read: each theorem at the end is one of the definitions above. *)\n";

/// A definition of the page.
pub(super) struct Definition {
    /// Its name.
    pub(super) name: String,
    /// The states that it speaks of, such as `s s'`.
    pub(super) states: String,
    /// The formula, without quantifiers over `bool`.
    pub(super) formula: TermId,
}

/// The page as far as it is written.
pub(super) struct Page<'a> {
    pub(super) text: String,
    pub(super) words: Words,
    pub(super) sig: Signature,
    pub(super) terms: Terms,
    pub(super) sources: &'a Sources,
}

/// Returns a text as part of a comment.
pub(super) fn comment(text: &str) -> String {
    text.replace("(*", "( *").replace("*)", "* )").replace('"', "''")
}

/// Returns that all of them hold, in these states.
pub(super) fn all_of<'a>(list: impl IntoIterator<Item = &'a Definition>, states: &str) -> String {
    let parts: Vec<String> = list.into_iter().map(|it| it.of(states)).collect();
    if parts.is_empty() { "True".to_owned() } else { parts.join(" /\\ ") }
}

/// Returns the proof that an item is in a list, at this place.
pub(super) fn member(list: &str, default: &str, at: usize) -> String {
    format!("(Sound.in_nth {list} {default} {at} eq_refl)")
}

/// Returns a pattern that takes a conjunction of so many parts apart.
pub(super) fn parts(prefix: &str, count: usize) -> String {
    let names: Vec<String> = (0..count).map(|at| format!("{prefix}{at}")).collect();
    match count {
        0 => "_".to_owned(),
        1 => names.concat(),
        _ => format!("({})", names.join(" & ")),
    }
}

/// Returns the tactics that prove the items of a list one by one, from hypotheses with these names.
pub(super) fn one_by_one(names: &[String]) -> String {
    let pattern = format!("{}[]{}", "[<-|".repeat(names.len()), "]".repeat(names.len()));
    let proofs: Vec<String> = names.iter().map(|name| format!("exact {name}")).collect();
    let intro = format!("intros pf_f {pattern}");
    if names.is_empty() { intro } else { format!("{intro}; [{}]", proofs.join("|")) }
}

pub(super) fn numbered(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{prefix}{at}")).collect()
}

impl Page<'_> {
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Returns the symbols of the model: immutable ones, or those of states.
    pub(super) fn symbols(&self, is_mutable: bool) -> Vec<SymId> {
        let symbols = self.sig.symbols.iter_enumerated();
        let is_wanted = |kind: SymbolKind| kind != SymbolKind::Parameter && kind.is_mutable() == is_mutable;
        symbols.filter(|(_, symbol)| is_wanted(symbol.kind)).map(|(sym, _)| sym).collect()
    }

    pub(super) fn vocabulary(&mut self) {
        let sorts: Vec<&str> = self.sig.uninterpreted_sorts().map(|sort| self.words.sort(sort)).collect();
        if !sorts.is_empty() {
            let line = format!("Variables {} : Type.", sorts.join(" "));
            self.line(&line);
        }
        for sym in self.symbols(false) {
            let (name, kind) = (&self.words.symbols[&sym], self.words.kind(&self.sig, sym));
            let line = format!("Variable {name} : {kind}.{}", self.original(sym));
            self.line(&line);
        }
    }

    /// Returns the states.
    pub(super) fn record(&self) -> String {
        let fields: Vec<String> = self
            .symbols(true)
            .into_iter()
            .map(|sym| {
                let (name, kind) = (&self.words.symbols[&sym], self.words.kind(&self.sig, sym));
                format!("\n  {name} : {kind}{}", self.original(sym))
            })
            .collect();
        format!("Record state := {{{} }}.\n", fields.join(";"))
    }

    /// Returns the name of a symbol in the model as a comment, where it has another one here.
    pub(super) fn original(&self, sym: SymId) -> String {
        let name = &self.sig.symbols[sym].name;
        if self.words.symbols[&sym] == *name { String::new() } else { format!(" (* {} *)", comment(name)) }
    }

    /// Writes a definition, under the text of its declaration.
    pub(super) fn define(
        &mut self,
        name: &str,
        states: &str,
        formula: TermId,
        span: impl Into<Option<Span>>,
    ) -> Definition {
        // What is proved has a closed form.
        let formula = spelled_out(&mut self.terms, formula).unwrap_or(formula);
        let text = self.words.formula(&self.sig, &mut self.terms, formula);
        let name = self.words.fresh(name);
        let declaration = span.into().and_then(|span| self.declaration(span));
        if let Some(declaration) = declaration {
            self.line(&format!("(* {} *)", comment(&declaration)));
        }
        let params = if states.is_empty() { String::new() } else { format!(" ({states} : state)") };
        self.line(&format!("Definition {name}{params} : Prop :=\n  {text}."));
        Definition { name, states: states.to_owned(), formula }
    }

    /// Returns the first line of a declaration with its number, and the comment above it; none if it is not in a source.
    pub(super) fn declaration(&self, span: Span) -> Option<String> {
        let source = self.sources.get(span.file).filter(|_| span.start < span.end)?;
        let (line, _) = source.line_column(span.start);
        let before = line.checked_sub(1)?;
        let starts: Vec<usize> = [0].into_iter().chain(line_starts(source.text.as_bytes())).collect();
        let whole = |&start: &usize| &source.text[start..line_end(source.text.as_bytes(), start)];
        let text = starts.get(before).map(whole)?;
        let above: Vec<&str> = starts[..before].iter().map(|start| whole(start).trim()).collect();
        let first = above.iter().rposition(|line| !line.starts_with('#')).map_or(0, |at| at + 1);
        let comment: String = above[first..].iter().map(|line| format!("{line}\n   ")).collect();
        Some(format!("{comment}{}, line {line}: {}", source.name, text.trim()))
    }

    /// Returns an element of a sort, of those that the proof assumes.
    pub(super) fn element(sort: SortId) -> String {
        use ramsey_core::base::ids::Id as _;
        format!("pf_x{}", sort.index() - 1)
    }

    /// Returns a function that has one value throughout: `False` or some element.
    pub(super) fn constant(&self, sym: SymId) -> String {
        let symbol = &self.sig.symbols[sym];
        let value = if symbol.is_relation() { "False".to_owned() } else { Self::element(symbol.result) };
        if symbol.args.is_empty() {
            value
        } else {
            format!("(fun {}=> {value})", "_ ".repeat(symbol.args.len()))
        }
    }

    /// Writes how structures and states are those of the closed system, after some lines.
    pub(super) fn encoding(&mut self, lines: &str) {
        self.line(&format!(
            "{READ}Import List.ListNotations. Local Open Scope list_scope.\n{lines}Section Protocol_means."
        ));
        let sorts: Vec<SortId> = self.sig.uninterpreted_sorts().collect();
        for &sort in &sorts {
            let line = format!("Variable {} : {}.", Self::element(sort), self.words.sort(sort));
            self.line(&line);
        }
        let case = |text: fn(&Self, SortId) -> String| {
            let cases =
                sorts.iter().enumerate().map(|(at, &sort)| format!("{at} => {} | ", text(self, sort)));
            cases.collect::<String>()
        };
        let (types, elements) =
            (case(|page, sort| page.words.sort(sort).to_owned()), case(|_, sort| Self::element(sort)));
        self.line(&format!(
            "Definition D : Core.domains := {{| Core.dom := fun q => match q with {types}_ => unit end;\n  Core.dflt := fun q => match q with {elements}_ => tt end |}}."
        ));
        self.line("Fixpoint any (R : Type) (x : R) (l : list Core.sort) : Core.curry D l R := match l with [] => x | _ :: l => fun _ => any R x l end.");
        let (mut functions, mut relations) = (String::new(), String::new());
        for (sym, symbol) in self.sig.symbols.iter_enumerated() {
            let Some(name) = self.words.symbols.get(&sym) else { continue };
            let value = if symbol.kind.is_mutable() { format!("({name} s)") } else { name.clone() };
            let list = if symbol.is_relation() { &mut relations } else { &mut functions };
            let at = list.matches(" => ").count();
            let _ = write!(list, "{at} => {value} | ");
        }
        self.line(&format!(
            "Definition enc (s : state) : Core.interp Proof.S D := {{|\n  \
             Core.fi := fun pf_f => match pf_f as pf_f return Core.curry D (Core.fargs Proof.S pf_f) (Core.dom D (Core.fres Proof.S pf_f)) with {functions}_ => any _ (Core.dflt D _) _ end;\n  \
             Core.ri := fun pf_r => match pf_r as pf_r return Core.curry D (Core.rargs Proof.S pf_r) Prop with {relations}_ => any _ False _ end |}}."
        ));
        let values: Vec<String> = self.symbols(true).into_iter().map(|sym| self.constant(sym)).collect();
        self.line(&format!("Definition some_state : state := Build_state {}.", values.join(" ")));
        self.line("Let rr := enc some_state.");
    }

    /// Returns the premises of all that is proved.
    pub(super) fn premises(&self) -> String {
        let sorts = self.sig.uninterpreted_sorts();
        let inhabited: String =
            sorts.map(|sort| format!("inhabited {} -> ", self.words.sort(sort))).collect();
        format!("(forall P : Prop, P \\/ ~ P) -> {inhabited}")
    }

    /// Returns the elements that the proof assumes, each after a blank: as arguments, and as patterns that introduce them.
    pub(super) fn elements(&self) -> (String, String) {
        let sorts: Vec<SortId> = self.sig.uninterpreted_sorts().collect();
        let arguments = sorts.iter().map(|&sort| format!(" {}", Self::element(sort))).collect();
        let patterns = sorts.iter().map(|&sort| format!(" [{}]", Self::element(sort))).collect();
        (arguments, patterns)
    }
}

impl Definition {
    /// Returns the definition of these states, if it speaks of states.
    pub(super) fn of(&self, states: &str) -> String {
        if self.states.is_empty() { self.name.clone() } else { format!("{} {states}", self.name) }
    }

    /// Returns the definition of the states that it speaks of.
    pub(super) fn applied(&self) -> String {
        self.of(&self.states)
    }
}

/// Returns the tactic that proves a conjunction part by part.
pub(super) fn split(proofs: &[String]) -> String {
    match proofs {
        [] => "exact I".to_owned(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("split; [{first}|{}]", split(rest)),
    }
}
