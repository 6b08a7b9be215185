#!/usr/bin/env python3
"""Whether all commands say the same of a model: every command that takes one, and the page, over a folder of models.

usage: agree.py [--ramsey FILE] [-j N] [--timeout S] [--claims N] [--out FILE] [FILE_OR_FOLDER...]

Without folders: `examples/`, and $RAMSEY_CORPUS. Each command is run with small limits; those that take a seed with two.
What is compared, claim by claim:

- the outcomes of obligations: of both runs of `verify`, of `explain`, of the cells of the page, and of what `cti` shows;
- whether the claim can be violated: what an inductive invariant (`verify`), `infer`, `mc`, `instance` (these sizes) and
  `bmc` (so many steps) prove, with the executions that `bmc`, `instance`, `mc`, `infer` and `simulate` find;
- a claim that is false in an initial state is violated without any step;
- what `infer` writes is verified, and `check` accepts every certificate;
- a program with isolates is asked as a whole; where all its isolates are verified nothing violates their claims, and the
  certificate of each one is checked;
- a model that `verify` refuses is refused by all, and no command ends with an internal error, a signal or a panic.

An answer that ran out of time says nothing. Prints a row per model, and exits with 1 if there is a contradiction.
"""
import argparse, collections, json, os, subprocess, sys, tempfile, threading, time, urllib.error, urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = (".pyv", ".rml", ".ivy")


