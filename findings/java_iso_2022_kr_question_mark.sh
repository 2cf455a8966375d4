#!/usr/bin/env bash
# Java 17 writes one question mark amid the pairs of ISO-2022-KR, so that all that follows is read as other letters.
#
# One would guess that `é`, which KS X 1001 has not, becomes `?` behind SI, or the two octets of a wide one, and that the line
# ends in ASCII (RFC 1557).
# Seen: `가é나다` is SO, four octets of `가` and `나다` with a 3F amid them, and no SI: glibc's iconv reads `가엿ご`. Even `가` alone ends
# without SI, which Perl's Encode 3.17 reads as `0!`.
# Needs: Debian 12, and root if no JDK is installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless perl=perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Write.java" <<'J'
public class Write {
    public static void main(String[] arguments) throws Exception {
        System.out.write((arguments[0].equals("long") ? "\uac00\u00e9\ub098\ub2e4" : "\uac00").getBytes("ISO-2022-KR"));
        System.out.flush();
    }
}
J
write() { java "$folder/Write.java" "$1"; }
iconv=$(write long | { iconv -f ISO-2022-KR -t UTF-8 2>/dev/null || true; })
perl=$(write short | perl -MEncode -0777 -ne 'print encode("UTF-8", decode("ISO-2022-KR", $_))' | tr -d '\016')
echo "Java $(java --version | sed -n '1s/^[a-z]* \([0-9.]*\).*/\1/p'): 가é나다, and 가; iconv: $iconv; Perl: $perl"
[ "$iconv" = '가엿ご' ] && [ "$perl" = '0!' ]
