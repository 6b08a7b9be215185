//! Instances that are made where they are mentioned: `array[i][t]` is an instance of the module that `autoinstance array[x][y]`
//! gives.

use std::sync::Arc;

use super::flat::Flattener;
use super::isolates::Presence;
use super::scopes::{Opening, ScopeId};
use crate::ivy::ast::{Autoinstance, Ident};
use ramsey_core::base::span::{FileId, Span};

/// Returns the names in the brackets of a name, without those in brackets inside of them.
fn in_brackets(name: &str) -> Vec<&str> {
    let (mut found, mut open, mut start) = (Vec::new(), 0_u32, 0);
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'[' => {
                open += 1;
                if open == 1 {
                    start = at + 1;
                }
            }
            b']' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    found.extend(name.get(start..at));
                }
            }
            _ => {}
        }
    }
    found
}

impl<'a> Flattener<'a, '_> {
    /// Makes the instances that a declaration mentions, and that are not there yet.
    pub(super) fn mentioned(&mut self, span: Span, scope: ScopeId) {
        if self.autoinstances.is_empty() {
            return;
        }
        let Some(file) = self.files.iter().find(|file| file.file == span.file) else { return };
        let names = file.bracketed.iter();
        let inside = |name: &&Ident| span.start <= name.span().start && name.span().end <= span.end;
        for name in names.filter(inside) {
            self.automatic(name, scope);
        }
    }

    /// Makes the instance that a name with brackets is, unless it is there.
    fn automatic(&mut self, name: &Ident, scope: ScopeId) {
        let base = name.name.split('[').next().unwrap_or_default();
        let Some(&(instance, outer, file)) = self.autoinstances.get(base) else { return };
        let args = in_brackets(&name.name);
        // What stands in the brackets may be such an instance itself.
        for arg in args.iter().filter(|arg| arg.contains('[')) {
            self.automatic(&Ident { name: Arc::from(*arg), place: name.place }, scope);
        }
        let full = self.scopes.full(outer, &self.scopes.spelled(scope, &name.name));
        if args.len() != instance.params.len() || self.scopes.is_object(&full) {
            return;
        }
        let spelled = Ident { name: self.scopes.spelled(scope, &name.name), place: name.place };
        let args: Vec<Ident> = in_brackets(&spelled.name)
            .into_iter()
            .map(|arg| Ident { name: arg.into(), place: name.place })
            .collect();
        self.make(instance, &spelled, &args, outer, file);
    }

    fn make(
        &mut self,
        instance: &'a Autoinstance,
        name: &Ident,
        args: &[Ident],
        outer: ScopeId,
        file: FileId,
    ) {
        self.scopes.declare(outer, &name.name);
        let inner = self.object(outer, name, &[], Opening::Instance);
        // The parameters in brackets stand for what the mention has there.
        let between = self.scopes.anonymous(outer);
        for (param, arg) in instance.params.iter().zip(args) {
            self.scopes.argument(between, param, arg, self.scopes.root());
        }
        let presence = std::mem::replace(&mut self.presence, Presence::Verified);
        // What is made where it is mentioned stands in no section there.
        let around = (presence, self.is_private, std::mem::take(&mut self.is_global));
        self.isolate_of_module(&instance.module, name, outer, inner, name.span());
        self.is_private = false;
        self.instance(&instance.module, &instance.args, between, inner, name.span(), file);
        (self.presence, self.is_private, self.is_global) = around;
    }
}
