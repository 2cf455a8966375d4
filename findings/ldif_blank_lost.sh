#!/usr/bin/env bash
# Net::LDAP 0.17.0 (Ruby) and ldif 4.3.0 (PyPI) lose a blank at the start or the end of a value in the LDIF that they write.
#
# One would guess that a value that starts with a blank is written in base64, as it has to be (RFC 2849, SAFE-INIT-CHAR), or one
# that ends with a blank, as it should be (note 8); and that each reads what it has written.
# Seen: Net::LDAP writes ` a` as `x:  a`, and reads `a`; ldif writes `a ` as `x: a `, and reads `a`.
# Needs: Debian 12, Python with venv and pip, and root if ruby-net-ldap is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-net-ldap=ruby-net-ldap
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet ldif==4.3.0
ruby=$(ruby -W0 -rnet/ldap -rstringio -e '
  entry = Net::LDAP::Entry.new("cn=a")
  entry["x"] = [" a", "a "]
  p entry.to_ldif, Net::LDAP::Dataset.read_ldif(StringIO.new(entry.to_ldif))["cn=a"][:x]')
python=$("$folder/bin/python" - <<'PYTHON'
import io

import ldif

file = io.BytesIO()
ldif.LDIFWriter(file).unparse("cn=a", {"x": [" a", "a "]})
print(file.getvalue())
file.seek(0)
print(*(entry["x"] for _, entry in ldif.LDIFParser(file).parse()))
PYTHON
)
echo "Net::LDAP: ${ruby//$'\n'/, read as }; ldif: ${python//$'\n'/, read as }"
[ "$ruby" = '"dn: cn=a\nx:  a\nx: a \n"
["a", "a "]' ] && [ "$python" = "b'dn: cn=a\nx:: IGE=\nx: a \n\n'
[' a', 'a']" ]
