//! Expansion of files, objects and instances of modules into one list of declarations with their scopes.

use std::sync::Arc;

use super::isolates::{FIRST_WITH_THIS, IMPLEMENTATION, Isolate, Presence, Privacy, Seen};
use super::operators::is_operator;
use super::scopes::{Opening, SchemeIn, ScopeId, Scopes, join};
use crate::ivy::ast::{
    Autoinstance, Bound, Decl, DeclKind, File, Ident, Interpretation, Module, SortedVar, TypeBody, Version,
};
use crate::ivy::library::{include_path, names};
use crate::program::errors;
use crate::shared::Includes;
use crate::shared::report::{Report, suggest};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::diag::{Code, Diagnostic};

/// Maximum number of declarations of a program, with those of all instances.
const MAX_DECLS: usize = 100_000;

/// Maximum depth of objects and instances in each other.
const MAX_NESTING: usize = 100;

/// Maximum length of the name that an argument is, with those of the modules around it in place of their parameters.
const MAX_ARGUMENT: usize = 1_000;

/// The parameter of modules of the library that tells what the elements of their type are.
const INTERPRETATION: &str = "interp";
/// What these can be.
const NATIVE: &[&str] = &["arr", "bv", "int", "intbv", "nat", "strbv", "strlit"];

/// A declaration in its scope.
#[derive(Clone, Copy)]
pub(super) struct Flat<'a> {
    pub(super) decl: &'a Decl,
    pub(super) scope: ScopeId,
    /// Its position among all declarations.
    pub(super) at: usize,
    /// What it is in what is being verified.
    pub(super) presence: Presence,
    /// Whether it stands in a trusted isolate.
    pub(super) is_trusted: bool,
    /// Whether it stands in a section of its object that others do not see.
    pub(super) is_private: bool,
    /// Whether it stands in a section `specification` of its object.
    pub(super) is_specified: bool,
    /// Whether it stands in a section that all isolates see, and not in an object there.
    pub(super) is_global: bool,
    /// Whether it is what the library tells of an implementation, which only those know that name it.
    pub(super) is_of_impl: bool,
}

/// Expands the first file and those that it includes. Declarations of an included file stand where it is included first.
pub(super) struct Flattener<'a, 'r> {
    pub(super) files: &'a [File],
    includes: &'r Includes,
    pub(super) scopes: Scopes<'a>,
    pub(super) flat: Vec<Flat<'a>>,
    seen: Set<FileId>,
    /// The modules whose instances are being expanded.
    pub(super) open: Vec<&'a str>,
    nesting: usize,
    /// What the declarations of the whole program are here: in a trusted isolate, what they claim is assumed.
    pub(super) presence: Presence,
    /// Whether declarations stand in a section of their object that others do not see.
    pub(super) is_private: bool,
    /// Whether declarations stand in a section `specification` of their object.
    is_specified: bool,
    /// Whether declarations stand in a section that all isolates see.
    pub(super) is_global: bool,
    /// The objects that stand in such a section, which every isolate sees as if it named them after `with`.
    pub(super) globals: Vec<Arc<str>>,
    /// The names whose instances are made where they are mentioned, with the places of their declarations.
    pub(super) autoinstances: Map<Arc<str>, (&'a Autoinstance, ScopeId, FileId)>,
    /// The names of objects, each with why it is private itself, if it is.
    pub(super) objects: Map<Arc<str>, Privacy>,
    /// The isolates in the order of the text.
    pub(super) isolates: Vec<Isolate<'a>>,
    pub(super) report: &'r mut Report,
}

impl<'a, 'r> Flattener<'a, 'r> {
    /// Expands all files.
    pub(super) fn expand(files: &'a [File], includes: &'r Includes, report: &'r mut Report) -> Self {
        let (scopes, root) = Scopes::new();
        let mut flattener = Flattener {
            files,
            includes,
            scopes,
            flat: Vec::new(),
            seen: Set::default(),
            open: Vec::new(),
            nesting: 0,
            presence: Presence::Verified,
            is_private: false,
            is_specified: false,
            is_global: false,
            globals: Vec::new(),
            autoinstances: Map::default(),
            objects: Map::default(),
            isolates: Vec::new(),
            report,
        };
        if let Some(main) = files.first() {
            flattener.seen.insert(main.file);
            flattener.decls(&main.decls, root, main.file);
        }
        flattener
    }

