#!/usr/bin/env bash
# OfflineIMAP of 2021-10-18 and imapfilter 2.8.1 ask for the folder `12" singles` in a way that no server understands.
#
# One would guess that the mark is written with a backslash, `"12\" singles"` (RFC 3501 §9, quoted), as isync 1.4.4 does.
# Seen: both send `"12" singles"`, though OfflineIMAP has just read the name from the server's list; and OfflineIMAP sends `a"b`
# and `c\d` without quotes, which are no atoms.
# Needs: Debian 12, python3, and root if offlineimap3, imapfilter or isync are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" offlineimap=offlineimap3 imapfilter=imapfilter mbsync=isync
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/isync"
cat >"$folder/serve.py" <<'PYTHON'
import socketserver

LISTED = rb'* LIST () "/" "12\" singles"', rb'* LIST () "/" "a\"b"', rb'* LIST () "/" "c\\d"'


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"* OK [CAPABILITY IMAP4rev1] x\r\n")
        for line in self.rfile:
            with open("asked", "ab") as asked:
                asked.write(line)
            tag, command = line.split()[:2]
            if command == b"CAPABILITY":
                self.wfile.write(b"* CAPABILITY IMAP4rev1\r\n")
            if command == b"LIST":
                self.wfile.write(b"\r\n".join(LISTED if b"*" in line else [b'* LIST () "/" ""']) + b"\r\n")
            if command in (b"SELECT", b"EXAMINE"):
                self.wfile.write(b"* FLAGS (\\Seen)\r\n* 0 EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 2] x\r\n")
            self.wfile.write(tag + b" OK done\r\n")
            if command == b"LOGOUT":
                return


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
(cd "$folder" && exec python3 serve.py >port 2>log) &
server=$!
until [ -s "$folder/port" ]; do sleep 0.1; done
port=$(cat "$folder/port")
cat >"$folder/offlineimap" <<SETTINGS
[general]
accounts = a
metadata = $folder/state
[Account a]
localrepository = l
remoterepository = r
[Repository l]
type = Maildir
localfolders = $folder/maildir
[Repository r]
type = IMAP
remotehost = 127.0.0.1
remoteport = $port
ssl = no
starttls = no
remoteuser = a
remotepass = a
SETTINGS
cat >"$folder/imapfilter.lua" <<SETTINGS
account = IMAP { server = "127.0.0.1", port = $port, username = "a", password = "a" }
account:create_mailbox('12" singles')
SETTINGS
cat >"$folder/mbsyncrc" <<SETTINGS
IMAPStore r
Host 127.0.0.1
Port $port
User a
Pass a
SSLType None
AuthMechs LOGIN

MaildirStore l
Path $folder/isync/
Inbox $folder/isync/INBOX
SubFolders Verbatim

Channel a
Far :r:
Near :l:
Patterns *
Create Near
SyncState *
SETTINGS
asks() {
  rm -f "$folder/asked"
  HOME=$folder timeout 60 "$@" >"$folder/said" 2>&1 || true
  tr -d '\r' <"$folder/asked" | sed -nE 's/^[^ ]* (SELECT|CREATE) //p' | sort
}
offlineimap=$(asks offlineimap -o -u quiet -c "$folder/offlineimap")
imapfilter=$(asks imapfilter -c "$folder/imapfilter.lua")
isync=$(asks mbsync -c "$folder/mbsyncrc" a)
echo "OfflineIMAP: ${offlineimap//$'\n'/, }; imapfilter: $imapfilter; isync: ${isync//$'\n'/, }"
[ "$offlineimap" = '"12" singles"
a"b
c\d' ] && [ "$imapfilter" = '"12" singles"' ] && [ "$isync" = '"12\" singles"
"a\"b"
"c\\d"' ]
