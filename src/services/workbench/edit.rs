//! Addition and removal of claims in the text of a model; the rest of the text is preserved byte for byte.

use std::collections::BTreeSet;
use std::sync::Arc;

use ramsey_core::base::span::FileId;
use ramsey_core::diag::{Diagnostic, Severity};
use ramsey_core::logic::TermId;
use ramsey_core::system::{Invariant, System};
use ramsey_lang::Language;
use ramsey_solver::formulas::Pretty;

/// The text of a model with an added claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addition {
    /// The complete text; as it was if the claim is there already.
    pub text: String,
    /// The name of the claim.
    pub name: String,
    /// Whether the text had this claim before, up to the names of bound variables.
    pub is_known: bool,
}

/// Result of loading a text: the system, if it is valid, and the diagnostics.
type Loaded = (Option<Arc<System>>, Vec<Diagnostic>);

/// Appends a formula to the text of a model as an invariant, with the given or a generated name. `system` is the
/// meaning of the text. `load` reads a text in place of the model's; its result for the new text is compared with
/// `system`. A formula that an invariant has already is not added again.
///
/// # Errors
/// Returns the reason why the formula cannot be added: the name is taken, or the text would have another meaning.
pub fn add_claim(
    text: &str,
    language: Language,
    system: &System,
    formula: &str,
    name: Option<&str>,
    load: &mut dyn FnMut(&str) -> Loaded,
) -> Result<Addition, String> {
    let name = match name {
        Some(name) => {
            if let Some(known) = system.invariants.iter().find(|it| it.label == name) {
                let kind = if known.is_safety { "a safety property" } else { "an invariant" };
                return Err(format!("there is {kind} `{name}` already"));
            }
            name.to_owned()
        }
        None => fresh("conjecture", |name| words(text).contains(name)),
    };
    let added = [(name, formula.to_owned())];
    let mut problem = None;
    // As for [`revise`], beside another claim where it is none of the model at the end.
    let beside = anchor(text, system, &[]).and_then(|anchor| inserted(text, language, anchor, &added));
    for changed in [Some(appended(text, language, &added)), beside].into_iter().flatten() {
        let after = match read(&changed, load) {
            Ok(after) => after,
            Err(reason) => {
                problem.get_or_insert(format!("with the conjecture it could not be read ({reason})"));
                continue;
            }
        };
        let names = names_of_added(&after, system, &[], &added);
        let (Some([full]), Some((last, before))) = (names.as_deref(), after.invariants.split_last()) else {
            problem.get_or_insert("with the conjecture it would mean something else".to_owned());
            continue;
        };
        if formulas(&after, &[]).last() != Some(&format!("{full}: {formula}")) {
            problem.get_or_insert("with the conjecture it would mean something else".to_owned());
            continue;
        }
        if let Some(known) = before.iter().find(|it| after.terms.alpha_equal(it.formula, last.formula)) {
            return Ok(Addition { text: text.to_owned(), name: known.label.clone(), is_known: true });
        }
        return Ok(Addition { text: changed, name: full.clone(), is_known: false });
    }
    Err(problem.unwrap_or_default())
}

/// A claim to be removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removal {
    /// Index into [`System::invariants`].
    pub invariant: usize,
    /// The reason, for a comment in the text.
    pub reason: String,
}

/// Begins a comment up to the end of the line in all languages of models.
const COMMENT: &str = "#";

