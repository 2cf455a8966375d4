"""The readers of mail that are asked, in the order of the tables in docs/readers.md."""

from concurrent.futures import ThreadPoolExecutor

import debian
import registries
from driver import DRIVERS, Reader, ready, run

READERS = [*registries.READERS, *debian.READERS]


def septet(program):
    """septet itself: what its profile `eai` makes of a message, read by strict.py, which knows nothing but clean UTF-8."""
    command = ["python3", DRIVERS / "septet.py", program]
    return Reader("septet", "se", lambda _: (command, f"{run(program, '--version')}, `filter --profile eai`"))


def available(names=(), program=None):
    """The command and the version by name of the readers that are there, all of them or those that are named."""
    readers = READERS + ([septet(program)] if program else [])
    unknown = set(names) - {it.name for it in readers}
    assert not unknown, f"no such reader: {' '.join(unknown)}"
    asked = [it for it in readers if not names or it.name in names]
    # Most of it is waiting for a registry or a compiler.
    with ThreadPoolExecutor(4) as pool:
        found = dict(zip([it.name for it in asked], pool.map(ready, asked)))
    return {name: it for name, it in found.items() if it}
