#!/usr/bin/env bash
# Net::Sieve::Script 0.09 (Perl) does not know where a string ends: of the filter `Sale (50% off)` it makes `Sale `.
#
# One would guess that a script is written as it was read: within a string only `"` and `\` mean anything (RFC 5228 §2.4.2).
# Seen: what is in parentheses is lost, and `"(x)"` becomes `" "`, so that nearly every Subject has it; `:)` becomes `: ) `; and
# of a script with a `#` in a string nothing is written, as if it were a comment.
# Needs: Debian 12, and root if libnet-sieve-script-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Net/Sieve/Script.pm=libnet-sieve-script-perl
seen=$(perl -MNet::Sieve::Script -e '
  for my $subject (@ARGV) {
    my $script = Net::Sieve::Script->new(qq(if header :contains "Subject" "$subject" { discard; }))->write_script;
    print $script =~ /"Subject" (.*)/ ? $1 : "nothing", "\n";
  }' 'Sale 50%' 'Sale (50% off)' '(x)' ':)' 'No. #1' 2>/dev/null)
echo "Net::Sieve::Script 0.09:" "${seen//$'\n'/, }"
[ "$seen" = '"Sale 50%"
"Sale "
" "
": ) "
nothing' ]
