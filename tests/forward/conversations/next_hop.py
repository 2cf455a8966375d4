"""A next hop that mostly behaves: now and then it refuses, stalls, hangs up, says too much, too little or nonsense."""
import asyncio, random, re

FAULTS = 0.04
ODDITIES = ["4", "5", "421", "hang up", "stall", "more", "latin", "long", "lines", "nonsense", "controls", "354"]
KEYWORDS = [b"PIPELINING", b"8BITMIME", b"SMTPUTF8", b"DSN", b"SIZE %d", b"ENHANCEDSTATUSCODES", b"CHUNKING",
            b"XFORWARD NAME ADDR PORT PROTO HELO IDENT SOURCE", b"X-ODD \xe9"]
NONSENSE = [b"nonsense\r\n", b"2500 hm\r\n", b"199 x\r\n", b"\r\n", b"250\x00 x\r\n", b"25\r\n"]
GONE = (asyncio.CancelledError, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, EOFError)


class HungUp(EOFError):
    """The next hop ends the connection, as its fault or after a 421."""


class Kept:
    """A message that arrived: what was said of it, and for which recipients it was taken."""

    def __init__(self, talk, raw):
        self.number, self.mail, self.recipients, self.raw = talk.number, talk.mail, list(talk.recipients), raw
        self.keywords, self.log = talk.keywords, talk.log[-30:]
        self.taken = []
        # Whether septet may not have heard what was answered: it gave up, or heard something else as well.
        self.unheard = True


class NextHop:
    def __init__(self, setup, lmtp, seed, promises):
        self.setup, self.lmtp, self.seed, self.promises = setup, lmtp, seed, promises
        self.kept, self.connections, self.calm = [], 0, False
        # What the clients said by XFORWARD of each message: its IDENT.
        self.announced = {}

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 24)
        self.port = self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        self.connections += 1
        choose = random.Random(f"{self.seed} {self.setup} hop {self.connections}")
        try:
            await Talk(self, reader, writer, choose).run()
        except GONE:
            pass
        finally:
            writer.close()


