"""Random statements in Ivy's language, for `ivy_programs.py`, one per line."""
import re

from ivy_formulas import Formulas, Symbol


class Statements(Formulas):
    def callable(self, scope):
        found = []
        for action in self.actions:
            if action.rank < scope.rank and self.action_reference(action, scope):
                found.append(action)
        return found

    def action_reference(self, action, scope):
        return self.reference(Symbol(action.name, [sort for _, sort in action.params], "", "action", action.path), scope)

    def call_text(self, action, scope):
        name, sorts = self.action_reference(action, scope)
        depth = 1 if self.minor >= 7 else 0
        args = [self.term(it, scope.inner(calls=0), depth) for it in sorts]
        return self.apply(name, args)

    def targets(self, scope):
        return [it for sort in self.sorts + ["bool"] for it in self.candidates(scope, sort, ("state", "local"))]

    def target(self, scope, result):
        """A variable or constant that a result can be assigned to."""
        names = [name for name, sort in scope.vars.items() if sort == result]
        found = [it for it in self.candidates(scope, result, ("state",))]
        names += [self.apply(name, [self.term(it, scope.inner(calls=0), 0) for it in sorts]) for _, name, sorts in found][:2]
        if self.is_wide and self.chance(0.4):
            names += [self.field_text(name, field_name, []) for name, sort in scope.vars.items() if sort in self.structs
                      for field_name, args, of in self.structs[sort] if of == result and not args]
        return self.rng.choice(names) if names else None

    def assign(self, scope):
        targets = self.targets(scope)
        names = [(name, sort) for name, sort in scope.vars.items()]
        structs = [it for it in targets if it[0].result in self.structs]
        if self.is_wide:
            structs += [(Symbol(name, [], sort, "state"), name, []) for name, sort in names if sort in self.structs] * 2
        if structs and self.chance(0.5):
            return self.assign_field(scope, self.rng.choice(structs))
        if names and (not targets or self.chance(0.25)):
            name, sort = self.rng.choice(names)
            value = "*" if self.chance(0.12) else self.term(self.given(sort), scope.inner(calls=1))
            return self.emit(f"{name} := {value};")
        if not targets:
            return None
        symbol, name, sorts = self.rng.choice(targets)
        args, bound = [], []
        free = iter(self.rng.sample(["X", "Y", "Z", "W"], 4))
        for sort in sorts:
            if self.chance(0.4) and sort not in self.structs:
                variable = next(free)
                bound.append((variable, sort, None))
                args.append(f"{variable}:{sort}" if self.chance(0.15) else variable)
            else:
                args.append(self.term(sort, scope.inner(calls=0), 1))
        inner = scope.inner(bound=scope.bound + bound, calls=1 if not bound else 0)
        if self.chance(0.1):
            value = "*"
        elif symbol.result == "bool":
            value = self.rng.choice(["true", "false"]) if self.chance(0.45) else self.formula(inner, 1, None)
        else:
            # At places with arguments Ivy has no values of variants.
            value = self.term(symbol.result if args else self.given(symbol.result), inner)
        return self.emit(f"{self.apply(name, args)} := {value};")

    def given(self, sort):
        """The sort of a value that may be assigned."""
        return self.variant if self.variant and sort == "t" and self.chance(0.4) else sort

    def assign_field(self, scope, target):
        symbol, name, sorts = target
        bound, args = [], []
        for sort in sorts:
            if self.chance(0.3):
                bound.append(("X", sort, None))
                args.append("X")
            else:
                args.append(self.term(sort, scope.inner(calls=0), 1))
        whole, struct = self.apply(name, args), symbol.result
        while True:
            field_name, field_args, result = self.rng.choice(self.structs[struct])
            if result not in self.structs or field_args or self.chance(0.2):
                break
            whole, struct = self.field_text(whole, field_name, []), result
        inner = scope.inner(bound=scope.bound + bound, calls=0)
        more = []
        for sort in field_args:
            if self.chance(0.5):
                bound.append(("Y", sort, None))
                more.append("Y")
            else:
                more.append(self.term(sort, scope.inner(calls=0), 0))
        inner = scope.inner(bound=scope.bound + bound, calls=1 if self.is_wide and not bound else 0)
        star = 0.02 if self.is_wide else 0.1
        value = "*" if self.chance(star) else self.term(result, inner, 1) if result != "bool" else self.formula(inner, 1, None)
        target = self.apply(field_name, [whole] + more) if self.only_functions or self.chance(0.4) else self.apply(f"{whole}.{field_name}", more)
        return self.emit(f"{target} := {value};")

    def about_fields(self, scope):
        """Compares a field of two values, one of them mostly a variable."""
        struct = self.rng.choice(list(self.structs))
        field_name, field_args, result = self.rng.choice(self.structs[struct])
        values = [name for name, sort in scope.vars.items() if sort == struct]
        base = self.rng.choice(values) if values and self.chance(0.8) else self.term(struct, scope.inner(calls=0), 1)
        args = [self.term(it, scope.inner(calls=0), 0) for it in field_args]
        other = self.term(struct, scope.inner(calls=0), 1)
        if base.startswith(("(", "old ")) or other == base:
            return self.check(scope, self.words())
        if self.is_old_name(other, scope):
            right = self.apply(f"{other[1:-1]}.{field_name}", args)
        elif other.startswith(("(", "old ")) or self.chance(0.3):
            right = self.term(result, scope.inner(calls=0), 1)
        else:
            right = self.field_text(other, field_name, args)
        left = self.field_text(base, field_name, args)
        if result == "bool":
            text = f"({left}) {self.rng.choice(['<->', '->'])} ({right})"
        elif left == right or result in self.enums and right.startswith("("):
            text = "true"
        else:
            text = f"{left} {self.rng.choice(['=', '=', '=', '~='])} {right}"
        word = self.rng.choice([it for it in self.words() if it != "assume" or self.assumes])
        label = f"[{self.fresh('l')}] " if self.minor < 7 else ""
        return self.emit(f"{word} {label}{text};")

    def check(self, scope, words):
        word = self.rng.choice(words)
        label = ""
        if self.minor < 7 or self.chance(0.15):
            label = f"[{self.fresh('l')}] "
        text = self.claim(scope, word != "assume") if self.chance(0.4) else self.formula(scope.inner(calls=1), 2, True)
        self.emit(f"{word} {label}{text};")

    def words(self):
        if self.assumes:
            return ["assume"]
        words = ["assume", "assert", "assert"]
        return words + ["require", "require", "ensure"] if self.minor >= 7 else words

    def statement(self, scope, depth):
        """Emits a statement; the scope changes where it declares a variable."""
        shape = self.rng.choice(["assign"] * 8 + ["check"] * 3 + ["if"] * 3 + ["call"] * 3 + ["var", "local", "block", "macro"] + ["while", "relation"] * (self.minor >= 7) +
                                (["fields"] * 4 + ["call"] * 3 if self.is_wide and self.structs else ["assign"]))
        if shape == "fields":
            self.about_fields(scope)
        elif shape == "check":
            self.check(scope, self.words())
        elif shape == "call" and (actions := self.callable(scope)):
            self.call(scope, self.rng.choice(actions))
        elif shape == "var" and self.minor >= 6:
            self.var(scope)
        elif shape == "local" and depth > 0:
            name, sort = self.local_name(scope), self.rng.choice(self.value_sorts())
            self.open(f"local {name}:{self.sort_text(sort)}")
            self.block(scope.inner(vars={**scope.vars, name: sort}, params=scope.params - {name}), depth - 1, 3)
            self.close(";" if self.chance(0.3) else "")
        elif shape == "block" and depth > 0:
            self.open("")
            self.lines[-1] = self.lines[-1].replace(" {", "{")
            self.block(scope, depth - 1, 2)
            self.close(";" if self.chance(0.3) else "")
        elif shape == "if" and depth > 0:
            self.if_(scope, depth)
        elif shape == "while" and depth > 0 and scope.rank and not self.assumes:
            self.while_(scope, depth)
        elif shape == "relation" and depth > 0 and not self.assumes:
            self.local_relation(scope, depth)
        elif shape == "macro" and self.macros and not scope.path:
            name, sorts, body = self.rng.choice(self.macros)
            # Ivy does not find parameters of actions there, nor what the macro mentions itself.
            args = [self.literal(it) for it in sorts]
            if any(re.search(rf"\b{re.escape(it)}\b", body) for it in args):
                self.assign(scope)
            else:
                self.emit(f"instantiate {self.apply(name, args)};")
        else:
            self.assign(scope)

    def local_relation(self, scope, depth):
        """A block with a relation of its own, which has any value at first."""
        name, sort = self.fresh("lr"), self.rng.choice(self.base_sorts())
        symbol = Symbol(name, [sort], "bool", "local")
        self.open("")
        self.lines[-1] = self.lines[-1].replace(" {", "{")
        self.emit(f"var {name}(X:{self.sort_text(sort)}) : bool;")
        self.symbols.append(symbol)
        if self.chance(0.7):
            self.emit(f"{name}(X) := {self.formula(scope.inner(bound=scope.bound + [('X', sort, None)], calls=0), 1, None)};")
        self.block(scope.inner(vars=dict(scope.vars)), depth - 1, 3)
        if self.chance(0.5):
            self.emit(f"assert {self.claim(scope)};")
        self.symbols.remove(symbol)
        self.close()

    def local_name(self, scope):
        if self.chance(0.03) and self.objects:
            return self.rng.choice(self.objects)[1]
        if self.chance(0.15):
            hidden = list(scope.vars) + [it.name for it in self.symbols if not it.args and not it.path and it.kind == "state"]
            if hidden:
                return self.rng.choice(hidden)
        return self.fresh("v")

    def var(self, scope):
        name = self.local_name(scope)
        sort = self.rng.choice(self.base_sorts() + ["bool"] + list(self.structs))
        value = self.term(sort, scope.inner(calls=1)) if self.chance(0.6) else None
        if value is None:
            self.emit(f"var {name} : {self.sort_text(sort)};")
        elif self.chance(0.2) and sort != "bool":
            self.emit(f"var {name} := {value};")
        else:
            self.emit(f"var {name} : {self.sort_text(sort)} := {value};")
        scope.vars[name] = sort
        scope.params -= {name}

    def call(self, scope, action):
        call = self.call_text(action, scope)
        if not action.returns:
            return self.emit(f"call {call};" if self.minor < 7 or self.chance(0.7) else f"{call};")
        targets = [self.target(scope, sort) for _, sort in action.returns]
        if None in targets or len(set(targets)) < len(targets):
            return self.assign(scope)
        left = ", ".join(targets)
        if len(targets) > 1 and self.minor >= 7:
            left = f"({left})"
        word = "call " if len(targets) > 1 and self.minor < 7 else ""
        return self.emit(f"{word}{left} := {call};")

    def while_(self, scope, depth):
        """A loop. Ivy counts neither what its condition nor what its invariants call."""
        inner = scope.inner(has_old=False, calls=0)
        self.emit(f"while {self.formula(inner, 1, None, False)}")
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            self.emit(f"    invariant {self.claim(inner)}")
        if self.chance(0.15):
            self.emit(f"    decreases {self.term(self.rng.choice(['t', 'n'] if self.numbers else ['t']), inner, 1)}")
        self.open("")
        self.lines[-1] = self.lines[-1].replace(" {", "{")
        self.block(scope.inner(vars=dict(scope.vars)), depth - 1, 2)
        self.close()

    def if_(self, scope, depth):
        kind = self.rng.choice(["plain", "plain", "star", "some", "chain"] + ["several", "variant"] * (self.minor >= 7 and self.chance(0.3)))
        if kind == "variant" and not self.variant:
            kind = "plain"
        if kind == "several":
            params = [(self.local_name(scope), self.rng.choice(self.value_sorts())) for _ in range(2)]
            changed = dict(params)
            then = scope.inner(vars={**scope.vars, **changed}, params=scope.params - set(changed), calls=0)
            inside = ", ".join(f"{name}:{self.sort_text(changed[name])}" for name in changed)
            condition = f"some ({inside}) {self.formula(then.inner(has_old=False), 1, None, False)}"
        elif kind == "variant":
            name = self.fresh("v")
            then = scope.inner(vars={**scope.vars, name: self.variant}, calls=0)
            condition = f"{name}:{self.variant} := {self.term('t', scope.inner(calls=0), 1)}"
        elif kind == "star":
            condition, then = "*", scope
        elif kind == "some":
            name, sort = self.local_name(scope), self.rng.choice(self.value_sorts())
            then = scope.inner(vars={**scope.vars, name: sort}, params=scope.params - {name}, calls=0)
            condition = f"some {name}:{self.sort_text(sort)}. {self.formula(then.inner(has_old=False), 1, None, False)}"
            if self.minor >= 7 and sort in ("t", "u") and self.chance(0.3):
                term = name if self.chance(0.6) else self.term(self.rng.choice(["t", sort]), then.inner(has_old=False, calls=0), 1)
                condition += f" {self.rng.choice(['minimizing', 'maximizing'])} {term}"
        else:
            condition, then = self.condition(scope), scope
        self.open(f"if {condition}")
        self.block(then.inner(calls=0), depth - 1, 3)
        if kind == "chain":
            for _ in range(self.rng.choice([1, 1, 2])):
                self.indent -= 1
                self.open(f"}} else if {self.condition(scope)}")
                self.block(scope, depth - 1, 2)
        if kind == "star" or self.chance(0.5):
            self.indent -= 1
            self.open("} else")
            self.block(scope, depth - 1, 2)
        self.close(";" if self.chance(0.3) else "")

    def condition(self, scope):
        return self.formula(scope.inner(calls=1), 1, None)

    def block(self, scope, depth, most):
        scope = scope.inner()
        for _ in range(self.rng.randint(1, most)):
            self.statement(scope, depth)
