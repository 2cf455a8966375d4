#!/usr/bin/env bash
# Three readers of RTF lose or add something behind a character in Unicode: unrtf 0.21.10, rtf-parser 1.3.3 (npm), RTFDE 0.1.2.2 (PyPI).
#
# One would guess that of `caf\u233?s` the `?`, which stands there for old readers (RTF 1.9.1, \uN and \ucN), is not shown, and that a
# blank behind `\u233` ends the control word, and is no text.
# Seen: to unrtf all up to the next blank is what old readers see, so that an `s` is lost; rtf-parser shows the `?`, too; and RTFDE,
# after `\uc0`, the blank.
# Needs: Debian 12, Node.js and npm, python3 with venv and pip, and root if unrtf is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" unrtf=unrtf
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet RTFDE==0.1.2.2
npm install --silent --no-audit --no-fund --prefix "$folder" rtf-parser@1.3.3
cd "$folder"
head='{\rtf1\ansi\ansicpg1252\fromhtml1\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}}\uc1\pard\plain\f0\fs24'
printf '%s caf\\u233?s.}' "$head" >one.rtf
printf '%s {\\*\\htmltag64 <p>}\\uc0 caf\\u233 s.}' "$head" >none.rtf
unrtf=$(unrtf --nopict --html one.rtf 2>/dev/null | grep -o 'caf.*' | sed 's/<.*//')
parser=$(node -e 'require("rtf-parser").string(require("fs").readFileSync("one.rtf", "latin1"),
  (fault, read) => console.log(read.content.map((each) => each.value ?? each.content.map((text) => text.value).join("")).join("")))')
rtfde=$(bin/python - <<'PYTHON'
from RTFDE.deencapsulate import DeEncapsulator

read = DeEncapsulator(open("none.rtf", "rb").read())
read.deencapsulate()
print(read.html.decode())
PYTHON
)
echo "unrtf: $unrtf, rtf-parser: $parser, RTFDE: $rtfde"
[ "$unrtf $parser $rtfde" = 'caf&eacute; café?s. <p>café s.' ]
