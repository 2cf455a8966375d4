"""The book of all messages: what was sent, what arrived, what was said of it."""
import collections, threading, time

KEPT = 8  # lines about what is wrong
LATE = 50  # messages whose first copy may come behind the second one, when its sender was killed


class Book:
    def __init__(self):
        self.lock = threading.Lock()
        self.open = {}
        self.closed = collections.OrderedDict()  # those of which a second copy may still be on its way
        self.tallies = collections.Counter()
        self.came = collections.Counter()
        self.doubtful = collections.Counter()
        self.wrong = []

    def begin(self, message):
        with self.lock:
            self.open[message.number] = message

    def count(self, what, how_many=1):
        with self.lock:
            self.tallies[what] += how_many

    def fault(self, what):
        with self.lock:
            self.tallies["FAULTS"] += 1
            if len(self.wrong) < KEPT:
                self.wrong.append(what)

    def doubt(self, number):
        """The connection broke when the message was whole: it may have been taken (RFC 1047)."""
        with self.lock:
            self.doubtful[number] += 1

    def arrived(self, number, raw):
        with self.lock:
            message = self.open.get(number) or self.closed.get(number)
        if message is None:
            return self.fault(f"message {number} was not sent, or was answered before it came")
        wrong = message.wrong(raw)
        if wrong:
            self.fault(f"message {number} ({message.kind}, {message.size}): {wrong}")
        with self.lock:
            self.came[number] += 1
            if number in self.closed:
                del self.closed[number], self.came[number]
                self.tallies["came twice after a break"] += 1

    def accepted(self, message, by):
        """The sender was told 250 by a queue, which has yet to deliver it."""
        with self.lock:
            self.tallies[by] += 1
            self.tallies["octets"] += len(message.sent)

    def settle(self, patience):
        """Waits until every message that was accepted has come; returns those that have not."""
        until = time.time() + patience
        while time.time() < until and any(number not in self.came for number in list(self.open)):
            time.sleep(0.2)
        with self.lock:
            twice = {number: came for number, came in self.came.items() if came > 1 + self.doubtful[number]}
            self.tallies["came twice after a break"] += sum(came - 1 for came in self.came.values())
            left = [number for number in self.open if number not in self.came]
        for number, came in twice.items():
            self.fault(f"message {number} came {came} times")
        return left

    def finished(self, message, by):
        """The sender was told 250, or 4xx so often that it gave up."""
        with self.lock:
            self.open.pop(message.number, None)
            came, doubtful = self.came.pop(message.number, 0), self.doubtful.pop(message.number, 0)
            self.tallies[by] += 1
            self.tallies["octets"] += len(message.sent)
            self.tallies["came twice after a break"] += max(0, came - 1)
            if doubtful >= came > 0:
                self.closed[message.number], message.sent = message, b""
                while len(self.closed) > LATE:
                    self.closed.popitem(last=False)
        if came == 0:
            self.fault(f"message {message.number} is lost: {by} was told that it was taken")
        elif came > 1 + doubtful:
            self.fault(f"message {message.number} came {came} times, and {doubtful} breaks explain that")
