// Reads mail with mailparser (npm, by the author of Nodemailer). It gives no tree, and what texts of one kind there are as one.
import { simpleParser } from "mailparser";
import { answer, FIELDS, names, present } from "./protocol.mjs";

await answer(["tree"], async (octets) => {
  const mail = await simpleParser(octets, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true });
  const mailboxes = (field) => present([mail.headers.get(field)].flat()).flatMap((it) => it.value);
  return {
    fields: mail.headerLines.map((field) => field.key),
    subject: mail.subject ?? null,
    comments: mail.headers.get("comments") ?? null,
    names: Object.fromEntries(FIELDS.map((field) => [field, names(mailboxes(field))])),
    addresses: mailboxes("from").flatMap((it) => it.group ?? [it]).map((it) => it.address),
    files: present(mail.attachments.map((it) => it.filename)),
    texts: present([mail.text, mail.html || null]),
  };
});
