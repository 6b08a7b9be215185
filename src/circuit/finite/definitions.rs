//! Derived relations that their axioms define.

use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, SymId, Syntax, TermId, VarId};
use ramsey_core::system::System;

/// A definition `symbol(vars) := value`.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// The symbol.
    pub(super) sym: SymId,
    /// One variable per argument.
    pub(super) vars: Vec<VarId>,
    /// The value, over step 0.
    pub(super) value: TermId,
}

/// Definitions, each after those that it uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    list: Vec<Definition>,
    by_symbol: Map<SymId, usize>,
    /// The derived axioms that are definitions, as indices into [`System::derived`].
    used: Vec<usize>,
}

impl Definitions {
    /// Reads the axioms of derived relations. A relation whose axiom has another form, or that is defined by itself, has
    /// no definition.
    pub(super) fn new(system: &System) -> Definitions {
        let mut definitions = Definitions::default();
        let mut open: Vec<(usize, Definition)> = Vec::new();
        for (index, derived) in system.derived.iter().enumerate() {
            if let Some(sym) = derived.sym
                && let Some(definition) = definition(system.syntax(), sym, derived.axiom)
                && open.iter().all(|(_, other)| other.sym != sym)
            {
                open.push((index, definition));
            }
        }
        loop {
            let symbols = |term: TermId| system.terms.symbols(term);
            let is_open = |sym: SymId, open: &[(usize, Definition)]| open.iter().any(|(_, it)| it.sym == sym);
            let ready =
                open.iter().position(|(_, it)| !symbols(it.value).iter().any(|&sym| is_open(sym, &open)));
            let Some(ready) = ready else { return definitions };
            let (index, definition) = open.remove(ready);
            definitions.by_symbol.insert(definition.sym, definitions.list.len());
            definitions.list.push(definition);
            definitions.used.push(index);
        }
    }

    /// Returns the definition of a symbol.
    pub(super) fn get(&self, sym: SymId) -> Option<&Definition> {
        self.list.get(*self.by_symbol.get(&sym)?)
    }

    /// Iterates over all definitions, each after those that it uses.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Definition> {
        self.list.iter()
    }

    /// Returns whether an axiom of [`System::derived`] is a definition.
    pub(super) fn is_definition(&self, derived: usize) -> bool {
        self.used.contains(&derived)
    }
}

/// Reads `forall X. symbol(X) <-> value`, with the sides in either order.
fn definition(syntax: Syntax<'_>, sym: SymId, axiom: TermId) -> Option<Definition> {
    let terms = syntax.terms;
    let (bound, body) = match terms.node(axiom) {
        Node::Forall(vars, body) => (terms.bound_vars(vars).collect::<Vec<_>>(), body),
        _ => (Vec::new(), axiom),
    };
    let (Node::Iff(a, b) | Node::Eq(a, b)) = terms.node(body) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(head, value)| {
        let Node::App { sym: of, step: 0, args } = terms.node(head) else { return None };
        let mut vars = Vec::new();
        for &arg in terms.args(args) {
            let var = terms.as_var(arg)?;
            if vars.contains(&var) || !bound.contains(&var) {
                return None;
            }
            vars.push(var);
        }
        let is_right = of == sym && vars.len() == bound.len() && !terms.symbols(value).contains(&sym);
        is_right.then_some(Definition { sym, vars, value })
    })
}
