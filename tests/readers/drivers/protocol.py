"""What the drivers in Python share: messages come in, each behind its length on a line, and a line of JSON answers each."""

import json
import sys

EMPTY = {"tree": [], "fields": [], "subject": None, "comments": None, "names": {}, "addresses": [], "files": [], "texts": []}


def answer(seen, never=()):
    """Answers each message with what `seen` makes of it; what `seen` raises is an answer as well. A reader has no call for
    what is `never` there."""
    empty = EMPTY | dict.fromkeys(never)
    while length := sys.stdin.buffer.readline():
        octets = sys.stdin.buffer.read(int(length))
        try:
            shown = empty | seen(octets)
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
