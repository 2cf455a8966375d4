"""The tables of docs/readers.md."""

import datetime
import re
from collections import Counter

import driver
import readers

PAGE = driver.ROOT / "docs/readers.md"
MARKERS = ("<!-- results -->\n", "<!-- end of results -->\n")
STAGES = ["before", "utf8", "ascii", "eai"]


def row(cells):
    return "| " + " | ".join(map(str, cells)) + " |\n"


def head(cells):
    return row(cells) + row(["---"] * len(cells))


def columns(results):
    """The headings of the wide tables, by reader."""
    short = {it.name: it.column for it in [*readers.READERS, readers.septet("")]}
    return [short[name] for name in results]


def versions(results):
    lines = head(["column", "reader"])
    return lines + "".join(row(it) for it in zip(columns(results), (it.version for it in results.values())))


def kinds(results, cases):
    """How many cases of a kind each reader sees right as they come."""
    count = {kind: sum(it["kind"] == kind for it in cases.values()) for kind in (it["kind"] for it in cases.values())}
    lines = head(["kind of case", "cases", *columns(results)])

    def cell(result, kind):
        right, asked = result.right["before", kind], result.asked[kind]
        return right if asked == count[kind] else f"{right} of {asked}" if asked else "–"

    for kind in count:
        lines += row([kind, count[kind], *(cell(it, kind) for it in results.values())])
    totals = [sum(it.right["before", kind] for kind in count) for it in results.values()]
    return lines + row(["**all**", len(cases), *totals])


def changes(results):
    """How much each reader sees right before and after each profile, and how much of it worse."""
    lines = head(["reader", "cases", *STAGES, "real mail", *STAGES])

    def cells(result, is_real):
        of = [kind for kind in result.asked if (kind == "real") == is_real]
        worse = Counter(profile for profile, _, kind, *_ in result.worse if kind.startswith("real ") == is_real)
        right = {stage: sum(result.right[stage, kind] for kind in of) for stage in STAGES}
        shown = [f"{right[it]} (−{worse[it]})" if worse[it] else right[it] for it in STAGES]
        return [sum(result.asked[kind] for kind in of), *shown]

    for name, result in results.items():
        lines += row([name, *cells(result, False), *cells(result, True)])
    return lines


def missed(results, cases, kind):
    """The cases of a kind that a reader misses."""
    of = [id for id, case in cases.items() if case["kind"] == kind and any(id in it.missed for it in results.values())]
    mark = lambda result, id: "×" if id in result.missed else "" if id in result.shown else "–"
    return head(["case", *columns(results)]) + "".join(
        row([f"`{id}`", *(mark(it, id) for it in results.values())]) for id in of
    )


def faults(rows):
    """What the readers themselves get wrong in what septet writes."""
    lines = head(["readers", "where", "why", "shown by"])
    scripts = lambda names: ", ".join(f"[{it}](../findings/{it})" for it in names.split(" ") if it != "-")
    where = lambda patterns: ", ".join(f"`{it}`" for it in patterns)
    who = lambda readers: "each" if readers == ["*"] else ", ".join(readers)
    return lines + "".join(row([who(it[0]), where(it[1]), it[2], scripts(it[3])]) for it in rows)


def tables(results, cases, rows):
    text = f"\nMeasured on {datetime.date.today().isoformat()}.\n\n{versions(results)}\n### Right as they come\n\n"
    text += f"{kinds(results, cases)}\n### Before and after septet\n\n{changes(results)}\n"
    text += f"What is worse is the reader's own fault:\n\n{faults(rows)}" if rows else ""
    for kind in dict.fromkeys(case["kind"] for case in cases.values()):
        text += f"\n### Missed: {kind}\n\n" + missed(results, cases, kind)
    return text + "\n"


def news(results):
    """The cases that septet misses, and the page doesn't name."""
    behind = PAGE.read_text(encoding="utf-8").split(MARKERS[0])[1]
    named = re.findall(r"^\| `(.*?)` \|.* × \|$", behind, re.MULTILINE)
    return sorted(results["septet"].missed - set(named)) if "septet" in results else []


def write(results, cases, rows):
    before, rest = PAGE.read_text(encoding="utf-8").split(MARKERS[0])
    behind = rest.split(MARKERS[1])[1]
    PAGE.write_text(before + MARKERS[0] + tables(results, cases, rows) + MARKERS[1] + behind, encoding="utf-8")
