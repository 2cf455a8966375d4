#!/usr/bin/env bash
# Jakarta Mail 2.0.0: `mail.mime.allowutf8` of a session holds for the fields of the message, and not for those of its parts.
#
# One would guess that a session that allows raw UTF-8 in headers (RFC 6532) allows it in all headers of the message.
# Seen: the subject is `ü`, the name of the attached file `Ã¼.pdf`; as a property of the system it holds for both.
# Needs: Debian 12, and root if the packages are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless /usr/share/java/jakarta-mail.jar=libjakarta-mail-java
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Show.java" <<'J'
import jakarta.mail.*;
import jakarta.mail.internet.*;
import java.io.*;
import java.util.Properties;
public class Show {
    public static void main(String[] arguments) throws Exception {
        Properties settings = new Properties();
        settings.put("mail.mime.allowutf8", "true");
        String text = "Subject: ü\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
            + "Content-Type: application/pdf\nContent-Disposition: attachment; filename=\"ü.pdf\"\n\nx\n--b--\n";
        MimeMessage message = new MimeMessage(Session.getInstance(settings), new ByteArrayInputStream(text.getBytes("UTF-8")));
        String file = ((Multipart) message.getContent()).getBodyPart(0).getFileName();
        new PrintStream(System.out, true, "UTF-8").println(message.getSubject() + " " + file);
    }
}
J
show() { java "$@" -Dfile.encoding=UTF-8 -cp /usr/share/java/jakarta-mail.jar:/usr/share/java/jakarta-activation.jar "$folder/Show.java"; }
session=$(show) system=$(show -Dmail.mime.allowutf8=true)
echo "Jakarta Mail $(dpkg-query -W -f '${Version}' libjakarta-mail-java): $session; with a property of the system: $system"
[ "$session" = 'ü Ã¼.pdf' ] && [ "$system" = 'ü ü.pdf' ]
