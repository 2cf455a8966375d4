#!/usr/bin/env bash
# URI 5.17 (Perl) and Ruby's URI::MailTo take a plus sign in a mailto URI for a blank, and URI writes blanks so.
#
# One would guess that `+` is a plus sign, as in `ann+list@x.example`, and that a blank is `%20`: `+` is one of the letters that
# stand for themselves (RFC 6068 §2), and only forms of the web have it otherwise.
# Seen: URI reads the subject `a+b` as `a b` and ends it at a semicolon, though that is such a letter, too; and it writes `a b`
# as `subject=a+b`, which mutt 2.2.12 sends as `a+b`. Ruby's `to_mailtext` addresses `ann list@x.example`.
# Needs: Debian 12, and root if liburi-perl, ruby or mutt are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/URI.pm=liburi-perl ruby=ruby mutt=mutt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
uri='mailto:ann+list@x.example?subject=a+b;c'
read=$(perl -MURI -e 'my %it = URI->new(shift)->headers; print "$it{to} $it{subject}"' "$uri")
written=$(perl -MURI -e 'my $it = URI->new("mailto:"); $it->headers(to => "a\@x.example", subject => "a b"); print $it')
printf '#!/bin/sh\nexec cat >"%s/sent"\n' "$folder" >"$folder/send"
chmod +x "$folder/send"
HOME=$folder mutt -n -e "set sendmail=$folder/send copy=no sendmail_wait=0" -- "$written" </dev/null
mutt=$(grep '^Subject: ' "$folder/sent")
ruby=$(ruby -ruri -e 'puts URI(ARGV[0]).to_mailtext' "$uri" | grep '^[TS]')
echo "URI $(perl -MURI -e 'print URI->VERSION'): $read; $written, sent as $mutt; Ruby $(ruby -e 'puts RUBY_VERSION'):" $ruby
[ "$read" = 'ann+list@x.example a b' ] && [ "$written" = 'mailto:a@x.example?subject=a+b' ] && [ "$mutt" = 'Subject: a+b' ] &&
  [ "$ruby" = 'To: ann list@x.example
Subject: a b;c' ]
