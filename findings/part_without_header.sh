#!/usr/bin/env bash
# Email::MIME 1.953 (Perl) and mblaze 1.1 lose the first paragraph of a part that has no header.
#
# One would guess that a part may begin with the empty line that ends a header, as the first one of the example in RFC 2046 §5.1.1
# does, and that such a part in a digest is a message with a header of its own (§5.1.5).
# Seen: of `one`, an empty line and `two` both show `two`. In a digest From and Subject are gone so.
# Needs: Debian 12, and root if libemail-mime-perl or mblaze are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Email/MIME.pm=libemail-mime-perl mshow=mblaze
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fields='From: a@x.example\nDate: Thu, 1 Jan 2026 00:00:00 +0000\nMIME-Version: 1.0\n'
printf "${fields}Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n\ntwo\n--b--\n" >mixed
printf "${fields}Content-Type: multipart/digest; boundary=b\n\n--b\n\nFrom: c@x.example\nSubject: one\n\ntwo\n--b--\n" >digest
read_with() {
  perl -MEmail::MIME -0777 -ne 'print map { $_->body } Email::MIME->new($_)->subparts' "$1"
  echo " | $(mshow "./$1" | sed -n '/text\/plain/,$p' | tail -n +2)"
}
mixed=$(read_with mixed)
digest=$(read_with digest)
echo "Email::MIME | mblaze: $mixed, in a digest $digest"
[ "$mixed" = 'two | two' ] && [ "$digest" = 'two | two' ]