class Talk:
    """One connection of the next hop."""

    def __init__(self, hop, reader, writer, choose):
        self.hop, self.reader, self.writer, self.choose = hop, reader, writer, choose
        self.mail, self.recipients, self.number, self.ident = None, [], None, None
        self.keywords, self.log, self.promises = [], [], hop.promises

    def seldom(self, share):
        return not self.hop.calm and self.choose.random() < share

    async def put(self, octets):
        if self.choose.random() < 0.2 and len(octets) > 1:
            at = self.choose.randrange(1, len(octets))
            self.writer.write(octets[:at])
            await self.writer.drain()
            await asyncio.sleep(self.choose.choice([0, 0, 0.005]))
            octets = octets[at:]
        self.writer.write(octets)
        await self.writer.drain()

    async def say(self, reply, stage):
        """Says the reply, or something odd instead of it. Returns whether septet may take it for the reply."""
        if not self.seldom(FAULTS / 3 if stage in ("greeting", "EHLO") else FAULTS):
            if self.choose.random() < 0.05:
                await asyncio.sleep(self.choose.choice([0.01, 0.1, 0.3]))
            await self.put(reply)
            return True
        oddity = self.choose.choice(ODDITIES)
        self.log.append((stage, oddity))
        return await self.say_oddly(oddity, reply, stage)

    async def say_oddly(self, oddity, reply, stage):
        code, tag = reply[:3], reply[4:].split(b"\r\n")[0].strip()
        if oddity == "hang up":
            raise HungUp
        if oddity == "421":
            await self.put(b"421 4.3.2 bye\r\n")
            raise HungUp
        if oddity == "stall":
            await asyncio.sleep(1.6 if self.choose.random() < 0.3 else 0.5)
        refusals = {"4": b"451 4.3.0 later " + tag + b"\r\n", "5": b"550 5.7.1 never " + tag + b"\r\n",
                    "nonsense": self.choose.choice(NONSENSE)}
        if oddity in refusals:
            await self.put(refusals[oddity])
            return False
        if oddity == "354":
            await self.put(b"354 what " + tag + b"\r\n")
            return stage == "DATA"
        if oddity == "more":
            extra = self.choose.choice([b"250 unasked\r\n", b"421 unasked\r\n", b"550 unasked\r\n", b"250-half"])
            self.writer.write(reply + extra)
            return True
        many = self.choose.choice([1, 3, 50])
        forms = {"latin": code + b" caf\xe9 " + tag + b"\r\n",
                 "long": code + b" " + tag + b" " + b"x" * self.choose.choice([500, 1800]) + b"\r\n",
                 "lines": (code + b"-" + tag + b" line\r\n") * many + code + b" " + tag + b"\r\n",
                 "controls": code + b" \0\t\x1b " + tag + b"\r\n"}
        await self.put(reply if stage == "EHLO" else forms.get(oddity, reply))
        return True

    async def line(self):
        line = await self.reader.readuntil(b"\n")
        self.promises.check(line.endswith(b"\r\n"), "commands end in CRLF", self.hop.setup, line)
        return line.rstrip(b"\r\n")

    async def run(self):
        await self.say(b"220 hop\r\n", "greeting")
        answers = {b"EHLO": self.ehlo, b"LHLO": self.ehlo, b"XFORWARD": self.xforward, b"MAIL": self.mail_from,
                   b"RCPT": self.rcpt, b"DATA": self.data, b"RSET": self.rset}
        while True:
            line = await self.line()
            verb = re.split(rb"[ :]", line)[0].upper()
            self.log.append(line[:90])
            if verb == b"QUIT":
                return await self.put(b"221 bye\r\n")
            if verb not in answers:
                self.promises.broken("only known commands are sent", self.hop.setup, line, self.log[-5:])
                await self.put(b"500 what\r\n")
            else:
                await answers[verb](line)

    def forget(self):
        self.mail, self.recipients, self.ident = None, [], None

    async def ehlo(self, _):
        self.forget()
        self.keywords = [one % self.choose.choice([0, 20000, 5000000]) if b"%d" in one else one
                         for one in KEYWORDS if self.choose.random() < 0.75]
        if self.hop.setup == "keep" and self.choose.random() < 0.9:
            self.keywords = sorted({*self.keywords, b"8BITMIME", b"SMTPUTF8"})
        lines = [b"hop", *self.keywords]
        await self.say(b"".join(b"250-" + line + b"\r\n" for line in lines) + b"250 HELP\r\n", "EHLO")

    async def xforward(self, line):
        offered = any(one.startswith(b"XFORWARD") for one in self.keywords)
        self.promises.check(offered and self.mail is None, "XFORWARD where it was offered, before MAIL", line)
        found = re.search(rb"IDENT=(\S+)", line)
        self.ident = found.group(1) if found else self.ident
        await self.say(b"250 ok\r\n", "XFORWARD")

    async def mail_from(self, line):
        self.promises.check(self.mail is None, "one MAIL at a time", self.hop.setup, self.log[-6:])
        found = re.search(rb"m(\d+-\d+)", line)
        number = found.group(1) if found else b"?"
        self.check_parameters(line.split(b">")[-1].upper(), line)
        self.check_ident(number)
        if await self.say(b"250 mail ok m" + number + b"\r\n", "MAIL"):
            self.mail, self.number, self.recipients = line, number, []

    def check_parameters(self, parameters, line):
        for word, keyword in [(b"SMTPUTF8", b"SMTPUTF8"), (b"BODY=", b"8BITMIME")]:
            good = word not in parameters or keyword in self.keywords
            self.promises.check(good, "a parameter only where it was offered", self.hop.setup, line, self.keywords)

    def check_ident(self, number):
        if self.hop.setup == "trusted" and any(one.startswith(b"XFORWARD") for one in self.keywords):
            told = None if self.ident == b"[UNAVAILABLE]" else self.ident
            wanted = self.hop.announced.get(number)
            self.promises.check(told == wanted, "what XFORWARD says is of this message", number, wanted, told, self.log[-12:])

    async def rcpt(self, line):
        found = re.search(rb"r(\d+-\d+)-(\d+)", line)
        tag = found.group(0) if found else b"?"
        self.promises.check(self.mail is not None, "RCPT after MAIL", self.hop.setup, line, self.log[-8:])
        own = not found or self.mail is None or found.group(1) == self.number
        self.promises.check(own, "recipients are of this message", self.hop.setup, self.mail, line)
        if self.seldom(0.1):
            return await self.put(self.choose.choice([b"550 5.1.1 no ", b"450 4.2.0 grey "]) + tag + b"\r\n")
        if await self.say(b"250 rcpt ok " + tag + b"\r\n", "RCPT"):
            self.recipients.append(tag)

    async def rset(self, _):
        self.forget()
        await self.say(b"250 rset\r\n", "RSET")

    async def data(self, _):
        if self.mail is None or not self.recipients:
            self.promises.broken("DATA after RCPT", self.hop.setup, self.log[-8:])
            return await self.put(b"503 what\r\n")
        if await self.say(b"354 go\r\n", "DATA"):
            await self.content()

    async def content(self):
        if self.seldom(FAULTS / 3):
            await asyncio.sleep(self.choose.choice([0, 0.05]))
            raise HungUp
        if self.seldom(FAULTS / 3):
            self.writer.write(b"552 5.3.4 too big\r\n")
            raise HungUp
        kept = Kept(self, await self.octets())
        self.hop.kept.append(kept)
        recipients = self.recipients
        self.forget()
        await (self.answer_each(kept, recipients) if self.hop.lmtp else self.answer(kept, recipients))

    async def octets(self):
        """Reads as RFC 5321 says: only CR LF ends a line, only CR LF . CR LF ends the message."""
        raw = bytearray()
        while True:
            line = await self.reader.readuntil(b"\n")
            first = not raw or raw.endswith(b"\r\n")
            if first and line == b".\r\n":
                return bytes(raw)
            raw += line[1:] if first and line[:1] == b"." else line

    async def answer(self, kept, recipients):
        before = len(self.log)
        good = await self.say(b"250 taken m" + kept.number + b"\r\n", "end")
        oddities = {one[1] for one in self.log[before:]}
        kept.unheard = good and bool(oddities & {"stall", "more"})
        kept.taken = recipients if good else []

    async def answer_each(self, kept, recipients):
        """LMTP: a reply for each recipient; at times one fewer, or one more (RFC 2033 §4.2)."""
        oddity = self.choose.choice(["fewer", "more", "hang up"]) if self.seldom(FAULTS * 1.5) else None
        answers = [(self.choose.choice([b"250 kept "] * 3 + [b"452 full ", b"550 no "]), tag) for tag in recipients]
        told = answers if oddity in (None, "more") else answers[:self.choose.randrange(len(answers))]
        kept.unheard = oddity is not None
        kept.taken = [tag for code, tag in told if code.startswith(b"250")]
        lines = [code + tag + b"\r\n" for code, tag in told]
        if oddity == "more":
            # With the others: one that comes later can't be told from the reply to the next command by anybody.
            self.writer.write(b"".join(lines) + b"250 kept r9-9-9\r\n")
        else:
            await self.put(b"".join(lines))
        if oddity == "hang up":
            raise HungUp
        if oddity == "fewer":
            await asyncio.sleep(2.5)
