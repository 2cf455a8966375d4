#!/usr/bin/env python3
"""Archives from random pieces, as hostile as mail and disks can be, and random options over them.

Whatever comes: inputs stay unless they are to be replaced, `keep` gives the same octets, undo gives the original back, a second
run changes nothing, Python's mailbox sees as many messages, exit codes are those of the documentation, reports parse and have
nothing of the mail's in their markup, nothing in what is printed drives a terminal, and memory is bounded.

usage: [ONLY=bomb,killed,…] tests/archive/attack.py SEPTET [TURNS [SEED]]; bombs come only when they are named
Needs: python3, zstd, xz, bzip2; a part of it root. Not part of CI, which runs tests/commands/convert/bad_day.rs.
"""
import bz2, csv, email, gzip, html.parser, io, json, lzma, mailbox, os, random, re, shutil, signal, subprocess, sys
import tempfile, threading, time

SEPTET = os.path.realpath(sys.argv[1])
TURNS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
CODES = {0, 64, 65, 66, 69, 73, 74, 75, 77, 78}  # 70 is a fault of septet's own
MOST_MEMORY = 700 << 10  # kilobytes
PATIENCE = 120

HOSTILE = [
    "</script><x-evil onclick=alert(1)>", "<!-- x", "]]><x-evil>", "\"><x-evil href='javascript:x'>", "' onfocus='x", "{{7*7}}{% x %}",
    "\u202eexe.cod", "\u2066x\u2069", "\x1b[31mred\x1b]0;t\x07", "\x9b31m", "\x00nul", "\rcr", "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)",
    "\t=1", "| a | b |", "`code` ``", "[x](javascript:y)", "![](http://evil)", "\\|", "<br>", "&lt;x-evil&gt;", "&#60;x-evil&#62;",
    "\u2028line\u2029", "\ufeff", "\u200b", "e\u0301" * 9, "\U000e0041", "x" * 300, "", " ", "caf\u00e9", "\ud7ff", "a,b;\"c\"", "'", "\"", "\\",
]
CHARSETS = ["iso-8859-1", "utf-8", "us-ascii", "utf-7", "iso-2022-jp", "koi8-r", "x-unknown", "big5", "windows-1252", "utf-16",
            "</td><x-evil>", "=cmd", "\x1b[7m", "none", "gb2312", "\"utf-8", "utf-8''x", "x-my-koi8-r", "unicode-1-1-utf-7"]
DATES = ["Mon Jan  1 00:00:00 2007", "Thu, 1 Jan 1970 00:00:00 +0000", "Mon Jan  1 00:00 MET 2007", "never"]


def octets(r, text):
    """Writes a text in some charset, well or badly."""
    how = r.choice(["latin", "utf8", "utf8", "word", "word", "raw"])
    if how == "word":
        label = r.choice(CHARSETS)
        body = "".join(f"={octet:02X}" for octet in text.encode("utf-8", "replace"))[:r.choice([60, 2000])]
        return f"=?{label}?q?{body}?=".encode("utf-8")
    if how == "raw":
        return bytes(r.randrange(256) for _ in range(r.randrange(30)))
    return text.encode("latin-1" if how == "latin" else "utf-8", "replace")


def line(value):
    return value.replace(b"\n", b" ")


def body(r):
    pieces = []
    for _ in range(r.randrange(8)):
        pieces.append(r.choice([
            b"caf\xe9 au lait", "caf\u00e9 au lait".encode(), b"plain", b"From a@example.org Mon Jan  1 00:00:00 2007",
            b"From here on", b">From there", b">>From b Mon Jan  1 00:00:00 2007", b"\x00", b"a\rb", b"", b"", b".", b"--b", b"--b--",
            b"x" * r.choice([80, 999, 5000]), b"+AOk-+AApGcm9t- me", b"=46rom x", b"\x1b$B$3$s\x1b(B", "http://ex\u00e4mple.org/\u00e9".encode(),
            b"<p>caf\xe9</p><x-evil>", b"begin 644 a.bin", b"\xef\xbb\xbfBOM", b"\xff\xfe", b"Content-Length: 5", bytes(r.randrange(256) for _ in range(40)),
        ]))
    return b"\n".join(pieces) + r.choice([b"\n", b"\n", b"", b"\r", b"\n\n\n"])


