//! Options of a session, and information about it.

use super::response::Response;
use ramsey_lang::smtlib::Value;

/// Values of the options. Limits apply to each check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Options {
    pub(super) print_success: bool,
    pub(super) models: bool,
    pub(super) cores: bool,
    pub(super) assumptions: bool,
    pub(super) assignments: bool,
    /// Whether models are minimized: few elements, then few true tuples.
    pub(super) minimal_models: bool,
    /// Whether cores are minimized.
    pub(super) minimal_cores: bool,
    pub(super) global_declarations: bool,
    pub(super) seed: u64,
    /// In milliseconds; `None` or 0 means no limit.
    pub(super) timeout: Option<u64>,
    /// In work units; `None` or 0 means no limit.
    pub(super) work: Option<u64>,
    pub(super) verbosity: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            print_success: false,
            models: true,
            cores: false,
            assumptions: false,
            assignments: false,
            minimal_models: false,
            minimal_cores: false,
            global_declarations: false,
            seed: 0,
            timeout: None,
            work: None,
            verbosity: 0,
        }
    }
}

/// Storage of an option in [`Options`].
enum OptionSlot<'a> {
    Switch(&'a mut bool),
    Number(&'a mut u64),
    Limit(&'a mut Option<u64>),
    /// Supported without effect; only this value is accepted.
    Fixed(&'static str),
    /// Supported without effect for any value.
    Ignored,
}

impl Options {
    fn slot(&mut self, keyword: &str) -> Option<OptionSlot<'_>> {
        Some(match keyword {
            ":print-success" => OptionSlot::Switch(&mut self.print_success),
            ":produce-models" => OptionSlot::Switch(&mut self.models),
            ":produce-unsat-cores" | ":unsat_core" => OptionSlot::Switch(&mut self.cores),
            ":produce-unsat-assumptions" => OptionSlot::Switch(&mut self.assumptions),
            ":produce-assignments" => OptionSlot::Switch(&mut self.assignments),
            ":minimize-models" => OptionSlot::Switch(&mut self.minimal_models),
            // Names of cvc5 and Z3.
            ":minimal-unsat-cores" | ":smt.core.minimize" => OptionSlot::Switch(&mut self.minimal_cores),
            ":global-declarations" => OptionSlot::Switch(&mut self.global_declarations),
            ":random-seed" | ":smt.random_seed" | ":sat.random_seed" => OptionSlot::Number(&mut self.seed),
            ":verbosity" => OptionSlot::Number(&mut self.verbosity),
            // Names of Z3, cvc5 and the standard.
            ":timeout" | ":tlimit-per" => OptionSlot::Limit(&mut self.timeout),
            ":rlimit" | ":reproducible-resource-limit" => OptionSlot::Limit(&mut self.work),
            // Assertions are always kept.
            ":produce-assertions" | ":interactive-mode" => OptionSlot::Fixed("true"),
            ":regular-output-channel" => OptionSlot::Fixed("\"stdout\""),
            ":produce-proofs" => OptionSlot::Fixed("false"),
            // Only answers are printed, so this channel stays empty.
            ":diagnostic-output-channel" => OptionSlot::Ignored,
            // Options that direct the search of other solvers. Their clients expect no answer or `success`.
            ":auto_config" | ":type_check" | ":well_sorted_check" | ":verbose" | ":trace" | ":encoding" => {
                OptionSlot::Ignored
            }
            ":incremental" | ":finite-model-find" | ":full-saturate-quant" => OptionSlot::Ignored,
            _ if is_module_of_z3(keyword) => OptionSlot::Ignored,
            _ => return None,
        })
    }

    /// Sets an option. Returns the response if it is not `success`.
    pub(super) fn set(&mut self, keyword: &str, value: &Value) -> Result<(), Response> {
        let wrong = |what: &str| Response::Error(format!("the value of `{keyword}` has to be {what}"));
        match self.slot(keyword) {
            None => return Err(Response::Unsupported(keyword.to_owned())),
            Some(OptionSlot::Switch(switch)) => {
                *switch = match value {
                    Value::Symbol(text) if text == "true" => true,
                    Value::Symbol(text) if text == "false" => false,
                    _ => return Err(wrong("`true` or `false`")),
                }
            }
            Some(OptionSlot::Number(number)) => *number = numeral(value).ok_or_else(|| wrong("a numeral"))?,
            Some(OptionSlot::Limit(limit)) => {
                let number = numeral(value).ok_or_else(|| wrong("a numeral"))?;
                // Z3 uses the largest 32-bit number for "no limit".
                *limit = (number != 0 && number != u64::from(u32::MAX)).then_some(number);
            }
            Some(OptionSlot::Ignored) => {}
            Some(OptionSlot::Fixed(only)) => {
                let found = match value {
                    Value::Symbol(text) => text.clone(),
                    Value::String(text) => format!("\"{text}\""),
                    _ => String::new(),
                };
                let harmless = matches!(keyword, ":produce-assertions" | ":interactive-mode");
                if found != only && !harmless {
                    return Err(Response::Unsupported(keyword.to_owned()));
                }
            }
        }
        Ok(())
    }

    /// Returns the value of an option in SMT-LIB syntax.
    pub(super) fn get(&self, keyword: &str) -> Option<String> {
        Some(match self.clone().slot(keyword)? {
            OptionSlot::Switch(switch) => switch.to_string(),
            OptionSlot::Number(number) => number.to_string(),
            OptionSlot::Limit(limit) => limit.unwrap_or(0).to_string(),
            OptionSlot::Fixed(only) => only.to_owned(),
            OptionSlot::Ignored => return None,
        })
    }
}

/// Checks whether an option is a parameter of a module of Z3, as in `:smt.mbqi`.
fn is_module_of_z3(keyword: &str) -> bool {
    const MODULES: &[&str] = &[
        "combined_solver",
        "model",
        "model_evaluator",
        "nlsat",
        "opt",
        "parallel",
        "parser",
        "pi",
        "pp",
        "rewriter",
        "sat",
        "smt",
        "solver",
        "tactic",
    ];
    let module = keyword.strip_prefix(':').and_then(|name| name.split_once('.'));
    module.is_some_and(|(module, _)| MODULES.contains(&module))
}

fn numeral(value: &Value) -> Option<u64> {
    match value {
        Value::Numeral(digits) => digits.parse().ok(),
        _ => None,
    }
}
