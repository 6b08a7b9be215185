"""Small mistakes in programs in Ivy's language, for `ivy_programs.py`."""
import re


def with_mistake(text, rng, claim):
    """The program with one small mistake, as far as it has a place for it. `claim` makes a formula."""
    lines = text.splitlines()
    kind = rng.choice(["undeclared", "lower", "upper", "drop_argument", "duplicate", "delete", "axiom", "sort", "swap", "free",
                            "version", "argument"])
    at = rng.randrange(1, len(lines))
    words = [(number, match) for number, line in enumerate(lines[1:], 1)
             for match in re.finditer(r"(?<![\w.])[a-z]\w*\d", line)]
    capitals = [(number, match) for number, line in enumerate(lines[1:], 1)
                for match in re.finditer(r"\b[XYZVW]\b(?=[^:]*:=|[,)])", line)]

    def put(place, new):
        number, match = place
        line = lines[number]
        lines[number] = line[: match.start()] + new + line[match.end():]

    if kind == "undeclared" and words:
        put(rng.choice(words), rng.choice(["foo", "r99", "t"]))
    elif kind == "lower" and capitals:
        place = rng.choice(capitals)
        put(place, place[1].group().lower())
    elif kind == "upper" and words:
        put(rng.choice(words), "U")
    elif kind == "drop_argument":
        places = [(n, m) for n, line in enumerate(lines) for m in re.finditer(r", [\w.]+(?=\))", line)]
        if places:
            put(rng.choice(places), "")
    elif kind == "argument":
        places = [(n, m) for n, line in enumerate(lines) for m in re.finditer(r"(?<=[\w])\)", line)]
        if places:
            put(rng.choice(places), ", X)")
    elif kind == "duplicate" and lines[at].count("{") == lines[at].count("}"):
        lines.insert(rng.randrange(at, len(lines)), lines[at])
    elif kind == "delete" and lines[at].count("{") == lines[at].count("}"):
        del lines[at]
    elif kind == "axiom":
        lines.append(f"axiom {claim()}")
    elif kind == "sort":
        places = [(n, m) for n, line in enumerate(lines) for m in re.finditer(r"(?<=:)[tue]\b", line)]
        if places:
            put(rng.choice(places), rng.choice(["t", "u", "e", "bool"]))
    elif kind == "swap":
        other = rng.randrange(1, len(lines))
        if all(line.count("{") == line.count("}") for line in (lines[at], lines[other])):
            lines[at], lines[other] = lines[other], lines[at]
    elif kind == "free":
        places = [(n, m) for n, line in enumerate(lines) for m in re.finditer(r"\b(true|false)\b|\b[xyz]\b(?!:)", line)]
        if places:
            put(rng.choice(places), "Q")
    elif kind == "version":
        lines[0] = f"#lang ivy1.{rng.choice([5, 6, 7, 8])}"
    return "\n".join(lines) + "\n"
