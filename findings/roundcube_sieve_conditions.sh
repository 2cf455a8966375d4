#!/usr/bin/env bash
# Roundcube 1.6.5, managesieve: a script that it did not write means something else when it has been saved.
#
# One would guess that a rule that its form can't show is left as it is, or that the whole script is refused. (Its maintainers
# say that `else` is not for it.)
# Seen: `not anyof (…)` is written without `not`, so that the rule is for all the other mail; `anyof (allof (a, b), c)` as
# `allof (a, b, c)`; and `require "encoded-character"` (RFC 5228 §2.4.2.4) is gone, so that the folder `caf${unicode:e9}` is
# called as it is written.
# Needs: Debian 12, apt-get, and root if php-cli is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq roundcube-plugins 2>log && dpkg -x roundcube-plugins*.deb . || {
  echo "roundcube-plugins can't be downloaded" >&2
  exit 2
}
seen=$(php -d error_reporting=0 -r '
  require "usr/share/roundcube/plugins/managesieve/lib/Roundcube/rcube_sieve_script.php";
  foreach (array_slice($argv, 1) as $script) {
    $written = (new rcube_sieve_script($script, ["fileinto", "encoded-character"]))->as_text();
    echo trim(preg_replace("/\s+/", " ", $written)), "\n";
  }' 'if not anyof (exists "A", exists "B") { discard; }' \
  'if anyof (allof (exists "A", exists "B"), exists "C") { discard; }' \
  'require ["encoded-character", "fileinto"]; if exists "A" { fileinto "caf${unicode:e9}"; }')
echo "managesieve of Roundcube $(dpkg-deb -f roundcube-plugins*.deb Version):" "${seen//$'\n'/; }"
[ "$seen" = 'if anyof (exists "A", exists "B") { discard; }
if allof (exists "A", exists "B", exists "C") { discard; }
require ["fileinto"]; if exists "A" { fileinto "caf${unicode:e9}"; }' ]
