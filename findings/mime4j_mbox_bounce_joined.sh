#!/usr/bin/env bash
# mime4j 0.8.2, `MboxIterator`, takes a bounce and all mail of Thunderbird's folders for the end of the message before.
#
# One would guess that a From_ line starts a message whatever its sender is: `MAILER-DAEMON` in a bounce, `-` in what Thunderbird
# writes.
# Seen: without a pattern of one's own it wants an `@` in the sender. Of four messages two are given, and the text of the first has the
# other two in it; nothing is said.
# Needs: Debian 12, Java, and root if libapache-mime4j-java is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless /usr/share/java/apache-mime4j-mbox-iterator.jar=libapache-mime4j-java
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for sender in a@x.example MAILER-DAEMON - b@x.example; do
  printf 'From %s Sat Nov 21 10:00:00 2026\nFrom: a@x.example\nSubject: %s\n\ntext\n\n' "$sender" "$sender"
done >"$folder/mbox"
cat >"$folder/Show.java" <<'J'
import org.apache.james.mime4j.mboxiterator.*;
public class Show {
    public static void main(String[] arguments) throws Exception {
        for (CharBufferWrapper message : MboxIterator.fromFile(new java.io.File(arguments[0])).build())
            System.out.print(message.toString().split("Subject:", -1).length - 1 + " ");
    }
}
J
seen=$(java -cp /usr/share/java/apache-mime4j-mbox-iterator.jar "$folder/Show.java" "$folder/mbox")
echo "mime4j $(dpkg-query -W -f '${Version}' libapache-mime4j-java): Subjects in each message: $seen"
[ "$seen" = '3 1 ' ]