    fn decls(&mut self, decls: &'a [Decl], scope: ScopeId, file: FileId) {
        self.nesting += 1;
        for decl in decls {
            if self.flat.len() >= MAX_DECLS || !self.report.spend(1) {
                break;
            }
            self.decl(decl, scope, file);
            for name in std::mem::take(&mut self.scopes.redeclared) {
                self.report.push(
                    Diagnostic::error(
                        Code::Duplicate,
                        decl.span(),
                        format!("`{name}` is a parameter of the module, and stands for what is given for it"),
                    )
                    .label("declared here as well")
                    .help("give it another name"),
                );
            }
        }
        self.nesting -= 1;
    }

    fn module(&mut self, module: &'a Module, scope: ScopeId) {
        if let Some(other) = self.scopes.add_module(scope, module) {
            self.report.push(errors::duplicate("module", &module.name, &other.name));
        }
    }

    #[inline(never)]
    fn decl(&mut self, decl: &'a Decl, mut scope: ScopeId, file: FileId) {
        if self.nesting > MAX_NESTING {
            self.report.push(
                Diagnostic::error(Code::TooDeep, decl.span(), "objects and instances are nested too deeply")
                    .label(format!("more than {MAX_NESTING} levels deep")),
            );
            return;
        }
        if !matches!(decl.kind, DeclKind::Object { .. } | DeclKind::Section { .. } | DeclKind::Module(_)) {
            self.mentioned(decl.span(), scope);
        }
        self.declare_label(decl, scope);
        match &decl.kind {
            DeclKind::Include(name) => return self.include(name, scope, file),
            // Instances know the modules that have been declared before.
            DeclKind::Module(module) => return self.module(module, scope),
            DeclKind::Autoinstance(instance) => {
                self.autoinstances.insert(instance.name.name.clone(), (instance, scope, file));
                return;
            }
            DeclKind::Section { keyword, decls } => {
                let outside = (self.is_private, self.is_specified, self.is_global);
                self.is_private |= matches!(&**keyword, "implementation" | "private");
                self.is_specified |= &**keyword == "specification";
                self.is_global |= &**keyword == "global";
                let inner = if &**keyword == "common" { self.scopes.common(scope) } else { scope };
                let around = self.scopes.enter_section();
                self.decls(decls, inner, file);
                self.scopes.leave_section(around);
                (self.is_private, self.is_specified, self.is_global) = outside;
                return;
            }
            DeclKind::Private(names) => {
                for name in names {
                    let known = self.objects.entry(self.scopes.full(scope, &name.name)).or_default();
                    *known = Privacy::Listed.max(*known);
                }
            }
            DeclKind::Object { keyword, name, params, is_continued, decls, with } => {
                let opening = if *is_continued { Opening::Continued } else { Opening::First };
                if opening == Opening::First {
                    self.scopes.declare(scope, &name.name);
                }
                let inner = self.object(scope, name, params, opening);
                let is_trusted = keyword.starts_with("trusted");
                let path = self.scopes.full(scope, &name.name);
                let is_same =
                    |it: &Isolate<'_>| it.block.as_ref() == Some(&path) && it.is_trusted == is_trusted;
                let is_known = self.isolates.iter().any(is_same);
                // What continues an isolate sees what that sees.
                let is_more = *is_continued && with.is_none() && is_known;
                if keyword.ends_with("isolate") && !is_more {
                    let with = with.as_ref().map_or(&[][..], |it| &it.names);
                    let name = Arc::clone(&path);
                    let seen = Seen { verified: &[], with, scope };
                    self.isolates.push(Isolate {
                        name,
                        span: decl.span(),
                        is_trusted,
                        block: Some(path),
                        seen,
                    });
                }
                let is_global = self.enter_global(scope, name);
                let (is_private, is_specified) =
                    (std::mem::take(&mut self.is_private), std::mem::take(&mut self.is_specified));
                let outside = (self.presence, is_private, is_specified, is_global);
                if is_trusted {
                    self.presence = Presence::Assumed;
                } else if keyword.ends_with("isolate") {
                    self.presence = Presence::Verified;
                }
                self.decls(decls, inner, file);
                (self.presence, self.is_private, self.is_specified, self.is_global) = outside;
            }
            DeclKind::Isolate { is_trusted, name, verified, with, .. } => {
                let name = self.scopes.full(scope, &name.name);
                let (span, is_trusted) = (decl.span(), *is_trusted);
                let seen = Seen { verified, with, scope };
                self.isolates.push(Isolate { name, span, is_trusted, block: None, seen });
            }
            DeclKind::Instance { name, params, module, args, .. } => {
                let inner = match name {
                    Some(name) => {
                        self.scopes.declare(scope, &name.name);
                        self.object(scope, name, params, Opening::Instance)
                    }
                    None => self.scopes.anonymous(scope),
                };
                if name.is_none()
                    && self.scopes.module(scope, &module.name).is_none()
                    && let Some(scheme) = self.scopes.scheme(scope, &module.name)
                {
                    return self.scheme(scheme, module, args, scope, decl.span());
                }
                // What a module declares stands in the sections that are in the module, and in no other.
                let is_global = match name {
                    Some(name) => self.enter_global(scope, name),
                    None => self.is_global,
                };
                let (is_private, is_specified) =
                    (std::mem::take(&mut self.is_private), std::mem::take(&mut self.is_specified));
                let outside = (self.presence, is_private, is_specified, is_global);
                if name.is_some()
                    && self.scopes.module(scope, &module.name).is_some_and(|module| module.is_isolate)
                {
                    self.presence = Presence::Verified;
                }
                if let Some(name) = name {
                    self.isolate_of_module(module, name, scope, inner, decl.span());
                }
                self.instance(module, args, scope, inner, decl.span(), file);
                (self.presence, self.is_private, self.is_specified, self.is_global) = outside;
                return;
            }
            DeclKind::Scheme(scheme) => {
                if let Some(other) = self.scopes.add_scheme(SchemeIn { scheme, decl, scope }) {
                    self.report.push(errors::duplicate("schema", &scheme.name, &other.scheme.name));
                }
                return;
            }
            DeclKind::Type { name, body, .. } => {
                scope = self.scopes.with_elements(scope);
                if &*name.name != "this" {
                    self.scopes.declare(scope, &name.name);
                }
                match body {
                    TypeBody::Enumerated(values) => {
                        values.iter().for_each(|value| self.scopes.declare(scope, &value.name));
                    }
                    TypeBody::Struct(fields) => {
                        fields.iter().for_each(|field| self.scopes.declare(scope, &field.name.name));
                    }
                    TypeBody::Uninterpreted => {}
                }
            }
            DeclKind::Formula { named: Some((name, _)), .. }
            | DeclKind::Unchecked { named: Some((name, _)), .. } => self.scopes.declare(scope, &name.name),
            // Operators are symbols of all types.
            DeclKind::Symbols { symbols, .. } if symbols.iter().any(|it| is_operator(&it.name.name)) => {}
            DeclKind::Choice(choice) if *choice.keyword != *"definition" => {
                self.scopes.declare(scope, &choice.name.name);
            }
            DeclKind::Symbols { keyword, symbols } => {
                if **keyword == *"destructor" {
                    scope = self.scopes.with_elements(scope);
                }
                symbols.iter().for_each(|symbol| self.scopes.declare(scope, &symbol.name.name));
            }
            // A `definition` is of a symbol that is declared elsewhere.
            DeclKind::Definition { keyword, .. } if **keyword == *"definition" => {}
            DeclKind::Definition { name, .. } | DeclKind::Macro { name, .. } if !name.name.contains('.') => {
                self.scopes.declare(scope, &name.name);
            }
            DeclKind::Action(action) if !action.name.name.contains('.') => {
                self.scopes.declare(scope, &action.name.name);
            }
            DeclKind::Interpret { meaning: Interpretation::Range(low, high), .. } => {
                self.declare_bounds(scope, [low, high]);
            }
            DeclKind::Interpret { meaning: Interpretation::Enumerated(values), .. } => {
                scope = self.scopes.with_elements(scope);
                values.iter().for_each(|value| self.scopes.declare(scope, &value.name));
            }
            DeclKind::Alias { name, sort } => {
                self.scopes.declare(scope, &name.name);
                self.scopes.alias(scope, name, sort);
            }
            DeclKind::Theorem(theorem) => {
                let inner = self.scopes.theorem(scope, &theorem.name);
                self.decls(&theorem.decls, inner, file);
                self.push(decl, inner);
                return;
            }
            _ => {}
        }
        self.push(decl, scope);
    }

