"""Links: found in running text, and rewritten in HTML."""

import os
from dataclasses import dataclass
from typing import Callable

from install import PEERS
from letters import Writer
from measure import Contender, Work, compare, program

OURS = "septet filter utf8"
FIND = "septet iri find"
FIELDS = (b"From: a@example.org\nSubject: links\nMIME-Version: 1.0\n"
          b"Content-Type: text/%s; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n")
PROVES = "one message with this: maps the links, proves, reads the result twice"


def measure(bench):
    """Measures all of it."""
    for name, line in TEXTS.items():
        compare_text(bench, name, line, bench.scale.text, [septet_find(bench), linkify(bench)])
    name = "a letter with few links"
    finders = [septet_find(bench), linkify(bench), linkify_it(bench)]
    compare_text(bench, name, TEXTS[name], bench.scale.slow_text, finders)
    for name, row in PAGES.items():
        measure_html(bench, name, row)


# Lines of running text, by the links in them.
TEXTS = {
    "a letter with few links": None,
    "no link": lambda n: f"Note {n}: at 12:30, as said before: nothing to see here, rien à voir.\n",
    "an ASCII link a line": lambda n: f"Please have a look at https://www.example.org/archive/{n}.html, thanks.\n",
    "an IRI a line": lambda n: f"Voir la page https://www.example.org/été/{n}/où.html, si vous voulez.\n",
    "a CJK IRI a line": lambda n: f"詳細は http://例え.jp/パス/{n} をご覧ください。よろしくお願いします。\n",
}

# Pages, by the links in them.
PAGES = {
    "a newsletter, 2 % of its links IRIs": None,
    "ASCII links": lambda n: f'<p>Read <a href="https://www.example.org/c/{n}?m=2&amp;n=3">more</a> of it.</p>\n',
    "every link an IRI": lambda n: f'<p>Lire <a href="https://www.example.org/été/{n}?m=2&amp;n=3">où</a>.</p>\n',
}


def compare_text(bench, name, line, octets, finders):
    """Compares who finds links in running text; each row but the first says how many."""
    text, letter = inputs(bench, "plain", name, octets, lambda size: running_text(line, size))
    out, size = os.path.join(bench.memory, "links"), os.path.getsize(text) / 1e6

    def contender(finder):
        def prepare():
            return program(bench, [*finder.command(), text], size, stdout=f"{out} {finder.name}")

        return Contender(finder.name, prepare, finder.remark)

    def counted(rows):
        for row in rows:
            if not row.failure and row.program != OURS:
                row.remark += f"; {found(f'{out} {row.program}', row.program == FIND):,} links"

    work = Work("links", f"running text, {name}, {size:.2g} MB", "MB/s", OURS)
    compare(bench, work, [filtered(bench, letter, size), *map(contender, finders)], counted)
    bench.remove(text, letter, *(f"{out} {finder.name}" for finder in finders))


@dataclass
class Finder:
    """A program that prints the links of a text whose name is put behind its command."""

    name: str
    command: Callable[[], list]
    remark: str


def septet_find(bench):
    """Returns septet's line tool."""
    return Finder(FIND, lambda: [bench.septet, "iri", "find"], "maps them, writes JSON with every line")


def linkify(bench):
    """Returns the program over the crate linkify."""
    return Finder("linkify", lambda: [bench.peers.crate("linkify")], "a program over the crate; finds, maps nothing")


def linkify_it(bench):
    """Returns the program over linkify-it-py, which is so slow that it gets little text."""
    script = os.path.join(PEERS, "find_links.py")
    return Finder("linkify-it-py", lambda: [bench.peers.python("linkify-it-py"), script], "finds, maps nothing")


def measure_html(bench, name, row):
    """Compares who rewrites the links of a page."""
    page, letter = inputs(bench, "html", name, bench.scale.text, lambda size: html(row, size))
    size = os.path.getsize(page) / 1e6
    compare(bench, Work("links", f"HTML, {name}, {size:.2g} MB", "MB/s", OURS), [
        filtered(bench, letter, size),
        Contender("lol_html", lambda: program(bench, [bench.peers.crate("lol_html"), page], size),
                  "a program over the crate; percent-encodes paths and hosts alike, proves nothing"),
    ])
    bench.remove(page, letter)


def filtered(bench, letter, size):
    """Returns septet, which maps the links of a message."""
    command = [bench.septet, "filter", "--profile", "utf8", "--set", "limits.message_bytes=1GiB"]
    return Contender(OURS, lambda: program(bench, command, size, stdin=letter), PROVES)


def inputs(bench, subtype, name, size, made):
    """Returns a text and a message that is this text, both in memory."""
    stem = "".join(character if character.isalnum() else "-" for character in f"links {subtype} {name}")
    text = bench.inputs.file(f"{stem}-{size}.txt", lambda: [made(size).encode()])
    letter = bench.inputs.file(f"{stem}-{size}.eml", lambda: [FIELDS % subtype.encode(), made(size).encode()])
    return bench.copy(text, bench.memory), bench.copy(letter, bench.memory)


def running_text(line, size):
    """Makes a text of numbered lines, or of a letter."""
    return numbered(line, size) if line else Writer().text("fr", size)


def html(row, size):
    """Makes a page of numbered rows, or a newsletter."""
    return f"<html><body>\n{numbered(row, size)}</body></html>\n" if row else Writer().newsletter(size)


def numbered(line, size):
    """Makes as many lines as fit in so many octets."""
    return "".join(line(number) for number in range(size // len(line(10_000).encode()) + 1))


def found(path, is_json):
    """Counts the links that a program found."""
    with open(path, "rb") as file:
        return sum(line.count(b'"uri":') if is_json else 1 for line in file)
