#!/usr/bin/env python3
"""`ramsey verify` against Ivy on changed programs: files in Ivy's language, each with a few random changes.

usage: ivy_mutants.py FILE_OR_FOLDER... [--count N] [--seed N] [--changes N] [--size BYTES] [-j N] [--ramsey FILE] [--ivy COMMAND] [--out FOLDER]
needs: what `ivy_peer.py` needs, whose kinds of results these are.

Programs that people write combine what `ivy_programs.py` makes one by one. A change is a line that is gone, doubled or elsewhere, a
word in the place of another one of its kind, a name in the place of another one of the file, a negation, or lines of another file.
"""
import random, re, sys
from pathlib import Path

import ivy_peer

# Words that stand where the others of their group stand.
GROUPS = [
    ["require", "assume", "assert", "ensure"], ["before", "after", "implement", "around"], ["invariant", "property", "axiom", "conjecture", "init", "explicit axiom", "explicit invariant"],
    ["true", "false"], ["specification", "implementation", "private"], ["forall", "exists"], ["isolate", "object", "trusted isolate", "process"],
    ["&", "|", "->", "<->"], ["=", "~="], ["<", "<=", ">", ">="], ["minimizing", "maximizing"], ["import", "export", "delegate"],
    ["instantiate", "assume", "apply"], ["nat", "int", "bv[1]", "bv[2]", "{0..2}", "{1..3}"], ["+", "-"], ["relation", "wire"], ["function", "destructor"],
    ["individual", "var", "parameter"], ["theorem", "axiom", "schema"],
]
NAME = r"[A-Za-z_]\w*"
WORDS = set("""action returns type module instance include lang ivy1 if else while some this bool struct enum with in let proof object isolate private
trusted old call export import definition derived relation function individual var local named tactic unfold attribute interpret alias variant of""".split())

# Errors of Ivy about the order of declarations, and about what it has no grammar for: they do not say that a program has no meaning.
FORMAL = r"|redefining |not a native sort|is not a sort|unknown (type|symbol)|undefined:|is not an action|syntax error|not found in current|no proof given|aigtoaig|may not contain action calls"


def tokens(text):
    return list(re.finditer(rf"{NAME}|<->|->|:=|~=|<=|>=|[-+&|=<>~]|\S", text))


def declares(text, at):
    """Whether the line before this place begins as a declaration does, whose `=` is no equation."""
    line = text[text.rfind("\n", 0, at) + 1:at]
    return re.match(r"\s*(\w+ )?(action|object|module|isolate|process|class|type|schema|relation|function|individual|definition|wire|attribute|alias|theorem|instance|extract)\b[^=]*$", line) is not None


def changed_word(text, rng):
    """A word in the place of one of its kind."""
    places = [(it, group) for it in tokens(text) for group in GROUPS if it[0] in group and not (it[0] == "=" and declares(text, it.start()))]
    if not places:
        return text
    at, group = rng.choice(places)
    return text[:at.start()] + rng.choice([it for it in group if it != at[0]]) + text[at.end():]


def changed_name(text, rng):
    """A name in the place of another one, of variables if it is one."""
    names = [it for it in tokens(text) if re.match(NAME, it[0]) and it[0] not in WORDS and not any(it[0] in group for group in GROUPS)]
    if len(names) < 2:
        return text
    at = rng.choice(names)
    others = sorted({it[0] for it in names if it[0] != at[0] and it[0][0].isupper() == at[0][0].isupper()})
    return text[:at.start()] + rng.choice(others) + text[at.end():] if others else text


def negated(text, rng):
    """A negation before an operand, or one that is gone."""
    places = [it for it in re.finditer(rf"(?<=[(&|>] ){NAME}(?=[.(\s])(?! :?=| exists)|~(?!=)|(?<=(?:assert|ensure|assume) ){NAME}|(?<=require ){NAME}|(?<=invariant ){NAME}", text)]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at.start()] + ("" if at[0] == "~" else "~" + at[0]) + text[at.end():]


