#!/usr/bin/env bash
# Emacs 28.2 makes the name of a group, and its semicolon, part of the addresses of its members.
#
# One would guess that the addresses in `Team: ann@x.example, bo@x.example;` are `ann@x.example` and `bo@x.example` (RFC 5322
# §3.4): `mail-header-parse-addresses`, by which Gnus parses fields, is ietf-drums, named for the drafts of that RFC's forerunner.
# Seen: `Team:ann@x.example` and `bo@x.example;`.
# Needs: Debian 12, and root if emacs-nox is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" emacs=emacs-nox
export FIELD='Team: ann@x.example, bo@x.example;'
seen=$(emacs -Q --batch --eval '(progn (require (quote mail-parse))
  (princ (mapconcat (function car) (mail-header-parse-addresses (getenv "FIELD")) " ")))')
echo "Emacs $(emacs --version | sed -n '1s/.* //p'): $seen"
[ "$seen" = 'Team:ann@x.example bo@x.example;' ]
