#!/usr/bin/env bash
# Four readers do not know a delimiter with blanks behind it: MHonArc 2.6.19, mblaze 1.1, s-nail 14.9.24 and Mail::Message 3.012.
#
# One would guess that blanks between a boundary and the line's end are padding, which composers may not write, but readers must
# take for none (RFC 2046 §5.1.1, transport-padding).
# Seen: the first three show nothing of a message whose delimiters end with a blank. Mail::Message finds the parts, but not the
# last delimiter, and what stands behind it is a part more.
# Needs: Debian 12, and root if mhonarc, mblaze, s-nail or libmail-message-perl are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Mail/Message.pm=libmail-message-perl mhonarc=mhonarc s-nail=s-nail \
  mshow=mblaze
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder LC_ALL=C.UTF-8
printf 'From: a@x.example\nDate: Thu, 1 Jan 2026 00:00:00 +0000\nMIME-Version: 1.0\nMessage-ID: <1@x.example>\n' >message
printf 'Content-Type: multipart/mixed; boundary=b\n\n' >>message
printf -- '--b \nContent-Type: text/plain\n\n%s\n' one two >>message
printf -- '--b-- \nbehind\n' >>message
sed 's/ $//' message >plain
seen_in() {
  mhonarc -single "$1" 2>/dev/null | sed -n '/^<!--X-Body-of-Message-->/,/^<!--X-Body-of-Message-End/p'
  mshow "./$1"
  (echo 'From a Thu Jan  1 00:00:00 2026' && cat "$1" && echo) >mbox
  echo p | s-nail -:/ -# -R -f mbox
}
texts() { seen_in "$1" | grep -ow -e one -e two | wc -l; }
perl=$(perl -MMail::Message -e '
  open my $file, "<", "message";
  print join ", ", map { $_->decoded->string =~ s/\n//r } Mail::Message->read($file)->parts("ACTIVE")' 2>/dev/null)
echo "texts shown: $(texts message) with blanks, $(texts plain) without; Mail::Message: $perl"
[ "$(texts message)" = 0 ] && [ "$(texts plain)" = 6 ] && [ "$perl" = 'one, two, behind' ]
