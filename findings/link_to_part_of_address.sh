#!/usr/bin/env bash
# Six programs that look for links in a text offer the end of an address as an address: mail goes to somebody else.
#
# One would guess that each of `ann+b@example.org`, `o'brien@example.org` (RFC 5322 §3.2.3) and `jörg@example.org` (RFC 6531
# §3.3) is found whole, or not at all.
# Seen: Roundcube 1.6.5, Rinku 1.7.3 (Ruby) and URLExtract 1.10.0 (PyPI) find `brien@…` and `rg@…`, urlscan 0.9.9 `b@…` and
# `brien@…`, and bleach 6.4.0 (PyPI) and anchorme 3.0.8 (npm) `rg@…`.
# Needs: Debian 12, apt-get, Python with venv and pip, Node.js and npm, and root if ruby-rinku, urlscan or php-mbstring are not
# installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-rinku=ruby-rinku urlscan=urlscan \
  php=php-cli /usr/share/doc/php-mbstring=php-mbstring
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet bleach==6.4.0 urlextract==1.10.0
npm install --silent --no-audit --no-fund --prefix "$folder" anchorme@3.0.8
text="ann+b@example.org o'brien@example.org jörg@example.org"
cat >"$folder/mail" <<M
From: a@x.example
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

$text
M
cat >"$folder/find.mjs" <<'JS'
import anchorme from "anchorme";
console.log(anchorme.default.list(process.argv[2]).map((it) => it.string).join(" "));
JS
rinku=$(LC_ALL=C.UTF-8 ruby -rrinku -e 'puts Rinku.auto_link(ARGV[0]).scan(/mailto:([^"]*)/).join(" ")' "$text")
python=$("$folder/bin/python" - "$text" 2>/dev/null <<'PYTHON'
import re
import sys

import bleach
import urlextract

print(*urlextract.URLExtract(extract_email=True).find_urls(sys.argv[1]))
print(*re.findall('mailto:([^"]*)', bleach.linkify(sys.argv[1], parse_email=True)))
PYTHON
)
node=$(node "$folder/find.mjs" "$text")
(cd "$folder" && apt-get download -qq roundcube-core 2>log && dpkg -x roundcube-core*.deb .) || {
  echo "roundcube-core can't be downloaded" >&2
  exit 2
}
roundcube=$(cd "$folder/usr/share/roundcube/program/lib/Roundcube" && php -d error_reporting=0 -r '
  define("RCUBE_CHARSET", "UTF-8");
  spl_autoload_register(fn($name) => include "$name.php");
  $replacer = new rcube_string_replacer();
  preg_match_all("/mailto:([^\"]*)/", $replacer->resolve($replacer->replace($argv[1])), $found);
  echo implode(" ", $found[1]);' "$text")
urlscan=$(LC_ALL=C.UTF-8 urlscan -n "$folder/mail")
echo "Roundcube: $roundcube; Rinku: $rinku; URLExtract and bleach:" "${python//$'\n'/; }; anchorme: $node; urlscan:" $urlscan
[ "$roundcube" = "$rinku" ] && [ "$rinku" = 'ann+b@example.org brien@example.org rg@example.org' ] &&
  [ "$python" = 'ann+b@example.org brien@example.org rg@example.org
ann%2Bb@example.org o%27brien@example.org rg@example.org' ] &&
  [ "$node" = "ann+b@example.org o'brien@example.org rg@example.org" ] && [ "$urlscan" = 'mailto:b@example.org
mailto:brien@example.org
mailto:jörg@example.org' ]
