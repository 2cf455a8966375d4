"""Reads the project's fixtures: files of cases, files of fields and tables, all with the escapes of tests/support."""

import re
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"
ESCAPE = re.compile(r"\\(?:(\n)|([0nrts\\])|x([0-9A-Fa-f]{2})|u\{([0-9A-Fa-f]+)\})")
SIMPLE = {"0": b"\0", "n": b"\n", "r": b"\r", "t": b"\t", "s": b" ", "\\": b"\\"}


def octets(text):
    """The octets that a text with escapes means."""
    out, at = b"", 0
    while at < len(text):
        if repeated := re.match(r"\\\{(\d+):", text[at:]):
            end = closing(text, at + repeated.end())
            out += octets(text[at + repeated.end() : end]) * int(repeated[1])
            at = end + 1
        elif text[at] == "\\":
            found = ESCAPE.match(text, at)
            assert found, f"no escape: {text[at : at + 20]}"
            out += escaped(*found.groups())
            at = found.end()
        else:
            end = at + 1 + len(text[at + 1 :].split("\\")[0])
            out += text[at:end].encode()
            at = end
    return out


def escaped(line_end, simple, octet, character):
    if line_end:
        return b""
    if simple:
        return SIMPLE[simple]
    return bytes([int(octet, 16)]) if octet else chr(int(character, 16)).encode()


def closing(text, at):
    """Where the brace stands that closes a repetition whose content begins at `at`."""
    depth = 0
    while text[at] != "}" or depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at


def case(file):
    """The sections of a file of fixtures/rewrite: `profile` as text, `input` and `expected` as octets."""
    text = (FIXTURES / file).read_text(encoding="utf-8")
    parts = re.split(r"^=== (\w+)\n", text, flags=re.MULTILINE)[1:]
    sections = dict(zip(parts[::2], parts[1::2]))
    read = octets(sections["input"])
    expected = octets(sections["expected"]) if "expected" in sections else read
    return {"profile": sections.get("profile", ""), "input": read, "expected": expected}


def rows(file):
    """The rows of a table, as cells that still have their escapes."""
    lines = (FIXTURES / file).read_text(encoding="utf-8").split("\n")
    return [line.split("\t") for line in lines if line and not line.startswith("# ")]


def field(file, name):
    """A case of fixtures/fields: the field as it comes, and as the profile `eai` or else `utf8` leaves it."""
    text = (FIXTURES / file).read_text(encoding="utf-8")
    (block,) = [it for it in text.split("\n## ") if it.split("\n")[0] == name]
    profiles = re.split(r"^profile (.*)\n", block, flags=re.MULTILINE)
    before = marked(profiles[0], "<")
    after = {}
    for names, lines in zip(profiles[1::2], profiles[2::2]):
        for one in [] if "=" in names else names.split(" "):
            after[one] = marked(lines, ">") or before
    return before, after.get("eai") or after["utf8"]


def marked(lines, mark):
    """The octets of the lines that begin with a mark, each with its end."""
    return b"".join(octets(line[2:]) + b"\n" for line in lines.split("\n") if line.startswith(mark + " "))
