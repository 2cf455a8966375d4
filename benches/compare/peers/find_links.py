"""Finds the links of a text with linkify-it-py, and prints them, one a line: find_links.py FILE >OUT."""

import sys

from linkify_it import LinkifyIt


def main():
    """Goes by lines, since it takes a text whole otherwise."""
    finder = LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            for found in finder.match(line) or ():
                print(found.url)


main()
