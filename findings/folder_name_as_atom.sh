#!/usr/bin/env bash
# Two IMAP clients read the name of a folder only in part if a server sends it without quotes.
#
# One would guess that `* LIST () "/" &U,BTFw-` names 台北: quotes are only needed around what is no ASTRING-CHAR (RFC 3501 §9),
# and `,` is a letter of modified UTF-7's base64 (§5.1.3).
# Seen: for Net::IMAP::Client 0.9507 (Perl) the folders `&U,BTFw-`, `a@b` and `2026_1` are called `&U`, `a` and `2026`, and
# `[Gmail]` is an array; for imap 0.8.19 (npm) `[Gmail]/x` is `Gmail`.
# Needs: Debian 12, python3, Node.js and npm, and root if libnet-imap-client-perl is not installed. Exit code 0 if it is as
# seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Net/IMAP/Client.pm=libnet-imap-client-perl
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
cat >"$folder/serve.py" <<'PYTHON'
import socketserver
import sys

NAMES = ["&U,BTFw-", "a@b", "2026_1", "[Gmail]/x"]


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"* OK IMAP4rev1\r\n")
        for line in self.rfile:
            tag, command = line.decode().split()[:2]
            if command == "CAPABILITY":
                self.wfile.write(b"* CAPABILITY IMAP4rev1\r\n")
            if command == "LIST":
                for name in NAMES if b"*" in line else [""]:
                    self.wfile.write(f'* LIST () "/" {name or chr(34) * 2}\r\n'.encode())
            self.wfile.write(f"{tag} OK done\r\n".encode())


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
python3 "$folder/serve.py" >"$folder/port" 2>"$folder/log" &
server=$!
npm install --silent --no-audit --no-fund --prefix "$folder" imap@0.8.19
port=$(cat "$folder/port")
perl=$(perl -MNet::IMAP::Client -e '
  my $client = Net::IMAP::Client->new(server => "127.0.0.1", port => shift, user => "a", pass => "a", ssl => 0);
  $client->login;
  print join " ", map { ref || $_ } @{$client->folders};' "$port")
cat >"$folder/list.cjs" <<'JS'
const Imap = require("imap");
const imap = new Imap({ user: "a", password: "a", host: "127.0.0.1", port: +process.argv[2] });
imap.once("ready", () => imap.getBoxes((fault, boxes) => (console.log(Object.keys(boxes).join(" ")), imap.end())));
imap.connect();
JS
node=$(timeout 60 node "$folder/list.cjs" "$port")
echo "Net::IMAP::Client $(perl -MNet::IMAP::Client -e 'print Net::IMAP::Client->VERSION'): $perl; imap 0.8.19: $node"
[ "$perl" = '&U a 2026 ARRAY' ] && [ "$node" = '台北 a@b 2026_1 Gmail' ]
