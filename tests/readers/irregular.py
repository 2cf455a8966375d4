#!/usr/bin/env python3
"""What readers see where a place has an irregular form: tests/readers/irregular.py [CODE…]

The readers of readers.py are asked about the variants of irregular_forms.py, all forms or those that are named. For each
variant the readings are printed with who has them, and behind a form how often the largest group was how large, and how often
each reader was outside of it. docs/irregular.md says it in a clause of the row.
"""

import os
import platform
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import driver
import judge
import readers
from irregular_forms import FORMS

NOTHING = "nothing"
# What c-client and Dovecot give in place of an address where they find none.
FAULT = re.compile(r"(INVALID|MISSING|UNEXPECTED)_\w+@.*")
HOST = f"@{platform.node()}"


def compared(key, answer):
    """What an answer has for a key, as it is compared: white space at the end is no matter, and an empty name is none."""
    if key == "subject":
        return (answer.get(key) or "").rstrip("\r\n")
    if key in ("addresses", "names"):
        addresses = answer.get("addresses") or []
        list = addresses if key == "addresses" else (answer.get("names") or {}).get("from") or []
        # A mailbox that is none to the reader counts for neither; vmime writes its own host behind a name alone.
        is_fault = [not it or FAULT.fullmatch(it) for it in addresses] if len(list) == len(addresses) else [False] * len(list)
        kept = [it and it.removesuffix(HOST) for it, is_one in zip(list, is_fault) if not is_one]
        return tuple(it or None for it in kept)
    return tuple(judge.plain(it or "") for it in answer.get(key) or [])


def seen(form, answer):
    return tuple(compared(key, answer) for key in form.keys)


def meant(form):
    """What the control says, as it is compared."""
    said = dict(zip(form.keys, form.meant))
    return seen(form, said | {"names": {"from": said.get("names")}})


def readings(form, at, answers):
    """Who sees the same in the variant at a place, the largest group first. `answers` has those of each reader that is asked."""
    groups = {}
    for name, (control, nothing, *variants) in answers.items():
        found = seen(form, variants[at])
        if form.nothing and found == seen(form, nothing):
            found = NOTHING
        groups.setdefault(found, []).append(name)
    return sorted(groups.items(), key=lambda it: -len(it[1]))


def said(form, found):
    """A reading for people."""
    if found == NOTHING:
        return NOTHING
    return ", ".join(f"{it!a}" if isinstance(it, str) else "[" + ", ".join(map(ascii, it)) + "]" for it in found)


def show(code, form, answers):
    print(f"\n## {code}: {', '.join(form.keys)}; {len(answers)} readers are asked")
    sizes, apart = Counter(), Counter()
    for at, written in enumerate(form.variants):
        groups = readings(form, at, answers)
        sizes[len(groups[0][1])] += 1
        apart.update(name for _, names in groups[1:] for name in names)
        print(f"\n{written}")
        for found, names in groups:
            print(f"  {len(names):>2}  {said(form, found)}: {' '.join(names)}")
    print(f"\nof {len(form.variants)}, the largest group:", ", ".join(f"{size} readers in {count}" for size, count in sorted(sizes.items())))
    print("outside of it:", ", ".join(f"{name} {count}" for name, count in apart.most_common()), flush=True)


def asked(command, forms):
    """What a reader sees of the control of each form, of the message with nothing, and of the variants."""
    messages = {code: [it.control, it.nothing or it.control, *it.variants.values()] for code, it in forms.items()}
    found = iter(driver.answers(command, [raw for list in messages.values() for raw in list]))
    return {code: [next(found) for _ in list] for code, list in messages.items()}


def main():
    sys.stdout.reconfigure(errors="backslashreplace")
    forms = {code: FORMS[code] for code in sys.argv[1:] or FORMS}
    ready = readers.available()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(ready, pool.map(lambda it: asked(it[0], forms), ready.values())))
    print(f"{len(found)} readers")
    for code, form in forms.items():
        sees = {name: seen(form, it[code][0]) == meant(form) for name, it in found.items()}
        show(code, form, {name: found[name][code] for name in found if sees[name]})
        print("not asked:", ", ".join(f"{name} ({said(form, seen(form, found[name][code][0]))})" for name in found if not sees[name]))


if __name__ == "__main__":
    main()
