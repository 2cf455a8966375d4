// What the drivers in JavaScript share: messages come in, each behind its length on a line, and a line of JSON answers each.
import { readFileSync } from "node:fs";

export const FIELDS = ["from", "sender", "to", "cc", "reply-to"];
const empty = { tree: [], fields: [], subject: null, comments: null, names: {}, addresses: [], files: [], texts: [] };

// Answers each message with what `seen` makes of it; what `seen` throws is an answer as well.
// A reader has no call for what is `never` there.
export async function answer(never, seen) {
  const nothing = { ...empty, ...Object.fromEntries(never.map((key) => [key, null])) };
  const input = readFileSync(0);
  for (let at = 0; at < input.length; ) {
    const start = input.indexOf("\n", at) + 1;
    const end = start + Number(input.toString("latin1", at, start));
    const shown = await Promise.resolve(input.subarray(start, end)).then(seen).catch((error) => ({ error: String(error) }));
    console.log(JSON.stringify({ ...nothing, ...shown }));
    at = end;
  }
}

// The names of mailboxes; the members of a group stand among the others.
export const names = (mailboxes) => mailboxes.flatMap((it) => it.group ?? [it]).map((it) => it.name || null);

// A list of what is there.
export const present = (list) => list.filter((it) => it != null && it !== "");
