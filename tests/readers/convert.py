"""Messages through `septet convert`, all in one go."""

import json
import re
import subprocess
import tempfile
from pathlib import Path

BEGIN = b"From a@example.org Thu Jan  1 00:00:00 1970\n"


def converted(program, profile, messages):
    """Each message as it comes out, and what the report says of it."""
    with tempfile.TemporaryDirectory() as folder:
        mailbox, out, report = (Path(folder) / name for name in ["in.mbox", "out.mbox", "report.jsonl"])
        quoted = [re.sub(rb"(?m)^(>*From )", rb">\1", raw) for raw in messages]
        mailbox.write_bytes(b"".join(BEGIN + raw + b"\n"[raw.endswith(b"\n") :] + b"\n" for raw in quoted))
        command = [program, "convert", "-q", "--profile", profile, "--format", "mboxrd", "--report", report]
        subprocess.run([*command, "-o", out, mailbox], check=True)
        results = [it[:-1] for it in re.split(rb"(?m)^" + BEGIN, out.read_bytes())[1:]]
        says = [json.loads(line) for line in report.read_text().splitlines()]
    assert len(results) == len(says) == len(messages), (len(results), len(says), len(messages))
    return [re.sub(rb"(?m)^>(>*From )", rb"\1", raw) for raw in results], says
