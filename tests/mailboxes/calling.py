"""Runs programs: to their end, on a terminal, and on a copy of a mailbox."""

import os
import pty
import shutil
import subprocess
import termios

NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


def run(*command, stdin=b"", env=None, may_fail=False, cwd=None):
    """Runs a program to its end; returns what it says on standard output."""
    done = subprocess.run([str(it) for it in command], input=stdin, capture_output=True, env={**os.environ, **(env or {})},
                          timeout=120, cwd=cwd)
    if done.returncode and not may_fail:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}")
    return done.stdout


def on_terminal(*command, env):
    """Runs a program that asks for a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        termios.tcsetwinsize(0, (50, 200))
        os.execvpe(command[0], [str(it) for it in command], {**os.environ, **env, "TERM": "xterm"})
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass  # the terminal is closed by the program's end
    os.close(terminal)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        raise RuntimeError(f"{command[0]} failed")


def copy(path, to):
    """Copies a mailbox without the indexes that its program keeps in it."""
    if path.is_file():
        shutil.copy2(path, to)
    else:
        shutil.copytree(path, to, ignore=shutil.ignore_patterns("dovecot.*", "dovecot-uid*", ".imap", "septet-origin.jsonl"))
    return to


def copy_source(source, folder):
    """For programs that write no Maildir, but read one."""
    return copy(source, folder / "box")
