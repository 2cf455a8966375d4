"""The readers from PyPI, npm, crates.io and Go's modules, each of one version, and Python's own."""

from driver import DRIVERS, Reader, run

READERS = []
