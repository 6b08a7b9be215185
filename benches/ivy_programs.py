"""Random programs in Ivy's language, for `ivy_peer.py`: small, mostly well-typed, with one statement or declaration per line.

What is left out on purpose, because Ivy 1.8.26 has no answer that counts there:
- symbols that occur under `old` alone (it erases assignments to them): each gets a claim that mentions it;
- assertions without labels up to 1.6 (it crashes where the action is called or monitored);
- equations between two values of an enumeration alone, or with a value chosen by `if` (it does not always know that they differ);
- equations with a value of an enumeration on the left (it does not assume them);
- `>`, `<=`, `>=` of a type whose `<` is defined (in statements, and where a claim has no `<`, it forgets the definition);
- equations between structs, but for some;
- `old` of parameters that a monitor has other names for (it takes them for any value);
- `old f(x).g` of a field (it reads the value now);
- quantifiers whose variable does not occur and has the name of the parameter of an instance (it binds that);
- fields that a module's parameter stands for, after a dot (it does not put the argument there);
- arguments of macros that the macro mentions itself (it does not find them);
- calls without exports beside monitors and initializers up to 1.6 (it takes monitors for exported actions, or exports none);
- monitors without a list of parameters, of `around`, `export action` and `import action` (it does not find their parameters),
  or after an object with parameters (it counts those as well);
- alternating quantifiers in a circle of sorts (it refuses them);
- exported actions that are delegated (from 1.7 on it refuses them, unless the last action of the program is delegated as well);
- `explicit` before definitions (Ramsey knows them all the same), and labels of definitions in proofs (Ivy has names of symbols alone);
- two `after init` of one object up to 1.6 (it refuses them), and `attribute method` up to 1.5 (it reads none);
- networks of the library up to 1.6 (they have isolates, beside which it verifies nothing else);
- what is required in an object `impl`, unless an isolate lists the object around it (it does not find what shows it);
- monitors in isolates with parameters of actions elsewhere (it takes all parameters of the action for further ones);
- structs whose fields nothing mentions (it forgets that they are equal if their fields are);
- definitions whose parameters are constants, `q(x:t)` (it uses them for terms without variables alone);
- monitors with statements after others in programs without exports up to 1.6 (it takes them for actions of their own).
"""
import re

from ivy_features import FEATURES, Features
from ivy_formulas import Action, Scope, Symbol
from ivy_mistakes import with_mistake


