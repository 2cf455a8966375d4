"""The handler `septet` of a pipeline."""

from email import message_from_bytes

import septet
from mailman.interfaces.handler import IHandler
from zope.interface import implementer

__all__ = ["Septet"]


@implementer(IHandler)
class Septet:
    """Converts a message in its place, since the rest of the pipeline has the same object."""

    name = "septet"
    description = "Repairs the character encodings of a message."

    def process(self, mlist, msg, msgdata):
        """Converts `msg`, and puts the report into `msgdata`; one that `email` can't write stays, without a report."""
        try:
            raw = msg.as_bytes()
        except (LookupError, UnicodeError):
            # Python's `email` can't write every message that it has read.
            return
        result = septet.convert(raw, "utf8")
        msgdata["septet"] = str(result)
        if result.changed:
            converted = message_from_bytes(result.bytes, type(msg))
            converted.set_unixfrom(msg.get_unixfrom())
            vars(msg).update(vars(converted))
