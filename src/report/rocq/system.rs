//! Pages about systems: their reachable states, or those that are reached in a number of steps, and what is claimed of them.

use std::fmt::Write as _;

use super::page::{Definition, Page, all_of, comment, member, numbered, one_by_one, parts, split};
use super::words::Words;
use super::{Claimed, RELAXED};
use ramsey_core::base::span::Sources;
use ramsey_core::system::{Site, System};
use ramsey_kernel::obligations::Obligations;
use ramsey_kernel::obligations::plain::transition_formula;

/// The definitions by kind, in the order of the closed system.
pub(super) struct Definitions {
    rigid: Vec<Definition>,
    axioms: Vec<Definition>,
    inits: Vec<Definition>,
    transitions: Vec<Definition>,
    claims: Vec<Definition>,
    /// Whether each claim is a property that the model claims, and not an invariant that helps to prove it.
    is_safety: Vec<bool>,
    theorems: Vec<Theorem>,
    /// What is claimed of states that are reached, in the order of the page.
    reached: Vec<Reached>,
    /// For each theorem, the definition of what is claimed, and the title under which it is proved.
    valid: Vec<(String, String)>,
}

/// What is claimed of states that are reached.
struct Reached {
    /// The title under which it is proved.
    title: String,
    /// The name of the definition of what is proved.
    name: String,
    /// The places of its claims.
    claims: Vec<usize>,
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
pub(super) fn text(system: &System, sources: &Sources, model: &str, claimed: Claimed) -> String {
    let Obligations { sig, terms, .. } = Obligations::new(system);
    let words = Words::new(&sig);
    let mut page = Page { text: String::new(), words, sig, terms, sources };
    let (theory, remark) = match claimed {
        Claimed::Always => ("", ""),
        Claimed::Within { is_relaxed: false, .. } => (" Bounded", ""),
        Claimed::Within { is_relaxed: true, .. } => (" Bounded", RELAXED),
    };
    let _ = writeln!(
        page.text,
        "(* {} in ordinary words: what there is to read, with what is proved at its end. *)\n{remark}\
         Require List Core Check Sound{theory} Proof.\n\nSection Protocol.",
        comment(model)
    );
    page.vocabulary();
    let record = page.record();
    page.line(&record);
    let mut definitions = page.definitions(system);
    page.reachable(&definitions, claimed);
    page.claims(&mut definitions, claimed);
    page.encoding("Notation T := Proof.T.\n");
    page.means(&definitions, claimed);
    page.theorems(&definitions, claimed);
    page.text
}

impl Definitions {
    /// Returns all of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &Definition> {
        let lists = [&self.rigid, &self.axioms, &self.inits, &self.transitions, &self.claims];
        lists.into_iter().flatten().chain(self.theorems.iter().map(|it| &it.definition))
    }
}

