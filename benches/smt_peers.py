#!/usr/bin/env python3
"""`ramsey solve` for SMT-LIB against Z3 and cvc5: a corpus of scripts, then random ones.

usage: smt_peers.py [--random COUNT] [--seed N] [--ramsey FILE] [--out FOLDER] [--timeout SECONDS] [FILE_OR_FOLDER...]
needs: pip install z3-solver, and cvc5 if it is to be asked as well

What is compared. Random scripts: each model is read from the answer to `get-model` and the assertions, assumptions and the terms of
`get-value` are evaluated in it by the evaluator below; each `unsat` is asked of Z3 (and of cvc5 where Z3 does not know);
each unsat core is asked again, alone; minimal cores without each of their members. Each command has to have one answer,
and none an error. Scripts of the corpus: the answers in order. A peer that does not answer in time says nothing.

Every disagreement is printed; a random script is made small first (commands, then subformulas) and written to the folder.
Exit code 1 if there is one.
"""
import argparse, itertools, os, random, re, subprocess, sys, threading

MANY = 500  # steps of the evaluator beyond which a model is not judged, in thousands


# ---- texts ------------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r'\s+|;[^\n]*|(\(|\)|\|[^|]*\||"(?:[^"]|"")*"|[^\s()"|;]+)')


def parse(text):
    """The S-expressions of a text: lists and words."""
    stack, at = [[]], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"not an S-expression: {text[at:at + 60]!r}")
        at, token = match.end(), match.group(1)
        if token is None:
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) < 2:
                raise ValueError("a parenthesis too many")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token[1:-1] if token[0] == "|" else token)
    if len(stack) > 1:
        raise ValueError("a parenthesis too few")
    return stack[0]


def show(tree):
    if isinstance(tree, list):
        return "(" + " ".join(map(show, tree)) + ")"
    return tree if not re.search(r"[\s()]", tree) or tree.startswith('"') else f"|{tree}|"


# ---- solvers ----------------------------------------------------------------------------------------------------------

