"""Mail that nobody would send, and very much of it."""

import tempfile
import unittest
from pathlib import Path

import septet
from letters import IS_NIGHTLY, STREET, mutants


def resident():
    """Returns how many octets of memory this process has."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


class Hostile(unittest.TestCase):
    def test_no_mail_raises(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "box"
            for number, raw in enumerate(mutants(10_000 if IS_NIGHTLY else 500)):
                for profile in ("utf8", "ascii"):
                    result = septet.convert(raw, profile)
                    self.assertEqual((result.changed, str(result).isascii()), (result.bytes != raw, True))
                self.assertIsInstance(septet.decode_header(raw[:200]), str)
                self.assertIsInstance(septet.decode_addresses(raw[:200]), list)
                septet.detect(raw)
                if number % 50 == 0:
                    file.write_bytes(raw)
                    counts = septet.convert_mbox(file, file)
                    self.assertEqual(counts["messages"], len(list(septet.open_mbox(file))))

    @unittest.skipUnless(Path("/proc/self/statm").exists(), "no /proc")
    def test_memory_stays_as_it_is(self):
        def work(times):
            for _ in range(times):
                result = septet.convert(STREET, {"base": "utf8", "iris": "keep"})
                result.report, str(result)
                septet.decode_addresses(b"=?iso-8859-1?Q?J=FCrgen?= <j@example.org>")

        work(1_000)
        before = resident()
        work(100_000 if IS_NIGHTLY else 2_000)
        self.assertLess(resident() - before, 2 << 20)
