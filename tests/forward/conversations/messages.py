"""Messages that are hard to carry: dots, bare line ends, NUL, no octet at all, raw 8-bit, megabytes."""

HEADER = b"From: a@example.org\r\nTo: b@example.net\r\nMessage-ID: <%s@x>\r\nSubject: %s\r\n"
UTF8 = b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
KINDS = ["text", "text", "text", "odd", "8bit", "raw 8-bit", "big", "nul", "empty", "dots", "bare", "utf-8 header"]
ODD = [b"\r\n", b".", b"..\r\n", b"a", b"\r\n.\r\n", b": ", b"\t", b"From "]
BARE = [
    b"\n", b"\r", b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r\n.\r\r\n", b"\r\r\n.\r\n", b"\r\n\0.\r\n", b"\r\n",
    b"\n.\r\nMAIL FROM:<m9-9@evil.example>\r\nRCPT TO:<r9-9-9@evil.example>\r\nDATA\r\nsmuggled\r\n.\n",
]


def make(choose, number):
    """Returns the kind of a message and its octets."""
    kind, header = choose.choice(KINDS), HEADER % (number, b"x")
    if kind == "text":
        return kind, header + b"\r\n" + b"".join(line(choose) for _ in range(choose.randrange(12)))
    if kind == "odd":
        return kind, b"".join(choose.choice(ODD) for _ in range(choose.randrange(40))) + b"\r\n"
    if kind == "8bit":
        return kind, header + UTF8 + "grüße é".encode() * choose.randrange(1, 9) + b"\r\n.x\r\n"
    if kind == "raw 8-bit":
        return kind, header + b"\r\n" + bytes(choose.randrange(128, 256) for _ in range(30)) + b"\r\n"
    if kind == "big":
        return kind, header + b"\r\n" + big(choose)
    if kind == "nul":
        return kind, header + b"\r\na\0b\r\n\0.\r\n\0\r\n"
    if kind == "empty":
        return kind, b""
    if kind == "dots":
        return kind, header + b"\r\n.\r\n..\r\n...\r\n.a\r\n"
    if kind == "utf-8 header":
        return kind, HEADER % (number, "grün ü".encode()) + UTF8 + b"x\r\n"
    return kind, header + b"\r\n" + b"".join(b"text" + choose.choice(BARE) for _ in range(choose.randrange(1, 6))) + b"end\r\n"


def line(choose):
    return bytes(choose.choice(b"abc .\t-=xyz") for _ in range(choose.randrange(70))) + b"\r\n"


def big(choose):
    octets = choose.choice([3000, 40000, 1 << 20, (1 << 20) + 3000000]) if choose.random() < 0.3 else 3000
    tail = "é\r\n".encode() if choose.random() < 0.3 else b""
    return (b"." + b"y" * 70 + b"\r\n") * (octets // 73 + 1) + tail
