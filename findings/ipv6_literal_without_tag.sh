#!/usr/bin/env bash
# Three validators refuse `ann@[IPv6:2001:db8::1]` and accept `ann@[2001:db8::1]`: the other way round.
#
# One would guess that an address whose host is an IPv6 address has the tag `IPv6:` in its brackets, and none without it is
# valid (RFC 5321 §4.1.3), as PHP's filter_var has it.
# Seen: Commons Validator 1.7 (Java), validator 13.15.35 (npm, with allow_ip_domain) and validators 0.36.0 (PyPI, with
# ipv6_address) take the form that no server takes.
# Needs: Debian 12, Java, Python with venv and pip, Node.js and npm, and root if libcommons-validator-java or php-cli are not
# installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless /usr/share/java/commons-validator.jar=libcommons-validator-java \
  php=php-cli
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet validators==0.36.0
npm install --silent --no-audit --no-fund --prefix "$folder" validator@13.15.35
addresses=('ann@[IPv6:2001:db8::1]' 'ann@[2001:db8::1]')
cat >"$folder/Show.java" <<'J'
import org.apache.commons.validator.routines.EmailValidator;

public class Show {
    public static void main(String[] addresses) {
        for (String it : addresses) System.out.print((EmailValidator.getInstance().isValid(it) ? 1 : 0) + " ");
    }
}
J
java=$(java -cp '/usr/share/java/*' "$folder/Show.java" "${addresses[@]}")
python=$("$folder/bin/python" -c '
import sys, validators
print(*(int(validators.email(it, ipv6_address=True) is True) for it in sys.argv[1:]))' "${addresses[@]}")
node=$(cd "$folder" && node -e '
  const { isEmail } = require("validator");
  console.log(process.argv.slice(1).map((it) => +isEmail(it, { allow_ip_domain: true })).join(" "));' "${addresses[@]}")
php=$(php -r 'foreach (array_slice($argv, 1) as $it) echo filter_var($it, FILTER_VALIDATE_EMAIL) ? 1 : 0, " ";' "${addresses[@]}")
echo "${addresses[*]}: Commons Validator $java; validators $python; validator $node; PHP $php"
for it in "$java" "$python" "$node"; do [ "${it% }" = '0 1' ]; done
[ "$php" = '1 0 ' ]
