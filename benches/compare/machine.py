"""Says what machine the figures are of, when, and which septet."""

import datetime
import hashlib
import os
import platform
import subprocess


def describe():
    """Returns what the figures depend on."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "cpu": first_value("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory": memory(),
        "kernel": platform.release(),
        "system": (first_value("/etc/os-release", "PRETTY_NAME", "=") or platform.system()).strip('"'),
        "load": round(os.getloadavg()[0], 2),
    }


def memory():
    """Returns the machine's memory in GiB."""
    kilobytes = (first_value("/proc/meminfo", "MemTotal") or "0").split()[0]
    return f"{int(kilobytes) / 1048576:.1f} GiB"


def first_value(path, key, separator=":"):
    """Returns the first value of a key in a file of lines."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            pairs = (line.partition(separator) for line in file)
            return next((value.strip() for name, _, value in pairs if name.strip() == key), None)
    except OSError:
        return None


def septet(path, root, given):
    """Returns the version of septet, and what it was built from."""
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return {
        "version": output([path, "--version"]),
        "commit": output(["git", "-C", root, "describe", "--always", "--dirty"]) or "unknown",
        "built": "by somebody else (--septet)" if given else "from this commit",
        "sha256": digest[:16],
    }


def output(command):
    """Returns what a program says, or nothing."""
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except OSError:
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""


def file_system(folder):
    """Returns the kind of file system that a folder is on.

    >>> file_system("/proc")
    'proc'
    """
    folder = os.path.realpath(folder)
    with open("/proc/mounts", encoding="utf-8", errors="replace") as file:
        mounts = [line.split()[1:3] for line in file]
    above = [(len(place), kind) for place, kind in mounts if (folder + "/").startswith(place.rstrip("/") + "/")]
    return max(above)[1] if above else "unknown"
