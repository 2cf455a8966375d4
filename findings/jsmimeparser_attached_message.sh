#!/usr/bin/env bash
# @protontech/jsmimeparser 3.0.2 (npm), Proton Mail's parser: an attached message is empty, and its text is that of who forwards it.
#
# One would guess that of a message with `message/rfc822` in it, `text` is what its author wrote, and the other message an attachment.
# Seen: `text` is both, one below the other, with no sign where the other begins; the attachment, which is listed as `offer.eml`, has
# 0 octets, and the other's From and Subject are nowhere.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" @protontech/jsmimeparser@3.0.2 esbuild@0.28.2
cd "$folder"
cat >show.js <<'JS'
import { parseMail } from "@protontech/jsmimeparser";
const message = `From: ann@x.example
Subject: Fwd: Offer
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b

Don't pay that.
--b
Content-Type: message/rfc822
Content-Disposition: attachment; filename=offer.eml

From: bo@x.example
Subject: Offer

I pay 100.
--b--
`;
const { body, attachments, ...rest } = parseMail(message.replaceAll("\n", "\r\n"));
console.log([body.text, ...attachments.map((each) => `${each.fileName}: ${each.content.length}`)].join("\n"), /bo@/.test(JSON.stringify(rest)));
JS
npx esbuild show.js --bundle --platform=node --outfile=bundle.js --log-level=error
seen=$(node bundle.js)
echo "jsmimeparser 3.0.2:" && echo "$seen"
[ "$seen" = "Don't pay that.
I pay 100.
offer.eml: 0 false" ]
