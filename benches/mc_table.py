#!/usr/bin/env python3
"""Compares models with inductive invariants to the same models with claims for eager abstraction, as in table 1 of the
paper (McMillan, CAV 2018).

    benches/mc_table.py [--ramsey target/release/ramsey] [--runs 3] STEM[=INV/MC]..

STEM names a pair of files, STEM_inv and STEM_mc, with the extension .pyv, .rml or .ivy. `ramsey verify` is run on the
first one and `ramsey mc` on the second one; `verdict` is theirs, and `seconds` the CPU time of the fastest of so many
runs.

`aux` is the number of lexical tokens of the auxiliary annotation: what is claimed beyond the property to be shown, and
the proofs of all claims. Claims are those with the keywords `safety`, `invariant`, `conjecture`, `assert` and `ensure`.
INV and MC are the numbers, from 1 and with commas between them, of those that are the property in either file; without
them it is the claims with the keyword `safety`. Of the property the proofs alone count. Any other claim counts from its
keyword to the last token of its formula. Names with dots are one token, comments and instructions to other tools
(`attribute`) are none. `claims` is the number of auxiliary claims, and `let` that of prophecy variables. Ghost state is
not counted.
"""

import os
import re

from measured import answer, arguments

TOKEN = re.compile(r"[A-Za-z_0-9.]+'*|->|<->|:=|~=|!=|<=|>=|\"[^\"]*\"|[^\sA-Za-z_0-9]")

CLAIMS = {"safety", "invariant", "conjecture", "assert", "ensure"}

# What follows a claim, as a declaration or a statement; `proof` begins the claim's own.
STARTS = CLAIMS | set(
    """action after alias around assume attribute axiom before call constant conjecture definition derived destructor
    else export extract fbii function ghost if immutable implement implementation import include individual init
    instance instantiate interpret isolate local macro module mutable object onestate parameter private property
    relation require sat schema sort specification struct symbol theorem trace transition trusted twostate type unsat
    use var variable while zerostate""".split()
)


def tokens(path):
    """Returns the tokens of a file, without comments."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    comment = r"(#|//).*" if path.endswith(".rml") else r"#.*"
    return TOKEN.findall(re.sub(comment, "", text))


def part(words, start):
    """Returns the tokens of a formula or proof from `start` on: up to what follows it, outside of all brackets."""
    depth = 0
    for at in range(start, len(words)):
        word = words[at]
        if depth == 0:
            # `if` and `else` belong to terms, and to proofs.
            is_inner = word in ("if", "else") or (word == "macro" and at == start)
            if word in (";", "}") or word == "proof" or (word in STARTS and not is_inner):
                return words[start:at]
        if word in "([{":
            depth += 1
        elif word in ")]}":
            depth -= 1
    return words[start:]


def claims(path):
    """Returns the claims of a file: the tokens before the proof, and those of the proof."""
    words = tokens(path)
    found = []
    at = 0
    while at < len(words):
        if words[at] not in CLAIMS:
            at += 1
            continue
        start = words.index("]", at) + 1 if words[at + 1] == "[" else at + 1
        end = start + len(part(words, start))
        proof = []
        if end < len(words) and words[end] == "proof":
            proof = ["proof"] + part(words, end + 1)
        found.append((words[at:end], proof))
        at = end + len(proof)
    return found


def annotation(path, numbers):
    """Returns the number of auxiliary claims of a file, the number of their tokens, and that of prophecy variables."""
    count, size, lets = 0, 0, 0
    for number, (claim, proof) in enumerate(claims(path), 1):
        size += len(proof)
        # An equation outside of brackets names a term, unless it is a condition.
        depth, is_condition = 0, False
        for word in proof:
            is_condition = (is_condition or word == "if") and word not in ("{", "else")
            depth += (word in "([") - (word in ")]")
            lets += word == "=" and depth == 0 and not is_condition
        if number not in numbers if numbers else claim[0] != "safety":
            count += 1
            size += len(claim)
    return count, size, lets


def measure(command, runs):
    """Returns the verdict of a command and its CPU time."""
    results = [answer(command) for _ in range(runs)]
    return results[0][0]["verdict"], min(time for _, time in results)


def main():
    parser = arguments(__doc__, runs=3)
    parser.add_argument("stems", nargs="+", metavar="STEM[=INV/MC]")
    options = parser.parse_args()
    print(f"{'model':<20}  {'inductive invariant':^38}  {'eager abstraction':^42}")
    columns = f"{'claims':>6} {'aux':>5} {'verdict':>14} {'seconds':>8}"
    print(f"{'':<20}  {columns}   {'claims':>6} {'aux':>5} {'let':>4} {'verdict':>14} {'seconds':>8}  aux/aux")
    for argument in options.stems:
        stem, _, numbers = argument.partition("=")
        numbers = [{int(it) for it in file.split(",")} for file in numbers.split("/")] if numbers else [set(), set()]
        extension = next(it for it in (".pyv", ".rml", ".ivy") if os.path.exists(f"{stem}_mc{it}"))
        manual, automatic = f"{stem}_inv{extension}", f"{stem}_mc{extension}"
        count, size, _ = annotation(manual, numbers[0])
        count_mc, size_mc, lets = annotation(automatic, numbers[-1])
        verdict, seconds = measure([options.ramsey, "verify", manual], options.runs)
        verdict_mc, seconds_mc = measure([options.ramsey, "mc", automatic], options.runs)
        ratio = f"{size_mc / size:.2f}" if size else "-"
        print(
            f"{os.path.basename(stem):<20}  {count:>6} {size:>5} {verdict:>14} {seconds:>8.2f}   "
            f"{count_mc:>6} {size_mc:>5} {lets:>4} {verdict_mc:>14} {seconds_mc:>8.2f}  {ratio:>7}"
        )


if __name__ == "__main__":
    main()
