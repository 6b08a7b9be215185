//! Selection of facts of a state by text, for the upper bound of a generalization or for a diagram.

use ramsey_core::diag::{Code, Diagnostic, nearest};
use ramsey_core::logic::{Elem, Evaluator, Signature, SortId, Structure, SymId, element_name};
use ramsey_core::system::System;
use ramsey_engine::query::dead_variables;
use ramsey_solver::formulas::{ElementNames, Fact, Partial, fact_text};

/// Returns the generic names of elements, independent of printers and constants.
fn plain_names(sig: &Signature, names: &ElementNames) -> ElementNames {
    let of_sort = |(sort, of_sort): (SortId, &Vec<String>)| -> Vec<String> {
        (0..of_sort.len() as Elem).map(|elem| element_name(sig, sort, elem)).collect()
    };
    names.iter_enumerated().map(of_sort).collect()
}

/// A selection criterion for facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selector {
    /// `sort:S`
    Sort(SortId),
    /// `node0`
    Element(SortId, Elem),
    /// `pnd`
    Symbol(SymId),
    /// `+pnd`, `-pnd`
    Polarity(SymId, bool),
    /// `!pnd(id0,node1)`
    Fact(Fact),
}

impl Selector {
    /// Parses a selector of facts of a state, all of which are in `all`.
    ///
    /// # Errors
    /// Returns an error if the selector names something that the state does not have.
    pub fn parse(
        text: &str,
        sig: &Signature,
        names: &ElementNames,
        all: &Partial,
    ) -> Result<Selector, Box<Diagnostic>> {
        let text = text.trim();
        let error = |what: String| Box::new(Diagnostic::error_nowhere(Code::Usage, what));
        let sort_names = || sig.uninterpreted_sorts().map(|sort| sig.sorts[sort].name.as_str());
        if let Some(name) = text.strip_prefix("sort:") {
            let name = name.trim();
            let found = sig.uninterpreted_sorts().find(|&sort| sig.sorts[sort].name == name);
            return found.map(Selector::Sort).ok_or_else(|| {
                Box::new(suggest(*error(format!("there is no sort `{name}`")), name, sort_names()))
            });
        }
        if text.contains(['(', '=', '!']) {
            return Self::fact(text, sig, names, all);
        }
        let mut symbols: Vec<SymId> = all.facts.iter().filter_map(Fact::symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let symbol = |name: &str| symbols.iter().copied().find(|&sym| sig.symbols[sym].name == name);
        let known = || symbols.iter().map(|&sym| sig.symbols[sym].name.as_str());
        for (sign, positive) in [('+', true), ('-', false)] {
            if let Some(name) = text.strip_prefix(sign) {
                let name = name.trim();
                return symbol(name).map(|sym| Selector::Polarity(sym, positive)).ok_or_else(|| {
                    let what = format!("there is no relation or function `{name}`");
                    Box::new(suggest(*error(what), name, known()))
                });
            }
        }
        // Displayed names take precedence: generic names may coincide with those of other elements.
        let plain = plain_names(sig, names);
        let element = [names, &plain].into_iter().find_map(|names| {
            names.iter_enumerated().find_map(|(sort, of_sort)| {
                of_sort.iter().position(|name| name == text).map(|elem| Selector::Element(sort, elem as Elem))
            })
        });
        match (symbol(text), element) {
            // The facts about an element with the name of a constant include the facts about the constant.
            (Some(sym), Some(element)) if sig.symbols[sym].args.is_empty() => return Ok(element),
            (Some(sym), _) => return Ok(Selector::Symbol(sym)),
            (None, Some(element)) => return Ok(element),
            (None, None) => {}
        }
        let elements = names.iter().flatten().map(String::as_str);
        let what = format!("`{text}` is neither a symbol of the model nor an element of the state");
        Err(Box::new(suggest(*error(what), text, known().chain(elements))))
    }

    fn fact(
        text: &str,
        sig: &Signature,
        names: &ElementNames,
        all: &Partial,
    ) -> Result<Selector, Box<Diagnostic>> {
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        let wanted = plain(text);
        let texts = |names: &ElementNames| -> Vec<String> {
            all.facts.iter().map(|fact| plain(&fact_text(sig, names, fact))).collect()
        };
        let (plainly, texts) = (texts(&plain_names(sig, names)), texts(names));
        let mirrored = wanted.split_once("!=").map(|(a, b)| format!("{b}!={a}"));
        for texts in [&texts, &plainly] {
            let is_it = |text: &String| *text == wanted || mirrored.as_ref() == Some(text);
            if let Some(at) = texts.iter().position(is_it) {
                return Ok(Selector::Fact(all.facts[at].clone()));
            }
        }
        let error = Diagnostic::error_nowhere(Code::Usage, format!("`{text}` is no fact of the state"));
        let opposite = wanted.strip_prefix('!').map_or_else(|| format!("!{wanted}"), str::to_owned);
        Err(Box::new(if texts.contains(&opposite) {
            error.help(format!("the state has `{opposite}`"))
        } else {
            suggest(error, &wanted, texts.iter().map(String::as_str))
        }))
    }

    /// Checks whether the selector matches the fact.
    fn matches(&self, sig: &Signature, fact: &Fact) -> bool {
        match self {
            Selector::Sort(sort) => fact.elements(sig).iter().any(|(other, _)| other == sort),
            Selector::Element(sort, elem) => fact.elements(sig).contains(&(*sort, *elem)),
            Selector::Symbol(sym) => fact.symbol() == Some(*sym),
            Selector::Polarity(sym, positive) => {
                fact.symbol() == Some(*sym) && fact.is_positive() == *positive
            }
            Selector::Fact(named) => named == fact,
        }
    }
}

fn suggest<'a>(error: Diagnostic, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    match nearest(name, known) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// Restriction of the facts of a state that take part in a generalization.
#[derive(Clone, Debug, Default)]
pub struct Restriction {
    /// Named elements exclude the others of their sorts; named sorts exclude the elements of all other sorts without a
    /// named element; named symbols and facts exclude the facts that do not match them.
    pub only: Vec<Selector>,
    /// Facts that match one of these are dropped.
    pub drop: Vec<Selector>,
    /// Facts that match one of these are kept, in the upper bound and in its generalization. Takes precedence over the
    /// others.
    pub keep: Vec<Selector>,
}

impl Restriction {
    /// Returns the facts of `all` that remain: the upper bound of a generalization.
    pub fn apply(&self, sig: &Signature, all: &Partial) -> Partial {
        let remains = |fact: &Fact| {
            let any = |list: &[Selector]| list.iter().any(|selector| selector.matches(sig, fact));
            any(&self.keep) || (self.is_wanted(sig, fact) && !any(&self.drop))
        };
        let facts = all.facts.iter().filter(|fact| remains(fact)).cloned().collect();
        let reduced = Partial { facts }.without_implied().without_strays(sig);
        // Facts that are named individually are kept even if they are redundant.
        let is_named = |fact: &Fact| {
            self.keep.iter().any(|selector| matches!(selector, Selector::Fact(named) if named == fact))
        };
        let mut rest = reduced.facts.iter().peekable();
        let stays = |fact: &&Fact| rest.next_if_eq(fact).is_some() || is_named(fact);
        Partial { facts: all.facts.iter().filter(stays).cloned().collect() }
    }

