"""Random proofs of theorems and properties in Ivy's language, step by step after what is to be shown, for `ivy_programs.py`."""
import re

from ivy_proofs import Proofs

# Formulas over the relations p, q of one element and r of two, the propositions b, c, and the constants k, l. Some are valid.
FORMULAS = [
    "b -> b | c", "b & c -> c & b", "b | c -> c | b", "(b -> c) -> ~c -> ~b", "b <-> ~~b", "~(b & c) <-> ~b | ~c", "b | ~b", "(b -> c) & b -> c",
    "(forall X. p(X)) -> p(k)", "p(k) -> exists X. p(X)", "(exists X. p(X) & q(X)) -> exists X. p(X)", "(forall X. p(X) & q(X)) -> forall X. p(X)",
    "(exists X. forall Y. r(X, Y)) -> forall Y. exists X. r(X, Y)", "(forall Y. exists X. r(X, Y)) -> exists X. forall Y. r(X, Y)",
    "(forall X, Y. r(X, Y)) -> r(k, l)", "(forall X. p(X) -> q(X)) & p(k) -> q(k)", "k = l -> (p(k) <-> p(l))", "k = l & r(k, X) -> r(l, X)",
    "p(X) -> p(X) | q(X)", "p(X) & (p(X) -> q(X)) -> q(X)", "(forall Y. r(X, Y)) -> r(X, X)", "r(X, Y) -> exists Z. r(X, Z)",
    "~(exists X. p(X)) -> ~p(k)", "~(forall X. p(X)) -> exists X. ~p(X)", "(forall X. p(X)) | (exists X. ~p(X))", "p(k) & p(l)", "p(X) | q(X)",
    "forall X. p(X) -> exists Y. r(X, Y)", "exists X. r(X, X)", "r(X, Y) -> r(Y, X)", "forall X. p(X)", "exists X. p(X) -> q(X)", "p(f(X)) -> p(X)", "p(f(k))",
    "(forall X. p(X) -> p(f(X))) & p(k) -> p(f(f(k)))", "f(k) = k -> f(f(k)) = k", "b", "b & c", "b -> c", "p(k)", "r(k, X)",
]

# Rules with types and symbols of their own: what they declare, their premises, and what they claim.
RULES = [
    (["function v : bool", "function w : bool"], ["v", "w"], "v & w"),
    (["function v : bool", "function w : bool"], ["v -> w", "v"], "w"),
    (["function v : bool", "function w : bool"], [("v", "w")], "v -> w"),
    (["type s", "relation m(X:s)"], ["forall Y. m(Y)"], "m(X)"),
    (["type s", "relation m(X:s)"], ["m(X)"], "m(Y)"),
    (["type s", "relation m(X:s)", "individual a : s"], ["m(a)"], "exists X. m(X)"),
    (["type s", "relation m(X:s)"], [("individual x : s", "m(x)")], "forall X. m(X)"),
    (["type s", "relation m(X:s)", "function w : bool"], ["exists X. m(X)", ("individual x : s", "m(x)", "w")], "w"),
    (["type s", "relation m(X:s)"], [("individual x : s", "m(x)")], "m(X)"),
    (["type s", "relation n(X:s, Y:s)"], ["n(X, Y)", "n(Y, Z)"], "n(X, Z)"),
    (["type s", "function g(X:s) : s"], ["X:s = Y"], "g(X) = g(Y)"),
    (["type s", "function g(X:s) : s", "relation m(X:s)"], ["m(X)", ("individual x : s", "m(x)", "m(g(x))")], "m(g(X))"),
    (["relation m(X:t)"], ["m(X)"], "m(f(X))"),
    (["function v : bool"], [("v", "false")], "~v"),
    (["function v : bool", "function w : bool"], ["v | w", ("v", "w")], "w"),
    (["type s", "relation m(X:s)", "individual a : s"], ["m(a)", "forall X. m(X) -> m(X)"], "exists X. m(X)"),
]

SYMBOLS = ["p", "q", "r", "b", "c", "k", "l", "f"]


