#!/usr/bin/env bash
# None of four readers of TNEF (winmail.dat) heeds the code page that it names for its octets.
#
# One would guess that with attOemCodepage 1251 ([MS-OXTNEF]) the title CE F2 F7 B8 F2 of an attached file is `Отчёт`.
# Seen: tnef 1.4.18 and ytnef 2.0 give the octets, node-tnef 1.4.0 reads them as Latin-1 (`Îò÷¸ò`), and tnefparse 1.4.0 as UTF-8,
# so that the attachment's name raises an error.
# Needs: Debian 12, python3 with venv and pip, Node.js and npm, and root if tnef or ytnef-tools are not installed. Exit code 0 if
# it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" tnef=tnef ytnef=ytnef-tools
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet tnefparse==1.4.0
npm install --silent --no-audit --no-fund --prefix "$folder" node-tnef@1.4.0
cd "$folder"
python3 - <<'PYTHON'
import struct


def attribute(level, name, value):
    return struct.pack("<BII", level, name, len(value)) + value + struct.pack("<H", sum(value) & 0xFFFF)


open("winmail.dat", "wb").write(
    struct.pack("<IH", 0x223E9F78, 1)
    + attribute(1, 0x89006, bytes((0, 0, 1, 0)))
    + attribute(1, 0x69007, struct.pack("<II", 1251, 0))
    + attribute(2, 0x69002, struct.pack("<HIHHI", 1, 0xFFFFFFFF, 0, 0, 0))
    + attribute(2, 0x18010, "Отчёт.pdf\0".encode("cp1251"))
    + attribute(2, 0x6800F, b"x")
)
PYTHON
mkdir tnef ytnef
tnef -C tnef winmail.dat
ytnef -f ytnef winmail.dat >ytnef.log 2>&1
octets() { (cd "$1" && printf %s * | od -An -tx1 | tr -d '\n'); }
tnef=$(octets tnef) ytnef=$(octets ytnef)
tnefparse=$(bin/python - <<'PYTHON'
import tnefparse

try:
    print(tnefparse.TNEF(open("winmail.dat", "rb").read()).attachments[0].name)
except UnicodeDecodeError:
    print("UnicodeDecodeError")
PYTHON
)
node=$(node -e 'require("node-tnef").parseBuffer(require("fs").readFileSync("winmail.dat"),
  (fault, content) => console.log("title " + content.Attachments[0].Title))' | sed -n 's/^title //p')
echo "tnef $(dpkg-query -W -f '${Version}' tnef):$tnef;" \
  "ytnef $(dpkg-query -W -f '${Version}' ytnef-tools):$ytnef;" \
  "node-tnef: $node; tnefparse: $tnefparse"
[ "$tnef" = ' ce f2 f7 b8 f2 2e 70 64 66' ] && [ "$ytnef" = "$tnef" ] && [ "$node" = 'Îò÷¸ò.pdf' ] &&
  [ "$tnefparse" = UnicodeDecodeError ]
