//! Checks of annotations: the symbols named by a printer must exist and have suitable sorts.

use super::ast::{Annotation, Ident};
use super::names::{Global, Globals};
use super::sorts::Ty;
use crate::shared::report::{Report, suggest};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{SortId, SymId};

/// The printers of sorts, with their arguments.
const PRINTERS: &[(&str, &str)] = &[
    ("ordered_by_printer", "the order"),
    ("set_printer", "the membership relation"),
    ("const_printer", "nothing"),
    ("option_printer", "a relation that tells the empty case, and the value"),
    ("log_printer", "the order of the indices, the relation of used entries, and the values"),
];

/// Checks the annotations of a sort.
pub(crate) fn of_sort(name: &Ident, annotations: &[Annotation], globals: &Globals<'_>, report: &mut Report) {
    let Some(sort) = globals.sort_id(&name.name) else { return };
    for annotation in annotations.iter().filter(|annotation| &*annotation.name == "printed_by") {
        if let Err(warning) = printer(globals, sort, annotation) {
            report.push(*warning);
        }
    }
}

/// Checks the annotations of a symbol.
pub(crate) fn of_symbol(annotations: &[Annotation], report: &mut Report) {
    for annotation in annotations.iter().filter(|annotation| &*annotation.name == "printed_by") {
        report.push(
            warning(annotation.place.0, "`@printed_by` belongs to the declaration of a sort")
                .label("this is no sort"),
        );
    }
}

fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::warning(Code::Annotation, span, message)
}

/// Checks an annotation `@printed_by(printer, symbols..)` of a sort.
fn printer(globals: &Globals<'_>, sort: SortId, annotation: &Annotation) -> Result<(), Box<Diagnostic>> {
    let Some((printer, args)) = annotation.args.split_first() else {
        return Err(warning(annotation.place.0, "`@printed_by` names no printer")
            .help("for example `@printed_by(ordered_by_printer, le)`")
            .into());
    };
    let Some(&(known, takes)) = PRINTERS.iter().find(|(known, _)| *known == &*printer.name) else {
        let unknown = warning(printer.span(), format!("there is no printer `{}`", printer.name))
            .label("unknown printer")
            .note("elements of the sort are shown by their numbers");
        return Err(Box::new(match suggest(&printer.name, PRINTERS.iter().map(|(known, _)| *known)) {
            Some(near) => unknown.help(format!("did you mean `{near}`?")),
            None => unknown,
        }));
    };
    let count_fits = match known {
        "const_printer" => args.is_empty(),
        "option_printer" => args.len() == 2,
        "log_printer" => args.len() >= 2,
        _ => args.len() == 1,
    };
    if !count_fits {
        return Err(warning(annotation.place.0, format!("`{known}` is given {} symbols", args.len()))
            .label(format!("it takes {takes}"))
            .into());
    }
    let symbols: Vec<SymId> = args.iter().map(|arg| symbol(globals, arg)).collect::<Result<_, _>>()?;
    let own = Ty::Sort(sort);
    let fits = |index: usize, expected: &str, test: &dyn Fn(&[Ty], Ty) -> bool| {
        let sorts = &globals.symbols[symbols[index]];
        if test(&sorts.args, sorts.result) {
            return Ok(());
        }
        let arg: &Ident = &args[index];
        let misfit = warning(arg.span(), format!("`{}` does not fit the printer `{known}`", arg.name))
            .label(format!("expected {expected}"));
        Err(Box::new(match globals.sig.symbols[symbols[index]].span {
            Some(span) => misfit.also(span, "declared here"),
            None => misfit,
        }))
    };
    let name = &globals.sig.sorts[sort].name;
    match known {
        "ordered_by_printer" => fits(0, &format!("a relation on `{name}` and `{name}`"), &|args, result| {
            result == Ty::Bool && args == [own, own]
        }),
        "set_printer" => {
            fits(0, &format!("a relation of two arguments, one of them a `{name}`"), &|args, result| {
                result == Ty::Bool && args.len() == 2 && args.contains(&own)
            })
        }
        "option_printer" => {
            fits(0, &format!("a relation on `{name}`"), &|args, result| result == Ty::Bool && args == [own])?;
            fits(1, &format!("a function or relation whose first argument is a `{name}`"), &|args, result| {
                args.first() == Some(&own) && args.len() == 1 + usize::from(result == Ty::Bool)
            })
        }
        "log_printer" => {
            fits(0, "a relation on two indices", &|args, result| {
                result == Ty::Bool && args.len() == 2 && args[0] == args[1]
            })?;
            let index = globals.symbols[symbols[0]].args[0];
            fits(1, &format!("a relation on `{name}` and the index"), &|args, result| {
                result == Ty::Bool && args == [own, index]
            })?;
            (2..symbols.len()).try_for_each(|at| {
                fits(at, &format!("a function or relation on `{name}` and the index"), &|args, _| {
                    args.starts_with(&[own, index])
                })
            })
        }
        _ => Ok(()),
    }
}

fn symbol(globals: &Globals<'_>, name: &Ident) -> Result<SymId, Box<Diagnostic>> {
    match globals.get(&name.name) {
        Some((Global::Symbol(sym), _)) => Ok(sym),
        Some((other, span)) => Err(warning(
            name.span(),
            format!("`{}` is {}, not a symbol that a printer can use", name.name, globals.describe(other)),
        )
        .label("expected a relation or function")
        .also(span, "declared here")
        .into()),
        None => {
            let unknown =
                warning(name.span(), format!("`{}` is not declared", name.name)).label("unknown name");
            Err(Box::new(match suggest(&name.name, globals.names()) {
                Some(near) => unknown.help(format!("did you mean `{near}`?")),
                None => unknown,
            }))
        }
    }
}