class Derivations(Proofs):
    def feature_derivations(self):
        """Theorems and properties whose proofs take them apart."""
        self.include("deduction")
        self.names = {it: self.fresh(f"d{it}") for it in SYMBOLS}
        for line in ["relation p(X:t)", "relation q(X:t)", "relation r(X:t, Y:t)", "relation b", "relation c", "individual k : t", "individual l : t", "function f(X:t) : t"]:
            self.emit(self.named(line))
        for args, name in [(["t"], "p"), (["t"], "q"), (["t", "t"], "r")]:
            self.declared.add(((), self.names[name]))
        self.facts, self.defined, self.rules, self.is_own = [], [], [], False
        for _ in range(self.rng.choice([0, 1, 2])):
            self.fact()
        for _ in range(self.rng.choice([1, 1, 2])):
            self.rule_of_program()
        if self.chance(0.5):
            self.definition_of_program()
        for _ in range(self.rng.choice([1, 2, 3])):
            if self.chance(0.3):
                self.theorem_with_premises()
            else:
                self.claim_with_proof()

    # ---- what proofs name ----

    def named(self, text):
        """The text with the names that the symbols have in the program."""
        return re.sub(r"\b([pqrbckmlf])\b(?!/)", lambda it: self.names.get(it[1], it[1]), text)

    def any_formula(self):
        text = self.rng.choice(FORMULAS)
        if self.chance(0.25):
            old, new = self.rng.choice([("k", "l"), ("->", "<->"), ("&", "|"), ("forall", "exists"), ("p(", "q("), ("X, Y", "Y, X"), ("b", "c"), ("p(k)", "b")])
            text = re.sub(rf"(?<![<~]){re.escape(old)}", new, text, count=1)
        return text

    def fact(self):
        label = self.fresh("fa")
        text = self.any_formula()
        self.emit(f"{self.rng.choice(['explicit axiom', 'explicit axiom', 'explicit property', 'property'])} [{label}] {self.named(text)}")
        self.facts.append((label, free(text)))

    def premise(self, text, label=""):
        if isinstance(text, str):
            return f"property {label}{self.named(text)}"
        lines = [it if re.match(r"individual|function", it) else f"property {self.named(it)}" for it in text]
        return f"{'theorem ' + label if label else ''}{{ {' '.join(lines)} }}"

    def rule_of_program(self):
        declared, premises, claim = self.rng.choice(RULES)
        # Without a proof, Ivy does not know of premises with premises of their own in a theorem.
        has_block = any(not isinstance(it, str) for it in premises)
        word, name = self.rng.choice(["axiom", "axiom", "axiom" if has_block else "theorem", "schema"]), self.fresh("ru")
        self.open(f"schema {name} =" if word == "schema" else f"{word} [{name}]")
        for line in declared:
            self.emit(line)
        labels = [f"h{at}" if self.chance(0.6) else "" for at in range(len(premises))]
        for text, label in zip(premises, labels):
            self.emit(self.premise(text, f"[{label}] " if label else ""))
        self.emit(f"property {self.named(claim)}")
        self.close()
        texts = [claim, *(it for it in premises if isinstance(it, str))]
        self.rules.append((name, declared, [it for it in labels if it], claim, sorted({it for text in texts for it in free(text)})))

    def definition_of_program(self):
        name = self.fresh("dd")
        self.emit(f"relation {name}(X:t)")
        value = self.rng.choice(["p(X)", "p(X) & q(X)", "exists Y. r(X, Y)", "forall Y. r(X, Y) -> p(Y)", "p(X) | X = k"])
        self.emit(f"definition {name}(X) = {self.named(value)}")
        self.binds = "Y" in value
        self.defined.append(name)

    # ---- claims ----

    def claim_with_proof(self):
        goal = self.any_formula()
        if self.defined and self.chance(0.4):
            goal = re.sub(r"\bp\(", self.defined[0] + "(", goal, count=self.rng.choice([0, 1]))
        self.emit(f"{self.rng.choice(['property', 'property', 'property', 'explicit property'])} [{self.fresh('n')}] {self.named(goal)}")
        if self.chance(0.08) and goal.startswith("exists X."):
            self.lines[-1] += f" named {self.fresh('wn')}"
        else:
            self.proof_of(goal, [])

    def theorem_with_premises(self):
        """A theorem with a type and symbols of its own, and premises."""
        self.open(f"theorem [{self.fresh('th')}]")
        saved, self.names = self.names, {it: it for it in SYMBOLS}
        for line in ["type s", "relation p(X:s)", "relation q(X:s)", "relation r(X:s, Y:s)", "relation b", "relation c", "individual k : s", "individual l : s", "function f(X:s) : s"]:
            self.emit(line)
        premises = []
        for at in range(self.rng.choice([0, 1, 2])):
            premises.append(f"g{at}")
            self.emit(f"property [g{at}] {self.any_formula()}")
        if self.chance(0.3):
            premises.append("gr")
            self.emit(f"theorem [gr] {{ {self.rng.choice(['property p(X) property q(X)', 'individual x : s property p(x) property q(x)', 'individual x : s property r(x, x)'])} }}")
        goal = self.any_formula()
        self.emit(f"property {goal}")
        self.close()
        self.is_own = True
        self.proof_of(goal, premises)
        self.names, self.is_own = saved, False

    def proof_of(self, goal, premises):
        self.open("proof")
        self.terms, self.left = ["k", "l", "k", "f(k)", *free(goal)], []
        self.steps(goal, list(premises), self.rng.choice([1, 1, 2, 3, 4]))
        self.close()

    # ---- steps ----

    def steps(self, goal, premises, most):
        """Steps that fit the first goal, as far as it is known."""
        steps = []
        for _ in range(most):
            step, goal = self.step(goal, premises)
            steps.append(step)
        for at, step in enumerate(steps):
            lines = step if isinstance(step, list) else [step]
            for line in lines[:-1]:
                self.emit(line)
            self.emit(lines[-1] + (";" if at + 1 < len(steps) and self.chance(0.9) else ""))

    def step(self, goal, premises):
        goal = goal.strip() if goal else ""
        fits = self.structural(goal, premises) if goal and not self.slips() and self.chance(0.6) else None
        return fits or self.other_step(goal, premises)

    def structural(self, goal, premises):
        """The rule that introduces the outermost connective of a goal, and the goal after it."""
        goal = stripped(goal)
        if match := re.match(r"(forall|exists) (\w+)(?:, (\w+))?\. (.*)", goal):
            rest = f"forall {match[3]}. {match[4]}" if match[3] else match[4]
            rest = rest if match[1] == "forall" else rest.replace("forall", "exists", 1)
            if match[1] == "forall":
                name = self.rng.choice(["x", "y", "k1"])
                renamed = f"<{name}/x>" if name != "x" else ""
                self.terms.append(name)
                return self.rng.choice([(f"apply introA{renamed}", re.sub(rf"\b{match[2]}\b", name, rest)), ("tactic skolemize", re.sub(rf"\b{match[2]}\b", f"_{match[2]}", rest))])
            term = self.term_of()
            return self.rng.choice([(f"apply introE with witness = {self.named(term)}", re.sub(rf"\b{match[2]}\b", term, rest)),
                                    (f"instantiate with {match[2]} = {self.named(term)}", re.sub(rf"\b{match[2]}\b", term, rest))])
        for sign, rules in [("<->", ["introIff"]), ("->", ["introImp"]), ("|", ["introOrL", "introOrR"]), ("&", ["introAnd"])]:
            parts = split(goal, sign)
            if len(parts) > 1:
                left, right = parts[0], f" {sign} ".join(parts[1:])
                if sign == "->":
                    label = self.rng.choice(["prem", "prem", "hyp"])
                    premises.append(label)
                    return f"apply introImp{'<hyp/prem>' if label == 'hyp' else ''}", right
                if sign == "<->":
                    premises.append("prem")
                    self.left = ["fwd", "rev"]
                rule = self.rng.choice(rules)
                return f"apply {rule}", right if rule in ("introIff", "introOrR") else left
        if goal.startswith("~"):
            return f"apply introNot{self.rng.choice(['', '<w/q>'])}", ""
        if match := re.match(r"([\w()]+) = ([\w()]+)$", goal):
            return "apply introEq", ""
        return None

    def term_of(self):
        return self.rng.choice(self.terms) if not self.slips() else self.rng.choice("Xx")

    def other_step(self, goal, premises):
        short = self.rng.choice(["b", "c", "p(k)", "q(l)", "r(k, l)", "forall X. p(X)", "exists X. p(X)", "b -> c", "b & c", "p(X)"])
        kind = self.rng.randrange(16)
        if kind == 0:
            return self.rng.choice(["showgoals", "defergoal", "showgoals"]), goal
        if kind in (1, 2):
            return self.use_of_rule(premises, goal), ""
        if kind == 3 and self.facts:
            fact, variables = self.rng.choice(self.facts)
            given = ", ".join(f"{it} = {self.named(self.term_of())}" for it in variables if self.chance(0.7))
            given = f" with {given}" if given else ""
            return f"{self.rng.choice(['instantiate', 'assume', 'apply', 'instantiate [i1]'])} {fact}{given}", goal
        if kind == 4 and premises:
            name = self.rng.choice(premises)
            return self.rng.choice([f"instantiate {name}", f"instantiate {name} with X = {self.named(self.term_of())}", f"apply {name}", f"forget {name}", f"instantiate [i2] {name} with X = {self.named('k')}",
                                    f"apply {name} with X = {self.named('k')}", f"apply {name} with x = {self.named('k')}"]), goal
        if kind == 5 and self.defined:
            return self.rng.choice([f"unfold with {self.defined[0]}", f"unfold with {self.defined[0]}", f"unfold with {self.defined[0]}{'<Z/Y>' if self.binds else ''}"] + [f"unfold {it} with {self.defined[0]}" for it in premises]), goal
        if kind == 6:
            self.left = ["prem1", "prem2", "left", "right", "pos", "neg"]
            return self.rng.choice([f"apply elimAndL with q = {self.named(short)}", f"apply elimAndR with p = {self.named(short)}", f"apply elimImp with p = {self.named(short)}",
                                    f"apply elimNot with p = {self.named(short)}", "apply elimFalse", f"apply exmid with q = {self.named(short)}",
                                    f"apply elimOr with p = {self.named('b')}, q = {self.named(short)}", f"apply elimE with p(X) = {self.named('p(X)')}",
                                    f"apply elimA with X = {self.named(self.term_of())}", f"apply elimA with p(X) = {self.named('p(X)')}, X = {self.named('k')}",
                                    f"apply elimEq with x = {self.named('k')}, y = {self.named('l')}", f"apply elimEq with x = {self.named('l')}, y = {self.named('k')}"]), ""
        if kind == 7:
            label = self.rng.choice(["", "", "[lem] "])
            if label:
                premises.append("lem")
            return self.with_inner_proof(f"property {label}{self.named(short)}", short), goal
        if kind == 8:
            return f"property exists Z. {self.named(self.rng.choice(['p(Z)', 'r(X, Z)', 'p(Z) -> q(Z)', 'r(k, Z)']))} named {self.rng.choice(['w0', 'w0(X)'])}", goal
        if kind == 9:
            premises.append("lr")
            claim = self.rng.choice(["property b property b", "property p(X) property p(X) | q(X)", "property p(X) property q(X)", "individual x : t property p(x) property p(f(x))", "property p(k)"])
            return self.with_inner_proof(f"theorem [lr] {{ {self.named(claim)} }}", ""), goal
        if kind == 10:
            return f"function {self.rng.choice(['h0(Z:t) = p(Z)', 'h0(Z:t) : bool = q(Z)'])}".replace("p(", self.named("p") + "(").replace("q(", self.named("q") + "("), goal
        if kind == 11:
            return f"let {self.rng.choice(['V', 'W'])} = {self.named(self.term_of())}", goal
        # Ivy reads conditions with the names of the program alone, and not where there are premises.
        if kind == 12 and not premises and not self.is_own:
            lines = [f"if {self.named(short)} {{", f"    {self.simple(premises)}", "} else {", f"    {self.simple(premises)}", "}"]
            return lines, ""
        if kind == 13:
            return self.rng.choice(["tactic skolemize", "tactic skolemizenp"]), ""
        if kind == 14 and self.left:
            return [f"proof [{self.rng.choice(self.left)}] {{", f"    {self.simple(premises)}", "}"], goal
        return [f"{{", f"    {self.simple(premises)};", f"    {self.simple(premises)}", "}"], ""

    def with_inner_proof(self, text, goal):
        if self.chance(0.6):
            return text
        return [f"{text} proof {{", f"    {self.simple([])}", "}"]

    def simple(self, premises):
        options = ["showgoals", "tactic skolemize"] + [f"instantiate {it}" for it in premises] + [f"{word} {it}" for it, _ in self.facts for word in ("instantiate", "assume")] + [self.use_of_rule(premises)]
        return self.rng.choice(options)

    def use_of_rule(self, premises, goal=""):
        """A rule of the program with what it stands for."""
        step = self.rng.choice(["apply", "apply", "apply", "instantiate", "assume"])
        # Ivy does not get through instances of rules with types of their own.
        rules = [it for it in self.rules if (fits(it[3], goal) if step == "apply" else not any(line.startswith("type") for line in it[1]))]
        if not rules and not self.slips():
            return "showgoals"
        name, declared, labels, claim, variables = self.rng.choice(rules or self.rules)
        given = []
        for line in declared:
            word, own = line.split()[:2]
            own = own.split("(")[0]
            value = {"v": ["b", "c", "p(k)", "b & c"], "w": ["c", "b", "q(k)", "exists X. p(X)"], "a": ["k", "l", "f(k)"], "m": ["p(X)", "q(X)", "r(X, X)", "X = k", "r(k, X)", "r(Y, X)", "exists Y. r(X, Y)"],
                     "n": ["r(X, Y)", "r(Y, X)", "X = Y"], "g": ["f(X)", "f(f(X))", "X"]}.get(own)
            is_claimed = step == "apply" and re.search(rf"\b{own}\b", claim)
            if value and self.chance(0.1 if is_claimed else 0.8):
                left = {"m": "m(X)", "n": "n(X, Y)", "g": "g(X)"}.get(own, own)
                given.append(f"{left} = {self.named(self.rng.choice(value))}")
        for variable in variables:
            if self.chance(0.1 if step == "apply" and variable in claim else 0.6):
                given.append(f"{variable} = {self.named(self.term_of())}")
        if labels and premises and self.chance(0.2):
            given.append(f"{self.rng.choice(labels)} = {self.rng.choice(premises)}")
        renamed = self.rng.choice(["", "", "", *(f"<V{it}/{it}>" for it in variables), *("<n0/w>" for it in declared if " w" in it)])
        if any(f"/{it.split()[0].split('(')[0]}>" in renamed for it in given):
            renamed = ""
        label = self.rng.choice(["", "", "", "[i3] "])
        return f"{step} {label if step == 'instantiate' else ''}{name}{renamed}{' with ' + ', '.join(given) if given else ''}"


