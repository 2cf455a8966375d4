#!/usr/bin/env bash
# Three IMAP clients do not know what an ENVELOPE says of a group, not even of `undisclosed-recipients:;`.
#
# One would guess that the two entries that begin and end a group, whose host is NIL (RFC 3501 §7.4.2), are shown as such.
# Seen: in IMAPClient 4.1.0 (PyPI) the end can't be made a string (AttributeError); Mail::IMAPClient 3.43 gives
# `<undisclosed-recipients@NIL>` and `<NIL@NIL>`, Net::IMAP::Client 0.9507 `undisclosed-recipients@` and `@`.
# Needs: Debian 12, Python with venv and pip, and root if its Perl packages are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Net/IMAP/Client.pm=libnet-imap-client-perl \
  /usr/share/perl5/Mail/IMAPClient.pm=libmail-imapclient-perl
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
cat >"$folder/serve.py" <<'PYTHON'
import socketserver

FETCHED = b'* 1 FETCH (UID 1 ENVELOPE (NIL "x" NIL NIL NIL ((NIL NIL "undisclosed-recipients" NIL)(NIL NIL NIL NIL)) NIL NIL NIL NIL))'


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"* OK IMAP4rev1\r\n")
        for line in self.rfile:
            if b"CAPABILITY" in line:
                self.wfile.write(b"* CAPABILITY IMAP4rev1\r\n")
            if b"SELECT" in line:
                self.wfile.write(b"* 1 EXISTS\r\n")
            if b"FETCH" in line:
                self.wfile.write(FETCHED + b"\r\n")
            self.wfile.write(line.split()[0] + b" OK done\r\n")


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
python3 "$folder/serve.py" >"$folder/port" 2>"$folder/log" &
server=$!
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet imapclient==4.1.0
port=$(cat "$folder/port")
python=$("$folder/bin/python" - "$port" <<'PYTHON'
import sys

import imapclient

client = imapclient.IMAPClient("127.0.0.1", int(sys.argv[1]), ssl=False)
client.login("a", "a")
client.select_folder("INBOX")
first, last = client.fetch([1], ["ENVELOPE"])[1][b"ENVELOPE"].to
try:
    print(f"{first} {last}")
except AttributeError:
    print(first, "AttributeError")
PYTHON
)
perl=$(perl -MMail::IMAPClient -MNet::IMAP::Client -e '
  my $port = shift;
  my $client = Mail::IMAPClient->new(Server => "127.0.0.1", Port => $port, User => "a", Password => "a");
  $client->select("INBOX");
  print join(" ", $client->get_envelope(1)->to_addresses), "\n";
  $client = Net::IMAP::Client->new(server => "127.0.0.1", port => $port, user => "a", pass => "a", ssl => 0);
  $client->login;
  $client->select("INBOX");
  print join " ", map { $_->as_string } @{$client->get_summaries(1)->[0]->to};' "$port")
echo "IMAPClient 4.1.0: $python; Mail::IMAPClient and Net::IMAP::Client:" "${perl//$'\n'/; }"
[ "$python" = 'undisclosed-recipients AttributeError' ] && [ "$perl" = '<undisclosed-recipients@NIL> <NIL@NIL>
undisclosed-recipients@ @' ]
