"""Messages of many sizes and kinds, and whether one that arrived says what was meant."""
import base64, binascii, hashlib, random, re

SIZES = (1_000, 20_000_000)
# What septet says of a message where `x_septet = true`, as of one for which there was no memory.
MARK = re.compile(rb"(?m)^X-Septet: .*\r\n(?:[ \t].*\r\n)*")
LINE = "Grüße aus München, café crème, naïve façade, à bientôt; and plain words behind them"


def octets_of(text):
    return hashlib.sha256(text.encode()).digest()


def size(choice):
    """Many small ones, few large ones: each tenfold size is a quarter as frequent."""
    low, high = SIZES
    weight = choice.random() ** 2.2
    return int(low * (high / low) ** weight)


class Message:
    """One message: what is sent, and what must be read at the end whatever septet made of it."""

    def __init__(self, number, choice):
        self.number, self.size = number, size(choice)
        self.kind = choice.choice(["latin", "latin", "utf-7", "ascii", "file"])
        line = f"{LINE if self.kind != 'ascii' else 'nothing but plain words'} {choice.random()}"
        text = (line + "\r\n") * max(1, self.size // (len(line) + 2))
        self.subject = f"Grüße {number}"
        self.text = octets_of(text)
        self.file = None
        self.sent = getattr(self, "as_" + self.kind.replace("-", "_"))(text)
        self.whole = hashlib.sha256(self.sent).digest() if self.kind == "ascii" else None

    def head(self, charset, transfer):
        word = "=?iso-8859-1?Q?Gr=FC=DFe?=" if self.kind != "ascii" else "=?utf-8?B?R3LDvMOfZQ==?="
        return (f"X-Soak: {self.number}\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <{self.number}@soak.example>\r\n"
                f"From: a@example.org\r\nSubject: {word} {self.number}\r\nMIME-Version: 1.0\r\n"
                f"Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n").encode()

    def as_latin(self, text):
        return self.head("iso-8859-1", "8bit") + text.encode("latin-1")

    def as_utf_7(self, text):
        return self.head("utf-7", "7bit") + text.encode("utf-7").replace(b"\r\n", b"\r\n")

    def as_ascii(self, text):
        return self.head("us-ascii", "7bit") + text.encode()

    def as_file(self, text):
        head, _, _ = self.head("x", "x").partition(b"Content-Type")
        octets = random.Random(self.number).randbytes(min(len(text), 200_000))
        self.file = hashlib.sha256(octets).digest()
        return (head + b"Content-Type: multipart/mixed; boundary=soak\r\n\r\n--soak\r\nContent-Type: text/plain; charset=iso-8859-1\r\n"
                b"Content-Transfer-Encoding: 8bit\r\n\r\n" + text.encode("latin-1") +
                b"\r\n--soak\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment\r\n"
                b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(octets).replace(b"\n", b"\r\n") + b"--soak--\r\n")

    def wrong(self, raw):
        """Says what is wrong with the message as it arrived, apart from what an MTA put on top; None if nothing is."""
        raw = MARK.sub(b"", raw[max(0, raw.find(b"X-Soak: ", 0, 4000)):], 1)
        if self.whole:
            return None if hashlib.sha256(raw).digest() == self.whole else "octets that need no change were changed"
        head, _, body = raw.partition(b"\r\n\r\n")
        if subject(head) != self.subject:
            return f"the subject reads {subject(head)!r}"
        if self.kind == "file":
            pieces = body.split(b"--soak")
            if len(pieces) != 4:
                return f"{len(pieces)} parts"
            head, _, body = pieces[1].partition(b"\r\n\r\n")
            body = body[:-2]
            if hashlib.sha256(base64.b64decode(pieces[2].partition(b"\r\n\r\n")[2])).digest() != self.file:
                return "the file is another"
        try:
            return None if octets_of(text_of(head, body)) == self.text else "the text reads otherwise"
        except (ValueError, LookupError) as error:
            return f"the text can't be read: {error}"


def field(head, name):
    found = re.search(rb"(?im)^" + name + rb":((?:[^\r\n]|\r\n[ \t])*)", head)
    return found.group(1).decode("latin-1").strip() if found else ""


def subject(head):
    from email.header import decode_header, make_header
    return str(make_header(decode_header(field(head, b"subject").replace("\r\n", ""))))


def text_of(head, body):
    charset = re.search(r'charset="?([^\s";]+)', field(head, b"content-type")).group(1)
    transfer = field(head, b"content-transfer-encoding").lower()
    if transfer == "quoted-printable":
        body = binascii.a2b_qp(body)
    elif transfer == "base64":
        body = base64.b64decode(body)
    return body.decode(charset)
