#!/usr/bin/env bash
# Tcl's mime package 1.7.0 (tcllib 1.21) writes the field Content-Transfer-Encoding twice.
#
# One would guess that a part has one such field (RFC 2045 §6, RFC 5322 §3.6), be its encoding asked for or chosen by the package.
# Seen: a text that is not ASCII has two, in front of Content-Type and behind it. They say the same, and readers heed the first
# one.
# Needs: Debian 12, and root if tcllib is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" tclsh=tcl /usr/share/tcltk/tcllib1.21/mime/mime.tcl=tcllib
seen=$(tclsh <<'TCL'
package require mime
set text [encoding convertto utf-8 "Gr\u00fc\u00dfe"]
foreach encoding {{} {-encoding base64}} {
  puts [mime::buildmessage [mime::initialize -canonical text/plain {*}$encoding -param {charset utf-8} -string $text]]
}
TCL
)
seen=$(grep -o '^Content-T[^;]*' <<<"$seen" | tr -d '\r')
echo "${seen//$'\n'/, }"
parts='Content-Transfer-Encoding: base64
Content-Type: text/plain
Content-Transfer-Encoding: base64'
[ "$seen" = "$parts
$parts" ]
