#!/usr/bin/env bash
# KMail's library for mailboxes, KMbox 22.12.3: a message with a line that begins with `From ` has a NUL octet more when it is read.
#
# One would guess that of `>From b` in an mbox the `>` is taken away, and that is all.
# Seen: so it is, but the message ends with an octet 0, which mail may not have (RFC 5322 §2.1, RFC 2045 §2.7); and a copy of it in
# another mbox has it, too. A message without such a line ends as it should.
# Needs: Debian 12, and root if g++ or libkf5mbox-dev are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" g++=g++ /usr/include/KF5/KMbox/kmbox=libkf5mbox-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for text in 'a' '>From b'; do
  printf '%s\n' 'From a@x.example Thu Jan  1 00:00:00 2026' 'From: a@x.example' 'Subject: a' '' "$text" ''
done >mbox
cat >main.cpp <<'CPP'
#include <KMbox/MBox>
#include <KMime/Message>
#include <cstdio>

int main(int, char **names)
{
    KMBox::MBox from, to;
    from.load(QString::fromUtf8(names[1]));
    to.load(QString::fromUtf8(names[2]));
    for (const KMBox::MBoxEntry &entry : from.entries()) {
        printf("%s\n", from.readRawMessage(entry).mid(30).toHex(' ').constData());
        to.appendMessage(KMime::Message::Ptr(from.readMessage(entry)));
    }
    to.save(QString::fromUtf8(names[2]));
}
CPP
g++ -w -fPIC -o main main.cpp -I/usr/include/KF5/KMbox -I/usr/include/KF5/KMime -I/usr/include/KF5/KCodecs -I/usr/include/KF5 \
  -I"/usr/include/$(uname -m)-linux-gnu/qt5" -I"/usr/include/$(uname -m)-linux-gnu/qt5/QtCore" -lQt5Core -lKF5Mime -lKF5Mbox
touch copy
seen=$(./main "$folder/mbox" "$folder/copy")
zeros=$(tr -cd '\0' <copy | wc -c)
echo "KMbox $(dpkg-query -W -f '${Version}' libkf5mbox-dev), texts: ${seen//$'\n'/, }; zeros in the copy: $zeros"
[ "$seen; $zeros" = '61 0a
46 72 6f 6d 20 62 0a 00; 1' ]
