#!/usr/bin/env bash
# Two readers of Authentication-Results do not know a quoted-pair in a reason.
#
# One would guess that `reason="no \"d\" tag"` is read as `no "d" tag` (RFC 8601 §2.2, a quoted-string), and written as it was
# read.
# Seen: in authres 1.2.0 (PyPI) the reason has the backslashes, and each time that it is written their number is doubled, and
# more; Mail::AuthenticationResults 2.20230112 (Perl) refuses the whole field.
# Needs: Debian 12, Python with venv and pip, and root if libmail-authenticationresults-perl is not installed. Exit code 0 if it
# is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl \
  /usr/share/perl5/Mail/AuthenticationResults/Parser.pm=libmail-authenticationresults-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet authres==1.2.0
field='Authentication-Results: x.example; dkim=fail reason="no \"d\" tag" header.s=a'
python=$("$folder/bin/python" - "$field" <<'PYTHON'
import sys

import authres

field = sys.argv[1]
for _ in range(3):
    parsed = authres.AuthenticationResultsHeader.parse(field)
    field = str(parsed)
    print(parsed.results[0].reason)
PYTHON
)
perl=$(perl -MMail::AuthenticationResults::Parser -e '
  print eval { Mail::AuthenticationResults::Parser->new->parse(shift)->as_string } // $@' "$field")
echo "authres 1.2.0: ${python//$'\n'/, then }; Mail::AuthenticationResults: ${perl%% at *}"
[ "$python" = 'no \"d\" tag
no \\\"d\\\" tag
no \\\\\\\"d\\\\\\\" tag' ] && [[ $perl == 'not expecting a string at '* ]]
