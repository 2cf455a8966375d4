"""What all subjects share: the septet, the peers, the inputs, the folders, the table."""

import os
import shutil
import sys
import tempfile
from dataclasses import dataclass

import machine
import table
from children import Children, Failed
from inputs import Inputs, folder_of_mail
from install import Peers


@dataclass
class Scale:
    """How much is measured."""

    runs: int
    mailbox: int
    part: int
    text: int
    slow_text: int
    seconds: float
    letters: int
    decades_less: int
    goal: int
    shown: int


FULL = Scale(runs=5, mailbox=256_000_000, part=16_000_000, text=32_000_000, slow_text=2_000_000,
             seconds=2, letters=2000, decades_less=0, goal=64_000_000, shown=4_000_000)
QUICK = Scale(runs=3, mailbox=4_000_000, part=1_000_000, text=1_000_000, slow_text=200_000,
              seconds=0.3, letters=200, decades_less=1, goal=2_000_000, shown=100_000)


class Bench:
    """One run of the comparison, with all that it has started and made."""

    def __init__(self, root, options):
        self.root = root
        self.scale = QUICK if options.quick else FULL
        self.docs = options.docs
        self.out = os.path.join(root, "target", "compare")
        self.disk = os.path.join(self.out, "disk")
        os.makedirs(self.disk, exist_ok=True)
        self.temporary = tempfile.mkdtemp(prefix="septet-compare-")
        os.chmod(self.temporary, 0o711)
        self.memory = tempfile.mkdtemp(prefix="septet-compare-", dir="/dev/shm")
        self.children = Children()
        self.peers = Peers(self.children, self.temporary, os.path.join(self.out, "crates"))
        self.peers.versions["Python"] = sys.version.split()[0]
        self.keeps_inputs = bool(options.inputs)
        self.inputs = Inputs(os.path.abspath(options.inputs or os.path.join(self.out, "inputs")))
        self.mailbox = self.one_mailbox(options.mailbox)
        self.python = sys.executable
        self.rows = []
        self.machine = machine.describe()
        self.given = options.septet
        self.told = None
        self.septet = os.path.abspath(options.septet) if options.septet else None

    def build(self):
        """Builds septet, where none was given."""
        if not self.septet:
            self.say("building septet")
            self.children.run(["cargo", "build", "--release", "--locked", "--manifest-path",
                               os.path.join(self.root, "Cargo.toml")], timeout=3600)
            target = os.environ.get("CARGO_TARGET_DIR", os.path.join(self.root, "target"))
            self.septet = os.path.join(target, "release", "septet")
        if not os.access(self.septet, os.X_OK):
            raise Failed(f"{self.septet} is no program")

    def say(self, text):
        """Tells on standard error what is being done."""
        print(text, file=sys.stderr, flush=True)

    def add(self, rows):
        """Adds rows to the table, and writes it, so that a run that is stopped has what it had."""
        self.rows += rows
        settings = {"runs": self.scale.runs, "inputs": self.inputs_told(), "quick": self.scale is QUICK,
                    "scale": vars(self.scale)}
        self.told = self.told or machine.septet(self.septet, self.root, self.given)
        table.write(self.out, self.machine, self.told, self.peers.versions, settings, self.rows)

    def one_mailbox(self, path):
        """Returns a mailbox that was given as it is, and a folder of them or of messages as one mailbox."""
        if not path or not os.path.isdir(path):
            return path
        together = os.path.join(self.temporary, "given.mbox")
        with open(together, "wb") as file:
            file.writelines(folder_of_mail(path))
        return together

    def inputs_told(self):
        """Says what the inputs are."""
        made = "made letters, seed 1642"
        return f"archives from a mailbox given, all else {made}" if self.mailbox else made

    def copy(self, path, folder):
        """Copies an input into a folder, and returns its path there."""
        return shutil.copy(path, os.path.join(folder, "in-" + os.path.basename(path)))

    def remove(self, *paths):
        """Removes files that may be there."""
        for path in paths:
            if os.path.exists(path):
                os.remove(path)

    def close(self):
        """Ends every process, and removes what is temporary."""
        self.children.stop_all()
        made = [] if self.keeps_inputs else [self.inputs.folder]
        for folder in (self.temporary, self.memory, self.disk, *made):
            shutil.rmtree(folder, ignore_errors=True)
