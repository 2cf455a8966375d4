#!/usr/bin/env bash
# Java 17 knows ISO-2022-JP-2 by name, but of all that RFC 1554 adds to ISO-2022-JP only JIS X 0212.
#
# One would guess that a charset that `Charset.forName` gives reads what its RFC has: GB 2312, KS C 5601, and the upper halves of
# ISO-8859-1 and ISO-8859-7 by single shift.
# Seen: for `é`, `α`, `啊` and `가` there are U+FFFD and the rest of their octets as ASCII; glibc's iconv and Python read all four.
# Needs: Debian 12, python3, and root if no JDK is installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Show.java" <<'J'
import java.io.PrintStream;
public class Show {
    public static void main(String[] arguments) throws Exception {
        new PrintStream(System.out, true, "UTF-8").println(new String(System.in.readAllBytes(), "ISO-2022-JP-2"));
    }
}
J
written() { printf '\e.A\eNi \e.F\eNa \e$A0!\e(B \e$(C0!\e(B \e$(D0!\e(B'; }
java=$(written | java "$folder/Show.java")
iconv=$(written | iconv -f ISO-2022-JP-2 -t UTF-8)
python=$(written | python3 -c 'import sys; print(sys.stdin.buffer.read().decode("iso-2022-jp-2"))')
echo "Java $(java --version | sed -n '1s/^[a-z]* \([0-9.]*\).*/\1/p'): $java; iconv: $iconv; Python: $python"
[ "$java" = '�A�i �F�a �0! �0! 丂' ] && [ "$iconv" = 'é α 啊 가 丂' ] && [ "$python" = "$iconv" ]
