"""The readers from Debian, of the version that is installed."""

from driver import DRIVERS, Reader, debian, run

JAVA = "/usr/share/java"


def script(interpreter, file, *versions):
    """A driver that an interpreter runs; its version is made of names and packages, `a name=a package`."""

    def prepare(_):
        said = [f"{name} {debian(package)}" for name, package in (it.split("=") for it in versions)]
        return [*interpreter.split(), DRIVERS / file], ", ".join(said)

    return prepare


def compiled(file, name, package, *modules, flags=(), compiler="cc"):
    """A driver in C or C++; `modules` is what pkg-config calls its libraries."""

    def prepare(folder):
        found = run("pkg-config", "--cflags", "--libs", *modules).split() if modules else flags
        run(compiler, "-O1", "-w", "-o", folder / "driver", DRIVERS / file, *found)
        return [folder / "driver"], f"{name} {debian(package)}"

    return prepare


def java(file, *versions, jars):
    """A driver in Java, which the launcher of source files runs."""
    return script(f"java -cp {':'.join(f'{JAVA}/{it}.jar' for it in jars + ['gson'])}", file, *versions)


JAKARTA = ["jakarta-mail", "jakarta-activation"]
MIME4J = ["apache-mime4j-core", "apache-mime4j-dom", "commons-io"]

CCLIENT = ["-lc-client"]

READERS = [
    Reader("gmime", "gm", compiled("gmime.c", "GMime", "libgmime-3.0-dev", "gmime-3.0")),
    Reader("libetpan", "et", compiled("libetpan.c", "libetpan", "libetpan-dev", "libetpan")),
    Reader("vmime", "vm", compiled("vmime.cpp", "vmime", "libvmime-dev", "vmime", compiler="c++")),
    Reader("c-client", "cc", compiled("c-client.c", "c-client", "libc-client2007e-dev", flags=CCLIENT)),
    Reader("ruby-mail", "rb", script("ruby", "ruby-mail.rb", "Ruby mail=ruby-mail")),
    Reader(
        "email-mime",
        "em",
        script("perl", "email-mime.pl", "Email::MIME=libemail-mime-perl", "Email::Address::XS=libemail-address-xs-perl"),
    ),
    Reader(
        "mime-tools",
        "mt",
        script("perl", "mime-tools.pl", "MIME-tools=libmime-tools-perl", "MIME::EncWords=libmime-encwords-perl"),
    ),
    Reader("php-mailparse", "php", script("php -d error_reporting=0", "php-mailparse.php", "PHP=php8.2-cli", "mailparse=php-mailparse")),
    Reader("jakarta-mail", "jm", java("JakartaMail.java", "Jakarta Mail=libjakarta-mail-java", jars=JAKARTA)),
    Reader("mime4j", "m4j", java("Mime4j.java", "mime4j=libapache-mime4j-java", jars=MIME4J)),
    Reader("emacs", "el", script("emacs --batch -Q -l", "emacs.el", "Emacs=emacs-nox")),
    Reader("dovecot", "dc", script("python3", "dovecot.py", "Dovecot=dovecot-core")),
    Reader("notmuch", "nm", script("python3", "notmuch.py", "notmuch=notmuch")),
]
