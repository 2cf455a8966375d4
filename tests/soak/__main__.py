"""The soak; see tests/soak/run."""
import itertools, random, statistics, sys, threading, time

from book import Book
from clients import Milter, Smtp, deliver
from daemon import LIMIT, Daemon
from hop import Hop
from hostile import bother
from messages import Message

MINUTES = float(sys.argv[1]) if len(sys.argv) > 1 else 60
SENDERS = 3  # of each kind, to each daemon
NUMBERS = itertools.count(1)


def send(kind, daemon, book, over):
    choice, client = random.Random(), None
    port = daemon.ports["milter" if kind is Milter else "smtp"]
    while not over.is_set():
        message = Message(next(NUMBERS), choice)
        book.begin(message)
        client = deliver(client, lambda: kind(port), message, book, over)
        if client and choice.random() < 0.2:
            client.close()
            client = None


def every(seconds, work, over):
    while not over.wait(seconds * random.uniform(0.5, 1.5)):
        work()


def flat(samples):
    """Returns the median of the second fifth and of the last one, and whether that grew by no more than a tenth of the limit."""
    fifth = max(1, len(samples) // 5)
    early, late = statistics.median(samples[fifth:2 * fifth] or samples), statistics.median(samples[-fifth:])
    return early, late, late <= early + LIMIT / 10


def main():
    book, over = Book(), threading.Event()
    over.since = 0
    hop = Hop(book)
    steady, killed = Daemon(hop.port), Daemon(hop.port)
    work = [(send, (kind, daemon, book, over)) for kind in (Smtp, Milter) for daemon in (steady, killed) for _ in range(SENDERS)]
    work += [(bother, (daemon.ports, book, over)) for daemon in (steady, killed) for _ in range(2)]
    work += [(every, (5, lambda: steady.reload(random, book), over)), (every, (12, lambda: killed.kill(book), over)),
             (every, (1, steady.sample, over)), (every, (7, lambda: health(steady, book), over))]
    threads = [threading.Thread(target=one, args=args) for one, args in work]
    for thread in threads:
        thread.start()
    start = time.time()
    while (left := start + MINUTES * 60 - time.time()) > 0:
        time.sleep(min(60, left))
        print(f"{(time.time() - start) / 60:.0f} min: {line(book)}; {steady.samples[-1]:.0f} MiB", flush=True)
    over.since = time.time()
    over.set()
    for thread in threads:
        thread.join()
    summary(book, steady, killed)


def health(daemon, book):
    book.count("health checks")
    if not daemon.is_healthy():
        book.fault("/health did not answer")


def line(book):
    with book.lock:
        tallies = dict(book.tallies)
    octets = tallies.pop("octets", 0)
    return ", ".join(f"{count} {what}" for what, count in sorted(tallies.items())) + f", {octets / 1e6:.0f} MB"


def summary(book, steady, killed):
    early, late, is_flat = flat(steady.samples)
    peak = steady.peak()
    print(f"total: {line(book)}")
    print(f"memory: median {early:.0f} MiB early, {late:.0f} MiB late, at most {peak:.0f} MiB of {LIMIT} MiB and a tenth")
    faults = list(book.wrong)
    faults += [f"still open: message {number}" for number in list(book.open)[:5]]
    faults += [f"in the log: {one}" for daemon in (steady, killed) for one in (daemon.said(" ERROR ") + daemon.said("panicked"))
               if "new settings were refused" not in one][:5]
    faults += [] if is_flat else ["memory grows"]
    faults += [] if peak <= LIMIT * 1.1 else ["memory beyond the limit"]
    faults += [] if steady.child.poll() is None else ["the daemon ended by itself"]
    faults += [] if steady.stop() else ["no orderly end"]
    killed.stop()
    for fault in faults:
        print(f"FAULT: {fault}")
    print("soak: " + ("FAILED" if faults else "nothing lost, nothing altered, memory flat"))
    sys.exit(1 if faults else 0)


main()
