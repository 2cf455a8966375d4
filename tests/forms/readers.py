"""The readers of mail that are asked: programs, to which messages go in, each behind its length on a line, and which
answer each with a line of JSON.

An answer has `tree` (what the reader takes each part for), `fields`, `subject`, `names` and `addresses` of From, `files`
(the name of each part's file) and `texts`.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
POSTAL = "postal-mime@4.0.0"


def python(_):
    return [sys.executable, HERE / "readers/python.py"]


def gmime(folder):
    program = Path(folder) / "gmime"
    flags = run(["pkg-config", "--cflags", "--libs", "gmime-3.0"]).split()
    run(["cc", "-O1", "-o", program, HERE / "readers/gmime.c", *flags])
    return [program]


def mail_parser(_):
    run(["cargo", "build", "--locked", "--quiet", "--workspace", "--example", "mail_parser"], ROOT)
    return [ROOT / "target/debug/examples/mail_parser"]


def postal(folder):
    run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, POSTAL])
    program = Path(folder) / "postal.mjs"
    program.write_bytes((HERE / "readers/postal.mjs").read_bytes())
    return ["node", program]


def run(command, folder=None):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def available():
    """The commands of the readers that are there, by name; says which are not."""
    folder = tempfile.mkdtemp(prefix="readers-")
    found = {}
    for name, prepare in {"python": python, "gmime": gmime, "mail-parser": mail_parser, "postal-mime": postal}.items():
        try:
            found[name] = prepare(folder)
        except (OSError, subprocess.CalledProcessError) as why:
            print(f"skipped: {name}: {why}")
    return found


def read(command, messages):
    """What a reader sees of each message."""
    octets = b"".join(b"%d\n%b" % (len(it), it) for it in messages)
    done = subprocess.run(command, input=octets, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    assert len(answers) == len(messages), f"{command}: {len(answers)} answers to {len(messages)} messages"
    return answers
