"""Rarer declarations and statements of Ivy's language for `ivy_programs.py`: a program has a few kinds of them.

A method `feature_NAME` emits declarations of the program, beside the symbols that it finds there; `FEATURES` says from which version
on.
"""
import re

from ivy_formulas import Action, Scope, Symbol
from ivy_containers import Containers

# The name of a kind, and the first and last minor version with it.
FEATURES = {
    "methods": (7, 8), "operators": (7, 8), "brackets": (7, 8), "proofs": (7, 8), "goals": (7, 8), "theorems": (7, 8), "derivations": (7, 8), "named": (7, 8),
    "wire": (8, 8), "crash": (7, 8), "order": (7, 8), "native": (7, 8), "mixin": (5, 8), "delegate": (5, 8), "implied": (5, 6), "classes": (8, 8),
    "with": (7, 8), "parameter": (7, 8), "hidden": (7, 8), "callback": (7, 8), "process": (8, 8), "unprovable": (8, 8),
    "ends": (7, 8), "schema": (7, 8), "nested": (7, 8), "narrowed": (7, 8), "stubs": (7, 8), "summary": (7, 8),
    "texts": (7, 8), "late": (7, 8), "homonym": (6, 8), "attributes": (6, 8),
    "loops": (8, 8), "collections": (7, 8), "anyfield": (7, 8), "scenario": (7, 8), "temporal": (7, 8), "templates": (7, 8), "common": (8, 8), "ordered": (7, 8),
    "variants": (7, 8), "typed": (7, 8), "bools": (7, 8), "inner": (7, 8), "modules": (5, 8), "counters": (7, 8), "choices": (7, 8), "lefts": (7, 8),
    "net": (7, 8), "environment": (7, 8), "copies": (7, 8), "definitions": (7, 8), "explicit": (7, 8), "recursion": (7, 8), "expressions": (7, 8), "network": (7, 8), "versions": (5, 6), "silent": (5, 8), "series": (7, 8), "operations": (7, 8), "shadows": (7, 8), "captured": (7, 8), "ranged": (7, 8), "continued": (7, 8), "containers": (7, 8), "mounted": (7, 8),
}


