#!/usr/bin/env bash
# Text::vCard 3.09 (Perl) loses a web address or a telephone number that has a semicolon in it.
#
# One would guess that a URI is given as it stands (RFC 2426 §4, RFC 6350 §4.2): only fields of several components are split.
# Seen: `URL:https://x.example/a;b` and `TEL;VALUE=uri:tel:+1-555;ext=5` have no value, and are written again as `URL:` and
# `TEL;VALUE=uri:`, with a warning on standard error.
# Needs: Debian 12, and root if libtext-vcard-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" /usr/share/perl5/Text/vCard.pm=libtext-vcard-perl
seen=$(perl -MText::vCard::Addressbook - 2>/dev/null <<'PERL' | tr -d '\r' | grep -E '^(URL|TEL)' | sort
print Text::vCard::Addressbook->new({source_text => join "\r\n",
    qw(BEGIN:VCARD VERSION:4.0 FN:a URL:https://x.example/a;b TEL;VALUE=uri:tel:+1-555;ext=5 END:VCARD), ""})->export;
PERL
)
echo "Text::vCard $(perl -MText::vCard -e 'print Text::vCard->VERSION'):" $seen
[ "$seen" = 'TEL;VALUE=uri:
URL:' ]
