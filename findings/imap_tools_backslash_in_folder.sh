#!/usr/bin/env bash
# imap-tools 1.16.0 (PyPI) doubles the backslashes of a folder's name.
#
# One would guess that a name from `folder.list()` can be given back to the server: `"c\\d"` is a quoted string for `c\d` (RFC
# 3501 §9).
# Seen: the name is `c\\d`, and asking for it sends `"c\\\\d"`, another folder; `"a\"b"` is `a"b`, as it should be. A server
# whose hierarchy has no delimiter, `NIL`, has one of three letters.
# Needs: Python with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet imap-tools==1.16.0
seen=$("$folder/bin/python" - <<'PYTHON'
import socketserver
import threading

import imap_tools

asked = []


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"* OK IMAP4rev1\r\n")
        for line in self.rfile:
            tag, command, *rest = line.decode().rstrip().split(" ", 2)
            if command == "CAPABILITY":
                self.wfile.write(b"* CAPABILITY IMAP4rev1\r\n")
            if command == "LIST":
                self.wfile.write(b'* LIST () NIL "c\\\\d"\r\n* LIST () NIL "a\\"b"\r\n')
            if command == "CREATE":
                asked.extend(rest)
            self.wfile.write(f"{tag} OK done\r\n".encode())


with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    mailbox = imap_tools.MailBoxUnencrypted("127.0.0.1", server.server_address[1]).login("a", "a")
    for found in mailbox.folder.list():
        mailbox.folder.create(found.name)
        print(found.delim, found.name, asked[-1])
    mailbox.client.shutdown()
    server.shutdown()
PYTHON
)
echo "imap-tools 1.16.0, delimiter, name and what it asks for:" "${seen//$'\n'/; }"
[ "$seen" = 'NIL c\\d "c\\\\d"
NIL a"b "a\"b"' ]
