#!/usr/bin/env bash
# KMail's library for mailboxes, KMbox 22.12.3: a message from an address beyond ASCII is lost to who reads its mbox.
#
# One would guess that its From_ line names somebody, if not `jörg@x.example` (RFC 6532) itself, and then the date, behind a blank.
# Seen: `From unknown@unknown.invalidMon Nov 30 …`, and so it is for a From of a group alone (RFC 6854). GNU mailutils (and mutt) take
# the message for the end of the one before.
# Needs: Debian 12, and root if g++, libkf5mbox-dev or mailutils are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" g++=g++ /usr/include/KF5/KMbox/kmbox=libkf5mbox-dev messages=mailutils
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >main.cpp <<'CPP'
#include <KMbox/MBox>
#include <KMime/Message>

int main(int, char **names)
{
    KMBox::MBox mbox;
    mbox.load(QString::fromUtf8(names[1]));
    for (const char *from : {"ann@x.example", "j\xc3\xb6rg@x.example", "team:;"}) {
        KMime::Message::Ptr message(new KMime::Message);
        message->setContent(QByteArray("From: ") + from + "\nSubject: a\n\ntext\n");
        message->parse();
        mbox.appendMessage(message);
    }
    mbox.save(QString::fromUtf8(names[1]));
}
CPP
g++ -w -fPIC -o main main.cpp -I/usr/include/KF5/KMbox -I/usr/include/KF5/KMime -I/usr/include/KF5/KCodecs -I/usr/include/KF5 \
  -I"/usr/include/$(uname -m)-linux-gnu/qt5" -I"/usr/include/$(uname -m)-linux-gnu/qt5/QtCore" -lQt5Core -lKF5Mime -lKF5Mbox
touch mbox
LC_ALL=C.UTF-8 ./main "$folder/mbox"
seen="$(sed -n 's/^\(From [^ :]*\)\(Mon\|Tue\|Wed\|Thu\|Fri\|Sat\|Sun\) .*/\1DAY/p; s/^\(From [^ :]*\) .*/\1/p' mbox)
$(messages "$folder/mbox" | sed 's/ in .*:/:/')"
echo "KMbox $(dpkg-query -W -f '${Version}' libkf5mbox-dev), mailutils $(dpkg-query -W -f '${Version}' mailutils):" && echo "$seen"
[ "$seen" = 'From ann@x.example
From unknown@unknown.invalidDAY
From unknown@unknown.invalidDAY
Number of messages: 1' ]
