//! Translation of a checked program to a transition system.

use super::actions::Parts;
use super::commands::Checked;
use super::typed::{Arg, Cmd, CmdKind, Commands, Part, PartId, PartRole, SlotId, Target};
use crate::fol::ast::Role;
use crate::fol::expand::{Lowerer, Template};
use crate::fol::lower::add_unit;
use crate::fol::names::{Globals, Unit, UnitKind};
use crate::fol::sorts::Ty;
use crate::fol::typed::UnitId;
use crate::shared::report::Report;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Annotation, SortId, SymId, Symbol, SymbolKind, SymbolOrigin, TermId, VarId};
use ramsey_core::system;
use ramsey_core::system::program::{self, Program, choice_bit};
use ramsey_core::system::{
    Assignment, Branch, Choice, ChoiceForm, Command, CommandKind, Derived, Havoc, PlacedFormula, System,
};

/// Maximum number of commands of a program, including for each action the commands common to all actions.
const MAX_COMMANDS: usize = 200_000;

/// Builds the system. `order` lists all units, callees first. `line_of` returns the line of a position.
/// `axioms_after_changes` is that of the system.
pub(super) fn lower(
    globals: &Globals<'_>,
    parts: &Parts<'_>,
    checked: &Checked,
    order: &[UnitId],
    line_of: &dyn Fn(Span) -> usize,
    axioms_after_changes: bool,
    report: &mut Report,
) -> Option<System> {
    let mut lowerer = Lowerer::new(globals, report.budget());
    lowerer.units(globals, &checked.bodies, order, report)?;
    let mut templates: IdVec<PartId, Template> = IdVec::new();
    for part in checked.commands.parts.iter() {
        templates.push(lowerer.formula(&part.body, part.span, report)?);
    }
    let mut system = System { sig: globals.sig.clone(), axioms_after_changes, ..System::new() };
    let label = |span: Span| format!("L{}", line_of(span));
    add_units(&mut system, globals, &lowerer, &label);
    let mut transitions = IdVec::<UnitId, usize>::filled(globals.units.len(), 0);
    let actions = globals.units.iter_enumerated().filter(|(_, unit)| unit.kind == UnitKind::Transition);
    for (index, (id, _)) in actions.enumerate() {
        transitions[id] = index;
    }
    system.traces = lowerer.traces(&checked.traces, &transitions, report)?;
    report.absorb(&lowerer.budget);
    system.placed = placed(globals, &checked.commands, &lowerer.templates, &templates);
    system.terms = lowerer.terms;
    let mut builder = Builder {
        commands: &checked.commands,
        templates: &templates,
        system: &mut system,
        scratch: Map::default(),
        count: 0,
    };
    let program =
        builder.program(checked, parts).map_err(|span| report.push(too_many_commands(span))).ok()?;
    program::build(&mut system, program, label).map_err(|error| report.push(too_large(error.span))).ok()?;
    // Locals and values of `havoc` are parameters too, which traces do not constrain.
    let System { traces, transitions, .. } = &mut system;
    for step in traces.iter_mut().flat_map(|trace| &mut trace.steps) {
        if let ramsey_core::system::TraceStep::Transitions(calls) = step {
            for call in calls {
                let count = transitions.get(call.transition).map_or(0, |transition| transition.params.len());
                call.args.resize(count, None);
            }
        }
    }
    Some(system)
}

fn too_many_commands(span: Span) -> Diagnostic {
    Diagnostic::error(Code::TooDeep, span, "the program is too large")
        .label(format!(
            "its actions have more than {MAX_COMMANDS} commands, with those that all of them share"
        ))
        .help("keep what stands before and after a choice with many branches short")
}

fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(Code::TooDeep, span, "the meaning of the commands grows too large")
        .label("up to this command")
        .help("split the action, or keep intermediate results in variables")
}

/// Adds axioms, claims, theorems and macros to the system. `label` names a formula without a name.
fn add_units(
    system: &mut System,
    globals: &Globals<'_>,
    lowerer: &Lowerer<'_>,
    label: &impl Fn(Span) -> String,
) {
    for (id, unit) in globals.units.iter_enumerated() {
        let Some(template) = &lowerer.templates[id] else { continue };
        let axiom = template.term;
        let changes =
            || lowerer.terms.symbols(axiom).iter().any(|&sym| globals.sig.symbols[sym].kind.is_mutable());
        match unit.kind {
            // Made from commands.
            UnitKind::Transition => {}
            UnitKind::Formula(Role::Axiom) if changes() => {
                let span = unit.span;
                let label = unit.name.map_or_else(|| label(span), |name| name.name.to_string());
                system.derived.push(Derived { sym: None, label, axiom, span });
            }
            UnitKind::Theorem => {
                add_unit(system, globals, &Unit { states: u16::from(changes()), ..*unit }, template, label);
            }
            _ => add_unit(system, globals, unit, template, label),
        }
    }
}

