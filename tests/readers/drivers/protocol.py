"""What the drivers in Python share: messages come in, each behind its length on a line, and a line of JSON answers each."""

import json
import shutil
import sys
import tempfile
from pathlib import Path

EMPTY = {"tree": [], "fields": [], "subject": None, "comments": None, "names": {}, "addresses": [], "files": [], "texts": []}


def answer(seen, never=()):
    """Answers each message with what `seen` makes of it; what `seen` raises is an answer as well. A reader has no call for
    what is `never` there."""
    empty = EMPTY | dict.fromkeys(never)
    for octets in messages():
        say(empty, seen, octets)


def answer_all(rows, seen, never=()):
    """Answers all messages, which a program reads together: `rows` gives what it says of each, by its number from 0, in a
    folder that is empty and goes afterwards."""
    empty = EMPTY | dict.fromkeys(never)
    asked = list(messages())
    folder = Path(tempfile.mkdtemp(prefix="reader-"))
    try:
        found = rows(folder, asked)
    finally:
        shutil.rmtree(folder)
    for number in range(len(asked)):
        say(empty, lambda number: seen(found[number]), number)


def messages():
    while length := sys.stdin.buffer.readline():
        yield sys.stdin.buffer.read(int(length))


def say(empty, seen, what):
    try:
        shown = empty | seen(what)
    except Exception as error:
        shown = empty | {"error": repr(error)}
    print(json.dumps(clean(shown)), flush=True)


def clean(value):
    """Raw octets of a field are surrogates, which are no text; where they are UTF-8, it can be had from them."""
    if isinstance(value, dict):
        return {key: clean(it) for key, it in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(it) for it in value]
    if not isinstance(value, str):
        return value
    try:
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode()


def tried(work, otherwise=None):
    """What a call gives, or something else where it raises."""
    try:
        return work()
    except Exception:
        return otherwise
