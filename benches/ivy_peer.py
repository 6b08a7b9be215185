#!/usr/bin/env python3
"""`ramsey verify` against Ivy, claim by claim: random programs in Ivy's language, or a folder with recorded verdicts.

usage: ivy_peer.py [--count N] [--seed N] [--isolates P] [-j N] [--ramsey FILE] [--ivy COMMAND] [--out FOLDER] [--list KIND]
       ivy_peer.py --cases FOLDER [--ramsey FILE]
needs: `--ivy` or $RAMSEY_IVY, a Python that can import `ivy` and `z3`, or a command that runs Ivy 1.8.26 on the file it is given.
       For a command with an environment of its own, in $IVY_CACHE or ~/.cache/NAME, the Python of that is taken.

A claim is compared by its line and its isolate: for invariants what is said of the initial states and of each action, for assertions in
actions the line alone, those of the initializers together, and properties. Kinds of results of a program:

- `equal`: the same verdict on each claim, or both refuse the program.
- `unjudged`: Ivy crashed, was too slow, or it says that the program is not in its fragment; or Ramsey answered `unknown` to a
  claim, and the others are equal.
- `stricter`: Ramsey refuses what Ivy reads, as spec/ivy.md says (DOCUMENTED below).
- `STRICTER`: the same, but not documented.
- `FALSE`: Ramsey proves what Ivy refutes, or proves a program that Ivy refuses. This must not happen.
- `LAX`: Ramsey reads what Ivy refuses, and refutes one of its claims.
- `REFUTES`: Ramsey refutes what Ivy proves.
- `MISSING`: Ivy has a verdict, and Ramsey says nothing.
- `BROKEN`: Ramsey ended in another way than with an answer.

Where the two differ for a known reason, the program counts as equal: see `explained`. Programs with a difference (the kinds
in capital letters) are made smaller and written to the folder; exit code 1 if there is one that is neither `LAX` nor
`STRICTER`: what Ramsey reads beyond Ivy, or does not read, is told and is no wrong answer.
"""
import argparse, collections, csv, json, os, queue, re, subprocess, sys, tempfile, threading
from pathlib import Path

from ivy_programs import program

HERE = Path(__file__).resolve().parent

# What spec/ivy.md says is not supported, as the beginning of the messages says it.
DOCUMENTED = [
    ("fields of fields", r"fields? of"),
    ("`:= *` for many points", r"`:= \*`|many points"),
    ("statements in initializers of objects with parameters", r"initializer.*object with parameters|object with parameters.*initializer"),
    ("recursive actions", r"recurs"),
    ("`x.f := *`", r"this field cannot be given any value"),
    ("orders other than `<` up to 1.5", r"nothing relates this order"),
    ("first values that mention what they hide", r"that it hides|its argument is another variable"),
    ("names declared twice", r"is declared twice"),
    ("assignments to values of enumerations", r"this axiom is about `e\d+`, which actions assign"),
    ("free variables on the right alone", r"occurs on the right side alone|`[A-Z]\w*` is not declared"),
    ("assumptions about values that statements make", r"this is assumed (about|of)"),
    ("variants and fields of types with known elements", r"the elements of the type are known|the type `\S+` has variants"),
    ("what the library relies on", r"is of the library|is one of the library|may have no further place"),
    ("actions of variants with other types", r"where the value is one of a variant"),
    ("arithmetic", r"arithmetic"),
    ("claims that no isolate shows", r"no isolate (shows this claim|that verifies)"),
    ("truth values as arguments", r"`bool` cannot be the sort of an argument"),
    ("claims that help and are not declared", r"no claim has the name"),
    ("what callers owe of exported actions", r"nothing shows this where the environment calls"),
    ("what is said to be not supported", r"not supported"),
]

# Errors of Ivy that say nothing about whether the program has a meaning, or that Ramsey does not need: it does not assume an
# invariant that another isolate may have broken, where Ivy refuses the program, it reads labels that are variables, proofs of
# invariants find explicit axioms, isolates stand in objects with parameters, and macros have variables for arguments.
UNJUDGED = r"unknown symbol: (loc|fml):|unbound isolate parameter|No property \w+ exists in the current context|not in the (fragment|logic)|Traceback|RecursionError|KeyError|AttributeError|internal error|redefining symbol: loc:|no value for ext:|unknown symbol: \w+\.[gh]\d|depends on invariant|assignment may be interfering|cannot strip parameter|token '[A-Z]\w*': syntax error"

# What a line with a claim of statements has. Lines of the library are counted in its own files.
CLAIMING = r"\b(assert|require|requires|ensure|ensures|invariant|while|for|decreases|proof|tactic)\b"

SEVERITY = ["FALSE", "BROKEN", "MISSING", "REFUTES", "LAX", "STRICTER"]

# The kinds that make a run fail.
FAILING = SEVERITY[:4]