    /// Declares the name of a claim or a rule, which hides what is called so outside. Before all claims had names, only those of
    /// rules did. What theorems assume has a name there alone.
    fn declare_label(&mut self, decl: &Decl, scope: ScopeId) {
        let minor = self.files.first().map_or(Version::DEFAULT, |file| file.version).minor;
        let label = match &decl.kind {
            _ if self.scopes.is_theorem(scope) => None,
            DeclKind::Theorem(rule) | DeclKind::Rule(rule) => Some(&rule.name),
            DeclKind::Schema(schema) => schema.name.as_ref(),
            DeclKind::Formula { label, .. }
            | DeclKind::Unchecked { label, .. }
            | DeclKind::Definition { label, .. } => label.as_ref().filter(|_| minor >= FIRST_WITH_THIS),
            _ => None,
        };
        if let Some(label) = label {
            self.scopes.declare_beside(scope, &label.name);
        }
    }

    fn declare_bounds(&mut self, scope: ScopeId, bounds: [&Bound; 2]) {
        for bound in bounds {
            if let Bound::Name(name) = bound {
                self.scopes.declare_beside(scope, &name.name);
            }
        }
    }

    /// Enters an object, which is noted if it stands in a section that all isolates see. What is in it is seen as far as the object
    /// shows it. Returns whether it stands in one.
    fn enter_global(&mut self, scope: ScopeId, name: &Ident) -> bool {
        let is_global = std::mem::take(&mut self.is_global);
        if is_global {
            self.globals.push(self.scopes.full(scope, &name.name));
        }
        is_global
    }

