//! The page to read: a protocol in ordinary words, and the theorem about it.

use std::fmt::Write as _;

use super::words::Words;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::logic::{Signature, SortId, SymId, SymbolKind, TermId, Terms};
use ramsey_core::system::{Site, System};
use ramsey_kernel::core::spelled_out;
use ramsey_kernel::obligations::Obligations;
use ramsey_kernel::obligations::plain::transition_formula;

/// A definition of the page.
struct Definition {
    /// Its name.
    name: String,
    /// The state or states that it speaks of: `s`, `s'`.
    states: &'static str,
}

/// The page as far as it is written.
struct Page<'a> {
    text: String,
    words: Words,
    sig: Signature,
    terms: Terms,
    sources: &'a Sources,
}

/// The definitions by kind, in the order of the closed system.
struct Definitions {
    rigid: Vec<Definition>,
    axioms: Vec<Definition>,
    inits: Vec<Definition>,
    transitions: Vec<Definition>,
    claims: Vec<Definition>,
    /// Whether each claim is a property that the model claims, and not an invariant that helps to prove it.
    is_safety: Vec<bool>,
    theorems: Vec<Theorem>,
    /// The definition of each theorem of the page, and the title under which it is proved.
    claimed: Vec<(String, Definition)>,
}

/// A theorem of the model, or what a program asserts before its first state.
struct Theorem {
    /// The states that it speaks of, as arguments.
    states: &'static str,
    /// Those of which the axioms about states are assumed.
    assumed: &'static str,
    definition: Definition,
}

/// Writes the file.
pub(super) fn text(system: &System, sources: &Sources, model: &str) -> String {
    let Obligations { sig, terms, .. } = Obligations::new(system);
    let words = Words::new(&sig);
    let mut page = Page { text: String::new(), words, sig, terms, sources };
    let _ = writeln!(
        page.text,
        "(* {} in ordinary words: what there is to read, with what is proved at its end. *)\n\
         Require List Core Check Sound Proof.\n\nSection Protocol.",
        comment(model)
    );
    page.vocabulary();
    let mut definitions = page.definitions(system);
    page.reachable(&definitions);
    page.claims(&mut definitions);
    page.meanings(&definitions);
    page.theorems(&definitions);
    page.text
}

/// Returns a text as part of a comment.
fn comment(text: &str) -> String {
    text.replace("(*", "( *").replace("*)", "* )").replace('"', "''")
}

/// Returns that all of them hold, in these states.
fn all_of<'a>(list: impl IntoIterator<Item = &'a Definition>, states: &str) -> String {
    let parts: Vec<String> = list.into_iter().map(|it| it.of(states)).collect();
    if parts.is_empty() { "True".to_owned() } else { parts.join(" /\\ ") }
}

/// Returns the proof that an item is in a list, at this place.
fn member(list: &str, default: &str, at: usize) -> String {
    format!("(Sound.in_nth {list} {default} {at} eq_refl)")
}

/// Returns a pattern that takes a conjunction of so many parts apart.
fn parts(prefix: &str, count: usize) -> String {
    let names: Vec<String> = (0..count).map(|at| format!("{prefix}{at}")).collect();
    match count {
        0 => "_".to_owned(),
        1 => names.concat(),
        _ => format!("({})", names.join(" & ")),
    }
}

/// Returns the tactics that prove the items of a list one by one, from hypotheses with these names.
fn one_by_one(names: &[String]) -> String {
    let pattern = format!("{}[]{}", "[<-|".repeat(names.len()), "]".repeat(names.len()));
    let proofs: Vec<String> = names.iter().map(|name| format!("exact {name}")).collect();
    let intro = format!("intros pf_f {pattern}");
    if names.is_empty() { intro } else { format!("{intro}; [{}]", proofs.join("|")) }
}

fn numbered(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{prefix}{at}")).collect()
}

