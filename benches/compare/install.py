"""Gets the peers: Debian's packages, packages of PyPI in a temporary environment, C programs, crates."""

import glob
import os
import shutil
import subprocess
import sys

from children import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = os.path.join(HERE, "peers")
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


class Missing(Exception):
    """A peer that can't be had here; the text says what is missing."""


class Peers:
    """What can be had on this machine, each asked for once."""

    def __init__(self, children, folder, crates):
        self.children = children
        self.folder = folder
        self.crates = crates
        self.known = {}
        self.versions = {}

    def get(self, key, how):
        """Makes something once; a failure stays one."""
        if key not in self.known:
            try:
                self.known[key] = how()
            except (Missing, Failed) as error:
                self.known[key] = Missing(str(error))
        if isinstance(self.known[key], Missing):
            raise self.known[key]
        return self.known[key]

    def package(self, name):
        """Installs one of Debian's packages, where it isn't."""
        return self.get(f"package {name}", lambda: self.install(name))

    def install(self, name):
        """Installs one of Debian's packages; nothing that is installed is removed for it."""
        if not (version := debian_version(name)):
            if os.geteuid() != 0 or not shutil.which("apt-get"):
                raise Missing(f"Debian's package {name} is not installed (run as root to install it)")
            self.get("apt lists", lambda: self.apt("update", "-qq"))
            self.configure(name)
            self.apt("install", "-y", "-qq", "--no-install-recommends", "--no-remove", name)
            version = debian_version(name)
        self.versions[name] = version or "unknown"

    def apt(self, *words):
        """Runs apt-get, quietly."""
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        wait = ["-o", "DPkg::Lock::Timeout=300"]
        try:
            return self.children.run(["apt-get", *wait, *words], timeout=900, env=environment)
        except Failed as error:
            raise Missing(f"apt-get {words[0]} {words[-1]}: {error}") from error

    def configure(self, name):
        """Has Postfix installed without settings, so that no server starts on this machine."""
        if name == "postfix":
            answer = b"postfix postfix/main_mailer_type select No configuration\n"
            subprocess.run(["debconf-set-selections"], input=answer, check=False, timeout=60)

    def command(self, name, package):
        """Returns the path of a program of a Debian package."""
        if not shutil.which(name, path=PATH):
            self.package(package)
        elif version := debian_version(package):
            self.versions[package] = version
        found = shutil.which(name, path=PATH)
        if not found:
            raise Missing(f"{name} is not in Debian's package {package}")
        return found

    def c_program(self, name, packages=(), libraries=(), pkg_config=None):
        """Builds a C program of the folder peers."""
        return self.get(f"C {name}", lambda: self.compile(name, packages, libraries, pkg_config))

    def compile(self, name, packages, libraries, pkg_config):
        """Compiles one C file."""
        compiler = self.command("cc", "gcc")
        self.package("libc6-dev")
        for package in packages:
            self.package(package)
        flags = [f"-l{library}" for library in libraries]
        if pkg_config:
            self.command("pkg-config", "pkg-config")
            flags += self.children.output(["pkg-config", "--cflags", "--libs", pkg_config]).split()
        program = os.path.join(self.folder, name)
        self.children.run([compiler, "-O2", "-o", program, os.path.join(PEERS, f"{name}.c"), *flags])
        return program

    def gmime(self):
        """Builds the program over GMime that converts and proves."""
        return self.c_program("gmime", ["libgmime-3.0-dev"], pkg_config="gmime-3.0")

    def python(self, *packages):
        """Returns a Python that has packages of PyPI, in an environment that goes away with us."""
        python = self.get("environment", self.environment)
        for package in packages:
            self.get(f"PyPI {package}", lambda: self.pip(python, package))
        return python

    def environment(self):
        """Makes an environment for Python packages."""
        folder = os.path.join(self.folder, "python")
        try:
            self.children.run([sys.executable, "-m", "venv", folder])
        except Failed:
            self.package("python3-venv")
            shutil.rmtree(folder, ignore_errors=True)
            self.children.run([sys.executable, "-m", "venv", folder])
        return os.path.join(folder, "bin", "python")

    def pip(self, python, package):
        """Installs one package of PyPI into the environment."""
        quiet = ["--quiet", "--disable-pip-version-check", "--no-cache-dir"]
        self.children.run([python, "-m", "pip", "install", *quiet, package])
        ask = f"import importlib.metadata as m; print(m.version({package!r}))"
        self.versions[package] = self.children.output([python, "-c", ask])

    def crate(self, name):
        """Builds the small programs over other people's crates, and returns the one of that name."""
        return os.path.join(self.get("crates", self.build_crates), name)

    def build_crates(self):
        """Builds them all, outside septet's own workspace."""
        self.cargo_build(os.path.join(PEERS, "crates", "Cargo.toml"))
        self.versions.update(locked_versions(os.path.join(PEERS, "crates", "Cargo.lock")))
        return os.path.join(self.crates, "release")

    def cargo_build(self, manifest, *words):
        """Builds the programs of a package."""
        if not (cargo := shutil.which("cargo")):
            raise Missing(f"cargo is not here to build {manifest}")
        environment = dict(os.environ, CARGO_TARGET_DIR=self.crates)
        self.children.run([cargo, "build", "--quiet", "--release", "--locked", "--manifest-path", manifest, *words],
                          env=environment, timeout=1800)

    def planner(self):
        """Builds benches/plan.rs, which plans messages and does nothing else, and returns it."""
        return self.get("planner", self.build_planner)

    def build_planner(self):
        """Builds it over the septet of these sources, whichever program is measured beside; callgrind wants their lines."""
        lines = ("--config", 'profile.release.debug="line-tables-only"', "--config", "profile.release.strip=false")
        self.cargo_build(os.path.join(os.path.dirname(HERE), "Cargo.toml"), "--bin", "plan", *lines)
        return os.path.join(self.crates, "release", "plan")


def debian_version(package):
    """Returns the version of a package that is installed, or nothing."""
    try:
        asked = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status} ${Version}", package],
                               capture_output=True, text=True, timeout=60)
    except OSError:
        return None
    status, _, version = asked.stdout.partition(" ")
    return version if status == "installed" else None


def locked_versions(path):
    """Returns the versions of the crates that are compared with, as Cargo.lock has them."""
    with open(path, encoding="utf-8") as file:
        blocks = [dict(line.split(" = ", 1) for line in block.splitlines() if " = " in line)
                  for block in file.read().split("[[package]]")]
    named = {block.get("name", "").strip('"'): block.get("version", "").strip('"') for block in blocks}
    return {f"crate {name}": named[name] for name in ("encodify", "linkify", "lol_html", "mail-builder", "mail-parser") if name in named}


def system_python(module):
    """Returns the Python of Debian where it has a module of Debian's packages, or nothing."""
    for python in glob.glob("/usr/bin/python3"):
        if subprocess.run([python, "-c", f"import {module}"], capture_output=True, timeout=60).returncode == 0:
            return python
    return None