def changed_value(text, rng):
    """An assignment of another value."""
    places = list(re.finditer(r":= ([^;{}\n]+)", text))
    if not places:
        return text
    at = rng.choice(places)
    return text[:at.start(1)] + rng.choice(["*", "true", "false", "old " + at[1], rng.choice(places)[1]]) + text[at.end(1):]


def changed_lines(text, rng, others):
    """A line or block that is gone, doubled or elsewhere, or one of another file."""
    lines = text.splitlines()
    if len(lines) < 3:
        return text
    at = rng.randrange(1, len(lines))
    end, depth = at, 0
    while end < len(lines):
        depth += lines[end].count("{") - lines[end].count("}")
        end += 1
        if depth <= 0:
            break
    part = lines[at:end]
    kind = rng.choice(["gone", "gone", "doubled", "elsewhere", "elsewhere", "foreign"])
    if kind == "foreign":
        more = rng.choice(others).splitlines()
        start = rng.randrange(1, max(2, len(more)))
        return "\n".join(lines[:at] + more[start:start + rng.choice([1, 1, 2, 4])] + lines[at:]) + "\n"
    rest = lines[:at] + (part if kind == "doubled" else []) + lines[end:]
    if kind != "gone":
        place = rng.randrange(1, len(rest) + 1)
        rest[place:place] = part
    return "\n".join(rest) + "\n"


def claimed(text, rng):
    """A claim more, about a symbol of the program."""
    symbols = re.findall(rf"^\s*relation ({NAME})\((\w+):", text, re.M) + [(it, "") for it in re.findall(rf"^\s*relation ({NAME})\s*$", text, re.M)]
    if not symbols:
        return text
    name, argument = rng.choice(symbols)
    atom = f"{name}(X)" if argument else name
    lines = text.splitlines()
    places = [k for k, it in enumerate(lines) if re.match(r"\s*(invariant|conjecture|action|export|relation)\b", it) and k]
    if not places:
        return text
    at = rng.choice(places)
    lines.insert(at, rng.choice(["invariant", "invariant", "property", "conjecture", "axiom"]) + f" {rng.choice(['', '~', atom + ' -> '])}{atom}")
    return "\n".join(lines) + "\n"


def version(text, rng):
    return re.sub(r"^#lang ivy1\.\d", f"#lang ivy1.{rng.choice([5, 6, 7, 8])}", text)


def mutant(number, texts, changes):
    """The program with this number."""
    rng = random.Random(number)
    text = rng.choice(texts)
    for _ in range(rng.randint(1, changes)):
        change = rng.choice([changed_word] * 3 + [changed_name] * 3 + [negated] * 2 + [changed_value] * 2 + [changed_lines] * 4 + [claimed, version])
        text = change(text, rng, texts) if change is changed_lines else change(text, rng)
    return text


def files(paths, size):
    """The texts of programs below these paths that are not too long and have a version."""
    found = []
    for path in paths:
        for file in sorted(path.rglob("*.ivy")) if path.is_dir() else [path]:
            text = re.sub(r"[ \t]*(?<!^)#.*$", "", file.read_text(encoding="utf-8", errors="replace"), flags=re.M)
            text = "\n".join(it for it in text.splitlines() if it.strip()) + "\n"
            if len(text) <= size and re.match(r"#lang ivy1\.[3-8]\n", text):
                found.append(text)
    return found


def main():
    parser = ivy_peer.arguments(__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--changes", type=int, default=3, help="changes per program, at most")
    parser.add_argument("--size", type=int, default=2500, help="the longest program that is changed")
    options = parser.parse_args()
    if not options.ivy:
        parser.error("which Ivy? give --ivy or set RAMSEY_IVY")
    texts = files(options.paths, options.size)
    if not texts:
        parser.error("no programs there")
    ivy_peer.UNJUDGED += FORMAL
    return ivy_peer.random_programs(options, lambda number: mutant(number, texts, options.changes))


if __name__ == "__main__":
    sys.exit(main())
