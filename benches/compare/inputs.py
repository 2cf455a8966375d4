"""Makes the inputs once, in the folder for them, and finds them there the next time."""

import os
import re

from letters import FROM, Writer


class Inputs:
    """The folder of inputs; what is in it already is taken as it is."""

    def __init__(self, folder):
        self.folder = folder

    def file(self, name, pieces):
        """Returns the path of an input; `pieces` is called to make its octets where it isn't there."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path + ".new", "wb") as file:
                file.writelines(pieces())
            os.replace(path + ".new", path)
        return path

    def mailbox(self, name, octets, shares):
        """Returns a mailbox of so many octets."""
        return self.file(f"{name}-{octets}.mbox", lambda: Writer().mailbox(octets, shares))

    def letter(self, kind, octets):
        """Returns one message with a body of about so many octets."""
        return self.file(f"{kind}-{octets}.eml", lambda: [Writer().message(kind, octets)])


def folder_of_mail(folder):
    """Yields what is in a folder as one mailbox: mailboxes as they are, messages in the dialect mboxrd."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            with open(os.path.join(place, name), "rb") as file:
                content = file.read()
            if not content.startswith(b"From ") and b":" in content.partition(b"\n")[0]:
                content = FROM + re.sub(rb"^(>*From )", rb">\1", content, flags=re.MULTILINE)
            if content.startswith(b"From "):
                yield content.rstrip(b"\r\n") + b"\n\n"


def repeated(source, target, octets):
    """Writes a mailbox as often as so many octets need, and returns where."""
    with open(source, "rb") as file:
        mailbox = file.read().rstrip(b"\n") + b"\n\n"
    with open(target, "wb") as file:
        for _ in range(-(-octets // len(mailbox))):
            file.write(mailbox)
    return target


def first_messages(path, octets):
    """Yields whole messages from the start of a mailbox, so many octets and the rest of the last one."""
    with open(path, "rb") as file:
        for line in file:
            octets -= len(line)
            if octets < 0 and line.startswith(b"From "):
                return
            yield line
