"""Messages that have the irregular forms of docs/irregular.md: some variants of each, the example of its row among them.

Every form has a control too, a message without it. Who doesn't see there what is meant is not asked about the form, so that
what readers see apart comes of the form alone. Only the keys of an answer that the form is about are compared.
"""

from dataclasses import dataclass

BASE = {
    "From": "a@example.org",
    "To": "z@example.net",
    "Subject": "s",
    "Date": "Sat, 21 Nov 2026 10:00:00 +0000",
    "Message-ID": "<1@example.org>",
    "MIME-Version": "1.0",
}
FROM, FILE, TYPE, TRANSFER = "From", "Content-Disposition", "Content-Type", "Content-Transfer-Encoding"


@dataclass(frozen=True)
class Form:
    """`meant` is what `keys` of an answer to the control have; `nothing` is a message without what is asked about: a reader
    that makes up a name for a file shows that name there."""

    keys: tuple
    control: bytes
    meant: tuple
    variants: dict  # messages by what is written in them
    nothing: bytes | None = None


def octets(text):
    """The octets of a text: UTF-8, but that `\\udcXX` stands for an octet by itself."""
    return text.encode("utf-8", "surrogateescape")


def shown(text):
    """What is written in a variant, for people."""
    text = "".join(f"\\x{ord(it) & 255:02x}" if "\udc80" <= it <= "\udcff" else it for it in text)
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t").replace("\0", "\\0").replace("\7", "\\a")


def message(body="x\n", **fields):
    """A message; `fields`, in which `_` stands for `-`, come in place of those in BASE, or behind them."""
    fields = {name.replace("_", "-"): text for name, text in fields.items()}
    head = [f"{name}: {text}\n" for name, text in (BASE | fields).items()]
    return octets("".join(head) + "\n" + body)


def behind(lines, body="x\n", without=()):
    """A message whose header ends in these lines."""
    head = [f"{name}: {text}\n" for name, text in BASE.items() if name not in without]
    return octets("".join(head) + lines + "\n" + body)


def addresses(keys, control, meant, *values):
    """A form of a list of addresses. From may hold a group (RFC 6854), and is the list whose addresses are asked for."""
    return Form(keys, message(From=control), meant, {shown(it): message(From=it) for it in values})


def subjects(control, meant, *values):
    return Form(("subject",), message(Subject=control), (meant,), {shown(it): message(Subject=it) for it in values})


def attached(disposition):
    """A text, and a file behind it whose Content-Disposition is given."""
    head = "Content-Type: text/plain\n\nx\n--b"
    file = f"Content-Type: application/pdf\nContent-Disposition: {disposition}\n\ny\n"
    return message(f"--b\n{head}\n{file}--b--\n", Content_Type="multipart/mixed; boundary=b")


def files(control, meant, *values):
    """A form of the parameters of a Content-Disposition."""
    variants = {shown(it): attached(it) for it in values}
    return Form(("files",), attached(control), (meant,), variants, attached("attachment"))


def text(body, type="text/plain; charset=utf-8", **fields):
    return message(body, Content_Type=type, **fields)


def bodies(transfer, control, meant, *values):
    """A form of an encoded body."""
    make = lambda body: text(body, Content_Transfer_Encoding=transfer)
    return Form(("texts",), make(control), ([meant],), {shown(it): make(it) for it in values})


def transfers(body, *values):
    """A form of the fields that name a transfer encoding; each value has one field or several, parted by `|`."""
    lines = lambda value: "Content-Type: text/plain; charset=utf-8\n" + "".join(f"{TRANSFER}: {it}\n" for it in value.split("|"))
    variants = {shown(it): behind(lines(it), body) for it in values}
    return Form(("texts",), behind(lines("base64"), body), (["abcde"],), variants)


