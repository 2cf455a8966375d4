#!/usr/bin/env bash
# Python's smtplib sends an EmailMessage in 8bit to a server that does not offer 8BITMIME, and does not declare it to one that
# does.
#
# One would guess that `send_message`, which asks for SMTPUTF8 and refuses where it is not to be had, minds RFC 6152 §3 as well: a
# client must not send such a body there, and says BODY=8BITMIME elsewhere.
# Seen: `set_content("é")` makes a body in 8bit, which goes out as it is to either, behind `mail FROM:<a@x.example>` alone.
# aiosmtplib 5.1.3 sends the same message in 7bit to the one, and with BODY=8BITMIME to the other.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet aiosmtplib==5.1.3
seen=$("$folder/bin/python" - <<'PYTHON'
import asyncio
import smtplib
import socketserver
import threading
from email.message import EmailMessage

import aiosmtplib


class Server(socketserver.StreamRequestHandler):
    def handle(self):
        answers = {b"EHLO": self.server.hello, b"DATA": b"354 x\r\n", b"QUIT": b"221 x\r\n"}
        self.wfile.write(b"220 x\r\n")
        for line in self.rfile:
            self.server.lines.append(line)
            if line == b".\r\n" or line[:5].upper() in (b"MAIL ", b"RCPT "):
                self.wfile.write(b"250 x\r\n")
            elif line[:4].upper() in answers and b":" not in line:
                self.wfile.write(answers[line[:4].upper()])


def send(hello, how):
    with socketserver.TCPServer(("127.0.0.1", 0), Server) as server:
        server.hello, server.lines = hello, []
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        how(server.server_address[1])
        thread.join()
    sender = next(line for line in server.lines if line.upper().startswith(b"MAIL"))
    return f"{sender.decode().strip()} {'8bit' if 'é'.encode() in b''.join(server.lines) else '7bit'}"


def standard(port):
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.send_message(message)


def other(port):
    asyncio.run(aiosmtplib.send(message, hostname="127.0.0.1", port=port, start_tls=False))


message = EmailMessage()
message["From"], message["To"] = "a@x.example", "b@x.example"
message.set_content("é")
for how in standard, other:
    for hello in b"250 x\r\n", b"250-x\r\n250 8BITMIME\r\n":
        print(send(hello, how))
PYTHON
)
echo "$seen"
[ "$seen" = 'mail FROM:<a@x.example> 8bit
mail FROM:<a@x.example> 8bit
MAIL FROM:<a@x.example> 7bit
MAIL FROM:<a@x.example> BODY=8BITMIME 8bit' ]
