#!/usr/bin/env bash
# Java 17 and ICU 72.1 read CP949 as the code page of IBM, which lacks most of the syllables that the one of Microsoft has.
#
# One would guess that CP949 is what Korean mail calls so, with `똠` (8C63), as it is in glibc's iconv, Python, Perl and Ruby; and
# that Java's CP932 has `①` (8740).
# Seen: both show `c` behind an error for `똠`; by the name MS949 both read it. Java's CP932 is IBM's as well, and shows `@` behind
# an error for `①`; ICU reads that.
# Needs: Debian 12, python3, and root if a JDK, icu-devtools or ruby are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless uconv=icu-devtools perl=perl ruby=ruby
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Show.java" <<'J'
public class Show {
    public static void main(String[] arguments) throws Exception {
        System.out.write(new String(System.in.readAllBytes(), arguments[0]).getBytes("UTF-8"));
        System.out.flush();
    }
}
J
icu=(uconv --from-callback skip -t UTF-8 -f)
java=(java "$folder/Show.java")
shown() { for label in CP949 MS949; do printf '\x8c\x63' | "$@" "$label"; done; }
others=$(
  printf '\x8c\x63' | iconv -f CP949 -t UTF-8
  python3 -c 'print(b"\x8c\x63".decode("CP949"), end="")'
  perl -CO -MEncode -e 'print decode("CP949", "\x8c\x63")'
  ruby -e 'print "\x8c\x63".dup.force_encoding("CP949").encode("UTF-8")'
)
seen="Java $(shown "${java[@]}"), ICU $(shown "${icu[@]}")"
circled="Java $(printf '\x87\x40' | "${java[@]}" CP932), ICU $(printf '\x87\x40' | "${icu[@]}" CP932)"
echo "CP949 and MS949: $seen; iconv, Python, Perl, Ruby: $others; CP932: $circled"
[ "$seen" = 'Java �c똠, ICU c똠' ] && [ "$others" = 똠똠똠똠 ] && [ "$circled" = 'Java �@, ICU ①' ]
