"""A next hop by SMTP: it keeps what it took, says 451 now and then, and is slow now and then."""
import random, re, socket, socketserver, threading, time


class Hop(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 256

    def __init__(self, book):
        self.book = book
        super().__init__(("127.0.0.1", 0), Session)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]

    def handle_error(self, request, address):
        pass  # whoever is killed breaks connections


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.choice = random.Random()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.say("220 hop.example ESMTP")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"EHLO":
                self.say("250-hop.example\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 60000000")
            elif verb == b"DATA":
                self.say("354 go on")
                self.take()
            elif verb == b"QUIT":
                return self.say("221 bye")
            elif verb in (b"MAIL", b"RCPT") and self.choice.random() < 0.005:
                self.say("451 4.3.0 not now")
            elif verb in (b"MAIL", b"RCPT", b"RSET"):
                self.say("250 2.0.0 ok")
            else:
                self.say("502 5.5.1 what?")

    def take(self):
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return
            lines.append(line[1:] if line.startswith(b".") else line)
        raw = b"".join(lines)
        if self.choice.random() < 0.02:
            time.sleep(self.choice.random() * 2)
        if self.choice.random() < 0.01:
            return self.say("451 4.3.0 not now")
        number = re.search(rb"(?m)^X-Soak: (\d+)", raw[:4000])
        self.server.book.arrived(int(number.group(1)) if number else None, raw)
        self.say("250-many\r\n" * 300 + "250 2.0.0 kept" if self.choice.random() < 0.01 else "250 2.0.0 kept")

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")