/// Turns the declarations of invariants into comments that begin with the reason; lines keep their numbers. `system` is
/// the meaning of the text, which is the source `file`. `load` is as for [`add_claim`].
///
/// # Errors
/// Returns the reason why the claims cannot be removed: a declaration is in another file or shares a line with others,
/// or the text would have another meaning.
pub fn remove_claims(
    text: &str,
    file: FileId,
    system: &System,
    removals: &[Removal],
    load: &mut dyn FnMut(&str) -> Loaded,
) -> Result<String, String> {
    // From the last to the first, so that earlier places stay.
    let mut removals: Vec<&Removal> = removals.iter().collect();
    removals.sort_by_key(|removal| std::cmp::Reverse(system.invariants[removal.invariant].span.start));
    let mut changed = text.to_owned();
    for Removal { invariant, reason } in &removals {
        let claim = &system.invariants[*invariant];
        if claim.span.file != file {
            return Err(format!("`{}` is declared in another file", claim.label));
        }
        let (start, end) = (claim.span.start as usize, claim.span.end as usize);
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = text[end..].lines().next().unwrap_or("").trim();
        if !text[line..start].trim().is_empty() || !(rest.is_empty() || rest.starts_with(COMMENT)) {
            return Err(format!("`{}` shares a line with something else", claim.label));
        }
        let declaration = commented(&text[start..end]);
        changed.replace_range(start..end, &format!("{COMMENT} {reason}: {declaration}"));
    }
    let after = read(&changed, load)
        .map_err(|reason| format!("without the claim it could not be read ({reason})"))?;
    let removed: Vec<usize> = removals.iter().map(|removal| removal.invariant).collect();
    if formulas(&after, &[]) != formulas(system, &removed) {
        return Err("without the claim it would mean something else".to_owned());
    }
    Ok(changed)
}

/// Returns a text with all its lines but the first as comments.
fn commented(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(next) = chars.next() {
        out.push(next);
        if next == '\n' || next == '\r' && chars.peek() != Some(&'\n') {
            out.push_str(COMMENT);
            out.push(' ');
        }
    }
    out
}

/// Changes of the claims of a model.
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a> {
    /// Claims to remove, as indices into [`System::invariants`]. The text itself declares them.
    pub removed: &'a [usize],
    /// Formulas to append as invariants, each with the name that it gets if that is free.
    pub added: &'a [(Option<String>, String)],
}

/// The text of a model with other claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revision {
    /// The complete text.
    pub text: String,
    /// The names of the added claims.
    pub names: Vec<String>,
}

/// Changes the claims in the text of a model. The arguments are those of [`add_claim`]; formulas without a name get one
/// that is free. A removed claim that other declarations refer to becomes a definition of the same name.
///
/// # Errors
/// Returns the reason why the claims cannot be changed: something else would have another meaning.
pub fn revise(
    text: &str,
    language: Language,
    system: &System,
    changes: Changes<'_>,
    load: &mut dyn FnMut(&str) -> Loaded,
) -> Result<Revision, String> {
    let mut known: BTreeSet<String> = words(text).into_iter().map(str::to_owned).collect();
    let mut added: Vec<(String, String)> = Vec::new();
    for (name, formula) in changes.added {
        let name = name.clone().filter(|name| !known.contains(name));
        let name = name.unwrap_or_else(|| fresh("lemma", |name| known.contains(name)));
        known.insert(name.clone());
        added.push((name, formula.clone()));
    }
    let anchor = anchor(text, system, changes.removed);
    let mut problem = None;
    // Where the model is an isolate, its claims stand in an object, beside one that is there.
    for place in std::iter::once(None).chain(anchor.map(Some)) {
        for keep_names in [false, true] {
            let kept = without(text, language, system, changes.removed, keep_names);
            let text = match place {
                None => appended(&kept, language, &added),
                Some(anchor) => match inserted(&kept, language, anchor, &added) {
                    Some(text) => text,
                    None => continue,
                },
            };
            let after = match read(&text, load) {
                Ok(after) => after,
                Err(reason) => {
                    problem.get_or_insert(format!("with the lemmas it could not be read ({reason})"));
                    if changes.removed.is_empty() {
                        break;
                    }
                    continue;
                }
            };
            match names_of_added(&after, system, changes.removed, &added) {
                Some(names) => return Ok(Revision { text, names }),
                None => {
                    problem.get_or_insert("with the lemmas it would mean something else".to_owned());
                    break;
                }
            }
        }
    }
    Err(problem.unwrap_or_default())
}

