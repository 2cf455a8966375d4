"""The recipes with the real thing: Dovecot's imap, and Mailman with a list of its own."""

import imaplib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from letters import IS_NIGHTLY, PLAIN, STREET, STREET_UTF8
from test_recipes import RECIPES, recipe

IMAP = "/usr/lib/dovecot/imap"
DOVECOT = """\
base_dir = {0}/run
state_dir = {0}/state
log_path = {0}/log
ssl = no
mail_location = maildir:{0}/mail
mail_home = {0}/home
mail_uid = nobody
mail_gid = nogroup
first_valid_uid = 1
first_valid_gid = 1
namespace inbox {{
  inbox = yes
  separator = /
}}
"""
MAILMAN = """\
[mailman]
layout: here
[paths.here]
var_dir: {0}/var
[mta]
incoming: mailman.mta.null.NullMTA
[plugin.septet_mailman]
class: septet_mailman.Plugin
enabled: yes
"""
POSTING = """\
from email import message_from_bytes
from mailman.core.pipelines import process
from mailman.email.message import Message


def run(mlist):
    raw = b"From: a@example.org\\nTo: friends@example.com\\nMessage-ID: <1@example.org>\\n" + {0!r}
    message = message_from_bytes(raw, Message)
    message.original_size = len(raw)
    data = {{"recipients": set()}}
    process(mlist, message, data, "converting-pipeline")
    print(message["subject"], data["septet"], sep="\\n")
"""
DATE = '"01-Jan-2007 00:00:00 +0000"'


class Servers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    @unittest.skipUnless(Path(IMAP).exists() and os.geteuid() == 0, "Dovecot's imap, as root")
    def test_a_folder_of_dovecots(self):
        settings = self.folder / "dovecot.conf"
        settings.write_text(DOVECOT.format(self.folder))
        shutil.chown(self.folder, "nobody", "nogroup")
        shutil.chown(settings, "nobody", "nogroup")
        server = imaplib.IMAP4_stream(
            f"/usr/bin/env USER=nobody HOME={self.folder}/home /usr/bin/setpriv --reuid nobody --regid nogroup "
            f"--clear-groups {IMAP} -c {settings} 2>/dev/null")
        for raw in (STREET, PLAIN, STREET):
            self.assertEqual(server.append("INBOX", "\\Seen", DATE, raw)[0], "OK")
        self.assertEqual(recipe("imap").convert_folder(server, "INBOX"), 2)
        found = server.uid("FETCH", "1:*", "(FLAGS INTERNALDATE BODY.PEEK[])")[1][::2]
        server.logout()
        self.assertEqual([raw.replace(b"\r\n", b"\n") for _, raw in found], [PLAIN, STREET_UTF8, STREET_UTF8])
        self.assertTrue(all(b"\\Seen" in about and DATE.encode() in about for about, _ in found))

    @unittest.skipUnless(IS_NIGHTLY and (Path(sys.executable).parent / "mailman").exists(), "Mailman, at night")
    def test_a_posting_through_mailmans_pipeline(self):
        (self.folder / "mailman.cfg").write_text(MAILMAN.format(self.folder))
        (self.folder / "posting.py").write_text(POSTING.format(STREET))
        self.mailman("create", "friends@example.com")
        said = self.mailman("withlist", "-r", "posting.run", "-l", "friends@example.com")
        self.assertEqual(said, "[Friends] Straße\nfield=Subject word=iso-8859-1>utf-8\n")
        queued = sorted(path.name for path in (self.folder / "var/queue").iterdir() if any(path.iterdir()))
        self.assertEqual(queued, ["archive", "out"])

    def mailman(self, *words):
        command = [Path(sys.executable).parent / "mailman", "--run-as-root", "-C", self.folder / "mailman.cfg", *words]
        paths = {"PYTHONPATH": f"{self.folder}:{RECIPES}", "PYTHONWARNINGS": "ignore"}
        run = subprocess.run(command, env={**os.environ, **paths}, capture_output=True, text=True, timeout=100)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout
