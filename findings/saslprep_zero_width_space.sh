#!/usr/bin/env bash
# SASLprep makes two passwords of one with U+200B: who logs in from Node.js is not the one whom Python knows.
#
# One would guess that RFC 4013 says what becomes of each character: that is what it is for, and IMAP and SMTP log in by it (RFC
# 5802 §5.1).
# Seen: U+200B ZERO WIDTH SPACE is in both of its lists of what is mapped (RFC 3454, B.1 to nothing, C.1.2 to a space). saslprep
# 1.0.3 and @mongodb-js/saslprep 1.6.3 (npm) and libidn 1.41 write a space; scramp 1.5.0 and passlib 1.7.4 (PyPI) and
# Authen::SASL::SASLprep 1.100 (Perl) nothing. Of U+1680, which is in C.1.2 alone, the latter says that it is prohibited.
# Needs: Debian 12, Python with venv and pip, Node.js and npm, and root if idn or libauthen-sasl-saslprep-perl are not
# installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" idn=idn perl=perl /usr/share/perl5/Authen/SASL/SASLprep.pm=libauthen-sasl-saslprep-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" saslprep@1.0.3 @mongodb-js/saslprep@1.6.3
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet scramp==1.5.0 passlib==1.7.4
cat >"$folder/prepare.cjs" <<'JS'
const both = [require("saslprep"), require("@mongodb-js/saslprep").saslprep];
console.log(both.map((prepare) => ["\u200b", "\u1680"].map((it) => `[${prepare(`a${it}b`)}]`).join("")).join(" "));
JS
node=$(node "$folder/prepare.cjs")
python=$("$folder/bin/python" -W ignore -c '
import passlib.utils, scramp.utils
for prepare in scramp.utils.saslprep, passlib.utils.saslprep:
    print("".join(f"[{prepare(it)}]" for it in ("a\u200bb", "a\u1680b")), end=" ")')
idn=$(for it in $'a\xe2\x80\x8bb' $'a\xe1\x9a\x80b'; do
  printf '[%s]' "$(printf '%s\n' "$it" | CHARSET=UTF-8 idn --quiet --stringprep --profile=SASLprep)"
done)
perl=$(perl -MAuthen::SASL::SASLprep -e 'print "[", eval { saslprep($_) } // $@ =~ s/ at .*//sr, "]" for "a\x{200b}b", "a\x{1680}b"')
echo "npm: $node; Python: $python; idn: $idn; Perl: $perl"
[ "$node" = '[a b][a b] [a b][a b]' ] && [ "$python" = '[ab][a b] [ab][a b] ' ] && [ "$idn" = '[a b][a b]' ] &&
  [ "$perl" = '[ab][prohibited character U+1680]' ]
