"""SMTP: messages a second from Postfix's smtp-source to its smtp-sink, straight and by way of others."""

import os
import time

from children import Failed
from install import Missing
from measure import Contender, Sample, Work, compare, program
from milter import Servers, wait_for
from postfix import Postfix, free_ports

SESSIONS = 8
LETTERS = [("ascii", "ASCII text", "4 KB", 4096), ("latin1-qp", "quoted-printable Latin-1", "4 KB", 4096),
           ("html", "HTML newsletter", "100 KB", 102_400)]
OURS = "septet smtp utf8"
QUEUE = "Postfix, septet as milter"

MILTERS = {"Postfix alone": None, QUEUE: "septet utf8", "Postfix, libmilter replace": "libmilter silent replace"}


def measure(bench):
    """Starts everything once, and sends each kind of mail each way."""
    ways = Ways(bench)
    try:
        for kind, name, size, octets in LETTERS:
            letter = bench.inputs.letter(kind, octets)
            count = max(40, min(bench.scale.letters, bench.scale.letters * 16_384 // octets))
            straight(bench, ways, f"{name}, {size}, to the sink", letter, count)
            end_to_end(bench, ways, f"{name}, {size}, by Postfix's queue to the sink", letter, count)
    finally:
        ways.stop()


def straight(bench, ways, title, letter, count):
    """Compares proxies, which hand each message on while the client waits."""
    def contender(name, port, remark):
        return Contender(name, lambda: program(bench, source(bench, port(), letter, count), count), remark)

    compare(bench, Work("smtp", title, "messages/s", OURS), [
        contender("straight", ways.sink, "the limit: smtp-source to smtp-sink"),
        contender(OURS, lambda: ways.septet("utf8"), "changes what needs it, each change proved"),
        contender("septet smtp keep", lambda: ways.septet("keep"), "reads all, changes nothing"),
        contender("Postfix smtpd_proxy_filter", lambda: ways.postfix().port("proxy"),
                  "Postfix's own proxy; changes nothing"),
    ])


def end_to_end(bench, ways, title, letter, count):
    """Compares what a milter or a filter costs a Postfix: the time until its queue is empty again."""
    def contender(name, remark):
        def prepare():
            return delivery(bench, ways.postfix(), ways.postfix().port(name), letter, count)

        return Contender(name, prepare, remark)

    compare(bench, Work("smtp", title, "messages/s", QUEUE), [
        contender("Postfix alone", "no filter"),
        contender(QUEUE, "changes what needs it, each change proved"),
        contender("Postfix, libmilter replace", "C; gives back a subject and the same body"),
        contender("Postfix, septet as content filter", "smtp utf8 between the queue and the sink"),
    ])


def source(bench, port, letter, count):
    """Returns the command that sends messages to a port."""
    sender = bench.peers.command("smtp-source", "postfix")
    return [sender, "-d", "-s", SESSIONS, "-m", count, "-f", "a@example.org", "-t", "b@example.net", "-F", letter,
            f"inet:127.0.0.1:{port}"]


def delivery(bench, postfix, port, letter, count):
    """Returns what sends messages and waits until the queue is empty."""
    command = source(bench, port, letter, count)

    def measured():
        begun = time.perf_counter()
        bench.children.run(command, timeout=300)
        postfix.wait_until_empty(300)
        return Sample(count / (time.perf_counter() - begun))

    return measured


class Ways:
    """The servers on the ways from source to sink, each started when it is first asked for."""

    def __init__(self, bench):
        self.bench = bench
        self.milters = Servers(bench)
        self.ports = {}
        self.failures = {}
        self.processes = []
        self.running_postfix = None

    def sink(self):
        """Returns the port of smtp-sink."""
        def command(port):
            user = ["-u", "postfix"] if os.geteuid() == 0 else []
            return [self.bench.peers.command("smtp-sink", "postfix"), *user, "-m", "500", f"127.0.0.1:{port}", "500"]

        return self.server("sink", command)

    def septet(self, profile):
        """Returns the port of a septet before the sink."""
        def command(port):
            return [self.bench.septet, "serve", "--profile", profile, "--listen", f"smtp:127.0.0.1:{port}",
                    "--next-hop", f"smtp:127.0.0.1:{self.sink()}"]

        return self.server(f"septet {profile}", command)

    def server(self, name, command):
        """Starts a server on a port that is free."""
        if name not in self.ports:
            port = free_ports(1)[0]
            process = self.bench.children.start(command(port))
            self.processes.append(process)
            wait_for(("127.0.0.1", port), process)
            self.ports[name] = port
        return self.ports[name]

    def postfix(self):
        """Returns a Postfix of our own; one that does not come up is not tried again."""
        if "postfix" in self.failures:
            raise self.failures["postfix"]
        if not self.running_postfix:
            try:
                self.running_postfix = Postfix(self.bench, self.sink(), self.listeners())
            except Failed as error:
                self.failures["postfix"] = error
                raise
        return self.running_postfix

    def listeners(self):
        """Returns what Postfix's listeners do, by name; a milter that can't be had has none."""
        listeners = {"proxy": [f"smtpd_proxy_filter=127.0.0.1:{self.sink()}"],
                     "Postfix, septet as content filter": [f"content_filter=relay:[127.0.0.1]:{self.septet('utf8')}"]}
        for name, server in MILTERS.items():
            try:
                listeners[name] = [f"smtpd_milters=unix:{self.open_socket(server)}"] if server else []
            except (Failed, Missing, OSError) as error:
                self.bench.say(f"smtp: {name}: {error}")
        return listeners

    def open_socket(self, server):
        """Returns the socket of a milter, open to Postfix's user."""
        path = self.milters.socket(server)
        os.chmod(path, 0o666)
        return path

    def stop(self):
        """Ends all of them."""
        if self.running_postfix:
            self.running_postfix.stop()
        for process in self.processes:
            self.bench.children.stop(process)
        self.milters.stop()