def fits(claim, goal):
    """Whether a goal may be what a rule claims."""
    goal = stripped(goal)
    if claim in ("v", "w"):
        return True
    for sign in ("&", "->"):
        if f" {sign} " in claim:
            return len(split(goal, sign)) > 1 and (sign == "->" or len(split(goal, "->")) == 1)
    if match := re.match(r"(exists|forall) ", claim):
        return goal.startswith(match[1])
    if claim.startswith("~"):
        return goal.startswith("~") and all(len(split(goal, sign)) == 1 for sign in ("->", "<->", "&", "|"))
    pattern = {"n(X, Z)": r"r\(.*\)$", "m(g(X))": r"p\(f\(.*\)\)$", "m(f(X))": r"[pq]\(f\(.*\)\)$", "g(X) = g(Y)": r"f\(.*\) = f\(.*\)$"}.get(claim, r"\w+\(\w+\)$")
    return bool(re.match(pattern, goal))


def free(text):
    """The free variables of a formula, but for those that are bound elsewhere in it."""
    bound = {it for names in re.findall(r"(?:forall|exists) ([XYZ](?:, [XYZ])*)", text) for it in names.split(", ")}
    return sorted(set(re.findall(r"\b[XYZ]\b", text)) - bound)


def stripped(text):
    """The formula without parentheses around it all."""
    text = text.strip()
    while text.startswith("(") and closing(text) == len(text) - 1:
        text = text[1:-1].strip()
    return text


def closing(text):
    depth = 0
    for at, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0:
            return at
    return -1


def split(text, sign):
    """The operands of the outermost connective, if it is this one."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0 and text.startswith(f" {sign} ", at):
            parts.append(text[start:at])
            start = at + len(sign) + 2
    return [it.strip() for it in parts + [text[start:]]]