def encoded(r, text):
    how = r.choice(["", "8bit", "7bit", "base64", "quoted-printable", "x-uuencode", "binary", "BASE64 "])
    import base64 as b64, quopri
    if how.strip().lower() == "base64":
        text = b64.encodebytes(text)
    elif how == "quoted-printable":
        text = quopri.encodestring(text)
    if r.random() < .1:
        text = text[:len(text) // 2]
    return how, text


def entity(r, depth=0):
    """Returns the fields of a part, and its body."""
    kind = r.choice(["text", "text", "text", "html", "file", "multi", "message", "bare"])
    end = b"\n"
    if kind == "multi" and depth < 3:
        boundary = r.choice(["b", "b", "bb", "=_x", "b b"])
        parts = [entity(r, depth + 1) for _ in range(r.randrange(4))]
        inner = b"".join(b"--" + boundary.encode() + end + fields + end + text + end for fields, text in parts)
        inner += r.choice([b"", b"--" + boundary.encode() + b"--\n"])
        return f'Content-Type: multipart/{r.choice(["mixed", "alternative", "signed", "digest"])}; boundary="{boundary}"\n'.encode(), inner
    if kind == "message" and depth < 3:
        fields, text = message(r, depth + 1)
        return b"Content-Type: message/rfc822\n", fields + end + text
    how, text = encoded(r, body(r))
    charset = line(r.choice(CHARSETS).encode("utf-8"))
    if kind == "bare":
        return b"", text
    if kind == "file":
        name = line(octets(r, r.choice(HOSTILE)))
        fields = b"Content-Type: application/octet-stream; name=\"" + name + b"\"\nContent-Disposition: attachment; " + r.choice([
            b"filename=\"" + name + b"\"", b"filename*=utf-7''+AOk-" + name.replace(b" ", b""), b"filename*0*=iso-8859-1''%E9; filename*1=x"]) + b"\n"
    else:
        fields = b"Content-Type: text/" + (b"html" if kind == "html" else b"plain") + b"; charset=" + charset + b"\n"
    return fields + (f"Content-Transfer-Encoding: {how}\n".encode() if how else b""), text


def message(r, depth=0):
    fields = [b"From: " + line(octets(r, r.choice(HOSTILE))) + b" <a@example.org>\n"] if r.random() < .9 else []
    for _ in range(r.randrange(5)):
        name = r.choice([b"Subject", b"Subject", b"To", b"X-A", b"Message-ID", b"Date", b"Received", b"Comments", b"X-\x1b[2J", b"<x-evil>", b"References"])
        value = r.choice([line(octets(r, r.choice(HOSTILE))), line(octets(r, r.choice(HOSTILE))) + b"\n " + line(octets(r, r.choice(HOSTILE))),
                          b"y" * r.choice([10, 70_000]) if r.random() < .1 else b"z", b"x*=utf-7''+AOk-"])
        fields.append(name + b": " + value + b"\n")
    if r.random() < .7:
        fields.append(b"MIME-Version: 1.0\n")
    more, text = entity(r, depth)
    if r.random() < .25:
        length = r.choice([len(text), len(text), len(text) + 1, 0, 5, 10 ** 30, -1])
        fields.append(f"Content-Length: {length}\n".encode())
    if r.random() < .05:
        fields.insert(0, b"\xef\xbb\xbf")
    r.shuffle(fields) if r.random() < .1 else None
    return b"".join(fields) + more, text


def whole(r):
    fields, text = message(r)
    raw = fields + b"\n" + text
    return raw.replace(b"\n", b"\r\n") if r.random() < .1 else raw


def mbox(r):
    dialect = r.choice(["o", "rd", "cl", "cl2", "none"])
    out = [r.choice([b"", b"", b"", b"\xef\xbb\xbf", b"junk before\n\n", b"\n"])]
    for _ in range(r.choice([0, 1, 2, 3, 8, 30])):
        fields, text = message(r)
        if dialect in ("cl", "cl2"):
            text = text if dialect == "cl2" else re.sub(rb"(?m)^(>*From )", rb">\1", text)
            fields += f"Content-Length: {len(text)}\n".encode()
        elif dialect == "rd":
            text = re.sub(rb"(?m)^(>*From )", rb">\1", text)
        elif dialect == "o":
            text = re.sub(rb"(?m)^(From )", rb">\1", text)
        who = r.choice([b"a@example.org", b"MAILER-DAEMON", b"-", b"x y", b"\xe9@x", b"\x1b[1m"])
        out.append(b"From " + who + b" " + r.choice(DATES[:1] * 6 + DATES).encode() + b"\n" + fields + b"\n" + text + r.choice([b"\n"] * 9 + [b""]))
    raw = b"".join(out)
    raw = raw.replace(b"\n", b"\r\n") if r.random() < .1 else raw
    return raw[:r.randrange(len(raw) + 1)] if r.random() < .1 else raw


PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
           "zst": lambda raw: subprocess.run(["zstd", "-q", "-c"], input=raw, stdout=subprocess.PIPE, check=True).stdout}
