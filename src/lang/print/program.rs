//! Printer of programs.

use super::comments::Comments;
use super::formulas::Printer;
use crate::fol::ast::{Expr, Ident, Level};
use crate::program::ast::{Branch, Command, CommandKind, Item, ItemKind, Program, SymbolDecl, SymbolForm};

/// Prints a program. Parts with syntax errors are omitted.
pub fn program(program: &Program) -> String {
    program_with(program, None)
}

/// Prints a program with comments.
pub(crate) fn program_with(program: &Program, comments: Option<Comments>) -> String {
    let mut printer = Printer::new();
    printer.comments = comments;
    printer.header();
    printer.items(&program.items, 0);
    printer.out
}

/// Returns the group of an item. Adjacent items of the same group below 5 are printed without empty lines between them.
fn group(item: &Item) -> u8 {
    match &item.kind {
        ItemKind::Include { .. } => 0,
        ItemKind::Sort { .. } => 1,
        ItemKind::Symbol(_) => 2,
        ItemKind::Use { .. } | ItemKind::Macro { .. } => 3,
        ItemKind::Formula { .. } => 4,
        ItemKind::Command(_) => 5,
        _ => 6,
    }
}

impl Printer {
    fn items(&mut self, items: &[Item], indent: usize) {
        let mut last = None;
        for item in items {
            if matches!(item.kind, ItemKind::Broken(_))
                || matches!(&item.kind, ItemKind::Command(command) if matches!(command.kind, CommandKind::Broken))
            {
                continue;
            }
            let group = group(item);
            if last.is_some_and(|last| last != group) || (last.is_some() && group > 5) {
                self.word("\n");
            }
            last = Some(group);
            if !matches!(item.kind, ItemKind::While(_)) {
                self.comment(item.place, indent);
            }
            self.indent(indent);
            self.item(item, indent);
            self.word("\n");
        }
    }

