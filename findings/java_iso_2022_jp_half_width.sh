#!/usr/bin/env bash
# Java 17 writes half-width katakana into ISO-2022-JP by an escape sequence that is not of it.
#
# One would guess that `ｶﾅ`, which ISO-2022-JP has not (RFC 1468), becomes `カナ`, as Perl's Encode and glibc's iconv write it, or
# `??`.
# Seen: `ESC ( I` and the two octets of JIS X 0201, as in another charset of Java; Python reads U+FFFD and `6E`, and iconv ends
# there.
# Needs: Debian 12, python3, and root if no JDK is installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless perl=perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Write.java" <<'J'
public class Write {
    public static void main(String[] arguments) throws Exception {
        System.out.write("\uff76\uff85".getBytes("ISO-2022-JP"));
        System.out.flush();
    }
}
J
java=$(java "$folder/Write.java" | tr '\033' '^')
python=$(tr '^' '\033' <<<"$java" | python3 -c 'import sys; print(sys.stdin.buffer.read().decode("iso-2022-jp", "replace").strip())')
perl=$(perl -MEncode -e 'print encode("ISO-2022-JP", "\x{ff76}\x{ff85}")' | tr '\033' '^')
echo "Java $(java --version | sed -n '1s/^[a-z]* \([0-9.]*\).*/\1/p'): $java; Perl: $perl; Python of Java's: $python"
# shellcheck disable=SC2016 # The dollar is an octet.
[ "$java" = '^(I6E^(B' ] && [ "$perl" = '^$B%+%J^(B' ] && [ "$python" = '�6E' ]
