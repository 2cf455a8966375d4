#!/usr/bin/env bash
# Node.js 20.20.2 and iconv-lite 0.7.3 (npm) read KOI8-RU as KOI8-U, and Node even without the Belarusian letters.
#
# One would guess that the label means the set with `ў`, quotation marks, `№` and `—` that glibc writes by that name.
# Seen: `“Ў” №` of glibc, which recode 3.6 reads as well, is `⌠╬√ ≤` in Node's TextDecoder and `⌠Ў√ ≤` in iconv-lite. The Encoding
# Standard has koi8-ru as a label of koi8-u, but `Ў` in that.
# Needs: Debian 12, Node.js and npm, and root if recode is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" recode=recode
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" iconv-lite@0.7.3
cd "$folder"
echo -n '“Ў” №' | iconv -f UTF-8 -t KOI8-RU >text
recode=$(recode KOI8-RU..UTF-8 <text)
node=$(node -e '
  const text = require("fs").readFileSync("text");
  console.log(new TextDecoder("koi8-ru").decode(text), require("iconv-lite").decode(text, "koi8-ru"));')
echo "recode: $recode; Node.js $(node --version) and iconv-lite: $node"
[ "$recode" = '“Ў” №' ] && [ "$node" = '⌠╬√ ≤ ⌠Ў√ ≤' ]
