#!/usr/bin/env bash
# Roundcube 1.6.5 makes other web addresses of the links of mail in HTML when it shows, or quotes, its text.
#
# One would guess that `<a href="https://x.example/?a=1&amp;b=2">` is listed below the text as `https://x.example/?a=1&b=2`: a
# `&` in HTML has to be written so.
# Seen: as `https://x.example/?a=1&amp;b=2`, whose second parameter is called `amp;b`; and the path `caf&eacute;` stays so. In
# the text itself `&amp;` and `&eacute;` are decoded. Who quotes such mail in plain text sends these addresses on.
# Needs: Debian 12, apt-get, and root if php-cli or php-mbstring are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/doc/php-mbstring=php-mbstring
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq roundcube-core 2>log && dpkg -x roundcube-core*.deb . || {
  echo "roundcube-core can't be downloaded" >&2
  exit 2
}
seen=$(php -d error_reporting=0 -r '
  define("RCUBE_CHARSET", "UTF-8");
  spl_autoload_register(fn($name) => include "usr/share/roundcube/program/lib/Roundcube/$name.php");
  echo (new rcube_html2text($argv[1]))->get_text();' \
  '<p>A &amp; <a href="https://x.example/?a=1&amp;b=2">B</a>, <a href="https://x.example/caf&eacute;">caf&eacute;</a></p>')
echo "Roundcube $(dpkg-deb -f roundcube-core*.deb Version):" $seen
[ "$(sed '/^$/d' <<<"$seen")" = 'A & B [1], café [2]
Links:
------
[1] https://x.example/?a=1&amp;b=2
[2] https://x.example/caf&eacute;' ]