class Ivy:
    """A process that imports Ivy once, or a command per program."""

    def __init__(self, command, seconds):
        self.command, self.seconds, self.process = command, seconds, None
        self.python, self.environment = interpreter(command)

    def ask(self, text):
        """Exit code (None: too slow), output, CPU seconds."""
        if self.python is None:
            return self.run_command(text)
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([self.python, str(HERE / "ivy_worker.py"), str(self.seconds)], text=True, env=self.environment,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            self.process.stdin.write(json.dumps(text) + "\n")
            self.process.stdin.flush()
            return tuple(json.loads(self.process.stdout.readline()))
        except (BrokenPipeError, ValueError):
            self.process = None
            return None, "", 0.0

    def run_command(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.ivy")
            Path(path).write_text(text, encoding="utf-8")
            try:
                run = subprocess.run([self.command, path], capture_output=True, text=True, timeout=self.seconds, check=False)
            except subprocess.TimeoutExpired:
                return None, "", float(self.seconds)
            return run.returncode, run.stdout + run.stderr, 0.0

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


def interpreter(command):
    """The Python of Ivy, and the environment for it; None where the command has to be run for each program."""
    if re.search(r"python[\d.]*$", command):
        return command, dict(os.environ)
    cache = Path(os.environ.get("IVY_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / Path(command).name)
    python = cache / "venv/bin/python"
    if not python.exists():
        with tempfile.NamedTemporaryFile("w", suffix=".ivy") as file:
            file.write("#lang ivy1.7\ntype t\n")
            file.flush()
            subprocess.run([command, file.name], capture_output=True, check=False)
    return (str(python), dict(os.environ, PYTHONPATH=str(cache))) if python.exists() else (None, None)


# ---- verdicts -----------------------------------------------------------------------------------------------------------

class Verdicts:
    """What a tool says of a program: an error, or what it says of each claim."""

    def __init__(self, error=None, claims=None, kind="ok"):
        self.error, self.claims, self.kind = error, claims or {}, kind
        self.lent = set()  # lines with what is assumed where other actions call
        self.assumed = set()  # lines with what is assumed of callers
        self.called = set()  # the objects that statements name in calls
        self.places = collections.defaultdict(set)  # line of an assertion -> actions whose execution asks for it
        self.is_open = False  # whether there are temporal properties, which are not compared
        self.is_owed = False  # whether an initializer calls an action that requires something
        self.explicit = set()  # lines with explicit invariants
        self.interrupted = set()  # actions, each with the isolate whose invariants fail where it is called back in them
        self.has_mutable_axioms = False  # whether axioms may be about what actions assign
        self.blurred = set()  # wires that depend on a field of a symbol whose fields are assigned, and what is about these
        self.about = {}  # line of a claim -> its words
        self.stripped = set()  # isolates of which Ivy leaves parameters out, each with a line that mentions members with arguments
        self.callers = collections.defaultdict(set)  # action with assertions -> those that call it
        self.declared = set()  # the names of the actions of the program
        self.unknown = {}  # claims without an answer, each with what is said of it

    @property
    def proved(self):
        return self.kind == "ok" and not self.is_open and not self.unknown and all(self.claims.values())

    @property
    def shown(self):
        """The claims, each with whether it is shown: those without an answer are not."""
        return {**self.claims, **dict.fromkeys(self.unknown, False)}

    def note(self, key, holds):
        self.claims[key] = self.claims.get(key, True) and holds

    def at_claims(self, text):
        """Gives what is shown for a claim with a proof, which has lines of its own, to the claim."""
        lines, claim_of, at = text.splitlines(), {}, 0
        while at < len(lines):
            if start := re.search(r"^\s*proof\b|[^\s{}] proof\b(?! \[)", lines[at]):
                # The claim stands on the line before, or before the word on the same line.
                depth, claim = 0, at + (not lines[at].lstrip().startswith("proof"))
                if claim == at and lines[at - 1].strip() == "}":
                    claim = opening(lines, at - 1) + 1
                if claim > at:
                    depth = -lines[at][:start.end()].count("{") + lines[at][:start.end()].count("}")
                while at < len(lines):
                    claim_of[at + 1] = claim
                    depth += lines[at].count("{") - lines[at].count("}")
                    if depth <= 0:
                        break
                    at += 1
            at += 1

        def moved(key):
            return tuple(claim_of.get(it, it) if isinstance(it, int) else it for it in key)

        claims, self.claims = self.claims, {}
        for key, holds in claims.items():
            self.note(moved(key), holds)
        self.unknown = {moved(key): said for key, said in self.unknown.items()}


def opening(lines, end):
    """The line that opens the block which this one closes: that of a theorem."""
    depth, at = 0, end
    while at >= 0:
        depth += lines[at].count("}") - lines[at].count("{")
        if depth <= 0:
            return at
        at -= 1
    return end


def of_ivy(code, output):
    """The verdicts that Ivy prints. `kind` is ok, refused, or unjudged."""
    verdicts = Verdicts()
    if code is None:
        return Verdicts("too slow", kind="unjudged")
    lines = output.splitlines()
    error = next((line for line in lines if re.search(r"\berror: (?!failed checks)", line)), None)
    if error or code not in (0, 1):
        error = error or (lines or ["no output"])[-1]
        return Verdicts(error, kind="unjudged" if code not in (0, 1) or re.search(UNJUDGED, output) else "refused")
    section, action, inner, place, isolate, temporal = None, None, False, None, "this", False
    for line in lines:
        text = line.strip()
        if start := re.match(r"Isolate (\S+):$", line):
            section, isolate, temporal = None, start[1], False
        temporal |= "temporal property is being proved" in text
        if temporal:
            continue
        if re.match(r"    \S", line) and not re.match(r"     ", line):
            section = ("prop" if "properties are to be checked" in text else "init" if text.startswith("Initialization must") else
                       "inv" if "must preserve the invariant" in text else "assert" if "treated as guarantees" in text else
                       "initializers" if "Any assertions in initializers" in text else
                       "assumed" if "treated as assumptions" in text else None)
            if section == "initializers":
                verdicts.note(("initializers", isolate), text.endswith("PASS"))
            continue
        match = re.search(r"(\S+): line (\d+): (.*?) \.\.\. .*?(PASS|FAIL)$", text)
        if match and match[1].startswith("/"):
            continue  # what the library claims of itself
        if section == "assumed":
            if callers := re.match(r"in action (\S+) when called from (.*):$", text):
                inner = bool(callers[2].replace("the environment", "").strip(","))
                # An action whose assertions are all assumed where it is called stands between these and what it calls.
                verdicts.callers[plain(callers[1])] |= calling(callers[2])
            if inner and (line_of := re.search(r"line (\d+): assumption", text)):
                verdicts.lent.add(int(line_of[1]))
            if line_of := re.search(r"line (\d+): assumption", text):
                verdicts.assumed.add(int(line_of[1]))
        if section == "inv" and not match:
            action = re.sub(r"^(\(internal\)|.*line \d+:) ?", "", text).removeprefix("ext:")
        if section == "assert" and (place_of := re.match(r"in action (\S+) when called from (.*):$", text)):
            place = plain(place_of[1])
            verdicts.callers[place] |= calling(place_of[2])
        elif section == "assert" and place and (line_of := re.search(r"line (\d+): ", text)):
            verdicts.places[int(line_of[1])].add(place)
        if not match or section is None:
            continue
        at, holds = int(match[2]), match[4] == "PASS"
        keys = {"prop": ("prop", at), "init": ("init", at), "inv": ("inv", action, at), "assert": ("assert", at)}
        verdicts.note((*keys[section], isolate), holds)
    return verdicts


def plain(action):
    """The name of an action without what tells its copies for the environment and for callers apart."""
    return re.sub(r"^(\(internal\) |ext:|int\$)", "", action.strip())


def calling(actions):
    """The actions among those that Ivy lists as callers, which the environment is as well."""
    return {plain(it) for it in actions.split(",")} - {"the environment"}


def ask_ramsey(binary, text, seconds):
    with tempfile.NamedTemporaryFile("w", suffix=".ivy") as file:
        file.write(text)
        file.flush()
        try:
            run = subprocess.run([binary, "verify", "--all", "--format", "json", "-j1", "--timeout", str(seconds), file.name],
                                 capture_output=True, timeout=4 * seconds + 10, check=False)
        except subprocess.TimeoutExpired:
            return Verdicts("too slow", kind="unjudged")
    try:
        document = json.loads(run.stdout)
        if run.returncode not in (0, 1, 2, 3):
            raise ValueError
    except ValueError:
        return Verdicts(f"exit code {run.returncode}: {run.stderr.decode(errors='replace')[:200]}", kind="broken")
    verdicts = Verdicts()
    verdicts.has_mutable_axioms = "axiom [mutable" in text
    verdicts.blurred = wires_of_fields(text)
    verdicts.declared = set(re.findall(r"\baction (\w+)", text))
    verdicts.is_owed = "an initializer calls the action" in json.dumps(document)
    lines = text.splitlines()
    verdicts.about = {at: set(re.findall(r"\w+", line)) for at, line in enumerate(lines, 1)}
    of_instances = re.findall(r"^\s*isolate (\w+)\([^)]*\) = \w+\(", text, re.M)
    verdicts.stripped = {(it, at) for it in of_instances for at, line in enumerate(lines, 1) if re.search(r"\w\.\w+\(", line)}
    for model in document["files"]:
        errors = [it for it in document["diagnostics"] + model["diagnostics"] if it["severity"] == "error"]
        if errors:
            return Verdicts("; ".join(dict.fromkeys(f"{it.get('code')} {it['message']}" for it in errors)), kind="refused")
        for obligation in model["obligations"]:
            subject = obligation["invariant"] or obligation["theorem"]
            if "".join(lines[subject["line"] - 1:subject["line"]]).lstrip().startswith("temporal "):
                verdicts.is_open = True
                continue
            at, action = subject["line"], obligation["transition"]
            if obligation["kind"] == "assertion" and not re.search(CLAIMING, "".join(lines[at - 1:at])):
                if obligation["outcome"] == "failed" and re.search(r"\b(action|after|around|before|call|implement)\b|:=", "".join(lines[at - 1:at])):
                    verdicts.interrupted.add((action, model.get("isolate", "this")))
                continue  # what the library claims of itself
            key = {"initiation": ("init", at), "consecution": ("inv", action, at), "theorem": ("prop", at),
                   "assertion": ("assert", at) if action else ("initializers",)}[obligation["kind"]]
            # So are claimed those that are explicit, and those whose proofs are by explicit definitions.
            if obligation["kind"] == "assertion" and re.match(r"\s*(explicit invariant|invariant .* proof { unfold)", "".join(lines[at - 1:at])):
                key = ("inv", action, at) if action else ("init", at)  # as Ivy tells it
                verdicts.explicit.add(at)
            key += (model.get("isolate", "this"),)
            if obligation["outcome"] in ("ok", "failed"):
                verdicts.note(key, obligation["outcome"] == "ok")
            else:
                verdicts.unknown[key] = obligation["outcome"]
    if run.returncode == 2:
        return Verdicts("exit code 2 without an error", kind="broken")
    return verdicts


def wires_of_fields(text):
    """Wires that read a field of a symbol whose fields are assigned, these symbols, and definitions that mention one of them."""
    fields = set(re.findall(r"\bdestructor (\w+)", text)) | set(re.findall(r"(\w+)(?:\([^()]*\))? ?:", " ".join(re.findall(r"struct *\{([^}]*)\}", text))))
    meanings = dict(re.findall(r"^\s*(?:wire|relation|function|individual|derived|definition(?: \[\w+\])?) (\w+)\b[^=\n]*= (.*)", text, re.M))
    found, wires = set(), re.findall(r"^\s*wire (\w+)", text, re.M)
    read, todo = "", list(wires)
    seen = set(todo)
    while todo:
        body = meanings.get(todo.pop(), "")
        read += " " + body
        further = (set(re.findall(r"\w+", body)) & meanings.keys()) - seen
        seen |= further
        todo += further
    for field in fields:
        for owner in set(re.findall(rf"\b(\w+)(?:\([^()]*\))?\.{field}\b", read)) | set(re.findall(rf"\b{field}\((\w+)", read)):
            if re.search(rf"\b{owner}(\([^()]*\))?\.\w+(\([^()]*\))? :=|\b\w+\({owner}\b[^:=\n]*:=", text):
                found.add(owner)
    if not found:
        return set()
    found.update(wires)
    return found | {name for name, body in meanings.items() if not found.isdisjoint(re.findall(r"\w+", body))}


def compare(ivy, ramsey):
    """The kind of a result, and what differs."""
    if ramsey.kind == "broken":
        return "BROKEN", [ramsey.error]
    if ivy.kind == "unjudged":
        return "unjudged", [re.sub(r".*error: ", "", ivy.error)]
    if ivy.kind == "refused":
        if ramsey.kind == "refused":
            return "equal", []
        # What an action ensures in a monitor before it is shown for all callers where the action is verified. Ivy shows it there as well,
        # and refuses callers in isolates that do not see it.
        unseen = re.search(r"line (\d+): error: assertion is not checked", ivy.error)
        if unseen and any(it[:2] == ("assert", int(unseen[1])) and shown for it, shown in ramsey.claims.items()):
            return "unjudged", ["Ivy asks that callers see what is ensured before an action"]
        return "FALSE" if ramsey.proved else "LAX", [f"Ivy refuses: {ivy.error}"]
    if ramsey.kind == "refused":
        name = next((name for name, pattern in DOCUMENTED if re.search(pattern, ramsey.error)), None)
        return ("stricter", [name]) if name else ("STRICTER", [ramsey.error])
    if ramsey.kind == "unjudged":
        return "unjudged", [f"Ramsey: {ramsey.error}"]
    differences = collections.defaultdict(list)
    for key, holds in ivy.claims.items():
        # One claim may be asked for in several places. If it fails in one, and has no answer in another, it fails.
        if key in ramsey.unknown and ramsey.claims.get(key, True):
            continue
        if key not in ramsey.claims and key[0] == "assert" and any(
                it[:2] == key[:2] and (holds or not shown) for it, shown in ramsey.shown.items()):
            continue  # Ivy asks what an action requires of the caller, and what loops decrease, in isolates that do not verify it as well
        if key not in ramsey.claims and key[0] == "inv" and holds and key[1].split(".")[-1] not in ramsey.declared:
            continue  # an action of the library that code which an isolate does not see calls: it changes nothing of the program
        if key not in ramsey.claims:
            # Ivy asks for each exported action, Ramsey for the transitions that there are.
            differences["MISSING"].append(key)
        elif holds != ramsey.claims[key] and not explained(key, ivy, ramsey):
            differences["REFUTES" if holds else "FALSE"].append(key)
    for key, holds in ramsey.claims.items():
        if not holds and key not in ivy.claims and not unasked(key, ivy):
            differences["REFUTES"].append(key)
    for kind in SEVERITY:
        if differences[kind]:
            return kind, [" ".join(map(str, it)) for it in differences[kind]]
    if ramsey.unknown:
        return "unjudged", [f"Ramsey: {next(iter(ramsey.unknown.values()))}"]
    return "equal", []


def explained(key, ivy, ramsey):
    """Whether the verdicts on a claim differ although both tools are right.

    Ivy executes actions without their assertions when it asks for invariants; Ramsey assumes those before the end. So an
    invariant may fail there alone, if an assertion in the same action, or in what it calls, fails as well. Ivy assumes properties even where they
    failed; Ramsey assumes none. Ivy assumes what an action requires where a monitor calls it; Ramsey asks for it there too.
    Ivy assumes what an exported action requires that an initializer calls; Ramsey assumes nothing of it. In the middle of an
    action Ivy assumes axioms about what has been assigned before; Ramsey none about what the action assigns. Ivy assumes invariants
    of loops in monitors before actions, but not where the loop begins; Ramsey asks for them, and assumes them there. After a call of
    an action of an isolate Ivy assumes the invariants of the isolate, although they may have been broken before the call, or fail;
    Ramsey assumes them where the isolate sees nothing of the action around the call. Where absent statements call an isolate back,
    Ramsey shows its invariants, and assumes them after that; what fails there holds behind it. Where a wire depends on fields, Ivy
    proves what is false after assignments to fields of what the same action has assigned (Wires in spec/ivy.md). Where an isolate
    verifies `o(me)`, Ivy takes all instances of `o` for this one.
    """
    if ivy.claims[key] and key[0] in ("inv", "init", "prop") and (key[-1], key[-2]) in ramsey.stripped:
        return True
    if key[0] == "assert" and ivy.claims[key] and ramsey.blurred:
        return True
    if key[0] == "inv" and ivy.claims[key] and not ramsey.blurred.isdisjoint(ramsey.about[key[2]]):
        return True
    if ivy.claims[key] and ramsey.has_mutable_axioms:
        return True
    if not ivy.claims[key] and key[0] in ("inv", "assert"):
        executed = {key[1]} if key[0] == "inv" else ivy.places[key[1]]
        if any((action, key[-1]) in ramsey.interrupted for action in executed):
            return True
    failed = {it[0] for verdicts in (ivy, ramsey) for it, holds in verdicts.shown.items() if not holds}
    if key[0] == "init" and not ivy.claims[key]:
        # An explicit invariant is an assertion at the end here as well.
        explicit = ramsey.explicit - {key[1]}
        if any(it[0] == "init" and it[1] in explicit and it[-1] == key[-1] and not holds for it, holds in ramsey.shown.items()):
            return True
        return "initializers" in failed
    if key[0] == "init" and ramsey.is_owed:
        return True
    if key[0] == "inv" and not ivy.claims[key]:
        # An explicit invariant is an assertion at the end.
        if any(it[:2] == key[:2] and it[2] in ramsey.explicit - {key[2]} and not holds for it, holds in ramsey.shown.items()):
            return True
        return any(runs_into(ivy, key[1], it[1]) for it, holds in ramsey.shown.items() if it[0] == "assert" and not holds)
    if key[0] == "assert" and ivy.claims[key] and key[1] in ivy.lent:
        return True
    if key[0] == "assert" and not ivy.claims[key]:
        return any(it[0] == "assert" and it[1] in ivy.assumed and not holds for it, holds in ramsey.shown.items())
    if key[0] == "inv" and key[3] in ivy.called and not key[1].startswith(f"{key[3]}."):
        return True
    if key[0] == "assert" and ivy.called & {it[3] for it, holds in ivy.claims.items() if it[0] == "inv" and not holds}:
        return True
    return ivy.claims[key] and "prop" in failed and any(it[0] == "prop" and not holds for it, holds in ivy.claims.items())


def runs_into(ivy, action, line):
    """Whether an execution of an action may reach the assertion in a line. Ivy lists callers for actions with assertions
    alone, so any action may stand above one that is not listed."""
    todo, seen = list(ivy.places.get(line, ())), set()
    if not todo:
        return True
    while todo:
        place = todo.pop()
        if place == action or place not in ivy.callers:
            return True
        if place not in seen:
            seen.add(place)
            todo += ivy.callers[place]
    return False


def unasked(key, ivy):
    """Whether Ivy does not ask for a claim that is one: assertions in initializers but the last one, and in what they call;
    what an action requires that a monitor calls, and invariants of loops in monitors before actions, which it assumes."""
    return key[0] == "initializers" or key[0] == "assert" and key[1] in ivy.lent | ivy.assumed


# ---- random programs ----------------------------------------------------------------------------------------------------

def shrink(text, keeps, tries=400):
    """The program without the lines, blocks and parts of formulas that a difference does not need."""
    lines, position = text.splitlines(), 0
    while tries:
        for at, candidate in enumerate(smaller(lines)):
            if at < position:
                continue
            tries -= 1
            if keeps("\n".join(candidate) + "\n"):
                lines, position = candidate, max(at, 1)
                break
            if not tries:
                break
        else:
            if not position:
                break
            position = 0
    return "\n".join(lines) + "\n"


def smaller(lines):
    """Programs with a part less, the largest parts first."""
    seen = set()
    blocks = []
    for start, line in enumerate(lines):
        depth = 0
        for end in range(start, len(lines)):
            depth += lines[end].count("{") - lines[end].count("}")
            if depth < 0:
                break
            if depth == 0:
                blocks.append((start, end + 1))
                break
    chunks = []
    size = len(lines) // 2
    while size > 1:
        chunks += [(at, at + size) for at in range(1, len(lines) - size + 1, size)]
        size //= 2
    for start, end in chunks + sorted(blocks, key=lambda it: it[0] - it[1]):
        if start == 0:
            continue
        part = lines[start:end]
        if sum(it.count("{") - it.count("}") for it in part) == 0:
            yield lines[:start] + lines[end:]
    for start, end in blocks:
        # The statements of a block without what is around them.
        if end - start > 2 and start > 0 and not re.match(r"(export )?(action|before|after|around|implement|module|object)", lines[start].strip()):
            inner = [it for it in lines[start + 1:end - 1]]
            yield lines[:start] + inner + lines[end:]
            middle = next((k for k in range(start + 1, end - 1) if lines[k].strip().startswith("} else {")), None)
            if middle:
                yield lines[:start] + lines[start + 1:middle] + lines[end:]
                yield lines[:middle] + lines[end - 1:]
                yield lines[:start] + lines[middle + 1:end - 1] + lines[end:]
    for number, line in enumerate(lines[1:], 1):
        for new in simpler(line):
            if new not in seen and new != line:
                yield lines[:number] + [new] + lines[number + 1:]


def simpler(line):
    """Lines with a shorter formula, or without a label or annotation."""
    yield re.sub(r"\[\w+\] ", "", line)
    spans, stack = [], []
    for at, char in enumerate(line):
        if char == "(":
            stack.append(at)
        elif char == ")" and stack:
            spans.append((stack.pop(), at + 1))
    for start, end in sorted(spans, key=lambda it: it[0] - it[1]):
        is_group = start == 0 or not re.match(r"[\w)]", line[start - 1])
        if is_group:
            for value in ("true", "false"):
                if line[start:end] != f"({value})" and end - start > 6:
                    yield line[:start] + value + line[end:]
            yield line[:start] + line[start + 1:end - 1] + line[end:]
    for match in re.finditer(r"\(?[^()]*\)? (&|\||->|<->) ", line):
        head = re.match(r"\s*((assume|assert|require|ensure|if|invariant|conjecture|property|axiom|init)( \[\w+\])? |[\w.(), ]+:= )", line)
        if head and match.start() <= head.end() <= match.end():
            yield line[:head.end()] + line[match.end():]
            yield line[:match.end() - len(match[1]) - 2] + (";" if line.rstrip().endswith(";") else " {" if line.endswith("{") else "")
    for match in re.finditer(r", [\w.:]+(?=\))|(?<=\()[\w.:]+, ", line):
        yield line[:match.start()] + line[match.end():]
    match = re.search(r"(:= )(?!true|false)(.*);", line)
    if match:
        for value in ("true", "false"):
            yield line[:match.start(2)] + value + ";"


def message(kind, details):
    """Causes that are alike have the same text."""
    text = "; ".join(details[:1])
    text = re.sub(r"p\.ivy: line \d+: ", "", text)
    return re.sub(r"`[^`]*`", "`_`", re.sub(r"\b[a-z]+\d+(\.[a-z]+\d+)*\b|\d+", "_", text)) if kind.upper() in ("LAX", "STRICTER", "UNJUDGED", "FALSE") else ""


def judge(ivy, options, text, wanted=None):
    """The kind of a program, what differs, both verdicts, and the CPU time of Ivy. If Ramsey's part of what is wanted is not
    so, Ivy is not asked."""
    ramseys = ask_ramsey(options.ramsey, text, options.timeout)
    if wanted and ramseys.kind != {"STRICTER": "refused", "BROKEN": "broken"}.get(wanted, "ok"):
        return "other", [], Verdicts(), ramseys, 0.0
    code, output, cpu = ivy.ask(text)
    if "not in the fragment" in output:
        # Ivy asks Z3 nevertheless where the program says so. The lines stay where they are.
        code, output, more = ivy.ask(outside_fragment(text))
        cpu += more
    ivys = of_ivy(code, output)
    for verdicts in (ivys, ramseys):
        verdicts.at_claims(text)
    lines = text.splitlines()
    ivys.called = set(re.findall(r"(?:\bcall (?:\w+ := )?|:= )([\w.]+)\.\w+", text))
    ivys.assumed = {at for at in ivys.assumed if re.match(r"\s*(while|for|invariant|decreases)\b", "".join(lines[at - 1:at]))}
    return (*compare(ivys, ramseys), ivys, ramseys, cpu)


def outside_fragment(text):
    """The program with the attribute that lets Ivy ask outside of its fragment, for all isolates with a block."""
    first, rest = text.split("\n", 1)
    rest = re.sub(r"^((?:    )*(?:trusted )?(?:isolate|process) \w+(?:\([^)]*\))? = \{)", r"\1 attribute complete = fo ", rest, flags=re.M)
    rest = re.sub(r"^(module isolate [^{\n]*\{)", r"\1 attribute complete = fo ", rest, flags=re.M)
    return f"{first}\nattribute complete = fo {rest}"


def show(ivys, ramseys):
    """Both verdicts, for the report beside a program."""
    def lines(verdicts):
        if verdicts.kind != "ok":
            return [f"  {verdicts.kind}: {verdicts.error}"]
        return [f"  {' '.join(map(str, key)):<24} {'ok' if holds else 'fails'}" for key, holds in verdicts.claims.items()]
    return "\n".join(["Ivy", *lines(ivys), "Ramsey", *lines(ramseys)]) + "\n"


def work(numbers, options, results, program_of):
    ivy = Ivy(options.ivy, options.ivy_timeout)
    while True:
        try:
            number = numbers.get_nowait()
        except queue.Empty:
            break
        text = program_of(number)
        try:
            results.put((number, text, *judge(ivy, options, text)))
        except Exception as error:  # a defect of this script counts as a difference
            results.put((number, text, "BROKEN", [repr(error)], Verdicts(), Verdicts(), 0.0))
    ivy.close()


def random_programs(options, program_of):
    """Compares the programs that a function gives for numbers."""
    numbers, results = queue.Queue(), queue.Queue()
    for number in range(options.seed * 1_000_000, options.seed * 1_000_000 + options.count):
        numbers.put(number)
    threads = [threading.Thread(target=work, args=(numbers, options, results, program_of), daemon=True) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    kinds, causes, found, claims, cpu = collections.Counter(), collections.Counter(), {}, collections.Counter(), 0.0
    for _ in range(options.count):
        number, text, kind, details, ivys, ramseys, seconds = results.get()
        kinds[kind] += 1
        cpu += seconds
        for key, holds in ivys.claims.items():
            claims["holds" if holds else "fails"] += 1
        cause = message(kind, details)
        if kind != "equal":
            causes[kind, cause or (details[0] if kind in ("stricter",) else "")] += 1
        elif ivys.kind == "refused":
            kinds["  both refuse"] += 1
        if kind == options.list:
            print(number, details, flush=True)
        if kind in SEVERITY:
            slot = found.setdefault((kind, cause), [])
            if len(slot) < options.examples or not cause and len(slot) < 4 * options.examples:
                slot.append((number, text))
    for thread in threads:
        thread.join()
    print(f"{options.count} programs, {sum(claims.values())} verdicts of Ivy ({claims['fails']} refute), {cpu:.0f} s of CPU time for Ivy")
    for kind in ["equal", "  both refuse", "stricter", "unjudged", *SEVERITY]:
        print(f"{kind:<14} {kinds[kind]:>7}")
    for (kind, cause), count in sorted(causes.items(), key=lambda it: (SEVERITY.index(it[0][0]) if it[0][0] in SEVERITY else 9, -it[1])):
        if cause:
            print(f"{count:>6} {kind:<9} {cause}", flush=True)
    write(options, found)
    return 1 if any(kinds[it] for it in FAILING) else 0


def write(options, found):
    """Makes the programs with differences small and writes them to the folder."""
    if not found:
        return
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    todo = queue.Queue()
    for (kind, cause), examples in sorted(found.items(), key=lambda it: SEVERITY.index(it[0][0])):
        for number, text in examples:
            todo.put((kind, cause, number, text))
    threads = [threading.Thread(target=write_some, args=(options, todo, out, set()), daemon=True) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def write_some(options, todo, out, shapes):
    ivy = Ivy(options.ivy, options.ivy_timeout)
    while True:
        try:
            kind, cause, number, text = todo.get_nowait()
        except queue.Empty:
            break

        def keeps(candidate):
            got, details, *_ = judge(ivy, options, candidate, kind)
            # A program that is refused for a new reason is another difference. Without the claims that fail it is a false proof.
            return got in ({kind, "FALSE"} if kind == "LAX" else {kind}) and message(got, details) == cause

        small = shrink(text, keeps) if options.shrink else text
        kind, details, ivys, ramseys, _ = judge(ivy, options, small)
        shape = re.sub(r"\d+", "", small)
        if shape in shapes:
            continue
        shapes.add(shape)
        path = out / f"{kind}-{number}.ivy"
        path.write_text(small, encoding="utf-8")
        path.with_suffix(".txt").write_text(f"{kind}: {'; '.join(details)}\n\n{show(ivys, ramseys)}", encoding="utf-8")
        print(f"{kind} {number}: {'; '.join(details)[:150]} -> {path}", flush=True)
    ivy.close()


# ---- recorded verdicts --------------------------------------------------------------------------------------------------

def recorded(folder):
    """The verdicts that a folder has: per case, and claim by claim where they are known."""
    folder, cases = Path(folder), {}
    with open(folder / "verdicts.tsv", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            kind = row["ivy"]
            cases[row["file"].removesuffix(".ivy")] = Verdicts("refused", kind="refused") if kind == "refuse" else Verdicts(claims={("all",): kind == "ok"})
    with open(folder / "claims.tsv", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            verdicts = Verdicts()
            errors = [it for it in (row["errors"] or "").split(" | ") if it and "failed checks" not in it]
            if errors:
                verdicts = Verdicts(errors[0], kind="unjudged" if re.search(UNJUDGED, row["errors"]) else "refused")
            for item in (row["claims"] or "").split("; "):
                match = re.match(r"(\S+?)/(prop|init|inv|guar)(?:\(([^)<]*)[^)]*\))? L(\d+):.*=(PASS|FAIL)$", item.strip())
                if match and verdicts.kind == "ok":
                    isolate, section, action, at, word = match.groups()
                    key = ("inv", action, int(at)) if section == "inv" else ("assert" if section == "guar" else section, int(at))
                    key += ("this" if isolate == "-" else isolate,)
                    verdicts.note(key, word == "PASS")
            if verdicts.kind == "ok" and row["ivy_exit"] != "0" and verdicts.proved:
                verdicts.claims = {("all",): False}
            cases[row["case"]] = verdicts
    return cases


def recorded_cases(options):
    kinds = collections.Counter()
    for name, ivys in sorted(recorded(options.cases).items()):
        path = Path(options.cases) / f"{name}.ivy"
        if not path.exists():
            continue
        ramseys = ask_ramsey(options.ramsey, path.read_text(encoding="utf-8"), options.timeout)
        if ("all",) in ivys.claims and ramseys.kind == "ok":
            ramseys = Verdicts(claims={("all",): ramseys.proved})
        kind, details = compare(ivys, ramseys)
        kinds[kind] += 1
        if kind in SEVERITY or kind == options.list:
            print(f"{kind:<9} {name:<28} {'; '.join(details)[:150]}")
    for kind in ["equal", "stricter", "unjudged", *SEVERITY]:
        print(f"{kind:<14} {kinds[kind]:>7}")
    return 1 if any(kinds[it] for it in FAILING) else 0


def arguments(description):
    """Returns the parser of what all comparisons with Ivy are told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ramsey", default=str(HERE.parent / "target/release/ramsey"))
    parser.add_argument("--ivy", default=os.environ.get("RAMSEY_IVY"), help="Ivy's Python, or a command that checks a file")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=int, default=10, help="seconds for Ramsey, per claim")
    parser.add_argument("--ivy-timeout", type=int, default=4, help="CPU seconds for Ivy, per program")
    parser.add_argument("--out", default=str(HERE.parent / "target/ivy-differences"))
    parser.add_argument("--examples", type=int, default=2, help="programs that are kept per cause")
    parser.add_argument("--list", help="print the numbers of all programs with a result of this kind")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    return parser


def main():
    parser = arguments(__doc__)
    parser.add_argument("--isolates", type=float, default=0.4, help="the probability that a program has isolates")
    parser.add_argument("--features", type=lambda it: it.split(","), default=(), help="kinds of rarer declarations (ivy_features.py)")
    parser.add_argument("--program", type=int, help="print the program with this number and both verdicts")
    parser.add_argument("--cases", help="a folder with claims.tsv and verdicts.tsv, instead of random programs")
    parser.add_argument("files", nargs="*", help="compare these programs instead")
    options = parser.parse_args()
    if options.cases:
        return recorded_cases(options)
    if not options.ivy:
        parser.error("which Ivy? give --ivy or set RAMSEY_IVY")
    if options.program is not None or options.files:
        texts = [Path(it).read_text(encoding="utf-8") for it in options.files] or [program(options.program, options.isolates, options.features)]
        kinds, ivy = [], Ivy(options.ivy, options.ivy_timeout)
        for name, text in zip(options.files or ["the program"], texts):
            kind, details, ivys, ramseys, _ = judge(ivy, options, text)
            kinds.append(kind)
            if options.program is not None:
                print("".join(f"{number:>3}  {line}\n" for number, line in enumerate(text.splitlines(), 1)))
            print(f"{name}: {kind} {'; '.join(details)}")
            if kind != "equal" or options.program is not None:
                print(show(ivys, ramseys))
        ivy.close()
        return int(any(it in FAILING for it in kinds))
    return random_programs(options, lambda number: program(number, options.isolates, options.features))


if __name__ == "__main__":
    sys.exit(main())
