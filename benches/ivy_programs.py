"""Random programs in Ivy's language, for `ivy_peer.py`: small, mostly well-typed, with one statement or declaration per line.

What is left out on purpose, because Ivy 1.8.26 has no answer that counts there:
- symbols that occur under `old` alone (it erases assignments to them): each gets a claim that mentions it;
- assertions without labels up to 1.6 (it crashes where the action is called or monitored);
- equations between two values of an enumeration alone, or with a value chosen by `if` (it does not always know that they differ);
- equations between structs (it assumes that structs with equal fields are equal, which Ramsey does not claim);
- calls without exports beside monitors and initializers up to 1.6 (it takes monitors for exported actions, or exports none);
- monitors without a list of parameters, of `around`, `export action` and `import action` (it does not find their parameters),
  or after an object with parameters (it counts those as well);
- alternating quantifiers in a circle of sorts (it refuses them).
"""
import random, re
from dataclasses import dataclass, field


@dataclass
class Symbol:
    name: str
    args: list
    result: str
    kind: str  # "state", "derived", "value", "field"
    path: tuple = ()  # objects around it, (name, sort of the parameter or None)
    has_capture: bool = False


@dataclass
class Action:
    name: str
    params: list  # (name, sort)
    returns: list
    path: tuple
    rank: int
    has_body: bool = True
    is_plain: bool = True  # monitors without parameters find those of the action, unless `export` stands before it


@dataclass
class Scope:
    """Where a formula or statement stands."""
    path: tuple = ()
    bound: list = field(default_factory=list)  # logical variables: (name, sort, whether universal; None where it has no quantifier)
    vars: dict = field(default_factory=dict)  # program variables: name -> sort
    rank: int = 0  # calls go to actions below it
    has_old: bool = False
    is_code: bool = False
    calls: int = 0  # calls that an expression may still have

    def inner(self, **changes):
        values = dict(path=self.path, bound=list(self.bound), vars=dict(self.vars), rank=self.rank, has_old=self.has_old,
                      is_code=self.is_code, calls=self.calls)
        values.update(changes)
        return Scope(**values)


