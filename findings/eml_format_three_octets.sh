#!/usr/bin/env bash
# eml-format 0.6.1 (npm) decodes quoted-printable by three octets at a time, and letters of two octets in a row are lost.
#
# One would guess that `Gr=C3=BC=C3=9Fe` in UTF-8 is `Grüße`, in a text and in a Subject, and Russian is Russian.
# Seen: three octets are two characters, and the second is cut there: `ß` is lost in `Grüße`, and `р` and `е` in `Привет`. `Müller` and
# `100€` are read well.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" eml-format@0.6.1
cat >"$folder/show.js" <<'JS'
for (const text of ["M=C3=BCller", "100=E2=82=AC", "Gr=C3=BC=C3=9Fe", "=D0=9F=D1=80=D0=B8=D0=B2=D0=B5=D1=82"]) {
  const fields = ["From: a@x.example", `Subject: =?utf-8?q?${text}?=`, "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"];
  const message = [...fields, "Content-Transfer-Encoding: quoted-printable", "", text].join("\r\n");
  require("eml-format").read(message, (fault, read) => console.log(...[read.subject, read.text].map((each) => each.replace("\u009f", "(9F)"))));
}
JS
seen=$(node "$folder/show.js")
echo "eml-format 0.6.1:" && echo "$seen"
[ "$seen" = 'Müller Müller
100€ 100€
Grü�(9F)e Grü�(9F)e
П��ив��т П��ив��т' ]
