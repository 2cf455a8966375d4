#!/usr/bin/env bash
# Two validators accept `jörg@example.org`, but not names in most other scripts.
#
# One would guess that a validator that takes letters beyond ASCII before the `@` takes those of any language (RFC 6531 §3.3).
# Seen: validators 0.36.0 (PyPI) takes Latin letters only: not `юзер`, `用户`, `θσερ` or `राम`, though it takes the host
# `राम.example.org`. PHP 8.2, with FILTER_FLAG_EMAIL_UNICODE, refuses the languages whose vowels are marks, as Hindi (`राम`) and
# Tamil (`வணி`).
# Needs: Debian 12, Python with venv and pip, and root if php-cli is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet validators==0.36.0
names=(jörg юзер 用户 θσερ राम வணி)
python=$("$folder/bin/python" -c '
import sys, validators
print(*(name for name in sys.argv[1:] if validators.email(name + "@example.org")), validators.email("a@राम.example.org"))' "${names[@]}")
php=$(php -r '
  foreach (array_slice($argv, 1) as $name)
    if (filter_var("$name@example.org", FILTER_VALIDATE_EMAIL, FILTER_FLAG_EMAIL_UNICODE)) echo "$name ";' "${names[@]}")
echo "validators 0.36.0: $python; PHP $(php -r 'echo PHP_VERSION;'): $php"
[ "$python" = 'jörg True' ] && [ "$php" = 'jörg юзер 用户 θσερ ' ]
