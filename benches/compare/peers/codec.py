"""Converts a file from one charset to another, as iconv does: codec.py FROM TO FILE >OUT."""

import shutil
import sys


def main():
    """Reads, converts and writes in pieces."""
    source, target, path = sys.argv[1:]
    sys.stdout.reconfigure(encoding=target, newline="")
    with open(path, encoding=source, newline="") as file:
        shutil.copyfileobj(file, sys.stdout, 1 << 18)


main()
