//! Graph of the files of all crates by use, read from the syntax of the sources.
//!
//! A path leads to the file that defines the named item: re-exports are followed. Test modules do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use syn::{Attribute, Item, UseTree};

/// A module: its file, and the names that can be reached through it.
#[derive(Default)]
struct Module {
    /// Path below `src/`.
    file: String,
    /// Child modules.
    children: BTreeSet<String>,
    /// Names of imports and re-exports, each with its path.
    aliases: BTreeMap<String, Vec<String>>,
    /// Modules of glob imports.
    globs: Vec<Vec<String>>,
    /// All paths written in the module, relative to itself.
    paths: Vec<Vec<String>>,
}

/// All files with the files that they use.
pub(crate) struct Graph {
    /// Used files by file, as paths below `src/`.
    pub(crate) uses: BTreeMap<String, BTreeSet<String>>,
}

/// Collects all sources below a folder.
pub(crate) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

/// Checks whether a file holds only tests.
pub(crate) fn is_test(relative: &str) -> bool {
    relative.contains("/tests/") || relative.ends_with("/tests.rs")
}

impl Graph {
    /// Reads all files below `src/`.
    pub(crate) fn read(src: &Path) -> Graph {
        let mut files = Vec::new();
        sources(src, &mut files);
        let mut modules: BTreeMap<Vec<String>, Module> = BTreeMap::new();
        for path in &files {
            let relative = path.strip_prefix(src).expect("below src").to_string_lossy().into_owned();
            if is_test(&relative) {
                continue;
            }
            let text = fs::read_to_string(path).expect("a source file");
            let syntax = syn::parse_file(&text).expect("a source file in Rust");
            let mut module = Module { file: relative.clone(), ..Module::default() };
            let mut reader = Reader { module: &mut module, inside: 0 };
            syntax.items.iter().for_each(|item| reader.visit_item(item));
            modules.insert(name_of(&relative), module);
        }
        let names: Vec<Vec<String>> = modules.keys().filter(|name| !name.is_empty()).cloned().collect();
        for name in names {
            if let Some((last, parent)) = name.split_last()
                && let Some(parent) = modules.get_mut(parent)
            {
                parent.children.insert(last.clone());
            }
        }
        let mut uses = BTreeMap::new();
        for (name, module) in &modules {
            let mut used = BTreeSet::new();
            for path in &module.paths {
                if let Some(file) = resolve(&modules, name, path, 0)
                    && file != module.file
                {
                    used.insert(file);
                }
            }
            uses.insert(module.file.clone(), used);
        }
        Graph { uses }
    }

    /// Returns the files of each import cycle: files that all use each other, directly or not.
    pub(crate) fn circles(&self) -> Vec<Vec<&str>> {
        let reach: BTreeMap<&str, BTreeSet<&str>> =
            self.uses.keys().map(|file| (file.as_str(), self.reachable(file))).collect();
        let mut circles = Vec::new();
        let mut seen = BTreeSet::new();
        for (&file, reached) in &reach {
            if !reached.contains(file) || !seen.insert(file) {
                continue;
            }
            let circle: Vec<&str> = reached
                .iter()
                .copied()
                .filter(|other| reach.get(other).is_some_and(|it| it.contains(file)))
                .collect();
            seen.extend(&circle);
            circles.push(circle);
        }
        circles
    }

    fn reachable(&self, file: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&str> = self.uses.get(file).into_iter().flatten().map(String::as_str).collect();
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                open.extend(self.uses.get(next).into_iter().flatten().map(String::as_str));
            }
        }
        reached
    }
}

/// Returns the path of the module in a file.
fn name_of(relative: &str) -> Vec<String> {
    let mut parts: Vec<String> = relative.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    // The folder of a crate has its root.
    if parts.last().is_some_and(|last| last == "mod" || last == "lib" && parts.len() <= 2) {
        parts.pop();
    }
    parts
}