    /// Returns the indices of the facts of an upper bound that [`Self::keep`] matches.
    pub fn kept(&self, sig: &Signature, upper: &Partial) -> Vec<usize> {
        let is_kept = |fact: &Fact| self.keep.iter().any(|selector| selector.matches(sig, fact));
        (0..upper.facts.len()).filter(|&at| is_kept(&upper.facts[at])).collect()
    }

    fn is_wanted(&self, sig: &Signature, fact: &Fact) -> bool {
        let names_domain = |it: &&Selector| matches!(it, Selector::Sort(_) | Selector::Element(..));
        let (domain, facts): (Vec<&Selector>, Vec<&Selector>) = self.only.iter().partition(names_domain);
        let any_sort = domain.iter().any(|it| matches!(it, Selector::Sort(_)));
        let in_domain = |&(sort, elem): &(SortId, Elem)| {
            let of_sort = domain.iter().any(|it| matches!(it, Selector::Element(other, _) if *other == sort));
            let is_named = domain.iter().any(|it| match it {
                Selector::Sort(other) => *other == sort,
                Selector::Element(other, named) => (*other, *named) == (sort, elem),
                _ => false,
            });
            is_named || !(any_sort || of_sort)
        };
        let is_said = facts.is_empty()
            || fact.symbol().is_none()
            || facts.iter().any(|selector| selector.matches(sig, fact));
        is_said && fact.elements(sig).iter().all(in_domain)
    }
}

/// A selection as entered: one text per item.
#[derive(Clone, Debug, Default)]
pub struct Items {
    /// Items of [`Restriction::only`].
    pub only: Vec<String>,
    /// Items of [`Restriction::drop`].
    pub drop: Vec<String>,
    /// Items of [`Restriction::keep`].
    pub keep: Vec<String>,
}

/// Selected facts of a state.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The facts.
    pub upper: Partial,
    /// Indices of the facts that must be kept in every further step.
    pub kept: Vec<usize>,
}

