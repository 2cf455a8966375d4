#!/usr/bin/env bash
# Net::IDN::Encode 2.500 (Perl) takes an IP address off the address that it is the host of, and Horde_Mail 2.6.6 (PHP) its
# brackets.
#
# One would guess that `ann@[192.0.2.1]` (RFC 5321 §4.1.3) comes back as it is: it is in ASCII, and there is nothing to convert.
# Seen: `email_to_ascii` and `email_to_unicode` give `ann`, and Horde_Mail writes `ann@192.0.2.1`, a host of that name.
# Needs: Debian 12, and root if libnet-idn-encode-perl, php-cli or php-horde-mail are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" /usr/share/doc/libnet-idn-encode-perl=libnet-idn-encode-perl php=php-cli \
  /usr/share/php/Horde/Mail/Rfc822.php=php-horde-mail
perl=$(perl -MNet::IDN::Encode=:all -e 'print email_to_ascii($_), " ", email_to_unicode($_) for @ARGV' 'ann@[192.0.2.1]')
php=$(php -d error_reporting=0 -r '
  spl_autoload_register(fn($name) => @include "/usr/share/php/" . strtr($name, "_\\", "//") . ".php");
  echo (new Horde_Mail_Rfc822())->parseAddressList("ann@[192.0.2.1]")->writeAddress();')
echo "Net::IDN::Encode $(perl -MNet::IDN::Encode -e 'print Net::IDN::Encode->VERSION'): $perl;" \
  "Horde_Mail $(dpkg-query -W -f '${Version}' php-horde-mail): $php"
[ "$perl" = 'ann ann' ] && [ "$php" = 'ann@192.0.2.1' ]
