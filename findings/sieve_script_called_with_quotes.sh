#!/usr/bin/env bash
# Two clients of ManageSieve can't handle a script called `a"b` or `c\d`.
#
# One would guess that a name is written as `"a\"b"` and read so (RFC 5804 §4, quoted): what is not allowed in one are control
# characters (§1.6).
# Seen: sievelib 1.6.0 (PyPI) writes it so, but of the server's list reads `a\`, and `c\\d` for `c\d`; managesieve 0.8.1 (PyPI)
# reads both, but asks for `"a"b"` and `"c\d"`, which is no string, and another name.
# Needs: Python with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet sievelib==1.6.0 managesieve==0.8.1
seen=$("$folder/bin/python" -W ignore - <<'PYTHON'
import socketserver
import threading

import managesieve
from sievelib.managesieve import Client

asked = []


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b'"IMPLEMENTATION" "x"\r\n"SASL" "PLAIN"\r\n"SIEVE" ""\r\nOK\r\n')
        for line in self.rfile:
            if line.startswith(b"AUTHENTICATE") and line.endswith(b"+}\r\n"):
                self.rfile.readline()
            if line.startswith(b"CAPABILITY"):
                self.wfile.write(b'"SASL" "PLAIN"\r\n"SIEVE" ""\r\n')
            if line.startswith(b"LISTSCRIPTS"):
                self.wfile.write(b'"a\\"b"\r\n"c\\\\d"\r\n')
            if line.startswith(b"DELETESCRIPT"):
                asked.append(line.decode().split()[1])
            self.wfile.write(b"OK\r\n")


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
first = Client("127.0.0.1", server.server_address[1])
first.connect("a", "a", starttls=False, authmech="PLAIN")
second = managesieve.MANAGESIEVE("127.0.0.1", server.server_address[1])
second.login("PLAIN", "a", "a")
for client in first, second:
    for name in 'a"b', "c\\d":
        client.deletescript(name)
print(*first.listscripts()[1], *asked[:2])
print(*(name for name, _ in second.listscripts()[1]), *asked[2:])
PYTHON
)
echo "sievelib and managesieve, read and written:" "${seen//$'\n'/; }"
[ "$seen" = 'a\ c\\d "a\"b" "c\\d"
a"b c\d "a"b" "c\d"' ]
