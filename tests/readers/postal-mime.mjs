// Reads fixtures/reading.jsonl with postal-mime, and says for each case what it shows. It gives no tree, so that it is not
// asked about a text in a multipart, nor about a file unless it finds just one; such a case is left out of the answers.
import PostalMime from "postal-mime";
import { readFileSync } from "node:fs";

// The members of a group stand among the other mailboxes.
const mailboxes = (list) => [list ?? []].flat().flatMap((it) => it.group ?? [it]);

// What it calls the fields of addresses. Other fields it gives as they stand, but for the subject.
const named = { From: "from", Sender: "sender", To: "to", Cc: "cc", "Reply-To": "replyTo" };

// The text at a place; null where nothing is seen, and undefined where it can't be asked.
function text(message, { part, field, what, at = 1 }) {
  if (what === "name") return mailboxes(message[named[field]])[at - 1]?.name ?? null;
  if (field === "Subject") return message.subject ?? null;
  if (what === "filename" && message.attachments.length === 1) return message.attachments[0].filename ?? null;
  if (part === "1" && what !== "filename") return message[what] ?? null;
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { id, message: octets, place } = JSON.parse(line);
  const shown = text(await PostalMime.parse(Buffer.from(octets, "base64")), place);
  if (shown !== undefined) console.log(JSON.stringify({ id, text: shown }));
}