/// Returns the names of the claims that were added to a system, if there are these and nothing else is different.
fn names_of_added(
    after: &System,
    before: &System,
    removed: &[usize],
    added: &[(String, String)],
) -> Option<Vec<String>> {
    let first = after.invariants.len().checked_sub(added.len())?;
    let names: Vec<String> = after.invariants.iter().skip(first).filter_map(|it| it.name.clone()).collect();
    // In an object, a name has that of the object before it.
    let is_it = |full: &String, name: &String| {
        full == name || full.strip_suffix(name.as_str()).is_some_and(|rest| rest.ends_with('.'))
    };
    let are_these =
        names.len() == added.len() && names.iter().zip(added).all(|(full, (name, _))| is_it(full, name));
    let mut meaning = formulas(after, &[]);
    meaning.truncate(meaning.len().saturating_sub(added.len()));
    (are_these && meaning == formulas(before, removed)).then_some(names)
}

/// Returns the text of the last claim of a text that stays.
fn anchor<'t>(text: &'t str, system: &System, removed: &[usize]) -> Option<&'t str> {
    let claims = system.invariants.iter().enumerate().filter(|(at, _)| !removed.contains(at));
    let last = claims.map(|(_, claim)| claim.span).max_by_key(|span| span.start)?;
    text.get(last.start as usize..last.end as usize)
}

/// Returns a text with claims below another one, which is this part of it.
fn inserted(text: &str, language: Language, anchor: &str, claims: &[(String, String)]) -> Option<String> {
    let start = text.rfind(anchor)?;
    let line = text[..start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let indent = &text[line..start];
    let indent = &indent[..indent.len() - indent.trim_start().len()];
    let (keyword, line_end) = (language.claim_keyword(text), line_end(text));
    let lines: String = claims
        .iter()
        .map(|(name, formula)| {
            format!("{line_end}{indent}{keyword} [{name}] {}", formula.replace('\n', line_end))
        })
        .collect();
    let end = start + anchor.len();
    Some(format!("{}{lines}{}", &text[..end], &text[end..]))
}

/// Returns the text of a model in which a claim has another formula and name. `system` is the meaning of the text, which
/// is the source `file`. `load` is as for [`add_claim`].
///
/// # Errors
/// Returns the reason why the claim cannot be replaced: the name is taken, the declaration is in another file or declares
/// several claims, or the text would have another meaning.
pub fn replace_claim(
    text: &str,
    file: FileId,
    system: &System,
    replacement: Replacement<'_>,
    load: &mut dyn FnMut(&str) -> Loaded,
) -> Result<String, String> {
    let Replacement { invariant, name, formula } = replacement;
    let claim = &system.invariants[invariant];
    if claim.span.file != file {
        return Err(format!("`{}` is declared in another file", claim.label));
    }
    if let Some(name) = name
        && system.invariants.iter().any(|it| it.label == name)
        && claim.label != name
    {
        return Err(format!("there is a claim `{name}` already"));
    }
    let (start, end) = (claim.span.start as usize, claim.span.end as usize);
    let declaration = text.get(start..end).unwrap_or_default();
    let keyword = declaration.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let rest = declaration[keyword.len()..].trim_start();
    let body = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, body)) => body.trim_start(),
        None => rest,
    };
    let header = name.or(claim.name.as_deref()).map_or(String::new(), |name| format!("[{name}] "));
    let mut changed = text.to_owned();
    changed.replace_range(start..end, &format!("{keyword} {header}{}", formula.unwrap_or(body)));
    let after = read(&changed, load).map_err(|reason| format!("it could not be read ({reason})"))?;
    let is_other = after.invariants.len() != system.invariants.len();
    if is_other || formulas(&after, &[invariant]) != formulas(system, &[invariant]) {
        return Err("with another formula something else would change its meaning".to_owned());
    }
    Ok(changed)
}

/// What becomes of a claim.
#[derive(Clone, Copy, Debug)]
pub struct Replacement<'a> {
    /// Index into [`System::invariants`].
    pub invariant: usize,
    /// Its new name, if it gets one.
    pub name: Option<&'a str>,
    /// Its new formula, if it gets one.
    pub formula: Option<&'a str>,
}

/// Returns the words of a text, in which its names are.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect()
}