class Features(Containers):
    def choose_features(self):
        names = [name for name, (first, last) in FEATURES.items() if first <= self.minor <= last]
        wanted = self.only or (self.rng.sample(names, self.rng.choice([1, 2, 3])) if self.chance(0.6) else [])
        self.features = [it for it in wanted if it in names]

    def emit_features(self):
        for name in self.features:
            getattr(self, f"feature_{name}")()

    # ---- help ----

    def object_of(self, name, parameter=None):
        self.declared.add(((), name))
        return ((name, parameter),)

    def code(self, action, path, most=2, **changes):
        """Statements of an action."""
        variables = dict(action.params + action.returns)
        scope = Scope(path=path, vars=variables, params=frozenset(it for it, _ in action.params), rank=action.rank, has_old=True, is_code=True)
        self.block(scope.inner(**changes), 1, most)

    def about(self, names, positive=True):
        """A formula about these program variables, and what the program has."""
        return self.formula(Scope(vars=dict(names)), 1, positive)

    def closed(self, positive=True):
        return self.formula(Scope(), 1, positive)

    # ---- objects and actions ----

    def feature_methods(self):
        name = self.fresh("ob")
        path = self.object_of(name)
        self.open(f"{'class' if self.minor == 8 and self.chance(0.3) else 'object'} {name} =")
        if not re.match(r"\s*class", self.lines[-1]):
            self.emit("type this")
        self.sorts.append(name)
        field, relation, act = self.fresh("fl"), self.fresh("r"), self.fresh("a")
        has_field = self.chance(0.5)
        if has_field:
            self.emit(f"destructor {field}(X:this) : t")
        self.emit(f"relation {relation}(X:this, Y:t)")
        x = "self" if self.chance(0.3) else "x"
        self.emit(f"{f'method {act}(y:t)' if x == 'self' else f'action {act}(x:this, y:t)'} returns (z:this) = {{")
        self.indent += 1
        self.emit(f"{relation}({x}, y) := {self.rng.choice(['true', 'false', f'~{relation}({x}, y)'])};")
        self.emit(f"{'require' if self.chance(0.5) else 'ensure'} {self.rng.choice([f'{relation}({x}, y)', f'{x} = z', f'{x}.{relation}(y)', f'old {relation}({x}, y)'])};" if self.chance(0.6) else "")
        self.emit(f"z := {x};")
        if has_field:
            self.emit(f"z.{field} := y;")
        self.close()
        self.close()
        self.known(Symbol(relation, [name, "t"], "bool", "state", path))
        self.new_action(act, [(x, name), ("y", "t")], [("z", name)], path)
        user = self.fresh("a")
        self.open(f"action {user}(x:{name}, y:t) returns (q:{name}) =")
        slip = self.slips()
        self.emit(self.rng.choice([f"q := x.{act}(y)", f"q := x.{act}(y).{act}(y)", f"var k := x.{act}(y); q := k", f"x.{relation}(y) := true; q := x",
                                   f"if x.{relation}(y) {{ q := x.{act}(y) }}"]).replace("(y)", self.rng.choice(["", "(x)", "(y, y)"]) if slip else "(y)") + ";")
        self.emit(f"assert {self.rng.choice(['q = x', f'q.{relation}(y)', f'x.{relation}(y)', f'x.{relation}(y) -> q = x', f'q.{field} = y' if has_field else 'q = q | true'])};")
        self.close()
        self.new_action(user, [("x", name), ("y", "t")], [("q", name)])

    def feature_classes(self):
        base, sub = self.fresh("cl"), self.fresh("sb")
        field, more, act = self.fresh("fl"), self.fresh("fl"), self.fresh("a")
        is_continued = self.chance(0.2)
        if is_continued:
            self.emit(f"object {base} = {{ relation old{base} }}")
        self.open(f"class {base} =")
        self.emit("..." if is_continued else "")
        self.emit(f"field {field} : {self.rng.choice(['bool', 't'])}")
        kind = self.lines[-1].split()[-1]
        self.emit(f"action {act}(self:this) returns (z:{kind}) = {{ z := self.{field} }}")
        self.close()
        self.open(f"subclass {sub} of {base if not self.slips() else 'missing'} =")
        self.emit(f"field {more} : t")
        self.close()
        for name in (base, sub):
            self.sorts.append(name)
            self.object_of(name)
        user = self.fresh("a")
        self.open(f"action {user}(x:{base}, y:{sub}, v:t) returns (z:{base}) =")
        self.emit(f"y.{more} := v;")
        self.emit(self.rng.choice(["z := y;", "z := x;"]))
        self.open(f"if w:{sub} := {self.rng.choice(['x', 'z'])}")
        self.emit(f"assert {self.rng.choice([f'w.{more} = v', 'w = y', f'z *> w', f'x isa {sub}'])};")
        self.close()
        self.emit(f"assert {self.rng.choice([f'z isa {sub}', 'z *> y', f'z *> y -> y.{more} = v', f'(x isa {sub}) -> (z isa {sub})'])};")
        self.close()
        self.new_action(user, [("x", base), ("y", sub), ("v", "t")], [("z", base)])

    def feature_late(self):
        """Variants with actions of their own, which are called in the place of that of their type."""
        base, first, second = self.fresh("ba"), self.fresh("va"), self.fresh("vb")
        act, flag, value = self.fresh("a"), self.fresh("log"), self.fresh("p")
        self.emit(f"relation {flag}0")
        self.emit(f"relation {flag}1")
        self.open(f"object {base} =")
        self.emit("type this")
        self.emit(f"action {act}(x:this, y:t) returns (z:t) = {{ {flag}0 := true; z := y }}")
        self.close()
        fields = {}
        for name in (first, second):
            fields[name] = self.fresh("fl")
            self.open(f"object {name} =")
            self.emit(f"variant this of {base}{f' = struct {{ {fields[name]} : t }}'}")
            if self.chance(0.7):
                result = self.rng.choice(["y", f"x.{fields[name]}"])
                other = ", w:t" if self.slips() else ""
                self.emit(f"action {act}(x:this, y:t{other}) returns (z:t) = {{ {flag}1 := {self.rng.choice(['true', 'false'])}; z := {result} }}")
            self.close()
        for name in (base, first, second):
            self.object_of(name)
        self.emit(f"individual {value} : {base}")
        user = self.fresh("a")
        one = self.rng.choice([first, second])
        self.open(f"action {user}(x:{base}, y:t, k:{first}) returns (z:t) =")
        self.emit(f"{flag}0 := false;")
        self.emit(f"{flag}1 := false;")
        if self.chance(0.5):
            self.emit(f"x := {self.rng.choice(['k', value])};")
        self.emit(self.rng.choice([f"z := x.{act}(y);", f"call z := x.{act}(y);", f"z := x.{act}(x.{act}(y));", f"z := {base}.{act}(x, y);",
                                   f"if x.{act}(y) = y {{ z := y }} else {{ z := x.{act}(y) }};"]))
        if self.chance(0.5):
            self.open(f"if w:{one} := x")
            self.emit(f"assert {self.rng.choice([f'z = w.{fields[one]}', 'z = y', f'{flag}1', f'{flag}0'])};")
            self.close()
        self.emit(f"assert {self.rng.choice([f'(x isa {one}) -> {flag}1', f'{flag}0', f'~{flag}0 | ~{flag}1', f'~(x isa {first}) & ~(x isa {second}) -> {flag}0 & z = y', f'(x isa {one}) -> ~{flag}0'])};")
        self.close()
        self.new_action(user, [("x", base), ("y", "t"), ("k", first)], [("z", "t")])

    def feature_homonym(self):
        """A variable with the name of an object, and members of both."""
        name, kind, act = self.fresh("ho"), self.fresh("hs"), self.fresh("a")
        word = "invariant" if self.minor >= 7 else "conjecture"
        self.emit(f"type {kind} = struct {{ fa : t, fb : bool }}")
        self.open(f"object {name} =")
        self.emit("individual fa : t")
        self.emit("relation fb")
        self.emit("relation fc")
        self.close()
        self.object_of(name)
        self.emit(f"after init {{ {name}.fb := false; {name}.fc := false }}" if self.minor >= 7 else f"init ~{name}.fb & ~{name}.fc")
        where = self.rng.choice(["parameter", "var", "result", "none"])
        parameters = {"parameter": f"({name}:{kind}, v:t)", "result": f"(v:t) returns ({name}:{kind})"}.get(where, "(v:t)")
        self.open(f"action {act}{parameters} =")
        if where == "var":
            self.emit(f"var {name} : {kind};")
        member = self.rng.choice(["fa", "fb", "fc" if self.slips() else "fb"])
        self.emit(f"{name}.{member} := {'v' if member == 'fa' else self.rng.choice(['true', 'false'])};")
        self.emit(f"assert {self.rng.choice([f'{name}.fa = v', f'{name}.fb', f'~{name}.fb', f'{name}.fb | v = {name}.fa'])};")
        self.close()
        self.emit(f"export {act}")
        self.emit(f"{word} [{self.fresh('n')}] ~{name}.fb")

    def feature_attributes(self):
        """Attributes from which nothing follows."""
        names = [""] + ["".join(f"{it}." for it, _ in action.path) + action.name + "." for action in self.actions[:2]]
        for _ in range(self.rng.choice([1, 2])):
            values = ["method = ic", "weight = 2", "separate = true", "separate = false", "test = impl", "method = bmc", "method = mc[2]"]
            slip = ["methd = ic", "method = bmc(2)[1]", "method ic"]
            self.emit(f"attribute {self.rng.choice(names)}{self.rng.choice(slip if self.slips() else values)}")

    def feature_crash(self):
        name = self.fresh("o")
        path = self.object_of(name, "t")
        relation, other, act = self.fresh("r"), self.fresh("c"), self.fresh("a")
        self.open(f"object {name}(self:t) =")
        self.emit(f"relation {relation}(X:t)")
        self.emit(f"individual {other} : t")
        if self.slips():
            self.emit(f"action {act}(x:t, y:t) = *")
        elif self.slips():
            self.emit(f"action {act} = *")
        else:
            self.emit(f"action {act} = *")
        if self.chance(0.3):
            self.open("object spec =")
            self.emit(f"relation kept(X:t)")
            self.close()
        self.close()
        self.known(Symbol(relation, ["t"], "bool", "state", path))
        self.known(Symbol(other, [], "t", "state", path))
        user = self.fresh("a")
        self.open(f"action {user}(x:t, y:t) =")
        self.emit(f"{name}.{relation}(x, y) := true;")
        self.emit(f"call {name}.{act}({self.rng.choice('xy')});")
        self.emit(f"assert {name}.{relation}(x, y){' | x = y' if self.chance(0.3) else ''};")
        self.close()
        self.new_action(user, [("x", "t"), ("y", "t")], [])

    def feature_mixin(self):
        actions = [it for it in self.actions if not it.path and it.has_body and it.is_plain]
        if not actions or self.minor < 7 and not self.once(("mixin",)):
            return
        of = self.rng.choice(actions)
        name = self.fresh("mx")
        params = of.params if not self.slips() else of.params + [("extra", "t")]
        when = self.rng.choice(["before", "after"])
        returns = of.returns if not self.slips() else []
        self.open(f"action {self.heading(name, params, returns)} =")
        scope = Scope(vars=dict(params + returns), params=frozenset(it for it, _ in params), rank=of.rank, is_code=True)
        self.block(scope, 1, 2)
        self.close()
        self.emit(f"mixin {name} {when} {of.name}")

    def feature_delegate(self):
        name, user = self.fresh("a"), self.fresh("a")
        self.open(f"action {name}(x:t) =")
        label = f"[{self.fresh('l')}] " if self.minor < 7 else ""
        self.emit(f"assert {label}{self.about([('x', 't')])};")
        self.close()
        self.declared.add(((), name))
        self.emit(f"delegate {name if not self.slips() else 'missing'}")
        self.open(f"action {user}(x:t) =")
        self.emit(f"assume {self.about([('x', 't')])};")
        self.emit(f"call {name}(x);")
        self.close()
        self.new_action(user, [("x", "t")], [])

    def feature_implied(self):
        """A small program without exports, up to version 1.6: all actions are exported."""
        del self.lines[1:]
        self.emit("type t")
        self.emit("relation r(X:t)")
        self.emit("relation s")
        texts = ["r(x)", "~r(x)", "s", "~s", "r(x) -> s"]
        label = lambda: f"[{self.fresh('l')}] "
        change = lambda: self.rng.choice(["r(x) := true;", "r(x) := false;", "s := true;", "s := false;", ""])
        check = lambda: f"{self.rng.choice(['assert', 'assert', 'assume'])} {label()}{self.rng.choice(texts)};"
        # Ivy takes monitors for actions of their own, which differ from what they are where they come after others.
        is_monitored = self.chance(0.6)
        for name in ("a", "b")[: self.rng.choice([1, 2])]:
            call = "call a(x);" if name == "b" and self.chance(0.6) and not is_monitored else ""
            self.emit(f"action {name}(x:t) = {{ {change()} {call} {check() if self.chance(0.6) else ''} {change()} }}")
            if is_monitored and self.chance(0.7):
                self.emit(f"before {name}(x:t) {{ {check()} {change()} }}")
        if self.chance(0.4):
            self.emit("delegate a")
        if not is_monitored:
            self.emit(f"conjecture [{self.fresh('n')}] {self.rng.choice(['r(X) -> s', 's', 'r(X)', '~r(X)'])}")
        self.actions, self.objects, self.old_used, self.symbols, self.isolated = [], [], {}, [], False

    def feature_native(self):
        name = self.fresh("o")
        path = self.object_of(name)
        act = self.fresh("a")
        trusted = not self.slips() or self.chance(0.5)
        self.open(f"{'trusted ' if trusted else ''}isolate {name} =")
        self.open("specification")
        self.emit(f"action {act}(x:t) returns (y:t)")
        self.open(f"after {act}")
        self.emit(f"ensure {self.about([('x', 't'), ('y', 't')])};")
        self.close()
        self.close()
        self.open("implementation")
        self.open(f"implement {act}(x:t) returns (y:t)")
        self.emit("<<< y = x; >>>")
        self.close()
        self.close()
        self.close()
        self.new_action(act, [("x", "t")], [("y", "t")], path)
        self.objects.append(((), name))
        user = self.fresh("a")
        self.open(f"action {user}(x:t) returns (y:t) =")
        self.emit(f"y := {name}.{act}(x);")
        self.emit(f"assert {self.about([('x', 't'), ('y', 't')])};")
        self.close()
        self.new_action(user, [("x", "t")], [("y", "t")])

    def feature_callback(self):
        """An isolate that calls another one, whose action calls back."""
        one, two = self.fresh("o"), self.fresh("o")
        ask, reply, flag = self.fresh("a"), self.fresh("a"), self.fresh("r")
        trusted = "" if not self.chance(0.1) else "trusted "
        sees = lambda other: f" with {other}" if self.chance(0.8) else ""
        inner = lambda: self.rng.choice([f"{one}.{flag}(x)", f"~{one}.{flag}(x)", "true"])
        self.open(f"isolate {one} =")
        self.emit(f"relation {flag}(X:t)")
        if self.chance(0.8):
            self.emit(f"after init {{ {flag}(X) := {self.rng.choice(['false', 'true'])}; }}")
        self.emit(f"action {reply}(x:t) = {{ {self.rng.choice(['require', 'assume', 'ensure', 'assert'])} {flag}(x){' | true' if self.chance(0.5) else ''}; {flag}(x) := {self.rng.choice(['true', 'false'])}; }}")
        self.open(f"action start{one}(x:t) =")
        self.emit(f"{flag}(x) := {self.rng.choice(['true', 'false'])};")
        self.emit(f"call {two}.{ask}(x);")
        if self.chance(0.7):
            self.emit(f"assert {self.rng.choice([flag + '(x)', '~' + flag + '(x)'])};")
        if self.chance(0.5):
            self.emit(f"{flag}(x) := {self.rng.choice(['true', 'false'])};")
        self.close()
        self.emit(f"invariant {self.rng.choice([flag + '(X)', '~' + flag + '(X)'])}")
        self.close(sees(two))
        self.open(f"{trusted}isolate {two} =")
        local = self.chance(0.4)
        if local:
            self.emit("relation busy")
        self.emit(f"action {ask}(x:t)")
        if self.chance(0.6):
            word, body = self.rng.choice(["before", "after"]), self.rng.choice(["require", "ensure", "assert"])
            self.emit(f"{word} {ask} {{ {body} {inner()}; }}")
        section = self.chance(0.7)
        if section:
            self.open("implementation")
        self.open(f"implement {ask}(x:t)")
        if local:
            self.emit("busy := true;")
        self.emit(f"call {one}.{reply}(x);" if self.chance(0.8) else f"{one}.{flag}(x) := true;")
        self.close()
        if section:
            self.close()
        if local:
            self.emit(f"invariant {self.rng.choice(['busy', '~busy'])} | {self.rng.choice(['busy', f'{one}.{flag}(X)', f'~{one}.{flag}(X)'])}")
        self.close(sees(one))
        for it in (one, two):
            self.object_of(it)
        self.emit(f"export {one}.start{one}")
        if self.chance(0.2):
            self.emit(f"export {two}.{ask}")
        if self.chance(0.2):
            self.emit(f"export {one}.{reply}")

    def feature_stubs(self):
        """Actions that one isolate declares and another one implements, with monitors in both."""
        one, two = self.fresh("o"), self.fresh("o")
        act, state = self.fresh("a"), self.fresh("r")
        facts = [f"{one}.{state}(x)", f"~{one}.{state}(x)", f"{two}.own(x)", f"~{two}.own(x)"]
        checks = lambda: f"{self.rng.choice(['require', 'ensure', 'assert', 'assume'])} {self.rng.choice(facts)};"
        change = lambda at: f"{at}(x) := {self.rng.choice(['true', 'false'])};"
        self.open(f"{self.rng.choice(['isolate', 'isolate', 'object'])} {one} =")
        kind = self.lines[-1].split()[0]
        self.emit(f"relation {state}(X:t)")
        self.emit(f"action {act}(x:t)")
        self.emit(f"after init {{ {state}(X) := false; }}")
        self.emit(f"before {act} {{ {checks()} {change(state) if self.chance(0.5) else ''} }}")
        if self.chance(0.6):
            self.emit(f"after {act} {{ {checks()} }}")
        if self.chance(0.6):
            self.emit(f"invariant {self.rng.choice(['', '~'])}{state}(X)")
        self.close(f" with {two}" if kind == "isolate" and self.chance(0.4) else "")
        kind = self.rng.choice(["isolate", "isolate", "object"])
        self.open(f"{kind} {two} =")
        self.emit("relation own(X:t)")
        if self.chance(0.8):
            self.emit("after init { own(X) := false; }")
        private = self.chance(0.5)
        if private:
            self.open(self.rng.choice(["implementation", "private"]))
        self.emit(f"implement {one}.{act}(x:t) {{ {checks()} {change('own')} {change(f'{one}.{state}') if self.chance(0.2) else ''} }}")
        if private:
            self.close()
        if self.chance(0.4):
            self.emit(f"{self.rng.choice(['before', 'after'])} {one}.{act} {{ {checks()} }}")
        if self.chance(0.7):
            self.emit(f"invariant {self.rng.choice([f'own(X) -> {one}.{state}(X)', '~own(X)', f'own(X) & {one}.{state}(X) -> own(X)', f'{one}.{state}(X) -> own(X)'])}")
        self.close(f" with {one}" if kind == "isolate" and self.chance(0.8) else "")
        for it in (one, two):
            self.object_of(it)
        if self.chance(0.8):
            self.emit(f"export {one}.{act}")
        else:
            user = self.fresh("a")
            self.emit(f"action {user}(x:t) = {{ {checks()} call {one}.{act}(x); {checks()} }}")
            self.emit(f"export {user}")

    def feature_summary(self):
        """An isolate whose action another one calls without seeing how it is done."""
        one, two, act, get = self.fresh("o"), self.fresh("o"), self.fresh("a"), self.fresh("a")
        self.open(f"{'trusted ' if self.chance(0.1) else ''}isolate {one} =")
        self.open("specification")
        self.emit("individual abs : t")
        self.emit(f"action {act}(x:t)")
        self.emit(f"action {get} returns (y:t)")
        if self.chance(0.8):
            self.emit(f"before {act} {{ {self.rng.choice(['require x ~= abs;', 'require x = abs | true;', ''])} abs := x; }}")
        if self.chance(0.8):
            self.emit(f"after {get} {{ {self.rng.choice(['ensure', 'assert'])} y {self.rng.choice(['=', '=', '~='])} abs; }}")
        self.close()
        self.open(self.rng.choice(["implementation", "private", "specification", "object impl ="]))
        self.emit("individual st : t")
        if self.chance(0.7):
            self.emit("after init { st := abs; }")
        self.emit(f"implement {act}(x:t) {{ st := x; {self.rng.choice(['', '', 'abs := x;'])} }}")
        self.emit(f"implement {get} returns (y:t) {{ y := {self.rng.choice(['st', 'st', 'abs'])}; }}")
        if self.chance(0.8):
            self.emit("invariant st = abs")
        self.close()
        self.close(f" with {self.rng.choice([two, 'this'])}" if self.chance(0.2) else "")
        self.open(f"{self.rng.choice(['isolate', 'isolate', 'object'])} {two} =")
        kind = self.lines[-1].split()[0]
        self.emit(f"export action go(x:t) returns (y:t) = {{ {'assume x ~= ' + one + '.abs;' if self.chance(0.6) else ''} call {one}.{act}(x); y := {one}.{get}; "
                  f"{self.rng.choice(['assert', 'ensure'])} {self.rng.choice(['y = x', f'{one}.abs = x', f'y = {one}.abs', f'old {one}.abs = x'])}; }}")
        self.close(f" with {one}" if kind == "isolate" and self.chance(0.8) else "")
        for it in (one, two):
            self.object_of(it)
        if self.chance(0.3):
            self.emit(f"export {one}.{act}")
        if self.chance(0.3):
            self.emit(f"export {one}.{get}")

    def feature_hidden(self):
        """Definitions, axioms and interpretations that an isolate does not see."""
        one, two, rel = self.fresh("o"), self.fresh("o"), self.fresh("rg")
        word = lambda: self.rng.choice(["specification", "implementation", "private"])
        self.open(f"isolate {one} =")
        self.emit(f"relation {rel}(X:t)")
        self.open(word())
        self.emit(self.rng.choice([f"definition {rel}(X:t) = X = X", f"axiom {rel}(X)", f"axiom [known] {rel}(X)", f"property [known] {rel}(X)", f"explicit axiom [known] {rel}(X)"]))
        self.close()
        self.emit(f"property [shown{one}] {self.rng.choice([rel + '(X)', 'exists X. ' + rel + '(X)'])}")
        self.close(f" with {two}" if self.chance(0.2) else "")
        self.open(f"isolate {two} =")
        self.emit(f"{self.rng.choice(['property', 'property', 'invariant'])} [used{two}] {self.rng.choice([f'{one}.{rel}(X)', f'exists X. {one}.{rel}(X)'])}")
        names = [one, f"{one}.{rel}", f"{one}.shown{one}", f"{one}.known"]
        self.close(f" with {self.rng.choice(names + (['missing'] if self.slips() else []))}" if self.chance(0.8) else "")
        for it in (one, two):
            self.object_of(it)

    def feature_process(self):
        name = self.fresh("pr")
        act, rel = self.fresh("a"), self.fresh("r")
        path = self.object_of(name, "t")
        if self.chance(0.4):
            self.open("global")
            self.emit(f"relation gl{name}(X:t)")
            self.emit(f"axiom [gax{name}] gl{name}(X)")
            self.close()
            self.known(Symbol(f"gl{name}", ["t"], "bool", "rigid", ()))
        self.open(f"process {name}(self:t) =")
        self.emit("..." if self.slips() else "")
        self.emit(f"relation {rel}(X:t)")
        self.emit(f"after init {{ {rel}(X) := false; }}")
        action = self.new_action(act, [("x", "t")], [], path)
        self.open(f"export action {act}(x:t) =")
        action.is_plain = False
        self.code(action, path)
        self.close()
        self.emit(f"invariant {self.claim(Scope(path=path))}")
        self.close()
        self.known(Symbol(rel, ["t"], "bool", "state", path))

    def feature_nested(self):
        """Modules in modules, isolates of modules, and their instances."""
        outer, inner, act, inst = self.fresh("m"), self.fresh("m"), self.fresh("a"), self.fresh("i")
        isolate = "isolate " if self.chance(0.6) else ""
        seen = f" with {self.rng.choice(['this', 'this', 'in1'])}" if isolate and self.chance(0.6) else ""
        self.open(f"module {isolate}{outer}(ty){seen} =")
        self.open(f"{self.rng.choice(['module isolate', 'module object', 'module'])} {inner}(tz) =")
        self.emit("relation q(X:tz)")
        self.emit("after init { q(X) := false; }")
        self.emit(f"action {act}(x:tz) = {{ {self.rng.choice(['require', 'ensure'])} {self.rng.choice(['q(x)', '~q(x)', 'true'])}; q(x) := {self.rng.choice(['true', 'false'])}; }}")
        self.emit(f"invariant {self.rng.choice(['~q(X)', 'q(X) -> q(X)', 'q(X)'])}")
        self.close()
        self.emit(f"instance in1 : {inner}(ty)")
        if self.chance(0.5):
            self.emit(f"instance in2 : {inner}({self.rng.choice(['ty', 't'])})")
            self.emit(f"invariant in1.q(X) -> in2.q(X)" if "(ty)" in self.lines[-1] else "invariant in1.q(X) -> exists Y. in2.q(Y)")
        self.emit(f"action go(x:ty) = {{ call in1.{act}(x); assert {self.rng.choice(['in1.q(x)', '~in1.q(x)'])}; }}")
        self.close()
        sort = self.rng.choice([it for it in self.base_sorts() if it not in self.enums])
        self.emit(f"instance {inst} : {outer}({sort})")
        self.object_of(inst)
        self.emit(f"export {inst}.go")
        if self.chance(0.5):
            self.emit(f"export {inst}.in1.{act}")

    def feature_narrowed(self):
        """An isolate of an object with a parameter, for one value of it."""
        name, act, rel = self.fresh("o"), self.fresh("a"), self.fresh("r")
        self.object_of(name, "t")
        self.open(f"object {name}(self:t) =")
        self.emit(f"relation {rel}(X:t)")
        self.emit(f"individual own : t")
        self.emit(f"after init {{ {rel}(X) := {self.rng.choice(['true', 'false', 'X = self'])}; }}")
        self.emit(f"export action {act}(x:t) = {{ {self.rng.choice(['', 'require ' + rel + '(x);'])} {rel}(x) := {self.rng.choice(['true', 'false', 'x = self'])}; "
                  f"{self.rng.choice(['', f'assert {rel}(self);', 'own := x;', f'assert {rel}(x) -> x = self;'])} }}")
        self.emit(f"invariant {self.rng.choice([f'{rel}(X) -> X = self', f'{rel}(X)', f'~{rel}(X)', f'{rel}(own) -> {rel}(self)'])}")
        if self.chance(0.2):
            self.emit(f"invariant {name}.{rel}(X, Y) -> {name}.{rel}(self, Y)")
        self.close()
        shape = self.rng.choice([f"(me:t) = {name}(me)", f"(me:t) = {name}(me)", f" = {name}", f"(me:t) = {name}"])
        self.emit(f"isolate {self.fresh('iso')}{shape}{self.rng.choice(['', '', ' with this'])}")

    # ---- declarations ----

    def feature_operators(self):
        sign = self.rng.choice("+-*")
        if self.numbers and self.chance(0.3):
            return
        if self.chance(0.5):
            self.emit(f"function (X:t {sign} Y:t) : t")
        relation = self.rigid(["t"])
        if self.chance(0.6):
            left, right = self.rng.choice([("X:t", "X"), ("X:t", "Y"), ("k", "k")])
            if left == "k":
                constant = self.declare(self.fresh("k"), [], "t", "rigid", (), "individual")
                left = right = constant.name
            self.emit(f"axiom {relation.name}({left} {sign} {right}){' -> ' + relation.name + '(' + right + ')' if self.chance(0.6) else ''}")
        name = self.fresh("a")
        self.open(f"action {name}(x:t, y:t) returns (z:t) =")
        self.emit(f"z := x {sign} y;")
        self.emit(f"assert {self.rng.choice([f'{relation.name}(z)', f'z = x {sign} y', f'{relation.name}(x {sign} y) -> {relation.name}(z)', f'z = y {sign} x'])};")
        self.close()
        self.new_action(name, [("x", "t"), ("y", "t")], [("z", "t")])

    def feature_brackets(self):
        module, name = self.fresh("m"), self.fresh("b")
        self.open(f"module {module}(ty) =")
        self.emit("type this")
        self.emit("relation q(X:this, Y:ty)")
        self.emit("individual k : ty")
        self.emit("axiom q(X, k)" if self.chance(0.5) else "property [pp] q(X, k) -> exists Y. q(X, Y)")
        self.close()
        self.emit(f"autoinstance {name}[x] : {module}(x)" if not self.slips() else f"autoinstance {name}[x][y] : {module}(x)")
        sort = self.rng.choice([it for it in self.base_sorts() if it not in self.enums])
        whole = f"{name}[{sort}]"
        symbol = self.fresh("c")
        self.emit(f"individual {symbol} : {whole}")
        self.emit(f"property [{self.fresh('n')}] {self.rng.choice([f'{whole}.q({symbol}, {whole}.k)', f'{whole}.q(X, Y) -> {whole}.q(X, {whole}.k)', f'exists Y. {whole}.q({symbol}, Y)'])}")

    def feature_parameter(self):
        name = self.fresh("pa")
        default = self.rng.choice([it.name for it in self.symbols if it.result == "t" and not it.args and not it.path] or ["0"])
        self.emit(f"parameter {name} : t{f' = {default}' if self.chance(0.5) else ''}")
        self.known(Symbol(name, [], "t", "state" if self.slips() else "rigid"))
        if self.chance(0.5):
            self.emit(f"property [{self.fresh('n')}] {name} = {default} | {self.about([])}")

    def feature_texts(self):
        """Constants in quotes, of a type of texts and of one of which nothing is known."""
        sort, name = self.fresh("tx"), self.fresh("c")
        self.emit(f"type {sort}")
        if self.chance(0.7):
            self.emit(f"interpret {sort} -> strlit")
        self.emit(f"individual {name} : {sort}")
        texts = ['"a"', '"b"', '"ab"', '""', '"a:b"', '"a b"']
        for _ in range(self.rng.choice([1, 2, 3])):
            one, two = self.rng.choice(texts), self.rng.choice([*texts, name])
            self.emit("property " + self.rng.choice([
                f"{one}:{sort} ~= {two}", f"{one}:{sort} < {two}", f"{name} = {one} -> {name} ~= {two}", f"{name}:{sort} = {one} | {name} < {two} | {two} <= {name}",
                f"X:{sort} = {one} -> X ~= {two}", f"{one}:{sort} <= X"]))

    def feature_with(self):
        """Claims that name others, and what is explicit."""
        one, two = self.fresh("n"), self.fresh("n")
        self.emit(f"invariant [{one}] {self.claim(Scope())}")
        self.emit(f"invariant [{two}] {self.claim(Scope())}{' with ' + (one if not self.slips() else 'missing') if self.chance(0.5) else ''}")
        relation = self.rigid(["t"])
        label = self.fresh("n")
        self.emit(f"explicit {self.rng.choice(['axiom', 'property'])} [{label}] {relation.name}(X)")
        self.emit(f"property [{self.fresh('n')}] {self.rng.choice([f'{relation.name}(X)', f'exists X. {relation.name}(X)', f'{relation.name}(X) -> {relation.name}(Y)'])}")

    def feature_unprovable(self):
        self.emit(f"unprovable invariant [{self.fresh('n')}] {self.claim(Scope())}")
        relation, called = self.declare(self.fresh("r"), ["t"], "bool", "state", (), "relation").name, self.fresh("a")
        self.emit(f"action {called}(x:t) returns (y:t) = {{ {self.rng.choice(['', f'require {relation}(x);', f'assume ~{relation}(x);'])} {relation}(x) := {self.rng.choice(['true', 'false'])}; y := x }}")
        self.emit(f"invariant [{self.fresh('n')}] {self.rng.choice([f'{relation}(X)', f'~{relation}(X)', f'{relation}(X) -> {relation}(Y)'])}")
        name = self.fresh("a")
        action = self.new_action(name, [("x", "t")], [])
        self.open(f"action {name}(x:t) =")
        if self.chance(0.5):
            self.emit(f'debug "event" with x = {self.rng.choice(["x", f"{called}(x)", f"{called}(x)", f"x = {called}(x)"])}, y = {relation}(x);')
        self.emit(f"{self.rng.choice(['require', 'ensure', 'unprovable assert', 'unprovable require'] + (['requires', 'ensures'] if self.slips() else []))} {self.about([('x', 't')])};")
        self.code(action, ())
        self.close()

    def feature_ends(self):
        """Numbers with an end that is a parameter."""
        sort, end = self.fresh("num"), self.fresh("mx")
        self.emit(f"type {sort}")
        self.emit(f"interpret {sort} -> {{0..{end}}}")
        if self.slips():
            self.emit(f"parameter {end} : {sort}")
        name = self.fresh("a")
        self.open(f"action {name}(x:{sort}, y:{sort}) returns (z:{sort}) =")
        self.emit(self.rng.choice(["z := x + 1;", "z := x - 1;", "z := x;", "if x < y { z := x + 1 } else { z := y };"]))
        options = ["x < z", "x <= z", f"z <= {end}", "0 <= z", "x < y -> x < z", "x < y -> z <= y", "z <= x", f"x < {end} -> x < z", "z = x", f"z = 0 | z = {end}"]
        self.emit(f"assert {self.rng.choice(options)};")
        if self.chance(0.4):
            self.emit(f"assert {self.rng.choice(options)};")
        self.close()
        self.new_action(name, [("x", sort), ("y", sort)], [("z", sort)])

    def feature_wire(self):
        name, sort = self.fresh("w"), self.rng.choice(self.base_sorts())
        body = self.formula(Scope(bound=[("X", sort, None)]), 1, None, False)
        self.emit(f"wire {name}(X:{sort}) : bool = {body}")
        wire = self.known(Symbol(name, [sort], "bool", "wire"))
        act = self.fresh("a")
        action = self.new_action(act, [("x", sort)], [])
        self.open(f"action {act}(x:{sort}) =")
        self.code(action, (), has_old=False)
        self.emit(f"{self.rng.choice(['assert', 'assume', 'ensure', 'require'])} {self.rng.choice(['', '~'])}{name}(x);")
        self.code(action, (), has_old=False)
        if self.chance(0.5):
            self.emit(f"if {name}(x) {{ assert {body.replace('X', 'x') if not re.search('forall|exists', body) else 'true'}; }}")
        self.close()
        self.emit(f"invariant {name}(X) -> {self.closed()}")
        if self.chance(0.5):
            self.emit(f"invariant {name}(X) {self.rng.choice(['->', '<->'])} ({body})")
        if self.slips():
            self.emit(f"action {self.fresh('a')} = {{ {name}(X) := true; }}")

    def feature_order(self):
        name = self.fresh("ix")
        self.lines.insert(1, "include order")
        kind = self.rng.choice(["unbounded_sequence", "unbounded_sequence", "bounded"]) if self.minor >= 7 else "unbounded_sequence"
        if kind == "bounded":
            self.emit(f"instance {name} : bounded_sequence(bv[{self.rng.choice([2, 3, 10])}])")
        else:
            self.emit(f"instance {name} : {kind}")
        self.object_of(name)
        sort = f"{name}.t" if self.minor < 7 else name
        act, user = self.fresh("k"), self.fresh("a")
        self.emit(f"individual {act} : {sort}")
        self.open(f"action {user}(x:{sort}) returns (z:{sort}) =")
        step = self.rng.choice(["next", "prev", "next"])
        guard = self.rng.choice([f"if x > 0 {{ z := {name}.prev(x); }};", f"if {act} < x {{ z := {name}.prev(x); }};", f"z := {name}.prev(x);"]) if step == "prev" and self.minor >= 7 else f"z := {name}.next(x);"
        if kind == "bounded" and step == "next":
            guard = self.rng.choice([guard, f"if x < {act} {{ {guard} }};"])
        self.emit(guard)
        options = ["x < z", "z < x", "X < z -> X <= x", f"z ~= x", f"{name}.succ(x, z)", "z ~= 0" if self.minor >= 7 else "z = z | x < z", f"{name}.succ(z, x)", f"x < {act} -> z <= {act}"]
        if self.minor < 6:
            options = options[:2]
        label = lambda: f"[{self.fresh('l')}] " if self.minor < 7 else ""
        self.emit(f"assert {label()}{self.rng.choice(options)};")
        self.emit(f"{act} := {self.rng.choice(['x', 'z'])};")
        self.close()
        self.new_action(user, [("x", sort)], [("z", sort)])
        self.emit(f"{'invariant' if self.minor >= 7 else 'conjecture'} [{self.fresh('n')}] {self.rng.choice([f'X:{sort} < Y & Y < Z -> X < Z', f'X:{sort} < {act} -> X ~= {act}', f'X:{sort} <= {act}', f'{act} ~= {act} | ~({act} < {act})'])}")
