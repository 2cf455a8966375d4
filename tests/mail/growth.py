#!/usr/bin/env python3
"""Mail made of pieces that come again and again: four times the octets may take four times the time, not sixteen.

Each turn makes a field, a header of many fields, many parts, a part that only some readers see or a body of a few random pieces of syntax, repeated, at two sizes, and compares the time of the
processor that septet takes for them, less what it takes for nothing. Prints the shapes that grow faster than their input.

usage: tests/mail/growth.py SEPTET [TURNS [SEED]]      Needs: python3.
"""
import os, random, resource, subprocess, sys

if len(sys.argv) < 2:
    sys.exit(__doc__)
SEPTET = os.path.realpath(sys.argv[1])
TURNS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
PROFILES = ["utf8", "eai", "seven-bit", "utf7", "ascii"]
SMALL, TIMES, FIELDS, TREE_TIMES = 14_000, 4, 8, 12
FIELD_NAMES = [b"To", b"From", b"Subject", b"Received", b"Content-Type", b"Content-Disposition", b"Message-ID", b"Keywords", b"List-Id", b"Authentication-Results", b"X-Spam-Report", b"DKIM-Signature", b"Content-ID", b"Content-Location"]
PIECES = [b"a", b" ", b",", b";", b":", b"<", b">", b"@", b"(", b")", b'"', b"\\", b"=", b"*", b"'", b"%C3", b"=?", b"?=", b"=?utf-8?Q?=C3=A9?=", b"=?utf-8?B?w6k=?=", b"=?iso-2022-jp?B?GyRCRnwbKEI=?=", b"\xc3\xa9",
          b"\xe9", b"for ", b"by ", b"from ", b"<\xc3\xa9@b>", b"a@b.c", b"a@\xc3\xa9.c", b"x*0*=", b"name=", b"filename*", b"utf-8''", b"\x1b$B", b"\x1b(B", b"+AOk-", b"&eacute;", b"http://\xc3\xa9.example/", b"<a href=\"", b"www.", b"[", b"]", b"{", b"|", b"-", b"--b", b"\x00", b"word "]
LINES = [b"\n", b"\r", b"\n\t", b"--b\n", b"--b--\n", b"begin 644 x\n", b"=\n", b"=20\n", b"-----BEGIN PGP MESSAGE-----\n", b"> ", b"<meta charset=x>"]
TYPES = [b"text/plain; charset=iso-8859-1", b"text/plain; charset=utf-8", b"text/html; charset=utf-8", b"text/calendar; charset=utf-8", b"multipart/mixed; boundary=b", b"message/rfc822", b"text/plain"]
TREE = [b"--b\n", b"--c\n", b"--c--\n", b"--c#\n", b"x--c\n", b"Content-Type: multipart/mixed; boundary=c; name=\"=?utf-7?q?+AOk-?=\"\n\n\n", b"Content-Type: multipart/mixed; boundary=c#\n\n",
        b"Content-Type: multipart/digest; boundary=\n c\n", b"Content-Type: multipart/mixed; boundary*=utf-8''c%20d\n\n", b"Content-Type: message/rfc822\n\n", b"Content-Type: text/plain; charset=utf-7\n\n+AOk-\n", b"Content-Transfer-Encoding: base64\n",
        b"Subject: =?utf-7?q?+AOk-?=\n", b"\n", b"x\n", b"\xe9\n", b"----\n"]
TREE_TOPS = [b"Content-Type: multipart/mixed; boundary=b\n", b"Content-Type: multipart/digest; boundary=b\n", b"Content-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=b\n"]
ENCODINGS = [b"8bit", b"quoted-printable", b"base64"]


