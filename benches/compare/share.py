"""The proof's share of planning: what valgrind's callgrind counts of benches/plan.rs, in instructions."""

import os
import re

from children import Failed

# The files that prove, and the functions in them: all else of planning reads, decides and writes. The second reader is
# asked by these alone.
PROOF = re.compile(r"rewrite(/|::)(canonical|proof|header(/|::)proof)\b|Writer::prove$")
PLAN = ("septet::rewrite::plan", "septet::rewrite::plan_arrived")


def share(bench, program, folder):
    """Returns which part of the instructions of planning the messages of a folder goes into proofs."""
    valgrind = bench.peers.command("valgrind", "valgrind")
    counts = os.path.join(bench.temporary, "callgrind")
    bench.children.run([valgrind, "--tool=callgrind", f"--callgrind-out-file={counts}", "--compress-strings=no",
                        "--compress-pos=no", program, "utf8", folder], timeout=900)
    with open(counts, encoding="utf-8", errors="replace") as lines:
        whole, proved = counted(lines)
    if not whole:
        raise Failed(f"callgrind saw no {PLAN[0]}")
    return proved / whole


def counted(lines):
    """Returns the instructions of planning, and those of them in proofs, from what callgrind wrote.

    A function that proves is counted with all that it calls, where one that doesn't calls it; a proof that the compiler
    put into another function is known by the file of its lines.

    >>> counted(iter('''fn=main
    ... 5 10
    ... cfn=septet::rewrite::plan
    ... calls=1 9
    ... 6 100
    ...
    ... fn=septet::rewrite::plan
    ... 9 40
    ... cfn=septet::rewrite::proof::prove
    ... calls=1 3
    ... 10 30
    ... fi=/src/rewrite/canonical/mod.rs
    ... 7 20
    ... fe=/src/rewrite/mod.rs
    ... 11 10
    ... '''.splitlines()))
    (100, 50)
    """
    whole = proved = 0
    function = file = called = ""
    for line in lines:
        key, _, value = line.rstrip("\n").partition("=")
        if key == "fn":
            function = file = value
        elif key in ("fi", "fe"):
            file = value
        elif key == "cfn":
            called = value
        elif line[:1].isdigit():
            cost = int(line.split()[1])
            whole += cost if called in PLAN and function not in PLAN else 0
            if not PROOF.search(function):
                proved += cost if PROOF.search(file) or PROOF.search(called) else 0
            called = ""
    return whole, proved
