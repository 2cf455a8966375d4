#!/usr/bin/env bash
# ez-vcard 0.11.2 (Java) forgets the second of two given names, and of two family names.
#
# One would guess that each component of a name may have several values (RFC 6350 §6.2.2), as it gives several further names.
# Seen: `N:García,Márquez;Ana,María;Luz,Sol;;` is written again as `N:García;Ana;Luz,Sol;;`.
# Needs: Debian 12, Java, and root if libez-vcard-java or libvinnie-java are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless /usr/share/java/ez-vcard.jar=libez-vcard-java \
  /usr/share/java/vinnie.jar=libvinnie-java
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Show.java" <<'J'
public class Show {
    public static void main(String[] arguments) throws Exception {
        String card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:a\r\nN:Garc\u00eda,M\u00e1rquez;Ana,Mar\u00eda;Luz,Sol;;\r\nEND:VCARD\r\n";
        System.out.print(ezvcard.Ezvcard.write(ezvcard.Ezvcard.parse(card).first()).go());
    }
}
J
seen=$(java -Dfile.encoding=UTF-8 -cp '/usr/share/java/*' "$folder/Show.java" | tr -d '\r' | sed -n '/^N/p')
echo "ez-vcard $(dpkg-query -W -f '${Version}' libez-vcard-java): $seen"
[ "$seen" = 'N:García;Ana;Luz,Sol;;' ]
