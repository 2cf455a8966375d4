#!/usr/bin/env python3
"""Makes crates/text/src/charset/jis_x_0213.txt from Python's codecs: `jis_x_0213.py > jis_x_0213.txt`.

Plane 1 is what EUC-JIS-2004 has in two octets. Plane 2 is what ISO-2022-JP-2004 has of it, because Python's EUC-JIS-2004 reads
JIS X 0212 where plane 2 has nothing. What code page 932 has at the same place, in the rows of JIS X 0208, is left out.
"""

HEAD = """\
# JIS X 0213:2004, as far as it isn't JIS X 0208. Made by tests/core/charset/jis_x_0213.py.
# A line is the plane, the row and the cell of its first character, and characters that follow each other there;
# where a blank stands before each, it is two characters of Unicode.
"""


def decoded(octets, codec):
    try:
        return octets.decode(codec)
    except UnicodeDecodeError:
        return None


def of_0208(row, cell):
    """Returns what code page 932 has at a row and cell of JIS X 0208."""
    if not (row <= 0x28 or 0x30 <= row <= 0x74):
        return None
    lead = (row - 0x21) // 2 + 0x81
    trail = cell + 0x7E if row % 2 == 0 else cell + (0x1F if cell < 0x60 else 0x20)
    return decoded(bytes([lead + 0x40 if lead > 0x9F else lead, trail]), "cp932")


def of_plane_1(row, cell):
    text = decoded(bytes([row | 0x80, cell | 0x80]), "euc_jis_2004")
    return None if text == of_0208(row, cell) else text


def of_plane_2(row, cell):
    return decoded(b"\x1B$(P" + bytes([row, cell]) + b"\x1B(B", "iso2022_jp_2004")


def lines():
    for plane, of_plane in (1, of_plane_1), (2, of_plane_2):
        for row in range(0x21, 0x7F):
            run, start = [], None
            for cell in range(0x21, 0x80):
                text = of_plane(row, cell) if cell < 0x7F else None
                if run and (text is None or len(text) != len(run[0])):
                    yield start + "".join(text if len(text) == 1 else " " + text for text in run)
                    run = []
                if text is not None:
                    start = start if run else f"{plane}{row:X}{cell:X}\t"
                    run.append(text)


if __name__ == "__main__":
    print(HEAD + "\n".join(lines()))
