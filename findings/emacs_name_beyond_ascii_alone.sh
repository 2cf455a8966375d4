#!/usr/bin/env bash
# Emacs 28.2 gives no name for a mailbox whose name has no character of ASCII.
#
# One would guess that `mail-header-parse-addresses` gives `é` as it gives `Aé`: RFC 6532 lets both stand as atoms.
# Seen: `Aé` and `"é"` have a name; `é` and `日本` have none, as if the address stood alone.
# Needs: Debian 12, and root if emacs-nox is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" emacs=emacs-nox
seen=$(LC_ALL=C.UTF-8 emacs -Q --batch --eval '(progn (require (quote mail-parse)) (prin1 (mail-header-parse-addresses
  "Aé <a@x.example>, \"é\" <b@x.example>, é <c@x.example>, 日本 <d@x.example>")))')
echo "$(emacs --version | head -n 1): $seen"
[ "$seen" = '(("a@x.example" . "Aé") ("b@x.example" . "é") ("c@x.example") ("d@x.example"))' ]
