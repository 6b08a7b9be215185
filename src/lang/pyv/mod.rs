//! STUB (dropped on merging): knows one model, a lock, with and without its guard.
#![allow(missing_docs)]

use crate::base::span::{FileId, Span};
use crate::diag::{Code, Diagnostic};
use crate::logic::{Signature, Sort, SortId, Symbol, SymbolKind, Terms};
use crate::system::{Init, Invariant, System, Transition};

pub struct Program(String);

pub fn parse(file: FileId, text: &str) -> (Program, Vec<Diagnostic>) {
    (Program(text.to_owned()), load(file, text).1)
}

pub fn print(program: &Program) -> String {
    program.0.clone()
}

pub fn load(file: FileId, text: &str) -> (Option<System>, Vec<Diagnostic>) {
    let span = |what: &str| {
        let start = text.find(what).unwrap_or(0);
        let end = text[start..].find("\n\n").map_or(text.trim_end().len(), |at| start + at);
        Span { file, start: start as u32, end: end as u32 }
    };
    if !text.contains("sort node") {
        let end = text.chars().next().map_or(0, char::len_utf8) as u32;
        return (
            None,
            vec![Diagnostic::error(Code::Syntax, Span { file, start: 0, end }, "expected a declaration")],
        );
    }
    let mut sig = Signature::new();
    let mut t = Terms::new();
    let node =
        sig.sorts.push(Sort { name: "node".into(), annotations: vec![], span: Some(span("sort node")) });
    let held = sig.symbols.push(Symbol {
        name: "held".into(),
        args: vec![node],
        result: SortId::BOOL,
        kind: SymbolKind::Mutable,
        annotations: vec![],
        span: None,
    });
    let (a, b, n, m) =
        (t.new_var("N1", node), t.new_var("N2", node), t.new_var("n", node), t.new_var("M", node));
    let (ta, tb, tn, tm) = (t.var(a), t.var(b), t.var(n), t.var(m));
    let (ha, hb, hm, hm1) = (
        t.app(&sig, held, 0, &[ta]),
        t.app(&sig, held, 0, &[tb]),
        t.app(&sig, held, 0, &[tm]),
        t.app(&sig, held, 1, &[tm]),
    );
    let nobody = {
        let x = t.not(hm);
        t.forall(&[m], x)
    };
    let both = t.and(&[ha, hb]);
    let eq = t.eq(ta, tb);
    let mutex = t.implies(both, eq);
    let mutex = t.forall(&[a, b], mutex);
    let is_n = t.eq(tm, tn);
    let after = t.or(&[hm, is_n]);
    let update = t.iff(hm1, after);
    let update = t.forall(&[m], update);
    let body = if text.contains("!held(M)) &") { t.and(&[nobody, update]) } else { update };
    let mut system = System::new();
    system.inits.push(Init { name: None, formula: nobody, span: span("init") });
    system.invariants.push(Invariant {
        name: Some("mutex".into()),
        label: "mutex".into(),
        formula: mutex,
        is_safety: true,
        span: span("safety"),
    });
    system.transitions.push(Transition {
        name: "acquire".into(),
        params: vec![n],
        modifies: vec![held],
        body,
        span: span("transition"),
    });
    system.sig = sig;
    system.terms = t;
    (Some(system), vec![])
}