    pub(super) fn indent(&mut self, indent: usize) {
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn item(&mut self, item: &Item, indent: usize) {
        match &item.kind {
            ItemKind::Include { path, .. } => {
                self.word("include \"");
                self.word(path);
                self.word("\"");
            }
            ItemKind::Module(module) => {
                self.word("module ");
                self.word(&module.name.name);
                self.names(&module.params);
                self.word(" {\n");
                self.items(&module.items, indent + 2);
                self.indent(indent);
                self.word("}");
            }
            ItemKind::Use { module, args, prefix } => {
                self.word("use ");
                self.word(&module.name);
                self.names(args);
                if let Some(prefix) = prefix {
                    self.word(" as ");
                    self.word(&prefix.name);
                }
            }
            ItemKind::Sort { name, annotations } => {
                self.word("sort ");
                self.word(&name.name);
                self.annotations(annotations);
            }
            ItemKind::Symbol(symbol) => self.symbol(symbol),
            ItemKind::Formula { role, name, formula, proof } => {
                self.named(role.keyword(), name, formula, indent);
                self.opt_proof(proof.as_ref(), indent + 2);
            }
            ItemKind::Macro { name, params, body } => {
                self.word("macro ");
                self.word(&name.name);
                if !params.is_empty() {
                    self.word("(");
                    self.separated(params, Self::sorted_var);
                    self.word(")");
                }
                self.word(" =");
                self.hanging(body, indent + 2);
            }
            ItemKind::Trace { expect_sat, steps } => self.trace(*expect_sat, steps),
            ItemKind::Command(command) => self.command(command, indent),
            ItemKind::While(body) => {
                self.word("while * ");
                self.commands(body, indent);
            }
            // Translations have neither.
            ItemKind::Interpreted(_) | ItemKind::Unused(_) | ItemKind::Broken(_) => {}
        }
    }

    fn names(&mut self, names: &[Ident]) {
        if names.is_empty() {
            return;
        }
        self.word("(");
        self.separated(names, |printer, name| printer.word(&name.name));
        self.word(")");
    }

    fn symbol(&mut self, symbol: &SymbolDecl) {
        self.word(symbol.form.keyword());
        self.word(" ");
        self.separated(&symbol.names, |printer, name| printer.word(&name.name));
        match symbol.form {
            SymbolForm::Relation if !symbol.args.is_empty() => {
                self.word("(");
                self.separated(&symbol.args, Self::sort);
                self.word(")");
            }
            SymbolForm::Function => {
                self.word(": ");
                self.separated(&symbol.args, Self::sort);
                self.word(" -> ");
            }
            SymbolForm::Variable => self.word(": "),
            SymbolForm::Relation => {}
        }
        if let Some(result) = &symbol.result {
            self.sort(result);
        }
        self.annotations(&symbol.annotations);
    }

    /// Prints commands in braces.
    fn commands(&mut self, commands: &[Command], indent: usize) {
        self.word("{");
        self.rest_of_block(commands, indent);
    }

    fn rest_of_block(&mut self, commands: &[Command], indent: usize) {
        for command in commands.iter().filter(|command| !matches!(command.kind, CommandKind::Broken)) {
            self.newline(indent + 2);
            self.command(command, indent + 2);
        }
        self.newline(indent);
        self.word("}");
    }

    #[inline(never)]
    fn command(&mut self, command: &Command, indent: usize) {
        match &command.kind {
            CommandKind::Skip => self.word("skip"),
            CommandKind::Abort => self.word("abort"),
            CommandKind::Assume(formula) => {
                self.word("assume");
                self.hanging(formula, indent + 2);
            }
            CommandKind::Assert { formula, proof } => {
                self.word("assert");
                self.hanging(formula, indent + 2);
                self.opt_proof(proof.as_ref(), indent + 2);
            }
            CommandKind::Local(vars) => {
                self.word("local ");
                self.separated(vars, Self::sorted_var);
            }
            CommandKind::Havoc(target) => {
                self.word(&target.name);
                self.word(" := *");
            }
            CommandKind::Assign { target, args, value } => {
                self.word(&target.name);
                if let Some(args) = args {
                    self.list(args);
                }
                self.word(" :=");
                self.hanging(value, indent + 2);
            }
            CommandKind::Update { target, insert, args, condition } => {
                self.word(&target.name);
                self.word(if *insert { ".insert(" } else { ".remove(" });
                // A `|` would begin the condition.
                self.separated(args, |printer, arg: &Expr| printer.flat(arg, Level::Or.tighter()));
                if let Some(condition) = condition {
                    self.word(if args.is_empty() { "| " } else { " | " });
                    self.flat(condition, Level::Open);
                }
                self.word(")");
            }
            CommandKind::If { .. } => self.if_command(command, indent),
            CommandKind::Choice(branches) => {
                for (index, branch) in branches.iter().enumerate() {
                    if index > 0 {
                        self.word(" | ");
                    }
                    self.branch(branch, indent);
                }
            }
            CommandKind::Broken => {}
        }
    }

    fn if_command(&mut self, command: &Command, indent: usize) {
        let mut command = command;
        while let CommandKind::If { condition, then, otherwise } = &command.kind {
            self.word("if ");
            match condition {
                Some(condition) => {
                    self.flat(condition, Level::Open);
                    self.word(" ");
                }
                None => self.word("* "),
            }
            self.commands(then, indent);
            // A syntax error leaves no command, so the printed block would disappear.
            let otherwise_read: Vec<&Command> =
                otherwise.iter().filter(|command| command.kind != CommandKind::Broken).collect();
            match otherwise_read.as_slice() {
                [] => return,
                [only] if matches!(only.kind, CommandKind::If { .. }) => {
                    self.word(" else ");
                    command = only;
                }
                _ => {
                    self.word(" else ");
                    return self.commands(otherwise, indent);
                }
            }
        }
    }

    fn branch(&mut self, branch: &Branch, indent: usize) {
        if let Some(name) = &branch.name {
            self.word("action ");
            self.word(&name.name);
            if !branch.params.is_empty() {
                self.word("(");
                self.separated(&branch.params, Self::sorted_var);
                self.word(")");
            }
            self.word(" ");
        }
        let start = self.out.len();
        self.comment(branch.place, indent + 2);
        let comment = self.out.split_off(start);
        self.word("{");
        if !comment.is_empty() {
            self.word("\n");
            self.word(comment.trim_end_matches('\n'));
        }
        self.rest_of_block(&branch.body, indent);
    }
}
