"""Reads fixtures/reading.jsonl with Python's email (policy.default), and says for each case what it shows.

A case goes in as a line of JSON, and comes out as one with `id` and `text`, which is null where nothing is seen.
"""

import base64
import email
import json
import sys
from email import policy


def child(part, path):
    """A part by its path; a message in another one is that part's only child."""
    for number in path.split(".")[1:]:
        part = part.get_payload(int(number) - 1)
    return part


def seen(message, place):
    if "part" in place:
        part = child(message, place["part"])
        return part.get_filename() if place["what"] == "filename" else part.get_content()
    field = message[place["field"]]
    return field.addresses[place.get("at", 1) - 1].display_name if "what" in place else str(field)


def text_of(case):
    message = email.message_from_bytes(base64.b64decode(case["message"]), policy=policy.default)
    try:
        text = seen(message, case["place"])
    except Exception:  # It raises many kinds, most of them for charsets that it doesn't know.
        return None
    # Raw octets of a field are surrogates, which are no text; where they are UTF-8, it can be had from them.
    return text and text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


if __name__ == "__main__":
    for line in sys.stdin:
        case = json.loads(line)
        print(json.dumps({"id": case["id"], "text": text_of(case)}))