class Model:
    """What all commands said of one model."""

    def __init__(self, path, options, folder):
        self.path, self.options, self.folder = path, options, folder
        self.whole = []  # what `verify` is told of a program with isolates
        self.outcomes = {}  # (action, claim) -> {command: outcome}
        self.safe = []  # (claim, command, steps or None, sizes or None)
        self.violated = []  # (claim, command, steps, sizes)
        self.problems, self.exits = [], {}

    def run(self, name, *arguments, model=None):
        """The document that a command prints; None if it has none that counts."""
        limits = [] if name in ("fragment", "check") else ["--timeout", str(self.options.timeout)]
        if name not in ("fragment", "check", "simulate"):
            limits += ["--run-timeout", str(3 * self.options.timeout)]
        command = [self.options.ramsey, name, str(model or self.path), *arguments, *limits, "--format", "json"]
        try:
            process = subprocess.run(command, capture_output=True, timeout=20 * self.options.timeout + 60, check=False)
        except subprocess.TimeoutExpired:
            self.problem(f"`{' '.join(command[1:])}` does not end within its limits")
            return None
        error = process.stderr.decode(errors="replace")
        if process.returncode not in (0, 1, 2, 3) or "panicked" in error:
            self.problem(f"`{' '.join(command[1:])}`: exit code {process.returncode} {error[-300:]}")
            return None
        try:
            document = json.loads(process.stdout)
        except ValueError:
            if not (process.returncode == 2 and not process.stdout):
                self.problem(f"`{' '.join(command[1:])}`: no document, exit code {process.returncode} {error[-200:]}")
            return None
        if document.get("exit_code", process.returncode) != process.returncode:
            self.problem(f"`{' '.join(command[1:])}`: exit code {process.returncode}, the document says {document['exit_code']}")
        self.exits.setdefault(name, document.get("exit_code"))
        return document

    def problem(self, text):
        if text not in self.problems:
            self.problems.append(text)

    def outcome(self, command, action, claim, outcome):
        if outcome in ("ok", "failed"):
            self.outcomes.setdefault((action or "init", claim), {})[command] = outcome

    def check(self, certificate, model=None, isolate=None):
        """Has a certificate checked, if there is one."""
        if not Path(certificate).exists():
            return
        document = self.run("check", str(certificate), *(["--isolate", isolate] if isolate else []), model=model)
        if document is None or document.get("exit_code") != 0:
            self.problem(f"the certificate {Path(certificate).name} is not accepted: {json.dumps(document)[:300]}")

    # ---- commands ----

    def isolates(self):
        """Verifies the isolates of a program one by one. Returns whether it has some."""
        if self.path.suffix != ".ivy":
            return False
        certificates = self.folder / "isolates"
        document = self.run("verify", "--all", "-j1", "--certify", str(certificates))
        parts = [it for it in (document or {}).get("files", []) if it.get("isolate")]
        for part in parts:
            if part.get("certificate"):
                self.check(part["certificate"]["path"], isolate=part["isolate"])
        if parts and document["exit_code"] == 0:
            claims = (it["invariant"] for part in parts for it in part["obligations"] if it["kind"] not in ("theorem", "fbii"))
            self.safe += [(label, "verify of the isolates", None, None) for label in dict.fromkeys(it["label"] for it in claims)]
        return bool(parts)

    def verify(self):
        document = None
        if self.isolates():
            # Other commands, and the page, are about the whole program.
            self.whole = ["--whole"]
        for seed in (0, 1):
            certificate = self.folder / f"verify{seed}.cert"
            arguments = ["--all", "-j1", *self.whole, "--seed", str(seed)] + (["--certify", str(certificate)] if seed else [])
            document = self.run("verify", *arguments) or document
            for obligation in (document or {"files": []})["files"][0]["obligations"] if document and document["files"] else []:
                if obligation["kind"] == "fbii":
                    continue
                claim = obligation["invariant"] or obligation["theorem"]
                self.outcome(f"verify --seed {seed}", obligation["transition"] if obligation["kind"] != "theorem" else "theorem",
                             claim["label"], obligation["outcome"])
            self.check(certificate)
        return document

    def claims(self, document):
        """The labels of invariants and assertions; whether all obligations are ok."""
        # Steps of proofs by cases are asked of `verify` alone.
        obligations = [it for it in document["files"][0]["obligations"] if it["kind"] not in ("theorem", "fbii")]
        labels = list(dict.fromkeys(it["invariant"]["label"] for it in obligations))
        inductive = bool(obligations) and all(it["outcome"] == "ok" for it in obligations)
        if inductive:
            self.safe += [(label, "verify", None, None) for label in labels]
        for it in obligations:
            if it["kind"] == "initiation" and it["outcome"] == "failed":
                self.violated.append((it["invariant"]["label"], "verify, initial state", 0, None))
        return labels, inductive

    def bmc(self, labels):
        for at, label in enumerate([None, *labels[: self.options.claims]]):
            certificate = self.folder / f"bmc{at}.cert"
            arguments = ["--depth", "3", "--seed", str(at % 2)] + (["--property", label] if label else ["--certify", str(certificate)])
            document = self.run("bmc", *arguments)
            if document is None or document["exit_code"] not in (0, 1):
                continue
            steps = [it["steps"] for it in document["depths"] if it["outcome"] == "ok"]
            for claim in document["properties"]:
                if steps == list(range(len(steps))) and steps:
                    self.safe.append((claim["claim"]["label"], "bmc", None if document["by_induction"] else steps[-1], None))
            self.violation(document["violation"], f"bmc{' --property ' + label if label else ''}")
            self.check(certificate)

    def violation(self, violation, command):
        if violation:
            states, sizes = shape(violation["counterexample"])
            self.violated.append((violation["property"]["claim"]["label"], command, states, sizes))

    def instance(self, labels):
        document = self.run("instance")
        sorts = next((it["message"].split(":", 1)[1].replace(",", " ").split() for it in (document or {}).get("diagnostics", [])
                      if "has no size" in it["message"] or "have no size" in it["message"]), [])
        sizes = [f"{sort}=2" for sort in sorts]
        for at, label in enumerate([None, *labels[: self.options.claims // 2]]):
            document = self.run("instance", *sizes, "--seed", str(at % 2), *(["--property", label] if label else []))
            if document is None or document["exit_code"] not in (0, 1):
                continue
            known = {it["sort"]: it["size"] for it in document["sizes"]}
            if document["outcome"] in ("proved", "safe", "ok", "holds"):
                self.safe += [(it["claim"]["label"], "instance", None, known) for it in document["properties"]]
            self.violation(document["violation"], f"instance {' '.join(sizes)}")

    def mc(self):
        for seed in (0, 1):
            document = self.run("mc", "--seed", str(seed))
            for answer in (document or {}).get("answers", []):
                if answer["outcome"] == "proved":
                    self.safe.append((answer["property"]["claim"]["label"], f"mc --seed {seed}", None, None))
                if answer["outcome"] == "violated":
                    self.violation(answer.get("violation"), f"mc --seed {seed}")

    def infer(self):
        for seed in (0, 1):
            out, certificate = self.folder / f"inferred{seed}{self.path.suffix}", self.folder / f"infer{seed}.cert"
            document = self.run("infer", "--seed", str(seed), "--out", str(out), "--certify", str(certificate), "-j1")
            if document is None:
                continue
            if document["answer"] == "invariant":
                self.safe += [(it["claim"]["label"], f"infer --seed {seed}", None, None) for it in document["properties"]]
                # What a model includes lies beside it.
                if out.exists() and not any(line.lstrip().startswith("include") for line in self.path.read_text(errors="replace").splitlines()):
                    again = self.run("verify", "-j1", *self.whole, model=out)
                    if again is not None and again["exit_code"] in (1, 2):
                        self.problem(f"what `infer --seed {seed}` found is not verified: exit code {again['exit_code']}")
                    self.check(certificate, model=out)
            if not document["relaxed"]:
                self.violation(document["violation"], f"infer --seed {seed}")

    def explain(self):
        document = self.run("explain")
        for claim in (document or {}).get("claims", []):
            for obligation in claim["obligations"]:
                self.outcome("explain", obligation["place"], claim["claim"]["label"], obligation["outcome"])

    def cti(self, inductive):
        document = self.run("cti", "--seed", "1")
        if document is None or document["exit_code"] not in (0, 1):
            return
        obligation = document["obligation"]
        if obligation and obligation["kind"] != "theorem":
            self.outcome("cti", obligation["transition"], obligation["invariant"]["label"], "failed")
        elif document["exit_code"] == 1 and not obligation:
            self.problem("`cti` has exit code 1 without an obligation")
        if document["exit_code"] == 0 and any(it.get("verify --seed 0") == "failed" for (action, _), it in self.outcomes.items()
                                              if action != "theorem"):
            self.problem("`cti` finds nothing where `verify` does")

    def simulate(self):
        for seed in (0, 1):
            document = self.run("simulate", "--seed", str(seed), "--steps", "6")
            for violation in (document or {}).get("violations", []):
                if violation["kind"] in ("safety", "invariant"):
                    self.violated.append((violation["label"], f"simulate --seed {seed}", None, None))

    def page(self):
        """The cells of the page that `ramsey ui` serves."""
        process = subprocess.Popen([self.options.ramsey, "ui", "--no-open", "--port", "0", "--session", str(self.folder / "session"), str(self.path)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        killer = threading.Timer(8 * self.options.timeout + 30, process.kill)
        killer.start()
        try:
            url = next((word for line in iter(process.stdout.readline, "") for word in line.split() if "/#k=" in word), None)
            if url is None:
                return process.wait(10)
            base, key = url.split("/#k=")
            headers = {"X-Ramsey-Token": key, "Content-Type": "application/json"}

            def message(content):
                request = urllib.request.Request(f"{base}/api/v1/message", data=json.dumps(content).encode(), headers=headers)
                with urllib.request.urlopen(request, timeout=30) as reply:
                    return json.load(reply)

            answer = message({"m": "ask", "id": 1, "question": {"q": "check"}, "background": False})
            cells = answer.get("ok", {}).get("done", {}).get("cells", [])
            end = time.monotonic() + 4 * self.options.timeout
            since = 0
            while "asked" in answer.get("ok", {}) and time.monotonic() < end:
                request = urllib.request.Request(f"{base}/api/v1/events?since={since}", headers=headers)
                with urllib.request.urlopen(request, timeout=4 * self.options.timeout + 10) as events:
                    for line in events:
                        if time.monotonic() > end:
                            break
                        if not line.strip():
                            continue
                        event = json.loads(line)
                        since = max(since, event.get("n", 0))
                        if event.get("id") == 1 and event.get("e") in ("partial", "done"):
                            cells += (event.get("value") or {}).get("cells", [])
                        if event.get("id") == 1 and event.get("e") in ("done", "failed"):
                            if event.get("kind") == "internal":
                                self.problem(f"the page: {event.get('why')}")
                            end = 0
                            break
            for cell in cells:
                self.outcome("page", cell["action"], cell["claim"], cell["outcome"])
            message({"m": "cancel", "id": 1})
        except (urllib.error.URLError, OSError, ValueError) as error:
            self.problem(f"the page: {error!r}")
        finally:
            killer.cancel()
            if process.poll() not in (None, 0, 2):
                self.problem(f"`ramsey ui` ended with {process.returncode}: {process.stderr.read()[-300:]}")
            process.terminate()
            process.communicate()
        return None

    # ---- everything ----

    def all(self):
        document = self.verify()
        if document is None or not document["files"] or document["exit_code"] == 2:
            for name in ("bmc", "mc", "infer", "explain", "cti", "simulate", "trace", "fragment"):
                answer = self.run(name)
                if document is not None and answer is not None and answer.get("exit_code") != 2 and name != "fragment":
                    self.problem(f"`verify` refuses the model, `{name}` has exit code {answer.get('exit_code')}")
            return "refused"
        labels, inductive = self.claims(document)
        self.bmc(labels)
        self.instance(labels)
        self.mc()
        self.infer()
        self.run("trace")
        self.run("trace", "--seed", "1", "--certify", str(self.folder / "trace.cert"))
        self.check(self.folder / "trace.cert")
        self.explain()
        self.cti(inductive)
        self.run("fragment")
        self.simulate()
        self.page()
        self.compare()
        return "inductive" if inductive else "not inductive"

    def compare(self):
        for (action, claim), answers in self.outcomes.items():
            if len(set(answers.values())) > 1:
                self.problem(f"{action}, {claim}: {answers}")
        for claim, prover, depth, sizes in self.safe:
            for of, finder, steps, found in self.violated:
                if claim != of or depth is not None and (steps is None or steps > depth):
                    continue
                if sizes is not None and (found is None or any(found.get(sort, size) != size for sort, size in sizes.items())):
                    continue
                self.problem(f"{claim}: `{prover}` proves it{f' for {depth} steps' if depth is not None else ''}, `{finder}` violates it")


def shape(counterexample):
    """The number of steps of an execution, and the sizes of its sorts; None where they are not known."""
    states = counterexample.get("states")
    universes = counterexample.get("universes") or (states[0].get("universes") if states else None)
    sizes = {it["sort"]: len(it["elements"]) for it in universes} if universes else None
    return (len(states) - 1 if states else None), sizes


def models(arguments):
    for argument in arguments:
        path = Path(argument)
        if path.is_file():
            yield path
        else:
            yield from sorted(it for it in path.rglob("*") if it.suffix in SUFFIXES and it.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ramsey", default=str(ROOT / "target/release/ramsey"))
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=3, help="seconds for a query, and a third of those for a command")
    parser.add_argument("--claims", type=int, default=4, help="claims that are asked for one by one")
    parser.add_argument("--every", type=int, default=1, help="take each so-manieth model of the folders")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    paths = options.paths or [ROOT / "examples", *filter(None, [os.environ.get("RAMSEY_CORPUS")])]
    found = list(models(paths))[:: options.every]
    counts, contradictions = collections.Counter(), 0

    def one(path):
        with tempfile.TemporaryDirectory() as folder:
            model = Model(path, options, Path(folder))
            start = time.monotonic()
            try:
                kind = model.all()
            except Exception as error:  # a defect of this script is a contradiction as well
                kind = "defect"
                model.problem(f"this script: {error!r}")
            return model, kind, time.monotonic() - start

    print(f"{'model':<48} {'':<14} {'obligations':>11} {'safe':>5} {'violated':>8} {'s':>6}")
    with ThreadPoolExecutor(options.jobs) as pool:
        for model, kind, seconds in pool.map(one, found):
            counts[kind] += 1
            safe, violated = {it[0] for it in model.safe}, {it[0] for it in model.violated}
            print(f"{'/'.join(model.path.parts[-2:]):<48} {kind:<14} {len(model.outcomes):>11} {len(safe):>5} {len(violated):>8} {seconds:>6.1f}",
                  flush=True)
            for problem in model.problems:
                print(f"   CONTRADICTION {problem}", flush=True)
            contradictions += bool(model.problems)
    print(f"\n{len(found)} models ({', '.join(f'{count} {kind}' for kind, count in counts.items())}), {contradictions} with contradictions")
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
