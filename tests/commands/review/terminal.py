"""Runs a command in a terminal, and types a line at each of its prompts: terminal.py COLUMNS LINES COMMAND…

LINES are parted by commas; behind the last of them the input ends. What the terminal shows goes to standard output."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

PROMPT = b"?] "

columns, lines, command = int(sys.argv[1]), [line for line in sys.argv[2].split(",") if line], sys.argv[3:]
ready, go = os.pipe()
child, terminal = pty.fork()
if child == 0:
    os.read(ready, 1)
    # Whoever runs the tests in the background has it ignored, and what is ignored stays so.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execvp(command[0], command)
# Ctrl-C would also throw away what was shown last, be it said because of it.
modes = termios.tcgetattr(terminal)
modes[3] |= termios.NOFLSH
termios.tcsetattr(terminal, termios.TCSANOW, modes)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
os.write(go, b"x")
shown, seen, end = b"", 0, time.monotonic() + 60
while time.monotonic() < end:
    if not select.select([terminal], [], [], 1)[0]:
        continue
    try:
        octets = os.read(terminal, 65536)
    except OSError:
        break
    if not octets:
        break
    shown += octets
    # The paint of the prompt ends before its blank.
    plain = shown.replace(b"\x1b[0m", b"")
    if PROMPT in plain[seen:]:
        seen = plain.index(PROMPT, seen) + len(PROMPT)
        line = lines.pop(0) if lines else "\x04"
        # A control character is no line: it is heard at once.
        os.write(terminal, line.encode() + (b"" if line < " " else b"\n"))
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
