"""Writes the table, as Markdown for people and as JSON for programs."""

import dataclasses
import json
import os


def write(folder, machine, septet, versions, settings, rows):
    """Writes table.md and table.json into the folder; each time all of it, so that a run cut short has what it had."""
    whole = {"machine": machine, "septet": septet, "versions": versions, "settings": settings,
             "rows": [dataclasses.asdict(row) for row in rows]}
    replace(os.path.join(folder, "table.json"), json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
    replace(os.path.join(folder, "table.md"), markdown(machine, septet, versions, settings, rows))


def replace(path, text):
    """Writes a file whole."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def markdown(machine, septet, versions, settings, rows):
    """Returns the table with what it depends on."""
    head = (f"{septet['version']}, commit {septet['commit']}, {septet['built']}, sha256 {septet['sha256']}…  \n"
            f"{machine['date']}: {machine['cpu']}, {machine['cores']} cores, {machine['memory']}, Linux "
            f"{machine['kernel']}, {machine['system']}; load at the start {machine['load']}  \n"
            f"Medians of {settings['runs']} runs, with the least and the most; {settings['inputs']}.\n")
    if settings["quick"]:
        head += "\nA QUICK RUN: start-up weighs most in it. It shows that everything works, and not how fast it is.\n"
    peers = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    subjects = dict.fromkeys(row.subject for row in rows)
    parts = [section(subject, [row for row in rows if row.subject == subject]) for subject in subjects]
    return "\n".join([head, f"Peers: {peers or 'none'}.\n", *parts])


def section(subject, rows):
    """Returns the table of one subject."""
    lines = [f"## {subject}\n", "| work | program | median | least – most | CPU s | septet does | remark |",
             "|---|---|---:|---:|---:|---:|---|"]
    before = None
    for row in rows:
        lines.append(line(row, row.work if row.work != before else ""))
        before = row.work
    return "\n".join(lines) + "\n"


def line(row, work):
    """Returns one line of a table."""
    if row.failure:
        cells = [work, row.program, "–", "–", "–", "–", f"not measured: {row.failure}"]
    else:
        spread = f"{number(row.least)} – {number(row.most)}" if row.runs else "–"
        cells = [work, row.program, f"{number(row.median)} {row.unit}".strip(), spread, number(row.cpu),
                 f"{number(row.times)} ×" if row.times else "–", row.remark]
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def number(value):
    """Returns a number with three digits that count.

    >>> [number(value) for value in (None, 0, 0.012345, 1.5, 12.34, 12345.6)]
    ['–', '0', '0.0123', '1.50', '12.3', '12,346']
    """
    if value is None:
        return "–"
    if value == 0:
        return "0"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3g}"