impl Page<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Returns the symbols of the model: immutable ones, or those of states.
    fn symbols(&self, is_mutable: bool) -> Vec<SymId> {
        let symbols = self.sig.symbols.iter_enumerated();
        let is_wanted = |kind: SymbolKind| kind != SymbolKind::Parameter && kind.is_mutable() == is_mutable;
        symbols.filter(|(_, symbol)| is_wanted(symbol.kind)).map(|(sym, _)| sym).collect()
    }

    fn vocabulary(&mut self) {
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
        let fields: Vec<String> = self
            .symbols(true)
            .into_iter()
            .map(|sym| {
                let (name, kind) = (&self.words.symbols[&sym], self.words.kind(&self.sig, sym));
                format!("\n  {name} : {kind}{}", self.original(sym))
            })
            .collect();
        let line = format!("Record state := {{{} }}.\n", fields.join(";"));
        self.line(&line);
    }

    /// Returns the name of a symbol in the model as a comment, where it has another one here.
    fn original(&self, sym: SymId) -> String {
        let name = &self.sig.symbols[sym].name;
        if self.words.symbols[&sym] == *name { String::new() } else { format!(" (* {} *)", comment(name)) }
    }

    /// Writes a definition, under the text of its declaration.
    fn define(
        &mut self,
        name: &str,
        states: &'static str,
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
        Definition { name, states }
    }

    /// Returns the first line of a declaration with its number, and the comment above it.
    fn declaration(&self, span: Span) -> Option<String> {
        let source = self.sources.get(span.file)?;
        let (line, _) = source.line_column(span.start);
        let before = line.checked_sub(1)?;
        let text = source.text.lines().nth(before)?;
        let above: Vec<&str> = source.text.lines().take(before).map(str::trim).collect();
        let first = above.iter().rposition(|line| !line.starts_with('#')).map_or(0, |at| at + 1);
        let comment: String = above[first..].iter().map(|line| format!("{line}\n   ")).collect();
        Some(format!("{comment}{}, line {line}: {}", source.name, text.trim()))
    }

    fn definitions(&mut self, system: &System) -> Definitions {
        let named = |kind: &str, name: &Option<String>, at: usize| match name {
            Some(name) => format!("{kind}_{name}"),
            None => format!("{kind}_{}", at + 1),
        };
        let mut found = Definitions {
            rigid: Vec::new(),
            axioms: Vec::new(),
            inits: Vec::new(),
            transitions: Vec::new(),
            claims: Vec::new(),
            is_safety: Vec::new(),
            theorems: Vec::new(),
            claimed: Vec::new(),
        };
        for (at, it) in system.axioms.iter().enumerate() {
            found.rigid.push(self.define(&named("axiom", &it.name, at), "", it.formula, it.span));
        }
        for it in &system.derived {
            found.axioms.push(self.define(&format!("always_{}", it.label), "s", it.axiom, it.span));
        }
        for (at, it) in system.inits.iter().enumerate() {
            let name = named("init", &it.name, at);
            // The parts of what commands do have no place of their own.
            let place = system.init_command.is_none().then_some(it.span);
            found.inits.push(self.define(&name, "s", it.formula, place));
        }
        for it in &system.transitions {
            let formula = transition_formula(self.terms.over_mut(&self.sig), it);
            found.transitions.push(self.define(&it.name, "s s'", formula, it.span));
        }
        let has_safety = system.invariants.iter().any(|it| it.is_safety);
        for it in &system.invariants {
            let is_safety = it.is_safety || !has_safety;
            let kind = if is_safety { "safety" } else { "invariant" };
            found.claims.push(self.define(&format!("{kind}_{}", it.label), "s", it.formula, it.span));
            found.is_safety.push(is_safety);
        }
        for it in &system.theorems {
            let states = ["", "s"].get(usize::from(it.states)).copied().unwrap_or("s s'");
            let definition = self.define(&format!("theorem_{}", it.label), states, it.formula, it.span);
            found.theorems.push(Theorem { states, assumed: states, definition });
        }
        for it in &system.assertions {
            let name = format!("assertion_{}", it.label);
            if it.site == Site::Init {
                let definition = self.define(&name, "s", it.formula, it.span);
                found.theorems.push(Theorem { states: "s", assumed: "", definition });
            } else {
                found.claims.push(self.define(&name, "s", it.formula, it.span));
                found.is_safety.push(true);
            }
        }
        found
    }

    /// Writes what states are reachable.
    fn reachable(&mut self, definitions: &Definitions) {
        let Definitions { rigid, axioms, inits, transitions, .. } = definitions;
        let all = all_of(rigid.iter().chain(axioms), "s");
        self.line(&format!("\nDefinition axioms (s : state) : Prop := {all}."));
        self.line(&format!("Definition init (s : state) : Prop := {}.", all_of(inits, "s")));
        let mut steps = String::new();
        for it in transitions {
            let name = self.words.fresh(&format!("by_{}", it.name));
            let _ = write!(steps, "\n| {name} s s' : reach s -> axioms s' -> {} s s' -> reach s'", it.name);
        }
        self.line(&format!(
            "Inductive reach : state -> Prop :=\n| start s : axioms s -> init s -> reach s{steps}."
        ));
    }

    /// Returns an element of a sort, of those that the proof assumes.
    fn element(sort: SortId) -> String {
        use ramsey_core::base::ids::Id as _;
        format!("pf_x{}", sort.index() - 1)
    }

    /// Returns a function that has one value throughout: `False` or some element.
    fn constant(&self, sym: SymId) -> String {
        let symbol = &self.sig.symbols[sym];
        let value = if symbol.is_relation() { "False".to_owned() } else { Self::element(symbol.result) };
        if symbol.args.is_empty() {
            value
        } else {
            format!("(fun {}=> {value})", "_ ".repeat(symbol.args.len()))
        }
    }

    /// Writes that the closed system means what the page says.
    fn meanings(&mut self, definitions: &Definitions) {
        self.line(
            "\n(* From here on nothing needs to be read: each theorem at the end is one of the definitions above. *)\n\
             Import List.ListNotations. Local Open Scope list_scope.\n\
             Notation T := Proof.T.\nSection Protocol_means.",
        );
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
        self.means(definitions);
    }

    fn means(&mut self, definitions: &Definitions) {
        let Definitions { rigid, axioms, inits, transitions, claims, .. } = definitions;
        let both: Vec<&Definition> = rigid.iter().chain(axioms).collect();
        let lists: [(&str, Vec<&Definition>); 3] = [
            ("Core.axioms", both),
            ("Core.inits", inits.iter().collect()),
            ("Core.safety", claims.iter().collect()),
        ];
        for (of, list) in &lists {
            for (at, it) in list.iter().enumerate() {
                let right = it.of("s");
                self.line(&format!(
                    "Lemma pf_means_{} s : Core.in_state rr (enc s) (List.nth {at} ({of} T) (Core.And [])) = {right}. Proof. reflexivity. Qed.",
                    it.name
                ));
            }
        }
        for (at, it) in transitions.iter().enumerate() {
            self.line(&format!(
                "Lemma pf_means_{0} s s' : Core.in_step rr (enc s) (enc s') (List.nth {at} (Core.transitions T) (Core.And [])) = {0} s s'. Proof. reflexivity. Qed.",
                it.name
            ));
        }
        let count = rigid.len() + axioms.len();
        self.line(&format!(
            "Lemma axioms_hold s : axioms s -> forall f, List.In f (Core.axioms T) -> Core.in_state rr (enc s) f.\nProof. intros {}. {}. Qed.",
            parts("pf_A", count),
            one_by_one(&numbered("pf_A", count)),
        ));
        self.line("Lemma encodes s : reach s -> Core.reachable T rr (enc s).\nProof.");
        let cases = "|s s' pf_R pf_IH pf_A pf_X".repeat(transitions.len());
        self.line(&format!("  induction 1 as [s pf_A pf_I{cases}]."));
        let taken_apart = match inits.len() {
            0 => String::new(),
            1 => "rename pf_I into pf_I0. ".to_owned(),
            count => format!("destruct pf_I as {}. ", parts("pf_I", count)),
        };
        self.line(&format!(
            "  - apply Core.reach_init; [apply axioms_hold; assumption|]. {taken_apart}{}.",
            one_by_one(&numbered("pf_I", inits.len())),
        ));
        for at in 0..transitions.len() {
            self.line(&format!(
                "  - apply Core.reach_step with (s := enc s) (t := List.nth {at} (Core.transitions T) (Core.And [])); \
                 [assumption|apply axioms_hold; assumption|exact {}|exact pf_X].",
                member("(Core.transitions T)", "(Core.And [])", at)
            ));
        }
        self.line("Qed.");
    }

    /// Writes what is proved, as definitions.
    fn claims(&mut self, definitions: &mut Definitions) {
        let sorts = self.sig.uninterpreted_sorts();
        let inhabited: String =
            sorts.map(|sort| format!("inhabited {} -> ", self.words.sort(sort))).collect();
        let premises = format!("(forall P : Prop, P \\/ ~ P) -> {inhabited}");
        self.line("\n(* What is proved, where propositions are true or false and no sort is empty. *)");
        for (title, wanted) in [("invariants_hold", false), ("safe", true)] {
            let claims = definitions.claims.iter().zip(&definitions.is_safety);
            let chosen = claims.filter(|(_, is_safety)| **is_safety == wanted);
            let parts: Vec<String> = chosen.map(|(it, _)| format!("{} s", it.name)).collect();
            if parts.is_empty() {
                continue;
            }
            let name = self.words.fresh(&format!("claim_{title}"));
            self.line(&format!(
                "Definition {name} : Prop := {premises}forall s, reach s ->\n  {}.",
                parts.join(" /\\\n  ")
            ));
            let title = self.words.fresh(title);
            definitions.claimed.push((title, Definition { name, states: "" }));
        }
        for at in 0..definitions.theorems.len() {
            let Theorem { states, assumed, definition } = &definitions.theorems[at];
            let binders =
                if states.is_empty() { String::new() } else { format!("forall {states} : state, ") };
            let given = premises_of(definitions, assumed);
            let (title, applied) = (format!("{}_holds", definition.name), definition.applied());
            let name = self.words.fresh(&format!("claim_{}", definition.name));
            self.line(&format!("Definition {name} : Prop := {premises}{binders}{given}{applied}."));
            let title = self.words.fresh(&title);
            definitions.claimed.push((title, Definition { name, states: "" }));
        }
    }

    /// Writes the theorems.
    fn theorems(&mut self, definitions: &Definitions) {
        let Definitions { claims, is_safety, theorems, claimed, .. } = definitions;
        for (at, it) in theorems.iter().enumerate() {
            self.lemma(definitions, at, it);
        }
        self.line("End Protocol_means.\n");
        let sorts: Vec<SortId> = self.sig.uninterpreted_sorts().collect();
        let elements: String = sorts.iter().map(|&sort| format!(" {}", Self::element(sort))).collect();
        let patterns: String = sorts.iter().map(|&sort| format!(" [{}]", Self::element(sort))).collect();
        let mut titles = claimed.iter();
        for wanted in [false, true] {
            let chosen: Vec<usize> = (0..claims.len()).filter(|&at| is_safety[at] == wanted).collect();
            if chosen.is_empty() {
                continue;
            }
            let Some((title, claim)) = titles.next() else { return };
            let one = |&at: &usize| {
                format!(
                    "exact (pf_H (List.nth {at} (Core.safety T) (Core.And [])) {})",
                    member("(Core.safety T)", "(Core.And [])", at)
                )
            };
            let proofs: Vec<String> = chosen.iter().map(one).collect();
            self.line(&format!(
                "Theorem {title} : {}.\nProof.\n  intros pf_EM{patterns} s pf_R.\n  \
                 pose proof (Proof.system_is_safe pf_EM _ _ _ (encodes{elements} s pf_R)) as pf_H.\n  {}.\nQed.",
                claim.name,
                split(&proofs),
            ));
        }
        for (it, (title, claim)) in theorems.iter().zip(titles) {
            let states = if it.states.is_empty() { String::new() } else { format!(" {}", it.states) };
            self.line(&format!(
                "Theorem {title} : {}.\n\
                 Proof. intros pf_EM{patterns}{states}. exact (pf_holds_{}{elements}{states} pf_EM). Qed.",
                claim.name, it.definition.name,
            ));
        }
        self.line("End Protocol.");
        for (title, _) in claimed {
            self.line(&format!("Print Assumptions {title}."));
        }
    }

    /// Writes that a theorem holds where there are elements of all sorts.
    fn lemma(&mut self, definitions: &Definitions, at: usize, it: &Theorem) {
        let Definitions { rigid, axioms, .. } = definitions;
        let read = match it.states {
            "" => "fun _ => enc some_state",
            "s" => "fun _ => enc s",
            _ => "fun k => match k with 0 => enc s | _ => enc s' end",
        };
        let binders = if it.states.is_empty() { String::new() } else { format!(" ({} : state)", it.states) };
        let mut names = numbered("pf_A", rigid.len());
        for (prefix, _) in ["pf_B", "pf_C"].iter().zip(it.assumed.split_whitespace()) {
            names.extend(numbered(prefix, axioms.len()));
        }
        let intro = if names.is_empty() { String::new() } else { format!(" {}", names.join(" ")) };
        self.line(&format!(
            "Lemma pf_holds_{}{binders} : Core.excluded_middle -> {}{}.\nProof.\n  intros pf_EM{intro}.\n  \
             refine (Proof.theorems_hold pf_EM (List.nth {at} Proof.Q ([], Core.And [])) {} D rr ({read}) _).\n  {}.\nQed.",
            it.definition.name,
            premises_of(definitions, it.assumed),
            it.definition.applied(),
            member("Proof.Q", "([], Core.And [])", at),
            one_by_one(&names),
        ));
    }
}

impl Definition {
    /// Returns the definition of these states, if it speaks of states.
    fn of(&self, states: &str) -> String {
        if self.states.is_empty() { self.name.clone() } else { format!("{} {states}", self.name) }
    }

    /// Returns the definition of the states that it speaks of.
    fn applied(&self) -> String {
        self.of(self.states)
    }
}

/// Returns the axioms about immutable symbols and about these states, as premises.
fn premises_of(definitions: &Definitions, states: &str) -> String {
    let mut text: String = definitions.rigid.iter().map(|it| format!("{} -> ", it.name)).collect();
    for state in states.split_whitespace() {
        text.extend(definitions.axioms.iter().map(|it| format!("{} {state} -> ", it.name)));
    }
    text
}

/// Returns the tactic that proves a conjunction part by part.
fn split(proofs: &[String]) -> String {
    match proofs {
        [] => "exact I".to_owned(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("split; [{first}|{}]", split(rest)),
    }
}
