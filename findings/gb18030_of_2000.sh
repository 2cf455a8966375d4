#!/usr/bin/env bash
# The gb18030 of Python, Ruby and PHP is that of 2000, in which `ḿ` and ten vertical marks are elsewhere.
#
# One would guess that GB18030-2005, which swapped `ḿ` with a private character, or that of 2022, which moved the marks, is what
# the label means by now, as it is in WHATWG's Encoding.
# Seen: A8BC and A6D9 are `ḿ` and `︐` in glibc's iconv and Java 17, and private U+E7C7 and U+E78D in Python 3.11, Ruby 3.1 and PHP
# 8.2: what one side wrote the other can't show.
# Needs: Debian 12, python3, and root if ruby, php-cli, php-mbstring or a JDK are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/doc/php-mbstring=php-mbstring ruby=ruby javac=default-jdk-headless
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Show.java" <<'J'
public class Show {
    public static void main(String[] arguments) throws Exception {
        System.out.write(new String(System.in.readAllBytes(), "GB18030").getBytes("UTF-16BE"));
        System.out.flush();
    }
}
J
shown() { printf '\xa8\xbc\xa6\xd9' | "$@" | od -An -tx1 | tr -d ' \n'; }
iconv=$(shown iconv -f GB18030 -t UTF-16BE)
java=$(shown java "$folder/Show.java")
python=$(shown python3 -c 'import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode("gb18030").encode("utf-16-be"))')
ruby=$(shown ruby -e 'print $stdin.read.force_encoding("GB18030").encode("UTF-16BE")')
php=$(shown php -r 'echo mb_convert_encoding(stream_get_contents(STDIN), "UTF-16BE", "GB18030");')
echo "iconv: $iconv, Java: $java, Python: $python, Ruby: $ruby, PHP: $php"
[ "$iconv" = 1e3ffe10 ] && [ "$java" = "$iconv" ] && [ "$python" = e7c7e78d ] && [ "$ruby" = "$python" ] && [ "$php" = "$python" ]