/// Returns the formulas whose quantifiers the language restricts.
fn placed(
    globals: &Globals<'_>,
    commands: &Commands,
    units: &IdVec<UnitId, Option<Template>>,
    parts: &IdVec<PartId, Template>,
) -> Vec<PlacedFormula> {
    let claims = globals.units.iter_enumerated().filter_map(|(id, unit)| {
        let role = match unit.kind {
            UnitKind::Formula(Role::Axiom) => system::Role::Axiom,
            UnitKind::Formula(Role::Safety) => system::Role::Safety,
            UnitKind::Formula(_) => system::Role::Invariant,
            UnitKind::Theorem => system::Role::Theorem,
            _ => return None,
        };
        let Template { term, .. } = units[id].as_ref()?;
        Some(PlacedFormula { formula: *term, role, span: unit.formula.span() })
    });
    let parts = commands.parts.iter_enumerated().map(|(id, part)| {
        let role = match part.role {
            PartRole::Assumption => system::Role::Assumption,
            PartRole::Assertion => system::Role::Assertion,
            PartRole::Condition => system::Role::Condition,
            PartRole::Update => system::Role::Update,
        };
        PlacedFormula { formula: parts[id].term, role, span: part.span }
    });
    claims.chain(parts).collect()
}

/// Translates checked commands.
struct Builder<'a> {
    commands: &'a Commands,
    templates: &'a IdVec<PartId, Template>,
    system: &'a mut System,
    /// The symbols that store the values of assigned variables.
    scratch: Map<SlotId, SymId>,
    /// The number of commands created so far.
    count: usize,
}

/// State of the section being built.
#[derive(Default)]
struct Context {
    params: Vec<VarId>,
    names: Set<String>,
    /// The values of parameters and local variables.
    slots: Map<SlotId, TermId>,
}

type Built<T> = Result<T, Span>;

