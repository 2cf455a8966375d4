"""Mailbox files: read, and replaced."""

import mailbox
import os
import re
import stat
import tempfile
import unittest
from email import message_from_bytes
from pathlib import Path
from unittest import mock

import septet
from letters import ROOT, fixtures

ONE = b"From a Mon Jan  1 00:00:00 2007\nSubject: =?iso-8859-1?Q?Stra=DFe?=\n\n>From here on\n\n"
TWO = b"From b Tue Jan  2 00:00:00 2007\nSubject: two\n\n"
# In mboxcl this is written anew when a message is.
LENGTH = re.compile(rb"(?m)^Content-Length: .*\n")
ONE_UTF8 = ONE.replace(b"iso-8859-1?Q?Stra=DFe", b"utf-8?Q?Stra=C3=9Fe")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.source, self.target = self.folder / "in.mbox", self.folder / "out.mbox"
        self.source.write_bytes(ONE + TWO)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_open_mbox_gives_results(self):
        first, second = septet.open_mbox(self.source)
        self.assertEqual(first.from_line, b"From a Mon Jan  1 00:00:00 2007\n")
        self.assertEqual(first.bytes, b"Subject: =?utf-8?Q?Stra=C3=9Fe?=\n\nFrom here on\n")
        self.assertEqual((second.changed, second.bytes), (False, b"Subject: two\n"))
        self.assertEqual([result.changed for result in septet.open_mbox(str(self.source), "keep")], [False, False])

    def test_odd_files(self):
        for octets, lines in ((b"", []), (b"a: b\n\nc\n", [b""]), (b"\n\n" + TWO, [b"", TWO[:32]]), (b"From ", None)):
            self.source.write_bytes(octets)
            found = [result.from_line for result in septet.open_mbox(self.source)]
            self.assertTrue(lines is None or found == lines, (octets, found))
            septet.convert_mbox(self.source, self.target)
            self.assertEqual(self.target.read_bytes(), octets)

    def test_convert_mbox_writes_and_counts(self):
        counts = septet.convert_mbox(self.source, self.target)
        self.assertEqual(counts, {"messages": 2, "changed": 1, "left": 0, "unchanged": 1})
        self.assertEqual(self.target.read_bytes(), ONE_UTF8 + TWO)
        self.assertEqual(self.source.read_bytes(), ONE + TWO)
        self.assertEqual(self.names(), ["in.mbox", "out.mbox"])

    def test_dialects_are_written_as_they_came(self):
        for file in sorted((ROOT / "fixtures/mailbox").rglob("*")):
            if file.is_file():
                septet.convert_mbox(file, self.target, "keep")
                self.assertEqual(self.target.read_bytes(), file.read_bytes(), file)
                septet.convert_mbox(file, self.target)
                before, after = len(list(septet.open_mbox(file))), list(septet.open_mbox(self.target))
                self.assertEqual(len(after), before, file)
                for one, other in zip(septet.open_mbox(file), after):
                    self.assertEqual(LENGTH.sub(b"", one.bytes), LENGTH.sub(b"", other.bytes), file)

    def test_a_mailbox_may_replace_itself(self):
        os.chmod(self.source, 0o640)
        septet.convert_mbox(self.source, self.source)
        self.assertEqual(self.source.read_bytes(), ONE_UTF8 + TWO)
        self.assertEqual(stat.S_IMODE(self.source.stat().st_mode), 0o640)
        self.assertEqual(self.names(), ["in.mbox"])

    def test_a_link_stays_one(self):
        self.target.symlink_to(self.source)
        septet.convert_mbox(self.target, self.target)
        self.assertTrue(self.target.is_symlink())
        self.assertEqual(self.source.read_bytes(), ONE_UTF8 + TWO)

    def test_what_fails_leaves_everything(self):
        self.target.write_bytes(b"before")
        for failing in ("os.fsync", "os.replace", "os.fchmod"):
            with mock.patch(failing, side_effect=OSError("disk full")), self.assertRaises(OSError):
                septet.convert_mbox(self.source, self.target)
            self.assertEqual(self.target.read_bytes(), b"before")
            self.assertEqual(self.names(), ["in.mbox", "out.mbox"])
        self.assertRaises(ValueError, septet.convert_mbox, self.source, self.target, "utf9")
        self.assertRaises(FileNotFoundError, septet.convert_mbox, self.folder / "none", self.target)
        self.assertRaises(FileNotFoundError, septet.convert_mbox, self.source, self.folder / "none/out")
        self.assertRaises(OSError, septet.convert_mbox, self.source, "/dev/null")
        self.assertEqual(self.names(), ["in.mbox", "out.mbox"])

    def test_mail_that_came_meanwhile_is_not_lost(self):
        def deliver(*_):
            with open(self.source, "ab") as file:
                file.write(TWO)

        with mock.patch("os.fsync", side_effect=deliver), self.assertRaisesRegex(OSError, "changed"):
            septet.convert_mbox(self.source, self.source)
        self.assertEqual(self.source.read_bytes(), ONE + TWO + TWO)

    def test_a_round_trip_by_pythons_mailbox(self):
        mail = [raw for raw in fixtures() if raw.startswith(b"From: ")]
        box = mailbox.mbox(self.folder / "box")
        for raw in mail:
            box.add(raw)
        box.close()
        septet.convert_mbox(self.folder / "box", self.target)
        before, after = mailbox.mbox(self.folder / "box"), mailbox.mbox(self.target)
        self.assertEqual(len(after), len(mail))
        for old, new, result in zip(before, after, septet.open_mbox(self.folder / "box")):
            self.assertEqual(old.get_from(), new.get_from())
            self.assertEqual(new.keys(), message_from_bytes(result.bytes).keys())
        before.close()
        after.close()
