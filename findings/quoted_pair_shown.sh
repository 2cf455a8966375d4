#!/usr/bin/env bash
# A backslash in a quoted string is written as two (RFC 5322 §3.2.4), and three readers show both.
#
# One would guess that a name in `"a\\b"` is shown as `a\b`, in an address as in a parameter.
# Seen: Emacs 28.2 and PHP's mailparse 3.1.4 show `a\\b` for both; Ruby's mail 2.7.1 shows `a\b` for the name of a mailbox,
# and `a\\b.pdf` for that of a file.
# Needs: Debian 12, and root if the packages are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" emacs=emacs-nox php=php-cli /usr/share/doc/php-mailparse=php-mailparse \
  ruby=ruby /usr/share/doc/ruby-mail=ruby-mail
export MAILBOX='"a\\b" <a@x.example>' FILE='attachment; filename="a\\b.pdf"'
emacs=$(emacs -Q --batch --eval '(progn (require (quote mail-parse))
  (princ (cdar (mail-header-parse-addresses (getenv "MAILBOX")))) (princ " ")
  (princ (mail-content-type-get (mail-header-parse-content-disposition (getenv "FILE")) (quote filename))))')
php=$(php -r '
  $message = mailparse_msg_create();
  mailparse_msg_parse($message, "MIME-Version: 1.0\nContent-Type: application/pdf\nContent-Disposition: " . getenv("FILE") . "\n\nx\n");
  echo mailparse_rfc822_parse_addresses(getenv("MAILBOX"))[0]["display"], " ", mailparse_msg_get_part_data($message)["disposition-filename"];')
ruby=$(ruby -W0 -rmail -e '
  message = Mail.new("From: #{ENV["MAILBOX"]}\r\nContent-Type: application/pdf\r\nContent-Disposition: #{ENV["FILE"]}\r\n\r\nx")
  print message[:from].display_names.first, " ", message.filename')
echo "Emacs: $emacs; PHP: $php; Ruby: $ruby"
[ "$emacs" = 'a\\b a\\b.pdf' ] && [ "$php" = 'a\\b a\\b.pdf' ] && [ "$ruby" = 'a\b a\\b.pdf' ]
