#!/usr/bin/env bash
# Python writes a syllable that EUC-KR lacks as eight octets, which other programs show as a filler and three letters.
#
# One would guess that `똠` in a text with charset=euc-kr is an error, as `é` is, or makes EmailMessage choose another charset:
# EUC-KR has 2,350 of the 11,172 syllables.
# Seen: KS X 1001 lets such a syllable be spelt as a filler and its letters, and Python writes and reads that; iconv of glibc,
# PHP's mbstring, Perl's Encode and iconv-lite read `ㅤㄸㅗㅁ방각하` where `똠방각하` was written.
# Needs: Debian 12, python3, Node.js and npm, and root if php-cli or php-mbstring are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/doc/php-mbstring=php-mbstring perl=perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" iconv-lite@0.7.3
python3 - "$folder/octets" <<'PYTHON'
import sys
from email.message import EmailMessage

message = EmailMessage()
message.set_content("똠방각하", charset="euc-kr")
assert message.get_content() == "똠방각하\n"
open(sys.argv[1], "wb").write(message.get_payload(decode=True))
PYTHON
cd "$folder"
iconv=$(iconv -f EUC-KR -t UTF-8 octets)
php=$(php -r 'echo mb_convert_encoding(file_get_contents("octets"), "UTF-8", "EUC-KR");')
perl=$(perl -MEncode -0777 -ne 'print encode("UTF-8", decode("EUC-KR", $_))' octets)
lite=$(node -e 'console.log(require("iconv-lite").decode(require("fs").readFileSync("octets"), "euc-kr"))')
echo "Python $(python3 -c 'import platform; print(platform.python_version())'): 똠방각하;" \
  "iconv: $iconv; PHP: $php; Perl: $perl; iconv-lite: $lite"
for seen in "$iconv" "$php" "$perl" "$lite"; do [ "$seen" = 'ㅤㄸㅗㅁ방각하' ]; done
