"""Those who send: by SMTP through a listener that forwards, and by the milter protocol as an MTA does."""
import re, socket, struct, time

PATIENCE = 120


class Broken(Exception):
    """The connection broke; whether the message was whole by then."""


class Smtp:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.lines = self.socket.makefile("rb")
        self.whole = False
        self.answer()
        self.say(b"EHLO client.example")

    def say(self, line):
        self.socket.sendall(line + b"\r\n")
        return self.answer()

    def answer(self):
        while line := self.lines.readline():
            if line[3:4] != b"-":
                return line
        raise EOFError("closed")

    def send(self, message, book):
        """Returns the reply to the message, or the first one that refuses it."""
        self.whole = False
        for line, good in ((b"MAIL FROM:<a@example.org> BODY=8BITMIME", b"2"), (b"RCPT TO:<b@example.net>", b"2"), (b"DATA", b"3")):
            told = self.say(line)
            if told[:1] != good:
                self.say(b"RSET")
                return told
        self.socket.sendall(re.sub(rb"(?m)^\.", b"..", message.sent))
        self.whole = True
        return self.say(b".")

    def close(self):
        self.socket.close()


class Milter:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.whole = False
        self.put(b"O", struct.pack(">III", 6, 0x1FF, 0x1FFFFF))
        self.reply()

    def put(self, code, data=b""):
        self.socket.sendall(struct.pack(">I", len(data) + 1) + code + data)

    def exactly(self, count):
        got = bytearray()
        while len(got) < count:
            piece = self.socket.recv(min(1 << 20, count - len(got)))
            if not piece:
                raise EOFError("closed")
            got += piece
        return bytes(got)

    def reply(self):
        body = self.exactly(struct.unpack(">I", self.exactly(4))[0])
        return body[:1], body[1:]

    def send(self, message, book):
        """Plays the MTA: what it would deliver arrives in the book. Returns a reply as SMTP has it."""
        head, _, body = message.sent.partition(b"\r\n\r\n")
        fields = [list(re.match(rb"([^:]+):(.*)", line, re.S).groups()) for line in re.split(rb"\r\n(?![ \t])", head)]
        self.put(b"M", b"<a@example.org>\0")
        self.put(b"R", b"<b@example.net>\0")
        for name, value in fields:
            self.put(b"L", name + b"\0" + value + b"\0")
        self.put(b"N")
        for at in range(0, len(body), 65535):
            self.put(b"B", body[at:at + 65535])
        self.put(b"E")
        return self.verdict(message, book, fields, body)

    def verdict(self, message, book, fields, body):
        new = []
        while True:
            code, data = self.reply()
            if code == b"m":
                change(fields, struct.unpack(">I", data[:4])[0], *data[4:].split(b"\0")[:2])
            elif code in (b"i", b"h"):
                at = struct.unpack(">I", data[:4])[0] if code == b"i" else len(fields)
                fields.insert(at, data[4 if code == b"i" else 0:].split(b"\0")[:2])
            elif code == b"b":
                new.append(data)
            elif code in (b"c", b"a"):
                head = b"".join(name + b":" + re.sub(rb"\r?\n", b"\r\n", value) + b"\r\n" for name, value in fields)
                book.arrived(message.number, head + b"\r\n" + (b"".join(new) if new else body))
                return b"250"
            elif code == b"y":
                return data
            elif code != b"p":
                raise ValueError(f"an answer {code!r}")

    def close(self):
        self.socket.close()


def change(fields, index, name, value):
    """Changes or deletes the field of this name that stands so many-th."""
    same = [at for at, field in enumerate(fields) if field[0].lower() == name.lower()]
    at = same[index - 1]
    if value:
        fields[at][1] = value
    else:
        del fields[at]


def deliver(client, connect, message, book, over, behind_a_queue=False):
    """Sends a message until it is taken, as an MTA does; returns the connection for the next one."""
    while True:
        try:
            client = client or connect()
            by = type(client).__name__.lower()
            told = client.send(message, book)
            if told.startswith(b"2"):
                (book.accepted if behind_a_queue else book.finished)(message, by)
                return client
            book.count(f"{by} told {told[:3].decode()}")
            if not told.startswith(b"4"):
                book.fault(f"message {message.number} was refused for good: {told!r}")
                return client
            time.sleep(0.1)
        except (OSError, EOFError) as error:
            if client and client.whole:
                book.doubt(message.number)
            book.count("connections broken" if client else "connections refused")
            client = None
            if isinstance(error, TimeoutError):
                book.fault(f"message {message.number}: no answer in {PATIENCE} s")
            if over.is_set() and time.time() > over.since + PATIENCE:
                return book.fault(f"message {message.number} was never taken")
            time.sleep(0.2)
