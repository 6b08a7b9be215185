#!/usr/bin/env python3
"""Entries of `infer --cache` that lie, and whether an answer is another one than that of a search.

usage: cache_poison.py [--ramsey BINARY] [--timeout S] [--entries N] [--work STEPS] [--seed N]

Each of some models is asked about with each of some options. Where a search without a cache ends by itself within the timeout, its answer is the one that is expected
of runs with entries that somebody else has written: those of other options and of other models, with another method, with lemmas left out, twice, and from elsewhere, with
formulas that are true in all structures, with words and numbers changed, and damaged ones. A server in this process has such an entry for the search of each run, and none for
obligations. Told are the entries that were valid, and the largest times of runs beside those of searches. Exits with 1 if an answer or an exit code differs.
"""
import collections, http.server, json, random, re, subprocess, sys, tempfile, threading, time
from pathlib import Path

from measured import ROOT, arguments

OPTIONS = [
    *[["--method", method] for method in ("auto", "separation", "updr", "pd", "finite", "houdini", "exists")],
    ["--method", "houdini", "--template", "node=1:1"],
    ["--method", "houdini", "--template", "node=2:2"],
    ["--method", "exists", "--prefix", "forall node"],
    ["--method", "exists", "--prefix", "exists node"],
    ["--method", "auto", "--prefix", "forall node exists node"],
]

# Of a model without universal invariant, of one whose invariant has a witness for each element, and of one with an execution of many steps.
OWN = {
    "no_universal.pyv": """\
sort node
mutable relation a(node)
mutable relation b(node)
init exists X. forall N. a(N) <-> N = X
init forall N. !b(N)
transition copy(n: node)
    modifies b
    (forall X. !a(X)) & (forall N. new(b(N)) <-> b(N) | N = n)
safety forall N. !b(N)
""",
    "owners.pyv": """\
sort node
sort item
immutable relation owns(node, item)
axiom forall I:item. exists N:node. owns(N, I)
mutable relation marked(node)
mutable relation lost(item)
init forall N. marked(N)
init forall I. !lost(I)
transition clear(n: node)
    modifies marked
    (exists I. owns(n, I) & lost(I)) & (forall N. new(marked(N)) <-> marked(N) & N != n)
transition lose(i: item)
    modifies lost
    (forall N. owns(N, i) -> !marked(N)) & (forall I. new(lost(I)) <-> lost(I) | I = i)
safety forall I. !lost(I)
""",
    "walk.pyv": """\
sort node
immutable relation next(node, node)
mutable relation at(node)
immutable constant first: node
immutable constant last: node
axiom forall X, Y, Z. next(X, Y) & next(X, Z) -> Y = Z
axiom !next(first, last) & first != last
init forall N. at(N) <-> N = first
transition step(n: node, m: node)
    modifies at
    at(n) & next(n, m) & (forall N. new(at(N)) <-> at(N) | N = m)
safety !at(last)
""",
}

TRUE = [
    "lemma 0\nformula 4\nvar 1\nequal 0 0\nexists 0 1\nforall 0 2\n",
    "lemma 0\nformula 5\nvar 1\nvar 1\nequal 0 1\nexists 1 2\nforall 0 3\n",
    "lemma 0\nformula 3\nvar 1\nequal 0 0\nforall 0 1\n",
    "lemma 0\nformula 1\nconstant 1\n",
    "lemma 0\nexcludes 2\nrelation 0 1 0\nrelation 0 0 0\n",
    "lemma 0\nexcludes 3\nrelation 1 1 0\nrelation 1 0 0\ndistinct 1 0 1\n",
]
WORDS = ["and", "or", "not", "forall", "exists", "iff", "equal", "constant", "true", "value", "call", "relation", "formula", "excludes"]
METHODS = ["auto", "separation", "updr", "pd", "finite", "houdini", "exists", "magic"]


