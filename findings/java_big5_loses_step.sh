#!/usr/bin/env bash
# Java 17's Big5 takes one octet of a character that it lacks, and reads the other as the first of the next.
#
# One would guess that `￣` (A1C3), `€` (A3E1) and `碁` (F9D6), which Big5 has in Windows and in WHATWG's Encoding, are read, or
# become one U+FFFD each.
# Seen: of each, U+FFFD and another character made of its second octet and the first of what follows, whose own second octet then
# stands as ASCII: `一￣三` is shown as `一�瓣T`. Java's MS950 reads all three.
# Needs: Debian 12, and root if no JDK is installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Show.java" <<'J'
import java.io.PrintStream;
public class Show {
    public static void main(String[] arguments) throws Exception {
        byte[] octets = System.in.readAllBytes();
        new PrintStream(System.out, true, "UTF-8").println(new String(octets, "Big5") + "|" + new String(octets, "MS950"));
    }
}
J
seen=$(printf '\xa4\x40\xa1\xc3\xa4\x54 \xa4\x40\xa3\xe1\xa4\x54 \xa4\x40\xf9\xd6\xa4\x54' | java "$folder/Show.java")
echo "Java $(java --version | sed -n '1s/^[a-z]* \([0-9.]*\).*/\1/p'): $seen"
[ "$seen" = '一�瓣T 一�嶀T 一�痐T|一￣三 一€三 一碁三' ]
