//! Validity of equality lemmas, by congruence closure over their terms.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SymId, TermId, Terms};

/// Checks whether atoms with these truth values (`true`: the atom holds) contradict each other by the laws of equality.
pub(super) fn contradicts(terms: &Terms, atoms: &[(TermId, bool)]) -> Result<bool, String> {
    let mut closure = Closure::over(terms, atoms)?;
    let mut different = Vec::new();
    for &(atom, holds) in atoms {
        match (terms.node(atom), holds) {
            (Node::Eq(a, b), true) => closure.merge(closure.place[&a], closure.place[&b]),
            (Node::Eq(a, b), false) => different.push((closure.place[&a], closure.place[&b])),
            // A relation atom is a term whose value is one of two constants.
            (_, true) => closure.merge(closure.place[&atom], Closure::TRUE),
            (_, false) => closure.merge(closure.place[&atom], Closure::FALSE),
        }
    }
    different.push((Closure::TRUE, Closure::FALSE));
    Ok(different.into_iter().any(|(a, b)| closure.find(a) == closure.find(b)))
}

/// The head of an application and the classes of its arguments.
type Shape = (SymId, u16, Vec<usize>);

struct Closure {
    /// By term of the lemma, its index in the vectors below.
    place: Map<TermId, usize>,
    /// By index, the application; `None` for the truth values.
    shapes: Vec<Option<Shape>>,
    /// Union-find forest.
    above: Vec<usize>,
    /// By root: the applications that have an argument in its class.
    users: Vec<Vec<usize>>,
    /// One application for each shape over roots.
    table: Map<Shape, usize>,
}

impl Closure {
    const TRUE: usize = 0;
    const FALSE: usize = 1;

    fn over(terms: &Terms, atoms: &[(TermId, bool)]) -> Result<Closure, String> {
        let mut found: Set<TermId> = Set::default();
        let mut order = Vec::new();
        let mut stack = Vec::new();
        for &(atom, _) in atoms {
            match terms.node(atom) {
                Node::Eq(a, b) => stack.extend([a, b]),
                Node::App { .. } => stack.push(atom),
                _ => return Err("an equality lemma is about atoms only".into()),
            }
        }
        while let Some(term) = stack.pop() {
            if !matches!(terms.node(term), Node::App { .. }) {
                return Err("an equality lemma is about ground terms only".into());
            }
            if found.insert(term) {
                order.push(term);
                stack.extend(terms.children(term));
            }
        }
        // The id of a term is larger than those of its arguments.
        order.sort_unstable();
        let mut closure = Closure {
            place: Map::default(),
            shapes: vec![None; 2],
            above: vec![Self::TRUE, Self::FALSE],
            users: vec![Vec::new(); 2],
            table: Map::default(),
        };
        for term in order {
            let Node::App { sym, step, args } = terms.node(term) else { continue };
            let args: Vec<usize> = terms.args(args).iter().map(|arg| closure.place[arg]).collect();
            let place = closure.shapes.len();
            for &arg in &args {
                closure.users[arg].push(place);
            }
            closure.place.insert(term, place);
            closure.above.push(place);
            closure.users.push(Vec::new());
            closure.table.insert((sym, step, args.clone()), place);
            closure.shapes.push(Some((sym, step, args)));
        }
        Ok(closure)
    }

    fn find(&mut self, mut place: usize) -> usize {
        while self.above[place] != place {
            self.above[place] = self.above[self.above[place]];
            place = self.above[place];
        }
        place
    }

    fn merge(&mut self, a: usize, b: usize) {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let (small, large) = if self.users[a].len() < self.users[b].len() { (a, b) } else { (b, a) };
            self.above[small] = large;
            // The shapes of these have changed; applications that are now equal are merged next.
            for user in std::mem::take(&mut self.users[small]) {
                if let Some((sym, step, args)) = self.shapes[user].clone() {
                    let args = args.into_iter().map(|arg| self.find(arg)).collect();
                    let other = *self.table.entry((sym, step, args)).or_insert(user);
                    pending.push((user, other));
                }
                self.users[large].push(user);
            }
        }
    }
}
