//! Finite structures on pages: their elements and values as definitions, and that queries fail in them.

use std::fmt::Write as _;

use super::page::{Page, comment, member, split};
use super::queries::{Queries, Query};
use ramsey_core::logic::{Signature, SortId, Structure, SymId};
use ramsey_kernel::obligations::Origin;

impl Page<'_> {
    /// Writes the elements of a structure, and what is the same in all its states.
    pub(super) fn interpretation(&mut self, structure: &Structure) {
        let sorts: Vec<SortId> = self.sig.uninterpreted_sorts().collect();
        for sort in sorts {
            let name = self.words.sort(sort).to_owned();
            let elements: Vec<String> =
                (0..structure.sizes[sort]).map(|at| self.words.fresh(&format!("{name}{at}"))).collect();
            self.line(&format!("Inductive {name} : Type := {}.", elements.join(" | ")));
            self.words.elements.insert(sort, elements);
        }
        for sym in self.symbols(false) {
            let (name, kind) = (self.words.symbols[&sym].clone(), self.words.kind(&self.sig, sym));
            let value = self.proposition(structure, sym, 0);
            self.line(&format!("Definition {name} : {kind} :=\n  {value}.{}", self.original(sym)));
        }
    }

    /// Returns the function that a symbol is in a state; for a relation one with truth values.
    fn function(&self, structure: &Structure, sym: SymId, state: usize) -> String {
        let Signature { symbols, .. } = &self.sig;
        let symbol = &symbols[sym];
        let table = structure.interpretation(&self.sig, sym, state);
        let word = |value: u32| match self.words.elements.get(&symbol.result) {
            Some(elements) => elements[value as usize].clone(),
            None => (value == 1).to_string(),
        };
        if symbol.args.is_empty() {
            return word(table.get(&[]));
        }
        let names: Vec<String> =
            (0..symbol.args.len()).map(|at| self.words.free(&format!("x{at}"), &[])).collect();
        let mut rows = String::new();
        let mut tuples: u64 = 1;
        for &sort in &symbol.args {
            tuples = tuples.saturating_mul(u64::from(structure.sizes[sort]));
        }
        for (args, &value) in &table.entries {
            let args = args.iter().zip(&symbol.args);
            let args: Vec<&str> =
                args.map(|(&arg, sort)| self.words.elements[sort][arg as usize].as_str()).collect();
            let _ = write!(rows, "| {} => {} ", args.join(", "), word(value));
        }
        if (table.entries.len() as u64) < tuples {
            let _ = write!(rows, "| {} => {} ", vec!["_"; names.len()].join(", "), word(table.default));
        }
        let binders: Vec<String> = names
            .iter()
            .zip(&symbol.args)
            .map(|(name, &sort)| format!("({name} : {})", self.words.sort(sort)))
            .collect();
        format!("(fun {} => match {} with {rows}end)", binders.join(" "), names.join(", "))
    }

    /// Returns what a symbol is in a state, relations with propositions.
    fn proposition(&self, structure: &Structure, sym: SymId, state: usize) -> String {
        let function = self.function(structure, sym, state);
        let symbol = &self.sig.symbols[sym];
        if !symbol.is_relation() {
            return function;
        }
        match function.strip_prefix("(fun ").and_then(|rest| rest.strip_suffix(')')?.split_once(" => ")) {
            Some((binders, table)) => format!("fun {binders} => ({table}) = true"),
            None => format!("{function} = true"),
        }
    }
}