/// Selects facts of the state with index `state` of a structure with the given names of elements. Facts about symbols
/// that no formula of the system reads are dropped, unless the selection names them. `option` gives the command-line
/// option of each list of items, for messages, in the order of [`Items`].
///
/// # Errors
/// Returns errors if the state does not exist, violates the axioms or has too many facts, and for items that match
/// nothing in it.
pub fn select(
    system: &System,
    structure: &Structure,
    names: &ElementNames,
    state: usize,
    items: &Items,
    options: [&str; 3],
) -> Result<Selection, Vec<Diagnostic>> {
    let usage = |what: String| vec![Diagnostic::error_nowhere(Code::Usage, what)];
    let count = structure.states();
    if state >= count {
        return Err(usage(format!("--state: there is no state {state}, only 0 to {}", count - 1)));
    }
    let here = structure.state(&system.sig, state);
    let mut eval = Evaluator::new(system.syntax(), &here);
    if let Some(axiom) = system.axioms.iter().find(|axiom| !eval.holds(axiom.formula)) {
        let what = "the state does not fit the model: it does not satisfy this axiom";
        return Err(vec![Diagnostic::error(Code::Usage, axiom.span, what).label("false in the state")]);
    }
    let all = Partial::of_state(&system.sig, structure, state)
        .map_err(|count| usage(format!("the state has {count} facts, which is too many")))?;
    let mut errors = Vec::new();
    let mut read = |option: &str, items: &[String]| -> Vec<Selector> {
        let mut selectors = Vec::new();
        for item in items {
            match Selector::parse(item, &system.sig, names, &all) {
                Ok(selector) => selectors.push(selector),
                Err(mut error) => {
                    error.message = format!("{option}: {}", error.message);
                    errors.push(*error);
                }
            }
        }
        selectors
    };
    let mut restriction = Restriction {
        only: read(options[0], &items.only),
        drop: read(options[1], &items.drop),
        keep: read(options[2], &items.keep),
    };
    if !errors.is_empty() {
        return Err(errors);
    }
    let of_symbol = |selector: &Selector, sym| match selector {
        Selector::Symbol(named) | Selector::Polarity(named, _) => *named == sym,
        Selector::Fact(fact) => fact.symbol() == Some(sym),
        Selector::Sort(_) | Selector::Element(..) => false,
    };
    for sym in dead_variables(system) {
        if !restriction.only.iter().any(|selector| of_symbol(selector, sym)) {
            restriction.drop.push(Selector::Symbol(sym));
        }
    }
    let upper = restriction.apply(&system.sig, &all);
    let kept = restriction.kept(&system.sig, &upper);
    Ok(Selection { upper, kept })
}
