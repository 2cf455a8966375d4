#!/usr/bin/env bash
# vmime 0.9.2: `setInternationalizedEmailSupport(true)` makes raw UTF-8 a text in the header of the message, and not in those
# of its parts.
#
# One would guess that a context for internationalized mail (RFC 6532) holds for all that is parsed with it.
# Seen: the name of the file is in UTF-8 if the message is that file, and in the charset of the locale if a part is.
# Needs: Debian 12, a C++ compiler, and root if libvmime-dev is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" c++=g++ pkg-config=pkg-config /usr/include/vmime/vmime.hpp=libvmime-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/show.cpp" <<'CPP'
#include <iostream>
#include <vmime/contentDispositionField.hpp>
#include <vmime/platforms/posix/posixHandler.hpp>
#include <vmime/vmime.hpp>
static void show(vmime::shared_ptr<vmime::header> header)
{
	auto field = header->findField<vmime::contentDispositionField>("Content-Disposition");
	std::cout << field->getFilename().getCharset().getName() << " ";
}
int main()
{
	vmime::platform::setHandler<vmime::platforms::posix::posixHandler>();
	vmime::parsingContext context;
	context.setInternationalizedEmailSupport(true);
	std::string file = "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=\"ü.pdf\"\r\n\r\nx\r\n";
	vmime::message one, parts;
	one.parse(context, file);
	parts.parse(context, "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + file + "--b--\r\n");
	show(one.getHeader());
	show(parts.getBody()->getPartAt(0)->getHeader());
}
CPP
# shellcheck disable=SC2046 # The flags are words.
c++ -w -o "$folder/show" "$folder/show.cpp" $(pkg-config --cflags --libs vmime)
seen=$(LC_ALL=C "$folder/show")
echo "vmime $(pkg-config --modversion vmime): $seen"
[ "$seen" = 'utf-8 us-ascii ' ]