/// Returns the file that defines the item of a path, as written in the module `at`, or `None` for items of other
/// crates.
fn resolve(
    modules: &BTreeMap<Vec<String>, Module>,
    at: &[String],
    path: &[String],
    depth: usize,
) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let module = modules.get(at)?;
    if depth > 20 {
        return None;
    }
    if let Some(name) = first.strip_prefix("ramsey_") {
        return descend(modules, &[name.to_owned()], rest, depth);
    }
    match first.as_str() {
        "crate" => descend(modules, &at[..at.len().min(1)], rest, depth),
        "self" => descend(modules, at, rest, depth),
        "super" => {
            let (_, parent) = at.split_last()?;
            match rest.first().map(String::as_str) {
                Some("super") => resolve(modules, parent, rest, depth),
                _ => descend(modules, parent, rest, depth),
            }
        }
        name if module.children.contains(name) || module.aliases.contains_key(name) => {
            descend(modules, at, path, depth)
        }
        _ => None,
    }
}

/// Returns the file that defines the item of a path, relative to the module `at`.
fn descend(
    modules: &BTreeMap<Vec<String>, Module>,
    at: &[String],
    path: &[String],
    depth: usize,
) -> Option<String> {
    let module = modules.get(at)?;
    let Some((first, rest)) = path.split_first() else { return Some(module.file.clone()) };
    if module.children.contains(first) {
        let child: Vec<String> = at.iter().chain([first]).cloned().collect();
        return descend(modules, &child, rest, depth);
    }
    if let Some(target) = module.aliases.get(first) {
        // Path segments after the name of a type or function do not lead to another file.
        let whole: Vec<String> = target.iter().chain(rest).cloned().collect();
        return resolve(modules, at, &whole, depth + 1);
    }
    for glob in &module.globs {
        let whole: Vec<String> = glob.iter().chain(path).cloned().collect();
        if let Some(file) = resolve(modules, at, &whole, depth + 1)
            && file != module.file
        {
            return Some(file);
        }
    }
    Some(module.file.clone())
}

/// Collector of the paths in one file.
struct Reader<'m> {
    module: &'m mut Module,
    /// Nesting depth of inline modules at the current place: this many `super` segments stay in the file.
    inside: usize,
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

impl Reader<'_> {
    fn tree(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>();
        match tree {
            UseTree::Path(path) => self.tree(&path.tree, &with(&path.ident)),
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = before.last() {
                    self.alias(last.clone(), before.to_vec());
                }
            }
            UseTree::Name(name) => self.alias(name.ident.to_string(), with(&name.ident)),
            UseTree::Rename(rename) if rename.ident == "self" => {
                self.alias(rename.rename.to_string(), before.to_vec());
            }
            UseTree::Rename(rename) => self.alias(rename.rename.to_string(), with(&rename.ident)),
            UseTree::Glob(_) => {
                self.module.globs.push(before.to_vec());
                self.module.paths.push(before.to_vec());
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before)),
        }
    }

    /// Returns a path relative to the file's outermost module, or `None` if it stays in the file.
    fn outside(&self, path: Vec<String>) -> Option<Vec<String>> {
        let supers = path.iter().take(self.inside).take_while(|name| *name == "super").count();
        let stays = self.inside > 0 && supers > 0 && path.get(supers).is_none_or(|name| name != "super");
        (!stays).then(|| path[supers..].to_vec())
    }

    fn alias(&mut self, name: String, path: Vec<String>) {
        let Some(path) = self.outside(path) else { return };
        self.module.paths.push(path.clone());
        // A path that begins with its own name belongs to another crate or a child module.
        if path.first() != Some(&name) {
            self.module.aliases.insert(name, path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Use(item) if !is_of_tests(&item.attrs) => {
                // A re-export is not a use: an import through it counts as a use of the other file, not of this one.
                if matches!(item.vis, syn::Visibility::Inherited) {
                    self.tree(&item.tree, &[]);
                } else {
                    let before = self.module.paths.len();
                    self.tree(&item.tree, &[]);
                    self.module.paths.truncate(before);
                }
            }
            Item::Mod(module) if is_of_tests(&module.attrs) => {}
            Item::Mod(_) => {
                self.inside += 1;
                syn::visit::visit_item(self, item);
                self.inside -= 1;
            }
            Item::Use(_) => {}
            _ => syn::visit::visit_item(self, item),
        }
    }

    /// The path in a visibility is not a use of a module.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.module.paths.extend(self.outside(segments));
        syn::visit::visit_path(self, path);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_of_tests(&item.attrs) {
            syn::visit::visit_item_fn(self, item);
        }
    }
}
