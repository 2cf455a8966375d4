"""Reads header values with Python's email package: one hex-coded value a line in, one JSON string or null a line out."""

import json
import sys
from email.header import decode_header

for line in sys.stdin:
    octets = bytes.fromhex(line.strip())
    value = octets.decode("utf-8", "surrogateescape").replace("\r", "").replace("\n", "")
    try:
        text = ""
        for piece, charset in decode_header(value):
            text += piece if isinstance(piece, str) else piece.decode(charset or "utf-8")
        text.encode("utf-8")
    except Exception:
        text = None
    print(json.dumps(text))
