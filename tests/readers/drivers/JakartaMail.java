// Jakarta Mail: MimeMessage and its getters, and MimeUtility for the words of a file name and of Comments, as its FAQ has it.
// Raw UTF-8 in fields is read as such, as mail.mime.allowutf8 asks for.

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import jakarta.mail.*;
import jakarta.mail.internet.*;
import java.io.*;
import java.util.*;

public class JakartaMail {
    static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
    static final List<String> PEOPLE = List.of("from", "sender", "to", "cc", "reply-to");

    interface Work<T> { T get() throws Exception; }

    static <T> T tried(Work<T> work, T otherwise) {
        try {
            return work.get();
        } catch (Exception | LinkageError why) {
            return otherwise;
        }
    }

    static List<InternetAddress> people(MimeMessage message, String field) throws Exception {
        List<InternetAddress> found = new ArrayList<>();
        String value = message.getHeader(field, ",");
        if (value == null)
            return found;
        for (InternetAddress one : InternetAddress.parseHeader(value, false)) {
            if (one.isGroup())
                found.addAll(List.of(one.getGroup(false)));
            else
                found.add(one);
        }
        return found;
    }

    static List<String> names(MimeMessage message, String field) {
        List<String> names = new ArrayList<>();
        for (InternetAddress one : tried(() -> people(message, field), List.<InternetAddress>of()))
            names.add(one.getPersonal());
        return names;
    }

    static void walk(Part part, List<String> tree, List<String> files, List<String> texts) throws Exception {
        String type = part.getContentType();
        tree.add(tried(() -> new ContentType(type).getBaseType().toLowerCase(), type));
        String file = tried(() -> part.getFileName(), null);
        if (file != null)
            files.add(tried(() -> MimeUtility.decodeText(file), file));
        Object content = tried(() -> part.getContent(), null);
        if (part.isMimeType("text/*"))
            texts.add(content instanceof String ? (String) content : null);
        if (content instanceof Multipart)
            for (int at = 0; at < ((Multipart) content).getCount(); at++)
                walk(((Multipart) content).getBodyPart(at), tree, files, texts);
        if (content instanceof MimeMessage)
            walk((MimeMessage) content, tree, files, texts);
    }

    static Map<String, Object> seen(Session session, byte[] octets) {
        Map<String, Object> answer = new LinkedHashMap<>();
        List<String> fields = new ArrayList<>(), tree = new ArrayList<>(), files = new ArrayList<>(), texts = new ArrayList<>();
        Map<String, Object> names = new LinkedHashMap<>();
        answer.putAll(Map.of("fields", fields, "tree", tree, "files", files, "texts", texts, "names", names, "addresses", List.of()));
        try {
            MimeMessage message = new MimeMessage(session, new ByteArrayInputStream(octets));
            for (Header header : Collections.list(message.getAllHeaders()))
                fields.add(header.getName().toLowerCase());
            answer.put("subject", tried(() -> message.getSubject(), null));
            String comments = message.getHeader("Comments", null);
            answer.put("comments", comments == null ? null : MimeUtility.decodeText(MimeUtility.unfold(comments)));
            for (String field : PEOPLE)
                names.put(field, names(message, field));
            List<String> addresses = new ArrayList<>();
            for (InternetAddress one : tried(() -> people(message, "From"), List.<InternetAddress>of()))
                addresses.add(one.getAddress());
            answer.put("addresses", addresses);
            walk(message, tree, files, texts);
        } catch (Exception | LinkageError | StackOverflowError why) {
            answer.put("error", why.toString());
        }
        return answer;
    }

    public static void main(String[] arguments) throws Exception {
        Properties settings = new Properties();
        settings.put("mail.mime.allowutf8", "true");
        Session session = Session.getInstance(settings);
        DataInputStream input = new DataInputStream(new BufferedInputStream(System.in));
        PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
        for (String line; (line = input.readLine()) != null;) {
            byte[] octets = new byte[Integer.parseInt(line)];
            input.readFully(octets);
            output.println(GSON.toJson(seen(session, octets)));
        }
    }
}
