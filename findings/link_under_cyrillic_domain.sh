#!/usr/bin/env bash
# Three programs that look for links do not find `http://президент.рф/`, or link to a host that is not there.
#
# One would guess that an address of the web that starts with `http://` is found whatever letters its host has (RFC 3987 §2.2),
# and in the form in ASCII (RFC 5891 §4.4) in any case.
# Seen: bleach 6.4.0 (PyPI) does not link it, and of its form in ASCII, xn--d1abbgf6aiiy.xn--p1ai, links
# `http://xn--d1abbgf6aiiy.xn`; anchorme 3.0.8 (npm) finds it only with more than `/` behind it, and Rinku 1.7.3 (Ruby) only in
# ASCII.
# Needs: Debian 12, Python with venv and pip, Node.js and npm, and root if ruby-rinku is not installed. Exit code 0 if it is as
# seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-rinku=ruby-rinku
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet bleach==6.4.0
npm install --silent --no-audit --no-fund --prefix "$folder" anchorme@3.0.8
export LC_ALL=C.UTF-8
links=(http://президент.рф/ http://президент.рф/a http://xn--d1abbgf6aiiy.xn--p1ai/)
python=$("$folder/bin/python" -W ignore -c '
import bleach, re, sys
print(*(re.findall("href=.([^ ]*)\"", bleach.linkify(it)) for it in sys.argv[1:]))' "${links[@]}")
cat >"$folder/find.mjs" <<'JS'
import anchorme from "anchorme";
console.log(JSON.stringify(process.argv.slice(2).map((it) => anchorme.default.list(it).map((found) => found.string))));
JS
node=$(node "$folder/find.mjs" "${links[@]}")
ruby=$(ruby -rrinku -e 'p ARGV.map { |it| Rinku.auto_link(it).scan(/href="([^"]*)/).flatten }' "${links[@]}")
echo "bleach: $python; anchorme: $node; Rinku: $ruby"
[ "$python" = "[] [] ['http://xn--d1abbgf6aiiy.xn']" ] &&
  [ "$node" = '[[],["http://президент.рф/a"],["http://xn--d1abbgf6aiiy.xn--p1ai/"]]' ] &&
  [ "$ruby" = '[[], [], ["http://xn--d1abbgf6aiiy.xn--p1ai/"]]' ]
