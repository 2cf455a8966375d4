"""Mail for the tests: what is in the project's fixtures, and mutants of it.

The tests run where septet is installed, as `.ci/python` does it: `python3 -m unittest discover -s python/tests`. With
SEPTET_NIGHTLY=1 they take some minutes more.
"""

import base64
import json
import os
import random
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IS_NIGHTLY = bool(os.environ.get("SEPTET_NIGHTLY"))

STREET = b"Subject: =?iso-8859-1?Q?Stra=DFe?=\n\nhello\n"
STREET_UTF8 = b"Subject: =?utf-8?Q?Stra=C3=9Fe?=\n\nhello\n"
PLAIN = b"Subject: hello\n\nhello\n"
KLINGON = b"Content-Type: text/plain; charset=x-klingon\n\nQapl\xe1\n"


def fixtures():
    """Returns the messages that other readers of mail are tried with."""
    with open(ROOT / "fixtures/reading.jsonl", encoding="utf-8") as lines:
        return [base64.b64decode(json.loads(line)["message"]) for line in lines]


def mutants(count, seed=1642):
    """Yields mail that nobody would send: fixtures cut, spliced, doubled and overwritten."""
    chance, mail = random.Random(seed), fixtures()
    for _ in range(count):
        octets = bytearray(chance.choice(mail))
        for _ in range(chance.randrange(1, 6)):
            mutate(octets, chance, mail)
        yield bytes(octets)


def mutate(octets, chance, mail):
    """Does one thing to some octets."""
    at = chance.randrange(len(octets) + 1)
    end = min(len(octets), at + chance.randrange(1, 40))
    kind = chance.randrange(5)
    if kind == 0:
        octets[at:end] = bytes(chance.randrange(256) for _ in range(end - at))
    elif kind == 1:
        del octets[at:end]
    elif kind == 2:
        octets[at:at] = octets[at:end] * chance.randrange(1, 30)
    elif kind == 3:
        other = chance.choice(mail)
        octets[at:end] = other[chance.randrange(len(other)):]
    else:
        octets[at:at] = chance.choice([b"\r", b"\n", b"\0", b"=?", b"?=", b"\x1b$B", b"\n\n", b"--", b"\xff", b"+A"])