def types(keys, control, meant, body, *values):
    """A form of Content-Type; each value has one field or several, parted by `|`."""
    lines = lambda value: "".join(f"Content-Type: {it}\n" for it in value.split("|"))
    return Form(keys, behind(lines(control), body), meant, {shown(it): behind(lines(it), body) for it in values})


PLAIN = "Content-Type: text/plain\n\n"
HTML = "Content-Type: text/html\n\n"


def parts(type, body):
    return message(body, Content_Type=type)


def mixed(body, boundary="a"):
    return parts(f"multipart/mixed; boundary={boundary}", body)


def structures(control, meant, *texts, **variants):
    """A form of the structure, compared by the tree, and by the texts too if they are given; variants by what they are called."""
    keys = ("tree", "texts")[: 1 + len(texts)]
    return Form(keys, control, (meant, *texts), {name.replace("_", " "): raw for name, raw in variants.items()})


NAMED = ("addresses", "names")
TWO = mixed(f"--a\n{PLAIN}x\n--a\n{HTML}y\n--a--\n")
TWO_TREE = ["multipart/mixed", "text/plain", "text/html"]
INNER = "Content-Type: multipart/mixed; boundary={}\n\n"
ATTACHED = "Content-Type: message/rfc822\n{}\n{}"
LETTER = "Subject: t\nMIME-Version: 1.0\nContent-Type: text/html\n\ny\n"
LETTER_64 = "U3ViamVjdDogdApNSU1FLVZlcnNpb246IDEuMApDb250ZW50LVR5cGU6IHRleHQvaHRtbAoKeQo=\n"
LONG = "l" * 201


def header_ends(lines):
    """Lines between Subject and From: who goes on behind them sees the sender."""
    return octets(f"Subject: s\n{lines}From: a@example.org\nMIME-Version: 1.0\nContent-Type: text/plain\n\nx\n")


