"""The readers from Debian, of the version that is installed."""

from driver import DRIVERS, Reader, debian, run


def compiled(name, compiler, module, *flags):
    """A driver in C or C++; `module` is what pkg-config calls the library."""

    def prepare(folder):
        (source,) = DRIVERS.glob(f"{name}.c*")
        found = run("pkg-config", "--cflags", "--libs", module).split()
        run(compiler, "-O1", "-o", folder / name, source, *found, *flags)
        return [folder / name]

    return prepare


def gmime(folder):
    command = compiled("gmime", "cc", "gmime-3.0")(folder)
    return command, f"GMime {run('pkg-config', '--modversion', 'gmime-3.0')}"


READERS = [
    Reader("gmime", "gm", gmime),
]
