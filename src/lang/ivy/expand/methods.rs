//! How the claims of a program, or of an isolate, are decided: `attribute method`, and proofs of isolates.

use std::sync::Arc;

use super::flat::Flat;
use super::isolates::{FIRST_WITH_THIS, Isolate, THIS};
use super::scopes::{ScopeId, join};
use super::state::Expander;
use crate::ivy::ast::{DeclKind, Proof};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::Method;

/// The attribute.
const METHOD: &str = "method";
/// The attribute that tells what of objects is private.
const CHECK: &str = "check";
/// The tactic that looks for executions.
const MC: &str = "mc";
/// The tactic that shows that claims are inductive.
const CONDITIONS: &str = "vcgen";
/// What is said where executions decide nothing.
const NOT_BY_EXECUTIONS: &str =
    "`ramsey mc` decides whether claims hold in all executions; `verify` shows that they are inductive";
/// The last part of the names of isolates whose objects may have the attribute.
const INNER: &str = "iso";

impl<'a> Expander<'a, '_> {
    /// Finds how the claims of this isolate are decided, or without one those of the program.
    pub(super) fn read_method(&mut self, flat: &[Flat<'a>], isolates: &[Isolate<'a>], isolate: Option<&str>) {
        let this = (self.version.minor >= FIRST_WITH_THIS).then_some(THIS);
        let names = isolates.iter().map(|it| &*it.name).chain(this);
        let all = names.filter_map(|name| self.method_of(flat, name).map(|(_, place)| place));
        self.methods = all.collect();
        // Without other isolates, all of the program is the isolate of what no other one verifies.
        let isolate = isolate.or(this.filter(|_| isolates.is_empty()));
        self.method = isolate.and_then(|name| self.method_of(flat, name));
    }

    /// Returns how the claims of an isolate are decided.
    fn method_of(&self, flat: &[Flat<'a>], isolate: &str) -> Option<(Method, Span)> {
        let own = match isolate {
            THIS => Arc::from(METHOD),
            _ => join(isolate, METHOD),
        };
        let around = match isolate.rsplit_once('.') {
            _ if isolate == INNER => Some(Arc::from(METHOD)),
            Some((object, INNER)) => Some(join(object, METHOD)),
            _ => None,
        };
        // The last one counts, even if it says nothing of executions.
        let last = |wanted: Arc<str>| {
            flat.iter().rev().find_map(|flat| match &flat.decl.kind {
                DeclKind::Attribute { name, method, .. } => {
                    let is_wanted = self.scopes.full(flat.scope, &name.name) == wanted;
                    is_wanted.then_some((*method, flat.decl.span()))
                }
                _ => None,
            })
        };
        let told = last(own).or_else(|| last(around?));
        let proof = || {
            flat.iter().find_map(|flat| match &flat.decl.kind {
                DeclKind::Proof(proof) if self.proved_isolate(flat.scope, proof) == Some(isolate) => {
                    proof.is_by(Some(MC)).then_some((Method::Unbounded, proof.span()))
                }
                _ => None,
            })
        };
        told.and_then(|(method, place)| Some((method?, place))).or_else(proof)
    }

    /// Returns the isolate that a proof shows: that its claims hold.
    pub(super) fn proved_isolate<'p>(&self, scope: ScopeId, proof: &'p Proof) -> Option<&'p str> {
        let name = &*proof.label.as_ref()?.name;
        let is_isolate = name == THIS || self.isolates.contains(name);
        let is_read = [Some(MC), Some(CONDITIONS), None].into_iter().any(|it| proof.is_by(it));
        (is_isolate && is_read && scope == self.scopes.root()).then_some(name)
    }

    /// Reports the proof of an isolate from which nothing follows: claims are shown without it, by executions or as inductive.
    pub(super) fn proof_of_isolate(&mut self, proof: &Proof) {
        let span = proof.span();
        if !self.methods.contains(&span) {
            let note = match proof.is_by(Some(MC)) {
                true => NOT_BY_EXECUTIONS,
                false => "claims are shown to be inductive without it",
            };
            self.report.ignore("proof", span, note);
        }
    }

    /// Reports an attribute from which nothing follows.
    pub(super) fn attribute(&mut self, flat: Flat<'a>) {
        let DeclKind::Attribute { name, method, text } = &flat.decl.kind else { return };
        let span = text.place.0;
        if name.name.rsplit('.').next() == Some(CHECK) {
            let what = "`attribute check` is not supported: it changes what isolates see of an object";
            let error = Diagnostic::error(Code::Program, span, what)
                .label("tells whether `spec` or `impl` is private");
            return self
                .report
                .push(error.help("without it, `impl` and `implementation { .. }` are private"));
        }
        if self.methods.contains(&span) {
            return;
        }
        let note = match method {
            Some(Method::Unbounded) => NOT_BY_EXECUTIONS,
            Some(Method::Bounded(_)) => {
                "`ramsey bmc` checks executions up to a length; `verify` shows that claims are inductive"
            }
            None => "it tells other tools how to verify, run or translate the program",
        };
        self.report.ignore("attribute", span, note);
    }
}
