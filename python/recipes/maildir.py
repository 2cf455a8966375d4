#!/usr/bin/env python3
"""Python's `mailbox`: converts the messages of a Maildir in their place.

    python3 maildir.py ~/Maildir

Flags and folders stay; the files' dates become those of today. (`septet convert` keeps these too, and has an undo.)
"""

import mailbox
import sys

import septet


def convert_maildir(box, profile="utf8"):
    """Converts a mailbox.Maildir and its folders, and returns how many messages were changed."""
    changed = 0
    for key in box.keys():
        try:
            result = septet.convert(box.get_bytes(key), profile)
            if result.changed:
                box[key] = result.bytes
                changed += 1
        except (KeyError, FileNotFoundError):
            # A mail program has moved or deleted it meanwhile.
            continue
    return changed + sum(convert_maildir(box.get_folder(name), profile) for name in box.list_folders())


if __name__ == "__main__":
    print(convert_maildir(mailbox.Maildir(sys.argv[1], create=False)), "changed")
