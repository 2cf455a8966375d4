// Reads mail with eml-parse-js (npm), which takes a string. It gives no tree.
import { readEml } from "eml-parse-js";
import { answer, names, present } from "./protocol.mjs";

await answer(["tree"], (octets) => {
  const mail = readEml(octets.toString("utf8"));
  if (mail instanceof Error) throw mail;
  const fields = { from: present([mail.from].flat()), to: present([mail.to].flat()), cc: present([mail.cc].flat()) };
  return {
    fields: Object.keys(mail.headers).map((name) => name.toLowerCase()),
    subject: mail.subject ?? null,
    comments: mail.headers.Comments ?? null,
    names: Object.fromEntries(Object.entries(fields).map(([field, list]) => [field, names(list)])),
    addresses: fields.from.map((it) => it.email),
    files: present((mail.attachments ?? []).map((it) => it.name)),
    texts: present([mail.text, mail.html]),
  };
});
