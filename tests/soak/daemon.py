"""A septet with a milter, a listener that forwards and metrics; its memory is sampled."""
import os, signal, socket, subprocess, tempfile, time, urllib.request

SEPTET = os.environ["SEPTET"]
MIB = 1 << 20
LIMIT = 256  # MiB
BAD = ["[limits]\nmessage_bytes = \"many\"\n", "default_profile = \"no-such\"\n", "[[listener]]\nsocket = \"unix:/no/such/folder/sock\"\n",
       "this is no TOML"]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Daemon:
    def __init__(self, hop):
        self.folder = tempfile.TemporaryDirectory()
        self.ports = {name: free_port() for name in ("milter", "smtp", "metrics")}
        self.settings = os.path.join(self.folder.name, "septet.toml")
        self.log = os.path.join(self.folder.name, "log")
        self.hop, self.samples, self.starts = hop, [], 0
        self.configure("")
        self.start()

    def configure(self, more):
        ports = self.ports
        with open(self.settings, "w") as file:
            file.write(f"""{more}
[log]
level = "warn"
[metrics]
listen = "inet:127.0.0.1:{ports['metrics']}"
[limits]
memory = "{LIMIT}MiB"
connections = 600
idle_time = "20s"
read_time = "20s"
write_time = "20s"
[[listener]]
socket = "inet:127.0.0.1:{ports['milter']}"
[[listener]]
socket = "inet:127.0.0.1:{ports['smtp']}"
protocol = "smtp"
next_hop = "smtp:127.0.0.1:{self.hop}"
""")

    def start(self):
        self.child = subprocess.Popen([SEPTET, "serve", "--config", self.settings], stderr=open(self.log, "ab"))
        self.starts += 1
        for _ in range(500):
            try:
                return socket.create_connection(("127.0.0.1", self.ports["milter"])).close()
            except OSError:
                time.sleep(0.02)
        raise SystemExit(f"septet does not start: {open(self.log).read()[-2000:]}")

    def reload(self, choice, book):
        if choice.random() < 0.4:
            with open(self.settings, "w") as file:
                file.write(choice.choice(BAD))
        else:
            self.configure(choice.choice(["", "x_septet = true", "on_error = \"tempfail\""]))
        self.child.send_signal(signal.SIGHUP)
        book.count("reloads")

    def kill(self, book):
        self.child.kill()
        self.child.wait()
        book.count("kills")
        self.configure("")
        self.start()

    def sample(self):
        for line in open(f"/proc/{self.child.pid}/status"):
            if line.startswith("VmRSS:"):
                self.samples.append(int(line.split()[1]) / 1024)

    def peak(self):
        for line in open(f"/proc/{self.child.pid}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024

    def is_healthy(self):
        """Asks as a load balancer does; a crowd at the same socket may have it ask twice."""
        for _ in range(5):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.ports['metrics']}/health", timeout=10) as page:
                    return page.read().strip() == b"ok"
            except OSError:
                time.sleep(0.2)
        return False

    def messages(self):
        """Returns how many messages it had since it was started."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.ports['metrics']}/metrics", timeout=10) as page:
            lines = page.read().decode().splitlines()
        return sum(int(line.rsplit(" ", 1)[1]) for line in lines if line.startswith("septet_messages_total"))

    def said(self, word):
        with open(self.log, errors="replace") as log:
            return [line.strip() for line in log if word in line]

    def stop(self):
        """Returns whether it came to an orderly end in time."""
        self.child.send_signal(signal.SIGTERM)
        try:
            return self.child.wait(60) == 0
        except subprocess.TimeoutExpired:
            self.child.kill()
            return False
