// Reads mail with postal-mime (npm). It gives no tree, and what texts of one kind there are as one.
import PostalMime from "postal-mime";
import { answer, FIELDS, names, present } from "./protocol.mjs";

const called = { "reply-to": "replyTo" };

await answer(["tree"], async (octets) => {
  const mail = await PostalMime.parse(octets);
  return {
    fields: mail.headers.map((field) => field.key),
    subject: mail.subject ?? null,
    comments: mail.headers.find((field) => field.key === "comments")?.value ?? null,
    names: Object.fromEntries(FIELDS.map((field) => [field, names(present([mail[called[field] ?? field]].flat()))])),
    addresses: present([mail.from]).flatMap((it) => it.group ?? [it]).map((it) => it.address),
    files: present(mail.attachments.map((it) => it.filename)),
    texts: present([mail.text, mail.html]),
  };
});