/// Returns the first of the names `stem_1`, `stem_2`, .. that is free.
fn fresh(stem: &str, is_used: impl Fn(&str) -> bool) -> String {
    let mut names = (1..=u32::MAX).map(|number| format!("{stem}_{number}"));
    names.find(|name| !is_used(name)).unwrap_or_else(|| stem.to_owned())
}

/// Returns the text with claims, each a name with a formula, at its end.
fn appended(text: &str, language: Language, claims: &[(String, String)]) -> String {
    let keyword = language.claim_keyword(text);
    let line_end = line_end(text);
    let line = |(name, formula): &(String, String)| {
        format!("{keyword} [{name}] {}{line_end}", formula.replace('\n', line_end))
    };
    let lines: String = claims.iter().map(line).collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let end = if text.ends_with(['\n', '\r']) { "" } else { line_end };
    // Claims that follow claims need no blank line between them.
    let last = text.trim_end().rsplit(['\n', '\r']).next().unwrap_or_default();
    let is_claim = last.starts_with(&format!("{keyword} "));
    let gap = if is_claim { "" } else { line_end };
    format!("{text}{end}{gap}{lines}")
}

/// Returns how the first line of a text ends.
fn line_end(text: &str) -> &'static str {
    match text.find(['\n', '\r']).map(|at| &text[at..]) {
        Some(rest) if rest.starts_with("\r\n") => "\r\n",
        Some(rest) if rest.starts_with('\r') => "\r",
        _ => "\n",
    }
}

/// Returns the text without the declarations of some claims. With `keep_names`, those that have a name which occurs
/// elsewhere in the text become definitions.
fn without(text: &str, language: Language, system: &System, removed: &[usize], keep_names: bool) -> String {
    let declaration = |&at: &usize| {
        let claim = system.invariants.get(at)?;
        Some((claim.span.start as usize, claim.span.end as usize, claim.name.as_deref()))
    };
    let mut declarations: Vec<(usize, usize, Option<&str>)> =
        removed.iter().filter_map(declaration).collect();
    // A module that is used several times declares several claims in one place.
    declarations.sort_unstable();
    declarations.dedup_by_key(|(start, ..)| *start);
    let mut out = String::new();
    let mut done = 0;
    for (start, end, name) in declarations {
        let (Some(before), Some(declared)) = (text.get(done..start), text.get(start..end)) else { continue };
        let rest = &text[end..];
        out.push_str(before);
        done = end;
        let is_used = |name: &str| words(&text[..start]).contains(name) || words(rest).contains(name);
        let header = declared.split_once(']').and_then(|(header, formula)| {
            let (_, declared_name) = header.split_once('[')?;
            Some((declared_name.trim(), formula.trim_start()))
        });
        if let Some((declared_name, formula)) = header.filter(|_| keep_names)
            // In a module the two names may differ.
            && (is_used(declared_name) || name.is_some_and(is_used))
        {
            out.push_str(&definition(language, declared_name, formula));
            continue;
        }
        // A line with nothing else on it goes as a whole.
        let indentation = out.trim_end_matches([' ', '\t']).len();
        let is_first = indentation == 0 || out[..indentation].ends_with(['\n', '\r']);
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let line_end = ["\r\n", "\n", "\r"].into_iter().find(|it| rest[blank..].starts_with(it));
        if let Some(line_end) = line_end.filter(|_| is_first) {
            out.truncate(indentation);
            done = end + blank + line_end.len();
        }
    }
    out + &text[done..]
}

/// Returns the definition of a formula.
fn definition(language: Language, name: &str, formula: &str) -> String {
    match language {
        Language::Pyv => format!("definition {name}() = {formula}"),
        Language::Rml => format!("macro {name} = {formula}"),
        Language::Ivy => format!("definition {name} = {formula}"),
        // A closed form has no definitions, and is not read with one.
        Language::Core => formula.to_owned(),
    }
}

/// Returns the meaning of a text, or the first error in it.
fn read(text: &str, load: &mut dyn FnMut(&str) -> Loaded) -> Result<Arc<System>, String> {
    let (after, diagnostics) = load(text);
    after.ok_or_else(|| {
        let error = diagnostics.into_iter().find(|it| it.severity == Severity::Error);
        error.map_or_else(|| "an error".to_owned(), |it| it.message)
    })
}

