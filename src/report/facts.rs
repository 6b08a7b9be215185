//! Facts of partial structures as text, and the choice among them by text: the upper bound of a generalization.

use crate::base::ids::IdVec;
use crate::diag::{Code, Diagnostic, nearest};
use crate::forms::{Fact, Partial};
use crate::logic::{Elem, Signature, SortId, SymId, element_name};

/// Names of the elements by sort and number.
pub type ElementNames = IdVec<SortId, Vec<String>>;

/// Cuts at commas that are not in parentheses, brackets or braces, which names of elements may have.
pub fn split_at_commas(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let parts = text.split(move |c: char| {
        depth = depth.saturating_add(i32::from("([{".contains(c)) - i32::from(")]}".contains(c)));
        c == ',' && depth <= 0
    });
    parts.map(str::trim).collect()
}

/// A fact as text: `le(id0,id1)`, `!pnd(id0,node1)`, `idn(node0) = id0`, `node0 != node1`.
pub fn fact_text(sig: &Signature, names: &ElementNames, fact: &Fact) -> String {
    let name = |(sort, elem): (SortId, Elem)| -> String {
        names.get(sort).and_then(|of_sort| of_sort.get(elem as usize)).map_or("?", String::as_str).to_owned()
    };
    let elements: Vec<String> = fact.elements(sig).into_iter().map(name).collect();
    let applied = |sym: SymId, args: &[String]| match args {
        [] => sig.symbols[sym].name.clone(),
        _ => format!("{}({})", sig.symbols[sym].name, args.join(",")),
    };
    match fact {
        Fact::Relation { sym, positive, .. } => {
            format!("{}{}", if *positive { "" } else { "!" }, applied(*sym, &elements))
        }
        Fact::Value { sym, args, positive, .. } => {
            let equals = if *positive { "=" } else { "!=" };
            format!("{} {equals} {}", applied(*sym, &elements[..args.len()]), elements[args.len()])
        }
        Fact::Distinct { .. } => format!("{} != {}", elements[0], elements[1]),
    }
}

/// The names that elements have without printers and constants.
fn plain_names(sig: &Signature, names: &ElementNames) -> ElementNames {
    let of_sort = |(sort, of_sort): (SortId, &Vec<String>)| -> Vec<String> {
        (0..of_sort.len() as Elem).map(|elem| element_name(sig, sort, elem)).collect()
    };
    names.iter_enumerated().map(of_sort).collect()
}

/// What a choice names.
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
    /// Reads a selector of facts of a state, `all` of them.
    ///
    /// # Errors
    /// What the state does not have.
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
        // What is shown counts first: plain names may be those of other elements.
        let plain = plain_names(sig, names);
        let element = [names, &plain].into_iter().find_map(|names| {
            names.iter_enumerated().find_map(|(sort, of_sort)| {
                of_sort.iter().position(|name| name == text).map(|elem| Selector::Element(sort, elem as Elem))
            })
        });
        match (symbol(text), element) {
            // What is said of an element that is called like a constant includes what is said of the constant.
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

    /// Whether the fact is among those that are named.
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

/// Which facts of a state may take part in a generalization.
#[derive(Clone, Debug, Default)]
pub struct Restriction {
    /// Where it names elements, others of their sorts go; where it names sorts, elements of all other sorts that it names
    /// no element of go; where it names symbols or facts, what others say goes.
    pub only: Vec<Selector>,
    /// What matches one of these goes.
    pub drop: Vec<Selector>,
    /// But what matches one of these stays, in the upper bound and in what it is generalized to.
    pub keep: Vec<Selector>,
}

impl Restriction {
    /// The facts of `all` that remain: the upper bound of a generalization.
    pub fn apply(&self, sig: &Signature, all: &Partial) -> Partial {
        let remains = |fact: &Fact| {
            let any = |list: &[Selector]| list.iter().any(|selector| selector.matches(sig, fact));
            any(&self.keep) || (self.is_wanted(sig, fact) && !any(&self.drop))
        };
        let facts = all.facts.iter().filter(|fact| remains(fact)).cloned().collect();
        let reduced = Partial { facts }.without_implied().without_strays(sig);
        // Facts that are named one by one stay even if they say nothing.
        let is_named = |fact: &Fact| {
            self.keep.iter().any(|selector| matches!(selector, Selector::Fact(named) if named == fact))
        };
        let mut rest = reduced.facts.iter().peekable();
        let stays = |fact: &&Fact| rest.next_if_eq(fact).is_some() || is_named(fact);
        Partial { facts: all.facts.iter().filter(stays).cloned().collect() }
    }

    /// The places of the facts of an upper bound that [`Self::keep`] names.
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
