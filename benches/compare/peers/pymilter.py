"""A milter in Python: pymilter.py SOCKET noop|replace (the socket as libmilter writes it)."""

import sys

import Milter

REPLACES = sys.argv[2] == "replace"


class Peer(Milter.Base):
    """Takes every message; where it replaces, it gives it another subject and its own body again."""

    @Milter.noreply
    def envfrom(self, address, *parameters):
        self.pieces = []
        return Milter.CONTINUE

    @Milter.noreply
    def header(self, name, value):
        return Milter.CONTINUE

    @Milter.noreply
    def body(self, piece):
        if REPLACES:
            self.pieces.append(piece)
        return Milter.CONTINUE

    def eom(self):
        if REPLACES:
            self.chgheader("Subject", 1, "changed")
            self.replacebody(b"".join(self.pieces))
        return Milter.CONTINUE


Milter.factory = Peer
Milter.set_flags(Milter.CHGHDRS | Milter.CHGBODY)
Milter.runmilter("peer", sys.argv[1], timeout=60)