RANKS = {"t": 0, "u": 1}  # the order of sorts in which quantifiers may alternate


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.minor = self.rng.choice([7, 7, 7, 7, 8, 8, 6, 6, 5])
        self.lines, self.indent = [], 0
        self.symbols, self.actions, self.sorts, self.aliases = [], [], ["t"], {}
        self.enums, self.structs, self.old_used, self.counter, self.macros, self.modules = {}, {}, {}, 0, [], []
        self.leaks = False  # whether there was an object with parameters
        self.assumes = False  # whether the only statements with formulas are assumptions

    # ---- text ----

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def open(self, text):
        self.emit(text + " {")
        self.indent += 1

    def close(self, text=""):
        self.indent -= 1
        self.emit("}" + text)

    def chance(self, probability):
        return self.rng.random() < probability

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def sort_text(self, sort):
        names = [sort] * 4 + [alias for alias, of in self.aliases.items() if of == sort]
        return self.rng.choice(names)

    def base_sorts(self):
        return [it for it in self.sorts if it not in self.structs]

    # ---- references ----

    def reference(self, symbol, scope):
        """The name in a scope, and the sorts of the arguments that it takes there; None if another symbol hides it."""
        common = 0
        while common < min(len(symbol.path), len(scope.path)) and symbol.path[common] == scope.path[common]:
            common += 1
        rest = symbol.path[common:]
        first = rest[0][0] if rest else symbol.name
        if first in scope.vars:
            return None
        # Something with this name in an object between here and there is found first.
        for depth in range(common + 1, len(scope.path) + 1):
            if (scope.path[:depth], first) in self.declared:
                return None
        text = ".".join([it[0] for it in rest] + [symbol.name])
        return text, [it[1] for it in rest if it[1]] + symbol.args

    def apply(self, name, args):
        return f"{name}({', '.join(args)})" if args else name

    def candidates(self, scope, result, kinds=("state", "derived", "value", "rigid")):
        found = []
        for symbol in self.symbols:
            if symbol.result == result and symbol.kind in kinds and (reference := self.reference(symbol, scope)):
                found.append((symbol, *reference))
        return found

    # ---- terms and formulas ----

    def term(self, sort, scope, depth=2):
        if sort == "bool":
            return self.formula(scope, depth - 1)
        choices = [name for name, of, _ in scope.bound if of == sort] * 3
        choices += [name for name, of in scope.vars.items() if of == sort] * 3
        symbols = [it for it in self.candidates(scope, sort) if depth > 0 or not it[2]]
        choices += symbols
        if depth > 0:
            choices += [("ite",)] if self.chance(0.15) else []
            for struct, fields in self.structs.items():
                for name, args, result in fields:
                    if result == sort:
                        choices.append(("field", struct, name, args))
            if scope.calls > 0 and self.chance(0.5):
                choices += [("call", it) for it in self.callable(scope) if len(it.returns) == 1 and it.returns[0][1] == sort]
        if not choices:
            return self.literal(sort)
        choice = self.rng.choice(choices)
        if isinstance(choice, str):
            return choice
        if choice[0] == "ite":
            inner = scope.inner(calls=0)
            return f"({self.term(sort, inner, depth - 1)} if {self.formula(inner, 0)} else {self.term(sort, inner, depth - 1)})"
        if choice[0] == "field":
            base = self.term(choice[1], scope.inner(calls=0), 1)
            if base.startswith("("):
                return self.literal(sort)
            return self.apply(f"{base}.{choice[2]}", [self.term(it, scope.inner(calls=0), 0) for it in choice[3]])
        if choice[0] == "call":
            return self.call_text(choice[1], scope)
        return self.application(*choice, scope, depth)

    def application(self, symbol, name, sorts, scope, depth):
        text = self.apply(name, [self.term(it, scope, depth - 1) for it in sorts])
        if scope.has_old and symbol.kind in ("state", "derived") and self.chance(0.25):
            self.old_used[id(symbol)] = symbol
            return f"old {text}" if sorts else f"(old {text})"
        return text

    def literal(self, sort):
        if sort in self.enums:
            return self.rng.choice(self.enums[sort])
        for symbol in self.symbols:
            if symbol.result == sort and not symbol.args and not symbol.path and symbol.kind != "field":
                return symbol.name
        return f"0:{sort}" if self.minor >= 7 else "0"

    def atom(self, scope):
        if self.chance(0.35):
            sort = self.rng.choice(self.base_sorts())
            sign = self.rng.choice(["=", "=", "=", "~="] + (["<", "<=", ">"] if sort == "t" and self.orders else []))
            left = self.term(sort, scope)
            right = next((it for it in (self.term(sort, scope) for _ in range(4)) if it != left), None)
            values = self.enums.get(sort, [])
            if values and {left, right} <= {*values, None} or any(it and it.startswith("(") and sort in self.enums for it in (left, right)):
                return "true"
            if right is None:
                return f"{left} = {left}" if not left[0].isupper() else "true"
            if self.chance(0.06) and re.fullmatch(r"[A-Z]\w*", right):
                right = f"{right}:{self.sort_text(sort)}"
            return f"{left} {sign} {right}"
        choices = self.candidates(scope, "bool")
        choices += [name for name, of in scope.vars.items() if of == "bool"]
        for struct, fields in self.structs.items():
            choices += [("field", struct, name, args) for name, args, result in fields if result == "bool"]
        if not choices or self.chance(0.03):
            return self.rng.choice(["true", "false"])
        choice = self.rng.choice(choices)
        if isinstance(choice, str):
            return choice
        if choice[0] == "field":
            base = self.term(choice[1], scope.inner(calls=0), 1)
            if base.startswith("("):
                return "true"
            return self.apply(f"{base}.{choice[2]}", [self.term(it, scope.inner(calls=0), 0) for it in choice[3]])
        return self.application(*choice, scope, 2)

    def formula(self, scope, depth=2, positive=True, quantified=True):
        """A formula; `positive` is None where it stands on both sides, as below `<->`."""
        if depth <= 0 or self.chance(0.15):
            return self.negated(self.atom(scope)) if self.chance(0.25) else self.atom(scope)
        shape = self.rng.choice(["&", "&", "|", "|", "->", "->", "<->", "~", "quantifier", "quantifier", "chain"])
        flip = None if positive is None else not positive
        if shape == "quantifier":
            text = self.quantifier(scope, depth, positive) if quantified else None
            return text or self.formula(scope, depth - 1, positive, quantified)
        if shape == "~":
            return f"~({self.formula(scope, depth - 1, flip)})"
        if shape == "chain":
            signs = self.rng.choice([["->", "->"], ["<->", "->"], ["->", "<->"], ["&", "->"], ["|", "&"], ["<->", "<->"], ["->", "|"]])
            parts = [self.formula(scope, 0, None) for _ in range(3)]
            return f"{parts[0]} {signs[0]} {parts[1]} {signs[1]} {parts[2]}"
        if shape == "<->":
            return f"({self.formula(scope, depth - 1, None)}) <-> ({self.formula(scope, depth - 1, None)})"
        left = self.formula(scope, depth - 1, flip if shape == "->" else positive)
        right = self.formula(scope, depth - 1, positive)
        if shape == "->" and self.chance(0.3) and self.is_simple(left):
            return f"{left} -> {right}"
        return f"({left}) {shape} ({right})"

    def is_simple(self, text):
        return not re.search(r"->|forall|exists|if ", text)

    def negated(self, atom):
        return f"~{atom}" if " " not in atom or re.fullmatch(r"[\w.]+\([^()]*\)", atom) or self.chance(0.3) else f"~({atom})"

    def quantifier(self, scope, depth, positive):
        for _ in range(4):
            sort = self.rng.choice(self.base_sorts())
            word = self.rng.choice(["forall", "exists"])
            universal = None if positive is None else (word == "forall") == positive
            if sort in self.enums or self.may_quantify(scope, sort, universal):
                break
        else:
            return None
        name = self.rng.choice(["X", "Y", "Z", "V"])
        bound = [it for it in scope.bound if it[0] != name]
        inner = scope.inner(bound=bound + [(name, sort, universal)], has_old=scope.has_old, calls=0)
        body = self.formula(inner, depth - 1, positive)
        # A variable that does not occur would have no sort.
        annotation = f":{self.sort_text(sort)}" if self.chance(0.85) or not re.search(rf"\b{name}\b", body) else ""
        return f"({word} {name}{annotation}. {body})"

    def may_quantify(self, scope, sort, universal):
        if sort not in RANKS:
            return False
        for _, of, outer in scope.bound:
            if of in RANKS and outer is not None and (universal is None or outer != universal) and RANKS[of] >= RANKS[sort]:
                return False
            if of in RANKS and outer is None and RANKS[of] >= RANKS[sort]:
                return False
        return True

    def claim(self, scope, positive=True):
        """A formula with free variables."""
        names = self.rng.sample(["X", "Y", "Z"], self.rng.choice([0, 1, 1, 2, 2]))
        sorts = self.base_sorts()
        bound = [(name, self.rng.choice(sorts), positive) for name in names]
        scope = scope.inner(bound=scope.bound + bound)
        text = self.formula(scope, 2, positive)
        for name, sort, _ in bound:
            # Sorts are mostly given, since nothing may tell which one is meant.
            if self.chance(0.9):
                text = re.sub(rf"(?<![\w:.]){name}(?![\w:])(?!\.)", f"{name}:{sort}", text, count=1) if not re.search(
                    rf"(forall|exists) {name}\b", text) else text
        return text

    # ---- actions ----

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
        return [it for sort in self.sorts + ["bool"] for it in self.candidates(scope, sort, ("state",))]

    def target(self, scope, result):
        """A variable or constant that a result can be assigned to."""
        names = [name for name, sort in scope.vars.items() if sort == result]
        found = [it for it in self.candidates(scope, result, ("state",))]
        names += [self.apply(name, [self.term(it, scope.inner(calls=0), 0) for it in sorts]) for _, name, sorts in found][:2]
        return self.rng.choice(names) if names else None

    def assign(self, scope):
        targets = self.targets(scope)
        names = [(name, sort) for name, sort in scope.vars.items()]
        structs = [it for it in targets if it[0].result in self.structs]
        if structs and self.chance(0.5):
            return self.assign_field(scope, self.rng.choice(structs))
        if names and (not targets or self.chance(0.25)):
            name, sort = self.rng.choice(names)
            value = "*" if self.chance(0.12) else self.term(sort, scope.inner(calls=1))
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
            value = self.term(symbol.result, inner)
        return self.emit(f"{self.apply(name, args)} := {value};")

    def assign_field(self, scope, target):
        symbol, name, sorts = target
        bound, args = [], []
        for sort in sorts:
            if self.chance(0.3):
                bound.append(("X", sort, None))
                args.append("X")
            else:
                args.append(self.term(sort, scope.inner(calls=0), 1))
        field_name, field_args, result = self.rng.choice(self.structs[symbol.result])
        inner = scope.inner(bound=scope.bound + bound, calls=0)
        more = []
        for sort in field_args:
            if self.chance(0.5):
                bound.append(("Y", sort, None))
                more.append("Y")
            else:
                more.append(self.term(sort, scope.inner(calls=0), 0))
        inner = scope.inner(bound=scope.bound + bound, calls=0)
        value = "*" if self.chance(0.1) else self.term(result, inner, 1) if result != "bool" else self.formula(inner, 1, None)
        return self.emit(f"{self.apply(f'{self.apply(name, args)}.{field_name}', more)} := {value};")

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
        shape = self.rng.choice(["assign"] * 8 + ["check"] * 3 + ["if"] * 3 + ["call"] * 3 + ["var", "local", "block", "macro", "field"])
        if shape == "check":
            self.check(scope, self.words())
        elif shape == "call" and (actions := self.callable(scope)):
            self.call(scope, self.rng.choice(actions))
        elif shape == "var" and self.minor >= 6:
            self.var(scope)
        elif shape == "local" and depth > 0:
            name, sort = self.local_name(scope), self.rng.choice(self.base_sorts())
            self.open(f"local {name}:{self.sort_text(sort)}")
            self.block(scope.inner(vars={**scope.vars, name: sort}), depth - 1, 3)
            self.close(";" if self.chance(0.3) else "")
        elif shape == "block" and depth > 0:
            self.open("")
            self.lines[-1] = self.lines[-1].replace(" {", "{")
            self.block(scope, depth - 1, 2)
            self.close(";" if self.chance(0.3) else "")
        elif shape == "if" and depth > 0:
            self.if_(scope, depth)
        elif shape == "macro" and self.macros and not scope.path:
            name, sorts = self.rng.choice(self.macros)
            # Ivy does not find parameters of actions there.
            self.emit(f"instantiate {self.apply(name, [self.literal(it) for it in sorts])};")
        else:
            self.assign(scope)

    def local_name(self, scope):
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

    def if_(self, scope, depth):
        kind = self.rng.choice(["plain", "plain", "star", "some", "chain"])
        if kind == "star":
            condition, then = "*", scope
        elif kind == "some":
            name, sort = self.local_name(scope), self.rng.choice([it for it in self.base_sorts()])
            then = scope.inner(vars={**scope.vars, name: sort}, calls=0)
            condition = f"some {name}:{self.sort_text(sort)}. {self.formula(then.inner(has_old=False), 1, None, False)}"
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

    # ---- declarations ----

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
        if self.chance(0.5) or keyword == "individual":
            self.emit(f"{keyword} {name}{params}{value}")
            label = f"[{self.fresh('d')}] " if self.minor >= 7 and self.chance(0.2) else ""
            self.emit(f"definition {label}{name}{re.sub(r':[a-z0-9]+', '', params) if self.chance(0.5) else params} = {body}")
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
        sorts = sorts or self.base_sorts() + (["bool"] if self.minor >= 7 and self.chance(0.2) else [])
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
        scope = Scope(path=path, vars=dict(params + returns), rank=action.rank, has_old=True, is_code=True)
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
        if self.chance(0.4) and when != "around" and action.is_plain and (path or not self.leaks):
            heading = name
        else:
            if self.chance(0.3) and not set(params) & set(returns):
                params = [(self.fresh("m"), sort) for _, sort in params]
                if self.chance(0.5):
                    returns = [(self.fresh("m"), sort) for _, sort in returns]
            heading = self.heading(name, params, returns)
        before = dict(params)
        scope = Scope(path=path, vars=dict(before), rank=action.rank, has_old=when != "before" or self.chance(0.2), is_code=True)
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
            if action.path != path and not (not path and self.chance(0.3)):
                continue
            if self.chance(0.25):
                for _ in range(self.rng.choice([1, 1, 2, 3])):
                    kinds = ["before", "after"] + (["around"] if self.minor >= 7 else [])
                    self.monitor(action, self.rng.choice(kinds), path)

    def types(self):
        self.emit("type t")
        if self.chance(0.5):
            self.sorts.append("u")
            self.emit("type u")
        if self.chance(0.4):
            self.sorts.append("e")
            values = [f"e{k}" for k in range(self.rng.choice([1, 2, 2, 3]))]
            self.enums["e"] = values
            self.emit(f"type e = {{{', '.join(values)}}}")
            for value in values:
                self.symbols.append(Symbol(value, [], "e", "value"))
        if self.chance(0.2) and self.minor >= 5:
            sort = self.rng.choice(self.base_sorts())
            self.aliases["al"] = sort
            self.emit(f"alias al = {sort}")
        if self.chance(0.25) and self.minor >= 5:
            fields = []
            for k in range(self.rng.choice([1, 2, 2])):
                args = [self.rng.choice(self.base_sorts())] if self.chance(0.2) else []
                result = self.rng.choice([it for it in self.base_sorts() if it != "t" or not args] + ["bool"])
                fields.append((f"g{k}", args, result))
            texts = [f"{name}{'(X:' + args[0] + ')' if args else ''} : {result}" for name, args, result in fields]
            self.emit(f"type s = struct {{ {', '.join(texts)} }}")
            self.structs["s"] = fields
            self.sorts.append("s")

    def object_(self, path, depth):
        parameter = self.rng.choice([None, None, "t", "u" if "u" in self.sorts else "t"]) if self.minor >= 5 else None
        name = self.fresh("o")
        if parameter:
            self.leaks = True
            self.open(f"object {name}(p{depth}:{parameter}) =")
        else:
            self.open(f"object {name} =")
        self.declared.add((path, name))
        inner = path + ((name, parameter),)
        self.body(inner, depth + 1)
        self.close()
        return inner

    def body(self, path, depth):
        """The declarations of an object, or of the program."""
        parameterized = any(it[1] for it in path)
        if not path:
            for sort in self.sorts:
                self.declare(self.fresh("c"), [], sort, "state", (), "individual")
        self.declare_symbols(path, 1 if path else 2, 2 if path else 4)
        if self.chance(0.3):
            self.derived(path)
        if depth < 2 and self.chance(0.35 if depth == 0 else 0.15):
            self.object_(path, depth)
        if not path:
            self.axioms()
            self.module_()
            if self.chance(0.12):
                self.macro()
        early = self.chance(0.3)
        if early:
            self.invariants(path, 1, 1)
        if self.chance(0.8):
            self.initializer(path, parameterized)
        if not path and self.minor < 7 and self.chance(0.3):
            self.emit(f"init {self.label(0.3)}{self.claim(Scope())}")
        implement = []
        for _ in range(self.rng.randint(1 if not path else 0, 3 if not path else 2)):
            action, kind = self.action(path)
            if kind == "declared" and self.chance(0.8):
                implement.append(action)
            if self.chance(0.2):
                self.monitor(action, self.rng.choice(["before", "after"]), path)
        for action in implement:
            self.monitor(action, "implement", path)
        self.monitors(path)
        if not path and self.chance(0.2):
            self.initializer(path, False)
        if self.minor >= 5:
            for _ in range(self.rng.choice([0, 0, 0, 1])):
                self.emit(f"property {self.label(0.5 if self.minor >= 7 else 1)}{self.claim(Scope(path=path))}")
        self.invariants(path, 0 if early else 1, 2)

    def axioms(self):
        if self.chance(0.35):
            names = [self.fresh("k") for _ in range(2)]
            for name in names:
                self.declare(name, [], "t", "rigid", ())
            self.emit(f"axiom {self.label(0.3)}X:t = {names[0]} | X = {names[1]}")
        if self.orders and self.chance(0.7):
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

    def macro(self):
        name = self.fresh("mc")
        sorts = [self.rng.choice(self.base_sorts())]
        self.open(f"macro {name}(x) =")
        symbols, self.symbols = self.symbols, [it for it in self.symbols if not it.path]
        self.block(Scope(vars={"x": sorts[0]}), 0, 2)
        self.symbols = symbols
        self.close()
        self.macros.append((name, sorts))

    def program(self):
        self.declared, self.seen = set(), set()
        self.orders = self.chance(0.1)
        self.emit(f"#lang ivy1.{self.minor}")
        self.types()
        self.body((), 0)
        self.mentions()
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
        return self.mistake(text) if self.chance(0.15) else text

    def mentions(self):
        """A claim for each symbol that occurs under `old`."""
        for symbol in self.old_used.values():
            reference = self.reference(symbol, Scope())
            if reference and symbol in self.symbols:
                text = self.apply(reference[0], ["X", "Y", "Z"][: len(reference[1])])
                sign = "->" if symbol.result == "bool" else "="
                self.emit(f"{'conjecture' if self.minor < 7 else 'invariant'} [{self.fresh('mention')}] {text} {sign} {text}")
        self.old_used = {}

    # ---- mistakes ----

    def mistake(self, text):
        """The program with one small mistake, as far as it has a place for it."""
        lines = text.splitlines()
        kind = self.rng.choice(["undeclared", "lower", "upper", "drop_argument", "duplicate", "delete", "axiom", "sort", "swap", "free",
                                "version", "argument"])
        at = self.rng.randrange(1, len(lines))
        words = [(number, match) for number, line in enumerate(lines[1:], 1)
                 for match in re.finditer(r"(?<![\w.])[a-z]\w*\d", line)]
        capitals = [(number, match) for number, line in enumerate(lines[1:], 1)
                    for match in re.finditer(r"\b[XYZVW]\b(?=[^:]*:=|[,)])", line)]

        def put(place, new):
            number, match = place
            line = lines[number]
            lines[number] = line[: match.start()] + new + line[match.end():]

        if kind == "undeclared" and words:
            put(self.rng.choice(words), self.rng.choice(["foo", "r99", "t"]))
        elif kind == "lower" and capitals:
            place = self.rng.choice(capitals)
            put(place, place[1].group().lower())
        elif kind == "upper" and words:
            put(self.rng.choice(words), "U")
        elif kind == "drop_argument":
            places = [(n, m) for n, line in enumerate(lines) for m in re.finditer(r", [\w.]+(?=\))", line)]
            if places:
                put(self.rng.choice(places), "")
        elif kind == "argument":
            places = [(n, m) for n, line in enumerate(lines) for m in re.finditer(r"(?<=[\w])\)", line)]
            if places:
                put(self.rng.choice(places), ", X)")
        elif kind == "duplicate" and lines[at].count("{") == lines[at].count("}"):
            lines.insert(self.rng.randrange(at, len(lines)), lines[at])
        elif kind == "delete" and lines[at].count("{") == lines[at].count("}"):
            del lines[at]
        elif kind == "axiom":
            lines.append(f"axiom {self.claim(Scope())}")
        elif kind == "sort":
            places = [(n, m) for n, line in enumerate(lines) for m in re.finditer(r"(?<=:)[tue]\b", line)]
            if places:
                put(self.rng.choice(places), self.rng.choice(["t", "u", "e", "bool"]))
        elif kind == "swap":
            other = self.rng.randrange(1, len(lines))
            if all(line.count("{") == line.count("}") for line in (lines[at], lines[other])):
                lines[at], lines[other] = lines[other], lines[at]
        elif kind == "free":
            places = [(n, m) for n, line in enumerate(lines) for m in re.finditer(r"\b(true|false)\b|\b[xyz]\b(?!:)", line)]
            if places:
                put(self.rng.choice(places), "Q")
        elif kind == "version":
            lines[0] = f"#lang ivy1.{self.rng.choice([5, 6, 7, 8])}"
        return "\n".join(lines) + "\n"


def program(seed):
    """Returns the text of the program with a number."""
    return Generator(seed).program()


if __name__ == "__main__":
    import sys
    print(program(int(sys.argv[1])))