def of_field(r):
    name, pieces = r.choice(FIELD_NAMES), [r.choice(PIECES) for _ in range(r.randrange(1, 5))]
    start, piece = r.choice([b"", b"text/plain; ", b"attachment; ", b"Ann "]), b"".join(pieces)
    return name + b": " + piece, lambda size: (name + b": " + start + piece * (size // len(piece)) + b"\n") * FIELDS + b"\nx\n"


def of_many(r):
    """Makes one short field that comes again and again, in the header of a message or of a part, or in a part each."""
    field = r.choice(FIELD_NAMES) + b": " + b"".join(r.choice(PIECES) for _ in range(r.randrange(1, 5))) + b"\n"
    odd = r.choice([b"", b'Content-Transfer-Encoding: "7bit"\n'])
    head = b"MIME-Version: 1.0\n" + odd + b"Content-Type: multipart/related; boundary=b\n\n"
    if r.random() < 0.5:
        start = r.choice([b"", head + b"--b\n"])
        return start + field, lambda size: start + field * (size * FIELDS // len(field)) + b"\nx\n"
    part = b"--b\nContent-Type: %s\n" % r.choice(TYPES) + field + b"\nx\n"
    return part, lambda size: head + part * (size * FIELDS // len(part)) + b"--b--\n"


def of_body(r):
    piece = b"".join(r.choice(PIECES + LINES) for _ in range(r.randrange(1, 6)))
    head = b"MIME-Version: 1.0\nContent-Type: %s\nContent-Transfer-Encoding: %s\n\n" % (r.choice(TYPES), r.choice(ENCODINGS))
    return head + piece, lambda size: head + piece * (size * FIELDS // len(piece)) + b"\n"


def of_tree(r):
    """Makes lines of headers and delimiters that come again and again: most are parts whose boundary never occurs."""
    piece = b"--b\n" + b"".join(r.choice(TREE) for _ in range(r.randrange(1, 7)))
    head = b"MIME-Version: 1.0\n" + r.choice(TREE_TOPS) + b"\n"
    tail = r.choice([b"", b"--b--\n", b"--c\n\n\xe9\n", b"--c--\n--b--\n"])
    def made(size):
        count = size * TREE_TIMES // len(piece)
        return head + b"".join(piece.replace(b"#", b"%d" % at) for at in range(count)) + tail
    return head + piece + tail, made


def of_long_boundaries(r):
    """Makes multiparts in each other, whose boundaries are as long as the parts in the innermost are many."""
    start, part = r.choice([b"q", b"-", b"'"]), b"--b\nContent-Type: %s\n\n%s\n" % (r.choice(TYPES), r.choice(PIECES))
    def made(size):
        long = start * (size * TREE_TIMES // 400)
        nested = b"".join(b'Content-Type: multipart/mixed; boundary="%s%d"\n\n--%s%d\n' % (long, at, long, at) for at in range(97))
        return nested + b"Content-Type: multipart/mixed; boundary=b\n\n" + part * (size * TREE_TIMES // 2 // len(part))
    return part, made


def of_hidden(r):
    """Makes a long field in a part that only some readers see: they believe another parameter to be the boundary."""
    name = r.choice(FIELD_NAMES + [b"Content-Disposition"] * 6)
    piece = r.choice([b";--a#*1=x", b";--a#*1*=x", b",--a#@b.c", b" "]) + b"".join(r.choice(PIECES) for _ in range(r.randrange(2)))
    head = b"Subject: =?iso-8859-1?Q?=E9?=\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary*0=b; boundary=a\n\n--a\n\nx\n--b\n" + name + b": x"
    def made(size):
        count = size * FIELDS // len(piece)
        return head + b"".join(piece.replace(b"#", b"%d" % at) for at in range(count)) + b"\n\nx\n--b--\n--a--\n"
    return head + piece, made


def seconds(raw, profile):
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([SEPTET, "filter", "--profile", profile], input=raw, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime
    return min(once() for _ in range(3))


def grown(made, profile):
    """The times of a message and of a larger one, if these grow faster than the input."""
    small, large = (seconds(made(size), profile) for size in (SMALL, SMALL * TIMES))
    # Less than this is the time of starting, and of the clock's steps.
    return (small, large) if large > 0.08 and large > max(small, 0.01) * TIMES * 1.6 else None


found = 0
for turn in range(TURNS):
    r = random.Random(f"{SEED} {turn}")
    shape, made = r.choice([of_field, of_field, of_many, of_body, of_tree, of_tree, of_long_boundaries, of_hidden])(r)
    profile = r.choice(PROFILES)
    # What another program took from the processor is not there a second time.
    if grown(made, profile) and (times := grown(made, profile)):
        small, large = times
        found += 1
        print(f"{profile}: {small:.3f} s, {TIMES} times as much {large:.3f} s: {shape!r}")
print(f"{TURNS} shapes from seed {SEED}: {found} grow faster than their input")
sys.exit(found > 0)