    fn push(&mut self, decl: &'a Decl, scope: ScopeId) {
        let (is_private, is_specified, is_global) = (self.is_private, self.is_specified, self.is_global);
        let is_of_impl = matches!(decl.kind, DeclKind::Interpret { .. })
            && self.files.iter().any(|file| file.is_built_in && file.file == decl.span().file)
            && self.scopes.full(scope, "t").ends_with("impl.t");
        let presence = if is_of_impl { Presence::Absent } else { self.presence };
        let (at, is_trusted) = (self.flat.len(), self.presence == Presence::Assumed);
        self.flat.push(Flat {
            decl,
            scope,
            at,
            presence,
            is_trusted,
            is_private,
            is_specified,
            is_global,
            is_of_impl,
        });
    }

    /// Returns the scope of an object or instance. Only a block that begins with `...` adds to one that is there.
    pub(super) fn object(
        &mut self,
        scope: ScopeId,
        name: &Ident,
        params: &[SortedVar],
        opening: Opening,
    ) -> ScopeId {
        match (self.scopes.known_object(scope, name), opening == Opening::Continued) {
            _ if &*name.name == "this" => self.report.push(
                Diagnostic::error(Code::Program, name.span(), "`this` is not the name of a new object")
                    .label("it is the one around it")
                    .help("leave out the object, or the name of the instance"),
            ),
            (Some(first), false) => self.report.push(
                Diagnostic::error(
                    Code::Duplicate,
                    name.span(),
                    format!("the object `{}` is declared twice", name.name),
                )
                .label("declared again here")
                .also(first, "first declared here")
                .help(format!("what is added to an object stands in `object {} = {{ ... }}`", name.name)),
            ),
            (None, true) => self.report.push(
                Diagnostic::error(
                    Code::Undeclared,
                    name.span(),
                    format!("the object `{}` is not declared before", name.name),
                )
                .label("nothing to continue")
                .help("leave out the `...`"),
            ),
            // What it declares would have its names outside of the object around it, but for labels.
            (Some(first), true) if !self.scopes.knows(scope, &name.name) => self.report.push(
                Diagnostic::error(
                    Code::Undeclared,
                    name.span(),
                    format!("the block around this does not know the object `{}`", name.name),
                )
                .label("continued where it is not seen")
                .also(first, "first declared here")
                .help("continue it in the module or the section that declares it"),
            ),
            _ => {}
        }
        if &*name.name != "this" {
            let path = self.scopes.full(scope, &name.name);
            let privacy = match &*name.name {
                _ if self.is_private => Privacy::Section,
                IMPLEMENTATION => Privacy::Name,
                _ => Privacy::Public,
            };
            let known = self.objects.entry(path).or_default();
            *known = privacy.max(*known);
        }
        self.scopes.object(scope, name, params, opening)
    }

    /// Adds the isolate that an instance of a module is, if the module is one of isolates.
    pub(super) fn isolate_of_module(
        &mut self,
        module: &Ident,
        name: &Ident,
        outer: ScopeId,
        inner: ScopeId,
        span: Span,
    ) {
        let Some(module) = self.scopes.module(outer, &module.name).filter(|module| module.is_isolate) else {
            return;
        };
        let path = self.scopes.full(outer, &name.name);
        let name = join(&path, "iso");
        let with = module.with.as_ref().map_or(&[][..], |it| &it.names);
        let seen = Seen { verified: &[], with, scope: inner };
        self.isolates.push(Isolate { name, span, is_trusted: false, block: Some(path), seen });
    }

