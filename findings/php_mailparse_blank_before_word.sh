#!/usr/bin/env bash
# PHP's mailparse 3.1.4 drops the blank between an atom and an encoded-word in the name of a mailbox, on either side.
#
# One would guess that the words of a phrase stay apart, as `David Hoehn` do.
# Seen: `David =?utf-8?B?SMO2aG4=?=` comes out as `David=?utf-8?B?SMO2aG4=?=`, which shows as `DavidHöhn`.
# Needs: Debian 12, and root if php-cli and php-mailparse are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/doc/php-mailparse=php-mailparse
php -r '
  $name = fn($field) => mailparse_rfc822_parse_addresses($field)[0]["display"];
  $seen = array_map($name, [
      "David Hoehn <d@x.example>",
      "David =?utf-8?B?SMO2aG4=?= <d@x.example>",
      "=?utf-8?B?SMO2aG4=?= David <d@x.example>",
  ]);
  echo "mailparse ", phpversion("mailparse"), ": ", json_encode($seen), "\n";
  exit($seen === ["David Hoehn", "David=?utf-8?B?SMO2aG4=?=", "=?utf-8?B?SMO2aG4=?=David"] ? 0 : 1);'
