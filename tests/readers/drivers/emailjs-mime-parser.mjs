// Reads mail with emailjs-mime-parser (npm), which takes octets as a string or an array and gives a tree of parts.
import module from "emailjs-mime-parser";
import { answer, FIELDS, names, present } from "./protocol.mjs";

const parse = module.default ?? module;
const parts = (node) => [node, ...node.childNodes.flatMap(parts)];
const named = (node) => node.headers["content-disposition"]?.[0].params?.filename ?? node.contentType.params?.name;

await answer([], (octets) => {
  const root = parse(octets);
  const all = parts(root);
  const mailboxes = (field) => (root.headers[field] ?? []).flatMap((it) => it.value);
  return {
    tree: all.map((node) => node.contentType.value),
    fields: Object.keys(root.headers),
    subject: root.headers.subject?.[0].value ?? null,
    comments: root.headers.comments?.[0].value ?? null,
    names: Object.fromEntries(FIELDS.map((field) => [field, names(mailboxes(field))])),
    addresses: mailboxes("from").flatMap((it) => it.group ?? [it]).map((it) => it.address),
    files: present(all.map(named)),
    texts: all.filter((node) => node.contentType.type === "text").map((node) => new TextDecoder().decode(node.content)),
  };
});
