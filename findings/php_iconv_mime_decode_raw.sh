#!/usr/bin/env bash
# PHP's iconv_mime_decode drops every character beyond ASCII that stands raw in a field, although it is asked for UTF-8.
#
# One would guess that a raw UTF-8 field (RFC 6532) is given as it stands with ICONV_MIME_DECODE_CONTINUE_ON_ERROR, by which
# the manual has it go on behind errors.
# Seen with PHP 8.2: `Müller =?utf-8?Q?=C3=BC?=` becomes `Mller ü`; without the flag it is false.
# Needs: Debian 12, and root if php-cli is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli
php -d error_reporting=0 -r '
  $text = "Müller =?utf-8?Q?=C3=BC?=";
  $seen = [iconv_mime_decode($text, ICONV_MIME_DECODE_CONTINUE_ON_ERROR, "UTF-8"), iconv_mime_decode($text, 0, "UTF-8")];
  echo "PHP ", PHP_VERSION, ": ", json_encode($seen, JSON_UNESCAPED_UNICODE), "\n";
  exit($seen === ["Mller ü", false] ? 0 : 1);'
