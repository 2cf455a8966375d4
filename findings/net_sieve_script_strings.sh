#!/usr/bin/env bash
# Net::Sieve::Script 0.09 (Perl) reads within the strings of a script what is meant outside of them.
#
# One would guess that a string is kept as it stands when a script is read and written (RFC 5228 §2.4.2).
# Seen: in the subject `a  b` one blank is gone, `/* b */` is taken for a comment, so that the test is for no subject, and of the folder
# `x;y` there is `"x;`, a string without end.
# Needs: Debian 12, and root if libnet-sieve-script-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" /usr/share/perl5/Net/Sieve/Script.pm=libnet-sieve-script-perl
seen=$(perl -MNet::Sieve::Script - 2>/dev/null <<'PERL'
for my $test ('"a  b" { keep; }', '"/* b */" { keep; }', '"a" { fileinto "x;y"; }') {
    print Net::Sieve::Script->new("require \"fileinto\";\nif header :is \"subject\" $test\n")->write_script =~ s/.*"subject"//sr =~ s/\n\s*/ /gr;
}
PERL
)
echo "Net::Sieve::Script $(perl -MNet::Sieve::Script -e 'print Net::Sieve::Script->VERSION'): $seen"
[ "$seen" = ' "a b" { keep; }   "" { keep; }   "a" { fileinto "x; }  ' ]
