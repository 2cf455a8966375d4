"""The messages that go through mailboxes: what is odd about each stands in its Subject, behind its number.

Each is valid for what stores mail: octets with a header. A program may change one as it stores it (a NUL, a CR, its own
fields); what it has made of it is what must come back.
"""

LONG = b"x" * 5000


def numbered(number, name, body=b"text\n", fields=b"", end=b"\n"):
    """A message whose Subject begins with its number; its lines end with `end`."""
    top = b"From: Ann <ann@x.example>\nTo: ben@y.example\nDate: Sat, 21 Nov 2026 10:%02d:00 +0000\n" % (number % 60)
    top += b"Subject: %03d %s\nMessage-ID: <%d@x.example>\n" % (number, name.encode(), number)
    return (top + fields + b"\n" + body).replace(b"\n", end)


# What stands in a body, by name: lines that start a message in one program or another, and lines that do not.
BODIES = {
    "plain": b"text\n",
    "empty body": b"",
    "one empty line": b"\n",
    "three empty lines": b"\n\n\n",
    "empty lines at the end": b"text\n\n\n\n",
    "empty lines at the start": b"\n\n\ntext\n",
    "no final newline": b"text without an end",
    "a blank as the last line": b"text\n \n",
    "From and a word": b"text\n\nFrom now on\nmore\n",
    "From at the start": b"From the start\nmore\n",
    "From at the end": b"text\n\nFrom the end\n",
    "From without an end": b"text\n\nFrom the end",
    "From_ line of ctime": b"text\n\nFrom ann@x.example Sat Nov 21 10:00:00 2026\nmore\n",
    "From_ line and fields": b"text\n\nFrom ann@x.example Sat Nov 21 10:00:00 2026\nFrom: c@x.example\nSubject: inner\n\nmore\n",
    "From_ line without an empty line before": b"text\nFrom ann@x.example Sat Nov 21 10:00:00 2026\nmore\n",
    "From_ line with a zone": b"text\n\nFrom ann@x.example Sat Nov 21 10:00:00 2026 +0100\nmore\n",
    "From_ line with remote from": b"text\n\nFrom ann Sat Nov 21 10:00:00 2026 remote from host\nmore\n",
    "quoted once": b"text\n\n>From ann@x.example Sat Nov 21 10:00:00 2026\nmore\n",
    "quoted twice and more": b"text\n\n>>From a\n>>>From b\n>>>>From c\n",
    "quoted at the start": b">From the start\nmore\n",
    "quoted by a mail program": b"> From ann\n>  From ben\n>|From c\n",
    "From and a tab": b"text\n\nFrom\tann\nmore\n",
    "From alone": b"text\n\nFrom\nFrom \n>From\n>From \n",
    "from in small letters": b"text\n\nfrom ann\nFROM ben\n",
    "four octets 1 within a line": b"text \x01\x01\x01\x01 more\n",
    "a dot alone": b"text\n.\n..\n.more\n",
    "a form feed": b"text\n\x0c\nmore\n",
    "8-bit": "Grüße, žluťoučký\n".encode() + b"\xe9t\xe9\n",
    "a long line": LONG + b"\n" + LONG + b"\n",
    "a long line without an end": LONG,
    "CR within a line": b"a\rb\r\rc\n",
    "CR before LF once": b"a\nb\r\nc\n",
    "CR at the end": b"text\r",
    "blanks at the ends of lines": b"text  \n\t\n  \nmore\t\n",
    "DEL and escapes": b"\x7f\x1b[31m\x08\n",
    "a header in the text": b"Status: RO\nX-Status: F\nX-UID: 7\n\ntext\n",
    "a delimiter": b"--b\nContent-Type: text/plain\n\ntext\n--b--\n",
    "a digest": b"\n" + b"-" * 30 + b"\n\nFrom: c@x.example\nSubject: inner\n\ntext\n\n" + b"-" * 30 + b"\n\nEnd of digest\n",
    "NUL": b"a\0b\n\0\n",
}

# What stands in a header.
FIELDS = {
    "Content-Length too short": (b"Content-Length: 3\n", b"text and more\n"),
    "Content-Length too long": (b"Content-Length: 300\n", b"text\n"),
    "Content-Length of nothing": (b"Content-Length: 0\n", b"text\n\nFrom the end\n"),
    "Content-Length twice": (b"Content-Length: 5\nContent-Length: 7\n", b"text\n"),
    "Content-Length and Lines right": (b"Content-Length: 5\nLines: 1\n", b"text\n"),
    "a folded field": (b"X-Folded: a\n b\n\tc\n  \n d\n", b"text\n"),
    "an empty field": (b"X-Empty:\nX-Blank: \n", b"text\n"),
    "a long field": (b"X-Long: " + LONG + b"\n", b"text\n"),
    "8-bit in a field": ("X-Name: Grüße\n".encode(), b"text\n"),
    "a field with a blank before its colon": (b"X-Odd : a\n", b"text\n"),
    "Return-Path": (b"Return-Path: <ann@x.example>\n", b"text\n"),
    "Return-Path of a bounce": (b"Return-Path: <>\n", b"text\n"),
    "Delivered-To": (b"Delivered-To: ben@y.example\n", b"text\n"),
    "Received": (b"Received: from x by y; Sat, 21 Nov 2026 10:00:00 +0000\n", b"text\n"),
    "a digest by its type": (b'MIME-Version: 1.0\nContent-Type: multipart/digest; boundary="b"\n',
                             b"--b\n\nFrom: c@x.example\nSubject: inner\n\ntext\n--b--\n"),
    "a message within": (b"MIME-Version: 1.0\nContent-Type: message/rfc822\n",
                         b"From: c@x.example\nSubject: inner\n\nFrom the start\n"),
}

# Fields in which programs keep what they know; a program may take them for its own, or remove them.
STATES = {
    "Status already": b"Status: RO\n",
    "Status and X-Status already": b"Status: O\nX-Status: AF\n",
    "X-Keywords already": b"X-Keywords: work\n",
    "X-UID already": b"X-UID: 4711\n",
    "X-IMAPbase already": b"X-IMAPbase: 1795949144 0000000003 work\n",
    "X-Label already": b"X-Label: work\n",
    "Lines already": b"Lines: 99\n",
}


def messages():
    """All of them, in order."""
    made = []

    def add(name, **how):
        made.append(numbered(len(made) + 1, name, **how))

    for name, body in BODIES.items():
        add(name, body=body)
    for name, (fields, body) in FIELDS.items():
        add(name, fields=fields, body=body)
    for name, fields in STATES.items():
        add(name, fields=fields)
    add("CRLF", end=b"\r\n", body=b"text\n\nFrom the end\n>From ann\n")
    add("CRLF, no final newline", end=b"\r\n", body=b"text")
    made.append(made[0])  # the same once more
    made.append(made[0].replace(b"001 plain", b"%03d of the same Message-ID" % (len(made) + 1)))
    made.append(numbered(len(made) + 1, "without a Message-ID").replace(b"Message-ID: ", b"X-No-ID: "))
    made.append(numbered(len(made) + 1, "without a body").removesuffix(b"\ntext\n"))
    return made
