// Reads messages with postal-mime, and shows the tree of each on a line of JSON; see tree.py for what goes in and out.
//
//   node postal.mjs FOLDER   where FOLDER has node_modules/postal-mime
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/node_modules/postal-mime/dist/esm/postal-mime.js`);
const { default: PostalMime, decodeWords } = await import(folder);

// Labels that mean one thing alone to every reader, and that it knows; it has no UTF-7.
const SURE = ["utf-8", "utf-16", "utf-16be", "utf-16le", "iso-2022-jp"];
const PLAINLY_CARRIED = [undefined, "7bit", "8bit", "binary", "quoted-printable", "base64"];

function named(node) {
  const name = node.contentDisposition.parsed.params.filename || node.contentType.parsed.params.name;
  return name ? decodeWords(name) : null;
}

function textOf(node) {
  const { value, params } = node.contentType.parsed;
  const carried = node.headers.filter((field) => field.key === "content-transfer-encoding").map((field) => field.value);
  const plainly = carried.length < 2 && PLAINLY_CARRIED.includes(carried[0]?.toLowerCase());
  if (value !== "text/plain" || !SURE.includes(params.charset?.toLowerCase()) || !plainly) return null;
  const text = node.getTextContent();
  if (text.includes("\ufffd")) return [0, "unreadable"];
  const lines = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n").split("\n").map((line) => line.trimEnd());
  const whole = lines.join("\n").replace(/^\n+|\n+$/g, "");
  return [whole.length, createHash("sha1").update(whole).digest("hex").slice(0, 16)];
}

// postal-mime itself opens no message/global, and no message beside a report that has its name in ASCII. These names change
// with the form of a report, so that the tree is that of all messages within.
function isOpened({ contentType, contentDisposition }) {
  const disposition = contentDisposition.parsed.value || "inline";
  return ["message/rfc822", "message/global"].includes(contentType.parsed.value) && disposition === "inline";
}

async function walk(node, depth, parts) {
  const { value, params } = node.contentType.parsed;
  const multipart = Boolean(node.contentType.multipart);
  parts.push({
    depth,
    media: value === "message/global" ? "message/rfc822" : value,
    boundary: multipart ? (params.boundary ?? null) : null,
    name: named(node),
    fields: node.headers.map((field) => field.key),
    text: multipart ? null : textOf(node),
  });
  for (const inner of node.childNodes) await walk(inner, depth + 1, parts);
  if (!multipart && isOpened(node)) await read(node.content ?? new ArrayBuffer(0), depth + 1, parts);
}

async function read(octets, depth, parts) {
  // A message within a message is read here, once.
  const parser = new PostalMime({ maxRfc822NestingDepth: 0 });
  await parser.parse(octets);
  await walk(parser.root, depth, parts);
}

async function seen(octets) {
  const parts = [];
  try {
    await read(octets, 0, parts);
  } catch (error) {
    parts.push({ depth: 0, media: `refused: ${error.message}` });
  }
  return parts;
}

const input = readFileSync(0);
for (let at = 0; at < input.length; ) {
  const end = input.indexOf(10, at);
  const length = Number(input.subarray(at, end).toString());
  at = end + 1 + length;
  console.log(JSON.stringify(await seen(input.subarray(end + 1, at))));
}
