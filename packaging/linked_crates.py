"""The crates that are linked into the program, as `cargo metadata` has them."""

import json
import os
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def host():
    """Returns the triple of this system."""
    lines = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout.splitlines()
    return next(line.removeprefix("host: ") for line in lines if line.startswith("host: "))


def metadata(target):
    """Returns what cargo says of the packages for a target."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)


def linked(target=None):
    """Returns the program's own package, and {id: (package, ids it needs)} of all that is linked into it, itself too.

    What only builds or tests it is left out. Macros are in: what they write is part of the program. The library and the
    coders are the project's own as the program is, and what they need is what it needs.
    """
    data = metadata(target or host())
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    root = data["resolve"]["root"]
    found, open_ids = {}, [root]
    while open_ids:
        one = open_ids.pop()
        if one in found:
            continue
        needs = [dep["pkg"] for dep in nodes[one]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        found[one] = (packages[one], needs)
        open_ids.extend(needs)
    own = [one for one in found if packages[one]["source"] is None]
    needed = sorted({need for one in own for need in found[one][1]} - set(own))
    others = {one: what for one, what in found.items() if one not in own}
    return packages[root], {root: (packages[root], needed), **others}


def checksums():
    """Returns the SHA-256 of each package's archive, by name and version, as Cargo.lock has it."""
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    return {(one["name"], one["version"]): one.get("checksum") for one in lock["package"]}


def epoch():
    """Returns the time that everything is dated with: SOURCE_DATE_EPOCH, or that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True).stdout)