NAMES = [b"a.mbox", b"a b.mbox", b"-o", b"--in-place", b"new\nline.mbox", b"quo'te\".mbox", b"\xff\xfe.mbox", b"<x-evil>.mbox", b"=1+1.mbox",
         b"\x1b[31m.mbox", b"$(touch pwned).mbox", b"a|b`c`.mbox", "\u202exobm.a".encode(), b"x" * 200, b"*.mbox", b"a.eml", b"~", b"#x", b"a\\b"]


class Fault(Exception):
    pass


def check(it, what):
    if not it:
        raise Fault(what)


def shown(text, what):
    """What is printed must not drive a terminal."""
    text = text.decode("utf-8")
    bad = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff\u200b-\u200f\U000e0041]", text)
    check(not bad, f"{what} has {bad and text[max(0, bad.start() - 60):bad.start() + 20]!r}")
    return text


class Run:
    def __init__(self, folder, *args, user=None):
        self.args = [a if isinstance(a, bytes) else str(a).encode() for a in args]
        environment = {k: v for k, v in os.environ.items() if k != "SEPTET_CONFIG"}
        out, said = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        process = subprocess.Popen([SEPTET.encode(), *self.args], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=said, env=environment, user=user)
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        timer.cancel()
        self.code, self.memory = os.waitstatus_to_exitcode(status), usage.ru_maxrss
        out.seek(0), said.seek(0)
        self.out, raw = out.read(), said.read()
        name = f"{self.args}: exit {self.code}"
        check(self.code in CODES, f"{name}: {raw[-300:]!r}")
        check(b"panicked" not in raw, f"{name}: {raw!r}")
        self.said = shown(raw, name + ": stderr")
        check(self.code == 0 or self.said.strip(), f"{name} says nothing")
        check(self.memory < MOST_MEMORY, f"{name}: {self.memory} KB")


