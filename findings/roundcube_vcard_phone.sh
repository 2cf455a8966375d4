#!/usr/bin/env bash
# Roundcube 1.6.5 loses the extension of a phone number in a vCard, and spoils the kinds of it.
#
# One would guess that `TEL;VALUE=uri;TYPE="voice,home":tel:+1-555-555-5555;ext=5555`, as in an example of RFC 6350 §6.4.1, is
# one URI, of two kinds.
# Seen: the number ends at the semicolon, and it is of the kind `"voice`; written again it has `TYPE="voice;TYPE=home"`, of
# which vobject 0.9.9 (PyPI) reads one kind, `voice;TYPE=home`. So a web address ends at its semicolon.
# Needs: Debian 12, apt-get, Python with venv and pip, and root if php-cli or php-mbstring are not installed. Exit code 0 if it
# is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/doc/php-mbstring=php-mbstring
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq roundcube-core 2>log && dpkg -x roundcube-core*.deb . || {
  echo "roundcube-core can't be downloaded" >&2
  exit 2
}
python3 -m venv . && bin/pip install --quiet vobject==0.9.9
printf '%s\r\n' BEGIN:VCARD VERSION:4.0 FN:Ann 'TEL;VALUE=uri;TYPE="voice,home":tel:+1-555-555-5555;ext=5555' \
  'URL:https://x.example/?a;b' END:VCARD >card
seen=$(php -d error_reporting=0 -r '
  define("RCUBE_CHARSET", "UTF-8");
  define("RCUBE_LIB_DIR", "usr/share/roundcube/program/lib/Roundcube/");
  spl_autoload_register(fn($name) => include RCUBE_LIB_DIR . "$name.php");
  function in_array_nocase($one, $all) { return in_array(strtolower($one), array_map("strtolower", $all)); }
  $card = new rcube_vcard(file_get_contents("card"), "UTF-8");
  foreach ($card->get_assoc() as $name => $value)
    if (is_array($value)) echo "$name = $value[0]\n";
  file_put_contents("written", $card->export() . "\r\n");
  echo implode("\n", preg_grep("/^TEL/", explode("\r\n", file_get_contents("written"))));')
python=$(bin/python -c 'import vobject; print(vobject.readOne(open("written", newline="").read()).tel.params["TYPE"])')
echo "Roundcube $(dpkg-deb -f roundcube-core*.deb Version): ${seen//$'\n'/, }; vobject: $python"
[ "$seen" = 'phone:"voice = tel:+1-555-555-5555
website:other = https://x.example/?a
TEL;VALUE=uri;TYPE="voice;TYPE=home":tel:+1-555-555-5555;ext=5555' ] && [ "$python" = "['voice;TYPE=home']" ]
