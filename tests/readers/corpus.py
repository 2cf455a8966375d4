"""Real mail: what lies in the folder of third-party data beside the project, or where SEPTET_DATA says."""

import lzma
import os
import re
from pathlib import Path

from driver import ROOT


def folder():
    """The folder of third-party data, if it is there."""
    named = Path(os.environ.get("SEPTET_DATA", ROOT / "../shared/data"))
    return named if named.is_dir() else None


def messages(data):
    """The messages by name: files of one each, and a mailbox in which `From ` at the start of a line is quoted."""
    files = sorted(it for it in (data / "eml").rglob("*") if it.suffix in (".eml", ".msg", ".raw"))
    found = {str(it.relative_to(data / "eml")): it.read_bytes() for it in files}
    mailbox = data / "spamassassin.mbox.xz"
    parted = re.split(rb"(?m)^From .*\n", lzma.open(mailbox).read())[1:] if mailbox.is_file() else []
    for number, raw in enumerate(parted, 1):
        found[f"{mailbox.name} {number}"] = re.sub(rb"(?m)^>(>*From )", rb"\1", raw.removesuffix(b"\n"))
    return {name: raw for name, raw in found.items() if raw}


def spread(found, most):
    """At most so many of them, evenly."""
    step = max(1, len(found) / most)
    return [found[int(number * step)] for number in range(int(len(found) / step))]
