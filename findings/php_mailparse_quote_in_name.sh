#!/usr/bin/env bash
# PHP's mailparse 3.1.4 takes a quotation mark in a name apart, and with one alone in it the address is lost.
#
# One would guess that `"Ann \"Bo\" Cox" <a@x.example>` has the name `Ann "Bo" Cox`, and `"5\" disk" <a@x.example>` the address
# `a@x.example` (RFC 5322 §3.2.4).
# Seen: the name is `Ann \ Bo\  Cox`; the address of the other is `"5\" disk ""`.
# Needs: Debian 12, and root if php-cli and php-mailparse are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/doc/php-mailparse=php-mailparse
php -d error_reporting=0 -r '
  $two = mailparse_rfc822_parse_addresses("\"Ann \\\"Bo\\\" Cox\" <a@x.example>");
  $one = mailparse_rfc822_parse_addresses("\"5\\\" disk\" <a@x.example>");
  echo "mailparse ", phpversion("mailparse"), ": {$two[0]["display"]}; {$one[0]["address"]}\n";
  exit($two[0]["display"] === "Ann \\ Bo\\  Cox" && $one[0]["address"] === "\"5\\\" disk \"\"" ? 0 : 1);'
