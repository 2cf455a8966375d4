"""Runs a program in a terminal of its own, and prints as JSON what the terminal showed and how it was left.

usage: terminal.py ROWS COLUMNS END PROGRAM ARGUMENT…

END is a key to press, the name of a signal to send, or the number of another process that ends first. Of the output
nothing is known but what is used: the other screen, home, lines with their rests cleared.
"""

import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

rows, columns, end, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
ours, theirs = os.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
before = termios.tcgetattr(theirs)
program = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, start_new_session=True)


def read_until(wanted, text, seconds=20):
    """Reads on until a test holds of all that was read, and returns that."""
    limit = time.monotonic() + seconds
    while not wanted(text) and time.monotonic() < limit:
        if select.select([ours], [], [], 0.1)[0]:
            text += os.read(ours, 65536)
    return text


text = read_until(lambda text: b"ms  " in text and text.endswith(b"\x1b[J"), b"")
if end.isdigit():
    os.kill(int(end), signal.SIGKILL)
elif len(end) == 1:
    os.write(ours, end.encode())
else:
    program.send_signal(getattr(signal, "SIG" + end))
status = program.wait(20)
rest = read_until(lambda text: text.endswith(b"\x1b[?1049l"), b"", 2)
picture = re.findall(rb"\x1b\[H(.*?)\x1b\[J", text, re.S)[-1].replace(b"\x1b[K", b"")
print(json.dumps({
    "lines": picture.decode().replace("\r", "").split("\n"),
    "status": status,
    "restored": text.startswith(b"\x1b[?1049h") and rest.endswith(b"\x1b[?7h\x1b[?25h\x1b[?1049l"),
    "same_mode": termios.tcgetattr(theirs) == before,
    "said": program.stderr.read().decode(),
}))
