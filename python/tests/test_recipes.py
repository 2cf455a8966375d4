"""The recipes, each as its page says."""

import importlib.util
import io
import mailbox
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from email import message_from_bytes, policy
from pathlib import Path

from letters import KLINGON, PLAIN, ROOT, STREET, STREET_UTF8

RECIPES = ROOT / "python/recipes"
# The first is what many programs of old wrote, and Python's `email` shows as "Stra�e".
SUBJECTS = [("Stra\xdfe\nContent-Type: text/plain; charset=iso-8859-1", "Straße"), ("=?koi8-r?B?8NLJ18XU?=", "Привет")]


def recipe(name):
    """Imports a recipe by its name."""
    spec = importlib.util.spec_from_file_location(f"recipe_{name}", RECIPES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Recipes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_maildir(self):
        box = mailbox.Maildir(self.folder / "box")
        message = mailbox.MaildirMessage(STREET)
        message.set_subdir("cur")
        message.set_flags("FS")
        key, other = box.add(message), box.add(PLAIN)
        inner = box.add_folder("inner")
        inner.add(STREET)
        self.assertEqual(recipe("maildir").convert_maildir(box), 2)
        self.assertEqual((box.get_bytes(key), box.get_bytes(other)), (STREET_UTF8, PLAIN))
        self.assertEqual((box.get_message(key).get_flags(), box.get_message(key).get_subdir()), ("FS", "cur"))
        self.assertEqual([message["subject"] for message in inner], ["=?utf-8?Q?Stra=C3=9Fe?="])

    def test_hyperkitty_reads_what_was_converted(self):
        mail = [f"Subject: {written}\nMessage-ID: <{n}@example.org>\n\nhello\n" for n, (written, _) in enumerate(SUBJECTS)]
        mail.append(KLINGON.decode("latin-1"))
        source, target = self.folder / "in", self.folder / "out"
        lines = "".join(f"From a@example.org Mon Jan  1 00:00:0{n} 2007\n{raw}\n" for n, raw in enumerate(mail))
        source.write_text(lines, encoding="latin-1")
        with redirect_stdout(io.StringIO()) as said:
            recipe("hyperkitty").main(source, target)
        self.assertIn("3 messages, 2 changed, 1 left", said.getvalue())
        self.assertIn("message 3 stayed: part=1 body left=unknown-charset(x-klingon)", said.getvalue())
        self.assertEqual([subject for subject, _ in imported(target)][:2], [text for _, text in SUBJECTS])
        self.assertEqual([line for _, line in imported(target)], [line for _, line in imported(source)])
        self.assertNotEqual(imported(source)[0][0], "Straße", "Python reads this by itself now")


def imported(path):
    """Reads a mailbox as hyperkitty_import of HyperKitty 1.3.12 does; returns subjects and From_ lines."""
    box = mailbox.mbox(path)
    found = []
    for key in box.iterkeys():
        stored = box.get(key)
        message = message_from_bytes(stored.as_bytes(unixfrom=False), policy=policy.default)
        found.append((message["subject"], stored.get_from()))
    box.close()
    return found


class FakeServer:
    """An IMAP server as far as the recipe sees one: imaplib's answers, and one folder."""

    def __init__(self, mail, capabilities=b"IMAP4rev1 UIDPLUS"):
        self.capability, self.appended, self.expunged = lambda: ("OK", [capabilities]), [], []
        self.mail = {str(uid): raw for uid, raw in enumerate(mail, 7)}
        self.deleted = set()
        self.refuses = False

    def select(self, folder):
        return ("OK", [b"1"]) if folder == '"IN\\"BOX"' else ("NO", [b"no such folder"])

    def uid(self, command, *words):
        return getattr(self, command.lower())(*words)

    def search(self, charset, words):
        assert (charset, words) == (None, "UNDELETED")
        return "OK", [" ".join(self.mail).encode()]

    def fetch(self, uid, wanted):
        assert wanted == "(FLAGS INTERNALDATE BODY.PEEK[])"
        raw = self.mail[uid]
        if raw is None:
            return "OK", [None]
        about = b'1 (UID %s FLAGS (\\Seen \\Recent) INTERNALDATE "01-Jan-2007 00:00:00 +0000" BODY[] {%d}'
        return "OK", [b"9 (FLAGS (\\Deleted))", (about % (uid.encode(), len(raw)), raw), b")", b"9 (FLAGS (\\Draft))"]

    def append(self, folder, flags, date, raw):
        if self.refuses:
            return "NO", [b"quota"]
        self.appended.append((flags, date, raw))
        return "OK", [b""]

    def store(self, uid, how, flags):
        assert (how, flags) == ("+FLAGS.SILENT", "(\\Deleted)")
        self.deleted.add(uid)
        return "OK", [b""]

    def expunge(self, uids):
        self.expunged += uids.split(",")
        return "OK", [b""]


class Imap(unittest.TestCase):
    def test_a_folder(self):
        server = FakeServer([STREET, PLAIN, STREET])
        self.assertEqual(recipe("imap").convert_folder(server, 'IN"BOX'), 2)
        self.assertEqual(server.appended, [("\\Seen", '"01-Jan-2007 00:00:00 +0000"', STREET_UTF8)] * 2)
        self.assertEqual((server.deleted, server.expunged), ({"7", "9"}, ["7", "9"]))

    def test_what_others_marked_is_not_expunged_without_uidplus(self):
        server = FakeServer([STREET], b"IMAP4rev1")
        recipe("imap").convert_folder(server, 'IN"BOX')
        self.assertEqual((server.deleted, server.expunged), ({"7"}, []))

    def test_what_is_gone_is_passed_over(self):
        server = FakeServer([STREET, None, STREET] * 400)
        self.assertEqual(recipe("imap").convert_folder(server, 'IN"BOX'), 800)
        self.assertEqual((len(server.deleted), len(server.expunged)), (800, 800))

    def test_what_is_not_taken_is_not_deleted(self):
        module, server = recipe("imap"), FakeServer([STREET])
        server.refuses = True
        self.assertRaises(module.imaplib.IMAP4.error, module.convert_folder, server, 'IN"BOX')
        self.assertEqual((server.deleted, server.expunged), (set(), []))


class Mailman(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            from mailman.email.message import Message
        except ImportError as error:
            raise unittest.SkipTest(f"mailman: {error}") from error
        cls.message = Message
        sys.path.insert(0, str(RECIPES))
        cls.addClassCleanup(sys.path.remove, str(RECIPES))

    def process(self, raw):
        from septet_mailman.handlers.convert import Septet

        message, data = message_from_bytes(raw, self.message), {}
        message.original_size = len(raw)
        message.set_unixfrom("From a")
        same = message
        Septet().process(None, message, data)
        self.assertIs(message, same)
        self.assertEqual((message.original_size, message.get_unixfrom()), (len(raw), "From a"))
        return message, data

    def test_a_posting_is_converted_in_its_place(self):
        message, data = self.process(STREET)
        self.assertEqual((message.as_bytes(), data), (STREET_UTF8, {"septet": "field=Subject word=iso-8859-1>utf-8"}))
        parts = b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; " \
                b"charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n\xf0\xd2\xc9\xd7\xc5\xd4\n--b--\n"
        message, _ = self.process(parts)
        self.assertEqual(message.get_payload(0).get_payload(decode=True).decode(), "Привет")
        self.assertIsInstance(message.get_payload(0), self.message)

    def test_any_other_stays(self):
        message, data = self.process(KLINGON)
        self.assertEqual((message.as_bytes(), data["septet"]), (KLINGON, "part=1 body left=unknown-charset(x-klingon)"))

    def test_mailman_finds_what_it_needs(self):
        import septet_mailman
        from mailman.interfaces.handler import IHandler
        from mailman.interfaces.pipeline import IPipeline
        from mailman.interfaces.plugin import IPlugin
        from mailman.utilities.modules import find_components
        from zope.interface.verify import verifyObject

        verifyObject(IPlugin, septet_mailman.Plugin())
        handlers = list(find_components("septet_mailman.handlers", IHandler))
        self.assertEqual([handler.name for handler in handlers], ["septet"])
        verifyObject(IHandler, handlers[0]() if isinstance(handlers[0], type) else handlers[0])
        pipelines = list(find_components("septet_mailman.pipelines", IPipeline))
        self.assertEqual([pipeline.name for pipeline in pipelines], ["converting-pipeline"])
