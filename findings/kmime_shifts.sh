#!/usr/bin/env bash
# KMail's library of mail, KMime 22.12.3: what it writes in a charset with shifts ends within a shift, or short.
#
# One would guess that a text or a word in ISO-2022-JP ends in ASCII (RFC 1468; RFC 2047 §3), and that each word begins in it.
# Seen: both end in kanji. In UTF-7 the last letter of the text is lost, to KMime as well; and of a Subject in ISO-2022-KR the second
# word goes out raw, with a control character in the field (SO), since all its octets are ASCII.
# Needs: Debian 12, and root if g++ or libkf5mime-dev are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" g++=g++ /usr/include/KF5/KMime/kmime=libkf5mime-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.cpp" <<'CPP'
#include <KMime/Headers>
#include <KMime/Message>
#include <cstdio>

int main()
{
    for (const char *charset : {"iso-2022-jp", "iso-2022-kr", "utf-7"}) {
        KMime::Headers::Subject subject;
        subject.fromUnicodeString(QString::fromUtf8("日本 a 日本"), charset);
        KMime::Message message;
        message.contentType()->from7BitString("text/plain");
        message.contentType()->setCharset(charset);
        message.contentTransferEncoding()->setEncoding(KMime::Headers::CE7Bit);
        message.fromUnicodeString(QString::fromUtf8("日本"));
        printf("%s, text %s: %s\n", subject.as7BitString(false).constData(), message.encodedBody().toHex().constData(),
               message.decodedText().toUtf8().constData());
    }
}
CPP
g++ -fPIC -o "$folder/main" "$folder/main.cpp" -I/usr/include/KF5/KMime -I/usr/include/KF5/KCodecs -I/usr/include/KF5 \
  -I"/usr/include/$(uname -m)-linux-gnu/qt5" -I"/usr/include/$(uname -m)-linux-gnu/qt5/QtCore" -lQt5Core -lKF5Mime
seen=$("$folder/main" | sed 's/\x0e/^N/g')
echo "KMime $(dpkg-query -W -f '${Version}' libkf5mime-dev):" && echo "$seen"
[ "$seen" = '=?ISO-2022-JP?B?GyRCRnxLXBsoQiBhIBskQkZ8S1w=?=, text 1b2442467c4b5c: 日本
=?ISO-2022-KR?B?GyQpQw5sbVxiDw==?= a ^Nlm\b, text 1b2429430e6c6d5c62: 日本
+ZeVnLA a +ZeVnL, text 2b5a65566e4c: 日' ]
