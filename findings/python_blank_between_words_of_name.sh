#!/usr/bin/env bash
# Python's email.policy.default shows the blank between two encoded-words of a name, though not in a Subject.
#
# One would guess that white space between two words is not shown (RFC 2047 §6.2), wherever they stand.
# Seen with Python 3.11.7 here, and with 3.14.2 in pyodide: Subject `Jörg`, and the name `Jö rg`.
# Needs: python3, Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" pyodide@314.0.7
cat >"$folder/show.py" <<'PYTHON'
import email.policy
import platform

words = "=?utf-8?Q?J=C3=B6?= =?utf-8?Q?rg?="
message = email.message_from_string(f"From: {words} <j@x.example>\nSubject: {words}\n\nx\n", policy=email.policy.default)
print(f"{message['subject']}|{message['from'].addresses[0].display_name}|{platform.python_version()}")
PYTHON
cat >"$folder/show.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";
(await loadPyodide()).runPython(readFileSync(new URL("show.py", import.meta.url), "utf8"));
JS
for seen in "$(python3 "$folder/show.py")" "$(node "$folder/show.mjs")"; do
  echo "Python ${seen##*|}: ${seen%|*}"
  [ "${seen%|*}" = 'Jörg|Jö rg' ]
done
