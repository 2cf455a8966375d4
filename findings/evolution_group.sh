#!/usr/bin/env bash
# Evolution's library of mail, Camel 3.46.4: the last address of a group is another.
#
# One would guess that `list: Ann <ann@x.example>, cy@x.example;` has two addresses, as RFC 5322 §3.4 and its example A.1.3 have it.
# Seen: the second is a mailbox `;` whose name is `<cy@x.example>`. With `Cy <cy@x.example>` before the semicolon it is the name `Cy`, and
# no address. Without a group both are read well, and so is a group that has nobody in it.
# Needs: Debian 12, and root if Camel is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" "/usr/lib/$(uname -m)-linux-gnu/girepository-1.0/Camel-1.2.typelib=gir1.2-camel-1.2" \
  /usr/lib/python3/dist-packages/gi=python3-gi \
  /usr/share/glib-2.0/schemas/org.gnome.evolution-data-server.gschema.xml=evolution-data-server-common
seen=$(/usr/bin/python3 - <<'PYTHON'
import gi

gi.require_version("Camel", "1.2")
from gi.repository import Camel

for field in "Ann <ann@x.example>, cy@x.example", "list: Ann <ann@x.example>, cy@x.example;", "list: Cy <cy@x.example>;":
    addresses = Camel.InternetAddress.new()
    addresses.decode(field)
    print([tuple(addresses.get(each))[1:] for each in range(addresses.length())])
PYTHON
)
echo "Camel $(dpkg-query -W -f '${Version}' gir1.2-camel-1.2):" && echo "$seen"
[ "$seen" = "[('Ann', 'ann@x.example'), ('', 'cy@x.example')]
[('Ann', 'ann@x.example'), ('<cy@x.example>', ';')]
[('Cy', '')]" ]
