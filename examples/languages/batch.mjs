#!/usr/bin/env node
// Converts files of mail by one septet: batch.mjs OUT FILE…  OUT is a folder; a line for each file says what was done.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const [out, ...files] = process.argv.slice(2);
const septet = spawn(process.env.SEPTET ?? "septet", ["filter", "--batch"], { stdio: ["pipe", "pipe", "inherit"] });
const coming = septet.stdout[Symbol.asyncIterator]();
let rest = Buffer.alloc(0);

// Takes so many octets of what comes, as soon as `wanted` says how many, from what is there.
async function take(wanted) {
  let length;
  while ((length = wanted(rest)) < 0 || rest.length < length) {
    const { value, done } = await coming.next();
    if (done) throw new Error("septet ended");
    rest = Buffer.concat([rest, value]);
  }
  const taken = rest.subarray(0, length);
  rest = rest.subarray(length);
  return taken;
}

for (const file of files) {
  const mail = readFileSync(file);
  septet.stdin.write(JSON.stringify({ length: mail.length, profile: "utf8" }) + "\n");
  septet.stdin.write(mail);

  const answer = JSON.parse(await take((octets) => octets.indexOf("\n") + 1 || -1));
  writeFileSync(join(out, basename(file)), await take(() => answer.length));
  const text = answer.error ?? answer.report.map((entry) => entry.text).join("; ");
  console.log(`${file}: ${answer.result} ${text}`);
}
septet.stdin.end();
septet.on("exit", (code) => process.exit(code ?? 1));
