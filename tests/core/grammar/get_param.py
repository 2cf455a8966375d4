"""Reads parameters with Python's email.message: `name HEX` a line in, `=HEX` or `-` a line out."""

import sys
from email import message_from_bytes

for line in sys.stdin:
    name, _, digits = line.strip().partition(" ")
    value = bytes.fromhex(digits).decode("latin-1")
    # As the parser of messages hands it over, but for what ends a header there.
    message = message_from_bytes(b"")
    message["Content-Type"] = value
    try:
        found = message.get_param(name)
        found = found[2] if isinstance(found, tuple) else found
    except Exception:
        found = "?"
    print("-" if found is None else "=" + found.encode("latin-1").hex())