    fn include(&mut self, name: &'a Ident, scope: ScopeId, file: FileId) {
        match self.includes.resolve(file, &include_path(&name.name)) {
            Ok(included) => {
                if self.seen.insert(included)
                    && let Some(file) = self.files.iter().find(|it| it.file == included)
                {
                    self.decls(&file.decls, scope, included);
                }
            }
            Err(reason) => {
                let error = Diagnostic::error(
                    Code::Module,
                    name.span(),
                    format!("`{}` cannot be included: {reason}", name.name),
                )
                .label("included here");
                let version = self.files.first().map_or(Version::DEFAULT, |file| file.version);
                self.report.push(match suggest(&name.name, names(version)) {
                    Some(near) => error.help(format!("did you mean the library's `{near}`?")),
                    None => {
                        let names: Vec<String> = names(version).map(|name| format!("`{name}`")).collect();
                        error.help(format!("files of the library are {}", names.join(", ")))
                    }
                });
            }
        }
    }

    pub(super) fn instance(
        &mut self,
        name: &Ident,
        args: &[Ident],
        outer: ScopeId,
        inner: ScopeId,
        span: Span,
        file: FileId,
    ) {
        let Some((module, home)) = self.scopes.module_at(outer, &name.name) else {
            let help = "a module is declared before its instances, in this file or in one that is included: `include order`";
            self.report.push(errors::unknown_module(name, self.scopes.modules(outer), help));
            return;
        };
        if args.len() != module.params.len() {
            self.report.push(crate::fol::statics::names::wrong_count(
                name,
                span,
                args.len(),
                module.params.len(),
                module.name.span(),
            ));
            return;
        }
        if self.open.contains(&&*module.name.name) {
            self.report.push(errors::recursive_module(name, &module.name, "has an instance of itself"));
            return;
        }
        self.check_native(module, args, outer);
        self.arguments(inner, &module.params, args, outer);
        self.scopes.replace((inner, outer), (module, home), args);
        self.open.push(&module.name.name);
        self.decls(&module.decls, inner, file);
        self.open.pop();
        if self.flat.len() >= MAX_DECLS && self.open.is_empty() {
            self.report.push(errors::too_many_declarations(span, MAX_DECLS));
        }
    }

    /// Reports an argument that is to tell what the elements of a type of the library are, and is no type of numbers or texts.
    fn check_native(&mut self, module: &Module, args: &[Ident], outer: ScopeId) {
        let file_of = |name: &Ident| self.files.iter().find(|file| file.file == name.span().file);
        let is_built_in = |name: &Ident| file_of(name).is_some_and(|file| file.is_built_in);
        if !is_built_in(&module.name) {
            return;
        }
        for (param, arg) in module.params.iter().zip(args) {
            let full = self.scopes.resolve(outer, &arg.name).name;
            let word = full.split('[').next().unwrap_or_default();
            if *param.name != *INTERPRETATION || is_built_in(arg) || NATIVE.contains(&word) {
                continue;
            }
            self.report.push(
                Diagnostic::error(Code::Program, arg.span(), format!("`{}` is no native type", arg.name))
                    .label("does not tell what the elements are")
                    .help("write `int`, `nat` or `bv[8]`; a type of the program is another one"),
            );
        }
    }

    /// Adds the axiom that an instance of a scheme is.
    fn scheme(
        &mut self,
        SchemeIn { scheme, decl, scope }: SchemeIn<'a>,
        name: &Ident,
        args: &'a [Ident],
        outer: ScopeId,
        span: Span,
    ) {
        let (given, expected) = (args.len(), scheme.params.len());
        if given != expected {
            let place = scheme.name.span();
            self.report.push(crate::fol::statics::names::wrong_count(name, span, given, expected, place));
            return;
        }
        let inner = self.scopes.anonymous(scope);
        self.arguments(inner, &scheme.params, args, outer);
        self.push(decl, inner);
    }

    /// Gives parameters their arguments, which have no more than so many characters.
    fn arguments(&mut self, inner: ScopeId, params: &[Ident], args: &[Ident], outer: ScopeId) {
        for (param, arg) in params.iter().zip(args) {
            let full = self.scopes.resolve(outer, &arg.name).name;
            if full.contains('[') && full.len() > MAX_ARGUMENT {
                self.report.push(
                    Diagnostic::error(Code::TooDeep, arg.span(), "the name of the argument is too long")
                        .label(format!(
                            "more than {MAX_ARGUMENT} characters, with those of its own arguments"
                        )),
                );
                return;
            }
            self.scopes.argument(inner, param, arg, outer);
        }
    }
}
