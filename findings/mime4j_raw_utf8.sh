#!/usr/bin/env bash
# mime4j 0.8.2 reads raw UTF-8 in a header as Latin-1, in fields and in parameters.
#
# One would guess that a library with getters for characters reads `Subject: Grüße` as RFC 6532 has it.
# Seen: `GrÃ¼Ã\u009fe`, with the default builder and without a setting that would change it.
# Needs: Debian 12, Java, and root if libapache-mime4j-java is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" javac=default-jdk-headless /usr/share/java/apache-mime4j-dom.jar=libapache-mime4j-java
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/Show.java" <<'J'
public class Show {
    public static void main(String[] arguments) throws Exception {
        byte[] octets = "Subject: Gr\u00fc\u00dfe\n\nx\n".getBytes("UTF-8");
        String seen = new org.apache.james.mime4j.message.DefaultMessageBuilder()
            .parseMessage(new java.io.ByteArrayInputStream(octets)).getSubject();
        for (char it : seen.toCharArray())
            System.out.print(it < 128 ? "" + it : String.format("\\u%04x", (int) it));
    }
}
J
jars=/usr/share/java/apache-mime4j-core.jar:/usr/share/java/apache-mime4j-dom.jar:/usr/share/java/commons-io.jar
seen=$(java -cp "$jars" "$folder/Show.java")
echo "mime4j $(dpkg-query -W -f '${Version}' libapache-mime4j-java): $seen"
[ "$seen" = 'Gr\u00c3\u00bc\u00c3\u009fe' ]
