"""septet: septet.py PROGRAM

Each message goes through `septet filter --profile eai`, and what comes out is read by strict.py, which knows nothing but
clean UTF-8. What septet leaves as it is, is not read.
"""

import json
import subprocess
import sys

sys.dont_write_bytecode = True

import strict


def tried(work, otherwise=None):
    try:
        return work()
    except (strict.Unread, ValueError, LookupError):
        return otherwise


def seen(octets):
    parts = tried(lambda: list(strict.parts(octets)), [])
    top = parts[0][0] if parts else []
    text = lambda name: tried(lambda: strict.words(strict.one(top, name)))
    people = lambda name: tried(lambda: strict.names(strict.one(top, name)), [])
    files = [tried(lambda: strict.file_name(fields)) for fields, _ in parts]
    texts = [tried(lambda: strict.body_text(*it)) for it in parts if strict.media(it[0]).startswith("text/")]
    return {
        "tree": [strict.media(fields) for fields, _ in parts],
        "fields": [name for name, _ in top],
        "subject": text("subject"),
        "comments": text("comments"),
        "names": {name: people(name) for name in ("from", "sender", "to", "cc", "reply-to")},
        "addresses": None,
        "files": [name for name in files if name is not None],
        "texts": texts,
    }


while length := sys.stdin.buffer.readline():
    command = [sys.argv[1], "filter", "--config", "/dev/null", "--profile", "eai"]
    done = subprocess.run(command, input=sys.stdin.buffer.read(int(length)), stdout=subprocess.PIPE, check=True)
    print(json.dumps(seen(done.stdout)), flush=True)
