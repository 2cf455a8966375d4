#!/usr/bin/env bash
# Mailman 3.3.10 cannot put a list's prefix before a Subject in windows-874, and the message does not reach the list.
#
# One would guess that a Subject in a charset that the list manager does not know is passed on as it is, or with the prefix before
# its word: code for unknown charsets is in the handler, and Outlook writes Thai so (the label is IANA's since 2010).
# Seen: LookupError from Python, which has it as cp874 alone, before that code is reached: the runner takes any error as a reason
# to put the message into the queue `shunt`, for the administrator to look at. In tis-620 the same Subject has its prefix.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet mailman==3.3.10
seen=$("$folder/bin/python" - <<'PYTHON'
import email
import types

from mailman.handlers.subject_prefix import SubjectPrefix

english = types.SimpleNamespace(charset="us-ascii", code="en")
mailing_list = types.SimpleNamespace(subject_prefix="[List] ", preferred_language=english, post_id=1)
for charset in ("tis-620", "windows-874"):
    message = email.message_from_string(f"Subject: =?{charset}?B?ysfRyrTV?=\n\nx\n")
    try:
        SubjectPrefix().process(mailing_list, message, {})
        print(message["Subject"].encode())
    except LookupError as error:
        print(error)
PYTHON
)
echo "Mailman 3.3.10: ${seen//$'\n'/, }"
[ "$seen" = '[List] =?tis-620?b?ysfRyrTV?=
unknown encoding: windows-874' ]
