"""Charsets and UTF-7: a file of text from one charset to another, as iconv does it."""

import os

from install import PEERS
from letters import Writer
from measure import Contender, Work, compare, program

# Languages and the charsets that their text is in.
DECODED = [("fr", "iso-8859-1"), ("ru", "koi8-r"), ("ja", "iso-2022-jp"), ("ja", "shift_jis"), ("zh", "gb18030")]
UTF_7 = [("fr", "little is not ASCII"), ("ru", "most is not ASCII"), ("zh", "all is not ASCII")]
OURS = "septet text"


def measure(bench):
    """Measures all of it."""
    for language, charset in DECODED:
        path = source(bench, language, charset)
        pair(bench, path, charset, "utf-8", f"{charset} to UTF-8")
    for language, share in UTF_7:
        pair(bench, source(bench, language, "utf-7"), "utf-7", "utf-8", f"UTF-7 to UTF-8, {share}", "decode")
        pair(bench, source(bench, language, "utf-8"), "utf-8", "utf-7", f"UTF-8 to UTF-7, {share}", "encode")


def source(bench, language, charset):
    """Returns a file of text in a charset, without a replacement for what the charset lacks."""
    def pieces():
        text = Writer().text(language, bench.scale.text)
        return [text.encode(charset, "replace")]

    return bench.inputs.file(f"text-{language}-{charset}-{bench.scale.text}.txt", pieces)


def pair(bench, path, source_charset, target_charset, title, encodify=None):
    """Compares all on one file; who writes other octets than septet is told so."""
    size = os.path.getsize(path) / 1e6
    out = os.path.join(bench.memory, "out.txt")
    path = bench.copy(path, bench.memory)
    work = Work("charsets", f"{title}, {size:.2g} MB", "MB/s", OURS)
    septet = [bench.septet, "text", "--from", source_charset, "--to", target_charset, path]
    kept = os.path.join(bench.memory, "expected.txt")
    program(bench, septet, size, stdout=kept)()

    def contender(name, command, remark=""):
        return Contender(name, lambda: program(bench, command(), size, stdout=f"{out}.{name}"), remark)

    def differences(rows):
        for row in rows:
            tell_difference(row, kept, f"{out}.{row.program}")

    contenders = [
        contender(OURS, lambda: septet),
        contender("iconv", lambda: [bench.peers.command("iconv", "libc-bin"), "-f", source_charset.upper(), "-t",
                                    target_charset.upper(), path]),
        contender("uconv", lambda: [bench.peers.command("uconv", "icu-devtools"), "-f", source_charset, "-t",
                                    target_charset, path]),
        contender("Python", lambda: [bench.python, os.path.join(PEERS, "codec.py"), source_charset, target_charset,
                                     path]),
        *([contender("encodify", lambda: [bench.peers.crate("encodify"), encodify, path], "a program over the crate")]
          if encodify else []),
    ]
    compare(bench, work, contenders, differences)
    bench.remove(path, kept, *(f"{out}.{contender.name}" for contender in contenders))


def tell_difference(row, expected, written):
    """Notes where a program wrote something else than septet did."""
    if not row.failure and row.program != OURS and not same(expected, written):
        row.remark = "; ".join(filter(None, [row.remark, "not the same octets as septet's"]))


def same(one, other):
    """Tells whether two files have the same octets."""
    if os.path.getsize(one) != os.path.getsize(other):
        return False
    with open(one, "rb") as left, open(other, "rb") as right:
        return all(piece == right.read(1 << 20) for piece in iter(lambda: left.read(1 << 20), b""))
