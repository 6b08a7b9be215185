"""Further kinds of declarations for `ivy_programs.py`: objects and isolates that call and monitor each other, what the environment does,
objects with parameters, definitions, calls in expressions, the library's networks, earlier versions, and what says nothing."""
from ivy_constructs import Constructs


class Nets(Constructs):
    # ---- objects and isolates ----

    def feature_net(self):
        """Objects and isolates that call and monitor each other, each with parts in several sections."""
        count = self.rng.choice([2, 2, 3, 4])
        units = [self.fresh("un") for _ in range(count)]
        kinds = [self.one_of("isolate", "isolate", "isolate", "object", "trusted isolate" if self.slips() else "isolate") for _ in units]
        has_result = [self.chance(0.4) for _ in units]
        has_inner = [self.chance(0.4) for _ in units]

        def fact(at, value="x", old=False):
            """What a unit says of the states of all."""
            near = units[self.rng.randrange(count)] if self.chance(0.4) else units[at]
            name = f"{near}.st" if near != units[at] or self.chance(0.2) else "st"
            return self.one_of("", "~") + ("old " if old and self.chance(0.3) else "") + f"{name}({value})"

        def check(at, old=False, words=("require", "ensure", "assert", "assume", "require", "ensure")):
            return f"{self.one_of(*words)} {fact(at, old=old)}{self.one_of('', '', ' | ' + fact(at), ' & ' + fact(at), ' -> ' + fact(at))};"

        def change(at):
            name = "st" if self.chance(0.9) else f"{self.one_of(*units)}.st"
            return f"{name}({self.one_of('x', 'x', 'x', 'X')}) := {self.one_of('true', 'false', 'true', 'false', '~' + 'st(x)')};"

        def call(at):
            # Units call those before them, and now and then those after them, as callbacks do.
            if at == 0 and not self.chance(0.15):
                return ""
            to = self.rng.randrange(at) if at and self.chance(0.9) else self.rng.randrange(count)
            if to == at:
                return ""
            if has_inner[to] and self.chance(0.3):
                return f"call {units[to]}.inner(x);"
            if not has_result[to]:
                return f"call {units[to]}.act(x);"
            return f"y := {units[to]}.act(x);" if has_result[at] and self.chance(0.5) else f"var {self.fresh('v')} := {units[to]}.act(x);"

        def code(at, words=("require", "ensure", "assert", "assume", "require", "ensure")):
            steps = []
            for _ in range(self.rng.choice([1, 2, 2, 3])):
                steps.append(self.one_of(check(at, False, words), change(at), change(at), call(at)))
            return " ".join(it for it in steps if it)

        for at, (name, kind) in enumerate(zip(units, kinds)):
            self.open(f"{kind} {name} =")
            result = " returns (y:t)" if has_result[at] else ""
            is_split = self.chance(0.5)
            if is_split and self.chance(0.6):
                self.open("specification")
                opened = True
            else:
                opened = False
            self.emit("relation st(X:t)")
            self.emit(f"after init {{ st(X) := {self.one_of('false', 'false', 'true')}; }}" if self.chance(0.8) else "")
            self.emit(f"action act(x:t){result}" if is_split else f"{'export ' if self.chance(0.3) else ''}action act(x:t){result} = {{ {code(at)} }}")
            if has_inner[at]:
                self.emit(f"action inner(x:t) = {{ {check(at)} {change(at)} {check(at)} }}")
            # Checks before the first statement that changes something are mostly what callers owe.
            if self.chance(0.5):
                self.emit(f"before act{'(x:t)' if self.chance(0.5) else ''} {{ {check(at, words=('require', 'require', 'assert', 'assume', 'ensure'))} {change(at) if self.chance(0.3) else ''} }}")
            if self.chance(0.4):
                self.emit(f"after act{'(x:t)' + result if self.chance(0.5) else ''} {{ {change(at) if self.chance(0.2) else ''} {check(at, False, ('ensure', 'ensure', 'assert', 'assume', 'require'))} }}")
            if self.chance(0.15):
                self.emit(f"around act(x:t){result} {{ {check(at)} {change(at)} ... {check(at)} {change(at) if self.chance(0.3) else ''} }}")
            if opened:
                if self.chance(0.5):
                    self.emit(f"invariant [{self.fresh('n')}] {self.one_of(fact(at, 'X'), fact(at, 'X') + ' -> ' + fact(at, 'X'))}")
                self.close()
            if is_split:
                section = self.chance(0.7)
                words = ("require", "ensure", "assert", "assume", "require", "ensure")
                if section:
                    self.open(self.one_of("implementation", "private", "object impl ="))
                    if self.lines[-1].strip().startswith("object"):
                        # Ivy does not find what shows such a requirement, also where all is in one isolate.
                        words = ("ensure", "assert", "assume")
                own = self.chance(0.5)
                if own:
                    self.emit("relation own(X:t)")
                    self.emit(f"after init {{ own(X) := {self.one_of('false', 'true', 'st(X)')}; }}")
                self.emit(f"implement act(x:t){result} {{ {code(at, words)} {'own(x) := ' + self.one_of('true', 'false', 'st(x)') + ';' if own else ''} }}")
                if own and self.chance(0.7):
                    self.emit(f"invariant [{self.fresh('n')}] {self.one_of('own(X) -> st(X)', 'st(X) -> own(X)', '~own(X)', 'own(X) <-> st(X)')}")
                if section:
                    self.close()
            if self.chance(0.6):
                self.emit(f"invariant [{self.fresh('n')}] {self.one_of(fact(at, 'X'), fact(at, 'X') + ' -> ' + fact(at, 'X'), 'st(X) -> st(X)')}")
            if self.chance(0.3) and at:
                # A monitor of another one's action.
                other = units[self.rng.randrange(at)]
                at_other = units.index(other)
                has = " returns (y:t)" if has_result[at_other] else ""
                self.emit(f"{self.one_of('before', 'after')} {other}.act(x:t){has} {{ {self.one_of(check(at), change(at) + ' ' + check(at), change(at))} }}".replace(" returns (y:t) { ", " { ") if has and self.lines[-1].startswith("before") else
                          f"after {other}.act(x:t){has} {{ {self.one_of(check(at), change(at) + ' ' + check(at), change(at))} }}")
            with_ = [it for it in units if it != name and self.chance(0.6)] + (["this"] if self.chance(0.15) else [])
            if self.chance(0.15):
                with_.append(f"{self.one_of(*units)}.act")
            self.close(f" with {', '.join(with_)}" if "isolate" in kind and with_ else "")
            self.object_of(name)
        for at, name in enumerate(units):
            if self.chance(0.7 if at == count - 1 else 0.3) and not any(f"export action act" in it for it in self.lines):
                self.emit(f"export {name}.act")
            if has_inner[at] and self.chance(0.2):
                self.emit(f"export {name}.inner")
        if self.chance(0.1):
            self.emit(f"delegate {self.one_of(*units)}.act")

    def feature_environment(self):
        """Actions of the environment, their monitors, and exports anywhere."""
        name, unit, user, rel = self.fresh("im"), self.fresh("un"), self.fresh("a"), self.fresh("r")
        self.emit(f"relation {rel}(X:t)")
        self.emit(f"after init {{ {rel}(X) := {self.one_of('false', 'true')}; }}")
        inside = self.chance(0.5)
        word = self.one_of("object", "isolate", "isolate")
        sees = self.one_of(" with this", " with this", "") if word == "isolate" else ""
        fact = lambda: self.one_of(f"{rel}(x)", f"~{rel}(x)", f"{rel}(y)", "x = y", f"{rel}(x) -> {rel}(y)")
        check = lambda words=("require", "ensure", "assert", "assume"): f"{self.one_of(*words)} {fact()};"
        if inside:
            self.open(f"{word} {unit} =")
        self.emit(f"import action {name}(x:t) returns (y:t)" if self.chance(0.7) else f"action {name}(x:t) returns (y:t)")
        if not self.lines[-1].strip().startswith("import"):
            self.emit(f"import {name}")
        for _ in range(self.rng.choice([0, 1, 2])):
            kind = self.one_of("before", "after", "after", "around")
            given = f"{name}(x:t) returns (y:t)"
            if kind == "before":
                self.emit(f"before {name}(x:t) {{ {check().replace('(y)', '(x)').replace('x = y', 'x = x')} {self.one_of('', f'{rel}(x) := true;')} }}")
            elif kind == "after":
                self.emit(f"after {self.one_of(given, given)} {{ {self.one_of('', f'{rel}(y) := true;')} {check()} }}")
            else:
                self.emit(f"around {given} {{ {check().replace('(y)', '(x)').replace('x = y', 'x = x')} ... {check()} }}")
        self.emit(f"{self.one_of('export ', '')}action {user}(x:t) returns (y:t) = {{ {check() if self.chance(0.4) else ''} {self.one_of(f'y := {name}(x);', f'call y := {name}(x);', f'y := {name}({name}(x));', f'if {name}(x) = x {{ y := x }};')} {self.one_of('', f'{rel}(y) := false;', f'{rel}(x) := true;')} {check()} }}")
        if not self.lines[-1].strip().startswith("export") and self.chance(0.7):
            self.emit(f"export {user}")
        if self.chance(0.5):
            self.emit(f"{self.one_of('before', 'after')} {user}(x:t) {{ {check(('require', 'ensure', 'assert'))} }}".replace("(y)", "(x)").replace("x = y", "x = x"))
        if self.chance(0.6):
            self.emit(f"invariant [{self.fresh('n')}] {self.one_of(f'{rel}(X)', f'~{rel}(X)', f'{rel}(X) -> {rel}(Y)', f'{rel}(X) -> {rel}(X)')}")
        if inside:
            self.close(sees)
            self.object_of(unit)
            if self.chance(0.3):
                self.emit(f"export {unit}.{user}")
            if self.chance(0.3):
                self.emit(f"import {unit}.{name}" if self.slips() else f"export {unit}.{name}" if self.slips() else f"action {self.fresh('a')} = {{ {rel}(X) := false; }}")
        if self.chance(0.4):
            other, call = self.fresh("a"), f"{unit}.{user}" if inside else user
            self.emit(f"export action {other}(x:t) returns (y:t) = {{ {self.one_of('', f'assume {rel}(x);', f'{rel}(x) := true;')} y := {call}(x); {check(('assert', 'ensure'))} }}")

    def feature_copies(self):
        """Objects and isolates with parameters, which call each other's copies and monitor them."""
        one, two, user = self.fresh("cp"), self.fresh("cq"), self.fresh("a")
        words = [self.one_of("object", "isolate", "object") for _ in range(2)]
        own = lambda value="x": self.one_of(f"st({value})", f"~st({value})", f"{one}.st(self, {value})", "flag", "self = x" if value == "x" else "flag", f"{one}.flag(self)", f"forall Z. {one}.st(self, Z) -> st(Z)")
        verbs = ("require", "ensure", "assert", "assume")
        check = lambda: f"{self.one_of(*verbs)} {own()};"
        change = lambda: self.one_of("st(x) := true;", "st(x) := false;", "flag := st(x);", "st(X) := X = x;", "st(self) := true;", f"{one}.st(x, self) := true;", "cur := x;", "st(cur) := flag;")
        self.open(f"{words[0]} {one}(self:t) =")
        self.emit("relation st(X:t)")
        self.emit("relation flag")
        self.emit("individual cur : t")
        self.emit(self.one_of("after init { st(X) := false; flag := false; }", "after init { st(X) := X = self; }", "after init { flag := true; cur := self; }"))
        self.emit(f"action act(x:t) returns (y:t) = {{ {check() if self.chance(0.5) else ''} {change()} {change() if self.chance(0.5) else ''} {'y := ' + self.one_of('x', 'self', 'cur') + ';'} {check() if self.chance(0.4) else ''} }}")
        if self.chance(0.4):
            self.emit(f"{self.one_of('before', 'after')} act(x:t) {{ {check()} }}")
        labels = [f"[{self.fresh('n')}] " if self.chance(0.7) else "" for _ in range(2)]
        for label in labels:
            if self.chance(0.7):
                self.emit(f"invariant {label}{self.one_of('st(X) -> X = self', 'flag -> st(self)', 'st(cur)', 'cur = self', 'st(X) -> flag', f'{one}.st(X, Y) -> st(Y)', f'{one}.st(self, X) -> st(X)', 'st(self)', '~flag | cur = self')}")
        section = self.chance(0.2)
        if section:
            self.open(self.one_of("specification", "private"))
        if self.chance(0.3):
            self.emit(f"property [{self.fresh('p')}] {self.one_of('X:t = self | X ~= self', 'self = X:t')}")
        if section:
            self.close()
        self.close(" with this" if words[0] == "isolate" and self.chance(0.6) else "")
        self.open(f"{words[1]} {two}(me:t) =")
        self.emit("relation got(X:t)")
        self.emit(self.one_of("after init { got(X) := false; }", ""))
        shape = self.one_of("call", "call", "monitor", "implement")
        facts = [f"got(x)", f"~got(x)", f"{one}.st(me, x)", f"{one}.flag(me)", f"{one}.st(x, me)", "x = me"]
        fact = lambda: self.one_of(*facts)
        if shape == "monitor" and words[1] == "object":
            self.emit(f"{self.one_of('before', 'after')} {one}.act(x:t) {{ {self.one_of('got(x) := true;', 'got(me) := true;', '')} {self.one_of(*verbs)} {fact()}; }}")
        self.emit(f"action go(x:t) = {{ {self.one_of('', f'assume {fact()};', f'require {fact()};')} {self.one_of('got(x) := true;', '')} {self.one_of(f'var w := {one}.act(me, x);', f'var w := {one}.act(x, me);', f'got({one}.act(me, x)) := true;', f'var y := {one}.act(x, x); got(y) := true;', '')} {self.one_of('assert', 'ensure')} {fact()}; }}")
        if self.chance(0.7):
            self.emit(f"invariant [{self.fresh('n')}] {self.one_of(f'got(X) -> {one}.st(me, X)', f'{one}.st(me, X) -> got(X)', 'got(X)', '~got(me)', f'got(X) -> {one}.flag(me)', f'{one}.st(X, me) -> got(X)')}")
        self.close(f" with {one}" if words[1] == "isolate" and self.chance(0.8) else "")
        for it in (one, two):
            self.object_of(it, "t")
        self.emit(f"export {two}.go")
        if self.chance(0.6):
            self.emit(f"export {one}.act")
        if self.chance(0.4):
            self.emit(f"export action {user}(a:t, b:t) = {{ {self.one_of('', 'assume a ~= b;', f'assume {one}.st(a, b);')} {self.one_of(f'var w := {one}.act(a, b)', f'call {two}.go(b, a)', f'call {two}.go(a, a)')}; {self.one_of('assert', 'ensure')} {self.one_of(f'{one}.st(a, b)', f'{two}.got(a, b)', f'{one}.st(b, b)', f'{one}.cur(a) = b')}; }}")
        self.claimed([f"{one}.st(X, Y) -> {two}.got(X, Y)", f"{two}.got(X, Y) & X ~= Y -> {one}.st(X, Y)", f"{one}.cur(X) = X", f"{one}.flag(X) -> {one}.st(X, X)"], 0, 1, ("invariant",))

    # ---- definitions ----

    def feature_definitions(self):
        """Definitions of definitions, anywhere, of truth values, elements and structs."""
        base, kept, struct, user, obj = self.fresh("r"), self.fresh("c"), self.fresh("st"), self.fresh("a"), self.fresh("o")
        one, two, three, make, chosen = (self.fresh(it) for it in ("q", "q", "q", "f", "q"))
        word = lambda: self.one_of("definition", "definition", "definition [" + self.fresh("d") + "]" if self.minor >= 7 else "definition")
        param = lambda name="X": self.one_of(f"{name}", f"{name}:t", f"{name}:t")
        self.emit(f"relation {base}(X:t)")
        self.emit(f"individual {kept} : t")
        self.emit(f"type {struct} = struct {{ {struct}a : t, {struct}b : bool }}")
        self.emit(f"individual {kept}s : {struct}")
        self.emit(f"relation {one}(X:t)")
        p = param()
        v = p.split(":")[0]
        self.emit(f"{word()} {one}({p}) = {self.one_of(f'{base}({v})', f'{base}({v}) & {v} ~= {kept}', f'~{base}({v})', f'{v} = {kept}', f'{base}({kept}) if {v} = {kept} else {base}({v})', f'(exists Y. {base}(Y)) -> {base}({v})' if 't' != 'x' else '')}")
        inside = self.chance(0.4)
        parameter = self.chance(0.4)
        if inside:
            self.open(f"{self.one_of('object', 'isolate') if self.minor >= 7 else 'object'} {obj}{'(self:t)' if parameter else ''} =")
            is_isolate = "isolate" in self.lines[-1]
            self.emit("relation in_(X:t)")
            self.emit(f"relation der(X:t)")
            self.emit(f"definition der(X) = {self.one_of('in_(X)', f'{one}(X)', f'in_(X) & {one}(X)', 'in_(X) | X = self' if parameter else '~in_(X)')}")
            self.emit(f"action put(x:t) = {{ in_(x) := {self.one_of('true', 'der(x)', '~der(x)')}; {self.one_of('', f'assert {self.label_()}der(x);', f'assert {self.label_()}der(x) <-> in_(x);')} }}")
            self.emit(f"{self.claim_word()} [{self.fresh('n')}] {self.one_of('der(X) -> in_(X)', f'der(X) -> {one}(X)', 'in_(X) -> der(X)')}")
            self.close(" with this" if is_isolate and self.chance(0.7) else "")
            self.object_of(obj)
            self.emit(f"export {obj}.put")
        self.emit(self.one_of(f"relation {two} = forall X. {one}(X) -> {base}(X)", f"relation {two} = {one}({kept})", f"derived {two} = exists X. {base}(X)"))
        self.emit(self.one_of(f"function {make}(X:t) : t = X if {one}(X) else {kept}", f"function {make}(X:t) : t = {kept}", f"function {make}(X:t) : t = {kept} if {two} else X"))
        self.emit(self.one_of(f"relation {three}(X:t, Y:t) = {one}({make}(X)) & {base}(Y)", f"relation {three}(X:t, Y:t) = {make}(X) = Y", f"relation {three}(X:t, Y:t) = {one}(X) <-> {two}"))
        if self.chance(0.3):
            self.emit(f"function {chosen}(X:t) : {struct} = {kept}s")
        self.open(f"action {user}(x:t, y:t, s:{struct}) =")
        for text in self.some_of(1, 3, [f"{base}(x) := true;", f"{base}(x) := {one}(x);", f"{base}(X) := {one}(X);", f"{kept} := {make}(x);", f"{base}({make}(x)) := false;", f"if {two} {{ {base}(y) := true }};", f"{base}(X) := {three}(X, x);", f"{kept} := x;", f"assume {one}(y);", f"{kept}s.{struct}b := {two};", f"{kept}s.{struct}a := {make}(y);"]):
            self.emit(text)
        self.asserted([f"{one}(x)", f"{one}(x) -> {base}(x)", f"{make}(x) = x", f"{make}({make}(x)) = {make}(x)", f"{two}", f"{three}(x, y)", f"{three}(x, y) -> {base}(y)", f"{one}({kept})", f"{two} -> {one}(x)", f"old {one}(x) -> {one}(x)", f"{one}(x) <-> old {one}(x)", f"old {make}(x) = x", f"{kept}s.{struct}b -> {two}"], 1, 3)
        self.close()
        self.new_action(user, [("x", "t"), ("y", "t"), ("s", struct)], [])
        self.claimed([f"{one}(X) -> {base}(X)", f"{two}", f"{three}(X, Y) -> {base}(Y)", f"{make}(X) = X | {make}(X) = {kept}", f"{one}({make}(X))", f"{base}(X) -> {one}(X)"], 1, 2)
        for text in (f"{base}(X) -> {base}(X)", f"{kept} = {kept}", f"{kept}s = {kept}s"):
            self.emit(f"{self.claim_word()} [{self.fresh('mention')}] {text}")

    def feature_recursion(self):
        """Definitions by recursion, which proofs use for some values."""
        sort, fun, step, zero, kind = self.fresh("num"), self.fresh("f"), self.fresh("f"), self.fresh("k"), self.fresh("res")
        self.emit(f"type {sort}")
        self.emit(f"type {kind}")
        self.emit(f"interpret {sort} -> {self.one_of('nat', 'int', 'nat', 'bv[3]')}")
        self.emit(f"individual {zero} : {kind}")
        self.emit(f"individual {zero}c : {sort}")
        self.emit(f"function {step}(X:{sort}, Y:{kind}) : {kind}")
        self.emit(f"function {fun}(X:{sort}) : {kind}")
        self.emit(f"{'explicit ' if self.chance(0.3) else ''}definition {{ {fun}(X:{sort}) = {zero} if X <= 0 else {step}(X, {fun}(X - 1)) }}")
        self.emit(f"proof {{ apply rec[{sort}] }}" if not self.slips() else "")
        for _ in range(self.rng.choice([1, 2])):
            goals = [f"{fun}(0) = {zero}", f"{zero}c > 0 -> {fun}({zero}c) = {step}({zero}c, {fun}({zero}c - 1))", f"{fun}({zero}c) = {zero}", f"{zero}c = 0 -> {fun}({zero}c) = {zero}", f"{fun}({zero}c) = {step}({zero}c, {zero}) | {zero}c ~= 1"]
            self.emit(f"property [{self.fresh('n')}] {self.one_of(*goals)}")
            if self.chance(0.8):
                self.emit("proof {")
                self.emit(f"    {self.one_of('instantiate', 'assume', 'instantiate')} {fun} with X = {self.one_of('0:' + sort, zero + 'c', zero + 'c')}{self.one_of('', '', f'; instantiate [two] {fun} with X = 0:' + sort)}")
                self.emit("}")

    # ---- expressions ----

    def feature_expressions(self):
        """Calls in expressions, nested and in conditions, with what they change."""
        state, count, get, put, both, user = (self.fresh(it) for it in ("r", "c", "a", "a", "a", "a"))
        self.emit(f"relation {state}(X:t)")
        self.emit(f"individual {count} : t")
        self.emit(f"action {get}(x:t) returns (y:t) = {{ {self.one_of('', f'require {state}(x);', f'ensure {state}(x);')} y := {self.one_of('x', count)}; {self.one_of('', f'{count} := x;', f'{state}(x) := true;')} }}")
        self.emit(f"action {put}(x:t) returns (b:bool) = {{ b := {state}(x); {state}(x) := {self.one_of('true', 'false')}; {self.one_of('', 'ensure b;', f'ensure {state}(x);')} }}")
        self.emit(f"action {both}(x:t, y:t) returns (y:t, z:t) = {{ z := y; {self.one_of('y := x;', '')} {self.one_of('', 'require x ~= y;', 'ensure z = x;')} }}")
        self.open(f"action {user}(x:t, y:t) returns (z:t, b:bool) =")
        depth = lambda: self.one_of(f"{get}(x)", f"{get}({get}(y))", f"{get}({count})", "x", "y", count)
        steps = [f"z := {get}({get}(x));", f"b := {put}({get}(x));", f"if {put}(x) {{ z := x }} else {{ z := {get}(y) }};", f"if {get}(x) = y {{ b := true }};", f"{state}({get}(x)) := {put}(y);", f"assert {get}(x) = {depth()};", f"z := {get}(x) if {put}(y) else y;",
                 f"({count}, z) := {both}(x, {get}(y));", f"(x, y) := {both}(x, y);", f"b := {put}(x) & {put}(y);", f"b := {put}(x) | ~{put}(x);", f"{state}(X) := X = {get}(x);" if self.slips() else f"{count} := {get}(x);", f"var v := {get}(x); z := v;", f"call z := {get}({get}(x));", f"call z := {get}({depth()});",
                 f"assume {put}(x);", f"z := {count}; {count} := {get}(z);", f"if {put}(x) & {put}(x) {{ z := y }};", f"if b {{ z := {get}(x) }} else if {put}(y) {{ z := y }};", f"if some w:t. {state}(w) {{ z := {get}(w) }};", f"call y := {get}(x);", f"(z, z) := {both}(x, y);" if self.slips() else f"(z, y) := {both}(y, x);",
                 f"while {state}(x) {{ b := {put}(x) }};", f"local p:t, q:t {{ p := {get}(x); q := p; z := q }}", f"var g(X:t) : t; g(X) := X; z := g({get}(x));", f"ensure {put}(x) -> b;"]
        for text in self.some_of(1, 4, steps):
            self.emit(text)
        self.asserted(["z = x", "z = y", f"z = {count}", "b", "~b", f"{state}(x)", f"{state}(z)", f"{state}({count})", f"b -> {state}(x)", f"b <-> {state}(y)", "x = y", f"x = old x", f"{count} = x"], 1, 3)
        self.close()
        self.new_action(user, [("x", "t"), ("y", "t")], [("z", "t"), ("b", "bool")])
        self.claimed([f"{state}({count})", f"{state}(X) -> X = {count}", f"{state}(X) -> {state}(X)"], 0, 1, ("invariant",))

    # ---- the library, versions, and what says nothing ----

    def feature_network(self):
        """A network of the library, and what has been sent and received."""
        kind = self.one_of("udp", "udp", "timeout") if self.minor >= 7 else "udp"
        self.include(kind)
        net, sent, app = self.fresh("nt"), self.fresh("r"), self.fresh("ap")
        self.emit(f"relation {sent}(X:t, Y:t)")
        self.emit(f"init ~{sent}(X, Y)" if self.minor < 7 else f"after init {{ {sent}(X, Y) := false; }}")
        if kind == "timeout":
            self.emit(f"instance {net} : timeout_sec")
            self.open(f"{self.one_of('isolate', 'object')} {app} =")
            word = self.lines[-1].split()[0]
            self.emit("individual last : t")
            self.emit(f"implement {net}.timeout {{ {sent}(last, X) := {self.one_of('true', 'false')}; {self.one_of('', f'assert {sent}(last, last);')} }}")
            self.emit(f"action set(x:t) = {{ last := x; {self.one_of('', f'require {sent}(x, x);')} }}")
            self.emit(f"invariant [{self.fresh('n')}] {self.one_of(f'~{sent}(X, Y)', f'{sent}(last, X)', f'{sent}(X, Y) -> {sent}(X, Z)')}")
            self.close(f" with this" if word == "isolate" else "")
            self.emit(f"export {app}.set")
            return
        module = self.one_of("udp_simple(t, t)", "udp_simple2(t, t)" if self.minor >= 7 else "udp_simple(t, t)")
        if kind == "tcp":
            module = "tcp.net(t)"
        self.emit(f"instance {net} : {module}")
        self.open(f"object {app}(self:t) =")
        word = self.lines[-1].split()[0]
        self.emit("relation got(X:t)")
        if self.minor >= 7:
            self.emit("after init { got(X) := false; }")
        self.emit(f"action go(x:t, y:t) = {{ {self.one_of('', f'{sent}(x, y) := true;', f'{sent}(self, y) := true;')} call {net}.send(self, x, y); }}")
        self.emit(f"implement {net}.recv(v:t) {{ got(v) := true; {self.one_of('', f'assert {self.label_()}exists X. {sent}(X, v);', f'assert {self.label_()}{sent}(self, v);')} }}")
        self.emit(f"{self.claim_word()} [{self.fresh('n')}] {self.one_of(f'{net}.sent(V, D) -> exists X. {sent}(X, V)', f'got(V) -> {net}.sent(V, self)', f'{net}.sent(V, D) -> {sent}(D, V)', 'got(X) -> got(X)', '~got(X)')}")
        self.close(f" with {net}, this" if word == "isolate" else "")
        self.emit(f"export {app}.go")

    def feature_versions(self):
        """A small program of an early version, or whose first line does not tell the version."""
        header = self.one_of("#lang ivy1.3", "#lang ivy1.4", "#lang ivy1.3", "#lang ivy1.5", "#lang ivy", "#lang ivy1.6")
        is_new = header == "#lang ivy"
        self.lines[:] = [header]
        self.emit("type t")
        self.emit(self.one_of("relation r(X:t)", "relation r(X:t)", "relation r(X:t), s2(X:t)"))
        self.emit("relation s")
        self.emit("individual c : t")
        texts = ["r(x)", "~r(x)", "s", "~s", "r(x) -> s", "c = x", "r(c)", "r(x) -> s -> r(c)", "s <-> r(c) -> s"]
        fact = lambda: self.one_of(*texts)
        label = lambda: "" if is_new else f"[{self.fresh('l')}] "
        change = lambda: self.one_of("r(x) := true;", "r(x) := false;", "s := true;", "s := ~s;", "c := x;", "r(X) := X = c;", "r(X) := r(X) & X ~= x;", "")
        if self.chance(0.6):
            self.emit(f"derived q(X) = {self.one_of('r(X) & s', 'X = c', '~r(X)')}")
            texts.append("q(x)")
            texts.append("q(c)")
        if self.chance(0.4):
            self.open("module m(p, q) =")
            self.emit("relation inn(X:p)")
            self.emit(f"axiom {self.one_of('inn(X) -> inn(Y)', 'inn(X) | ~inn(X)')}" if self.chance(0.5) else f"conjecture {label()}q(X) -> inn(X)")
            self.emit(f"action put(x:p) = {{ {self.one_of('', 'inn(x) := q(x);')} }}")
            self.close()
            self.emit(self.one_of("instantiate i : m(t, r)", "instance i : m(t, r)" if not header.endswith(("3", "4")) else "instantiate i : m(t, r)", "instantiate m(t, r)"))
        for word in ("init", "init", "axiom", "conjecture", "conjecture"):
            if self.chance(0.5) and not (is_new and word == "init"):
                closed = self.one_of("r(X)", "~r(X)", "s", "r(X) -> s", "r(c)", "r(X) & r(Y) -> X = Y", "s -> r(c)", "exists X. r(X)")
                self.emit(f"{word} {label() if word == 'conjecture' and self.chance(0.5) else ''}{closed if word != 'axiom' else self.one_of('c = c', 's | ~s', closed)}")
        steps = [f"local a:t {{ a := *; {self.one_of('r(a) := true', 'assume r(a); c := a')} }}", f"if {fact()} {{ {change()[:-1] or 's := true'} }}", f"if {fact()} {{ s := true }} else {{ s := false }}", f"if * {{ s := true }} else {{ s := false }}", "r(x) := *;", "s := *;", f"assume forall X. r(X) -> s;",
                 "if some y:t. r(y) { c := y }" if not header.endswith("3") or self.slips() else "s := true;"]
        for name in ("a", "b")[: self.rng.choice([1, 2])]:
            call = "call a(x);" if name == "b" and self.chance(0.5) else ""
            check = f"{self.one_of('assert', 'assume')} {label()}{fact()};"
            self.emit(f"action {name}(x:t) = {{ {change()} {call} {check if self.chance(0.6) else ''} {self.one_of(*steps)} }}")
        if self.chance(0.5):
            self.emit(f"before a(x:t) {{ {self.one_of('assert', 'assume')} {label()}{fact()} }}" if header.endswith(("5", "6", "y")) else f"action mx(x:t) = {{ {self.one_of('assert', 'assume')} {label()}{fact()} }}\nmixin mx before a")
        # Without exports Ivy takes monitors for actions of their own.
        self.emit("export a")
        if any(it.startswith("action b") for it in self.lines) and self.chance(0.7):
            self.emit("export b")
        self.actions, self.objects, self.old_used, self.symbols, self.isolated = [], [], {}, [], False

    def feature_silent(self):
        """Declarations that say nothing, or little, and lists of declarations."""
        name, two = self.fresh("r"), self.fresh("c")
        wide = self.minor >= 7
        has_constructor = wide and self.chance(0.3)
        self.emit(f"{'ghost ' if self.chance(0.5) else ''}type {two}t{f' = struct {{ {two}x : t }}' if has_constructor else ''}")
        self.emit(f"relation {name}(X:t), {name}b(X:t, Y:{two}t), {name}c")
        self.emit(f"individual {two} : t, {two}b : {two}t")
        self.emit(f"function {two}f(X:t) : {two}t, {two}g(X:{two}t) : bool")
        if self.chance(0.4):
            self.emit(f"{self.one_of('rely', 'rely')} {name}({self.one_of('X', two)}){self.one_of('', f' -> {name}({two})')}")
        if self.chance(0.3):
            self.emit(f"progress {name}p(X:t) = {name}(X)" if self.chance(0.5) else f"progress {name}p = {name}c")
        if has_constructor:
            # Ivy forgets that structs with equal fields are equal where nothing mentions the fields.
            self.emit(f"{self.claim_word()} [{self.fresh('mention')}] {two}x(X) = {two}x(X)")
            self.emit(f"constructor {two}k(X:t) : {two}t")
            self.emit(f"property [{self.fresh('n')}] {self.one_of(f'{two}k(X) = {two}k(Y) -> X = Y', f'{two}k(X) = {two}k(X)')}")
        if self.chance(0.3):
            self.emit(f"extract {self.fresh('ex')} = {self.one_of('this', two + 'o')}" if self.chance(0.5) and wide else f"attribute {name}.{self.one_of('weight', 'override')} = {self.one_of('2', name)}")
        word = "private " if not wide and self.chance(0.3) else ""
        self.open(f"object {two}o =")
        self.emit("relation inn(X:t)")
        self.emit(f"action ac(x:t) = {{ inn(x) := {self.one_of('true', name + '(x)')}; {self.one_of('', f'{name}c := inn(x);')} }}")
        self.close()
        if word:
            self.emit(f"private {two}o.{self.one_of('inn', 'ac')}")
        self.emit(f"export {two}o.ac")
        act = self.fresh("a")
        self.emit(f"action {act}(x:t, y:{two}t) = {{ {self.one_of(f'{name}(x) := true;', f'{two}g(y) := {name}(x);', f'{two}f(x) := y;', f'{name}b(X, y) := {name}(X);')} assert {self.label_()}{self.one_of(f'{name}(x)', f'{two}g(y)', f'{two}f(x) = y', f'{name}b(x, y) -> {name}(x)', f'{name}c')}; }}")
        self.emit(f"export {act}")
        texts = [f"{name}(X)", f"{name}b(X, Y) -> {name}(X)", f"{two}g({two}f(X))", f"{name}c -> {two}o.inn({two})", f"forall X, Y. {name}b(X, Y) -> {two}f(X) = Y", f"forall (X:t) {name}(X)", f"exists (X:t, Y:{two}t) {name}b(X, Y) | ~{name}b(X, Y)"]
        self.emit(f"{self.claim_word()} [{self.fresh('n')}] {self.one_of(*texts)}")
        self.emit(f"derived {name}d(X:t) = {name}(X), {name}e(Y:t) = ~{name}(Y)")
        self.emit(f"{self.claim_word()} [{self.fresh('n')}] {self.one_of(f'{name}d(X) -> {name}(X)', f'{name}d(X) <-> ~{name}e(X)', f'{name}e({two})')}")
        if wide and self.chance(0.4):
            self.emit(f"parameter {two}p : t = {self.one_of(two, '0', 'true')}")
