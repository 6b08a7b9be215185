//! Advice on cycles among sorts, shared by front ends and reports.

/// Advises to replace a function by a relation. `arity` is the number of arguments of the function.
pub fn relation_for(function: &str, arity: usize) -> String {
    let args: String =
        (1..=arity).map(|index| if arity == 1 { "X, ".to_owned() } else { format!("X{index}, ") }).collect();
    format!(
        "make `{function}` a relation, `{function}({args}Y)`, and state that the value is unique: `{function}({args}Y) & \
         {function}({args}Z) -> Y = Z`; that there always is a value stays unsaid"
    )
}

/// Advises to remove one of two functions that form a cycle.
pub fn keep_one(a: &str, b: &str) -> String {
    format!(
        "keep one of them: if `{b}` is the inverse of `{a}`, write `{a}(X) = Y` for `{b}(Y) = X`; otherwise make one of them a \
         relation between its argument and its value, of which you state that the value is unique"
    )
}
