"""More declarations and statements of Ivy's language for `ivy_programs.py`: loops over containers, the library's collections,
fields that get any value, scenarios, temporal properties, proofs by rules of the library, and declarations in any order."""
from ivy_derivations import Derivations


class Further(Derivations):
    def include(self, name):
        if f"include {name}" not in self.lines:
            self.lines.insert(1, f"include {name}")

    def feature_loops(self):
        """A loop over an array, with what it has seen."""
        self.include("collections")
        array, seen, name = self.fresh("arr"), self.fresh("sn"), self.fresh("a")
        self.emit(f"instance {array} : array(index, t)")
        self.emit(f"relation {seen}(X:t)")
        self.emit("after init {")
        self.emit(f"    {seen}(X) := {self.rng.choice(['false', 'false', 'true'])};")
        self.emit("}")
        # A name that what a loop declares for itself must not take.
        end = self.rng.choice(["", "", "state", "param"])
        if end == "state":
            self.emit("individual i_end : index")
        self.open(f"action {name}(c:{array}{', i_end:index' if end == 'param' else ''}) =")
        has_types = self.chance(0.3)
        self.emit("for i:index,x:t in c" if has_types else "for i,x in c")
        invariants = ["0 <= i", "i <= c.end", "0 <= i & i <= c.end", f"0 <= I & I < i -> {seen}(c.value(I))", f"0 <= I & I < i -> ~{seen}(c.value(I))",
                      f"{seen}(X) -> exists I:index. c.value(I) = X" if self.chance(0.1) else "i < c.end", "0 <= i"]
        for text in self.rng.sample(invariants, self.rng.choice([1, 2, 2, 3])):
            self.emit(f"    invariant {text}")
        self.open("")
        self.lines[-1] = self.lines[-1].replace(" {", "{")
        self.emit(self.rng.choice([f"{seen}(x) := true;", f"{seen}(x) := true;", f"{seen}(x) := false;", f"if i = 0 {{ {seen}(x) := true }};",
                                   f"{seen}(c.value(i)) := true;", f"assert {seen}(x);", "assert 0 <= i & i < c.end;"]))
        if end:
            self.emit(self.rng.choice(["i_end := i;", "assert i_end = c.end;", "assert i < i_end;", "i_end := 0;"]))
        self.close()
        options = [f"0 <= I & I < c.end -> {seen}(c.value(I))", f"0 <= I & I < c.end -> ~{seen}(c.value(I))", f"c.end = 0 -> ~{seen}(X)", "0 <= c.end", f"{seen}(c.value(0))"]
        self.emit(f"assert {self.rng.choice(options)};")
        self.close()
        self.new_action(name, [("c", array)] + ([("i_end", "index")] if end == "param" else []), [])

    def feature_collections(self):
        """Arrays and maps of the library."""
        self.include("collections")
        self.include("order")
        index, array, user = self.fresh("ix"), self.fresh("arr"), self.fresh("a")
        self.emit(f"instance {index} : unbounded_sequence")
        self.emit(f"instance {array} : array({index}, t)")
        self.emit(f"individual {array}v : {array}")
        self.open(f"action {user}(i:{index}, x:t) returns (y:t) =")
        var = f"{array}v"
        steps = [f"{var} := {array}.empty;", f"{var} := {var}.append(x);", f"{var} := {array}.create(i, x);", f"if i < {var}.end {{ {var} := {var}.set(i, x) }};",
                 f"if 0 <= i & i < {var}.end {{ y := {var}.get(i) }};", f"{var} := {var}.resize(i, x);", f"y := {var}.value(i);"]
        for _ in range(self.rng.choice([1, 2, 2, 3])):
            self.emit(self.rng.choice(steps))
        options = [f"{var}.value(i) = x", f"{var}.end = 0", f"0 <= {var}.end", f"{var}.end = i", f"0 < {var}.end", "x = y", f"i < {var}.end -> {var}.value(i) = y",
                   f"I < {var}.end & 0 <= I -> {var}.value(I) = x", f"{var}.end > 0 -> exists I. {var}.value(I) = x" if self.chance(0.1) else f"{var}.end >= 0"]
        self.emit(f"assert {self.rng.choice(options)};")
        if self.chance(0.4):
            self.emit(f"assert {self.rng.choice(options)};")
        self.close()
        self.new_action(user, [("i", index), ("x", "t")], [("y", "t")])
        if self.chance(0.4):
            self.emit(f"invariant [{self.fresh('n')}] {self.rng.choice([f'0 <= {var}.end', f'{var}.end = 0', f'{var}.end < {var}.end | 0 <= {var}.end'])}")

    def feature_continued(self):
        """An object in several blocks, each of which sees the names of some of those before; the program has the same names."""
        holder, name, module, rel = self.fresh("o"), self.fresh("o"), self.fresh("m"), self.fresh("r")
        some = lambda: self.rng.choice([f"{rel}(X)", f"~{rel}(X)", f"{rel}(X) -> {holder}.{name}.{rel}({'P, ' if given else ''}X)"])
        set_one = lambda: f"{rel}(x) := {self.rng.choice(['true', 'false', f'~{rel}(x)'])};"
        given = self.rng.choice(["", "", "(P:t)"])
        begins = lambda: f"after init {{ {rel}(X) := {self.rng.choice(['true', 'false'])} }}"
        self.declared.add(((), rel))
        self.emit(f"relation {rel}(X:t)")
        self.emit(begins())
        inner = f"relation {rel}(X:t) {begins()} object deep = {{ relation {rel}(X:t) {begins()} }}"
        self.emit(f"module {module} = {{ {inner} }}")
        self.object_of(holder)
        self.open(f"object {holder} =")
        section = lambda text: self.emit(self.rng.choice([text, text, f"specification {{ {text} }}", f"implementation {{ {text} }}"]))
        first = self.rng.choice([f"instance {name}{given} : {module}", f"object {name}{given.lower()} = {{ {inner} }}", f"object {name}{given.lower()} = {{ instantiate {module} }}"])
        section(first)
        acts = []
        for _ in range(self.rng.choice([1, 2, 2])):
            act = self.fresh("a")
            body = self.rng.choice([f"action {act}(x:t) = {{ {set_one()} }}", f"action {act}(x:t) = {{ {set_one()} assert {rel}(x) }}",
                                    f"action {act}(x:t) = {{ {set_one()} }} invariant {some()}"])
            if acts and self.chance(0.3):
                body += f" before {acts[-1]}{self.rng.choice(['', '(x:t)', '(x:t)'])} {{ {self.rng.choice(['require', 'ensure'])} {rel}(x) }}"
            if not given and self.chance(0.3):
                body += f" object deep = {{ ... invariant {rel}(X) }}"
            section(f"object {name}{given.lower()} = {{ ... {body} }}")
            acts.append(act)
        self.close()
        for act in acts:
            self.emit(f"export {holder}.{name}.{act}")
        self.emit(f"invariant {self.rng.choice([f'{rel}(X)', f'~{rel}(X)'])}")

    def feature_anyfield(self):
        """Fields that get any value."""
        struct, one, other, user = self.fresh("sd"), self.fresh("v"), self.fresh("v"), self.fresh("a")
        fields = [self.fresh("fd") for _ in range(2)]
        self.emit(f"type {struct} = struct {{ {fields[0]} : t, {fields[1]} : t }}")
        self.emit(f"individual {one} : {struct}")
        self.emit(f"individual {other} : {struct}")
        has_row = self.chance(0.5)
        row = self.fresh("f")
        if has_row:
            self.emit(f"function {row}(X:t) : {struct}")
        self.open(f"action {user}(x:t, y:{struct}) returns (z:{struct}) =")
        places = [one, other, "z", "z"] + [f"{row}(x)"] * has_row
        field = lambda: self.rng.choice(fields)
        for _ in range(self.rng.choice([1, 2, 3])):
            place = self.rng.choice(places)
            steps = [f"{place}.{field()} := *;", f"{place}.{field()} := *;", f"{field()}({place}) := *;", f"{place}.{field()} := x;", f"{place} := {self.rng.choice([one, other, 'y'])};"]
            if has_row:
                steps += [f"{row}(X).{field()} := *;", f"{row}(X).{field()} := x;"]
            self.emit(self.rng.choice(steps))
        values = places + ["y"]
        some = lambda: self.rng.choice(values)
        for _ in range(self.rng.choice([1, 2])):
            name = field()
            left, right = some(), some()
            claims = [f"{left}.{name} = {right}.{name}", f"{left} = {right} -> {left}.{name} = {right}.{name}", f"{left}.{name} = x", f"{left} = {right}",
                      f"{left} ~= {right} -> {left}.{name} = x", f"{name}({left}) = {name}({right}) | {left} ~= {right}"]
            if left in (one, other):
                claims += [f"{left}.{name} = old {left}.{name}", f"{left} = old {left}"]
            self.emit(f"{self.rng.choice(['assert', 'assert', 'ensure', 'assume'])} {self.rng.choice(claims)};")
        self.close()
        self.new_action(user, [("x", "t"), ("y", struct)], [("z", struct)])
        for _ in range(self.rng.choice([0, 1, 2])):
            name = field()
            self.emit(f"invariant [{self.fresh('n')}] {self.rng.choice([f'{one}.{name} = {other}.{name}', f'{one} = {other} -> {one}.{name} = {other}.{name}', f'{one} = {one}'])}")

    def feature_scenario(self):
        """Places with tokens, which actions move."""
        places = [self.fresh("pl") for _ in range(3)]
        actions = [self.fresh("a") for _ in range(2)]
        state = self.declare(self.fresh("r"), ["t"], "bool", "state", (), "relation").name
        some = lambda: ", ".join(self.rng.sample(places, self.rng.choice([1, 1, 2])))
        params = ["(x:t)", ""]
        for name, given in zip(actions, params):
            self.emit(f"action {name}{given}{' = { ' + state + '(x) := true; }' if given and self.chance(0.5) else ''}")
        self.open("scenario")
        self.emit(f"-> {some()};")
        for name, given in zip(actions, params):
            when = self.rng.choice(["before", "after"])
            # Ivy has no answer where one of several transitions before an action is taken, nor where several have parameters.
            for _ in range(1 if when == "before" or given else self.rng.choice([1, 2])):
                to = f" -> {some()}" if self.chance(0.85) else ""
                body = self.rng.choice(["", f"{state}(X) := false;", f"{state}(X) := X = X;", f"assert {state}(X) -> {self.rng.choice(places)};"] + ([f"{state}(x) := true;", "require " + f"~{state}(x);"] if given else []))
                self.emit(f"{some()}{to} : {when} {name}{given} {{ {body} }}")
        self.close()
        for name, given in zip(actions, params):
            self.new_action(name, [("x", "t")] if given else [], [])
        for _ in range(self.rng.choice([1, 2])):
            one, other = self.rng.sample(places, 2)
            self.emit(f"invariant [{self.fresh('n')}] {self.rng.choice([f'~({one} & {other})', f'{one} | {other}', f'{one} -> ~{state}(X)', f'{state}(X) -> {one}', f'{one} -> {other}'])}")

    def feature_temporal(self):
        """A temporal property, of which Ramsey has no answer, beside other claims."""
        constant = self.declare(self.fresh("k"), [], "t", "rigid", (), "individual").name
        state = self.declare(self.fresh("r"), ["t"], "bool", "state", (), "relation").name
        claim = self.rng.choice([f"globally {state}({constant})", f"(globally {state}({constant})) -> eventually {state}({constant})",
                                 f"(eventually {state}({constant})) -> (globally ~{state}({constant}))"])
        self.emit(f"temporal property [{self.fresh('tp')}] {claim}")
        self.open("proof")
        self.emit("tactic skolemize;")
        self.emit(f"tactic l2s with invariant {state}(X) | ~{state}(X)")
        self.close()
        self.emit(f"invariant [{self.fresh('n')}] {self.rng.choice([f'{state}({constant})', f'{state}(X) -> {state}(X)', f'~{state}({constant})'])}")

    def feature_templates(self):
        """Proofs by the rules of natural deduction."""
        self.include("deduction")
        one, two = self.rigid(["t"]).name, self.rigid(["t"]).name
        constant = self.declare(self.fresh("k"), [], "t", "rigid", (), "individual").name
        given = self.rng.choice([f"{one}({constant}) & {two}({constant})", f"{one}(X)", f"{one}(X) -> {two}(X)", f"exists X. {one}(X)", f"{one}({constant}) | {two}({constant})"])
        label = self.fresh("ax")
        self.emit(f"axiom [{label}] {given}")
        left, right = f"{one}({constant})", f"{two}({constant})"
        goals = [(f"{left} & {right}", "apply introAnd"), (f"{left} | {right}", self.rng.choice(["apply introOrL", "apply introOrR"])), (f"{left} -> {right}", "apply introImp"),
                 (left, f"apply elimAndL with q = {right}"), (right, f"apply elimAndR with p = {left}"), (right, f"apply elimImp with p = {left}"),
                 (f"exists X. {one}(X)", f"apply introE with x = {constant}"), (f"forall X. {one}(X)", "apply introA"), (f"~{left}", "apply introNot")]
        for _ in range(self.rng.choice([1, 1, 2])):
            goal, step = self.rng.choice(goals)
            steps = [step] + [self.rng.choice([f"instantiate {label}", f"assume {label}", "showgoals", "defergoal"]) for _ in range(self.rng.choice([0, 0, 1]))]
            self.emit(f"property [{self.fresh('n')}] {goal}")
            self.open("proof")
            for text in steps:
                self.emit(text + ";" * (text != steps[-1]))
            self.close()

    def feature_common(self):
        """What objects with parameters have in common."""
        name, mine, count, note, go = self.fresh("ob"), self.fresh("r"), self.fresh("r"), self.fresh("a"), self.fresh("a")
        self.open(f"object {name}(self:t) =")
        self.emit(f"relation {mine}(X:t)")
        self.open("common")
        self.emit(f"relation {count}(X:t)")
        self.emit(f"action {note}(x:t) = {{ {count}(x) := {self.rng.choice(['true', 'false', f'~{count}(x)'])}; }}")
        if self.chance(0.6):
            self.emit(f"after init {{ {count}(X) := false; }}")
        self.emit(f"invariant [{self.fresh('n')}] {self.rng.choice([f'{count}(X) | ~{count}(X)', f'~{count}(X)', f'{count}(X) -> {count}(Y)'])}")
        self.close()
        if self.chance(0.6):
            self.emit(f"after init {{ {mine}(X) := false; }}")
        self.emit(f"action {go}(x:t) = {{ {self.rng.choice([f'{mine}(x) := true;', f'{mine}(self) := {count}(x);', f'{count}(self) := {mine}(x);'])} call {note}({self.rng.choice(['x', 'self'])}); }}")
        for _ in range(self.rng.choice([1, 2])):
            self.emit(f"invariant [{self.fresh('n')}] {self.rng.choice([f'{mine}(X) -> {count}(X)', f'{mine}(self) -> {count}(self)', f'{count}(X) -> {mine}(X)'])}")
        self.close()
        self.emit(f"invariant [{self.fresh('n')}] {self.rng.choice([f'{name}.{mine}(Y, X) -> {name}.{count}(X)', f'{name}.{count}(X) -> {name}.{mine}(X, X)'])}")
        self.emit(f"export {name}.{go}")

    def feature_ordered(self):
        """Declarations in any order, types with a dot, and definitions of functions that proofs name."""
        outer, inner, user = self.fresh("ob"), self.fresh("s"), self.fresh("a")
        one, two, fun, made, constant = self.fresh("r"), self.fresh("r"), self.fresh("f"), self.fresh("r"), self.fresh("k")
        sort = f"{outer}.{inner}"
        self.open(f"object {outer} =")
        self.emit("type this")
        self.emit(f"type {inner}")
        self.close()
        if self.chance(0.4):
            # The object with this name has relations of its own.
            self.emit(f"object {inner} = {{ relation {one}(X:{outer}) }}")
        value = self.rng.choice(["X", constant])
        quantified = self.rng.choice([f"forall X:{sort}. {one}(X)", f"forall X:{sort}.{one}(X)", f"forall X:{sort}, Y:{sort}. {one}(X)", f"forall X. {one}(X:{sort})", f"exists X:{sort}. ({one}(X))"])
        proof = self.rng.choice([f"assume {fun}", f"unfold with {fun}", f"instantiate {fun} with X = {constant}"])
        # Ivy uses a definition with a constant as its parameter, `x:t`, for terms without variables alone.
        param = self.rng.choice(["X", "X", f"X:{sort}", f"X:{sort}", "x"])
        declarations = [
            f"relation {one}(X:{sort})",
            f"individual {constant} : {sort}",
            f"function {fun}(X:{sort}) : {sort}",
            f"definition {fun}(X) = {value}",
            f"relation {two}(X:{sort})",
            f"definition {two}({param}) = {one}({param[0]}) & {one}({constant})",
            f"derived {made}(X:{sort}) = {self.rng.choice([one, two])}({fun}(X))",
            f"axiom {self.rng.choice([f'{one}({constant})', f'{one}(X) -> {one}({fun}(X))'])}",
            f"property [{self.fresh('n')}] {fun}({constant}) = {constant} proof {{ {proof} }}",
            f"property [{self.fresh('n')}] {self.rng.choice([f'{made}({constant})', f'{two}(X) -> {one}(X)', f'{fun}({fun}(X)) = {fun}(X)'])}",
            f"{self.rng.choice(['invariant', 'property'])} [{self.fresh('n')}] {self.rng.choice([quantified, f'{two}({constant})', f'{made}(X) -> {one}(X)'])}",
            f"action {user}(x:{sort}) = {{ require {two}(x); assert {self.rng.choice([f'{one}(x)', f'{made}(x)', f'{fun}(x) = x'])}; }}",
        ]
        for _ in range(self.rng.choice([0, 0, 0, 1, 1])):
            moved = declarations.pop(self.rng.randrange(len(declarations)))
            declarations.insert(self.rng.randrange(len(declarations) + 1), moved)
        for text in declarations:
            self.emit(text)
        self.new_action(user, [("x", sort)], [])

    def feature_explicit(self):
        """Definitions that proofs, and isolates that name them, know alone, of what changes and what does not."""
        base, fixed, known, mine, user, iso = (self.fresh(it) for it in ("eb", "ef", "ed", "em", "ea", "ei"))
        label = self.fresh("n")
        value = self.rng.choice([f"{base}(X)", f"{fixed}(X)", f"{base}(X) & {fixed}(X)", f"exists Y. {base}(Y) & X = Y", f"{mine}(X) | {base}(X)"])
        for name in (base, fixed, known, mine):
            self.emit(f"relation {name}(X:t)")
        self.emit(self.rng.choice([f"explicit definition {known}(X) = {value}", f"explicit definition [{label}] {known}(X) = {value}",
                                   f"definition {{ {known}(X) = {value} }}", f"definition {known}(X) = {value}"]))
        claim = lambda: self.rng.choice([f"{known}(X) -> {base}(X)", f"{known}(X) -> {fixed}(X)", f"{mine}(X) -> {known}(X)", f"{mine}(X) <-> {known}(X)", f"{known}(X) | ~{known}(X)"])
        proof = lambda variable: self.rng.choice(["", "", f" proof {{ unfold with {known} }}", f" proof {{ instantiate {known} with X = {variable} }}", f" proof {{ assume {known} with X = {variable} }}"])
        self.emit(f"after init {{ {base}(X) := {self.rng.choice(['true', 'false'])}; {mine}(X) := {self.rng.choice([f'{known}(X)', 'false'])} }}")
        self.open(f"action {user}(x:t) =")
        for _ in range(self.rng.choice([1, 2, 3])):
            self.emit(self.rng.choice([f"{base}(x) := {self.rng.choice(['true', 'false'])};", f"{mine}(x) := {known}(x);", f"if {known}(x) {{ {base}(x) := false; assert {known}(x) }};",
                                       f"assert {known}(x) -> {base}(x){proof('x')};", f"require {known}(x);", f"assert {mine}(x) -> old {known}(x);"]))
        self.close()
        self.new_action(user, [("x", "t")], [])
        for _ in range(self.rng.choice([1, 2])):
            proved = " proof { unfold with " + known + " }" if self.chance(0.3) else ""
            self.emit(f"invariant [{self.fresh('n')}] {claim()}{proved}")
        if self.chance(0.4):
            self.emit(f"property [{self.fresh('n')}] {known}(X) -> {fixed}(X){self.rng.choice(['', f' proof {{ unfold with {known} }}'])}")
        if self.chance(0.4):
            listed = self.rng.choice(["", f" with {known}", f" with {known}, {base}", " with this"])
            self.emit(f"isolate {iso} = {{ property [{self.fresh('n')}] {known}(X) -> {fixed}(X) }}{listed}")

    def feature_series(self):
        """An action with a long series of assignments that read what they change."""
        function, relation, one, two, user = (self.fresh(it) for it in ("sf", "sr", "sc", "sd", "sa"))
        self.emit(f"function {function}(X:t) : t")
        self.emit(f"relation {relation}(X:t)")
        self.emit(f"individual {one} : t")
        self.emit(f"individual {two} : t")
        self.open(f"action {user}(x:t) =")

        def step():
            a, b, c = (self.rng.choice([one, two, "x"]) for _ in range(3))
            return self.rng.choice([f"{function}({a}) := {function}({b});", f"{function}({a}) := {function}({b});", f"{relation}({a}) := {relation}({b}) {self.rng.choice('&|')} ~{relation}({c});",
                                    f"if {function}({a}) = {b} {{ {function}({b}) := {function}({c}) }};", f"{relation}({a}) := {relation}({function}({b}));"])

        for _ in range(self.rng.choice([3, 12, 24])):
            self.emit(step())
        options = [f"{function}({one}) = {function}({two})", f"{function}(x) = {function}({one}) | {function}(x) ~= {function}({two})", f"{relation}(x) -> {relation}({one})",
                   f"exists Y. {function}({one}) = old {function}(Y)" if self.chance(0.2) else f"{relation}(x) | ~{relation}(x)", f"{function}({one}) = {one}"]
        for text in self.rng.sample(options, 2):
            self.emit(f"assert {text};")
        self.close()
        self.new_action(user, [("x", "t")], [])

    def feature_operations(self):
        """A function that is interpreted as an operation."""
        number, function, constant = self.fresh("nt"), self.fresh("nf"), self.fresh("nc")
        sign = self.rng.choice("+-*")
        # Of ranges Ivy computes values beyond the ends, which there are not: everything is true then.
        lines = [f"interpret {number} -> {self.rng.choice(['bv[1]', 'bv[2]', 'bv[2]', 'int'])}", f"function {function}(X:{number}, Y:{number}) : {number}"]
        self.rng.shuffle(lines)
        self.emit(f"type {number}")
        for line in lines + [f"individual {constant} : {number}", f"interpret {function} -> {self.rng.choice([sign, sign, sign, '<'])}"]:
            self.emit(line)
        options = [f"{function}({constant}, 1) = {constant} {sign} 1", f"{function}({constant}, 0) = {constant}", f"{function}({constant}, {constant}) = 0", f"{function}({constant}, 1) ~= {constant}",
                   f"{function}({constant}, 1) > {constant}"]
        self.emit(f"property [{self.fresh('n')}] {self.rng.choice(options)}")

    def feature_mounted(self):
        """What a module says of an action that is its parameter: an implementation, and monitors."""
        module, inst, owner, holder, user = (self.fresh(it) for it in ("m", "i", "ow", "ho", "us"))
        pick, has_body = self.rng.choice, self.chance(0.3)
        claim = lambda: f"{pick(['require', 'ensure', 'assert'])} {pick(['y = x', 'y ~= x', 'sw(x)', 'x = x'])};"
        self.open(f"module {pick(['', '', 'isolate '])}{module}(act) =")
        self.emit("relation sw(X:t)")
        self.emit(f"after init {{ sw(X) := {pick(['true', 'false'])}; }}" if self.chance(0.8) else "")
        is_inner = self.chance(0.15)
        if is_inner:
            self.open(pick(["object inner =", "specification", "implementation"]))
        if not has_body:
            self.emit(f"implement act(x:t) returns (y:t) {{ {pick(['y := x;', 'y := x;', ''])} {claim() if self.chance(0.4) else ''} }}")
        if self.chance(0.4):
            self.emit(f"before act(x:t) returns (y:t) {{ {pick(['sw(x) := true;', 'require sw(x);', 'require x = x;'])} }}")
        if self.chance(0.5):
            self.emit(f"after act(x:t) returns (y:t) {{ {claim()} }}")
        if is_inner:
            self.close()
        self.close()
        word = lambda: pick(["isolate", "isolate", "object", "trusted isolate"])
        self.open(f"{word()} {owner} =")
        self.emit(f"action f(x:t) returns (y:t){' = { y := x; }' if has_body else ''}")
        self.emit(f"after f {{ {pick(['ensure y = x;', 'ensure y ~= x;'])} }}" if self.chance(0.4) else "")
        self.close()
        kind = word()
        self.open(f"{kind} {holder} =")
        self.emit(f"{pick([f'instance {inst} :', f'instance {inst} :', 'instantiate'])} {module}({owner}.f)")
        self.close(f" with {owner}" if kind != "object" and self.chance(0.3) else "")
        self.open(f"isolate {user} =")
        self.emit(f"action go(x:t) = {{ var z := {owner}.f(x); assert z = x; }}")
        self.close(f" with {pick([owner, holder, f'{owner}, {holder}'])}")
        self.emit(f"export {user}.go")
        self.emit(f"export {owner}.f" if self.chance(0.5) else "")
        for name in (owner, holder, user):
            self.object_of(name)
