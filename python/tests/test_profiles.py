"""Profiles in their forms, and what is wrong with them."""

import collections
import errno
import os
import tempfile
import threading
import unittest
from pathlib import Path

import septet
from letters import STREET, STREET_UTF8

LINK = b"Content-Type: text/plain; charset=iso-8859-1\n\nhttp://example.org/\xe9\n"


class Profiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "septet.toml"

    def assert_wrong(self, profile, *said, error=ValueError):
        with self.assertRaises(error) as raised:
            septet.convert(STREET, profile)
        for words in said:
            self.assertIn(words, str(raised.exception))

    def test_built_in_names(self):
        for name in ("keep", "utf8", "eai", "seven-bit", "utf7", "ascii"):
            self.assertEqual(septet.Profile(name).name, name)
            self.assertEqual(septet.convert(STREET, name).bytes, septet.convert(STREET, septet.Profile(name)).bytes)
        self.assertEqual(septet.convert(STREET, "keep").bytes, STREET)

    def test_a_dict_has_a_profiles_keys(self):
        self.assertIn(b"/%E9", septet.convert(LINK).bytes.replace(b"%C3%A9", b"%E9"))
        kept = {"base": "utf8", "iris": "keep"}
        for profile in (kept, septet.Profile(kept), collections.UserDict(kept), septet.Profile(septet.Profile(kept))):
            self.assertIn("/é".encode(), septet.convert(LINK, profile).bytes)
        septet.Profile({"unlabelled": ["utf-8", "koi8-r"], "charset_alias": {"x.y": "koi8-r"}})
        fixed = {"base": "keep", "conformance": {"nul": "fix"}}
        self.assertNotIn(b"\0", septet.convert(b"Subject: a\n\nb\0c\n", fixed).bytes)

    def test_a_settings_file(self):
        self.file.write_text('default_profile = "archive"\n[profile.archive]\nbase = "keep"\n[profile.other]\n')
        for path in (self.file, str(self.file)):
            self.assertEqual(septet.convert(STREET, path).bytes, STREET)
            self.assertEqual(septet.convert(STREET, septet.Profile(path, name="other")).bytes, STREET_UTF8)
        self.assertEqual(septet.Profile(self.file).name, "archive")
        with self.assertRaisesRegex(ValueError, "archive, .*other"):
            septet.Profile(self.file, name="nope")

    def test_a_file_is_read_again_when_it_was_written(self):
        self.file.write_text('default_profile = "keep"\n')
        self.assertEqual(septet.convert(STREET, self.file).bytes, STREET)
        self.file.write_text('default_profile = "utf8"\n')
        os.utime(self.file, ns=(0, 1))
        self.assertEqual(septet.convert(STREET, self.file).bytes, STREET_UTF8)

    def test_a_wrong_profile_names_the_key_and_what_was_meant(self):
        self.assert_wrong("utf-8", '"utf-8"', 'did you mean "utf8"?')
        self.assert_wrong({"irris": "keep"}, 'irris: unknown key; did you mean "iris"?')
        self.assert_wrong({"iris": "kep"}, "iris", 'did you mean "keep"?')
        self.assert_wrong({"iris": None}, "iris: None")
        self.assert_wrong({"base": "nope"}, "base", "seven-bit")
        self.assert_wrong({1: "keep"}, "1: a key is a str")
        self.assert_wrong({"unlabelled": 2**70}, "unlabelled")
        self.assert_wrong({"conformance": {"nuls": "fix"}}, "conformance.nuls", '"nul"')
        self.assert_wrong({"irris": 1, "headrs": 2}, "irris", "headrs")
        self.assert_wrong({"iris": "\ud800"}, "iris")
        self.assert_wrong("\ud800", "no profile")
        self.assertRaises(ValueError, septet.Profile, "utf8", name="utf8")
        for other in (7, None, b"utf8", ["utf8"]):
            self.assert_wrong(other, "a profile is", error=TypeError)

    def test_a_dict_in_itself_is_too_deep(self):
        endless = {}
        endless["conformance"] = endless
        self.assert_wrong(endless, "too deep")

    def test_a_wrong_file_names_the_line(self):
        self.file.write_text('[profile.archive]\nirris = "keep"\n')
        self.assert_wrong(self.file, f"{self.file}:2: profile.archive.irris", '"iris"')
        self.file.write_text("[profile\n")
        self.assert_wrong(self.file, str(self.file))
        self.file.write_bytes(b"\xff")
        self.assert_wrong(self.file, "UTF-8")

    def test_a_file_that_cannot_be_read_is_an_os_error(self):
        with self.assertRaises(FileNotFoundError) as raised:
            septet.convert(STREET, "/nowhere/septet.toml")
        self.assertEqual((raised.exception.errno, raised.exception.filename), (errno.ENOENT, "/nowhere/septet.toml"))
        self.assertRaises(IsADirectoryError, septet.convert, STREET, self.file.parent)
        self.assertRaises(OSError, septet.convert, STREET, "a\0b/")

    def test_more_profiles_than_are_kept(self):
        for number in range(200):
            septet.convert(STREET, {"charset_alias": {f"x-{number}": "koi8-r"}})
        self.assertEqual(septet.convert(STREET, "keep").bytes, STREET)

    def test_threads_may_make_profiles_together(self):
        def work(number):
            for turn in range(50):
                septet.Profile({"charset_alias": {f"x-{number}-{turn}": "koi8-r"}})

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertFalse(any(thread.is_alive() for thread in threads))
