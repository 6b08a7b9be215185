"""Random terms and formulas in Ivy's language, for `ivy_programs.py`: what may be named where, and of which sort it is."""
import random, re
from dataclasses import dataclass, field


@dataclass
class Symbol:
    name: str
    args: list
    result: str
    kind: str  # "state", "derived", "value", "field", "rigid", "local"
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
    params: frozenset = frozenset()  # those that `old` may stand before
    rank: int = 0  # calls go to actions below it
    has_old: bool = False
    is_code: bool = False
    calls: int = 0  # calls that an expression may still have

    def inner(self, **changes):
        values = dict(path=self.path, bound=list(self.bound), vars=dict(self.vars), params=self.params, rank=self.rank,
                      has_old=self.has_old, is_code=self.is_code, calls=self.calls)
        values.update(changes)
        return Scope(**values)


RANKS = {"t": 0, "u": 1}  # the order of sorts in which quantifiers may alternate


class Formulas:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.minor = self.rng.choice([7, 7, 7, 7, 8, 8, 6, 6, 5])
        self.lines, self.indent = [], 0
        self.symbols, self.actions, self.sorts, self.aliases = [], [], ["t"], {}
        self.enums, self.structs, self.old_used, self.counter, self.macros, self.modules = {}, {}, {}, 0, [], []
        self.objects = []  # (path, name)
        self.leaks = False  # whether there was an object with parameters
        self.is_wide = self.chance(0.5)  # whether structs are everywhere and there are rarer declarations
        self.only_functions = False  # whether fields are written `f(x)` alone
        self.variant = None  # a variant of the type `t`, if there is one
        self.numbers = None  # what the type `n` is interpreted as, if there is one
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

    def value_sorts(self):
        """The sorts of variables of programs."""
        return self.sorts + [it for it in self.structs for _ in range(2)] if self.is_wide else self.base_sorts()

    def field_text(self, base, name, args):
        if self.only_functions or self.is_wide and self.chance(0.3):
            return self.apply(name, [base] + args)
        return self.apply(f"{base}.{name}", args)

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

    def candidates(self, scope, result, kinds=("state", "derived", "value", "rigid", "local")):
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
        if self.is_wide and scope.has_old and self.chance(0.2):
            choices += [f"(old {name})" for name, of in scope.vars.items() if of == sort and name in scope.params]
        symbols = [it for it in self.candidates(scope, sort) if depth > 0 or not it[2]]
        choices += symbols
        if sort == "n" and self.is_computed(scope) and self.chance(0.35):
            return f"({self.term(sort, scope.inner(calls=0), 0)} {self.rng.choice('++-')} 1)"
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
            return self.field(choice, scope) or self.literal(sort)
        if choice[0] == "call":
            return self.call_text(choice[1], scope)
        return self.application(*choice, scope, depth)

    def is_computed(self, scope):
        """Whether numbers are computed and compared here: of variables of formulas Ivy does neither."""
        return self.numbers and scope.is_code and not scope.bound

    def is_old_name(self, text, scope):
        """Whether fields may follow `old` and a name: of what has arguments, also those of an object around it, Ivy reads them now."""
        name = re.fullmatch(r"\(old ([\w.]+)\)", text)
        return name and not self.only_functions and (name[1] in scope.params or not any(it[1] for it in scope.path) and "." not in name[1])

    def field(self, choice, scope):
        """A field of a value; None where the value has parentheses around it."""
        _, struct, name, args = choice
        base = self.term(struct, scope.inner(calls=0), 1)
        if self.is_old_name(base, scope):
            return self.apply(f"{base[1:-1]}.{name}", [self.term(it, scope.inner(calls=0), 0) for it in args])
        if base.startswith("(") or base.startswith("old "):
            return None
        return self.field_text(base, name, [self.term(it, scope.inner(calls=0), 0) for it in args])

    def application(self, symbol, name, sorts, scope, depth):
        args = [self.term(it, scope, depth - 1) for it in sorts]
        text = self.apply(name, args)
        # What stands beside the type may follow a dot.
        is_beside = not symbol.path and "." not in name and sorts[:1] == ["t"] and symbol.kind != "local"
        if self.minor >= 7 and scope.is_code and is_beside and re.fullmatch(r"[a-z]\w*", args[0]) and self.chance(0.3):
            return self.apply(f"{args[0]}.{name}", args[1:])
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
        digits = "0123" if sort == "n" else "0"
        return f"{self.rng.choice(digits)}:{sort}" if self.minor >= 7 else "0"

    def atom(self, scope):
        if self.is_wide and self.structs and self.chance(0.15):
            struct = self.rng.choice(list(self.structs))
            left, right = self.term(struct, scope), self.term(struct, scope)
            return f"{left} = {right}" if left != right and "(" not in (left[0], right[0]) else "true"
        if self.variant and self.chance(0.15):
            value = self.term("t", scope, 1)
            if re.fullmatch(r"[a-z]\w*", value) and self.chance(0.4):
                return f"({value} isa {self.variant})"
            one = self.term(self.variant, scope, 1)
            return f"({value} *> {one})" if not re.search(r"[A-Z]", value + one) else "true"
        if self.chance(0.35):
            sort = self.rng.choice(self.base_sorts())
            is_ordered = sort == "t" and self.orders or sort == "n" and self.is_computed(scope)
            orders = ["<"] if sort == "t" and self.is_defined_order else ["<", "<=", ">"]
            sign = self.rng.choice(["=", "=", "=", "~="] + (orders if is_ordered else []))
            left = self.term(sort, scope)
            right = next((it for it in (self.term(sort, scope) for _ in range(4)) if it != left), None)
            values = self.enums.get(sort, [])
            if values and {left, right} <= {*values, None} or any(it and it.startswith("(") and sort in self.enums for it in (left, right)):
                return "true"
            if right is None:
                return f"{left} = {left}" if not left[0].isupper() else "true"
            if self.chance(0.06) and re.fullmatch(r"[A-Z]\w*", right):
                right = f"{right}:{self.sort_text(sort)}"
            if left in values:
                left, right = right, left
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
            return self.field(choice, scope) or "true"
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
        # Instances have the parameter `P`, which is another variable.
        name = self.rng.choice(["X", "Y", "Z", "V"] + ["P"] * self.is_wide)
        bound = [it for it in scope.bound if it[0] != name]
        inner = scope.inner(bound=bound + [(name, sort, universal)], has_old=scope.has_old, calls=0)
        body = self.formula(inner, depth - 1, positive)
        if name == "P" and not re.search(r"\bP\b", body):
            # Ivy has the parameter of the instance bound here.
            return body
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
        names = self.rng.sample(["X", "Y", "P" if self.is_wide else "Z"], self.rng.choice([0, 1, 1, 2, 2]))
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
