#!/usr/bin/env bash
# Ruby's mail 2.7.1 does not find the parts of a multipart with LF at its line ends if an octet beyond ASCII stands in its
# body.
#
# One would guess that a message in a Maildir, with LF and a part in 8bit, has the parts that it has with CRLF.
# Seen: two parts with CRLF, two with LF in ASCII, but one with LF and 8bit, and its text has the delimiters in it.
# A raw character in a header field (RFC 6532) does no harm.
# Needs: Debian 12, and root if ruby-mail is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-mail=ruby-mail
ruby -W0 -rmail -e '
  text = "Subject: %s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" \
    "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nGr%se\n" \
    "--b\nContent-Type: text/plain\n\nB\n--b--\n"
  count = ->(octets) { Mail.read_from_string(octets.b).parts.size }
  ascii, body, field = text % %w[a ue], text % %w[a üß], text % %w[ü ue]
  seen = [ascii, body, field].flat_map { |it| [count.(it), count.(it.gsub("\n", "\r\n"))] }
  puts "mail #{Mail::VERSION.version}: parts with LF and with CRLF: ASCII %d %d, 8bit body %d %d, raw field %d %d" % seen
  exit seen == [2, 2, 1, 2, 2, 2]'
