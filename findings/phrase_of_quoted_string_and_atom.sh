#!/usr/bin/env bash
# A display name of a quoted string and an atom, `"J. R." Smith`, which RFC 5322 §3.2.5 allows, is shown in three ways.
#
# One would guess `J. R. Smith`, as a phrase is words that blanks part.
# Seen: `J. R.` in Ruby's mail 2.7.1, where the surname is gone; `J. R.Smith` in vmime 0.9.2.
# Needs: Debian 12, a C++ compiler, and root if the packages are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-mail=ruby-mail c++=g++ pkg-config=pkg-config \
  /usr/include/vmime/vmime.hpp=libvmime-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
field='"J. R." Smith <j@x.example>'
ruby=$(ruby -W0 -rmail -e 'puts Mail.new("From: #{ARGV[0]}\n\nx")[:from].display_names' "$field")
cat >"$folder/show.cpp" <<'CPP'
#include <iostream>
#include <vmime/platforms/posix/posixHandler.hpp>
#include <vmime/vmime.hpp>
int main(int, char **fields)
{
	vmime::platform::setHandler<vmime::platforms::posix::posixHandler>();
	vmime::mailbox mailbox;
	mailbox.parse(fields[1]);
	std::cout << mailbox.getName().getConvertedText(vmime::charset("utf-8")) << "\n";
}
CPP
# shellcheck disable=SC2046 # The flags are words.
c++ -w -o "$folder/show" "$folder/show.cpp" $(pkg-config --cflags --libs vmime)
vmime=$("$folder/show" "$field")
echo "Ruby mail $(ruby -rmail -e 'print Mail::VERSION.version'): $ruby; vmime $(pkg-config --modversion vmime): $vmime"
[ "$ruby" = 'J. R.' ] && [ "$vmime" = 'J. R.Smith' ]