impl Builder<'_> {
    fn program(&mut self, checked: &Checked, parts: &Parts<'_>) -> Built<Program> {
        let init = self.outside(&checked.init, "init")?;
        let mut actions = Vec::new();
        for (section, action) in checked.actions.iter().zip(&parts.actions) {
            let lists = [&*checked.before, &section.commands, &checked.after];
            actions.push(self.section(&section.params, lists, &action.name.name, action.span)?);
        }
        let last = self.outside(&checked.last, "final")?;
        Ok(Program { init, actions, last })
    }

    /// Translates the part before or after the loop, if it has commands.
    fn outside(&mut self, commands: &[Cmd], name: &str) -> Built<Option<program::Part>> {
        let (Some(first), Some(last)) = (commands.first(), commands.last()) else { return Ok(None) };
        // The commands may be in several files.
        let span = if first.span.file == last.span.file { first.span.to(last.span) } else { first.span };
        self.section(&[], [commands, &[], &[]], name, span).map(Some)
    }

    fn section(
        &mut self,
        params: &[SlotId],
        lists: [&[Cmd]; 3],
        name: &str,
        span: Span,
    ) -> Built<program::Part> {
        let mut context = Context::default();
        let mut commands = Vec::new();
        for &slot in params {
            self.declare(slot, true, &mut context, &mut commands);
        }
        for list in lists {
            self.list(list, &mut context, &mut commands)?;
        }
        let command = sequence(commands, span);
        Ok(program::Part { name: name.to_owned(), params: context.params, command, span })
    }

    fn sort(&self, slot: SlotId) -> SortId {
        if let Ty::Sort(sort) = self.commands.slots[slot].ty { sort } else { SortId::BOOL }
    }

    /// Adds a parameter to the section, for an arbitrary value.
    fn param(&mut self, name: &str, sort: SortId, span: Span, context: &mut Context) -> VarId {
        let mut unique = name.to_owned();
        let mut count = 1;
        while !context.names.insert(unique.clone()) {
            count += 1;
            unique = format!("{name}.{count}");
        }
        let var = self.system.terms.new_var(unique, sort);
        self.system.terms.locate_var(var, span);
        context.params.push(var);
        var
    }

    /// Creates a parameter or local variable.
    fn declare(&mut self, slot: SlotId, is_param: bool, context: &mut Context, commands: &mut Vec<Command>) {
        let info = &self.commands.slots[slot];
        let sort = self.sort(slot);
        let value = if sort == SortId::BOOL && !is_param {
            let bit = choice_bit(&mut self.system.sig, &info.name);
            self.system.terms.app(&self.system.sig, bit, 0, &[])
        } else {
            let var = self.param(&info.name, sort, info.span, context);
            self.system.terms.var(var)
        };
        if !info.assigned {
            context.slots.insert(slot, value);
            return;
        }
        let sym = self.store(slot, context);
        let kind = CommandKind::Assign(Assignment { sym, vars: Vec::new(), value });
        commands.push(Command { kind, span: info.span });
    }

    /// Returns the symbol that stores the value of an assigned variable. It is part of the state, but every execution
    /// assigns it before reading it.
    fn scratch_symbol(&mut self, slot: SlotId) -> SymId {
        if let Some(&sym) = self.scratch.get(&slot) {
            return sym;
        }
        let info = &self.commands.slots[slot];
        let mark = |name: &str| Annotation { name: name.into(), args: Vec::new(), span: info.span };
        let name = format!("{}@{}", info.name, slot.index());
        let sym = self.system.sig.symbols.push(Symbol {
            origin: SymbolOrigin::Local(info.name.clone()),
            annotations: vec![mark("no_print"), mark("no_minimize")],
            span: Some(info.span),
            ..Symbol::new(name, Vec::new(), self.sort(slot), SymbolKind::Mutable)
        });
        self.scratch.insert(slot, sym);
        sym
    }

    fn list(&mut self, list: &[Cmd], context: &mut Context, commands: &mut Vec<Command>) -> Built<()> {
        for (at, cmd) in list.iter().enumerate() {
            match self.assigned_at_once(cmd, list.get(at + 1)) {
                Some(slot) => _ = self.store(slot, context),
                None => self.command(cmd, context, commands)?,
            }
        }
        Ok(())
    }

    /// Returns the variable that a command declares and the next one assigns to, without reading it: no value before that
    /// counts.
    fn assigned_at_once(&self, cmd: &Cmd, next: Option<&Cmd>) -> Option<SlotId> {
        let CmdKind::Local(slots) = &cmd.kind else { return None };
        let CmdKind::Assign { target: Target::Slot(target), value, .. } = &next?.kind else { return None };
        let is_it = slots == &[*target] && self.commands.slots[*target].assigned;
        (is_it && !self.commands.parts[*value].slots.contains(target)).then_some(*target)
    }

    /// Gives a variable that is assigned to its place in the state. Returns the symbol there.
    fn store(&mut self, slot: SlotId, context: &mut Context) -> SymId {
        let sym = self.scratch_symbol(slot);
        let now = self.system.terms.app(&self.system.sig, sym, 0, &[]);
        context.slots.insert(slot, now);
        sym
    }

    fn block(&mut self, list: &[Cmd], span: Span, context: &mut Context) -> Built<Command> {
        let mut commands = Vec::new();
        self.list(list, context, &mut commands)?;
        Ok(sequence(commands, span))
    }

    #[inline(never)]
    fn command(&mut self, cmd: &Cmd, context: &mut Context, commands: &mut Vec<Command>) -> Built<()> {
        let span = cmd.span;
        self.count += 1;
        if self.count > MAX_COMMANDS {
            return Err(span);
        }
        let kind = match &cmd.kind {
            CmdKind::Skip => CommandKind::Skip,
            CmdKind::Abort => CommandKind::Assert(self.system.terms.fals()),
            CmdKind::Assume(part) => CommandKind::Assume(self.part(*part, &[], context)),
            CmdKind::Assert(part) => CommandKind::Assert(self.part(*part, &[], context)),
            CmdKind::Local(slots) => {
                for &slot in slots {
                    self.declare(slot, false, context, commands);
                }
                return Ok(());
            }
            CmdKind::Havoc(target) => self.havoc(*target, span, context),
            CmdKind::Assign { target, args, value } => match *target {
                Target::Slot(slot) => {
                    let sym = self.scratch_symbol(slot);
                    let value = self.part(*value, &[], context);
                    CommandKind::Assign(Assignment { sym, vars: Vec::new(), value })
                }
                Target::Symbol(sym) => {
                    let AffectedTuples { vars, logical, equations } =
                        self.affected_tuples(sym, args, context);
                    let value = self.part(*value, &logical, context);
                    let value = match equations {
                        None => value,
                        Some(equations) => {
                            let before = self.read(sym, &vars);
                            self.system.terms.ite(equations, value, before)
                        }
                    };
                    CommandKind::Assign(Assignment { sym, vars, value })
                }
            },
            CmdKind::Update { target: sym, insert, args, condition } => {
                let AffectedTuples { vars, logical, equations } = self.affected_tuples(*sym, args, context);
                let condition = condition.map(|condition| self.part(condition, &logical, context));
                let terms = &mut self.system.terms;
                let these: Vec<TermId> = equations.into_iter().chain(condition).collect();
                let these = terms.and(&these);
                let before = self.read(*sym, &vars);
                let terms = &mut self.system.terms;
                let value = if *insert {
                    terms.or(&[before, these])
                } else {
                    let others = terms.not(these);
                    terms.and(&[before, others])
                };
                CommandKind::Assign(Assignment { sym: *sym, vars, value })
            }
            CmdKind::If { condition, then, otherwise } => {
                let condition = condition.map(|condition| self.part(condition, &[], context));
                let form = if otherwise.is_empty() { ChoiceForm::If } else { ChoiceForm::IfElse };
                let then = self.block(then, span, context)?;
                let otherwise = self.block(otherwise, span, context)?;
                match condition {
                    Some(condition) => CommandKind::If(condition, Box::new(then), Box::new(otherwise)),
                    None => self.choice(form, vec![then, otherwise]),
                }
            }
            CmdKind::Choice(branches) => {
                if let [only] = branches.as_slice() {
                    return self.list(only, context, commands);
                }
                let mut blocks = Vec::new();
                for branch in branches {
                    blocks.push(self.block(branch, span, context)?);
                }
                self.choice(ChoiceForm::Branches, blocks)
            }
        };
        commands.push(Command { kind, span });
        Ok(())
    }

    fn choice(&mut self, form: ChoiceForm, branches: Vec<Command>) -> CommandKind {
        let bits = branches.iter().skip(1).map(|_| choice_bit(&mut self.system.sig, "choice")).collect();
        let branches = branches.into_iter().map(|command| Branch { name: None, command }).collect();
        CommandKind::Choice(Choice { form, branches, bits })
    }

    fn havoc(&mut self, target: Target, span: Span, context: &mut Context) -> CommandKind {
        let (sym, name) = match target {
            Target::Symbol(sym) => (sym, self.system.sig.symbols[sym].name.clone()),
            Target::Slot(slot) => (self.scratch_symbol(slot), self.commands.slots[slot].name.to_string()),
        };
        let sort = self.system.sig.symbols[sym].result;
        if sort == SortId::BOOL {
            let bit = choice_bit(&mut self.system.sig, "choice");
            let value = self.system.terms.app(&self.system.sig, bit, 0, &[]);
            return CommandKind::Assign(Assignment { sym, vars: Vec::new(), value });
        }
        CommandKind::Havoc(Havoc { sym, value: self.param(&name, sort, span, context) })
    }

    /// Instantiates a formula or term with these values of its logical variables.
    fn part(&mut self, part: PartId, logical: &[TermId], context: &Context) -> TermId {
        let Part { slots, .. } = &self.commands.parts[part];
        let Template { params, term } = &self.templates[part];
        let values =
            logical.iter().copied().chain(slots.iter().filter_map(|slot| context.slots.get(slot).copied()));
        let map: Map<VarId, TermId> = params.iter().copied().zip(values).collect();
        self.system.terms.substitute(*term, &map)
    }

    fn read(&mut self, sym: SymId, vars: &[VarId]) -> TermId {
        let args: Vec<TermId> = vars.iter().map(|&var| self.system.terms.var(var)).collect();
        self.system.terms.app(&self.system.sig, sym, 0, &args)
    }

    /// Returns the variables of an update and the tuples that it affects.
    fn affected_tuples(&mut self, sym: SymId, args: &[Arg], context: &Context) -> AffectedTuples {
        let sorts = self.system.sig.symbols[sym].args.clone();
        let mut tuples = AffectedTuples { vars: Vec::new(), logical: Vec::new(), equations: None };
        let mut equations = Vec::new();
        for (at, (arg, sort)) in args.iter().zip(sorts).enumerate() {
            let name = match arg {
                Arg::Logical(name) => name.to_string(),
                Arg::Term(_) => format!("X{at}"),
            };
            let var = self.system.terms.new_var(name, sort);
            let value = self.system.terms.var(var);
            tuples.vars.push(var);
            match arg {
                Arg::Logical(..) => tuples.logical.push(value),
                Arg::Term(part) => {
                    let term = self.part(*part, &[], context);
                    equations.push(self.system.terms.eq(value, term));
                }
            }
        }
        if !equations.is_empty() {
            tuples.equations = Some(self.system.terms.and(&equations));
        }
        tuples
    }
}

/// The tuples affected by an update.
struct AffectedTuples {
    /// One variable per argument.
    vars: Vec<VarId>,
    /// The logical variables among them, as terms.
    logical: Vec<TermId>,
    /// Equations between the other variables and the given values; `None` if there are none.
    equations: Option<TermId>,
}

fn sequence(mut commands: Vec<Command>, span: Span) -> Command {
    match commands.len() {
        0 => Command { kind: CommandKind::Skip, span },
        1 => commands.remove(0),
        _ => Command { kind: CommandKind::Seq(commands), span },
    }
}
