// Reads mail with letterparser (npm), which takes a string. What texts of one kind there are it gives as one; of From it knows
// one mailbox, of Sender none.
import { extract, parse } from "letterparser";
import { answer, names, present } from "./protocol.mjs";

const children = (node) => (node.body instanceof Uint8Array || typeof node.body === "string" ? [] : [node.body].flat());
const parts = (node) => [node, ...children(node).flatMap(parts)];

await answer([], (octets) => {
  const node = parse(octets.toString("utf8"));
  const mail = extract(node);
  const fields = { from: present([mail.from]), to: mail.to ?? [], cc: mail.cc ?? [], "reply-to": mail.replyTo ?? [] };
  return {
    tree: parts(node).map((part) => part.contentType.type.toLowerCase()),
    fields: Object.keys(node.headers).map((name) => name.toLowerCase()),
    subject: mail.subject ?? null,
    comments: node.headers.Comments ?? null,
    names: Object.fromEntries(Object.entries(fields).map(([field, list]) => [field, names(list)])),
    addresses: fields.from.map((it) => it.address),
    files: present(mail.attachments.map((it) => it.filename)),
    texts: present([mail.text, mail.html]),
  };
});
