"""Further kinds of declarations and statements of Ivy's language for `ivy_programs.py`: several variants of a type, modules with parameters of
all kinds, what objects declare beside symbols, loops with counters, choices of several values, left sides with terms, and types with
methods. What a program asserts holds in some and fails in others."""
import re

from ivy_formulas import Symbol
from ivy_names import Names


class Constructs(Names):
    def one_of(self, *texts):
        return self.rng.choice(texts)

    def some_of(self, least, most, texts):
        return self.rng.sample(texts, min(len(texts), self.rng.randint(least, most)))

    def label_(self):
        """A label, which assertions need up to 1.6."""
        return f"[{self.fresh('l')}] " if self.minor < 7 else ""

    def claim_word(self):
        return "invariant" if self.minor >= 7 else "conjecture"

    def asserted(self, claims, least=1, most=2, words=("assert", "assert", "ensure")):
        for text in self.some_of(least, most, claims):
            word = self.one_of(*words) if self.minor >= 7 else "assert"
            self.emit(f"{word} {self.label_()}{text};")

    def claimed(self, claims, least=1, most=2, words=("invariant", "invariant", "invariant", "property")):
        for text in self.some_of(least, most, claims):
            word = self.one_of(*words) if self.minor >= 7 else "conjecture"
            self.emit(f"{word} [{self.fresh('n')}] {text}")

    # ---- types ----

    def feature_variants(self):
        """Two variants of a type, one with fields, in variables of actions and of the program."""
        base, one, two, field, rel, user, kept = (self.fresh(it) for it in ("ba", "va", "vb", "fl", "r", "a", "k"))
        self.emit(f"type {base}")
        is_struct, is_second = self.chance(0.6), self.chance(0.7)
        self.emit(f"variant {one} of {base}" + (f" = struct {{ {field} : t, {field}b : bool }}" if is_struct else ""))
        if is_second:
            self.emit(f"variant {two} of {base}" + (" = struct { " + field + "c : t }" if self.chance(0.4) else ""))
        else:
            two = one
        self.emit(f"individual {kept} : {base}")
        self.emit(f"relation {rel}(X:{base})")
        self.emit(f"after init {{ {rel}(X) := {self.one_of('false', 'true', f'(X:{base} isa {one})')}; }}")
        given = f"(x:{base}, y:{one}, z:{two}, v:t) returns (o:{base})"
        self.open(f"action {user}{given} =")
        values = ["x", "o", kept]
        steps = ["x := y;", "o := y;", "o := z;", f"{kept} := y;", f"{kept} := x;", "o := x;", f"{rel}(x) := true;", f"{rel}(X) := (X:{base} isa {one});",
                 f"o := {kept};", f"{rel}(X) := X *> y;", f"if x isa {one} {{ o := x }} else {{ o := z }};", "o := *;", f"if {rel}(x) {{ x := y }};",
                 f"if some w:{one}. x *> w {{ y := w; o := w }};", f"if w:{one} := {self.one_of(*values)} {{ y := w }};",
                 f"if w:{one} := {self.one_of(*values)} {{ o := w }} else {{ o := y }};", f"if w:{one} := x {{ if u:{two} := {kept} {{ {rel}(x) := true }} }};"]
        if is_struct:
            steps += [f"y.{field} := v;", f"y.{field}b := {rel}(x);", f"if w:{one} := x {{ w.{field} := v; o := w }};", f"{field}(y) := v;"]
        for text in self.some_of(1, 4, steps):
            self.emit(text)
        some = lambda: self.one_of(*values)
        claims = [f"{some()} isa {one}", f"~({some()} isa {two})", f"{some()} *> y", f"{some()} *> z -> {some()} *> z", f"x = o", f"{some()} *> y & {some()} *> y -> {some()} = {some()}",
                  f"~(({some()} isa {one}) & ({some()} isa {two}))", f"(x isa {one}) -> (o isa {one})", f"exists Y:{one}. {some()} *> Y", f"(exists Y:{one}. x *> Y) <-> (x isa {one})",
                  f"X:{base} *> y & Z *> y -> X = Z", f"X:{base} *> Y:{one} & X *> Z -> Y = Z", f"{rel}(x) -> (x isa {one})", f"{rel}(X) & (X:{base} isa {two}) -> {rel}(o)", f"(old x isa {one}) -> (x isa {one})"]
        if is_struct:
            claims += [f"y.{field} = v", f"o *> Y:{one} -> {field}(Y) = v", f"x *> y -> y.{field} = v | {rel}(x)", f"{field}(Y:{one}) = {field}(Z) & ({field}b(Y) <-> {field}b(Z)) -> Y = Z"]
        self.asserted(claims, 1, 3)
        self.close()
        self.new_action(user, [("x", base), ("y", one), ("z", two), ("v", "t")], [("o", base)])
        self.claimed([f"{rel}(X) -> (X:{base} isa {one})", f"({kept} isa {one}) -> {rel}({kept})", f"X:{base} *> Y:{one} & Z:{base} *> Y -> X = Z", f"exists X:{base}. ~(X:{base} isa {one})", f"~((X:{base} isa {one}) & (X:{base} isa {two}))"])
        if self.chance(0.3):
            # A value of a variant is given where one of the type is wanted.
            other = self.fresh("a")
            self.emit(f"action {other}(p:{one}, q:{base}) returns (s:{base}, b:bool) = {{ s := {user}(p, p, *, *) }}" if self.slips() else
                      f"action {other}(p:{one}, q:{two}, v:t) returns (s:{base}) = {{ s := {user}(p, p, q, v); assert {self.one_of('s *> p', 's *> q', f's isa {one}', f's = {kept}')}; }}")
            self.emit(f"export {other}")

    def feature_typed(self):
        """An object with a type that has fields, and actions that are called as methods of values and of fields of values."""
        name, outer, user = self.fresh("ob"), self.fresh("st"), self.fresh("a")
        self.open(f"object {name} =")
        self.emit(self.one_of("type this = struct { val : t, flag : bool }", "type this = struct { val : t, flag : bool }", "type this"))
        if not self.lines[-1].endswith("}"):
            self.emit(f"destructor val(X:this) : t")
            self.emit(f"destructor flag(X:this) : bool")
        self.emit(f"action put(self:this, v:t) returns (self:this) = {{ self.val := v; {self.one_of('', 'self.flag := true;', 'self.flag := self.val = v;')} }}" if self.chance(0.6) else
                  f"action put(x:this, v:t) returns (y:this) = {{ {self.one_of('y := x;', '')} y.val := v; {self.one_of('', 'y.flag := true;')} }}")
        self.emit(f"action got(x:this) returns (v:t) = {{ {self.one_of('', 'require x.flag;')} v := x.val; {self.one_of('', 'ensure v = x.val;', 'ensure x.flag;')} }}")
        self.emit(f"action both(x:this) returns (v:t, b:bool) = {{ v := x.val; b := {self.one_of('x.flag', '~x.flag', 'true')}; }}")
        is_derived = self.chance(0.5)
        if is_derived:
            self.emit(f"relation good(X:this) = {self.one_of('X.flag', 'X.flag', 'exists V. X.val = V', 'flag(X)')}")
        self.close()
        self.object_of(name)
        self.emit(f"type {outer} = struct {{ part : {name}, other : t, at(X:t) : bool }}")
        kept = self.fresh("k")
        self.emit(f"individual {kept} : {self.one_of(outer, outer, name)}")
        is_whole = self.lines[-1].endswith(outer)
        here = f"{kept}.part" if is_whole else kept
        self.open(f"action {user}(x:{name}, s:{outer}, v:t) returns (w:t, b:bool, y:{name}) =")
        steps = ["y := x.put(v);", "x := x.put(v);", "w := x.got;", "w := x.put(v).got;", "(w, b) := x.both;", f"{here} := x;", f"y := {here};", "s.part := x.put(v);", "s.part.val := v;",
                 "y := s.part.put(v);", "w := s.part.got;", f"w := {here}.got;", f"{here}.val := v;", "y.val := x.val;", "y := x; y.flag := false;", f"(w, b) := {here}.put(v).both;",
                 f"call {here} := {name}.put(x, v);", f"{here}.flag := *;" if self.chance(0.2) else "b := x.flag;", f"y.val, b := {here}.both;" if self.slips() else f"(y.val, b) := {here}.both;",
                 f"if {name}.got(x) = v {{ b := true }};", f"var z := x.put(v); y := z;", "s.at(v) := true;", "s.at(X) := X = v;", "s.part.flag := s.at(v);", "s.other := s.part.val;"]
        for text in self.some_of(1, 4, steps):
            self.emit(text)
        claims = ["x.val = v", "y.val = v", "w = v", "y = x", "y.flag", "x.flag", "b", "s.part = x", "s.part.val = v", f"{here}.val = v", f"{here}.flag", f"{here} = x", "s.at(v)", "old x.val = w",
                  "x.val = w", "s.at(s.other)", f"{name}.val(y) = w", "x.val = y.val & (x.flag <-> y.flag) -> x = y", "old s.part.val = s.part.val", "~s.at(X) | X = v"] + (["x.good", "y.good -> y.flag", f"{name}.good(x)"] if is_derived else [])
        self.asserted(claims, 1, 3)
        self.close()
        self.new_action(user, [("x", name), ("s", outer), ("v", "t")], [("w", "t"), ("b", "bool"), ("y", name)])
        self.claimed([f"{here}.flag", f"{here}.val = {here}.val", f"exists X. {here}.val = X", f"{name}.val(X) = {name}.val(Y) & ({name}.flag(X) <-> {name}.flag(Y)) -> X = Y"] + ([f"{kept}.at(X)", f"{kept}.at({kept}.other) -> {kept}.at({kept}.part.val)"] if is_whole else []))

    def feature_bools(self):
        """Arguments, values and variables of formulas that are truth values, elements or structs."""
        # Ramsey has no arguments that are truth values: an enumeration mostly stands for them.
        truth = self.slips()
        flag, table, count, picked, user = (self.fresh(it) for it in ("r", "r", "f", "r", "a"))
        kind = self.fresh("en")
        self.emit(f"type {kind} = {{ {kind}a, {kind}b{', ' + kind + 'c' if self.chance(0.5) else ''} }}")
        struct = self.fresh("st")
        self.emit(f"type {struct} = struct {{ {struct}f : {kind}, {struct}g : bool }}")
        self.emit(f"relation {flag}({'B:bool, ' if truth else ''}X:t)")
        self.emit(f"relation {table}(K:{kind}, X:t)")
        self.emit(f"function {count}(X:t) : {kind}")
        self.emit(f"relation {picked}(S:{struct})")
        self.emit(f"after init {{ {flag}(B, X) := {self.one_of('B', 'false', '~B', 'true')}; {table}(K, X) := {self.one_of('false', f'K = {kind}a')}; {count}(X) := {kind}a; {picked}(S) := {self.one_of('false', f'{struct}g(S)', 'true')}; }}")
        begin = len(self.lines) - 1
        self.open(f"action {user}(b:bool, k:{kind}, x:t, s:{struct}) returns (c:bool, l:{kind}) =")
        steps = [f"{flag}(b, x) := true;", f"{flag}(true, x) := b;", f"{flag}(B, x) := b;", f"c := {flag}(b, x);", "c := ~b;", f"c := k = l;", f"{table}(k, X) := {flag}(b, X);", f"{count}(x) := k;",
                 f"l := {count}(x);", f"l := {kind}a if b else k;", f"{count}(X) := k if {flag}(b, X) else {count}(X);", f"{picked}(s) := true;", f"{picked}(S) := {struct}f(S) = k;", f"s.{struct}f := k; {picked}(s) := b;",
                 f"if some e:{kind}. {table}(e, x) {{ l := e }} else {{ c := true }};", f"if some d:bool. d <-> {flag}(b, x) {{ c := d }};", f"if some q:{struct}. {picked}(q) {{ s := q }};", f"c := {flag}(~b, x) & {flag}(k = l, x);",
                 f"{flag}(b | c, x) := {table}(k, x);", f"s.{struct}g := c;", f"{table}(K, x) := K = k;", "c := *;", "l := *;", f"c := (b <-> c);", f"if b {{ l := {kind}b }} else if c {{ l := k }};"]
        for text in self.some_of(1, 4, steps):
            self.emit(text)
        claims = ["b -> c", "c <-> b", f"{flag}(b, x)", f"{flag}(true, x) <-> b", f"forall B:bool. {flag}(B, x) | B", f"exists B:bool. {flag}(B, x)", f"forall K:{kind}. {table}(K, x) -> K = k", f"exists K. {table}(K, x)", "l = k",
                  f"{count}(x) = k", f"{picked}(s)", f"{picked}(S) -> {struct}g(S)", f"k ~= {kind}a | {table}(k, x)", f"forall B:bool. {flag}(B, X) -> B | c | ~B", f"k = {kind}a | k = {kind}b", f"{picked}(s) -> s.{struct}f = k", f"{flag}(B, x) & b -> {flag}(C, x) | c",
                  f"(b if c else {flag}(b, x)) -> c | {flag}(b, x)"]
        self.asserted(claims, 1, 3)
        self.close()
        self.new_action(user, [("b", "bool"), ("k", kind), ("x", "t"), ("s", struct)], [("c", "bool"), ("l", kind)])
        self.claimed([f"{flag}(B, X) -> {picked}(S)", f"{flag}(true, X)", f"{table}(K, X) -> K = {count}(X)", f"{table}(K, X) & {table}(L, X) -> K = L", f"{picked}(S) -> {struct}g(S)", f"exists B:bool. {flag}(B, X) & B", f"{table}({kind}b, X) -> {count}(X) ~= {kind}a",
                      f"K:{kind} = {kind}a | K = {kind}b", f"forall B:bool. B | ~B"], 1, 3)
        if not truth:
            for at in range(begin, len(self.lines)):
                self.lines[at] = re.sub(rf"\b{flag}\((?:true|~?[bB]|C|b \| c|k = l), ", f"{flag}(", self.lines[at])
            self.lines[begin] = self.lines[begin].replace(":= B;", ":= true;").replace(":= ~B;", ":= false;")

    def feature_inner(self):
        """Types, elements, axioms, properties, definitions and instances that objects and isolates declare, used from outside."""
        name, user, module = self.fresh("o"), self.fresh("a"), self.fresh("m")
        self.open(f"module {module}(s) =")
        self.emit("relation mark(X:s)")
        self.emit(self.one_of("after init { mark(X) := false; }", "after init { mark(X) := true; }", ""))
        self.emit(f"action set(x:s) = {{ {self.one_of('', 'require ~mark(x);', 'ensure mark(x);')} mark(x) := {self.one_of('true', 'false')}; }}")
        if self.chance(0.5):
            self.emit(f"invariant [{self.fresh('n')}] {self.one_of('mark(X) | ~mark(X)', '~mark(X)', 'mark(X) -> mark(Y)')}")
        if self.chance(0.3):
            self.emit("axiom X:s = X")
        self.close()
        word = self.one_of("object", "object", "isolate")
        parameter = self.one_of("", "", "(self:t)") if word == "object" else self.one_of("", "", "(self:t)")
        self.open(f"{word} {name}{parameter} =")
        self.emit(self.one_of("type el", "type el", "type el = {red, green}", "ghost type el", "finite type el", f"type el = struct {{ fst : t, snd : bool }}"))
        kind = self.lines[-1].split("type ")[-1]
        self.emit(self.one_of("", "alias al = el", "alias al = t"))
        alias = "el" if "= el" in self.lines[-1] else "t" if "= t" in self.lines[-1] else None
        section = self.chance(0.3)
        if section:
            self.open(self.one_of("specification", "private", "implementation"))
        self.emit("relation on(X:el)")
        self.emit("individual cur : el")
        if self.chance(0.5):
            self.emit(f"axiom [{self.fresh('x')}] {self.one_of('exists X:el. X = X', 'X:el = Y', 'forall X:el. exists Y:el. X = Y')}" if self.chance(0.4) else f"property [{self.fresh('p')}] {self.one_of('X:el = Y & Y = Z -> X = Z', 'exists X:el, Y:el. X ~= Y', 'X:el = Y')}")
        if self.chance(0.5):
            self.emit(self.one_of("relation all = forall X. on(X)", "definition all = forall X. on(X)", "relation all = on(cur)").replace("definition all", "derived all"))
            has_all = True
        else:
            has_all = False
        if section:
            self.close()
        has_instance = self.chance(0.6)
        if has_instance:
            self.emit(f"instance sub : {module}({self.one_of('el', 'al' if alias else 'el', 't')})")
        kinds = "t" if has_instance and self.lines[-1].endswith("(t)") or alias == "t" and has_instance and self.lines[-1].endswith("(al)") else "el"
        self.emit(f"after init {{ on(X) := {self.one_of('true', 'false')}; }}" if self.chance(0.7) else "")
        self.emit(f"action go(x:el) = {{ {self.one_of('', 'require on(x);', 'require ~on(x);')} on(x) := {self.one_of('true', 'false')}; cur := {self.one_of('x', 'cur', '*')}; {'call sub.set(x);' if has_instance and kinds == 'el' and self.chance(0.6) else ''} }}")
        self.claimed(["on(cur)", "on(X) -> X = cur"] + (["all -> on(cur)", "all"] if has_all else []) + (["sub.mark(X) -> on(X)"] if has_instance and kinds == "el" else []) + (["cur = red", "X:el = red | X = green"] if "{red" in kind else []) +
                     (["cur.snd -> on(cur)", "fst(X) = fst(Y) & (snd(X) <-> snd(Y)) -> X:el = Y"] if "struct" in kind else []), 0, 2)
        self.close(self.one_of("", " with this") if word == "isolate" else "")
        self.object_of(name)
        if parameter:
            self.emit(f"export {name}.go")
            self.claimed([f"{name}.on(X:t, Y:{name}.el) -> {name}.on(X, {name}.cur(X))", f"{name}.on(X, Y) -> {name}.on(Z, Y)"])
            return
        self.open(f"action {user}(x:{name}.el, y:t) =")
        for text in self.some_of(1, 3, [f"call {name}.go(x);", f"if {name}.on(x) {{ call {name}.go(x) }};", f"call {name}.go({name}.cur);", f"var z : {name}.el := x; call {name}.go(z);", "y := y;"] + ([f"call {name}.sub.set({'x' if kinds == 'el' else 'y'});"] if has_instance else []) +
                                 ([f"if x = {name}.red {{ call {name}.go({name}.green) }};"] if "{red" in kind else [])):
            self.emit(text)
        self.asserted([f"{name}.on(x)", f"~{name}.on(x)", f"{name}.cur = x", f"{name}.on({name}.cur)"] + ([f"{name}.all"] if has_all else []) + ([f"x = {name}.red | x = {name}.green"] if "{red" in kind else []) + ([f"{name}.sub.mark(X) -> X = {'x' if kinds == 'el' else 'y'}"] if has_instance else []), 0, 2)
        self.close()
        self.emit(f"export {user}")
        if self.chance(0.3):
            self.emit(f"export {name}.go")

    def feature_modules(self):
        """Modules whose parameters are types, functions, constants, actions, objects and numerals, with their instances anywhere."""
        module, inst, holder, rel, con, fun, act = (self.fresh(it) for it in ("m", "i", "o", "r", "c", "f", "a"))
        self.emit(f"relation {rel}(X:t)")
        self.emit(f"individual {con} : t")
        self.emit(f"function {fun}(X:t) : t")
        self.emit(f"action {act}(x:t) = {{ {self.one_of(f'{rel}(x) := true;', f'{con} := x;', f'require {rel}(x);' if self.minor >= 7 else '', '')} }}")
        self.open(f"object {holder} =")
        self.emit("relation has(X:t)")
        self.emit(f"action put(x:t) = {{ has(x) := {self.one_of('true', 'false')}; }}")
        self.close()
        isolate = self.minor >= 7 and self.chance(0.2)
        shape = self.rng.sample(["ty", "r", "c", "f", "a", "o"], self.rng.randint(2, 6))
        if "ty" not in shape:
            shape.append("ty")
        self.open(f"module {'isolate ' if isolate else ''}{module}({', '.join(shape)}){' with this' if isolate and self.chance(0.7) else ''} =")
        self.emit("relation seen(X:ty)")
        self.emit("individual last : ty")
        section = self.minor >= 7 and self.chance(0.3)
        if section:
            self.open(self.one_of("specification", "implementation", "private"))
        facts = ["seen(x)", "x = last"] + (["r(x)"] if "r" in shape else []) + (["x = c"] if "c" in shape else []) + (["f(x) = x", "seen(f(x))"] if "f" in shape else []) + (["o.has(x)"] if "o" in shape else [])
        words = ["require", "ensure", "assert", "assume"] if self.minor >= 7 else ["assert", "assume"]
        # The monitor and the body may look at the same facts.
        self.emit(f"action go(x:ty) = {{ {self.one_of(*words)} {self.label_()}{self.one_of(*facts)}; seen(x) := {self.one_of('true', 'false')}; {'call a(x);' if 'a' in shape and self.chance(0.7) else ''} {'call o.put(x);' if 'o' in shape and self.chance(0.6) else ''} "
                  f"{self.one_of('last := x;', 'last := c;' if 'c' in shape else '', 'last := f(x);' if 'f' in shape else '')} {self.one_of(*words)} {self.label_()}{self.one_of(*facts)}; }}")
        if self.chance(0.5):
            self.emit(f"{self.one_of('before', 'after')} go(x:ty) {{ {self.one_of(*words)} {self.label_()}{self.one_of(*facts)}; }}")
        if self.chance(0.6):
            self.emit(f"after init {{ seen(X) := {self.one_of('true', 'false')}; }}")
        if section:
            self.close()
        if self.chance(0.4):
            self.open("object in =" if self.slips() else "object inn =")
            self.emit("relation deep(X:ty)")
            self.emit(f"action dig(x:ty) = {{ deep(x) := seen(x); }}")
            self.emit(f"{self.claim_word()} {self.one_of('deep(X) -> seen(X)', 'deep(X) -> deep(X)')}")
            self.close()
            has_deep = True
        else:
            has_deep = False
        self.claimed(["seen(last)", "seen(X) -> X = last"] + (["seen(X) -> r(X)", "r(X) -> seen(X)"] if "r" in shape else []) + (["seen(c)"] if "c" in shape else []) + (["o.has(X) -> seen(X)"] if "o" in shape else []) + (["seen(f(X)) -> seen(X)"] if "f" in shape and self.slips() else []), 0, 2, ("invariant",))
        self.close()
        args = {"ty": "t", "r": rel, "c": con, "f": fun, "a": act, "o": holder}
        wrong = self.slips()
        given = ", ".join(args[it] for it in shape) if not wrong else ", ".join([args[it] for it in shape][:-1] + [self.one_of("missing", "t", con)])
        where = self.chance(0.25)
        if where:
            self.open(f"object {inst}b =")
        parameter = self.one_of("", "", "(P:t)") if not isolate and "ty" in shape and self.chance(0.5) else ""
        self.emit(f"instance {inst}{parameter} : {module}({given})")
        if where:
            self.close()
        whole = f"{inst}b.{inst}" if where else inst
        self.object_of(inst if not where else f"{inst}b")
        self.emit(f"export {whole}.go")
        if has_deep:
            self.emit(f"export {whole}.inn.dig")
        if self.chance(0.3):
            self.emit(f"export {holder}.put")
        if self.chance(0.3):
            self.emit(f"export {act}")
        if not parameter:
            self.claimed([f"{whole}.seen(X) -> {rel}(X)", f"{whole}.seen({whole}.last)", f"{whole}.last = {con} | {whole}.seen(X)"], 0, 1, ("invariant",))

    # ---- statements ----

    def feature_counters(self):
        """Loops that count, with what they assign, in all kinds of code."""
        sort, total, seen, step, user = (self.fresh(it) for it in ("num", "c", "r", "a", "a"))
        self.emit(f"type {sort}")
        if self.chance(0.7):
            self.emit(f"interpret {sort} -> {self.one_of('int', 'nat', 'nat', 'bv[2]', 'bv[8]', '{0..3}', '{0..50}')}")
        self.emit(f"individual {total} : {sort}")
        self.emit(f"relation {seen}(X:{sort})")
        is_isolate = self.chance(0.3)
        path = f"lp{user}." if is_isolate else ""
        self.emit(f"after init {{ {seen}(X) := {self.one_of('false', 'true')}; }}" if not is_isolate else "")
        if is_isolate:
            self.open(f"isolate lp{user} =")
        self.emit(f"action {step}(i:{sort}) returns (j:{sort}) = {{ {self.one_of('', 'require i < i + 1;', f'ensure {seen}(i);', 'ensure i < j;')} {seen}(i) := true; j := {self.one_of('i + 1', 'i + 1', 'i', 'i - 1')}; }}")
        shape = self.one_of("body", "body", "before", "after")
        if shape == "body":
            self.open(f"action {user}(n:{sort}) returns (i:{sort}) =")
        else:
            self.emit(f"action {user}(n:{sort}) returns (i:{sort}) = {{ {self.one_of('', 'i := n;', f'{total} := n;')} }}")
            self.open(f"{shape} {user}(n:{sort}) returns (i:{sort})" if shape == "after" else f"before {user}(n:{sort})")
            if shape == "before":
                self.emit(f"var i : {sort};")
        if self.chance(0.8):
            self.emit(self.one_of("i := 0;", "i := 0;", "i := n;", f"i := {total};"))
        downward = self.chance(0.2)
        self.emit(f"while {self.one_of('i < n', 'i < n', 'i ~= n', 'i <= n', f'i < {total}', f'i < n & ~{seen}(i)', f'some j:{sort}. j < n & {seen}(j)' if self.slips() else 'i < n') if not downward else '0 < i'}")
        invariants = ["i <= n", "0 <= i", f"{seen}(X) -> X <= i" if self.chance(0.2) else f"{seen}(i) | i <= n", f"~{seen}(i)", f"i > 0 -> {seen}(0)", f"i = 0 | {seen}(0)", f"{total} = old {total}" if self.slips() else f"{total} = {total} | i = n", f"[{self.fresh('li')}] i <= n"]
        for text in self.some_of(0, 3, invariants):
            self.emit(f"    invariant {text}")
        if self.chance(0.5):
            self.emit(f"    decreases {self.one_of('n - i', 'n - i', 'i', 'n', f'{total} - i')}")
        self.open("")
        self.lines[-1] = self.lines[-1].replace(" {", "{")
        for text in self.some_of(0, 2, [f"{seen}(i) := true;", f"{seen}(i) := false;", f"assert i < n;", f"{total} := i;", "n := i;", f"if {seen}(i) {{ {total} := i }};", f"{seen}(X) := X = i;"]):
            self.emit(text)
        self.emit(self.one_of("i := i + 1;", "i := i + 1;", f"i := {step}(i);", "i := i - 1;" if downward else "i := i + 1;", "i := *;"))
        self.close()
        self.asserted(["i >= n", "i = n", f"{seen}(0)", "n > 0 -> " + f"{seen}(0)", "~(i < n)", "n <= i", f"{seen}(i)", f"{total} <= n", "0 <= i", "i = 0 | 0 < i"], 1, 2)
        self.close()
        self.claimed([f"{seen}(X) -> {seen}(X)", f"{seen}({total})", f"{total} = {total} | {seen}(X)"], 0, 1, ("invariant",))
        if is_isolate:
            self.close(" with this" if self.chance(0.7) else "")
        self.emit(f"export {path}{user}")

    def feature_choices(self):
        """Choices of several values, with what they minimize, also in each other and beside others."""
        user, rel, two, rank = (self.fresh(it) for it in ("a", "r", "r", "f"))
        sort = self.one_of("t", "u") if "u" in self.sorts else "t"
        self.emit(f"relation {rel}(X:{sort})")
        self.emit(f"relation {two}(X:{sort}, Y:{sort})")
        if self.chance(0.4):
            self.emit(f"function {rank}(X:{sort}) : {self.fresh('rk')}")
            self.lines.insert(len(self.lines) - 1, f"type {self.lines[-1].split()[-1]}")
            measure = f"{rank}(x)"
        else:
            measure = "x"
        self.open(f"action {user}(a:{sort}, b:{sort}) returns (c:{sort}, d:bool) =")
        forms = [f"some x:{sort}. {rel}(x)", f"some x:{sort}. {two}(a, x)", f"some (x:{sort}) {rel}(x) & x ~= a", f"some x:{sort}. {rel}(x) & {two}(x, b)", f"some x:{sort}. x = a", f"some x:{sort}. ~{rel}(x)", f"some (x:{sort}, y:{sort}) {two}(x, y)",
                 f"some (x:{sort}, y:{sort}) {rel}(x) & ~{rel}(y)", f"some x:{sort}, y:{sort}. {two}(x, y) & x ~= y", f"some a:{sort}. {rel}(a)", f"some x:{sort}. true", f"some x:{sort}. false"]
        # Where nothing is minimized, several values may be chosen at once.
        form = self.one_of(*forms)
        suffix = f" {self.one_of('minimizing', 'maximizing')} {measure}" if self.chance(0.5) and re.search(r"\bx\b", form) else ""
        self.open(f"if {form}{suffix}")
        has_x = re.search(r"\bx\b", form) is not None
        for text in self.some_of(0, 2, ["c := x;" if has_x else "c := a;", f"{rel}(x) := false;" if has_x else f"{rel}(a) := true;", "d := true;", f"{two}(a, c) := true;", "a := b;"]):
            self.emit(text)
        inner = [f"{rel}(a)", "d" if "some a:" in form else "a = old a"] + ([f"{rel}(x)", f"{two}(a, x)", f"x = a", f"{rel}(Y) -> {measure} <= {measure.replace('x', 'Y')}", f"{rel}(Y) -> ~({measure.replace('x', 'Y')} < {measure})", f"Y < x -> ~{rel}(Y)"] if has_x else []) + ([f"{two}(x, y)", "x ~= y"] if re.search(r"\by\b", form) else [])
        self.asserted(inner, 0, 2)
        if self.chance(0.5):
            self.indent -= 1
            self.open(self.one_of("} else", "} else", f"}} else if some z:{sort}. {rel}(z)"))
            for text in self.some_of(0, 1, ["c := b;", "d := false;", f"{rel}(a) := true;"]):
                self.emit(text)
            self.asserted([f"~{rel}(X)", f"~{two}(a, X)", f"~{rel}(b)", f"exists X. {rel}(X)"], 0, 1)
        self.close()
        self.asserted([f"d -> {rel}(c)", f"{rel}(c)", f"~{rel}(a)", "c = a", f"~{two}(a, c)", f"(exists X. {rel}(X)) -> d"], 0, 2)
        self.close()
        self.new_action(user, [("a", sort), ("b", sort)], [("c", sort), ("d", "bool")])
        if self.chance(0.4):
            self.claimed([f"{rel}(X) -> {rel}(X)", f"{two}(X, Y) -> {rel}(X)", f"~{rel}(X)"], 1, 1, ("invariant",))

    def feature_lefts(self):
        """Left sides with terms, and any values at many points."""
        user, rel, two, fun, con, struct, map_ = (self.fresh(it) for it in ("a", "r", "r", "f", "c", "st", "f"))
        other = "u" if "u" in self.sorts else "t"
        self.emit(f"relation {rel}(X:t)")
        self.emit(f"relation {two}(X:t, Y:{other})")
        self.emit(f"function {fun}(X:t) : {other}")
        self.emit(f"function {map_}(X:t, Y:{other}) : bool")
        self.emit(f"individual {con} : t")
        self.emit(f"type {struct} = struct {{ {struct}a : t, {struct}b(X:{other}) : bool, {struct}c(X:{other}, Y:t) : bool }}")
        self.emit(f"individual {con}s : {struct}")
        self.emit(f"function {con}m(X:t) : {struct}")
        self.open(f"action {user}(x:t, y:{other}, z:t, s:{struct}) =")
        terms = ["x", "z", con, f"s.{struct}a", f"{con}s.{struct}a", f"{con}m(x).{struct}a"] + ([f"{fun}(x)"] if other == "t" else [])
        others = ["y", f"{fun}(x)", f"{fun}({con})"]
        a, b = (lambda: self.one_of(*terms)), (lambda: self.one_of(*others))
        value = lambda: self.one_of("true", "false", "*", "*", f"{rel}({a()})", f"~{two}({a()}, {b()})")
        places = [f"{rel}({a()})", f"{two}({a()}, {b()})", f"{two}(X, {b()})", f"{two}({a()}, Y)", f"{two}(X, Y)", f"{rel}(X)", f"{map_}({a()}, Y)", f"{map_}(X, {b()})", f"s.{struct}b({b()})", f"s.{struct}b(Y)", f"{con}s.{struct}c({b()}, {a()})", f"{con}s.{struct}c(Y, {a()})", f"{con}s.{struct}c(Y, X)",
                  f"{con}m({a()}).{struct}b({b()})", f"{con}m({a()}).{struct}b(Y)", f"{con}m(X).{struct}b(Y)", f"{con}m(X).{struct}c({b()}, {a()})"]
        plain = [f"{fun}({a()}) := {b()};", f"{fun}(X) := {b()};", f"{fun}({a()}) := *;", f"{con} := {a()};", f"{con} := *;", f"{con}m({a()}) := s;", f"s := {con}m({a()});", f"{con}m(X) := {con}s;", f"{con}m({a()}) := *;", f"{con}s.{struct}a := {a()};", f"{con}m({a()}).{struct}a := {a()};",
                 f"{con}m(X).{struct}a := X;", f"{con}m(X) := *;", f"{two}(X, {fun}(X)) := true;" if self.slips() else f"s := *;", f"{fun}(X) := *;"]
        for _ in range(self.rng.randint(1, 4)):
            if self.chance(0.65):
                place = self.one_of(*places)
                right = value()
                if right == "*" and struct in place and self.chance(0.7):
                    right = "true"
                if right != "*" and self.chance(0.2):
                    right = self.one_of(f"{rel}(X)", f"{two}(X, {b()})") if re.search(r"\bX\b", place) else right
                self.emit(f"{place} := {right};")
            else:
                self.emit(self.one_of(*plain))
        claims = [f"{rel}({a()})", f"{two}({a()}, {b()})", f"{two}(x, Y) -> {two}(z, Y)", f"{map_}(x, y) <-> old {map_}(x, y)", f"{rel}(X) <-> old {rel}(X)", f"X ~= x -> ({rel}(X) <-> old {rel}(X))", f"x ~= z & {rel}(z) -> old {rel}(z)", f"X ~= x & X ~= z -> ({two}(X, Y) <-> old {two}(X, Y))",
                  f"{fun}(x) = y", f"{fun}(z) = old {fun}(z)", f"s.{struct}b(y)", f"{con}s.{struct}c(y, x)", f"{con}s.{struct}c(Y, X) -> X = x", f"{con}m(x).{struct}b(y)", f"{con}m(x) = {con}m(z)", f"{con}m(x).{struct}a = x", f"{con}s.{struct}a = {con}", f"{con}s = old {con}s", f"s = old s",
                  f"{con}m(X).{struct}b(Y) -> {con}m(x).{struct}b(Y)", f"X ~= x -> {con}m(X) = old {con}m(X)", f"x = z -> ({map_}(x, y) <-> {map_}(z, y))", f"{con}m(x) = s -> {con}m(x).{struct}a = s.{struct}a", f"{con}m(X).{struct}a = X"]
        self.asserted(claims, 1, 3)
        self.close()
        self.new_action(user, [("x", "t"), ("y", other), ("z", "t"), ("s", struct)], [])
        # Ivy erases what is mentioned under `old` alone.
        for text in (f"{rel}(X) -> {rel}(X)", f"{two}(X, Y) -> {two}(X, Y)", f"{map_}(X, Y) -> {map_}(X, Y)", f"{fun}(X) = {fun}(X)", f"{con}m(X) = {con}m(X)", f"{con}s = {con}s", f"{con} = {con}"):
            self.emit(f"{self.claim_word()} [{self.fresh('mention')}] {text}")
