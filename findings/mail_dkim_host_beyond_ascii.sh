#!/usr/bin/env bash
# Mail::DKIM 1.20230212 (Perl) looks for the key of `d=bücher.example` at a host that is called otherwise.
#
# One would guess that it asks for a._domainkey.xn--bcher-kva.example: a signature of international mail names the domain in
# UTF-8, and the DNS has it in ASCII (RFC 8616). dkimpy 1.1.8 (PyPI) does.
# Seen: it asks for the labels `a`, `_domainkey`, `bÃ¼cher` and `example`, so no such signature is ever found good.
# Needs: Debian 12, openssl, Python with venv and pip, and root if libmail-dkim-perl is not installed. Exit code 0 if it is as
# seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" openssl=openssl perl=perl /usr/share/perl5/Mail/DKIM/Verifier.pm=libmail-dkim-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
openssl genrsa -out "$folder/key" 2048 2>"$folder/log"
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet dkimpy==1.1.8
printf 'From: a@bücher.example\r\nSubject: x\r\n\r\nx\r\n' >"$folder/message"
python=$("$folder/bin/python" - "$folder" <<'PYTHON'
import pathlib
import sys

import dkim
import dns.name
import dns.resolver

folder = pathlib.Path(sys.argv[1])
message = (folder / "message").read_bytes()
field = dkim.sign(message, b"a", "bücher.example".encode(), (folder / "key").read_bytes(), include_headers=[b"from"])
(folder / "signed").write_bytes(field + message)


def resolve(name, *_, **__):
    print(dns.name.from_text(name))
    raise dns.resolver.NXDOMAIN


dns.resolver.resolve = resolve
dkim.verify(field + message)
PYTHON
)
perl=$(perl -MMail::DKIM::Verifier -MNet::DNS -e '
  no warnings;
  local *Net::DNS::Resolver::send = local *Net::DNS::Resolver::bgsend = sub {
    my ($packet) = Net::DNS::Packet->new(@_[1, 2])->data;
    print join(".", unpack "(C/a)3", substr $packet, 12), "\n";
    return;
  };
  my $verifier = Mail::DKIM::Verifier->new;
  open my $signed, "<:raw", shift;
  $verifier->load($signed);' "$folder/signed" 2>"$folder/log" | sort -u)
echo "dkimpy: $python; Mail::DKIM: $perl.…"
[ "$python" = a._domainkey.xn--bcher-kva.example. ] && [ "$perl" = 'a._domainkey.bÃ¼cher' ]
