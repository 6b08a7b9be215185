"""Random claims with proofs in Ivy's language, and what their proofs name, for `ivy_programs.py`."""
import re

from ivy_formulas import Action, Symbol
from ivy_statements import Statements

# The probability of a use that is not well-formed, where a kind of declarations has rules of its own.
SLIP = 0.1


class Proofs(Statements):
    def slips(self):
        return self.chance(SLIP)

    def known(self, symbol):
        self.symbols.append(symbol)
        self.declared.add((symbol.path, symbol.name))
        return symbol

    def new_action(self, name, params, returns, path=(), body=True):
        action = Action(name, params, returns, path, len(self.actions) + 1, body)
        self.actions.append(action)
        self.declared.add((path, name))
        return action

    def rigid(self, args, stem="rg"):
        return self.declare(self.fresh(stem), args, "bool", "rigid", (), "relation")

    # ---- claims with proofs ----

    def feature_proofs(self):
        """Properties that an explicit axiom shows."""
        one, two = self.rigid(["t"]), self.rigid(["t", "t"])
        constants = [self.declare(self.fresh("k"), [], "t", "rigid", (), "individual").name for _ in range(2)]
        label = self.fresh("ea")
        forms = [f"{one.name}(X)", f"{one.name}(X) -> {two.name}(X, Y)", f"{two.name}(X, Y) -> {two.name}(Y, X)", f"{one.name}(X) | {two.name}(X, X)",
                 f"forall X. {one.name}(X) -> {one.name}({constants[0]})", f"{one.name}(X) -> exists Y. {two.name}(X, Y)"]
        axiom = self.rng.choice(forms)
        self.emit(f"{self.rng.choice(['explicit axiom', 'explicit axiom', 'axiom', 'explicit property'])} [{label}] {axiom}")
        terms = constants + ["X", "Y"]
        free = sorted(set(re.findall(r"\b[XY]\b", axiom)))
        for _ in range(self.rng.choice([1, 2])):
            goal = self.rng.choice(forms)
            for variable in "XY":
                goal = re.sub(rf"\b{variable}\b(?!\.)", self.rng.choice(terms) if "forall" not in goal and "exists" not in goal else variable, goal)
            known = constants + [it for it in "XY" if re.search(rf"\b{it}\b", goal) and "forall" not in goal and "exists" not in goal]
            steps = [self.rule_step(label, free, known) for _ in range(self.rng.choice([1, 1, 2]))]
            if self.chance(0.3):
                steps.insert(0, self.rng.choice(["tactic skolemize", "showgoals", f"property {self.rng.choice(forms)}", f"property [lem{self.fresh('')}] {one.name}({constants[0]})"]))
            if self.chance(0.15):
                steps.append(f"if {one.name}({constants[1]}) {{ {self.rule_step(label, free, constants)} }} else {{ {self.rule_step(label, free, constants)} }}")
            kind = self.rng.choice(["property", "property", "invariant"])
            self.emit(f"{kind} [{self.fresh('n')}] {goal}")
            self.open("proof")
            for step in steps:
                self.emit(step + ";" * (step != steps[-1]))
            self.close()

        for _ in range(self.rng.choice([0, 1, 2])):
            # What follows may need what has been shown.
            self.emit(f"{self.rng.choice(['property', 'invariant'])} [{self.fresh('n')}] {self.rng.choice(forms)}")

    def rule_step(self, label, free, terms):
        given = [f"{it} = {self.rng.choice(terms)}" for it in free if self.chance(0.8)] + (["W = " + terms[0]] if self.slips() else [])
        name = label if not self.slips() else "missing"
        return f"{self.rng.choice(['instantiate', 'assume', 'instantiate', 'assume', 'apply'])} {name}{' with ' + ', '.join(given) if given else ''}"

    def feature_goals(self):
        """Definitions that proofs unfold."""
        name, other = self.fresh("q"), self.rigid(["t"])
        constant = self.declare(self.fresh("k"), [], "t", "rigid", (), "individual").name
        self.emit(f"definition {name}(X:t) = {self.rng.choice([f'{other.name}(X)', f'exists Y. {other.name}(Y) & X = Y', f'{other.name}(X) | X = {constant}'])}")
        self.lines.insert(len(self.lines) - 1, f"relation {name}(X:t)")
        self.declared.add(((), name))
        for _ in range(self.rng.choice([1, 2])):
            goal = self.rng.choice([f"{name}({constant})", f"{name}(X) -> {other.name}(X)", f"{other.name}(X) -> {name}(X)", f"{name}(X) <-> {other.name}(X)", f"exists X. {name}(X)"])
            step = self.rng.choice([f"unfold with {name}", f"instantiate {name} with X = {constant}", f"assume {name} with X = X", f"unfold with {name}", f"instantiate with X = {constant}", "tactic skolemize", "showgoals",
                                    f"property [lm] {other.name}({constant})", f"unfold lm with {name}" if self.slips() else "tactic skolemizenp"])
            self.emit(f"property [{self.fresh('n')}] {goal}")
            self.open("proof")
            more = self.chance(0.3)
            self.emit(step + ";" * more)
            if more:
                self.emit("showgoals")
            self.close()

    def feature_theorems(self):
        """Theorems with types and symbols of their own, and their use."""
        label = self.fresh("th")
        relation = self.rigid(["t"])
        constant = self.declare(self.fresh("k"), [], "t", "rigid", (), "individual").name
        premises = [f"property [h1] {it}" for it in self.rng.sample(["p(X)", "p(X) -> p(Y)", "p(c)", "p(X) -> X = c", "forall X. p(X)", "exists X. p(X)"], self.rng.choice([0, 1, 1, 2]))]
        premises = [it.replace("h1", f"h{k}") for k, it in enumerate(premises)]
        if len({it.split("]")[1] for it in premises}) < len(premises):
            premises = premises[:1]
        goal = self.rng.choice(["p(c)", "p(X)", "p(Y)", "exists X. p(X)", "forall X. p(X)", "p(X) -> p(c)"])
        word = self.rng.choice(["theorem", "theorem", "schema", "axiom"])
        head = f"{word} {label} =" if word == "schema" else f"{word} [{label}]"
        self.open(head)
        for line in ["type q", "relation p(X:q)", "individual c : q"] + premises + [f"property {goal}"]:
            self.emit(line)
        self.close()
        for _ in range(self.rng.choice([0, 1, 1])):
            given = [f"p(X) = {self.rng.choice([f'{relation.name}(X)', f'{relation.name}(X)', f'X = {constant}', 'true'])}", f"c = {constant}"] + ([f"X = {self.rng.choice([constant, 'X'])}"] if self.chance(0.5) else [])
            given = [it for it in given if self.chance(0.85)]
            mine = goal.replace("p(", f"{relation.name}(").replace("(c)", f"({constant})")
            claim = self.rng.choice([mine, mine, f"{relation.name}({constant})", f"{relation.name}(X)"])
            self.emit(f"property [{self.fresh('n')}] {claim}")
            self.open("proof")
            self.emit(f"{self.rng.choice(['apply', 'apply', 'instantiate', 'assume'])} {label}{' with ' + ', '.join(given) if given else ''}")
            self.close()

    def feature_schema(self):
        """A schema that a proof of an invariant or assertion uses."""
        label = self.fresh("sc")
        state = next((it for it in self.symbols if it.args == ["t"] and it.result == "bool" and it.kind == "state" and not it.path), None)
        if not state:
            return
        self.open(f"{self.rng.choice(['schema ' + label + ' =', 'axiom [' + label + ']'])}")
        for line in ["type q", "relation p(X:q)", f"property {self.rng.choice(['p(X) -> p(Y)', 'p(X) | ~p(Y)', '(exists X. p(X)) -> p(Y)', 'p(X) -> p(X)'])}"]:
            self.emit(line)
        self.close()
        goal = self.rng.choice([f"{state.name}(X) -> {state.name}(Y)", f"{state.name}(X)", f"{state.name}(X) -> {state.name}(X)"])
        step = f"{self.rng.choice(['instantiate', 'assume', 'apply'])} {label} with p(X) = {state.name}(X){', X = X, Y = Y' if self.chance(0.4) else ''}"
        if self.chance(0.5):
            self.emit(f"invariant [{self.fresh('n')}] {goal}")
            self.emit(f"proof {{ {step} }}")
        else:
            name = self.fresh("a")
            self.emit(f"action {name} = {{ assert {goal} proof {{ {step} }}; }}")
            self.new_action(name, [], [])

    def feature_named(self):
        """A property whose value gets a name."""
        args = self.rng.choice([[], ["t"]])
        sort = "u" if args else "t"
        if sort not in self.sorts:
            return
        relation = self.rigid(args + [sort])
        if self.chance(0.7):
            constant = self.declare(self.fresh("k"), [], sort, "rigid", (), "individual").name
            self.emit(f"axiom {relation.name}({'X, ' if args else ''}{constant})")
        name = self.fresh("nm")
        own = "X" if args else ""
        text = f"{relation.name}({'X, ' if args else ''}Y)"
        heading = f"{name}({own})" if args and not self.slips() else name
        self.emit(f"property [{self.fresh('n')}] exists Y. {text} named {heading}")
        self.known(Symbol(name, args, sort, "rigid"))
        use = f"{name}({own})" if args else name
        self.emit(f"property [{self.fresh('n')}] {text.replace('Y', use)}")
        if self.chance(0.4):
            self.emit(f"property [{self.fresh('n')}] {text} -> Y = {use}")
