#!/usr/bin/env bash
# Four programs that look for links in a text do not link `http://ann@example.org/`, but part of it.
#
# One would guess that an address of the web with a user (RFC 3986 §3.2.1) is linked whole, or not at all.
# Seen: linkify-it 6.1.0 and Autolinker 4.1.5 (npm) link `http://ann`, another host (linkify-it has an option for users, off by
# default); with addresses of mail asked for, bleach 6.4.0 (PyPI) links to `mailto://ann@example.org`, and Rinku 1.7.3 (Ruby) to
# `mailto:ann@example.org`.
# Needs: Debian 12, Python with venv and pip, Node.js and npm, and root if ruby-rinku is not installed. Exit code 0 if it is as
# seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-rinku=ruby-rinku
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet bleach==6.4.0
npm install --silent --no-audit --no-fund --prefix "$folder" linkify-it@6.1.0 autolinker@4.1.5
uri=http://ann@example.org/
cat >"$folder/find.mjs" <<'JS'
import Autolinker from "autolinker";
import { LinkifyIt } from "linkify-it";
const text = process.argv[2];
console.log(new LinkifyIt().match(text).map((it) => it.url).join(" "), Autolinker.parse(text, {}).map((it) => it.getAnchorHref()).join(" "));
JS
node=$(node "$folder/find.mjs" "$uri")
python=$("$folder/bin/python" -W ignore -c 'import bleach, sys; print(bleach.linkify(sys.argv[1], parse_email=True, callbacks=[]))' "$uri")
ruby=$(ruby -rrinku -e 'puts Rinku.auto_link(ARGV[0])' "$uri")
echo "linkify-it and Autolinker: $node; bleach: $python; Rinku: $ruby"
[ "$node" = 'http://ann http://ann' ] && [ "$python" = 'http:<a href="mailto://ann@example.org">//ann@example.org</a>/' ] &&
  [ "$ruby" = 'http://<a href="mailto:ann@example.org">ann@example.org</a>/' ]
