"""convert, explain and the rest that takes octets."""

import doctest
import re
import threading
import unittest
from email import message_from_bytes
from email.header import Header

import septet
from letters import KLINGON, PLAIN, ROOT, STREET, STREET_UTF8, fixtures


class Convert(unittest.TestCase):
    def test_a_changed_message(self):
        result = septet.convert(STREET)
        self.assertEqual((result.bytes, result.changed, result.result), (STREET_UTF8, True, "changed"))
        self.assertEqual(str(result), "field=Subject word=iso-8859-1>utf-8")
        entry = {"part": "1", "place": "field", "field": "Subject", "changes": ["word=iso-8859-1>utf-8"]}
        self.assertEqual(result.report, [{**entry, "text": str(result)}])
        self.assertEqual((bytes(result), result.from_line), (STREET_UTF8, None))
        self.assertIn(str(result), repr(result))

    def test_what_needs_no_change_is_the_same_object(self):
        result = septet.convert(PLAIN)
        self.assertIs(result.bytes, PLAIN)
        self.assertEqual((result.changed, result.result, result.report, str(result)), (False, "unchanged", [], ""))

    def test_what_is_left_has_its_reason(self):
        result = septet.convert(KLINGON)
        self.assertEqual((result.bytes, result.changed, result.result), (KLINGON, False, "left"))
        self.assertEqual(result.report[0]["left"], "unknown-charset")
        self.assertEqual(str(result), "part=1 body left=unknown-charset(x-klingon)")

    def test_octets_may_come_in_any_buffer(self):
        for raw in (bytearray(STREET), memoryview(STREET), memoryview(STREET * 2)[:len(STREET)]):
            self.assertEqual(septet.convert(raw).bytes, STREET_UTF8)
        self.assertIsInstance(septet.convert(bytearray(PLAIN)).bytes, bytes)
        for other in ("text", None, 7, [1, 2]):
            self.assertRaises(TypeError, septet.convert, other)

    def test_fixtures_are_changed_as_their_results_say(self):
        for raw in fixtures():
            for profile in ("utf8", "eai", "ascii"):
                result = septet.convert(raw, profile)
                self.assertEqual(result.changed, result.bytes != raw)
                self.assertEqual(result.report, septet.explain(raw, profile))
                self.assertEqual("; ".join(entry["text"] for entry in result.report), str(result))
                self.assertTrue(all(len({"changes", "left", "note"} & set(entry)) == 1 for entry in result.report))

    def test_the_gil_is_free_while_a_message_is_planned(self):
        raw = b"Content-Type: text/plain; charset=koi8-r\n\n" + b"\xf0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2\n" * 1_000_000
        done, ticks = threading.Event(), 0
        thread = threading.Thread(target=lambda: (septet.convert(raw), done.set()))
        thread.start()
        while not done.wait(0.0005):
            ticks += 1
        thread.join()
        self.assertGreater(ticks, 10)

    def test_threads_get_what_one_alone_gets(self):
        mail = fixtures()[:200]
        alone, found = [septet.convert(raw).bytes for raw in mail], {}
        work = [threading.Thread(target=lambda n=n: found.update({n: [septet.convert(raw).bytes for raw in mail]}))
                for n in range(4)]
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        self.assertEqual([found[n] for n in range(4)], [alone] * 4)


class Fields(unittest.TestCase):
    def test_decode_header(self):
        self.assertEqual(septet.decode_header(b"=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?= au\r\n lait"), "café au lait")
        self.assertEqual(septet.decode_header("=?utf-8?Q?caf=C3=A9?="), "café")
        self.assertEqual(septet.decode_header("=?x-klingon?Q?Qapla?="), "=?x-klingon?Q?Qapla?=")

    def test_text_with_surrogates_as_email_has_them(self):
        self.assertEqual(septet.decode_header(b"caf\xc3\xa9".decode("ascii", "surrogateescape")), "café")
        self.assertIsInstance(septet.decode_header("\ud800"), str)

    def test_what_email_makes_of_raw_octets(self):
        raw = "Subject: Привет, мир\nFrom: Юлия <j@example.org>\n\n".encode("koi8-r")
        message = message_from_bytes(raw)
        self.assertIsInstance(message["subject"], Header)
        self.assertEqual(septet.decode_header(message["subject"]), septet.decode_header("Привет, мир".encode("koi8-r")))
        self.assertEqual(septet.decode_header(message_from_bytes("Subject: é =?koi8-r?B?8NLJ18XU?=\n\n".encode())["subject"]),
                         "é Привет")
        self.assertEqual(septet.decode_header(Header("Grüße", "iso-8859-1")), "Grüße")
        self.assertEqual([address for _, address in septet.decode_addresses(message["from"])], ["j@example.org"])

    def test_decode_addresses(self):
        found = septet.decode_addresses(b'=?iso-8859-1?Q?J=FCrgen?= <j@example.org>, "Doe, J." <doe@example.org>, x@example.org')
        self.assertEqual(found, [("Jürgen", "j@example.org"), ("Doe, J.", "doe@example.org"), ("", "x@example.org")])

    def test_detect(self):
        self.assertEqual(septet.detect("Привет, как дела?".encode()), "utf-8")
        self.assertEqual(septet.detect(b"plain"), "us-ascii")
        self.assertIsNone(septet.detect(b"\xe8"))


class Documents(unittest.TestCase):
    def test_the_modules_example(self):
        self.assertEqual(doctest.testmod(septet).failed, 0)

    def test_the_examples_of_the_readme_and_of_the_documents(self):
        for page in ("python/README.md", "docs/languages.md"):
            text = (ROOT / page).read_text(encoding="utf-8")
            examples = "".join(re.findall(r"^```pycon\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
            test = doctest.DocTestParser().get_doctest(examples, {}, page, page, 0)
            self.assertGreater(len(test.examples), 3)
            self.assertEqual(doctest.DocTestRunner().run(test).failed, 0, page)

    def test_everything_has_a_stub_and_a_line_of_help(self):
        stubs = (ROOT / "python/lib/septet/_septet.pyi").read_text(encoding="utf-8")
        for name in septet.__all__:
            thing = getattr(septet, name)
            self.assertTrue(thing.__doc__)
            if getattr(thing, "__module__", "") != "septet._mailbox":
                self.assertRegex(stubs, rf"(?m)^(def|class) {name}\b|^{name}:")
        for kind in (septet.Result, septet.Profile, septet.Mailbox):
            body = stubs.split(f"class {kind.__name__}:")[1].split("\n@final")[0]
            for name in (name for name in vars(kind) if not name.startswith("_")):
                self.assertIn(f"def {name}(self)", body)

    def test_the_version_is_that_of_the_manifest(self):
        manifest = (ROOT / "python/Cargo.toml").read_text(encoding="utf-8")
        whole = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
        self.assertIn(f'version = "{septet.__version__}"', manifest)
        self.assertIn(f'version = "{septet.__version__}"', whole.split("[package.metadata")[0])
