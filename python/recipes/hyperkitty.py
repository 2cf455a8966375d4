#!/usr/bin/env python3
"""HyperKitty: converts a list's old mailbox before it is imported.

    python3 hyperkitty.py friends.mbox friends-utf8.mbox
    mailman-web hyperkitty_import -l friends@lists.example.org friends-utf8.mbox

hyperkitty_import reads with Python's `email`, which takes labels at their word and shows raw 8-bit fields as "�": what it
garbles stays so in the archive.
"""

import sys

import septet


def main(source, target):
    counts = septet.convert_mbox(source, target)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    for number, result in enumerate(septet.open_mbox(target), 1):
        if result.result == "left":
            print(f"message {number} stayed: {result}")


if __name__ == "__main__":
    main(*sys.argv[1:])
