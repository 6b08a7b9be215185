//! Executions with all that they depend on, as data that gives them back unchanged, however elements are called.

use serde::{Deserialize, Serialize};

use super::task::{Execution, Size, SymbolValues, TaskCall};
use ramsey_core::logic::{Elem, Interpretation, SortId, Structure, Symbol};
use ramsey_core::system::{MAX_STEPS, System};
use ramsey_engine::query::Call;

/// Maximum number of elements of a sort.
const MAX_SIZE: u32 = 1_000;

/// The values of a symbol in a state: a default value and the exceptions.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Values {
    /// The value at all other arguments; 0 and 1 are false and true.
    pub default: u32,
    /// Values at other arguments.
    pub except: Vec<ValueAt>,
}

/// A value at arguments.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ValueAt {
    /// The arguments: numbers of elements.
    pub args: Vec<u32>,
    /// The value.
    pub value: u32,
}

impl Execution {
    /// Returns an execution over the signature of `system` as data.
    pub fn new(system: &System, structure: &Structure, calls: &[Call]) -> Execution {
        let sig = &system.sig;
        let size = |(sort, size): (SortId, &u32)| Size { sort: sig.sorts[sort].name.clone(), size: *size };
        let values = |it: &Interpretation| {
            let except = it.entries.iter().filter(|(_, value)| **value != it.default);
            let except = except.map(|(args, &value)| ValueAt { args: args.to_vec(), value }).collect();
            Values { default: it.default, except }
        };
        let symbols = sig.symbols.iter_enumerated().map(|(sym, symbol)| {
            let states = if symbol.kind.is_mutable() { structure.states() } else { 1 };
            let states = (0..states).map(|at| values(structure.interpretation(sig, sym, at))).collect();
            SymbolValues { symbol: symbol.name.clone(), states }
        });
        let call = |call: &Call| TaskCall {
            transition: system.transitions[call.transition].name.clone(),
            args: call.args.clone(),
        };
        Execution {
            sizes: structure.sizes.iter_enumerated().map(size).collect(),
            symbols: symbols.collect(),
            calls: calls.iter().map(call).collect(),
        }
    }

    /// Returns the states and the calls between them, over the signature of `system`. Whether they are an execution is for
    /// [`confirm`](ramsey_engine::query::confirm) to say.
    ///
    /// # Errors
    /// Returns what does not fit the signature.
    pub fn read(&self, system: &System) -> Result<(Structure, Vec<Call>), String> {
        let sig = &system.sig;
        if self.calls.len() > usize::from(MAX_STEPS) {
            return Err("the execution is too long".to_owned());
        }
        let states = self.calls.len() + 1;
        let mut structure = Structure::new(sig, states);
        if self.sizes.len() != sig.sorts.len() || self.symbols.len() != sig.symbols.len() {
            return Err("the execution has other sorts or symbols than the model".to_owned());
        }
        for ((sort, it), size) in sig.sorts.iter_enumerated().zip(&self.sizes) {
            let allowed = if sort == SortId::BOOL { 2..=2 } else { 1..=MAX_SIZE };
            if size.sort != it.name || !allowed.contains(&size.size) {
                return Err(format!("the size of `{}` is none", size.sort));
            }
            structure.sizes[sort] = size.size;
        }
        for ((sym, symbol), given) in sig.symbols.iter_enumerated().zip(&self.symbols) {
            let count = if symbol.kind.is_mutable() { states } else { 1 };
            if given.symbol != symbol.name || given.states.len() != count {
                return Err(format!("the values of `{}` are none", given.symbol));
            }
            for (at, values) in given.states.iter().enumerate() {
                let meaning = interpretation(symbol, values, &structure)
                    .ok_or_else(|| format!("the values of `{}` are none", symbol.name))?;
                *structure.interpretation_mut(sig, sym, at) = meaning;
            }
        }
        let call = |call: &TaskCall| {
            let transition = system.transitions.iter().position(|it| it.name == call.transition)?;
            let params = &system.transitions[transition].params;
            let sort = |param| system.terms.var_info(param).sort;
            let fits = params.len() == call.args.len()
                && params.iter().zip(&call.args).all(|(&it, &value)| value < structure.sizes[sort(it)]);
            fits.then(|| Call { transition, args: call.args.clone() })
        };
        let calls = self
            .calls
            .iter()
            .map(|it| call(it).ok_or_else(|| format!("`{}` is not called so in the model", it.transition)));
        let calls = calls.collect::<Result<_, _>>()?;
        Ok((structure, calls))
    }
}

/// Returns the interpretation of a symbol with these values; `None` if they do not fit.
fn interpretation(symbol: &Symbol, values: &Values, structure: &Structure) -> Option<Interpretation> {
    let is_value = |value: Elem| value < structure.sizes[symbol.result];
    let mut meaning = Interpretation { default: values.default, ..Interpretation::default() };
    for ValueAt { args, value } in &values.except {
        let fits = args.len() == symbol.args.len()
            && args.iter().zip(&symbol.args).all(|(&arg, &sort)| arg < structure.sizes[sort]);
        if !fits || !is_value(*value) {
            return None;
        }
        meaning.set(args, *value);
    }
    is_value(values.default).then_some(meaning)
}