FORMS = {
    "address-angle": addresses(
        ("addresses",), "a <b@example.org>, c@example.org", (["b@example.org", "c@example.org"],),
        "a <b@example.org, c@example.org", "a <b@example.org", "<b@example.org", "a <b@example.org>>", "a b@example.org>",
        "a <<b@example.org>>", "a <b@example.org, c <d@example.org>", "<b@example.org, <c@example.org>",
        "a <b@example.org; c <d@example.org>", 'a b <c@example.org, "d" <e@example.org>',
    ),
    "address-backslash": addresses(
        NAMED, '"a\\"b" <c@example.org>', (["c@example.org"], ['a"b']),
        "a\\b <c@example.org>", "a\\ b <c@example.org>", "\\a <c@example.org>", "a\\, b <c@example.org>",
        "a \\(b\\) <c@example.org>", 'a \\"b\\" <c@example.org>', "a\\ <c@example.org>", '"a\\ b" <c@example.org>',
        '"a\\=?utf-8?Q?b?=" <c@example.org>', "a\\b@example.org",
    ),
    "address-group": addresses(
        ("addresses",), "a: b@example.org, <c@example.org>;", (["b@example.org", "c@example.org"],),
        "a: b: <c@example.org>;", "a: b@example.org, c: d@example.org;;", "a: b: c: d@example.org;",
        "a <b@example.org>: c@example.org;", "a: b <c@example.org>: d@example.org;", "a: b: c@example.org; d@example.org;",
        "a:: b@example.org;", "a: b@example.org, c: <d@example.org>, e@example.org;",
    ),
    "address-open": addresses(
        NAMED, '"a" <c@example.org>', (["c@example.org"], ["a"]),
        '"a <b@example.org>', '"a <b@example.org>, c@example.org', 'a" <b@example.org>', '"a" b" <c@example.org>',
        '"a, b <c@example.org>, d@example.org', "a (b <c@example.org>", "a <b@example.org> (c", "a (b (c) <d@example.org>",
        'a@example.org, "b <c@example.org>', "a <b@[192.0.2.1>", 'a"b <c@example.org>',
    ),
    "address-semicolon": addresses(
        ("addresses",), "a@example.org, b <c@example.org>", (["a@example.org", "c@example.org"],),
        "a@example.org; b <c@example.org>", "a@example.org;b@example.org", "a <b@example.org>; c <d@example.org>",
        "a@example.org;", "a <b@example.org>;", "a@example.org; b@example.org; c@example.org", ";a@example.org",
        "a@example.org;, b@example.org", "a, b <c@example.org>; d@example.org", "a: b@example.org;; c@example.org",
    ),
    "address-text": addresses(
        NAMED, "b <a@example.org>", (["a@example.org"], ["b"]),
        "<a@example.org> b", "a <b@example.org> c", 'a <b@example.org> "c"', "a <b@example.org>.", "<a@example.org> <b@example.org>",
        "a <b@example.org> c@example.org", "a <b@example.org> c <d@example.org>", "a@example.org b@example.org", "a@b@example.org",
        "a@example.org <b@example.org> c",
    ),
    "base64-damaged": bodies(
        "base64", "YWJjZGU=\n", "abcde",
        "Y2Fmw\n", "YWJjZ\n", "YWJjZ=\n", "YWJjZ===\n", "YWJj\nZ\n", "Z\n", "YWJjZGU=Z\n", "YWJj!\nZ\n", "YWJj\udce9ZGU=\n",
    ),
    "base64-url": bodies(
        "base64", "8J+YgA==\n", "\U0001f600",
        "IGFu____IEv2\n", "8J-YgA==\n", "8J-YgA\n", "w7_Dvw==\n", "YWJjPz8_ZGVm\n", "YWJjPj4-ZGVm\n", "YWJj\nPz8_Pz8_\nZGVm\n",
    ),
    "base64-words": bodies(
        "base64", "YWJjZGVm\n", "abcdef",
        "Y2Fm\n-- \nannounce\n", "YWJjZGVm\n-- \nannounce\n", "YWJjZGU=\n-- \nannounce\n", "YWJjZGVm\n_____\nlist footer\n",
        "YWJjZGU=\n_____\nlist footer\n", "YWJjZGVm\nlist@example.org\n",
    ),
    "qp-disputed": bodies(
        "quoted-printable", "a=3Db=\nc\n", "a=bc",
        "a==3Db\n", "a==\nb\n", "a===3Db\n", "a=3=3Db\n", "a=C=C3=A9b\n", "a=\rb\n", "a==C3=A9\n",
    ),
    "field-line-end": subjects(
        "a b", "a b",
        "a\rb", "a\r b", "a\rX-B: c", "a\0b", "a \0 b", "a\0", "a\r\r\n b", "=?utf-8?Q?a?=\r=?utf-8?Q?b?=",
    ),
    "transfer-conflict": transfers(
        "YWJjZGU=\n",
        "base64|quoted-printable", "quoted-printable|base64", "7bit|base64", "base64|7bit", "8bit|base64", "base64|8bit",
        "quoted-printable|8bit", "8bit|quoted-printable", "base64|x-none", "x-none|base64", "base64|7bit|base64",
    ),
    "transfer-odd": transfers(
        "YWJjZGU=\n",
        '"7bit"', '"base64"', "base64;", "base64; charset=utf-8", "base64,", "base64, 7bit", "<base64>", "base64 (a", "base64/8bit",
        "=base64", '"quoted-printable"',
    ),
    "type-conflict": types(
        ("tree",), "text/html", (["text/html"],), "x\n",
        "text/plain|text/html", "text/html|text/plain", "text/plain; charset=utf-8|text/html; charset=utf-8",
        "text/html|application/pdf", "application/pdf|text/html", "text/plain|text/html|text/plain",
        "html|text/html", "text/html|html",
    ),
    "comment-within": files(
        "attachment; filename=a.txt", ["a.txt"],
        "attachment; filename=a.txt(b)", "attachment; filename=a(b).txt", "attachment; filename=(b)a.txt", 'attachment; filename="a.txt"(b)',
        "attachment; filename=a.txt (b)", "attachment; filename (b)=a.txt", 'attachment; filename="a.txt" (b)', "attachment; (b) filename=a.txt",
    ),
    "extended-charset": files(
        "attachment; filename*=utf-8''caf%C3%A9.txt", ["café.txt"],
        "attachment; filename*=%E9", "attachment; filename*=caf%E9.txt", "attachment; filename*=utf-8'caf%C3%A9.txt",
        "attachment; filename*='caf%C3%A9.txt", "attachment; filename*=''1'caf%C3%A9.txt",
        "attachment; filename*=iso-8859-1''caf\udce9.txt", "attachment; filename*=utf-8 ''caf%C3%A9.txt",
        "attachment; filename=a.txt; filename*=x-none''caf%C3%A9.txt",
    ),
    "extended-percent": files(
        "attachment; filename*=utf-8''5%25.txt", ["5%.txt"],
        "attachment; filename*=utf-8''5%25%", "attachment; filename*=utf-8''5%.txt", "attachment; filename*=utf-8''5%2",
        "attachment; filename*=utf-8''5%2z.txt", "attachment; filename*=utf-8''%zz.txt", "attachment; filename*=utf-8''a%%25.txt",
        "attachment; filename*=utf-8''caf%C3%A", "attachment; filename*=iso-8859-1''caf%E9%.txt",
    ),
    "parameter-backslash": files(
        'attachment; filename="a\\"b.txt"', ['a"b.txt'],
        "attachment; filename=a\\b", "attachment; filename=a\\b.txt", "attachment; filename=a\\ b.txt", 'attachment; filename=a\\"b.txt',
        "attachment; filename=\\a.txt", 'attachment; filename="a\\ b.txt"', 'attachment; filename="a.txt\\ "', "attachment; filename=a.txt\\",
        "attachment; filename=a\\;b.txt", "attachment; filename=c:\\a\\b.txt",
    ),
    "parameter-conflict": files(
        "attachment; filename=a.txt", ["a.txt"],
        "attachment; filename=a.txt; filename=b.txt", 'attachment; filename="a.txt"; filename="b.txt"',
        "attachment; filename=a.txt; filename*0=b.txt", "attachment; filename*0=b.txt; filename=a.txt",
        "attachment; filename*0=a; filename*1=.txt; filename=b.txt", "attachment; filename*0=a.txt; filename*0=b.txt",
        "attachment; filename*=utf-8''a.txt; filename*=utf-8''b.txt", "attachment; filename*=utf-8''a.txt; filename*0*=utf-8''b.txt",
        "attachment; filename=a.txt; size=1; filename=b.txt",
    ),
    "parameter-name": files(
        "attachment; filename*0=a; filename*1=.txt", ["a.txt"],
        "attachment; filename*x=a", "attachment; filename*x=a.txt", "attachment; filename*00=a; filename*01=.txt",
        "attachment; filename*0=a; filename*01=.txt", "attachment; filename**=utf-8''a.txt", "attachment; filename*0**=utf-8''a.txt",
        "attachment; filename*-1=a.txt", "attachment; filename*=utf-8''a.txt; filename*x=b.txt", "attachment; filename*1x=a.txt",
    ),
    "parameter-open": files(
        'attachment; filename="a.txt"; size=1', ["a.txt"],
        'attachment; filename="a; x=b', 'attachment; filename="a.txt', 'attachment; filename="a.txt; size=1',
        'attachment; x="y; filename=a.txt', "attachment; filename=a.txt (b", "attachment; filename=a.txt (b; size=1",
        'attachment; size="1; filename="a.txt"', "attachment; (b filename=a.txt", 'attachment; filename="a\\"',
    ),
    "parameter-stray": files(
        "attachment; filename=a.txt", ["a.txt"],
        "attachment; filename", "attachment; filename=", "attachment; x filename=a.txt", "attachment; filename=a.txt; b",
        "attachment; filename=a;b.txt", "attachment; b; filename=a.txt", "attachment; =x; filename=a.txt", "; filename=a.txt",
        "filename=a.txt", "attachment, filename=a.txt", 'attachment; "b"; filename=a.txt', "attachment/x; filename=a.txt",
        "attachment; filename=; size=1",
    ),
    "parameter-text": files(
        'attachment; filename="a.txt"', ["a.txt"],
        'attachment; filename="a" b', 'attachment; filename="a" b.txt', 'attachment; filename="a"b.txt', 'attachment; filename="a"".txt"',
        'attachment; filename="a".txt', 'attachment; filename="a" ".txt"', 'attachment; filename="a"b".txt"', 'attachment; filename=a".txt"',
        'attachment; filename="a.txt" b; size=1', 'attachment; filename=a"b.txt; x="',
    ),
    "parameter-unseparated": files(
        "attachment; filename=a.txt; size=1", ["a.txt"],
        "inline filename=a", "attachment filename=a.txt", 'attachment filename="a.txt"', "attachment\n filename=a.txt",
        'attachment; filename="a.txt" size=1', 'attachment; filename="a.txt"size=1',
        'attachment; size="1" filename="a.txt"', 'attachment; size="1"filename=a.txt',
    ),
    "parameter-white": files(
        'attachment; filename="a b.txt"', ["a b.txt"],
        "attachment; filename=a b", "attachment; filename=a b.txt", "attachment; filename=a b c.txt", "attachment; filename=a  b.txt",
        "attachment; filename=a\tb.txt", "attachment; filename=a\n b.txt", "attachment; filename=a b.txt; size=1",
        "attachment; size=1; filename=a b.txt", "attachment; filename=a.txt b", "attachment; filename=é b.txt",
        "attachment; filename=a.txt size=1", "attachment; size=1 filename=a.txt",
    ),
    "section-missing": files(
        "attachment; filename*0=a; filename*1=.txt", ["a.txt"],
        "attachment; filename*0=a; filename*2=b", "attachment; filename*0=a; filename*2=.txt", "attachment; filename*1=a.txt",
        "attachment; filename*1=a; filename*2=.txt", "attachment; filename*0=; filename*1=a.txt", 'attachment; filename*0=""; filename*1=a.txt',
        "attachment; filename*0*=utf-8''; filename*1*=a.txt", 'attachment; filename*0=a; filename*1=""; filename*2=.txt',
        "attachment; filename*=utf-8''", "attachment; filename*=",
    ),
    "section-unmarked": files(
        "attachment; filename*0*=utf-8''a; filename*1*=%C3%A9.txt", ["aé.txt"],
        "attachment; filename*0=a; filename*1*=%C3%A9", "attachment; filename*0=a; filename*1*=%C3%A9.txt", "attachment; filename*0=a; filename*1*=utf-8''%C3%A9.txt",
        "attachment; filename*0=utf-8''a; filename*1*=%C3%A9.txt", 'attachment; filename*0="a%20"; filename*1*=b.txt',
        'attachment; filename*0="a b"; filename*1*=%C3%A9; filename*2=.txt',
    ),
    "section-word": files(
        "attachment; filename*0*=utf-8''a; filename*1=b.txt", ["ab.txt"],
        "attachment; filename*0*=utf-8''a; filename*1=\"=?utf-8?Q?b?=\"", "attachment; filename*0*=utf-8''a; filename*1=\"=?utf-8?B?Yi50eHQ=?=\"",
        "attachment; filename*0*=utf-8''a; filename*1=\"=?utf-8?Q?b?=.txt\"", "attachment; filename*0*=utf-8''a; filename*1=\"=?utf-8?Q?b?=\"; filename*2=.txt",
        "attachment; filename*0*=utf-8''a; filename*1*==?utf-8?Q?b?=", "attachment; filename*0=\"=?utf-8?Q?a?=\"; filename*1*=b.txt",
        "attachment; filename*0*=utf-8''=?utf-8?Q?a?=; filename*1=b.txt",
    ),
    "machine-octets": Form(
        ("texts",), text("é\n", 'text/plain; charset="utf-8"'), (["é"],),
        {
            shown(it): text("é\n", it)
            for it in [
                'text/plain; charset="utf\\-8"', 'text/plain; charset="=?utf-8?Q?utf-8?="', 'text/plain; charset="utf-8\7"',
                'text/plain; charset="utf-8é"', 'text/plain; format="a\7"; charset=utf-8', 'text/plain; format="é"; charset=utf-8',
                'text/plain; format="a\n\tb"; charset=utf-8',
            ]
        }
        | {
            shown(f"boundary={it}"): mixed(f"--{it}\nContent-Type: text/plain; charset=utf-8\n\né\n--{it}--\n", f'"{as_written}"')
            for it, as_written in [("a\7", "a\7"), ("aé", "aé"), ("a-b", "a\\-b"), ("=?utf-8?Q?a?=", "=?utf-8?Q?a?="), ("a\tb", "a\n\tb"), (LONG, LONG)]
        },
    ),
    "type-invalid": types(
        ("tree",), "text/html; charset=utf-8", (["text/html"],), "<b>x</b>\n",
        "html", "text/", "/html", "text/html/x", "text html", "text\\html", '"text/html"', "text//html", "text=html",
        "; charset=utf-8", "html; charset=utf-8", "text/(a)",
    ),
    "boundary-missing": structures(
        TWO, TWO_TREE,
        none=parts("multipart/mixed", f"--a\n{PLAIN}x\n--a\n{HTML}y\n--a--\n"),
        none_and_no_delimiter=parts("multipart/mixed", "x\n"),
        empty=parts('multipart/mixed; boundary=""', f"--a\n{PLAIN}x\n--a\n{HTML}y\n--a--\n"),
        another=parts("multipart/mixed; boundary=b", f"--a\n{PLAIN}x\n--a\n{HTML}y\n--a--\n"),
        no_delimiter=parts("multipart/mixed; boundary=a", "x\n"),
        none_in_a_part=mixed(f"--a\nContent-Type: multipart/mixed\n\n--b\n{HTML}x\n--b--\n--a--\n"),
        another_in_a_part=mixed(f"--a\n{INNER.format('c')}--b\n{HTML}x\n--b--\n--a--\n"),
        only_the_closing_one=mixed("x\n--a--\n"),
    ),
    "boundary-repeated": structures(
        mixed(f"--a\n{INNER.format('b')}--b\n{PLAIN}x\n--b--\n--a\n{INNER.format('c')}--c\n{HTML}y\n--c--\n--a--\n"),
        ["multipart/mixed", "multipart/mixed", "text/plain", "multipart/mixed", "text/html"],
        side_by_side=mixed(f"--a\n{INNER.format('b')}--b\n{PLAIN}x\n--b--\n--a\n{INNER.format('b')}--b\n{HTML}y\n--b--\n--a--\n"),
        in_itself=mixed(f"--a\n{INNER.format('a')}--a\n{PLAIN}x\n--a--\n--a\n{HTML}y\n--a--\n"),
        in_itself_and_once_closed=mixed(f"--a\n{INNER.format('a')}--a\n{PLAIN}x\n--a--\n"),
        in_itself_as_the_last=mixed(f"--a\n{PLAIN}x\n--a\n{INNER.format('a')}--a\n{HTML}y\n--a--\n--a--\n"),
        two_levels_down=mixed(f"--a\n{INNER.format('b')}--b\n{INNER.format('a')}--a\n{PLAIN}x\n--a--\n--b--\n--a\n{HTML}y\n--a--\n"),
        side_by_side_and_not_closed=mixed(f"--a\n{INNER.format('b')}--b\n{PLAIN}x\n--a\n{INNER.format('b')}--b\n{HTML}y\n--b--\n--a--\n"),
    ),
    "composite-encoded": structures(
        mixed("--a\n" + ATTACHED.format("", LETTER) + "--a--\n"), ["multipart/mixed", "message/rfc822", "text/html"],
        message_in_base64=mixed("--a\n" + ATTACHED.format("Content-Transfer-Encoding: base64\n", LETTER_64) + "--a--\n"),
        message_in_quoted_printable=mixed("--a\n" + ATTACHED.format("Content-Transfer-Encoding: quoted-printable\n", LETTER.replace("html", "ht=6Dl")) + "--a--\n"),
        message_in_base64_by_name_alone=mixed("--a\n" + ATTACHED.format("Content-Transfer-Encoding: base64\n", LETTER) + "--a--\n"),
        message_in_quoted_printable_by_name_alone=mixed("--a\n" + ATTACHED.format("Content-Transfer-Encoding: quoted-printable\n", LETTER) + "--a--\n"),
        alone_in_base64=message("U3ViamVjdDogYQoK\n", Content_Type="message/rfc822", Content_Transfer_Encoding="base64"),
        multipart_in_base64_by_name_alone=message(f"--a\n{HTML}x\n--a--\n", Content_Type="multipart/mixed; boundary=a", Content_Transfer_Encoding="base64"),
        multipart_in_quoted_printable_by_name_alone=message(f"--a\n{HTML}x\n--a--\n", Content_Type="multipart/mixed; boundary=a", Content_Transfer_Encoding="quoted-printable"),
        multipart_in_base64=message("LS1hCkNvbnRlbnQtVHlwZTogdGV4dC9odG1sCgp4Ci0tYS0tCg==\n", Content_Type="multipart/mixed; boundary=a", Content_Transfer_Encoding="base64"),
    ),
    "delimiter-in-text": structures(
        TWO, TWO_TREE, ["x", "y"],
        in_mid_line=mixed(f"--a\n{PLAIN}x --a\n--a\n{HTML}y\n--a--\n"),
        with_text_behind=mixed(f"--a\n{PLAIN}x\n--a y\n--a\n{HTML}y\n--a--\n"),
        with_text_glued_on=mixed(f"--a\n{PLAIN}x\n--ab\n--a\n{HTML}y\n--a--\n"),
        closing_with_text_glued_on=mixed(f"--a\n{PLAIN}x\n--a--b\n--a\n{HTML}y\n--a--\n"),
        behind_a_blank=mixed(f"--a\n{PLAIN}x\n --a\n--a\n{HTML}y\n--a--\n"),
        in_mid_line_of_the_last_part=mixed("--a\n\nx --a\n--a--\n"),
        behind_a_mark_of_quotes=mixed(f"--a\n{PLAIN}> --a\n--a\n{HTML}y\n--a--\n"),
    ),
    "delimiter-stray": structures(
        TWO, TWO_TREE,
        part_behind_the_end=mixed(f"--a\n{PLAIN}x\n--a--\n--a\n{HTML}y\n"),
        part_behind_the_end_and_closed=mixed(f"--a\n{PLAIN}x\n--a--\n--a\n{HTML}y\n--a--\n"),
        closed_twice=mixed(f"--a\n{PLAIN}x\n--a--\n--a--\n"),
        inner_one_behind_its_end=mixed(f"--a\n{INNER.format('b')}--b\n{PLAIN}x\n--b--\n--b\n{HTML}y\n--a--\n"),
        inner_one_in_a_later_part=mixed(f"--a\n{INNER.format('b')}--b\n{PLAIN}x\n--b--\n--a\n{PLAIN}y\n--b\n{HTML}z\n--a--\n"),
        inner_one_behind_the_outer_end=mixed(f"--a\n{INNER.format('b')}--b\n{PLAIN}x\n--b--\n--a--\n--b\n{HTML}y\n--b--\n"),
    ),
    "header-end": Form(
        ("addresses", "subject"), header_ends(""), (["a@example.org"], "s"),
        {
            shown(it): header_ends(it)
            for it in ["no field\n", "no field at all\nX-A: b\n", "b\n", ": b\n", "a b: c\n", "From b@example.org Thu Jan  1 00:00:00 1970\n", ">From b@example.org\n", "é: b\n"]
        },
    ),
    "header-white": Form(
        ("addresses", "subject"), header_ends(""), (["a@example.org"], "s"),
        {
            shown(it): octets(it + "\nMIME-Version: 1.0\nContent-Type: text/plain\n\nx\n")
            for it in [
                "Subject : s\nFrom: a@example.org", "Subject: s\nFrom : a@example.org", "Subject\t: s\nFrom: a@example.org",
                "X-A: b\nSubject : s\nFrom: a@example.org", "From: a@example.org\nX-A : b\nSubject: s", "From: a@example.org\nSubject  : s",
            ]
        },
    ),
    "word-base64": subjects(
        "=?utf-8?B?YWJjZGU=?=", "abcde",
        "=?utf-8?B?YQ==YQ==?=", "=?utf-8?B?YQ=YQ==?=", "=?utf-8?B?YQ==YQ?=", "=?utf-8?B?Y?=", "=?utf-8?B?YWJjZ?=", "=?utf-8?B?YWJjZ===?=",
        "=?utf-8?B?YQ===?=", "=?utf-8?B?=YWJj?=", "=?utf-8?B?YW!Jj?=", "=?utf-8?B?8J-YgA==?=", "=?utf-8?B?====?=", "a =?utf-8?B?YWJjZ?= b",
    ),
    "word-beside-octets": subjects(
        "é =?utf-8?Q?b?= é", "é b é",
        "\udce9=?utf-8?Q?b?=", "é=?utf-8?Q?b?=", "=?utf-8?Q?b?=é", "aé=?utf-8?Q?b?=", "=?utf-8?Q?b?=é a", "é=?utf-8?B?YmM=?=é", "é=?iso-8859-1?Q?=E9?=",
        "=?utf-8?Q?b?=é=?utf-8?Q?c?=",
    ),
    "word-broken": subjects(
        "=?utf-8?Q?a?= =?utf-8?Q?b?= c", "ab c",
        "=?utf-8?Q?a =?utf-8?Q?b?=", "=?utf-8?Q?a", "=?utf-8?Q?a?", "=?utf-8?Q?a?  =?utf-8?Q?b?=", "=?utf-8?Q?a =?utf-8?Q?b?= c", "=?utf-8?X?a?= =?utf-8?Q?b?=",
        "=?utf-8?a?= =?utf-8?Q?b?=", "=?utf-8?Q =?utf-8?Q?b?=", "=?utf-8?=?utf-8?Q?b?=", "=?utf-8?B?YQ== =?utf-8?Q?b?=",
    ),
    "word-marks": addresses(
        NAMED, "=?utf-8?Q?a=22b?= <c@example.org>", (["c@example.org"], ['a"b']),
        '=?utf-8?Q?a"b?= <c@example.org>', "=?utf-8?Q?a<b?= <c@example.org>", "=?utf-8?Q?a>b?= <c@example.org>", "=?utf-8?Q?a(b?= <c@example.org>",
        "=?utf-8?Q?a)b?= <c@example.org>", "=?utf-8?Q?a\\b?= <c@example.org>", "=?utf-8?Q?a[b?= <c@example.org>", "=?utf-8?Q?<a@b>_c?= <c@example.org>",
    ),
}  # fmt: skip
