"""Declarations for `ivy_programs.py` in which few names stand for many things: symbols, parameters, results, variables of statements and
of modules; and types whose elements are known in a part of the program alone."""
from ivy_further import Further

NAMES = ["x", "y", "z"]


class Names(Further):
    def feature_shadows(self):
        """An object in which everything has one of three names."""
        unit, module, watcher = self.fresh("sh"), self.fresh("mo"), self.fresh("wa")
        path = self.object_of(unit)
        self.object_of(watcher)
        states = self.rng.sample(NAMES, self.rng.choice([1, 2, 2]))
        self.open(f"object {unit} =")
        for name in states:
            self.emit(f"individual {name} : t")
        self.emit("individual k : t")
        self.emit("relation r(X:t)")
        self.emit("relation d(X:t)")
        self.emit(f"definition d(X) = {self.of_names([*states, 'X'], 2)}")
        module_states = self.open_module(module, states)
        self.emit(f"instance mi : {module}({', '.join(self.rng.choice([*states, 'k']) for _ in range(1))}, r)")
        self.actions_of_names = []
        for name in ["f", "g", "h"][: self.rng.choice([1, 2, 3])]:
            self.action_of_names(name, states, {"mi.m": 1})
        self.emit("after init {")
        self.emit(f"    r(X) := {self.rng.choice(['false', 'true', 'X = k', 'X ~= k'])};")
        self.emit("}")
        for _ in range(self.rng.choice([0, 1, 2])):
            self.monitor_of_names("", states)
        self.emit(f"invariant [{self.fresh('n')}] {self.of_names([*states, 'k', *(f'mi.{it}' for it in module_states)], 3)}")
        self.close()
        if self.chance(0.5):
            self.open(f"object {watcher} =")
            own = self.rng.sample(NAMES, 1)
            self.emit(f"individual {own[0]} : t")
            self.emit("relation r(X:t)")
            self.emit("relation d(X:t)")
            for _ in range(self.rng.choice([1, 2])):
                self.monitor_of_names(f"{unit}.", own)
            self.close()
        for name in self.actions_of_names:
            self.emit(f"export {unit}.{name[0]}")
        self.emit(f"export {unit}.mi.m")

    def open_module(self, module, states):
        """A module of a value and a relation; returns the names of its symbols."""
        value = self.rng.choice(NAMES)
        own = [self.rng.choice(NAMES if self.chance(0.1) else [it for it in NAMES if it != value])]
        self.open(f"module {module}({value}, q) =")
        self.emit(f"individual {own[0]} : t")
        param = self.rng.choice(NAMES if self.chance(0.1) else [it for it in NAMES if it != value])
        self.emit(f"action m({param}:t) = {{")
        self.indent += 1
        self.block_of_names([*own, value, param], "q", {}, 3)
        self.indent -= 1
        self.emit("}")
        self.emit(f"invariant {self.of_names([*own, value], 2, 'q')}")
        self.close()
        return own

    def action_of_names(self, name, states, calls):
        params = self.rng.sample(NAMES, self.rng.choice([0, 1, 1, 2]))
        results = [it for it in self.rng.sample(NAMES, 1) if it not in params or self.chance(0.2)] if self.chance(0.5) else []
        heading = name + (f"({', '.join(f'{it}:t' for it in params)})" if params else "")
        heading += f" returns ({results[0]}:t)" if results else ""
        self.emit(f"action {heading} = {{")
        self.indent += 1
        calls = {**calls, **{it[0]: len(it[1]) for it in self.actions_of_names}}
        self.block_of_names([*states, *params, *results, "k"], "r", calls, self.rng.randint(2, 5))
        self.indent -= 1
        self.emit("}")
        self.actions_of_names.append((name, params, results))

    def monitor_of_names(self, prefix, states):
        if not self.actions_of_names:
            return
        name, params, results = self.rng.choice(self.actions_of_names)
        when = self.rng.choice(["before", "after", "after"])
        if set(params) & set(results):
            return
        names = NAMES[:]
        self.rng.shuffle(names)
        renamed, outs = names[: len(params)], names[len(params) : len(params) + len(results)]
        heading = f"{prefix}{name}" + (f"({', '.join(f'{it}:t' for it in renamed)})" if params else "")
        heading += f" returns ({', '.join(f'{it}:t' for it in outs)})" if results and when == "after" else ""
        self.emit(f"{when} {heading} {{")
        self.indent += 1
        outs = outs if when == "after" else []
        self.block_of_names([*states, *renamed, *outs], "r", {}, 3)
        self.indent -= 1
        self.emit("}")

    def block_of_names(self, names, relation, calls, most, free=NAMES):
        """Statements, one per line, with these names for values. Ivy does not read a variable of the name of another one around
        it, so these are the free ones."""
        names = list(dict.fromkeys(names))
        for _ in range(most):
            kind, one, two = self.rng.randrange(11), self.rng.choice(names), self.rng.choice(names)
            if kind == 0:
                self.emit(f"{one} := {two};" if one != "k" else f"{relation}({two}) := true;")
            elif kind == 1:
                self.emit(f"{relation}({one}) := {self.rng.choice(['true', 'false', f'{relation}({two})'])};")
            elif kind == 2 and free:
                new = self.rng.choice(free)
                inner = [it for it in free if it != new]
                self.emit(f"var {new} : t;" if self.chance(0.3) else f"var {new} := {two};")
                names, free = list(dict.fromkeys([*names, new])), inner
            elif kind == 3 and free:
                new = self.rng.choice(free)
                inner = [it for it in free if it != new]
                order = " minimizing " + new if self.chance(0.1) else ""
                self.emit(f"if some {new}:t. {self.of_names([*names, new], 1, relation)}{order} {{")
                self.indent += 1
                self.block_of_names([*names, new], relation, {}, 2, inner)
                self.indent -= 1
                self.emit("};")
            elif kind == 4 and calls:
                name = self.rng.choice(sorted(calls))
                args = ", ".join(self.rng.choice(names) for _ in range(calls[name]))
                result = next((it[2] for it in self.actions_of_names if it[0] == name), [])
                target = self.rng.choice([it for it in names if it != "k"] or ["k"])
                self.emit(f"{target + ' := ' if result else 'call '}{name}{f'({args})' if args else ''};")
            elif kind == 5 and free:
                new = self.rng.choice(free)
                inner = [it for it in free if it != new]
                self.emit(f"local {new}:t {{")
                self.indent += 1
                self.emit(f"{new} := {two};" if two != new else f"{new} := *;")
                self.block_of_names([*names, new], relation, {}, 2, inner)
                self.indent -= 1
                self.emit("};")
            elif kind == 6:
                self.emit(f"if {self.of_names(names, 1, relation)} {{")
                self.indent += 1
                self.block_of_names(names, relation, {}, 2, free)
                self.indent -= 1
                self.emit("};")
            elif kind == 7:
                self.emit(f"{relation}(X) := {self.of_names([*names, 'X'], 1, relation)};")
            else:
                self.emit(f"{self.rng.choice(['assert', 'assert', 'ensure', 'require'])} {self.of_names(names, 2, relation)};")

    def of_names(self, names, depth, relation="r"):
        """A formula about these values and a relation."""
        one, two = self.rng.choice(names), self.rng.choice(names)
        if depth and self.chance(0.6):
            if self.chance(0.25):
                # The variable may be bound already.
                bound = self.rng.choice(["X", "Y"])
                inner = self.of_names([*names, bound, bound], depth - 1, relation)
                # Its type has to follow.
                return f"({self.rng.choice(['forall', 'exists'])} {bound}:t. {inner})"
            left, right = (self.of_names(names, depth - 1, relation) for _ in range(2))
            return f"({left} {self.rng.choice(['&', '|', '->', '|'])} {right})"
        text = self.rng.choice([f"{relation}({one})", f"{one} = {two}", f"{one} = {two}", f"{relation}({one})"])
        return text if self.chance(0.7) else f"~({text})"

    def feature_captured(self):
        """Variables of statements that hide others of their names, and macros that declare variables, with these for arguments."""
        one, two, name = self.fresh("ca"), self.fresh("ca"), self.fresh("cp")
        self.macros_of_names = []
        self.emit(f"individual {one} : t")
        self.emit(f"individual {two} : t")
        for _ in range(self.rng.choice([0, 1, 2])):
            macro, param = self.fresh("cm"), self.rng.choice(["p", *NAMES])
            self.emit(f"macro {macro}({param}) = {{")
            self.indent += 1
            # Ivy reads neither assertions in macros nor assignments to what their parameters are.
            self.hiding_block([param, one, two], 3, 1, {one, two}, asserts=False)
            self.indent -= 1
            self.emit("}")
            self.macros_of_names.append(macro)
        params = self.rng.sample(NAMES, self.rng.choice([0, 1]))
        self.emit(f"action {name}{f'({params[0]}:t)' if params else ''} = {{")
        self.indent += 1
        for it in self.rng.sample(NAMES, self.rng.choice([1, 2])):
            self.emit(f"var {it} : t := {self.rng.choice([one, two])};")
            params.append(it)
        self.hiding_block([*params, one, two], 5, 3, {one, *params} if self.chance(0.3) else set(params))
        self.indent -= 1
        self.emit("}")
        self.emit(f"export {name}")

    def hiding_block(self, names, most, depth, targets, asserts=True):
        """Statements about the values of names, in which blocks declare variables with names that are taken."""
        names = list(dict.fromkeys(names))
        # What variables have is mostly the value of one of the symbols.
        is_one = lambda name: " | ".join(f"{name} = {it}" for it in names if it not in NAMES)
        for _ in range(most):
            kind, first, second = self.rng.randrange(8), self.rng.choice(names), self.rng.choice(names)
            new = self.rng.choice(NAMES)
            value = self.rng.choice([second, second, f"({first} if {second} = {first} else {second})"])
            if kind == 0 and targets:
                self.emit(f"{self.rng.choice(sorted(targets & set(names)))} := {value};")
            elif kind in (1, 2) and depth:
                opening = self.rng.choice([f"local {new}:t {{", f"if some {new}:t. {new} {self.one_of('=', '~=')} {second} {{", f"if {first} = {second} {{", "if true {"])
                self.emit(opening)
                self.indent += 1
                own = {new} if new in opening.split(" {")[0].split(".")[0].split() or f"{new}:t" in opening else set()
                self.hiding_block([*names, *own], 3, depth - 1, targets | own, asserts)
                self.indent -= 1
                self.emit("};")
            elif kind == 3:
                self.emit(f"var {new} : t;" if self.chance(0.1) else f"var {new} : t := {value};")
                names, targets = list(dict.fromkeys([*names, new])), targets | {new}
                if asserts and self.chance(0.6):
                    self.emit(f"assert {is_one(new)};")
            elif kind == 4 and asserts and self.macros_of_names:
                self.emit(f"instantiate {self.rng.choice(self.macros_of_names)}({first});")
            elif asserts:
                self.emit(f"assert {self.one_of(f'{first} = {second}', is_one(first))};")

    def feature_ranged(self):
        """A type of few numbers, which isolates see or do not see."""
        owner, user, sort = self.fresh("rn"), self.fresh("ru"), self.fresh("rt")
        low, high = self.rng.choice([(0, 1), (0, 2), (1, 2), (0, 3)])
        self.open(f"{self.rng.choice(['object', 'isolate'])} {owner} =")
        is_private = self.chance(0.3)
        if is_private:
            self.open(self.rng.choice(["implementation", "specification", "private"]))
        if self.chance(0.6):
            self.emit(f"type {sort} = {{{low}..{high}}}")
        else:
            self.emit(f"type {sort}")
            self.emit(f"interpret {sort} -> {self.rng.choice([f'{{{low}..{high}}}', 'bv[1]', 'nat', 'int'])}")
        if is_private:
            self.close()
        self.emit(f"individual v : {sort}")
        options = lambda at: [" | ".join(f"X:{at} = {it}" for it in range(low, high + 1)), f"X:{at} = {low} | X = {high}", f"{low}:{at} < {high}", f"{low} <= X:{at}", f"X:{at} <= {high}", f"{low}:{at} ~= {high}",
                              f"X:{at} < Y & Y < Z -> X < Z", f"~(X:{at} < {low})"]
        self.emit(f"property [{self.fresh('n')}] {self.rng.choice(options(sort))}")
        self.close()
        self.open(f"isolate {user} =")
        at = f"{owner}.{sort}"
        for _ in range(self.rng.choice([1, 2])):
            self.emit(f"property [{self.fresh('n')}] {self.rng.choice(options(at))}")
        if self.chance(0.5):
            self.emit(f"action go(x:{at}) = {{")
            self.emit(f"    {owner}.v := {self.rng.choice(['x', str(low), str(high)])};")
            self.emit(f"    assert {self.rng.choice([f'{owner}.v <= {high}', f'{owner}.v ~= {high}', f'{owner}.v = {low} | {owner}.v = {high}', f'{low} <= {owner}.v'])};")
            self.emit("}")
        seen = self.rng.choice(["", "", f" with {owner}", f" with {at}", " with this"])
        self.close(seen)
        if any(line.strip() == f"action go(x:{at}) = {{" for line in self.lines):
            self.emit(f"export {user}.go")
        for it in (owner, user):
            self.object_of(it)
