"""decode, encode_header, links, texts; results and profiles that go to another process."""

import copy
import pickle
import unittest
from concurrent.futures import ProcessPoolExecutor
from email import message_from_bytes
from pathlib import Path

import septet
from letters import KLINGON, PLAIN, STREET


class Texts(unittest.TestCase):
    def test_octets_are_decoded_in_charsets_that_python_does_not_know(self):
        for text, python in (("สวัสดีครับ", "tis-620"), ("会議の日程について", "shift_jis")):
            octets = text.encode(python)
            self.assertRaises(LookupError, octets.decode, septet.detect(octets))
            self.assertEqual(septet.decode(octets), (text, septet.detect(octets)))
        self.assertEqual(septet.decode(b"5 +IKw-", "unicode-1-1-utf-7")[0], "5 €")
        self.assertEqual(septet.decode(b"It\x92s", "us-ascii"), ("It’s", "windows-1252"))
        self.assertRaises(UnicodeError, septet.decode, b"\xe8")

    def test_a_header_is_written_as_it_is_read(self):
        for text in ("Straße", "plain", "日本語の件名がとても長いのでここで何回も折り返されるはずです"):
            for charset in ("utf-8", "UTF8", "iso-2022-jp" if text[0] == "日" else "latin1"):
                self.assertEqual(septet.decode_header(septet.encode_header("Subject", text, charset)), text)
        self.assertRaises(ValueError, septet.encode_header, "Subject", "a\r\nBcc: b@example.org")
        self.assertRaises(ValueError, septet.encode_header, "Subject", "日本", "latin1")
        self.assertRaises(LookupError, septet.encode_header, "Subject", "ß", "klingon")

    def test_links_have_their_places_in_characters(self):
        text = "日本 <http://exämple.org/é\nb> und http://example.org/x."
        found = septet.find_iris(text)
        self.assertEqual([text[start:end] for _, start, end in found], ["http://exämple.org/é\nb", "http://example.org/x"])
        self.assertEqual(found[0][0], "http://exämple.org/éb")
        self.assertEqual(septet.to_iri(septet.to_uri(found[0][0])), found[0][0])
        self.assertRaises(ValueError, septet.to_uri, "http://example.org/a\u202eb")

    def test_the_texts_of_a_message(self):
        raw = b"Content-Type: text/html; charset=koi8-r\n\n<p>\xf0\xd2\xc9\xd7\xc5\xd4\n"
        self.assertEqual(septet.texts(raw), [("text/html", "<p>Привет\n")])


class Processes(unittest.TestCase):
    def test_results_are_pickled_and_compared(self):
        for raw in (STREET, PLAIN, KLINGON):
            result = septet.convert(raw)
            for twin in (pickle.loads(pickle.dumps(result)), copy.copy(result), septet.convert(raw)):
                self.assertEqual((twin, hash(twin)), (result, hash(result)))
                self.assertEqual((twin.bytes, twin.changed, twin.result), (result.bytes, result.changed, result.result))
                self.assertEqual((twin.report, str(twin), twin.from_line), (result.report, str(result), None))
        self.assertNotEqual(septet.convert(STREET), septet.convert(PLAIN))
        self.assertNotEqual(septet.convert(STREET), STREET)

    def test_profiles_are_pickled_and_compared(self):
        for source in ("ascii", {"base": "utf8", "iris": "keep"}):
            profile = septet.Profile(source)
            self.assertEqual(pickle.loads(pickle.dumps(profile)), profile)
        self.assertNotEqual(septet.Profile("ascii"), septet.Profile("utf8"))

    def test_worker_processes_return_results(self):
        with ProcessPoolExecutor(1) as workers:
            self.assertEqual(list(workers.map(septet.convert, [STREET, PLAIN])), [septet.convert(it) for it in (STREET, PLAIN)])


class Errors(unittest.TestCase):
    def test_what_takes_octets_says_where_they_are(self):
        message, path = message_from_bytes(STREET), Path(__file__)
        takers = (septet.convert, septet.explain, septet.detect, septet.decode, septet.texts, septet.Mailbox)
        with path.open() as file:
            for taker in takers:
                for other, said in (
                    (message, r"not Message: message\.as_bytes\(\)"),
                    (path, r"not \w+Path: path\.read_bytes\(\)"),
                    (file, r"not TextIOWrapper: file\.read\(\)"),
                    ("text", r'not str: those of the file, opened as "rb"'),
                    (None, "not NoneType$"),
                    ([1, 2], "not list$"),
                ):
                    with self.assertRaisesRegex(TypeError, "bytes are wanted, " + said):
                        taker(other)
        for taker in (septet.decode_header, septet.decode_addresses):
            with self.assertRaisesRegex(TypeError, r'not Message: message\["Subject"\]'):
                taker(message)
            self.assertRaisesRegex(TypeError, "bytes are wanted, not NoneType", taker, None)

    def test_a_name_is_for_a_settings_file_alone(self):
        for source in ({"base": "utf8"}, "utf8", septet.Profile("utf8")):
            with self.assertRaisesRegex(ValueError, "name: it chooses one of the profiles of a settings file; leave it out"):
                septet.Profile(source, name="x")
