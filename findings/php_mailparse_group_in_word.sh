#!/usr/bin/env bash
# PHP's mailparse 3.1.4 gives a group as one entry without the names of its members, but not if its name is an encoded-word.
#
# One would guess that `=?utf-8?Q?Team?=:` begins a group as `Team:` does.
# Seen: `Team: Ann <a@x.example>, Bob <b@x.example>;` is one entry called `Team`. With the word there are three: the first is
# called `=?utf-8?Q?Team?=:Ann`, the second `Bob`, and the last is empty.
# Needs: Debian 12, and root if php-cli and php-mailparse are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/doc/php-mailparse=php-mailparse
php -r '
  $names = fn($group) => array_column(mailparse_rfc822_parse_addresses("$group: Ann <a@x.example>, Bob <b@x.example>;"), "display");
  $seen = array_map($names, ["Team", "=?utf-8?Q?Team?="]);
  echo "mailparse ", phpversion("mailparse"), ": ", json_encode($seen), "\n";
  exit($seen === [["Team"], ["=?utf-8?Q?Team?=:Ann", "Bob", ""]] ? 0 : 1);'
