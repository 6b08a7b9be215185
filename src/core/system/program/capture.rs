//! Commands that give names to the values that they read.
//!
//! A value of `f` that mentions `f` twice, as after `f(c) := f(d)`, is twice as large after each such assignment. With a name
//! for `f(d)`, it has a part more.

use crate::base::hash::{Map, Set};
use crate::logic::{Node, Signature, SortId, SymId, TermId, Terms, VarId};
use crate::system::command::{Assignment, Branch, Choice, Command, CommandKind};
use crate::system::program::{Part, choice_bit};

/// How many names a part may get.
const MAX_NAMES: usize = 1_000;

/// Returns the same part with a parameter, or a choice, for each term without variables of assignments that is read in an
/// assignment and mentions what the part assigns: it is assumed to have the value of the term there.
pub(super) fn captured(sig: &mut Signature, terms: &mut Terms, part: &Part) -> Part {
    let mut assigned = Set::default();
    collect_assigned(&part.command, &mut assigned);
    let names = part.params.iter().map(|&param| terms.var_info(param).name.to_string()).collect();
    let mut capture = Capture { sig, terms, assigned, names, params: part.params.clone(), count: 0 };
    let command = capture.command(&part.command);
    Part { name: part.name.clone(), params: capture.params, command, span: part.span }
}

fn collect_assigned(command: &Command, out: &mut Set<SymId>) {
    match &command.kind {
        CommandKind::Skip | CommandKind::Assume(_) | CommandKind::Assert(_) => {}
        CommandKind::Assign(assignment) => _ = out.insert(assignment.sym),
        CommandKind::Havoc(havoc) => _ = out.insert(havoc.sym),
        CommandKind::Seq(commands) => commands.iter().for_each(|it| collect_assigned(it, out)),
        CommandKind::If(_, a, b) => [a, b].into_iter().for_each(|it| collect_assigned(it, out)),
        CommandKind::Choice(choice) => {
            choice.branches.iter().for_each(|it| collect_assigned(&it.command, out));
        }
    }
}

struct Capture<'a> {
    sig: &'a mut Signature,
    terms: &'a mut Terms,
    assigned: Set<SymId>,
    names: Set<String>,
    params: Vec<VarId>,
    /// How many names there are.
    count: usize,
}

impl Capture<'_> {
    fn command(&mut self, command: &Command) -> Command {
        let kind = match &command.kind {
            CommandKind::Assign(assignment) => return self.assignment(assignment, command),
            CommandKind::Seq(commands) => {
                CommandKind::Seq(commands.iter().map(|command| self.command(command)).collect())
            }
            CommandKind::If(condition, a, b) => {
                let [a, b] = [a, b].map(|side| Box::new(self.command(side)));
                CommandKind::If(*condition, a, b)
            }
            CommandKind::Choice(Choice { form, branches, bits }) => {
                let mut branch =
                    |it: &Branch| Branch { name: it.name.clone(), command: self.command(&it.command) };
                let branches = branches.iter().map(&mut branch).collect();
                CommandKind::Choice(Choice { form: *form, branches, bits: bits.clone() })
            }
            kind => kind.clone(),
        };
        Command { kind, span: command.span }
    }

    fn assignment(&mut self, assignment: &Assignment, command: &Command) -> Command {
        let mut known = Map::default();
        let mut assumed = Vec::new();
        let value = self.value(assignment.value, &assignment.vars, command, &mut known, &mut assumed);
        if assumed.is_empty() {
            return command.clone();
        }
        let vars = assignment.vars.clone();
        let kind = CommandKind::Assign(Assignment { sym: assignment.sym, vars, value });
        assumed.push(Command { kind, span: command.span });
        Command { kind: CommandKind::Seq(assumed), span: command.span }
    }

    /// Returns a value with names for what it reads. `known` has the terms that are done.
    fn value(
        &mut self,
        term: TermId,
        vars: &[VarId],
        command: &Command,
        known: &mut Map<TermId, TermId>,
        assumed: &mut Vec<Command>,
    ) -> TermId {
        if let Some(&done) = known.get(&term) {
            return done;
        }
        let node = self.terms.node(term);
        let symbols = self.terms.symbols(term);
        let reads = symbols.iter().any(|sym| self.assigned.contains(sym));
        let result =
            if !reads || self.count == MAX_NAMES || matches!(node, Node::Forall(..) | Node::Exists(..)) {
                term
            } else if self.is_fixed(term, vars) {
                let (name, formula) = self.name(term, command);
                let kind = CommandKind::Assume(formula);
                assumed.push(Command { kind, span: command.span });
                name
            } else {
                let children: Vec<TermId> = self.terms.children(term).collect();
                let children: Vec<TermId> =
                    children.into_iter().map(|it| self.value(it, vars, command, known, assumed)).collect();
                self.terms.rebuild(term, &children)
            };
        known.insert(term, result);
        result
    }

    /// Returns whether a term has neither quantifiers nor one of these variables.
    fn is_fixed(&self, term: TermId, vars: &[VarId]) -> bool {
        let mut seen = Set::default();
        let mut open = vec![term];
        while let Some(next) = open.pop() {
            match self.terms.node(next) {
                Node::Forall(..) | Node::Exists(..) => return false,
                Node::Var(var) if vars.contains(&var) => return false,
                _ => open.extend(self.terms.children(next).filter(|&child| seen.insert(child))),
            }
        }
        true
    }

    /// Returns a name for the value of a term, and that it has this value.
    fn name(&mut self, term: TermId, command: &Command) -> (TermId, TermId) {
        self.count += 1;
        let sort = self.terms.sort(term);
        if sort == SortId::BOOL {
            let bit = choice_bit(self.sig, "value");
            let name = self.terms.app(self.sig, bit, 0, &[]);
            return (name, self.terms.iff(name, term));
        }
        let number = |count: usize| if count == 1 { "value".to_owned() } else { format!("value.{count}") };
        let unique = (1..).map(number).find(|it| !self.names.contains(it)).unwrap_or_default();
        self.names.insert(unique.clone());
        let var = self.terms.new_var(unique, sort);
        self.terms.locate_var(var, command.span);
        self.params.push(var);
        let name = self.terms.var(var);
        (name, self.terms.eq(name, term))
    }
}
