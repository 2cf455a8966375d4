#!/usr/bin/env bash
# Java 17's Big5-HKSCS neither reads nor writes the four characters that Unicode has as a letter and a combining mark.
#
# One would guess that it does, as it has `Ê` and `ê` beside them: 8862, 8864, 88A3 and 88A5 are `Ê̄`, `Ê̌`, `ê̄` and `ê̌` in
# HKSCS-2004 and in WHATWG's Encoding (§12.1.1).
# Seen: each is U+FFFD, and when one is written, there is `?` for its mark. Python and glibc's iconv read all four.
# Needs: Debian 12, python3, and root if no JDK is installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Show.java" <<'J'
import java.io.PrintStream;
public class Show {
    public static void main(String[] arguments) throws Exception {
        String read = new String(System.in.readAllBytes(), "Big5-HKSCS");
        String again = new String("\u00ca\u0304\u00ea\u030c".getBytes("Big5-HKSCS"), "Big5-HKSCS");
        new PrintStream(System.out, true, "UTF-8").println(read + " " + again);
    }
}
J
written() { printf '\x88\x62\x88\x64\x88\xa3\x88\xa5\x88\x66\x88\xa7'; }
java=$(written | java "$folder/Show.java")
iconv=$(written | iconv -f BIG5-HKSCS -t UTF-8)
python=$(written | python3 -c 'import sys; print(sys.stdin.buffer.read().decode("big5-hkscs"))')
echo "Java $(java --version | sed -n '1s/^[a-z]* \([0-9.]*\).*/\1/p'): $java; iconv: $iconv; Python: $python"
[ "$java" = '����Êê Ê?ê?' ] && [ "$iconv" = 'Ê̄Ê̌ê̄ê̌Êê' ] && [ "$python" = "$iconv" ]