class Server(http.server.ThreadingHTTPServer):
    """Has one entry: for the name that is asked for first."""

    daemon_threads = True
    body, asked, kept = None, 0, {}

    def begin(self, body):
        self.body, self.asked, self.kept = body, 0, {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, code, content=b""):
        self.send_response(code)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        server, name = self.server, self.path.rsplit("/", 1)[1]
        server.asked += 1
        if server.asked > 1 or server.body is None:
            return self.answer(404)
        body = server.body
        if isinstance(body, str):
            body = f"ramsey-cache 1\nsearch {name}\n{body}".encode()
        return self.answer(200, body)

    def do_PUT(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if content.startswith(b"ramsey-cache 1\nsearch "):
            self.server.kept[self.path] = content.decode().split("\n", 2)[2]
        self.answer(200)


def ask(command, timeout):
    """Exit code, kind of answer, whether an entry was not valid, and seconds."""
    start = time.monotonic()
    try:
        ended = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, (None, None), False, timeout
    seconds = time.monotonic() - start
    try:
        content = json.loads(ended.stdout)
        content = content.get("content", content)
        answer = content.get("answer"), content.get("reason")
    except ValueError:
        answer = None, ended.stderr[-300:]
    return ended.returncode, answer, "R036" in ended.stderr + ended.stdout, seconds


def blocks(body):
    """The head of an entry, its lemmas and its end."""
    head, *lemmas = re.split(r"^(?=lemma )", body.removesuffix("end\n"), flags=re.M)
    return head, lemmas


def poisoned(own, pool, rng):
    """An entry that nobody has found. `own` are those of the same model, `pool` of all."""
    way = rng.randrange(12)
    body = rng.choice(own if own and rng.random() < 0.8 else pool)
    head, lemmas = blocks(body)
    if way == 0:
        return body
    if way == 1:
        return re.sub(r"^method \w+", f"method {rng.choice(METHODS)}", body, flags=re.M)
    if way in (2, 3) and lemmas:
        if way == 2:
            del lemmas[rng.randrange(len(lemmas))]
        else:
            lemmas.append(rng.choice(lemmas))
    elif way in (4, 5):
        lemmas.insert(rng.randrange(len(lemmas) + 1), rng.choice(TRUE))
        if not head.startswith("lemmas"):
            head = f"lemmas\nmethod {rng.choice(METHODS)}\n"
    elif way == 6:
        lemmas += blocks(rng.choice(own or pool))[1]
        head = f"lemmas\nmethod {rng.choice(METHODS)}\n"
    elif way == 7:
        damaged = bytearray(f"ramsey-cache 1\nsearch x\n{body}".encode())
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        return bytes(damaged)
    else:
        lines = body.split("\n")
        for _ in range(rng.randrange(1, 3)):
            at = rng.randrange(len(lines))
            words = lines[at].split(" ")
            place = rng.randrange(len(words))
            if way == 8 or words[place].isdigit():
                words[place] = str(rng.choice([0, 1, 2, 3, 7, 255, 4294967295]))
            else:
                words[place] = rng.choice(WORDS)
            lines[at] = " ".join(words)
            if way == 9:
                del lines[rng.randrange(len(lines))]
            elif way == 10:
                lines.insert(at, rng.choice(lines))
        return "\n".join(lines)
    return head + "".join(lemmas) + "end\n"


def main():
    parser = arguments(__doc__, timeout=5)
    parser.add_argument("--entries", type=int, default=1000, metavar="N")
    parser.add_argument("--work", type=int, default=60_000_000, metavar="STEPS")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    rng, differing = random.Random(options.seed), []
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    cache = ["--cache", f"http://127.0.0.1:{server.server_port}/"]
    with tempfile.TemporaryDirectory() as folder:
        paths = [ROOT / "examples" / name for name in (
            "lock_server.pyv", "lock_server_broken.pyv", "two_phase_commit.pyv", "toy_consensus.pyv", "lock_server.rml",
            "lock_server_bug.rml", "ring_leader_broken.pyv")]
        for name, text in OWN.items():
            paths.append(Path(folder) / name)
            paths[-1].write_text(text)
        questions, own, pool = [], collections.defaultdict(list), []
        for path in paths:
            for asked in OPTIONS:
                command = [options.ramsey, "infer", "-j", "1", "--work", str(options.work), *asked, str(path)]
                code, answer, _, seconds = ask([*command, "--no-cache"], options.timeout)
                if code not in (0, 1, 3):  # an error of this option
                    continue
                server.begin(None)
                ask([*command, *cache], 10 * options.timeout)
                for body in server.kept.values():
                    own[path].append(body)
                    pool.append(body)
                if code != 3 or re.search("candidates|languages", answer[1]):  # and no limit
                    questions.append((path, asked, command, code, answer, seconds))
                print(f"{path.name:28} {' '.join(asked):50} {code} {answer[0]} {answer[1] or ''}", flush=True)
        print(f"{len(questions)} questions whose search ends by itself, {len(pool)} entries")
        valid, slowest = collections.Counter(), []
        for _ in range(options.entries):
            path, asked, command, code, answer, seconds = rng.choice(questions)
            body = poisoned(own[path], pool, rng)
            server.begin(body)
            found = ask([*command, *cache], 20 * options.timeout)
            valid[found[2]] += 1
            slowest.append((found[3] - seconds, found[3], seconds, path.name, " ".join(asked)))
            if found[:2] != (code, answer):
                differing.append((path.name, asked, (code, answer), found[:2], body))
        print(f"{options.entries} entries, of which {valid[True]} were not valid; {len(differing)} other answers")
        for _, poison, search, name, asked in sorted(slowest, reverse=True)[:3]:
            print(f"slowest: {poison:.2f} s, and {search:.2f} s without a cache: {name} {asked}")
    for name, asked, expected, found, body in differing[:20]:
        print(f"another answer: {name} {' '.join(asked)}: {found} in place of {expected}\n{body if isinstance(body, str) else body!r}")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
