#!/usr/bin/env bash
# nodemailer 10.6.1 (npm) sends an address that is not ASCII to a server that does not offer SMTPUTF8.
#
# One would guess that it gives an error before it sends the address, as Python's smtplib does: a client must not send it there
# (RFC 6531 §3.2).
# Seen: `RCPT TO:<jörg@x.example>` behind a `MAIL FROM` without SMTPUTF8, and a raw header, to a server that has no extension; the
# answer to all of it is taken for success.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" nodemailer@10.6.1
cat >"$folder/send.cjs" <<'JS'
const { createServer } = require("net");
const { createInterface } = require("readline");
const { createTransport } = require("nodemailer");
const lines = [];
const server = createServer((socket) => {
  let text = false;
  const answer = (line) => socket.write(line + "\r\n");
  answer("220 x");
  createInterface({ input: socket }).on("line", (line) => {
    lines.push(line);
    if (text && line !== ".") return;
    text = line === "DATA";
    answer(text ? "354 x" : "250 x");
  });
});
server.listen(0, "127.0.0.1", async () => {
  const transport = createTransport({ host: "127.0.0.1", port: server.address().port, ignoreTLS: true });
  const { accepted } = await transport.sendMail({ from: "a@x.example", to: "jörg@x.example", text: "x" });
  console.log([...lines.filter((line) => /^(MAIL|RCPT|To:)/.test(line)), ...accepted].join("|"));
  process.exit();
});
JS
seen=$(node "$folder/send.cjs")
echo "nodemailer 10.6.1: $seen"
[ "$seen" = 'MAIL FROM:<a@x.example>|RCPT TO:<jörg@x.example>|To: jörg@x.example|jörg@x.example' ]
