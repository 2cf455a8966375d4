"""Random clients talk to septet in front of random next hops, and every promise is held against what came of it.

usage: python3 tests/forward/conversations [--seed N] [--count N] [--settle SECONDS] [SETUP...]

A client sends octets cut anywhere, pipelines or waits, goes away in the middle, asks for what makes no sense, sends
bare line ends and dots. A next hop refuses, stalls, hangs up, says too much, too little or nonsense. What must hold:
no message is lost, doubled, cut or mixed with another's; a client is told what became of its own message; octets stay
where nothing had to change; nothing is held once all have gone. The seed chooses everything but the order of events.

SETUP is one of those in SETUPS below; all of them where none is named. Needs a build of septet (SEPTET=path, or
target/debug/septet). Exit code 1: something did not hold; the first six of each kind are printed.
"""
import argparse, asyncio, collections, os, random, re, socket, subprocess, sys, tempfile, time, urllib.request

from client import Client
from judge import judge
from next_hop import NextHop
from promises import Promises

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
NEEDED = 'when = "needed"'

# Name: the listener's protocol, the next hop's, and keys of the listener.
SETUPS = {
    "keep": ("smtp", "smtp", 'profile = "keep"'),
    "needed": ("smtp", "smtp", NEEDED),
    "always": ("smtp", "smtp", ""),
    "repair": ("smtp", "smtp", NEEDED + '\nbare_line_ends = "repair"'),
    "lmtp": ("lmtp", "lmtp", NEEDED),
    "smtp-to-lmtp": ("smtp", "lmtp", NEEDED),
    "few": ("smtp", "smtp", NEEDED + "\nnext_hop_connections = 3"),
    "trusted": ("smtp", "smtp", NEEDED + '\ntrusted = ["127.0.0.1"]'),
}

SETTINGS = """
[metrics]
listen = "inet:127.0.0.1:{metrics}"
[log]
format = "text"
[[listener]]
socket = "inet:127.0.0.1:0"
protocol = "{protocol}"
next_hop = "{next_hop}:127.0.0.1:{port}"
next_hop_time = "1s"
next_hop_end_time = "1500ms"
{keys}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Septet:
    """A daemon of its own, in a folder that goes with it."""

    def __init__(self, setup, next_hop_port):
        protocol, next_hop, keys = SETUPS[setup]
        self.folder, self.metrics_port = tempfile.TemporaryDirectory(prefix="septet-"), free_port()
        settings, self.log_path = self.folder.name + "/septet.toml", self.folder.name + "/log"
        with open(settings, "w") as file:
            file.write(SETTINGS.format(metrics=self.metrics_port, protocol=protocol, next_hop=next_hop,
                                       port=next_hop_port, keys=keys))
        program = os.environ.get("SEPTET", os.path.join(ROOT, "target/debug/septet"))
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen([program, "serve", "--config", settings], stderr=log)

    async def port(self):
        for _ in range(400):
            found = re.search(r"listening on inet:127.0.0.1:(\d+)", self.log())
            if found:
                return int(found.group(1))
            await asyncio.sleep(0.05)
        sys.exit("septet does not start:\n" + self.log())

    def log(self):
        return open(self.log_path, errors="replace").read()

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def gauge(self, name):
        url = f"http://127.0.0.1:{self.metrics_port}/metrics"
        text = urllib.request.urlopen(url).read().decode()
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.M))

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(20)
            return True
        except subprocess.TimeoutExpired:
            self.process.kill()
            return False


async def converse(setup, count, options, promises):
    """Lets `count` clients talk, some at once, and returns what they sent."""
    protocol, next_hop, _ = SETUPS[setup]
    hop = NextHop(setup, next_hop == "lmtp", options.seed, promises)
    await hop.start()
    septet = Septet(setup, hop.port)
    port, files, start = await septet.port(), septet.files(), time.time()
    at_once, sent = asyncio.Semaphore(6 if setup == "few" else options.parallel), {}

    async def one(number):
        async with at_once:
            choose = random.Random(f"{options.seed} {setup} {number}")
            client = Client(setup, protocol, number, choose, promises, sent, hop.announced)
            try:
                await asyncio.wait_for(client.talk(port), 120)
            except asyncio.TimeoutError:
                promises.broken("a conversation ends", setup, client.said[-10:])

    await asyncio.gather(*[one(number) for number in range(count)])
    hop.calm = True
    await asyncio.sleep(3)
    judge(setup, protocol, sent, hop.kept, promises)
    await settled(septet, files, options.settle, promises, setup)
    ends = collections.Counter(str(one.replies[0])[0] for one in sent.values() if one.replies)
    print(f"{setup}: {count} conversations, {len(sent)} messages, {len(hop.kept)} arrived, replies {dict(ends)}, "
          f"{time.time() - start:.0f} s", flush=True)
    promises.check("panicked" not in septet.log(), "no panic", setup, septet.log()[-2000:])
    promises.check(septet.end(), "septet ends when it is told to", setup)
    hop.server.close()


async def settled(septet, files, patience, promises, setup):
    """Waits until nothing is held any more, as long as patience lasts."""
    end = time.time() + patience
    while True:
        held = {"connections": septet.gauge("septet_connections"), "memory": septet.gauge("septet_memory_bytes"),
                "files": max(0, septet.files() - files - 3)}
        if not any(held.values()):
            return
        if time.time() > end:
            return promises.broken("nothing is held when all have gone", setup, held)
        await asyncio.sleep(0.5)


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--count", type=int, default=800, help="conversations, over all setups")
    parser.add_argument("--parallel", type=int, default=40)
    parser.add_argument("--settle", type=float, default=40)
    parser.add_argument("setups", nargs="*", metavar="SETUP")
    options = parser.parse_args()
    setups, promises = options.setups or list(SETUPS), Promises()
    print(f"seed {options.seed}", flush=True)
    await asyncio.gather(*[converse(setup, options.count // len(setups), options, promises) for setup in setups])
    print("all held" if promises.all_held() else f"NOT HELD: {promises.counts()}")
    return 0 if promises.all_held() else 1


sys.exit(asyncio.run(main()))
