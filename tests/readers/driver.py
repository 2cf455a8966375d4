"""A driver: a small program that asks one reader of mail what it sees, and how it is made ready and asked.

To its standard input go messages, each behind its length in octets on a line of its own. It answers each, in order, with
one line of JSON, whatever the message is:

  tree                 type/subtype of each part in order, in lower case, as the reader sees it
  fields               the names of the top header's fields in order, in lower case
  subject, comments    the text shown of these fields; null without one
  names                `from`, `sender`, `to`, `cc`, `reply-to`: the display names of the mailboxes, members of groups among
                       them; null for a mailbox without one
  addresses            the addresses of From
  files                the name shown of each part's file, in order; parts without one are left out
  texts                the decoded text of each text part in order, plain and HTML, HTML as it stands
  error                what went wrong, if something did; what could not be read is null or empty then

A reader that has no call for one of them gives null for it in every answer, and is not asked about it. A driver uses the
calls that the reader's documents show; where they give a raw value and name a function that decodes it, that is called.
It writes each answer out at once: where it dies, the next message is the one that killed it.
"""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DRIVERS = HERE / "drivers"
DEATHS = 20
MINUTES = 10


@dataclass(frozen=True)
class Reader:
    """A reader that can be asked. `prepare` makes it ready in a folder of its own, which may be there from last time, and
    gives the command of its driver and the reader's version, as docs/readers.md states it."""

    name: str  # as in known.tsv, and behind --only
    column: str  # of the wide tables in docs/readers.md: two or three letters
    prepare: Callable[[Path], tuple[list, str]]


def run(*command, folder=None):
    """What a command prints; `CalledProcessError` if it fails."""
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def debian(package):
    """The version of a Debian package that is installed, without what Debian adds to it."""
    version = run("dpkg-query", "-W", "-f", "${Version}", package)
    return re.split("[-+~]", version.split(":")[-1])[0]


def ready(reader):
    """The command of a reader and its version; `None` if it can't be had here, which is said."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    folder = target / "tmp/readers" / reader.name
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return reader.prepare(folder)
    except (OSError, subprocess.CalledProcessError) as why:
        said = (getattr(why, "stderr", None) or "").strip().splitlines()[-1:]
        print(f"skipped: {reader.name}:", why, *said, flush=True)
        return None


def answers(command, messages):
    """What a reader sees of each message. Where its driver dies it is started again behind the message that killed it."""
    found = []
    for _ in range(DEATHS):
        rest = messages[len(found) :]
        if not rest:
            return found
        lines, why = lines_of(command, b"".join(b"%d\n%b" % (len(it), it) for it in rest))
        found += [json.loads(line.decode(errors="replace"), strict=False) for line in lines]
        assert len(lines) <= len(rest), f"{command}: {len(lines)} answers to {len(rest)} messages"
        if len(lines) < len(rest):
            found.append({"error": f"the driver died: {why}"})
    raise RuntimeError(f"{command}: died of {DEATHS} messages")


def lines_of(command, octets):
    """The lines that a driver gives, and how it ended."""
    try:
        done = subprocess.run(command, input=octets, capture_output=True, timeout=60 * MINUTES)
        output, why = done.stdout, f"exit code {done.returncode}: {done.stderr[-500:].decode(errors='replace')}"
    except subprocess.TimeoutExpired as late:
        output, why = late.stdout or b"", f"not ready in {MINUTES} minutes"
    # A line that has no end was cut off when the driver died.
    return [line for line in output.split(b"\n")[:-1] if line.startswith(b"{")], why