def ramsey(binary, text, timeout, options=()):
    """Standard output, or what went wrong with the process."""
    try:
        run = subprocess.run([binary, "solve", *options, "--input", "smtlib", "-"], input=text.encode(), timeout=timeout,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        return None, f"no end within {timeout} s"
    if run.returncode not in (0, 2) or run.stderr:
        return None, f"exit code {run.returncode}: {run.stderr.decode(errors='replace')[:300]}"
    return run.stdout.decode(), None


class Peer:
    """Z3 and cvc5 in another process, which ends if it does not answer."""

    def __init__(self, timeout):
        self.timeout, self.process = timeout, None

    def ask(self, solver, text):
        """The words `sat`, `unsat` and `unknown` that a script is answered with; none without time for it."""
        if not self.timeout:
            return []
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([sys.executable, __file__, "--peer", str(self.timeout)], text=True,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        timer = threading.Timer(4 * self.timeout + 20, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(f"{solver} {len(text)}\n{text}")
            self.process.stdin.flush()
            return self.process.stdout.readline().split()
        except BrokenPipeError:
            return []
        finally:
            timer.cancel()

    def answer(self, text, thorough=True):
        """The answer to the one check of a script: of Z3, or else of cvc5."""
        for solver in ["z3"] + ["cvc5"] * thorough:
            words = self.ask(solver, text)
            if words and words[-1] in ("sat", "unsat"):
                return words[-1]
        return "unknown"


def serve(timeout):
    """The process behind `Peer`."""
    import z3
    try:
        import cvc5
    except ImportError:
        cvc5 = None
    z3.set_param("timeout", int(timeout * 1000))
    while line := sys.stdin.readline():
        solver, size = line.split()
        text = sys.stdin.read(int(size))
        output = ""
        try:
            if solver == "z3":
                output = z3.Z3_eval_smtlib2_string(z3.Context().ref(), text)
            elif cvc5:
                engine = cvc5.Solver(cvc5.TermManager())
                engine.setOption("incremental", "true")
                engine.setOption("finite-model-find", "true")
                engine.setOption("tlimit-per", str(int(timeout * 1000)))
                parser = cvc5.InputParser(engine)
                logic = "" if "(set-logic" in text else "(set-logic ALL)"
                parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, logic + text, "text")
                while not (command := parser.nextCommand()).isNull():
                    output += command.invoke(engine, parser.getSymbolManager())
        except Exception as error:  # whatever a peer cannot do counts as no answer
            output = f"error {error}"
        print(" ".join(re.findall(r"^(?:sat|unsat|unknown)$", output, re.M)), flush=True)


# ---- models -----------------------------------------------------------------------------------------------------------

class TooMuch(Exception):
    pass


class Structure:
    """A model as `get-model` writes it, and what terms mean in it."""

    def __init__(self, model, enumerations, macros):
        self.universes = {"Bool": [False, True], **{sort: list(elems) for sort, elems in enumerations.items()}}
        self.elements = {elem for elems in enumerations.values() for elem in elems}
        self.definitions, self.steps, self.cache = dict(macros), 0, {}
        self.given = set()
        for item in model:
            if item[0] == "declare-fun":
                self.universes.setdefault(item[3], []).append(item[1])
                if item[1] in self.elements:
                    raise ValueError(f"the element {item[1]} is declared twice")
                self.elements.add(item[1])
            elif item[0] == "define-fun":
                if item[1] in self.given:
                    raise ValueError(f"{item[1]} is defined twice")
                self.given.add(item[1])
                self.definitions[item[1]] = (item[2], item[4])
            elif item[0] != "forall":
                raise ValueError(f"what is {item[0]} in a model")

    def eval(self, t, env):
        self.steps += 1
        if self.steps > MANY * 1000:
            raise TooMuch
        if isinstance(t, str):
            if t in env:
                return env[t]
            if t in ("true", "false"):
                return t == "true"
            if t in self.definitions:
                return self.apply(t, ())
            if t in self.elements:
                return t
            raise ValueError(f"the model does not define {t}")
        head = t[0]
        if isinstance(head, list):
            if head[0] == "_" and head[1] == "is":
                return self.eval(t[1], env) == head[2]
            if head[0] == "as":
                return self.apply(head[1], tuple(self.eval(arg, env) for arg in t[1:]))
        if head == "!":
            return self.eval(t[1], env)
        if head == "as":
            return self.eval(t[1], env)
        if head == "let":
            return self.eval(t[2], {**env, **{name: self.eval(value, env) for name, value in t[1]}})
        if head in ("forall", "exists"):
            names = [name for name, _ in t[1]]
            for values in itertools.product(*(self.universes[sort] for _, sort in t[1])):
                if self.eval(t[2], {**env, **dict(zip(names, values))}) == (head == "exists"):
                    return head == "exists"
            return head == "forall"
        if head == "not":
            return not self.eval(t[1], env)
        if head == "and":
            return all(self.eval(arg, env) for arg in t[1:])
        if head == "or":
            return any(self.eval(arg, env) for arg in t[1:])
        if head == "ite":
            return self.eval(t[2] if self.eval(t[1], env) else t[3], env)
        values = tuple(self.eval(arg, env) for arg in t[1:])
        if head == "=":
            return all(a == b for a, b in zip(values, values[1:]))
        if head == "distinct":
            return len(set(values)) == len(values)
        if head == "=>":
            return values[-1] or not all(values[:-1])
        if head == "xor":
            return sum(values) % 2 == 1
        return self.apply(head, values)

    def apply(self, name, values):
        known = self.cache.get((name, values))
        if known is None:
            params, body = self.definitions[name]
            known = self.eval(body, {param: value for (param, _), value in zip(params, values)})
            self.cache[name, values] = known
        return known


# ---- random scripts ---------------------------------------------------------------------------------------------------

class Generator:
    """A random script over a random vocabulary: commands as trees."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.script, self.levels, self.count = [], [], 0
        self.may_name = False  # subformulas of assertions; named terms elsewhere are treated in different ways
        self.vocabulary = {}   # name -> (argument sorts, result)
        self.macros, self.names = {}, []
        self.enumerations = {}
        self.wild = rng.random() < 0.15  # functions may be cyclic
        self.enum_quantifiers = rng.random() < 0.7
        self.depth = rng.choice([1, 2, 2, 3, 3, 4])
        self.sorts = [f"S{i}" for i in range(rng.randint(1, 3))]
        for option in (":produce-unsat-cores", ":produce-unsat-assumptions", ":produce-assignments"):
            self.script.append(["set-option", option, "true"])
        self.minimal = rng.random() < 0.3
        if self.minimal:
            self.script.append(["set-option", ":minimal-unsat-cores", "true"])
        if rng.random() < 0.2:
            self.script.append(["set-option", ":minimize-models", "true"])
        self.is_global = rng.random() < 0.1
        if self.is_global:
            self.script.append(["set-option", ":global-declarations", "true"])
        if rng.random() < 0.5:
            self.script.append(["set-logic", rng.choice(["UF", "ALL", "UFDT"])])
        for sort in list(self.sorts):
            self.script.append(["declare-sort", sort, "0"])
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            self.enumeration()
        for _ in range(rng.randint(2, 7)):
            self.declare()
        for _ in range(rng.randint(4, 40)):
            self.command()
        if not any(command[0].startswith("check-sat") for command in self.script):
            self.script.append(["check-sat"])
            self.questions()

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def enumeration(self):
        sort, rng = self.fresh("E"), self.rng
        values = [f"{sort.lower()}_{i}" for i in range(rng.randint(1, 4))]
        self.enumerations[sort] = values
        self.sorts.append(sort)
        if rng.random() < 0.5:
            self.script.append(["declare-datatypes", [[sort, "0"]], [[[value] for value in values]]])
        else:
            self.script.append(["declare-datatype", sort, [[value] for value in values]])
        for value in values:
            self.vocabulary[value] = ((), sort)

    def declare(self):
        rng = self.rng
        kind = rng.random()
        # A name that was popped may return with another sort.
        name = self.fresh("f") if rng.random() < 0.7 else rng.choice("abcdpqr")
        if name in self.vocabulary or name in self.macros:
            return
        if kind < 0.35:
            args, result = [], rng.choice(self.sorts)
        elif kind < 0.45:
            args, result = [], "Bool"
        elif kind < 0.8:
            args = [self.arg() for _ in range(rng.randint(1, 3))]
            result = "Bool"
        else:
            args = [self.arg() for _ in range(rng.randint(1, 2))]
            least = 0 if self.wild else 1 + max((self.sorts.index(arg) for arg in args if arg != "Bool"), default=-1)
            if least >= len(self.sorts):
                result = "Bool"
            else:
                result = rng.choice(self.sorts[least:])
        self.vocabulary[name] = (tuple(args), result)
        if not args and rng.random() < 0.5:
            self.script.append(["declare-const", name, result])
        else:
            self.script.append(["declare-fun", name, args, result])

    def arg(self):
        return "Bool" if self.rng.random() < 0.12 else self.rng.choice(self.sorts)

    def define(self):
        rng = self.rng
        name = self.fresh("d")
        params = [[f"x{i}", rng.choice(self.sorts + ["Bool"])] for i in range(rng.randint(0, 2))]
        result = rng.choice(self.sorts + ["Bool"] * 3)
        body = self.term(result, dict(params), 2)
        if body is None:
            return
        self.macros[name] = (params, body)
        self.vocabulary[name] = (tuple(sort for _, sort in params), result)
        self.script.append(["define-fun", name, params, result, body])

    def term(self, sort, scope, depth):
        """A term of a sort, or nothing if there is none in reach."""
        rng = self.rng
        if sort == "Bool":
            return self.formula(scope, depth)
        roll = rng.random()
        if depth > 0 and roll < 0.1:
            branches = self.term(sort, scope, depth - 1), self.term(sort, scope, depth - 1)
            if None not in branches:
                return ["ite", self.formula(scope, depth - 1), *branches]
        if depth > 0 and roll < 0.14:
            return self.let(sort, scope, depth)
        heads = [name for name, known in scope.items() if known == sort] * 2
        symbols = [name for name, (args, result) in self.vocabulary.items() if result == sort and name not in scope]
        if depth <= 0:
            symbols = [name for name in symbols if not self.vocabulary[name][0]] or symbols
        if not heads + symbols or depth < -4:
            return heads[0] if heads else next((s for s in symbols if not self.vocabulary[s][0]), None)
        head = rng.choice(heads + symbols)
        return head if head in scope else self.application(head, scope, depth)

    def application(self, head, scope, depth):
        args = [self.term(arg, scope, depth - 1) for arg in self.vocabulary[head][0]]
        if None in args:
            return None
        return [head, *args] if args else head

    def let(self, sort, scope, depth):
        rng = self.rng
        bindings, inner = [], dict(scope)
        for _ in range(rng.randint(1, 2)):
            of = rng.choice(self.sorts + ["Bool"])
            value = self.term(of, scope, depth - 1)
            # A `let` may hide a variable or a symbol.
            name = rng.choice(list(scope) or ["z"]) if rng.random() < 0.2 else self.fresh("l")
            if value is not None and name not in [known for known, _ in bindings]:
                bindings.append([name, value])
                inner[name] = of
        body = self.term(sort, inner, depth - 1)
        if body is None or not bindings:
            return body
        return ["let", bindings, body]

    def formula(self, scope, depth):
        rng = self.rng
        if depth <= 0:
            return self.atom(scope, depth)
        sub = lambda: self.formula(scope, depth - 1)
        roll = rng.random()
        if roll < 0.3:
            names, inner = [], dict(scope)
            for _ in range(rng.randint(1, 2)):
                # Variables may shadow each other and symbols.
                name = rng.choice(["X", "Y", "Z", "a", "b"])
                sort = rng.choice(self.sorts) if rng.random() < 0.93 else "Bool"
                if name not in [known for known, _ in names]:
                    names.append([name, sort])
                    inner[name] = sort
            return [rng.choice(["forall", "exists"]), names, self.formula(inner, depth - 1)]
        if roll < 0.42:
            return ["not", sub()]
        if roll < 0.66:
            return [rng.choice(["and", "or"]), *(sub() for _ in range(rng.randint(1, 3)))]
        if roll < 0.76:
            return ["=>", *(sub() for _ in range(rng.choice([2, 2, 2, 3])))]
        if roll < 0.82:
            return [rng.choice(["=", "xor", "distinct"]), sub(), sub()]
        if roll < 0.87:
            return ["ite", sub(), sub(), sub()]
        if roll < 0.92:
            return self.let("Bool", scope, depth)
        if roll < 0.93 and not scope and self.may_name:
            name = self.fresh("n")
            body = sub()
            self.vocabulary[name] = ((), "Bool")
            self.macros[name] = ([], body)
            return ["!", body, ":named", name]
        return self.atom(scope, depth)

    def atom(self, scope, depth):
        rng = self.rng
        roll = rng.random()
        if roll < 0.35:
            sort = rng.choice(self.sorts)
            items = [self.term(sort, scope, depth - 1) for _ in range(rng.choice([2, 2, 2, 3]))]
            if None not in items:
                return [rng.choice(["=", "=", "distinct"]), *items]
        if roll < 0.4 and self.enumerations:
            sort = rng.choice(list(self.enumerations))
            term = self.term(sort, scope, depth - 1)
            if term is not None:
                return [["_", "is", rng.choice(self.enumerations[sort])], term]
        heads = [name for name, sort in scope.items() if sort == "Bool"]
        heads += [name for name, (_, result) in self.vocabulary.items() if result == "Bool" and name not in scope]
        if depth < -2:
            heads = [name for name in heads if name in scope or not self.vocabulary[name][0]]
        for _ in range(3):
            if heads:
                head = rng.choice(heads)
                made = head if head in scope else self.application(head, scope, depth)
                if made is not None:
                    return made
        return rng.choice(["true", "false"])

    def command(self):
        rng = self.rng
        roll = rng.random()
        if roll < 0.42:
            before = dict(self.vocabulary), dict(self.macros)
            self.may_name = True
            formula = self.formula({}, self.depth)
            self.may_name = False
            if len(list(named(formula))) != len(self.vocabulary) - len(before[0]):
                # A part with a name was given up.
                self.vocabulary, self.macros = before
                return
            if rng.random() < 0.5:
                name = self.fresh("n")
                self.vocabulary[name] = ((), "Bool")
                self.macros[name] = ([], formula)
                formula = ["!", formula, ":named", name]
            self.script.append(["assert", formula])
        elif roll < 0.52:
            number = rng.choice([1, 1, 1, 2])
            for _ in range(number):
                self.levels.append((dict(self.vocabulary), dict(self.macros), list(self.sorts), dict(self.enumerations)))
            self.script.append(["push", str(number)])
        elif roll < 0.62 and self.levels:
            number = rng.randint(1, min(2, len(self.levels)))
            for _ in range(number):
                kept = self.levels.pop()
            if not self.is_global:
                self.vocabulary, self.macros, self.sorts, self.enumerations = kept
            self.script.append(["pop", str(number)])
        elif roll < 0.7:
            self.declare()
        elif roll < 0.72:
            self.define()
        elif roll < 0.73:
            sort = self.fresh("T")
            self.sorts.append(sort)
            self.script.append(["declare-sort", sort, "0"])
        elif roll < 0.74:
            self.enumeration()
        elif roll < 0.745:
            self.script.append(["reset-assertions"])
            if self.is_global:
                self.levels = []
            else:
                self.vocabulary, self.macros, self.sorts, self.enumerations = {}, {}, [], {}
                self.levels = []
                self.sorts.append(self.fresh("S"))
                self.script.append(["declare-sort", self.sorts[0], "0"])
                for _ in range(4):
                    self.declare()
        elif roll < 0.88:
            self.script.append(["check-sat"])
            self.questions()
        else:
            assumptions = [self.formula({}, rng.choice([0, 0, 1])) for _ in range(rng.randint(0, 4))]
            self.script.append(["check-sat-assuming", assumptions])
            self.questions()

    def questions(self):
        rng = self.rng
        if rng.random() < 0.5:
            terms = [self.term(rng.choice(self.sorts + ["Bool"]), {}, 2) for _ in range(rng.randint(1, 4))]
            terms = [term for term in terms if term is not None]
            if terms:
                self.script.append(["get-value", terms])
        self.script.append(["get-model"])
        if rng.random() < 0.2:
            self.script.append(["get-assignment"])
        self.script.append(["get-unsat-core"])
        self.script.append(["get-unsat-assumptions"])


# ---- judging ----------------------------------------------------------------------------------------------------------

class State:
    """What is asserted and declared while a script is read."""

    def __init__(self):
        self.declarations, self.assertions, self.macros, self.enumerations = [], [], {}, {}
        self.levels, self.is_global = [], False
        self.symbols = set()

    def carry_out(self, command):
        head = command[0]
        if head == "set-option" and command[1:] == [":global-declarations", "true"]:
            self.is_global = True
        elif head == "push":
            for _ in range(int(command[1])):
                self.levels.append((len(self.declarations), len(self.assertions), dict(self.macros),
                                    dict(self.enumerations), set(self.symbols)))
        elif head == "pop":
            for _ in range(int(command[1])):
                declarations, assertions, *others = self.levels.pop()
                del self.assertions[assertions:]
                if not self.is_global:
                    del self.declarations[declarations:]
                    self.macros, self.enumerations, self.symbols = others
        elif head == "reset-assertions":
            self.assertions, self.levels = [], []
            if not self.is_global:
                self.declarations, self.macros, self.enumerations, self.symbols = [], {}, {}, set()
        elif head == "assert":
            name = None
            for inner in named(command[1]):
                self.macros[inner[3]] = ([], inner[1])
                self.declarations.append(["define-fun", inner[3], [], "Bool", without_names(inner[1])])
            if isinstance(command[1], list) and command[1][0] == "!":
                name = command[1][3]
            self.assertions.append((name, command[1]))
        elif head in ("declare-sort", "declare-fun", "declare-const", "define-fun"):
            self.declarations.append(command)
            if head == "define-fun":
                self.macros[command[1]] = (command[2], command[4])
            elif head != "declare-sort":
                self.symbols.add(command[1])
        elif head in ("declare-datatype", "declare-datatypes"):
            self.declarations.append(command)
            if head == "declare-datatype":
                self.enumerations[command[1]] = [value for value, in command[2]]
            else:
                self.enumerations[command[1][0][0]] = [value for value, in command[2][0]]

    def query(self, formulas):
        lines = [show(it) for it in self.declarations] + [show(["assert", without_names(it)]) for it in formulas]
        return "\n".join(lines + ["(check-sat)", ""])


def named(tree):
    """All `(! t :named n)`, the inner ones first."""
    if isinstance(tree, list):
        for item in tree:
            yield from named(item)
        if tree and tree[0] == "!":
            yield tree


def without_names(tree):
    if isinstance(tree, list):
        return without_names(tree[1]) if tree and tree[0] == "!" else [without_names(item) for item in tree]
    return tree


class Finding(Exception):
    """What is wrong with the answers to a script: a kind, and the details."""

    def __init__(self, kind, details, detailed=""):
        super().__init__(f"{kind}: {details}")
        self.kind = kind, detailed


class Judge:
    def __init__(self, binary, peer, timeout, work):
        self.binary, self.peer, self.timeout, self.work = binary, peer, timeout, work
        self.tally = {}

    def count(self, what):
        self.tally[what] = self.tally.get(what, 0) + 1

    def examine(self, script):
        """Raises a `Finding` if there is one."""
        text = "(set-option :print-success true)\n" + "\n".join(map(show, script)) + "\n"
        output, trouble = ramsey(self.binary, text, self.timeout, ["--work", str(self.work)])
        if trouble:
            raise Finding("process", trouble)
        answers = parse(output)[1:]
        if len(answers) != len(script):
            raise Finding("answers", f"{len(answers)} answers to {len(script)} commands")
        state, last, minimal = State(), None, False
        for command, answer in zip(script, answers):
            head = command[0]
            if isinstance(answer, list) and answer[:1] == ["error"]:
                fits = {"get-model": "sat", "get-value": "sat", "get-assignment": "sat", "get-unsat-core": "unsat",
                        "get-unsat-assumptions": "unsat"}
                if last and fits.get(head, last[0]) != last[0]:
                    continue
                raise Finding("error", f"{show(command)[:200]}: {answer[1]}", re.sub(r"\d+|`.*?`", "", answer[1]))
            state.carry_out(command)
            if command[:2] == ["set-option", ":minimal-unsat-cores"]:
                minimal = True
            if head in ("check-sat", "check-sat-assuming"):
                assumed = command[1] if len(command) > 1 else []
                last = (answer, state.assertions[:], assumed, [], [])
                self.count(answer)
                self.check(answer)
            elif head == "get-model":
                self.model(state, last, answer)
            elif head == "get-value":
                last[3].extend(zip(command[1], answer))
                if len(answer) != len(command[1]):
                    raise Finding("value", "not as many values as terms")
            elif head == "get-assignment":
                last[3].extend((name, [name, value]) for name, value in answer)
            elif head == "get-unsat-core":
                self.core(state, last, answer, minimal)
            elif head == "get-unsat-assumptions":
                self.failed(last, answer)
            elif answer != "success":
                raise Finding("answers", f"{answer} to {show(command)[:200]}")

    def check(self, answer):
        # A model or a core comes next, which shows more.
        if answer not in ("sat", "unsat", "unknown"):
            raise Finding("answers", f"{answer} to a check")

    def model(self, state, last, answer):
        _, assertions, assumed, values, _ = last
        try:
            structure = Structure(answer, state.enumerations, state.macros)
            missing = state.symbols - structure.given
            if missing:
                raise Finding("model", f"nothing about {missing}")
            for formula in [formula for _, formula in assertions] + assumed:
                if structure.eval(formula, {}) is not True:
                    raise Finding("model", f"{show(formula)[:300]} is false")
            for term, (echoed, value) in values:
                if echoed != term:
                    raise Finding("value", f"{show(term)} comes back as {show(echoed)}")
                if structure.eval(term, {}) != structure.eval(value, {}):
                    raise Finding("value", f"{show(term)[:300]} is not {show(value)}")
            self.count("models")
        except TooMuch:
            self.count("models too large to judge")
        except (ValueError, KeyError, RecursionError) as error:
            raise Finding("model", f"{error!r}")

    def core(self, state, last, answer, minimal):
        _, assertions, assumed, _, used = last
        free = [formula for name, formula in assertions if name is None]
        known = {name: formula for name, formula in assertions if name is not None}
        members, rest = [], list(answer)
        for item in rest:
            if isinstance(item, str) and item in known:
                members.append(known[item])
            elif item in assumed:
                members.append(item)
                used.append(item)
            else:
                raise Finding("core", f"{show(item)} is neither a name nor an assumption")
        if len(rest) != len({show(item) for item in rest}) and not repeated(assumed):
            raise Finding("core", f"{show(rest)} lists something twice")
        peer = self.peer.answer(state.query(free + members))
        self.count(f"core, a peer says {peer}")
        if peer == "sat":
            raise Finding("core", f"{show(answer)} is none")
        if minimal:
            for index in range(len(members)):
                less = free + members[:index] + members[index + 1:]
                if self.peer.answer(state.query(less), False) == "unsat":
                    raise Finding("minimal", f"{show(rest[index])} is not needed in {show(rest)}")
                self.count("members of minimal cores")

    def failed(self, last, answer):
        if any(item not in last[2] for item in answer):
            raise Finding("core", f"{show(answer)} are not assumptions")
        if any(item not in answer for item in last[4]):
            raise Finding("core", f"the core has more assumptions than {show(answer)}")


def repeated(items):
    return len({show(item) for item in items}) < len(items)


# ---- shrinking --------------------------------------------------------------------------------------------------------

def shrink(script, fails):
    """A smaller script of which the same can be said."""
    size = max(1, len(script) // 2)
    while True:
        index, changed = 0, False
        while index < len(script):
            less = script[:index] + script[index + size:]
            if fails(less):
                script, changed = less, True
            else:
                index += size
        if size > 1:
            size = max(1, size // 2)
        elif not changed:
            break
    changed = True
    while changed:
        changed = False
        for at, command in enumerate(script):
            for place in sorted(places(command), key=len):
                for smaller in alternatives(get(command, place)):
                    try:
                        candidate = script[:at] + [put(command, place, smaller)] + script[at + 1:]
                    except IndexError:
                        break
                    if fails(candidate):
                        script, command, changed = candidate, candidate[at], True
                        break
    return script


def places(tree, path=()):
    if isinstance(tree, list):
        for index, item in enumerate(tree):
            yield path + (index,)
            yield from places(item, path + (index,))


def get(tree, place):
    for index in place:
        if not isinstance(tree, list) or index >= len(tree):
            return None
        tree = tree[index]
    return tree


def put(tree, place, new):
    if not place:
        return new
    copy = list(tree)
    copy[place[0]] = put(tree[place[0]], place[1:], new)
    return copy


def alternatives(tree):
    if isinstance(tree, list) and tree:
        yield "true"
        yield "false"
        yield from (item for item in tree[1:] if item != "true")
        if len(tree) > 1:
            yield from (tree[:index] + tree[index + 1:] for index in range(len(tree)))


# ---- the whole --------------------------------------------------------------------------------------------------------

def scripts(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".smt2"))
        else:
            yield path


def corpus(paths, args, peer):
    """Answers in order, where both sides have them."""
    findings = files = checks = 0
    for path in scripts(paths):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        output, trouble = ramsey(args.ramsey, text, 60 + 60 * args.timeout)
        words = re.findall(r"^(?:sat|unsat|unknown)$", output or "", re.M)
        if trouble or "(error" in output or "unknown" in words:
            print(f"{path}: {trouble or 'an error or no answer'}")
            findings += 1
            continue
        files, checks = files + 1, checks + len(words)
        for solver in ("z3", "cvc5"):
            others = peer.ask(solver, text)
            for index, (word, other) in enumerate(zip(words, others)):
                if other != "unknown" and other != word:
                    print(f"{path}: {word}, {solver} says {other} at check {index + 1}")
                    findings += 1
    print(f"corpus: {files} scripts, {checks} checks, {findings} findings")
    return findings


def random_scripts(args, peer):
    judge = Judge(args.ramsey, peer, 60, args.work)
    findings = 0
    for seed in range(args.seed, args.seed + args.random):
        script = Generator(seed).script
        if (seed - args.seed) % 1000 == 999:
            print(f"{seed - args.seed} scripts, {findings} findings", flush=True)
        try:
            judge.examine(script)
            continue
        except Finding as finding:
            kind = finding.kind

        def fails(candidate):
            try:
                Judge(args.ramsey, peer, 60, args.work).examine(candidate)
            except Finding as finding:
                return finding.kind == kind
            except (IndexError, ValueError, TypeError, KeyError):
                pass
            return False

        findings += 1
        script = shrink(script, fails)
        try:
            judge.examine(script)
            found = f"{kind[0]}: it comes and goes"
        except Finding as finding:
            found = str(finding)
        os.makedirs(args.out, exist_ok=True)
        path = os.path.join(args.out, f"{seed}.smt2")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"; {found}\n".replace("\n", " ").rstrip() + "\n" + "\n".join(map(show, script)) + "\n")
        print(f"seed {seed}: {found}\n  {path}", flush=True)
    print(f"random: {args.random} scripts, {findings} findings")
    for what, count in sorted(judge.tally.items()):
        print(f"  {what:<32} {count:>8}")
    return findings


def main():
    if sys.argv[1:2] == ["--peer"]:
        return serve(float(sys.argv[2]))
    sys.setrecursionlimit(10_000)
    options = argparse.ArgumentParser()
    options.add_argument("--random", type=int, default=0)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--ramsey", default="target/release/ramsey")
    options.add_argument("--out", default="disagreements")
    options.add_argument("--timeout", type=float, default=1, help="of peers; 0 judges models alone")
    options.add_argument("--work", type=int, default=3_000_000)
    options.add_argument("paths", nargs="*")
    args = options.parse_args()
    peer = Peer(args.timeout)
    findings = corpus(args.paths, args, peer) if args.paths else 0
    findings += random_scripts(args, peer) if args.random else 0
    return int(findings > 0)


if __name__ == "__main__":
    sys.exit(main())
