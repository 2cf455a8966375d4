"""Reads a mailbox with Python's mailbox and email, makes every text UTF-8, and writes the mailbox again.

python_email.py IN OUT
"""

import mailbox
import sys


def convert(part):
    """Makes a text UTF-8, where Python can read it."""
    octets = part.get_payload(decode=True)
    try:
        text = octets.decode(part.get_content_charset("us-ascii"))
    except (LookupError, UnicodeDecodeError):
        return
    del part["Content-Transfer-Encoding"]
    part.set_payload(text, "utf-8")


def main():
    """Goes through all messages."""
    with open(sys.argv[2], "wb") as out:
        for message in mailbox.mbox(sys.argv[1], create=False):
            for part in message.walk():
                if part.get_content_maintype() == "text":
                    convert(part)
            out.write(b"From " + message.get_from().encode("ascii", "replace") + b"\n")
            out.write(message.as_bytes(policy=message.policy.clone(mangle_from_=True)) + b"\n")


main()
