#!/usr/bin/env bash
# Of three readers of MHTML (npm) none takes a page that declares its charset, as the examples of RFC 2557 §9 do.
#
# One would guess that `Content-Type: text/html; charset="utf-8"` is HTML in UTF-8.
# Seen: mhtml2html 3.0.0 finds no page at all ("Index not found"); fast-mhtml 2.1.0 takes it for a type without links, so that its
# picture is not found; fast-mhtml2html 1.0.2 reads GBK, as it does all pages in which the letters UTF-8, in capitals, are nowhere.
# Without the parameter the first two read the same page well.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mhtml2html@3.0.0 fast-mhtml@2.1.0 fast-mhtml2html@1.0.2 jsdom@16.7.0
cat >"$folder/show.js" <<'JS'
const { JSDOM } = require("jsdom");
const old = require("mhtml2html");
const { Parser } = require("fast-mhtml");
const part = (fields, text) => `--b\r\n${fields}\r\n\r\n${text}\r\n`;
for (const parameter of ['', '; charset="utf-8"']) {
  const page =
    'MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n' +
    part(
      `Content-Type: text/html${parameter}\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: http://x.example/`,
      "<p>h=C3=A9<img src=3D'a.gif'>",
    ) +
    part("Content-Type: image/gif\r\nContent-Transfer-Encoding: base64\r\nContent-Location: http://x.example/a.gif", "R0lGODlh") +
    "--b--\r\n";
  let text;
  try {
    text = old.convert(page, { parseDOM: (html) => new JSDOM(html) }).window.document.querySelector("p").textContent;
  } catch (fault) {
    text = fault.message;
  }
  const html = new Parser().parse(page).rewrite().spit()[0].content;
  console.log([text, html, require("fast-mhtml2html").convert(page)].map((shown) => shown.trim()).join(" | "));
}
JS
seen=$(node "$folder/show.js")
echo "mhtml2html | fast-mhtml | fast-mhtml2html, without and with a charset:" && echo "$seen"
[ "$seen" = "hé | <p>hé<img src='http!x.example!a.gif'> | <p>h茅<img src='http://x.example/a.gif'>
Index not found; Line 8 | <p>hé<img src='a.gif'> | <p>h茅<img src='a.gif'>" ]
