"""Mailbox files: read whole, and replaced whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from septet._septet import Mailbox, rewrite_mbox

if TYPE_CHECKING:
    from septet._septet import ProfileLike

    Path = str | os.PathLike[str]


def open_mbox(path: Path, profile: ProfileLike = "utf8") -> Mailbox:
    """Reads a mailbox file (mbox in its dialects, MMDF) and returns its messages, each converted when it is asked for.

    The file is read whole. A Result here has a from_line, and its bytes are the message without the file's quoting (">From ").
    """
    return Mailbox(_read(path)[0], profile)


def convert_mbox(source: Path, target: Path, profile: ProfileLike = "utf8") -> dict[str, int]:
    """Writes a mailbox file with its messages converted, and returns how many there were of each result.

    The target may be the source. It is written beside its place, flushed to disk and renamed, so that it is whole at any
    time; mode and owner of a file that it replaces are kept. Nobody locks the source: if it is the target and has changed by the time
    it would be replaced, that is an OSError and nothing is replaced; mail that arrives later than that look is lost, so stop
    whatever delivers to it.
    """
    octets, before = _read(source)
    target = os.path.realpath(target)
    replaced = _regular(target)
    temporary = tempfile.NamedTemporaryFile(dir=os.path.dirname(target), prefix=".septet-", delete=False)
    try:
        with temporary:
            counts = rewrite_mbox(octets, profile, temporary.write)
            _settle(temporary, replaced or before, is_owner_kept=replaced is not None)
        if replaced is not None and os.path.samestat(replaced, before) and _changed(before, os.stat(source)):
            raise OSError(f"it changed while it was converted: {os.fspath(source)!r}")
        os.replace(temporary.name, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary.name)
        raise
    _flush_folder(os.path.dirname(target))
    return counts


def _read(path: Path) -> tuple[bytes, os.stat_result]:
    """Returns what is in a file, and what it was then."""
    with open(path, "rb") as file:
        return file.read(), os.fstat(file.fileno())


def _regular(target: str) -> os.stat_result | None:
    """Returns what the target is, None where there is none yet; an OSError for what is no regular file."""
    try:
        about = os.stat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(about.st_mode):
        raise OSError(f"it is no regular file, so it can't be replaced: {target!r}")
    return about


def _settle(file: Any, like: os.stat_result, is_owner_kept: bool) -> None:
    """Gives a file the mode of another one, its owner if that must be kept, and puts it on disk."""
    file.flush()
    own = os.fstat(file.fileno())
    if is_owner_kept and (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        os.fchown(file.fileno(), like.st_uid, like.st_gid)
    os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
    os.fsync(file.fileno())


def _changed(before: os.stat_result, now: os.stat_result) -> bool:
    """Returns True if a path names another file now, or one of another length or date."""
    return (before.st_ino, before.st_size, before.st_mtime_ns) != (now.st_ino, now.st_size, now.st_mtime_ns)


def _flush_folder(folder: str) -> None:
    """Puts a rename on disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
