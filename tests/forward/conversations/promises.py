"""What must hold, and what did not."""
import collections

SHOWN = 6


class Promises:
    def __init__(self):
        self.broken_ones = collections.Counter()

    def check(self, holds, promise, *facts):
        if not holds:
            self.broken(promise, *facts)

    def broken(self, promise, *facts):
        self.broken_ones[promise] += 1
        if self.broken_ones[promise] <= SHOWN:
            print("NOT HELD:", promise, *[repr(fact)[:700] for fact in facts], flush=True)

    def all_held(self):
        return not self.broken_ones

    def counts(self):
        return dict(self.broken_ones)
