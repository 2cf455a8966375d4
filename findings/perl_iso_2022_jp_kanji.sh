#!/usr/bin/env bash
# Perl's Encode 3.17 writes the kanji 扤 into ISO-2022-JP for a letter that is not in it.
#
# One would guess that `é`, which ISO-2022-JP has not (RFC 1468), becomes `?`, as `¥` and characters beyond U+FFFF do.
# Seen: it becomes two question marks within the escape sequences of JIS X 0212, where 3F3F is a character: what Email::MIME 1.953
# was given as `Café Müller` with charset=iso-2022-jp it reads again as `Caf扤 M扤ller`, and so do PHP's mbstring and ICU.
# Needs: Debian 12, and root if libemail-mime-perl, php-cli or php-mbstring are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Email/MIME.pm=libemail-mime-perl php=php-cli \
  /usr/share/doc/php-mbstring=php-mbstring
write() {
  perl -MEmail::MIME -Mutf8 -e '
    print Email::MIME->create(
      attributes => { content_type => "text/plain", charset => "iso-2022-jp", encoding => "7bit" },
      body_str => "Café Müller",
    )->as_string'
}
written=$(write | tail -n 1 | tr '\033' '^')
perl=$(write | perl -CO -MEmail::MIME -0777 -ne 'print Email::MIME->new($_)->body_str')
php=$(write | tail -n 1 | php -r 'echo mb_convert_encoding(stream_get_contents(STDIN), "UTF-8", "ISO-2022-JP");')
echo "Encode $(perl -MEncode -e 'print $Encode::VERSION'): $written; read by Email::MIME: $perl; by PHP: $php"
# shellcheck disable=SC2016 # The dollars are octets.
[ "$written" = 'Caf^$(D??^(B M^$(D??^(Bller' ] && [ "$perl" = 'Caf扤 M扤ller' ] && [ "$php" = "$perl" ]