impl Queries<'_> {
    /// Returns the text that says that a query fails in a structure, which its vocabulary is, and the text of the proof. `at` is its number.
    pub(super) fn refuted(
        mut self,
        (query, goal): (&Query, Origin),
        structure: &Structure,
        at: usize,
    ) -> (String, String) {
        let states: Vec<&str> = query.states.split_whitespace().collect();
        let mut values = String::new();
        for (number, state) in states.iter().enumerate() {
            let fields: Vec<String> = self
                .page
                .symbols(true)
                .into_iter()
                .map(|sym| {
                    let value = self.page.proposition(structure, sym, number);
                    format!("\n  {} := {value}", self.page.words.symbols[&sym])
                })
                .collect();
            let value = match fields.as_slice() {
                // A record without fields is not written with braces.
                [] => "Build_state".to_owned(),
                fields => format!("{{|{} |}}", fields.join(";")),
            };
            let _ = writeln!(values, "Definition {state} : state := {value}.");
        }
        let parts: Vec<&str> = query.hypotheses.iter().chain(&query.negated).map(String::as_str).collect();
        let claim = if parts.is_empty() { "True".to_owned() } else { parts.join(" /\\\n  ") };
        let module = format!("Structure_{at}");
        let place = query.place.iter().map(|place| format!("(* {} *)\n", comment(place))).collect::<String>();
        let (title, what) = match goal {
            Origin::Trace { .. } => ("exists", "A finite structure with an execution of this shape."),
            _ => (
                "fails",
                "A finite structure in which what is assumed holds, and what is asked for does not.",
            ),
        };
        let title = self.page.words.fresh(&format!("{}_{title}", query.name));
        let name = self.page.words.fresh(&format!("claim_{title}"));
        let statement = format!(
            "{place}(* {what} *)\nModule {module}.\n{}\n{values}\n(* What is proved. *)\nDefinition {name} : Prop :=\n  {claim}.\nEnd {module}.\n\n",
            self.page.text
        );
        let proof = self.proof(&module, (&title, &name), (structure, states.len(), parts.len()), at);
        (statement, proof)
    }

    /// Returns the text of the proof that a query with so many states and parts fails in a structure.
    fn proof(
        &self,
        module: &str,
        (title, name): (&str, &str),
        (structure, states, parts): (&Structure, usize, usize),
        at: usize,
    ) -> String {
        let page = &self.page;
        let mut text = format!(
            "Module {module}_shows.\nImport List.ListNotations. Local Open Scope list_scope.\nImport {module}.\n"
        );
        let sorts: Vec<SortId> = page.sig.uninterpreted_sorts().collect();
        let case = |of: &dyn Fn(&str, &[String]) -> String| {
            let each = |(at, sort): (usize, &SortId)| {
                format!("{at} => {} | ", of(page.words.sort(*sort), &page.words.elements[sort]))
            };
            sorts.iter().enumerate().map(each).collect::<String>()
        };
        let types = case(&|sort, _| sort.to_owned());
        let firsts = case(&|_, elements| elements[0].clone());
        let sizes = case(&|_, elements| elements.len().to_string());
        let element = case(&|_, elements| {
            format!("fun pf_n => List.nth pf_n [{}] {}", elements.join("; "), elements[0])
        });
        let number = case(&|_, elements| {
            let rows: String =
                elements.iter().enumerate().map(|(at, name)| format!("| {name} => {at} ")).collect();
            format!("fun pf_x => match pf_x with {rows}end")
        });
        let _ = writeln!(
            text,
            "Definition pf_D : Core.domains := {{| Core.dom := fun q => match q with {types}_ => unit end;\n  Core.dflt := fun q => match q with {firsts}_ => tt end |}}.\n\
             Definition pf_size (q : Core.sort) : nat := match q with {sizes}_ => 1 end.\n\
             Definition pf_element (q : Core.sort) : nat -> Core.dom pf_D q := match q as q return nat -> Core.dom pf_D q with {element}_ => fun _ => tt end.\n\
             Definition pf_number (q : Core.sort) : Core.dom pf_D q -> nat := match q as q return Core.dom pf_D q -> nat with {number}_ => fun _ => 0 end.\n\
             Lemma pf_numbered q x : Nat.ltb (pf_number q x) (pf_size q) = true /\\ pf_element q (pf_number q x) = x.\n\
             Proof. revert x. {}intros x; destruct x; split; reflexivity. Qed.\n\
             Fixpoint pf_any (R : Type) (x : R) (l : list Core.sort) : Core.curry pf_D l R := match l with [] => x | _ :: l => fun _ => pf_any R x l end.",
            "destruct q as [|q]; [intros x; destruct x; split; reflexivity|]. ".repeat(sorts.len()),
        );
        for state in 0..states.max(1) {
            let (mut functions, mut relations) = (String::new(), String::new());
            let (mut function, mut relation) = (0_usize.., 0_usize..);
            for (sym, symbol) in page.sig.symbols.iter_enumerated() {
                if !page.words.symbols.contains_key(&sym) {
                    continue;
                }
                let value = page.function(structure, sym, state);
                let (list, numbers) = if symbol.is_relation() {
                    (&mut relations, relation.by_ref())
                } else {
                    (&mut functions, function.by_ref())
                };
                let _ = write!(list, "{} => {value} | ", numbers.next().unwrap_or(0));
            }
            let _ = writeln!(
                text,
                "Definition pf_F{state} : Finite.finite Proof.S pf_D := Finite.Build_finite Proof.S pf_D\n  \
                 (fun pf_f => match pf_f as pf_f return Core.curry pf_D (Core.fargs Proof.S pf_f) (Core.dom pf_D (Core.fres Proof.S pf_f)) with {functions}_ => pf_any _ (Core.dflt pf_D _) _ end)\n  \
                 (fun pf_r => match pf_r as pf_r return Core.curry pf_D (Core.rargs Proof.S pf_r) bool with {relations}_ => pf_any _ false _ end)."
            );
        }
        let last = states.saturating_sub(1);
        let cases: String = (0..last).map(|state| format!("{state} => pf_F{state} | ")).collect();
        let list = format!("Proof.R{at}");
        let proofs: Vec<String> = (0..parts)
            .map(|part| {
                format!(
                    "exact (pf_H (List.nth {part} {list} (Core.And [])) {})",
                    member(&list, "(Core.And [])", part)
                )
            })
            .collect();
        let _ = write!(
            text,
            "Definition pf_st (k : nat) := match k with {cases}_ => pf_F{last} end.\n\
             Lemma pf_checked : List.forallb (Finite.value Proof.S pf_D pf_size pf_element pf_number pf_F0 pf_st []) {list} = true.\n\
             Proof. vm_cast_no_check (eq_refl true). Qed.\n\
             Theorem {title} : {name}.\nProof.\n  \
             pose proof (Finite.all_true Proof.S pf_D pf_size pf_element pf_number pf_numbered pf_F0 pf_st {list} pf_checked) as pf_H.\n  {}.\nQed.\n\
             Print Assumptions {title}.\nEnd {module}_shows.\n",
            split(&proofs),
        );
        text
    }
}
