"""Milters: messages a second, each on a unix socket before the same MTA, which is played by peers/milterload.c."""

import json
import os
import socket
import time

from children import Failed
from install import PEERS, Missing, system_python
from load import of_process
from measure import Contender, Sample, Work, compare

OURS = "septet utf8"
KINDS = {"utf8": "text in UTF-8", "html": "HTML newsletter", "latin1": "8-bit Latin-1",
         "latin1-qp": "quoted-printable Latin-1", "base64": "base64 GB 2312"}
SIZES = {"4 KB": 4096, "100 KB": 102_400}

# A rule by which septet must hear of every recipient.
RULE = 'rule=[{profile="utf8", recipient="@example.net"}]'

DIFFERENCE = {
    "septet utf8": "changes what needs it, each change proved; a log line a message (to /dev/null)",
    "septet keep": "changes nothing, so has the MTA send it little",
    "libmilter no-op": "C; answers every event, as is usual",
    "libmilter replace": "C; the same, and gives back a subject and the same body",
    "libmilter GMime": "C; the same, and makes old mail UTF-8; no links, no proof",
    "libmilter silent no-op": "C; answers only the end, as septet does",
    "libmilter silent replace": "C; the same, and gives back a subject and the same body",
    "libmilter silent GMime": "C; the same, and makes old mail UTF-8; no links, no proof",
    "pymilter no-op": "Python over libmilter; is sent and answers what it needs",
    "pymilter replace": "the same, and gives back a subject and the same body",
}


def measure(bench):
    """Starts every milter once, and puts each kind of mail before all of them."""
    servers = Servers(bench)
    try:
        for kind, name in KINDS.items():
            for size, octets in SIZES.items():
                letter = bench.inputs.letter(kind, octets)
                work = Work("milter", f"{name}, {size}", "messages/s", OURS)
                compare(bench, work, [
                    Contender(server, lambda server=server: servers.load(server, letter), DIFFERENCE[server])
                    for server in DIFFERENCE], servers.note_errors)
    finally:
        servers.stop()


class Servers:
    """The milters that are up; each is started when it is first asked for."""

    def __init__(self, bench):
        self.bench = bench
        self.running = {}
        self.errors = {}

    def load(self, name, letter, *more):
        """Returns what puts load on a milter once; its CPU seconds are those of a thousand messages."""
        driver = load_driver(self.bench)
        path = self.socket(name)
        number = self.running[name][0].pid
        seconds = more or ("-t", self.bench.scale.seconds)

        def measured():
            begun = of_process(number)
            said = json.loads(self.bench.children.output([driver, "-s", path, "-m", letter, *seconds]))
            self.errors[name] = self.errors.get(name, 0) + said["errors"]
            return Sample(said["rate"], (of_process(number) - begun) * 1000 / said["messages"])

        return measured

    def socket(self, name):
        """Returns the socket of a milter, started if need be."""
        if name not in self.running:
            path = os.path.join(self.bench.temporary, name.replace(" ", "-"))
            self.bench.remove(path)
            process = self.bench.children.start(self.command(name, path))
            wait_for(path, process)
            self.running[name] = (process, path)
        return self.running[name][1]

    def command(self, name, path):
        """Returns what starts a milter."""
        program, _, rest = name.partition(" ")
        mode = "replace" if "replace" in rest else "convert" if "GMime" in rest else "noop"
        if program == "septet":
            settings = ["--set", RULE] if rest == "rules" else ["--profile", rest]
            return [self.bench.septet, "serve", "--listen", f"unix:{path}", *settings]
        if program == "libmilter":
            binary = self.bench.peers.c_program("cmilter", ["libmilter-dev", "libgmime-3.0-dev"],
                                                ["milter", "pthread"], "gmime-3.0")
            return [binary, f"unix:{path}", mode, "silent" if "silent" in rest else "answering"]
        return [pymilter(self.bench), os.path.join(PEERS, "pymilter.py"), f"unix:{path}", mode]

    def note_errors(self, rows):
        """Says of each milter how many connections it broke off, if any."""
        for row in rows:
            if errors := self.errors.pop(row.program, 0):
                row.remark += f"; {errors} connections broken off"

    def stop(self):
        """Ends them all."""
        for process, _ in self.running.values():
            self.bench.children.stop(process)


def load_driver(bench):
    """Returns the program that plays the MTA."""
    return bench.peers.c_program("milterload", libraries=["pthread"])


def pymilter(bench):
    """Returns a Python with pymilter: Debian's, or one with the package of PyPI, which needs libmilter's headers."""
    try:
        bench.peers.package("python3-milter")
    except Missing:
        pass
    if python := system_python("Milter"):
        return python
    bench.peers.package("libmilter-dev")
    return bench.peers.python("pymilter")


def wait_for(address, process, seconds=20):
    """Waits until a server takes connections, on a unix socket's path or a port of this machine."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    end = time.monotonic() + seconds
    while True:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if probe.connect_ex(address) == 0:
                return
        if process.poll() is not None:
            raise Failed(f"the server ended with {process.returncode} before it listened")
        if time.monotonic() > end:
            raise Failed(f"the server did not listen after {seconds} s")
        time.sleep(0.02)
