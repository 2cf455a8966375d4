"""A client that knows SMTP and LMTP, and keeps to neither their order nor their patience."""
import asyncio, re

from messages import make

NOISE = [b"NOOP", b"VRFY x", b"HELP", b"FOO bar", b"MAIL FROM:<", b"STARTTLS", b"DATA x", b"EXPN l", b"RCPT TO:<>"]
PATIENCE = 20
TAG = rb"(m\d+-\d+|r\d+-\d+-\d+)"


class Leaves(Exception):
    """The client goes away without a word."""


class Sent:
    """A message that was sent, and what the client was told of it."""

    def __init__(self, number, kind, raw):
        self.number, self.kind, self.raw = number, kind, raw
        self.recipients, self.accepted = [], []
        # The replies to its content; whether it was cut by the client (`middle`), or nobody waited for the reply.
        self.replies, self.gone = [], None


class Client:
    def __init__(self, setup, protocol, number, choose, promises, sent, announced):
        self.setup, self.lmtp, self.number, self.choose = setup, protocol == "lmtp", number, choose
        self.promises, self.sent, self.announced = promises, sent, announced
        self.said, self.messages = [], 0

    # The octets.

    async def put(self, octets):
        self.said.append(b"> " + octets[:120])
        if self.choose.random() < 0.3:
            octets = await self.put_in_pieces(octets)
        self.writer.write(octets)
        await self.writer.drain()

    async def put_in_pieces(self, octets):
        """Sends a part of the octets in pieces, and returns the rest."""
        while 1 < len(octets) <= 20000:
            at = self.choose.randrange(1, min(len(octets), self.choose.choice([3, 50, 5000])) + 1)
            self.writer.write(octets[:at])
            await self.writer.drain()
            octets = octets[at:]
            if self.choose.random() < 0.05:
                await asyncio.sleep(self.choose.choice([0, 0.001]))
        return octets

    async def reply(self):
        lines = [await self.reply_line()]
        while lines[-1][3:4] != b" ":
            lines.append(await self.reply_line())
        self.said.append(b"< " + lines[-1][:100])
        self.promises.check(len({line[:3] for line in lines}) == 1, "one code a reply", self.setup, lines)
        if lines[0][:3] == b"421":
            raise EOFError
        return int(lines[0][:3]), b"".join(lines)

    async def reply_line(self):
        try:
            line = await asyncio.wait_for(self.reader.readuntil(b"\n"), PATIENCE)
        except asyncio.TimeoutError:
            self.promises.broken("every command is answered", self.setup, self.number, self.said[-8:])
            raise EOFError
        good = line.endswith(b"\r\n") and re.match(rb"\d\d\d[ -]", line)
        self.promises.check(good, "replies have the form of replies", self.setup, line)
        return line

    async def ask(self, command, wanted=None):
        """Sends a command and returns the reply; one with another code than the wanted one breaks a promise."""
        await self.put(command + b"\r\n")
        code, text = await self.reply()
        self.promises.check(wanted in (None, code), "a reply has the code that it must have", self.setup, command, text, self.said[-8:])
        return code, text

    async def reset(self, sent=None):
        if sent:
            sent.accepted = []
        await self.ask(b"RSET", 250)

    # The conversation.

    async def talk(self, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        try:
            await self.reply()
            await self.ask(b"LHLO c" if self.lmtp else b"EHLO c", 250)
            for _ in range(self.choose.choice([1, 1, 2, 4])):
                await self.message()
            if self.choose.random() < 0.7:
                await self.ask(b"QUIT", 221)
                rest = await asyncio.wait_for(self.reader.read(), 10)
                self.promises.check(not rest, "nothing is said after QUIT", self.setup, rest)
        except asyncio.IncompleteReadError as end:
            self.promises.check(not end.partial, "no reply is cut", self.setup, end.partial)
        except (Leaves, EOFError, ConnectionError):
            pass
        finally:
            self.writer.close()

    async def message(self):
        """Sends one message, or half of one."""
        self.messages += 1
        number = b"%d-%d" % (self.number, self.messages)
        if self.setup == "trusted":
            await self.announce(number)
        kind, raw = make(self.choose, number)
        sent = self.sent[number] = Sent(number, kind, raw)
        if self.choose.random() < 0.03:
            raise Leaves
        await self.envelope(sent)
        if self.choose.random() < 0.06:
            sent.accepted = []
            await self.ask(b"RSET" if self.choose.random() < 0.7 else b"LHLO c" if self.lmtp else b"EHLO c", 250)
        else:
            await (self.chunks(sent) if self.choose.random() < 0.3 else self.data(sent))

    async def announce(self, number):
        """Says by XFORWARD whose message this is; at times what is said is taken back by RSET."""
        if self.choose.random() < 0.15:
            await self.ask(b"XFORWARD IDENT=Qtaken-back", 250)
            await self.reset()
        self.announced[number] = None
        if self.choose.random() < 0.6:
            self.announced[number] = b"Q" + number
            more = self.choose.choice([b"", b" NAME=n" + number + b" ADDR=10.1.2.3"])
            await self.ask(b"XFORWARD IDENT=Q" + number + more, 250)

    async def envelope(self, sent):
        commands = self.commands(sent)
        together = self.choose.random() < 0.5
        if together:
            await self.put(b"".join(command + b"\r\n" for command, _ in commands))
        mailed = False
        for command, tag in commands:
            if not together and self.choose.random() < 0.01:
                await self.put(command)
                raise Leaves
            if not together:
                await self.put(command + b"\r\n")
            code, text = await self.reply()
            mailed |= self.heard(sent, command, tag, code, text, mailed)

    def commands(self, sent):
        """Returns the commands of the envelope, each with the tag that its reply must have; noise has none."""
        utf8 = self.choose.random() < 0.3 or sent.kind == "utf-8 header"
        mail = b"MAIL FROM:<m" + sent.number + b"@example.org>" + (b" SMTPUTF8" if utf8 else b"")
        if self.choose.random() < 0.5 or sent.kind in ("8bit", "raw 8-bit"):
            mail += b" BODY=8BITMIME"
        if self.choose.random() < 0.3:
            mail += b" SIZE=%d" % len(sent.raw)
        sent.recipients = [b"r%s-%d" % (sent.number, at) for at in range(self.choose.choice([1, 1, 2, 5]))]
        commands = [(mail, b"m" + sent.number)]
        for tag in sent.recipients:
            domain = "@dé.example".encode() if utf8 and self.choose.random() < 0.1 else b"@example.net"
            commands.append((b"RCPT TO:<" + tag + domain + b">", tag))
        for _ in range(self.choose.choice([0, 0, 0, 1, 2])):
            commands.insert(self.choose.randrange(len(commands) + 1), (self.choose.choice(NOISE), None))
        return commands

    def heard(self, sent, command, tag, code, text, mailed):
        """Notes a reply of the envelope. Returns whether MAIL was accepted by it."""
        if not tag:
            return False
        # What the forwarder says for itself may quote what the next hop said of another recipient.
        said = text.split(b"is refused now: ")[0]
        found = re.search(rb"(?:ok|later|never|no|grey|what) " + TAG, said)
        self.promises.check(not found or found.group(1) == tag, "a reply is of its command", self.setup, command, text, self.said[-8:])
        if code == 250 and tag[:1] == b"r":
            self.promises.check(mailed, "no recipient without a sender", self.setup, command, text)
            sent.accepted.append(tag)
        return code == 250 and tag[:1] == b"m"

    # The content.

    async def data(self, sent):
        code, text = await self.ask(b"DATA")
        self.promises.check(code != 354 or sent.accepted, "no content without a recipient", self.setup, text, self.said[-8:])
        if code != 354:
            self.promises.check(code != 503 or not sent.accepted, "content where there is a recipient", self.setup, text)
            return await self.reset()
        wire = self.stuffed(sent)
        way = self.choose.random()
        if way < 0.03:
            sent.gone = "middle"
            await self.put(wire[:self.choose.randrange(len(wire) + 1)])
            raise Leaves
        if way < 0.05:
            sent.gone = "end"
            await self.put(wire + b".\r\n")
            raise Leaves
        more = self.choose.random() < 0.1
        await self.put(wire + b".\r\n" + (b"NOOP\r\n" if more else b""))
        await self.ends(sent)
        if more:
            code, text = await self.reply()
            self.promises.check(code == 250, "what was sent ahead is answered", self.setup, text, self.said[-6:])

    def stuffed(self, sent):
        """Returns the content with dots doubled (RFC 5321 §4.5.2), and notes the line end that DATA needs."""
        if sent.raw and not sent.raw.endswith(b"\r\n"):
            sent.raw += b"\r\n"
        return b"\r\n".join(b"." + line if line[:1] == b"." else line for line in sent.raw.split(b"\r\n"))

    async def ends(self, sent):
        """Reads the replies to the content: one, or in LMTP one for each accepted recipient."""
        tags = sent.accepted if self.lmtp else [b"m" + sent.number]
        try:
            for tag in tags:
                code, text = await self.reply()
                found = re.search(rb"(?:taken|kept|full) " + TAG, text)
                own = not found or found.group(1) == tag or (not self.lmtp and found.group(1) in sent.accepted)
                self.promises.check(own, "a reply is of its recipient", self.setup, tag, text, self.said[-6:])
                sent.replies.append(code)
        except (EOFError, ConnectionError):
            sent.gone = "421"
            raise

    async def chunks(self, sent):
        """Sends the content by BDAT (RFC 3030), whole, or broken off."""
        pieces = self.pieces(sent.raw)
        chunks = [b"BDAT %d\r\n" % len(piece) + piece for piece in pieces[:-1]]
        chunks.append(b"BDAT %d LAST\r\n" % len(pieces[-1]) + pieces[-1])
        if not sent.accepted:
            await self.put(chunks[0])
            code, text = await self.reply()
            self.promises.check(code >= 400, "no content without a recipient", self.setup, text)
            return await self.reset()
        way = self.choose.random()
        if way < 0.05 and len(chunks) > 1:
            for chunk in chunks[:self.choose.randrange(1, len(chunks))]:
                await self.put(chunk)
                await self.reply()
            return await self.reset(sent)
        if way < 0.08:
            sent.gone = "middle"
            await self.put(b"BDAT 9")
            raise Leaves
        if way < 0.10 and len(chunks) > 1:
            await self.put(chunks[0])
            await self.reply()
            code, text = await self.ask(b"DATA")
            self.promises.check(code >= 500, "no DATA among chunks", self.setup, text)
            return await self.reset(sent)
        return await self.all_chunks(sent, chunks)

    def pieces(self, raw):
        pieces = []
        while raw and self.choose.random() < 0.8 and len(pieces) < 20:
            at = self.choose.randrange(len(raw) + 1)
            pieces.append(raw[:at])
            raw = raw[at:]
        return [*pieces, raw]

    async def all_chunks(self, sent, chunks):
        together = self.choose.random() < 0.4
        if together:
            await self.put(b"".join(chunks))
        for chunk in chunks[:-1]:
            if not together:
                await self.put(chunk)
            code, _ = await self.reply()
            if code != 250:
                return await self.broken_off(sent, together, len(chunks))
        if not together:
            await self.put(chunks[-1])
        await self.ends(sent)
        if sent.replies and sent.replies[0] >= 400:
            await self.reset()

    async def broken_off(self, sent, together, chunks):
        """After a chunk that was refused: those that were sent already are refused too; the connection then ends."""
        sent.accepted = []
        if together:
            sent.gone = "refused chunk"
            raise Leaves
        await self.reset(sent)
