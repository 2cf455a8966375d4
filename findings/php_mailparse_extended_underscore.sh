#!/usr/bin/env bash
# PHP's mailparse 3.1.4 gives an extended parameter (RFC 2231) as an encoded-word in Q, and leaves `_` in it as it is.
#
# One would guess that `filename*=utf-8''a_b%20c.pdf` is given as `a_b c.pdf`, or as a word that means that.
# Seen: `=?utf-8?Q?a_b=20c.pdf?=`, in which `_` is a blank (RFC 2047 §4.2): it means `a b c.pdf`.
# Needs: Debian 12, and root if php-cli and php-mailparse are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/doc/php-mailparse=php-mailparse
php -r '
  $message = mailparse_msg_create();
  mailparse_msg_parse($message, "MIME-Version: 1.0\nContent-Type: application/pdf\n" .
      "Content-Disposition: attachment; filename*=utf-8\x27\x27a_b%20c.pdf\n\nx\n");
  $seen = mailparse_msg_get_part_data($message)["disposition-filename"];
  $shown = iconv_mime_decode($seen, 0, "UTF-8");
  echo "mailparse ", phpversion("mailparse"), ": $seen, shown as $shown\n";
  exit($seen === "=?utf-8?Q?a_b=20c.pdf?=" && $shown === "a b c.pdf" ? 0 : 1);'
