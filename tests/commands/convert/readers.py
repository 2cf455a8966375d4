"""Reads mailboxes as Python's mailbox module and as neomutt do: the decoded subject of each message, one JSON list a line.

readers.py {python|neomutt} PATH…
"""
import email.header, email.policy, json, mailbox, os, pty, re, select, subprocess, sys, tempfile


def decoded(value):
    parts = email.header.decode_header(value)
    text = "".join(part.decode(charset or "latin-1", "replace") if isinstance(part, bytes) else part for part, charset in parts)
    return " ".join(text.split())


def python(path):
    box = mailbox.Maildir(path, create=False) if os.path.isdir(path) else mailbox.mbox(path, create=False)
    messages = (email.message_from_bytes(box.get_bytes(key)) for key in box.keys())
    return sorted(decoded(str(message["Subject"] or "")) for message in messages)


def neomutt(path):
    """neomutt wants a terminal: it gets one, and a macro that hands every message to a command."""
    with tempfile.TemporaryDirectory() as folder:
        out, settings = os.path.join(folder, "out"), os.path.join(folder, "rc")
        open(out, "w").close()
        with open(settings, "w") as file:
            file.write(
                "set header_cache='' folder=%s sort=mailbox-order pipe_decode pipe_split charset=utf-8\n"
                "set wait_key=no quit=yes confirmappend=no mark_old=no\n"
                "ignore *\nunignore subject\n"
                "push '<tag-pattern>~A<enter><tag-prefix><pipe-message>cat >>%s; echo ----- >>%s<enter><exit>'\n"
                % (folder, out, out)
            )
        command = ["neomutt", "-n", "-R", "-F", settings, "-f", path]
        environment = dict(os.environ, TERM="xterm", HOME=folder, LC_ALL="C.UTF-8")
        run_on_terminal(command, environment)
        with open(out, encoding="utf-8", errors="replace") as file:
            messages = file.read().split("-----\n")[:-1]
    found = (re.search(r"^Subject:(.*(?:\n[ \t].*)*)", message, re.M | re.I) for message in messages)
    return sorted(" ".join(match.group(1).split()) if match else "" for match in found)


def run_on_terminal(command, environment):
    """Runs a program until it ends by itself, or says that there is nothing to do."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, environment)
    shown = b""
    while b"There are no messages" not in shown:
        # Long, since a machine may have much to do.
        if not select.select([terminal], [], [], 120)[0]:
            sys.exit("%s waits: %r" % (command, shown[-400:]))
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    else:
        os.kill(child, 9)
    os.waitpid(child, 0)


for path in sys.argv[2:]:
    print(json.dumps({"python": python, "neomutt": neomutt}[sys.argv[1]](path), ensure_ascii=False))
