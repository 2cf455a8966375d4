// Reads messages with postal-mime, and shows each on a line of JSON; see ../readers.py for what goes in and out.
import PostalMime from "postal-mime";
import { readFileSync } from "node:fs";

const input = readFileSync(0);

async function seen(raw) {
  const message = await PostalMime.parse(raw);
  const people = message.from ? [message.from] : [];
  return {
    fields: message.headers.map((field) => field.key),
    subject: message.subject ?? null,
    names: people.map((it) => it.name),
    addresses: people.map((it) => it.address),
    tree: message.attachments.map((it) => it.mimeType),
    files: message.attachments.map((it) => it.filename),
    texts: [message.text ?? "", message.html ?? ""].filter((text) => text !== ""),
  };
}

for (let at = 0; at < input.length; ) {
  const end = input.indexOf(10, at);
  const length = Number(input.subarray(at, end).toString());
  at = end + 1 + length;
  console.log(JSON.stringify(await seen(input.subarray(end + 1, at))));
}