/// Returns the formulas of a system as text, without those of some invariants. Invariants are last.
fn formulas(system: &System, removed: &[usize]) -> Vec<String> {
    let text = |formula: TermId| Pretty::new(system.syntax(), formula).to_string();
    let mut formulas: Vec<String> = Vec::new();
    formulas.extend(system.axioms.iter().map(|it| text(it.formula)));
    formulas.extend(system.derived.iter().map(|it| text(it.axiom)));
    formulas.extend(system.inits.iter().map(|it| text(it.formula)));
    formulas.extend(system.transitions.iter().map(|it| format!("{}: {}", it.name, text(it.body))));
    formulas.extend(system.assertions.iter().map(|it| text(it.formula)));
    formulas.extend(system.theorems.iter().map(|it| text(it.formula)));
    let kept = system.invariants.iter().enumerate().filter(|(at, _)| !removed.contains(at)).map(|(_, it)| it);
    // Labels of invariants without a name depend on lines.
    let name = |it: &Invariant| it.name.clone().unwrap_or_default();
    formulas.extend(kept.map(|it| format!("{}: {}", name(it), text(it.formula))));
    formulas
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::base::span::{Source, Sources};
    use ramsey_lang::{Includes, load};

    fn loaded(language: Language, text: &str) -> Loaded {
        let mut sources = Sources::new();
        let file = sources.push(Source::new(format!("model.{}", language.extension()), text.to_owned()));
        let (system, found) = load(language, file, &sources, &Includes::new());
        (system.map(Arc::new), found)
    }

    /// Revises a text that has no error.
    fn revised(
        language: Language,
        text: &str,
        removed: &[usize],
        added: &[(Option<&str>, &str)],
    ) -> Result<Revision, String> {
        let (system, diagnostics) = loaded(language, text);
        let system = system.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let added: Vec<(Option<String>, String)> =
            added.iter().map(|(name, formula)| (name.map(str::to_owned), (*formula).to_owned())).collect();
        let changes = Changes { removed, added: &added };
        revise(text, language, &system, changes, &mut |text| loaded(language, text))
    }

    const HEAD: &str = "sort s\nmutable relation r(s)\nmutable relation q(s)\ninit r(X) & q(X)\n";

    #[test]
    fn claims_are_replaced_and_all_else_stays() {
        let text =
            format!("{HEAD}# One.\ninvariant [a] r(X)\r\n  invariant\n    q(X)\n# Two.\nsafety r(X) # why\n");
        let revision =
            revised(Language::Pyv, &text, &[0, 1], &[(None, "forall X:s. r(X) & q(X)"), (Some("a"), "q(X)")]);
        let revision = revision.expect("a revision");
        let wanted = "# One.\n# Two.\nsafety r(X) # why\n\ninvariant [lemma_1] forall X:s. r(X) & q(X)\ninvariant [lemma_2] q(X)\n";
        assert_eq!(revision.text, format!("{HEAD}{wanted}"));
        assert_eq!(revision.names, ["lemma_1", "lemma_2"], "`a` is a name of the text");
        let kept = revised(Language::Pyv, &text, &[], &[(Some("b"), "r(X)")]).expect("a revision");
        assert_eq!(kept.text, format!("{text}\ninvariant [b] r(X)\n"));
        let same = revised(Language::Pyv, &text, &[], &[]).expect("a revision");
        assert_eq!(same.text, text);
    }

    #[test]
    fn what_is_added_has_the_line_ends_of_the_text() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("{HEAD}safety r(X)\ninvariant\n  q(X)\n").replace('\n', end);
            let revision = revised(Language::Pyv, &text, &[], &[(Some("b"), "r(X)")]).expect("a revision");
            let lines = format!("{end}invariant [b] r(X){end}");
            assert_eq!(revision.text, format!("{text}{lines}"));
            assert_eq!(commented(&format!("a{end}b{end}")), format!("a{end}# b{end}# "));
        }
    }

    #[test]
    fn a_claim_is_added_once() {
        let text = format!("{HEAD}safety r(X)\ninvariant [both] forall A:s, B:s. r(A) -> q(B)\n");
        let (system, _) = loaded(Language::Pyv, &text);
        let system = system.expect("a model");
        let add = |formula: &str| {
            let mut load = |text: &str| loaded(Language::Pyv, text);
            add_claim(&text, Language::Pyv, &system, formula, None, &mut load).expect("an addition")
        };
        let known = add("forall X:s, Y:s. r(X) -> q(Y)");
        assert!(known.is_known && known.name == "both" && known.text == text);
        let other = add("forall X:s, Y:s. r(Y) -> q(X)");
        assert!(!other.is_known && other.name == "conjecture_1" && other.text != text);
    }

    #[test]
    fn a_claim_is_added_about_a_type_of_an_object() {
        let text = "#lang ivy1.7\nobject a = { type t relation p(X:t) }\nrelation t(X:a.t)\n\
                    after init { a.p(X) := true; t(X) := true }\ninvariant [all] a.p(X)\n";
        let (system, found) = loaded(Language::Ivy, text);
        let system = system.unwrap_or_else(|| panic!("{found:#?}"));
        let add = |formula: &str| {
            let mut load = |text: &str| loaded(Language::Ivy, text);
            add_claim(text, Language::Ivy, &system, formula, None, &mut load).expect("an addition")
        };
        assert!(add("forall X. a.p(X:a.t)").is_known);
        // The type stands where the variable occurs: at the quantifier, its dot would end the variables.
        for formula in ["forall X. t(X:a.t) | a.p(X)", "exists X. t(X:a.t)"] {
            let other = add(formula);
            assert!(!other.is_known, "{formula}");
            let (meant, found) = loaded(Language::Ivy, &other.text);
            let meant = meant.unwrap_or_else(|| panic!("{found:#?}"));
            assert_eq!(meant.invariants.len(), 2, "{}", other.text);
            assert!(other.text.contains("a.t"), "{}", other.text);
        }
    }

    #[test]
    fn claims_that_are_used_become_definitions() {
        let text =
            format!("{HEAD}invariant [a] r(X)\ninvariant [b] q(X)\nsafety [c] a -> b\ntheorem [d] b -> c\n");
        let revision = revised(Language::Pyv, &text, &[0, 1], &[]).expect("a revision");
        let wanted = "definition a() = r(X)\ndefinition b() = q(X)\nsafety [c] a -> b\ntheorem [d] b -> c\n";
        assert_eq!(revision.text, format!("{HEAD}{wanted}"));
        let program =
            "sort s\nrelation r: s\nassume r(X)\nwhile * { skip }\nconjecture [a] r(X)\nsafety [b] a -> a\n";
        let revision = revised(Language::Rml, program, &[0], &[(None, "r(X)")]).expect("a revision");
        let wanted = program.replace("conjecture [a]", "macro a =") + "\nconjecture [lemma_1] r(X)\n";
        assert_eq!(revision.text, wanted);
    }

    #[test]
    fn a_module_that_is_used_twice_has_one_declaration() {
        let module = "module m(p) {\n  conjecture [a] p(X)\n}\nuse m(r) as x\nuse m(q) as y\n";
        let head =
            "sort s\nrelation r: s\nrelation q: s\nassume r(X) & q(X)\nwhile * { skip }\nsafety r(X)\n";
        let text = format!("{head}{module}");
        let revision = revised(Language::Rml, &text, &[1, 2], &[]).expect("a revision");
        assert_eq!(revision.text, text.replace("  conjecture [a] p(X)\n", ""));
        let reason = revised(Language::Rml, &text, &[1], &[]).expect_err("the other one would go too");
        assert!(reason.contains("something else"), "{reason}");
    }

    #[test]
    fn a_formula_with_an_error_is_no_claim() {
        let reason = revised(Language::Pyv, &format!("{HEAD}safety r(X)\n"), &[], &[(None, "p(X)")]);
        assert!(reason.is_err_and(|it| it.contains("`p` is not declared")));
    }
}