class Generator(Features):
    only = ()  # the kinds of rarer declarations that there are, if they are chosen

    def declare(self, name, args, result, kind, path, keyword=None):
        symbol = Symbol(name, args, result, kind, path)
        self.symbols.append(symbol)
        self.declared.add((path, name))
        variables = iter("XYZ")
        args = ", ".join(f"{next(variables)}:{self.sort_text(it)}" for it in args)
        args = f"({args})" if args else ""
        if kind == "derived":
            return symbol
        if keyword is None:
            if result == "bool":
                keyword = "relation" if self.chance(0.8) or args else "var"
                if keyword == "var":
                    args = " : bool"
            else:
                keyword = "function" if args else self.rng.choice(["individual", "individual", "var"])
                if keyword == "var" and self.minor < 5:
                    keyword = "individual"
        if result != "bool":
            args += f" : {self.sort_text(result)}"
        self.emit(f"{keyword} {name}{args}")
        return symbol

    def declare_symbols(self, path, least, most):
        for _ in range(self.rng.randint(least, most)):
            shape = self.rng.choice(["r1", "r1", "r2", "r0", "f", "c", "c", "s"])
            name = self.fresh("r" if shape[0] == "r" else shape)
            if path and self.chance(0.15):
                outer = [it for it in self.symbols if not it.path and it.kind == "state"]
                if outer:
                    name = self.rng.choice(outer).name
                    if (path, name) in self.declared:
                        continue
            sorts = self.base_sorts()
            if shape == "r1":
                self.declare(name, [self.rng.choice(sorts)], "bool", "state", path)
            elif shape == "r2":
                self.declare(name, [self.rng.choice(sorts), self.rng.choice(sorts)], "bool", "state", path)
            elif shape == "r0":
                self.declare(name, [], "bool", "state", path)
            elif shape == "f":
                results = [it for it in self.sorts if it != "t"]
                if results:
                    self.declare(name, ["t"], self.rng.choice(results), "state", path)
            elif shape == "c":
                self.declare(name, [], self.rng.choice(sorts), "state", path)
            elif self.structs:
                self.declare(name, [], self.rng.choice(list(self.structs)), "state", path)

    def derived(self, path):
        name = self.fresh("q")
        sorts = [self.rng.choice(self.base_sorts()) for _ in range(self.rng.choice([0, 1, 1, 2]))]
        result = "bool" if self.chance(0.75) else self.rng.choice(self.base_sorts())
        if result == "t" and "t" in sorts:
            result = "bool"
        names = ["X", "Y"][: len(sorts)]
        scope = Scope(path=path, bound=[(it, sort, None) for it, sort in zip(names, sorts)])
        body = self.formula(scope, 1, None, self.chance(0.3) and "t" not in sorts) if result == "bool" else self.term(result, scope)
        params = ", ".join(f"{it}:{self.sort_text(sort)}" for it, sort in zip(names, sorts))
        params = f"({params})" if params else ""
        value = "" if result == "bool" else f" : {result}"
        keyword = "relation" if result == "bool" else "function" if params else "individual"
        if result == "bool" and self.chance(0.25):
            is_private = self.section(0.5)
            self.emit(f"derived {name}{params} = {body}")
            if is_private:
                self.close()
        elif self.chance(0.5) or keyword == "individual":
            self.emit(f"{keyword} {name}{params}{value}")
            is_private = path and self.section(0.5)
            label = f"[{self.fresh('d')}] " if self.minor >= 7 and self.chance(0.2) else ""
            self.emit(f"definition {label}{name}{re.sub(r':[a-z0-9]+', '', params) if self.chance(0.5) else params} = {body}")
            if is_private:
                self.close()
        else:
            self.emit(f"{keyword} {name}{params}{value} = {body}")
        self.declare(name, sorts, result, "derived", path)

    def label(self, probability=0.5):
        return f"[{self.fresh('n')}] " if self.chance(probability) else ""

    def invariants(self, path, least, most):
        for _ in range(self.rng.randint(least, most)):
            word = "conjecture" if self.minor < 7 else self.rng.choice(["invariant"] * 5 + ["conjecture"])
            text = self.claim(Scope(path=path))
            self.emit(f"{word} {self.label()}{text}")

    def once(self, key):
        """Whether this is the first time; up to 1.6, a second monitor or initializer would be a second one with its name."""
        is_first = key not in self.seen
        self.seen.add(key)
        return is_first

    def initializer(self, path, parameterized):
        if self.minor < 7 and not self.once(("init", path)):
            return
        self.open("after init")
        scope = Scope(path=path, rank=100 if self.chance(0.3) and not parameterized else 0, is_code=True)
        if parameterized:
            for _ in range(self.rng.randint(1, 2)):
                self.assign_plain(scope)
        else:
            for symbol, name, sorts in self.targets(scope):
                if self.chance(0.6) and symbol.result == "bool":
                    args = [f"{it}{k}" for k, it in enumerate(["X", "Y", "Z"][: len(sorts)])]
                    self.emit(f"{self.apply(name, args)} := {self.rng.choice(['false', 'false', 'true'])};")
            self.block(scope, 1, 2)
        self.close()

    def assign_plain(self, scope):
        targets = [it for it in self.targets(scope) if it[0].result == "bool"]
        if targets:
            symbol, name, sorts = self.rng.choice(targets)
            args = ["X", "Y", "Z"][: len(sorts)]
            self.emit(f"{self.apply(name, args)} := {self.rng.choice(['true', 'false'])};")

    def signature(self, sorts=None):
        sorts = sorts or self.value_sorts() + (["bool"] if self.minor >= 7 and self.chance(0.2) else [])
        names = ["x", "y", "z"]
        constants = [it.name for it in self.symbols if not it.args and not it.path and it.kind == "state"]
        if constants and self.chance(0.1):
            names[0] = self.rng.choice(constants)
        params = [(name, self.rng.choice(sorts)) for name in names[: self.rng.choice([0, 1, 1, 2])]]
        returns = []
        if self.chance(0.4):
            for name in ["o1", "o2"][: self.rng.choice([1, 1, 1, 2])]:
                if params and self.chance(0.15) and params[0] not in returns:
                    returns.append(params[0])
                else:
                    returns.append((name, self.rng.choice(sorts)))
        return params, returns

    def parameters(self, variables):
        return ", ".join(f"{name}:{self.sort_text(sort)}" for name, sort in variables)

    def heading(self, name, params, returns):
        text = name + (f"({self.parameters(params)})" if params else "")
        return text + (f" returns ({self.parameters(returns)})" if returns else "")

    def action(self, path):
        params, returns = self.signature()
        action = Action(self.fresh("a"), params, returns, path, len(self.actions) + 1)
        self.declared.add((path, action.name))
        heading = self.heading(action.name, params, returns)
        kind = self.rng.choice(["body"] * 7 + ["declared", "import"] if self.minor >= 6 else ["body"])
        scope = Scope(path=path, vars=dict(params + returns), params=frozenset(it for it, _ in params), rank=action.rank, has_old=True, is_code=True)
        if kind == "body":
            action.is_plain = self.minor < 7 or self.chance(0.9)
            self.open(f"{'' if action.is_plain else 'export '}action {heading} =")
            self.block(scope, 2, 4)
            self.close()
        elif kind == "import" and not path and self.minor >= 7:
            self.emit(f"import action {heading}")
            action.has_body = action.is_plain = False
        else:
            self.emit(f"action {heading}")
            action.has_body = False
        self.actions.append(action)
        return action, kind

    def monitor(self, action, when, path=None):
        path = action.path if path is None else path
        if self.minor < 7 and not self.once((when, path, action.path, action.name)):
            return
        reference = self.action_reference(action, Scope(path=path))
        if not reference:
            return
        name, _ = reference
        outer = [it for it in action.path if it[1] and it not in path]
        if outer:
            return
        params, returns = list(action.params), list(action.returns)
        if not params and returns and self.chance(0.3):
            # A result has another name where there is no list of parameters.
            returns = [(self.fresh("m"), sort) for _, sort in returns]
            heading = self.heading(name, params, returns)
        elif self.chance(0.4) and when != "around" and action.is_plain and not self.leaks:
            heading = name
        else:
            if self.chance(0.3) and not set(params) & set(returns):
                params = [(self.fresh("m"), sort) for _, sort in params]
                if self.chance(0.5):
                    returns = [(self.fresh("m"), sort) for _, sort in returns]
            heading = self.heading(name, params, returns)
        before = dict(params)
        known = frozenset(before) if params == action.params else frozenset()
        scope = Scope(path=path, vars=dict(before), params=known, rank=action.rank, has_old=when != "before" or self.chance(0.2), is_code=True)
        if when in ("after", "implement", "around"):
            scope.vars.update(returns)
        if when == "around":
            self.open(f"around {heading}")
            self.block(scope.inner(vars=dict(before)), 1, 2)
            self.emit("...")
            self.block(scope, 1, 2)
            self.close()
            return
        self.open(f"{when} {heading}")
        # Up to 1.6, Ivy assumes what `implement` of an exported action asserts.
        self.assumes = self.minor < 7 and when == "implement"
        self.block(scope, 1, 2 if when != "implement" else 3)
        self.assumes = False
        self.close()

    def monitors(self, path):
        for action in self.actions:
            if action.path != path and not self.chance(0.3 if not path else 0 if any(it[1] for it in path) else 0.1):
                continue
            if self.chance(0.25):
                for _ in range(self.rng.choice([1, 1, 2, 3])):
                    kinds = ["before", "after"] + (["around"] if self.minor >= 7 else [])
                    self.monitor(action, self.rng.choice(kinds), path)

    def types(self):
        self.emit("type t")
        if self.chance(0.5):
            self.sorts.append("u")
            self.emit(f"{'finite ' if self.is_wide and self.minor >= 7 and self.chance(0.1) else ''}type u")
        if self.chance(0.4):
            self.sorts.append("e")
            values = [f"e{k}" for k in range(self.rng.choice([1, 2, 2, 3]))]
            self.enums["e"] = values
            self.emit(f"type e = {{{', '.join(values)}}}")
            for value in values:
                self.symbols.append(Symbol(value, [], "e", "value"))
        if self.chance(0.25) and self.minor >= 7:
            self.sorts.append("n")
            self.numbers = self.rng.choice(["int", "nat", "bv[2]", "bv[8]", "{0..3}", "{0..99}", "{1..3}", "{2..5}"])
            if self.numbers[0] == "{" and self.chance(0.5):
                self.emit(f"type n = {self.numbers}")
            else:
                self.emit("type n")
                self.emit(f"interpret n -> {self.numbers}")
        if self.chance(0.2) and self.minor >= 5:
            sort = self.rng.choice(self.base_sorts())
            self.aliases["al"] = sort
            self.emit(f"alias al = {sort}")
        if self.chance(0.7 if self.is_wide else 0.25) and self.minor >= 5:
            self.struct("s", "g", [1, 2, 2])
            if self.is_wide and self.chance(0.4):
                self.struct("w", "h", [1, 2])

    def further(self):
        """Declares a variant, the order and values chosen among several ones, perhaps."""
        self.is_defined_order = False
        if self.minor >= 7 and self.chance(0.2):
            self.variant = "va"
            self.sorts.append("va")
            self.emit(f"variant va of t{' = struct { gv : bool }' if self.chance(0.3) else ''}")
        if self.chance(0.2):
            symbol = self.declare(self.fresh("lt"), ["t", "t"], "bool", "state", ())
            self.orders = self.is_defined_order = True
            rest = self.rng.choice(["", " & X ~= Y", f" | {symbol.name}(Y,X)"])
            self.emit(f"definition (X:t < Y:t) = {symbol.name}(X,Y){rest}")
        elif self.orders and self.chance(0.3):
            self.emit("relation (X:t < Y:t)")
        if self.minor >= 7 and self.chance(0.2):
            among = self.declare(self.fresh("am"), ["t"], "bool", "rigid", ())
            symbol = self.declare(self.fresh("so"), [], "t", "rigid", (), "individual")
            other = self.declare(self.fresh("el"), [], "t", "rigid", (), "individual")
            rest = f" in Y else {other.name}" if self.chance(0.4) else ""
            self.emit(f"definition {symbol.name} = some Y:t. {among.name}(Y){rest}")

    def struct(self, sort, stem, sizes):
        """Declares a type with fields, of earlier types."""
        fields = []
        for k in range(self.rng.choice(sizes)):
            args = [self.rng.choice(self.base_sorts())] if self.chance(0.2) else []
            results = [it for it in self.base_sorts() if it != "t" or not args] + ["bool"]
            results += [it for it in self.structs if not args] * 3
            fields.append((f"{stem}{k}", args, self.rng.choice(results)))
        if self.chance(0.3):
            self.emit(f"type {sort}")
            for name, args, result in fields:
                self.emit(f"destructor {name}(S:{sort}{',X:' + args[0] if args else ''}) : {result}")
        else:
            texts = [f"{name}{'(X:' + args[0] + ')' if args else ''} : {result}" for name, args, result in fields]
            self.emit(f"type {sort} = struct {{ {', '.join(texts)} }}")
        self.structs[sort] = fields
        self.sorts.append(sort)

    def object_(self, path, depth):
        parameter = self.rng.choice([None, None, "t", "u" if "u" in self.sorts else "t"]) if self.minor >= 5 else None
        name = self.fresh("o")
        is_isolate = self.isolated and self.chance(0.6)
        if is_isolate and self.chance(0.8):
            parameter = None
        word = "object" if not is_isolate else "trusted isolate" if self.chance(0.05) else "isolate"
        if parameter:
            self.leaks = True
            self.open(f"{word} {name}(p{depth}:{parameter}) =")
        else:
            self.open(f"{word} {name} =")
        self.declared.add((path, name))
        inner = path + ((name, parameter),)
        self.body(inner, depth + 1)
        self.close(self.with_(path) if is_isolate else "")
        self.objects.append((path, name))
        if not parameter and not is_isolate and self.minor >= 7 and self.chance(0.25):
            self.continued(inner)
        return inner

    def continued(self, path):
        """A block that continues an object, which the blocks before do not see."""
        self.open(f"object {path[-1][0]} =")
        self.emit("...")
        self.declare_symbols(path, 1, 2)
        outer = [it for it in self.symbols if not it.path and it.kind == "state" and (path, it.name) not in self.declared]
        if outer and self.chance(0.6):
            hidden = self.rng.choice(outer)
            self.declare(hidden.name, hidden.args, hidden.result, "state", path)
        self.action(path)
        self.invariants(path, 0, 1)
        self.close()

    def with_(self, path):
        """What an isolate in an object sees."""
        names = [name for at, name in self.objects if at == path] + (["this"] if self.chance(0.6) else [])
        names += [it.name for it in self.actions if it.path == path and self.chance(0.1)]
        chosen = [it for it in names if self.chance(0.7)]
        return f" with {', '.join(chosen)}" if chosen else ""

    def section(self, probability=0.15):
        """Begins a section, perhaps. Returns whether it did."""
        is_begun = self.isolated and self.minor >= 7 and self.chance(probability)
        if is_begun:
            self.open(self.rng.choice(["specification", "implementation", "private"]))
        return is_begun

    def named_isolates(self):
        for path, name in self.objects:
            if not path and self.chance(0.3):
                others = [it for at, it in self.objects if not at and it != name]
                more = f", {self.rng.choice(others)}" if others and self.chance(0.2) else ""
                self.emit(f"{'trusted ' if self.chance(0.1) else ''}isolate {self.fresh('iso')} = {name}{more}{self.with_(path)}")

    def body(self, path, depth):
        """The declarations of an object, or of the program."""
        parameterized = any(it[1] for it in path)
        if not path:
            for sort in self.sorts:
                self.declare(self.fresh("c"), [], sort, "state", (), "individual")
        self.declare_symbols(path, 1 if path else 2, 2 if path else 4)
        if self.chance(0.3):
            self.derived(path)
        for _ in range(self.rng.choice([1, 2, 2, 3]) if self.isolated and depth == 0 else 1):
            if depth < 2 and self.chance((0.9 if self.isolated else 0.35) if depth == 0 else 0.15):
                self.object_(path, depth)
        if not path:
            self.axioms()
            self.module_()
            if self.is_wide and self.structs and self.minor >= 5 and self.chance(0.3):
                self.field_module()
            if self.chance(0.12):
                self.macro()
        early = self.chance(0.3)
        if early:
            self.invariants(path, 1, 1)
        is_private = self.section(0.1)
        if self.chance(0.8):
            self.initializer(path, parameterized)
        if is_private:
            self.close()
        if not path and self.minor < 7 and self.chance(0.3):
            self.emit(f"init {self.label(0.3)}{self.claim(Scope())}")
        implement = []
        for _ in range(self.rng.randint(1 if not path else 0, 3 if not path else 2)):
            action, kind = self.action(path)
            if kind == "declared" and self.chance(0.8):
                implement.append(action)
            if self.chance(0.2):
                self.monitor(action, self.rng.choice(["before", "after"]), path)
        is_private = self.section(0.3)
        for action in implement:
            self.monitor(action, "implement", path)
        if is_private:
            self.close()
        is_private = self.section()
        self.monitors(path)
        if is_private:
            self.close()
        if not path and self.chance(0.2):
            self.initializer(path, False)
        if self.minor >= 5:
            for _ in range(self.rng.choice([0, 0, 0, 1])):
                self.emit(f"property {self.label(0.5 if self.minor >= 7 else 1)}{self.claim(Scope(path=path))}")
        if self.is_wide and self.minor >= 7 and self.chance(0.15):
            # Ivy says nothing of a theorem without braces.
            premise = f"property [{self.fresh('p')}] {self.claim(Scope(path=path), False)} " if self.chance(0.3) else ""
            self.emit(f"theorem [{self.fresh('th')}] {{ {premise}property {self.claim(Scope(path=path))} }}")
        section = (self.is_wide or self.isolated) and self.minor >= 7 and self.chance(0.15)
        if section:
            self.open(self.rng.choice(["specification", "implementation", "private"]))
        self.invariants(path, 0 if early else 1, 2)
        if section:
            self.close()

    def axioms(self):
        if self.is_wide and self.minor < 7 and self.chance(0.4):
            # The label tells `ivy_peer.py` that the axiom may be about what actions assign.
            self.emit(f"axiom [{self.fresh('mutable')}] {self.claim(Scope(), False)}")
        if self.chance(0.35):
            names = [self.fresh("k") for _ in range(2)]
            for name in names:
                self.declare(name, [], "t", "rigid", ())
            self.emit(f"axiom {self.label(0.3)}X:t = {names[0]} | X = {names[1]}")
        if self.orders and not self.is_defined_order and self.chance(0.7):
            self.emit("axiom X:t < Y & Y < Z -> X < Z")
            self.emit("axiom ~(X:t < X)")
        if self.chance(0.3):
            symbol = self.declare(self.fresh("ax"), [self.rng.choice(self.base_sorts())], "bool", "rigid", ())
            inner = Generator.__new__(Generator)
            inner.__dict__.update(self.__dict__)
            inner.symbols = [symbol] + [it for it in self.symbols if it.kind in ("rigid", "value")]
            inner.structs = {}
            claim = inner.claim(Scope(), False)
            # Ivy does not look at what mentions values alone.
            self.emit(f"axiom {self.label(0.3)}{claim if symbol.name in claim else f'{symbol.name}(X) -> {claim}'}")
            self.counter = inner.counter

    def module_(self):
        if not self.chance(0.25) or self.minor < 5:
            return
        name, sort = self.fresh("m"), self.rng.choice([it for it in self.base_sorts() if it not in self.enums])
        relation = [it for it in self.symbols if it.result == "bool" and len(it.args) == 1 and it.kind in ("state", "rigid")
                    and not it.path]
        takes = self.chance(0.4) and relation
        if takes:
            taken = self.rng.choice(relation)
            sort = taken.args[0]
        # The module is an object whose parameters are written `ty` and `rel`.
        self.open(f"module {name}(ty{', rel' if takes else ''}) =")
        saved = (self.symbols, self.sorts, self.actions, self.structs, self.declared, self.aliases)
        self.symbols = [Symbol("rel", ["t"], "bool", "state" if self.chance(0.5) else "rigid")] if takes else []
        self.sorts, self.actions, self.structs, self.declared, self.aliases = ["t"], [], {}, set(), {}
        mark, old_used, self.old_used = len(self.lines), self.old_used, {}
        enums, self.enums = self.enums, {}
        self.declare(self.fresh("c"), [], "t", "state", (), "individual")
        self.declare_symbols((), 1, 2)
        if self.chance(0.3):
            self.derived(())
        self.initializer((), True)
        for _ in range(self.rng.randint(1, 2)):
            self.action(())
        self.monitors(())
        self.invariants((), 1, 2)
        for at in range(mark, len(self.lines)):
            self.lines[at] = re.sub(r":\s*t\b", ":ty", self.lines[at])
        self.mentions()
        symbols = [it for it in self.symbols if it.name != "rel"]
        actions = self.actions
        self.symbols, self.sorts, self.actions, self.structs, self.declared, self.aliases = saved
        self.enums, self.old_used = enums, old_used
        self.close()
        argument = f"({sort}{', ' + taken.name if takes else ''})"
        swap = lambda it: sort if it == "t" else it
        for _ in range(self.rng.choice([1, 1, 2])):
            instance = self.fresh("i")
            parameter = "t" if self.chance(0.2) and not takes else None
            shape = f"(P:{parameter})" if parameter else ""
            unnamed = self.chance(0.15)
            word = self.rng.choice(["instance", "instantiate"]) if not unnamed else "instantiate"
            path = () if unnamed else ((instance, parameter),)
            self.emit(f"{word} {'' if unnamed else instance + shape + ' : '}{name}{argument}")
            self.declared.add(((), instance))
            for it in symbols:
                self.symbols.append(Symbol(it.name, [swap(a) for a in it.args], swap(it.result), it.kind, path))
                self.declared.add((path, it.name))
            for it in actions:
                fix = lambda variables: [(a, swap(b)) for a, b in variables]
                self.actions.append(Action(it.name, fix(it.params), fix(it.returns), path, len(self.actions) + 1))
                self.declared.add((path, it.name))
            if unnamed:
                break

    def field_module(self):
        """A module whose parameter is a field, and instances of it for fields of a type."""
        for struct, fields in self.structs.items():
            plain = [(name, result) for name, args, result in fields if not args and result in ("t", "u")]
            if plain and self.chance(0.6):
                break
        else:
            return
        name = self.fresh("m")
        self.open(f"module {name}(ty, val, fld) =")
        saved = (self.symbols, self.sorts, self.actions, self.structs, self.declared, self.aliases, self.enums, self.old_used)
        self.symbols, self.sorts, self.actions, self.structs, self.declared, self.aliases, self.enums, self.old_used = (
            [], ["ty", "val"], [], {"ty": [("fld", [], "val")]}, set(), {}, {}, {})
        # Ivy does not put an argument for what follows a dot.
        self.only_functions = True
        self.declare(self.fresh("c"), [], "ty", "state", (), "individual")
        self.declare(self.fresh("c"), [], "val", "state", (), "individual")
        if self.chance(0.5):
            self.declare(self.fresh("r"), ["val"], "bool", "state", (), "relation")
        for _ in range(self.rng.randint(1, 2)):
            self.action(())
        self.monitors(())
        self.invariants((), 1, 2)
        self.mentions()
        self.only_functions = False
        symbols, actions = self.symbols, self.actions
        self.symbols, self.sorts, self.actions, self.structs, self.declared, self.aliases, self.enums, self.old_used = saved
        self.close()
        for field, result in self.rng.sample(plain, self.rng.randint(1, len(plain))):
            instance = self.fresh("i")
            path, swap = ((instance, None),), {"ty": struct, "val": result}
            self.emit(f"instance {instance} : {name}({struct}, {result}, {field})")
            self.declared.add(((), instance))
            for it in symbols:
                self.symbols.append(Symbol(it.name, [swap[a] for a in it.args], swap.get(it.result, it.result), it.kind, path))
                self.declared.add((path, it.name))
            for it in actions:
                fix = lambda variables: [(a, swap.get(b, b)) for a, b in variables]
                self.actions.append(Action(it.name, fix(it.params), fix(it.returns), path, len(self.actions) + 1))
                self.declared.add((path, it.name))

    def macro(self):
        name = self.fresh("mc")
        sorts = [self.rng.choice(self.base_sorts())]
        begin = len(self.lines)
        self.open(f"macro {name}(x) =")
        symbols, self.symbols = self.symbols, [it for it in self.symbols if not it.path]
        self.block(Scope(vars={"x": sorts[0]}), 0, 2)
        self.symbols = symbols
        self.close()
        self.macros.append((name, sorts, "\n".join(self.lines[begin:])))

    def program(self):
        self.declared, self.seen = set(), set()
        self.orders = self.chance(0.1)
        self.isolated = self.minor >= 5 and self.chance(self.isolates)
        self.emit(f"#lang ivy1.{self.minor}")
        self.types()
        self.further()
        self.choose_features()
        if self.features and self.chance(0.4):
            # What differs is found faster where there is little else.
            self.declare_symbols((), 1, 2)
        else:
            self.body((), 0)
        self.emit_features()
        self.mentions()
        if self.isolated:
            self.named_isolates()
        exported = [it for it in self.actions if self.chance(0.7) and not any(a in it.returns for a in ())]
        if self.chance(0.04):
            exported = []
        if self.minor < 7 and any(re.match(r" *(before|after|implement) ", line) for line in self.lines):
            # Up to 1.6 without exports, Ivy takes monitors for actions of their own, and none at all beside `after init`.
            exported = exported or self.actions[:1]
        for action in exported:
            if all(f"export action {action.name}" not in line for line in self.lines) and all(
                    f"import action {action.name}" not in line for line in self.lines):
                self.emit("export " + ".".join([it[0] for it in action.path] + [action.name]))
        text = "\n".join(self.lines) + "\n"
        return with_mistake(text, self.rng, lambda: self.claim(Scope())) if self.chance(0.15) else text

    def mentions(self):
        """A claim for each symbol that occurs under `old`."""
        for symbol in self.old_used.values():
            reference = self.reference(symbol, Scope())
            if reference and symbol in self.symbols:
                text = self.apply(reference[0], ["X", "Y", "Z"][: len(reference[1])])
                sign = "->" if symbol.result == "bool" else "="
                self.emit(f"{'conjecture' if self.minor < 7 else 'invariant'} [{self.fresh('mention')}] {text} {sign} {text}")
        self.old_used = {}


def program(seed, isolates=0.4, features=()):
    """Returns the text of the program with a number; `isolates` is the probability of isolates, `features` are the kinds of
    rarer declarations in it, instead of any."""
    generator = Generator(seed)
    generator.only = features
    for name in features:
        generator.minor = generator.rng.randint(*FEATURES[name])
    generator.isolates = isolates
    return generator.program()


if __name__ == "__main__":
    import sys
    print(program(int(sys.argv[1])))
