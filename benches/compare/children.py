"""Starts processes, times them, and ends every one of them, whatever happens to the driver."""

import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass


class Failed(Exception):
    """A program that ended badly, did not end in time, or did not come up; the text says why."""


@dataclass
class Spent:
    """What a program took: seconds by the clock, and seconds of CPU with its children's."""

    wall: float
    cpu: float


class Children:
    """All processes that were started and have not ended, each in a group of its own."""

    def __init__(self):
        self.running = []

    def start(self, command, stdin=None, stdout=None, stderr=None, **more):
        """Starts a program that goes on beside us, as a server."""
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(
            [str(word) for word in command], stdin=stdin or quiet, stdout=stdout or quiet, stderr=stderr or quiet,
            start_new_session=True, **more)
        self.running.append(process)
        return process

    def stop(self, process):
        """Asks a program to end, and after five seconds makes it."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            signal_group(process, number)
            try:
                process.wait(5)
                break
            except subprocess.TimeoutExpired:
                pass
        signal_group(process, signal.SIGKILL)
        if process in self.running:
            self.running.remove(process)

    def stop_all(self):
        """Ends whatever is left."""
        for process in list(self.running):
            self.stop(process)

    def run(self, command, stdin=None, stdout=None, timeout=900, **more):
        """Runs a program to its end, which must be a good one, and says what it took."""
        with tempfile.TemporaryFile() as complaints:
            begun = time.perf_counter()
            process = self.start(command, stdin, stdout, complaints, **more)
            timer = threading.Timer(timeout, signal_group, (process, signal.SIGKILL))
            timer.start()
            try:
                _, status, usage = os.wait4(process.pid, 0)
                wall = time.perf_counter() - begun
                process.returncode = os.waitstatus_to_exitcode(status)
            finally:
                timer.cancel()
                self.stop(process)
            if process.returncode != 0:
                raise Failed(reason(command, process.returncode, complaints))
        return Spent(wall, usage.ru_utime + usage.ru_stime)

    def output(self, command, timeout=900, **more):
        """Runs a program and returns what it wrote."""
        with tempfile.TemporaryFile() as written:
            self.run(command, stdout=written, timeout=timeout, **more)
            written.seek(0)
            return written.read().decode("utf-8", "replace").strip()


    def complaints(self, command, stdin, timeout=900):
        """Runs a program and returns what it said on standard error, however it ended."""
        with tempfile.TemporaryFile() as said, open(os.devnull, "wb") as nowhere:
            process = self.start(command, stdin, nowhere, said)
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired as error:
                raise Failed(f"{command[0]} had not ended after {timeout} s") from error
            finally:
                self.stop(process)
            said.seek(0)
            return said.read().decode("utf-8", "replace")


def signal_group(process, number):
    """Sends a signal to a process and all that it has started."""
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def reason(command, code, complaints):
    """Says in a line how a program ended, with the last thing that it said."""
    complaints.seek(0)
    lines = complaints.read().decode("utf-8", "replace").strip().splitlines()
    name = os.path.basename(str(command[0]))
    return f"{name} ended with {code}" + (f": {lines[-1][:200]}" if lines else "")