impl Page<'_> {
    /// Writes the definitions of a system.
    pub(super) fn definitions(&mut self, system: &System) -> Definitions {
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
            reached: Vec::new(),
            valid: Vec::new(),
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
        for (at, it) in system.invariants.iter().enumerate() {
            let is_safety = it.is_safety || !has_safety;
            let kind = if is_safety { "safety" } else { "invariant" };
            let is_beside = system.beside.is_some() && at + 1 == system.invariants.len();
            let name = if is_beside { "property".to_owned() } else { format!("{kind}_{}", it.label) };
            found.claims.push(self.define(&name, "s", it.formula, it.span));
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
    fn reachable(&mut self, definitions: &Definitions, claimed: Claimed) {
        let Definitions { rigid, axioms, inits, transitions, .. } = definitions;
        let all = all_of(rigid.iter().chain(axioms), "s");
        self.line(&format!("\nDefinition axioms (s : state) : Prop := {all}."));
        self.line(&format!("Definition init (s : state) : Prop := {}.", all_of(inits, "s")));
        let [name, kind, first, k, before, after] = match claimed {
            Claimed::Always => ["reach", "state", "reach", "", "reach", "reach"],
            Claimed::Within { .. } => {
                self.line("(* The states that are reached in so many steps. *)");
                ["reach_in", "nat -> state", "reach_in 0", "k ", "reach_in k", "reach_in (S k)"]
            }
        };
        let mut steps = String::new();
        for it in transitions {
            let by = self.words.fresh(&format!("by_{}", it.name));
            let _ =
                write!(steps, "\n| {by} {k}s s' : {before} s -> axioms s' -> {} s s' -> {after} s'", it.name);
        }
        self.line(&format!(
            "Inductive {name} : {kind} -> Prop :=\n| start s : axioms s -> init s -> {first} s{steps}."
        ));
    }

    /// Writes that the closed system means what the page says.
    fn means(&mut self, definitions: &Definitions, claimed: Claimed) {
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
        let (k, reach, reached, by) = match claimed {
            Claimed::Always => ("", "reach", "Core.reachable T rr", "Core.reach"),
            Claimed::Within { .. } => ("k ", "reach_in k", "Bounded.reached T D rr k", "Bounded.reached"),
        };
        self.line(&format!("Lemma encodes {k}s : {reach} s -> {reached} (enc s).\nProof."));
        let cases = format!("|{k}s s' pf_R pf_IH pf_A pf_X").repeat(transitions.len());
        self.line(&format!("  induction 1 as [s pf_A pf_I{cases}]."));
        let taken_apart = match inits.len() {
            0 => String::new(),
            1 => "rename pf_I into pf_I0. ".to_owned(),
            count => format!("destruct pf_I as {}. ", parts("pf_I", count)),
        };
        self.line(&format!(
            "  - apply {by}_init; [apply axioms_hold; assumption|]. {taken_apart}{}.",
            one_by_one(&numbered("pf_I", inits.len())),
        ));
        for at in 0..transitions.len() {
            self.line(&format!(
                "  - apply {by}_step with (s := enc s) (t := List.nth {at} (Core.transitions T) (Core.And [])); \
                 [assumption|apply axioms_hold; assumption|exact {}|exact pf_X].",
                member("(Core.transitions T)", "(Core.And [])", at)
            ));
        }
        self.line("Qed.");
    }

    /// Writes what is proved, as definitions.
    fn claims(&mut self, definitions: &mut Definitions, claimed: Claimed) {
        let premises = self.premises();
        self.line("\n(* What is proved, where propositions are true or false and no sort is empty. *)");
        let (titles, states) = match claimed {
            Claimed::Always => {
                (vec![("invariants_hold", Some(false)), ("safe", Some(true))], "forall s, reach s".to_owned())
            }
            Claimed::Within { depth, .. } => {
                (vec![("safe_within", None)], format!("forall k s, k <= {depth} -> reach_in k s"))
            }
        };
        for (title, wanted) in titles {
            let is_chosen = |at: &usize| wanted.is_none_or(|wanted| definitions.is_safety[*at] == wanted);
            let claims: Vec<usize> = (0..definitions.claims.len()).filter(is_chosen).collect();
            if claims.is_empty() {
                continue;
            }
            let parts: Vec<String> = claims.iter().map(|&at| definitions.claims[at].of("s")).collect();
            let name = self.words.fresh(&format!("claim_{title}"));
            self.line(&format!(
                "Definition {name} : Prop := {premises}{states} ->\n  {}.",
                parts.join(" /\\\n  ")
            ));
            let title = self.words.fresh(title);
            definitions.reached.push(Reached { title, name, claims });
        }
        for at in 0..definitions.theorems.len() {
            let Theorem { states, assumed, definition } = &definitions.theorems[at];
            let binders =
                if states.is_empty() { String::new() } else { format!("forall {states} : state, ") };
            let given = premises_of(definitions, assumed);
            let (title, applied) = (format!("{}_holds", definition.name), definition.applied());
            let name = self.words.fresh(&format!("claim_{}", definition.name));
            self.line(&format!("Definition {name} : Prop := {premises}{binders}{given}{applied}."));
            definitions.valid.push((self.words.fresh(&title), name));
        }
    }

    /// Writes the theorems.
    fn theorems(&mut self, definitions: &Definitions, claimed: Claimed) {
        let Definitions { theorems, reached, valid, .. } = definitions;
        for (at, it) in theorems.iter().enumerate() {
            self.lemma(definitions, at, it);
        }
        self.line("End Protocol_means.\n");
        let (elements, patterns) = self.elements();
        for Reached { title, name, claims } in reached {
            let one = |&at: &usize| {
                format!(
                    "exact (pf_H (List.nth {at} (Core.safety T) (Core.And [])) {})",
                    member("(Core.safety T)", "(Core.And [])", at)
                )
            };
            let proofs: Vec<String> = claims.iter().map(one).collect();
            let (intro, used) = match claimed {
                Claimed::Always => {
                    ("s pf_R", format!("Proof.system_is_safe pf_EM _ _ _ (encodes{elements} s pf_R)"))
                }
                Claimed::Within { .. } => (
                    "k s pf_L pf_R",
                    format!("Proof.system_is_safe_within pf_EM _ _ _ k pf_L (encodes{elements} k s pf_R)"),
                ),
            };
            self.line(&format!(
                "Theorem {title} : {name}.\nProof.\n  intros pf_EM{patterns} {intro}.\n  \
                 pose proof ({used}) as pf_H.\n  {}.\nQed.",
                split(&proofs),
            ));
        }
        for (it, (title, claim)) in theorems.iter().zip(valid) {
            let states = if it.states.is_empty() { String::new() } else { format!(" {}", it.states) };
            self.line(&format!(
                "Theorem {title} : {claim}.\n\
                 Proof. intros pf_EM{patterns}{states}. exact (pf_holds_{}{elements}{states} pf_EM). Qed.",
                it.definition.name,
            ));
        }
        self.line("End Protocol.");
        for title in reached.iter().map(|it| &it.title).chain(valid.iter().map(|(title, _)| title)) {
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

/// Returns the axioms about immutable symbols and about these states, as premises.
fn premises_of(definitions: &Definitions, states: &str) -> String {
    let mut text: String = definitions.rigid.iter().map(|it| format!("{} -> ", it.name)).collect();
    for state in states.split_whitespace() {
        text.extend(definitions.axioms.iter().map(|it| format!("{} {state} -> ", it.name)));
    }
    text
}