class Markup(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.open, self.bad = {}, [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if tag == "x-evil" or any(name.startswith("on") or "evil" in (value or "") and name in ("href", "src", "style") for name, value in attributes):
            self.bad.append((tag, attributes))
        for name, value in attributes:
            if name in ("href", "src", "action") and not (value or "").startswith("#"):
                self.bad.append((tag, attributes))
        if tag not in ("meta", "br", "input", "hr", "link", "img", "col", "wbr", "rect", "path", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in ("rect", "path", "line"):
            return
        if not self.open or self.open.pop() != tag:
            self.bad.append(("unbalanced", tag))

    def handle_comment(self, data):
        self.bad.append(("comment", data[:80]))


def page(path):
    raw = open(path, encoding="utf-8", newline="").read()
    markup = Markup()
    markup.feed(raw)
    markup.close()
    check(not markup.bad, f"page: {markup.bad[:3]}")
    check(markup.tags.get("script", 0) <= 1 and not markup.open, f"page: {markup.tags} {markup.open}")
    bad = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]", raw)
    check(not bad, f"page has {bad and raw[max(0, bad.start() - 60):bad.start() + 20]!r}")
    return set(markup.tags)


def reports(folder, raw):
    """All forms of a report say the same, and none has anything of the mail's in its markup."""
    path = lambda end: os.path.join(folder, b"r." + end)
    lines = [json.loads(row) for row in open(path(b"jsonl"), "rb").read().split(b"\n") if row]
    rows = list(csv.reader(io.StringIO(open(path(b"csv"), encoding="utf-8", newline="").read())))
    check(len({len(row) for row in rows}) == 1, f"csv: {[len(row) for row in rows]}")
    for row in rows:
        for cell in row:
            number = re.fullmatch(r"-?\d*", cell)
            check(number or cell[0] not in "=+-@\t\r", f"csv: a formula: {cell!r}")
    text = open(path(b"md"), encoding="utf-8", newline="").read()
    shown(text.encode(), "markdown")
    markup = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    check("x-evil" not in markup and "](" not in markup and "`" not in markup, f"markdown: {markup[-300:]!r}")
    for row in text.split("\n"):
        bars = len(re.findall(r"(?<!\\)\|", row))
        check(bars in (0, 3, 7), f"markdown: {bars} bars in {row!r}")
    page(path(b"html"))
    if raw is not None:
        for it in lines:
            at = it["offset"]
            check(it["bytes"] >= 0 and at + it["bytes"] <= len(raw), f"report: {it['offset']} {it['bytes']} of {len(raw)}")
    return lines


def pythons(raw, folder):
    path = os.path.join(folder, b"python.mbox")
    open(path, "wb").write(raw)
    box = mailbox.mbox(path.decode(), create=False)
    found = [box.get_bytes(key) for key in box.keys()]
    box.close()
    os.unlink(path)
    return found


def tree(folder):
    found = {}
    for root, folders, files in os.walk(folder):
        for name in files + folders:
            path = os.path.join(root, name)
            status = os.lstat(path)
            kind = status.st_mode & 0o170000
            content = open(path, "rb").read() if kind == 0o100000 and status.st_mode & 0o400 else os.readlink(path) if kind == 0o120000 else b""
            found[os.path.relpath(path, folder)] = (status.st_mode, status.st_size if kind == 0o100000 else 0, content)
    return found


def options(r):
    profile = r.choice(["utf8", "utf8", "utf8", "ascii", "utf7", "eai", "keep"])
    more = ["--profile", profile]
    if r.random() < .4:
        more.append("--verify")
    if r.random() < .2:
        more.append(f"--set=limits.message_bytes={r.choice([300, 2000])}")
    if r.random() < .1:
        more.append("--set=limits.depth=2")
    if r.random() < .1:
        more.append("--set=limits.field_bytes=50")
    return profile, more


def unverified(options):
    return [it for it in options if it != "--verify"]


# Each of these is one turn: it makes something in a folder, and looks at what becomes of it.

def to_a_file(r, folder):
    raw, name = mbox(r) if r.random() < .8 else whole(r), r.choice(NAMES)
    path = os.path.join(folder, name)
    open(path, "wb").write(raw)
    profile, more = options(r)
    all_reports = [f"--report=r.{end}" for end in ("jsonl", "html", "csv", "md")]
    run = Run(folder, "convert", *more, *all_reports, "-o", "out", "--", name)
    check(open(path, "rb").read() == raw, "the input was touched")
    if run.code != 0:
        check(not os.path.exists(os.path.join(folder, b"out")), "an output of a run that failed")
        check("is not what was planned" not in run.said, f"verify refused: {run.said}")
        return
    out = open(os.path.join(folder, b"out"), "rb").read()
    lines = reports(folder, raw)
    if profile == "keep":
        check(out == raw, "keep changed octets")
    before, after = len(pythons(raw, folder)), len(pythons(out, folder))
    # Python takes every line with `From ` for a start. Where some are text, they may be written otherwise.
    plain = all(re.match(rb"From [^\n]* \w{3} +\w{3} +\d+ [\d:]{8} \d{4}\r?\n[!-9;-~]+[ \t]*:", raw[at.start():]) and (
        at.start() == 0 or raw[:at.start()].endswith((b"\n\n", b"\n\r\n"))) for at in re.finditer(rb"(?m)^From ", raw))
    check(after == before if plain and b"Content-Length" not in raw else after <= before, f"Python: {before} messages, then {after}")
    again = Run(folder, "convert", *more, "-o", "twice", "out")
    if again.code == 0:
        twice = open(os.path.join(folder, b"twice"), "rb").read()
        check(twice == out, "a second run changed something")
    elif out:
        raise Fault(f"its own output is refused: {again.said}")
    dry = Run(folder, "convert", *unverified(more), "--dry-run", "--report=r.jsonl", "--", name)
    dried = [json.loads(row) for row in open(os.path.join(folder, b"r.jsonl"), "rb").read().split(b"\n") if row]
    check(dry.code == 0 and dried == lines, "a dry run reports otherwise")


def in_place(r, folder):
    raw, name = mbox(r), r.choice(NAMES)
    path = os.path.join(folder, name)
    open(path, "wb").write(raw)
    profile, more = options(r)
    dry = Run(folder, "convert", *unverified(more), "--dry-run", "--report=d.jsonl", "--", name)
    run = Run(folder, "convert", *more, "--in-place", "--keep-original", "--report=r.jsonl", "--", name)
    now = open(path, "rb").read()
    check(run.code == dry.code, f"a dry run ends with {dry.code}, then {run.code}")
    if run.code != 0:
        check(now == raw, "a run that failed changed its input")
        check("is not what was planned" not in run.said, f"verify refused: {run.said}")
        return
    said = lambda name: open(os.path.join(folder, name), "rb").read()
    check(said(b"d.jsonl") == said(b"r.jsonl"), "a dry run reports otherwise")
    undo = path + b".undo"
    check(os.path.exists(undo) == (now != raw), "an undo file without a change, or none with one")
    if now == raw:
        return
    status = os.stat(path)
    again = Run(folder, "convert", *more, "--in-place", "--", name)
    after = os.stat(path)
    check(again.code == 0 and (status.st_ino, status.st_mtime_ns) == (after.st_ino, after.st_mtime_ns), f"touched again: {again.said}")
    if r.random() < .3:
        with open(path, "ab") as file:
            file.write(b"x")
        refused = Run(folder, "undo", "--", name)
        check(refused.code == 65 and open(path, "rb").read() == now + b"x", "undo of what changed since")
        with open(path, "rb+") as file:
            file.truncate(len(now))
    elif r.random() < .3:
        way = open(undo, "rb").read()
        at = r.randrange(len(way))
        open(undo, "wb").write(r.choice([way[:at], way[:at] + bytes([way[at] ^ 1 << r.randrange(8)]) + way[at + 1:]]))
        bad = Run(folder, "undo", "-o", "back", "--", name)
        back = os.path.join(folder, b"back")
        check(bad.code == 65 and not os.path.exists(back) or open(back, "rb").read() == raw, f"a damaged way back: {bad.code}")
        open(undo, "wb").write(way)
    back = Run(folder, "undo", "--", name)
    check(back.code == 0 and open(path, "rb").read() == raw, f"undo: {back.said}")
    check(not os.path.exists(undo), "the undo file stayed")


def maildir(r, folder):
    box = os.path.join(folder, b"box")
    for sub in (b"cur", b"new", b"tmp"):
        os.makedirs(os.path.join(box, sub))
    for number in range(r.randrange(12)):
        raw = whole(r)
        name = b"%d.M%d.host" % (1700 + number, number)
        if r.random() < .5:
            name += b",S=%d" % r.choice([len(raw), 1])
        name += r.choice([b":2,S", b":2,", b"", b":2,\xff", b"\n:2,", b":2,<x-evil>"])
        open(os.path.join(box, r.choice([b"cur", b"new"]), name), "wb").write(raw)
    if r.random() < .3:
        os.mkfifo(os.path.join(box, b"cur", b"fifo"))
    if r.random() < .3:
        os.symlink(b"..", os.path.join(box, b"cur", b"loop"))
    if r.random() < .3:
        os.symlink(b"/etc/passwd", os.path.join(box, b"cur", b"1.link:2,S"))
    if r.random() < .3:
        open(os.path.join(box, b"dovecot-uidlist"), "wb").write(b"3 V1 N1\n")
    before = tree(box)
    _, more = options(r)
    all_reports = [f"--report=r.{end}" for end in ("jsonl", "html", "csv", "md")]
    dry = Run(folder, "convert", *unverified(more), "--dry-run", *all_reports, "box")
    check(tree(box) == before, "a dry run touched a Maildir")
    if dry.code == 0:
        reports(folder, None)
    run = Run(folder, "convert", *more, "--in-place", "--keep-original", "box")
    check("is not what was planned" not in run.said, f"verify refused: {run.said}")
    middle = tree(box)
    check(len(middle) == len(before), f"{len(before)} names, then {len(middle)}")
    again = Run(folder, "convert", *more, "--in-place", "box")
    check(tree(box) == middle, f"a second run changed a Maildir: {again.said}")
    if run.code == 0 and os.path.exists(box + b".undo"):
        back = Run(folder, "undo", "box")
        check(back.code == 0 and tree(box) == before, f"undo of a Maildir: {back.code} {back.said}")


def folders(r, folder):
    top = os.path.join(folder, b"top")
    os.makedirs(os.path.join(top, b"deep", b"deeper"))
    places = [top, os.path.join(top, b"deep"), os.path.join(top, b"deep", b"deeper")]
    for name in r.sample(NAMES, r.randrange(len(NAMES))):
        raw = r.choice([mbox, mbox, whole, lambda r: b"no mail", lambda r: b""])(r)
        if r.random() < .2:
            raw = r.choice(list(PACKERS.values()))(raw)
        open(os.path.join(r.choice(places), name), "wb").write(raw)
    for what in r.sample(["loop", "fifo", "hard", "dangling", "socket", "out"], r.randrange(4)):
        at = r.choice(places)
        if what == "loop":
            os.symlink(top, os.path.join(at, b"loop"))
        elif what == "fifo":
            os.mkfifo(os.path.join(at, b"fifo.mbox"))
        elif what == "dangling":
            os.symlink(b"nowhere", os.path.join(at, b"dangling.mbox"))
        elif what == "hard":
            files = [os.path.join(root, name) for root, _, names in os.walk(top) for name in names if os.path.isfile(os.path.join(root, name))]
            if files:
                os.link(r.choice(files), os.path.join(at, b"hard.mbox"), follow_symlinks=False)
    before = tree(top)
    profile, more = options(r)
    all_reports = [f"--report=r.{end}" for end in ("jsonl", "html", "csv", "md")]
    for look in r.sample([["explain", "top"], ["advise", "top"], ["explain", "--diff", "top"], ["explain", "--json", "top"]], 2):
        run = Run(folder, *look)
        if "--diff" in look or "--json" not in look:
            shown(run.out, str(look))
    run = Run(folder, "convert", *more, "-r", *all_reports, "-o", "out", "top")
    check(tree(top) == before, "the inputs were touched")
    check("is not what was planned" not in run.said, f"verify refused: {run.said}")
    if run.code == 0:
        reports(folder, None)
        for root, _, files in os.walk(os.path.join(folder, b"out")):
            for name in files:
                path = os.path.join(root, name)
                old = os.path.join(top, os.path.relpath(path, os.path.join(folder, b"out")))
                check(os.path.exists(old), f"{path} comes of nothing")
                if profile == "keep":
                    check(unpacked(open(old, "rb").read()) == unpacked(open(path, "rb").read()), f"keep changed {old}")
    check(not os.path.exists(os.path.join(folder, b"pwned")), "a name was run")


def unpacked(raw):
    for start, unpack in ((b"\x1f\x8b", gzip.decompress), (b"BZh", bz2.decompress), (b"\xfd7zXZ", lzma.decompress),
                          (b"\x28\xb5\x2f\xfd", lambda raw: subprocess.run(["zstd", "-qdc"], input=raw, stdout=subprocess.PIPE, check=True).stdout)):
        if raw.startswith(start):
            return unpack(raw)
    return raw


def packed(r, folder):
    end = r.choice(list(PACKERS))
    pack = PACKERS[end]
    raw = b"".join(mbox(r) for _ in range(r.choice([1, 1, 2]))) if r.random() < .8 else b""
    how = r.choice(["whole", "cut", "two", "damaged", "junk", "twice", "empty"])
    octets = pack(raw)
    if how == "cut":
        octets = octets[:r.randrange(len(octets))]
    elif how == "two":
        octets, raw = octets + pack(b"x" + raw), raw + b"x" + raw
    elif how == "damaged":
        at = r.randrange(len(octets))
        octets = octets[:at] + bytes([octets[at] ^ 1 << r.randrange(8)]) + octets[at + 1:]
    elif how == "junk":
        octets += r.choice([b"junk", b"\0" * 600, b"\x1f", octets[:4]])
    elif how == "twice":
        octets = r.choice(list(PACKERS.values()))(octets)
    elif how == "empty":
        octets = b""
    name = f"in.{end}"
    path = os.path.join(folder, name.encode())
    open(path, "wb").write(octets)
    out = r.choice(["out", "out.gz", "out.zst", "out.xz", "out.bz2"])
    run = Run(folder, "convert", "--profile=keep", "-o", out, name)
    check(open(path, "rb").read() == octets, "the input was touched")
    made = os.path.join(folder, out.encode())
    if run.code != 0:
        check(not os.path.exists(made), "an output of a run that failed")
        check(how not in ("whole", "two") or not raw.lstrip(b"\xef\xbb\xbf").startswith(b"From "), f"{how}: {run.said}")
    elif how in ("whole", "two"):
        check(unpacked(open(made, "rb").read()) == raw, "keep changed octets")
    elif how == "cut" and octets:
        raise Fault(f"a file that was cut at {len(octets)} is taken for whole: {run.said}")
    elif how == "damaged":
        now = unpacked(open(made, "rb").read())
        check(now == raw or now == octets, "damage passed")
    place = Run(folder, "convert", "--in-place", "--verify", name)
    if place.code != 0:
        check(open(path, "rb").read() == octets, "a run that failed changed its input")
    for command in (["explain"], ["advise"]):
        shown(Run(folder, *command, name).out, str(command))


def bomb(r, folder):
    end = r.choice(list(PACKERS))
    size = 1500 << 20
    start = b"From a@example.org Mon Jan  1 00:00:00 2007\nSubject: x\nContent-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9\n"
    fill = r.choice([b"\0" * (1 << 20), b"x" * (1 << 20), (b"\nFrom a@example.org Mon Jan  1 00:00:00 2007\nA: b\n" * 21000), b"a\n" * (1 << 19), b"\n" * (1 << 20),
                     b"From a@example.org Mon Jan  1 00:00:00 2007\n" * 23000, b"A: b\n" * 200000])
    if len(fill) != 1 << 20 and b"From a" in fill:
        size = 200 << 20
    start = start if r.random() < .5 else start[:start.index(b"\n\n") + 1]
    packer = {"gz": ["gzip", "-1c"], "bz2": ["bzip2", "-1c"], "xz": ["xz", "-0c"], "zst": ["zstd", "-1qc"]}[end]
    if end in ("bz2", "xz"):
        size //= 5
    path = os.path.join(folder, f"bomb.{end}".encode())
    process = subprocess.Popen(packer, stdin=subprocess.PIPE, stdout=open(path, "wb"))
    process.stdin.write(start)
    for _ in range(size // len(fill)):
        process.stdin.write(fill)
    process.stdin.close()
    process.wait()
    for command in r.sample([["convert", "--dry-run"], ["convert", "--dry-run", "--report=r.html", "--report=r.jsonl"], ["explain"], ["advise"],
                             ["convert", "-o", "/dev/null", "--verify"], ["convert", "--dry-run", "--output-format=mboxcl2"], ["convert", "--dry-run", "--format=mboxcl2"]], 2):
        began = time.monotonic()
        run = Run(folder, *command, f"bomb.{end}")
        print(f"  bomb.{end} {size >> 20} MB {fill[:12]!r} {command}: exit {run.code}, {run.memory >> 10} MB, {time.monotonic() - began:.1f} s")


def looks(r, folder):
    raw, name = r.choice([mbox, mbox, whole])(r), r.choice(NAMES)
    open(os.path.join(folder, name), "wb").write(raw)
    for command in (["explain"], ["explain", "--diff"], ["advise"], ["explain", "--message", "1"], ["convert", "-n", "-v"], ["explain", "--json"]):
        run = Run(folder, *command, "--", name)
        if "--json" in command:
            [json.loads(row) for row in run.out.split(b"\n") if row]
        else:
            shown(run.out, str(command))
    check(open(os.path.join(folder, name), "rb").read() == raw, "looking touched the input")


def meanwhile(r, folder):
    """Somebody delivers to a mailbox, or replaces it, while it is converted in place."""
    raw = b"".join(mbox(r) for _ in range(5))
    raw = (b"From a@example.org Mon Jan  1 00:00:00 2007\nSubject: x\n\nx\n\n" + raw + b"\n\n") * 20
    path = os.path.join(folder, b"a.mbox")
    open(path, "wb").write(raw)
    added = b"From late@example.org Mon Jan  1 00:00:00 2007\nSubject: late\n\nlate\n\n"
    what = r.choice(["append", "replace", "remove", "truncate"])

    def later():
        time.sleep(r.random() * .15)
        if what == "append":
            with open(path, "ab") as file:
                file.write(added)
        elif what == "replace":
            open(path + b".new", "wb").write(added)
            os.rename(path + b".new", path)
        elif what == "truncate":
            with open(path, "rb+") as file:
                file.truncate(len(raw) // 2)
        else:
            os.unlink(path)
    thread = threading.Thread(target=later)
    thread.start()
    run = Run(folder, "convert", "--in-place", "a.mbox")
    thread.join()
    now = open(path, "rb").read() if os.path.exists(path) else None
    if what == "append":
        check(now.endswith(added), f"what was delivered is lost: exit {run.code}")
    elif what == "replace":
        check(now == added or run.code == 0 and now == added, f"what took its place is lost: exit {run.code}")
    elif what == "remove":
        check(now is None, f"what was removed is back: exit {run.code}")


def killed(r, folder):
    """Killed at any moment and resumed, a run is what it would have been."""
    raw = b"".join(mbox(r) + b"\n\n" for _ in range(40))
    raw = b"From a@example.org Mon Jan  1 00:00:00 2007\nSubject: x\n\nx\n\n" + raw * 8
    open(os.path.join(folder, b"a.mbox"), "wb").write(raw)
    _, more = options(r)
    more = unverified(more)
    whole_run = ["convert", *more, "--keep-original", "--report=%s.jsonl", "--report=%s.csv", "a.mbox", "-o"]
    began = time.monotonic()
    one = Run(folder, *[it.replace("%s", "whole") for it in whole_run], "whole")
    took = time.monotonic() - began
    if one.code:
        return
    args = [it.replace("%s", "again") for it in whole_run] + ["again"]
    for _ in range(r.randrange(1, 4)):
        process = subprocess.Popen([SEPTET, *args, "--resume"], cwd=folder, stderr=subprocess.DEVNULL)
        time.sleep(r.random() * took)
        process.send_signal(signal.SIGKILL)
        process.wait()
    run = Run(folder, *args, "--resume")
    check(run.code == 0, f"resumed: {run.said}")
    for end in (b"", b".undo", b".jsonl", b".csv"):
        both = [os.path.join(folder, name + end) for name in (b"whole", b"again")]
        there = [os.path.exists(path) for path in both]
        check(there[0] == there[1], f"{end}: {there}")
        if there[0] and end != b".undo":
            check(open(both[0], "rb").read() == open(both[1], "rb").read(), f"{end} differs")
    left = [name for name in os.listdir(folder) if b".partial" in name or b".resume" in name or b"septet" in name]
    check(not left, f"left: {left}")
    back = Run(folder, "undo", "again")
    check(back.code == 0 and open(os.path.join(folder, b"again"), "rb").read() == raw, f"undo: {back.said}")


def forbidden(r, folder):
    """Files and folders that may not be read or written, as nobody."""
    if os.geteuid() != 0:
        return
    os.chmod(folder, 0o755)
    os.makedirs(os.path.join(folder, b"mine"))
    mine = os.path.join(folder, b"mine")
    for name in (b"a.mbox", b"b.mbox", b"c.eml"):
        open(os.path.join(mine, name), "wb").write(mbox(r) if name != b"c.eml" else whole(r))
    os.makedirs(os.path.join(mine, b"closed"))
    open(os.path.join(mine, b"closed", b"d.mbox"), "wb").write(mbox(r))
    for path, mode in ((b"a.mbox", r.choice([0, 0o444, 0o600])), (b"closed", r.choice([0, 0o555, 0o711])), (b"b.mbox", 0o644)):
        os.chmod(os.path.join(mine, path), mode)
    nobody = 65534
    if r.random() < .5:
        os.chown(mine, nobody, nobody)
        for name in (b"b.mbox", b"c.eml"):
            os.chown(os.path.join(mine, name), nobody, nobody)
    before = tree(mine)
    where = r.choice([["--in-place", "a.mbox"], ["--in-place", "b.mbox", "a.mbox"], ["-r", "-o", "out", "."], ["-o", "closed/x", "b.mbox"], ["-o", "out", "a.mbox"],
                      ["--report=closed/r.html", "-n", "b.mbox"], ["--in-place", "--keep-original", "b.mbox"], ["-r", "--in-place", "."]])
    program = os.path.join(folder, b"septet")
    shutil.copy(SEPTET, program)
    os.chmod(program, 0o755)
    run = as_nobody(mine, program.decode(), "convert", *where)
    after = tree(mine)
    changed = [name for name in before if after.get(name) != before[name]]
    if "--in-place" not in where:
        check(not changed, f"{where}: {changed}")
    if run.code not in (0,):
        left = [name for name in after if b".partial" in name or b".septet" in name or name.endswith(b".lock")]
        check(not left, f"{where}: left {left}")


def as_nobody(folder, program, *args):
    global SEPTET
    own, SEPTET = SEPTET, program
    try:
        return Run(folder, *args, user=65534)
    finally:
        SEPTET = own


def twice(r, folder):
    """The same file under two names, and outputs that are inputs."""
    raw = mbox(r)
    a = os.path.join(folder, b"a.mbox")
    open(a, "wb").write(raw)
    os.link(a, os.path.join(folder, b"hard.mbox"))
    os.symlink(b"a.mbox", os.path.join(folder, b"soft.mbox"))
    os.makedirs(os.path.join(folder, b"sub"))
    os.symlink(b"..", os.path.join(folder, b"sub", b"up"))
    both = r.sample(["a.mbox", "hard.mbox", "soft.mbox", "./a.mbox", "sub/../a.mbox", "sub/up/a.mbox", "sub/up/sub/up/hard.mbox"], 2)
    how = r.choice([["--in-place", *both], ["-o", both[0], both[1]], ["-o", "sub", *both], ["--report", both[0] + ".jsonl", "--in-place", both[1]],
                    ["--report", both[0], "-n", both[1]], ["-o", "sub/up/new", both[0]], ["--backup", "-o", both[0], both[1]], ["--keep-original", "--in-place", *both]])
    run = Run(folder, "convert", *how)
    now = {name: open(os.path.join(folder, name), "rb").read() for name in (b"a.mbox", b"hard.mbox", b"soft.mbox")}
    if "--in-place" not in how and ("-o" not in how or not how[how.index("-o") + 1].endswith("mbox")) or run.code:
        check(all(it == raw for it in now.values()), f"{how}: exit {run.code}, an input changed")
    one = Run(folder, "convert", "-q", "-o", "wanted", "a.mbox")
    if run.code == 0 and one.code == 0:
        wanted = open(os.path.join(folder, b"wanted"), "rb").read()
        check(all(it in (raw, wanted) for it in now.values()), f"{how}: neither old nor new")


TURNERS = [to_a_file] * 8 + [in_place] * 5 + [maildir] * 3 + [folders] * 3 + [packed] * 4 + [looks] * 4 + [meanwhile] * 2 + [killed] + [forbidden] * 2 + [twice] * 2


def main():
    only = os.environ.get("ONLY")
    turners = [it for it in TURNERS + [bomb] if not only or it.__name__ in only.split(",")]
    turners = turners if only else [it for it in turners if it is not bomb]
    faults = 0
    print(f"seed {SEED}")
    for turn in range(TURNS):
        r = random.Random(SEED * 1_000_003 + turn)
        turner = r.choice(turners)
        folder = tempfile.mkdtemp(prefix="attack").encode()
        try:
            turner(r, folder)
            shutil.rmtree(folder, ignore_errors=True)
        except Fault as fault:
            faults += 1
            print(f"turn {turn}, {turner.__name__}: {fault}\n  {folder.decode()}", flush=True)
    print(f"{TURNS} turns, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
