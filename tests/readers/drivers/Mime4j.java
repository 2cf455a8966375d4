// Apache mime4j: DefaultMessageBuilder, lenient as it is without settings, and the getters of Message, Mailbox and TextBody.

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.*;
import java.util.*;
import org.apache.james.mime4j.codec.*;
import org.apache.james.mime4j.dom.*;
import org.apache.james.mime4j.dom.address.*;
import org.apache.james.mime4j.dom.field.*;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.stream.Field;

public class Mime4j {
    static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    static MailboxList people(Message message, String name) {
        Field field = message.getHeader().getField(name);
        if (field instanceof AddressListField && ((AddressListField) field).getAddressList() != null)
            return ((AddressListField) field).getAddressList().flatten();
        if (field instanceof MailboxListField && ((MailboxListField) field).getMailboxList() != null)
            return ((MailboxListField) field).getMailboxList();
        if (field instanceof MailboxField && ((MailboxField) field).getMailbox() != null)
            return new MailboxList(List.of(((MailboxField) field).getMailbox()), true);
        return new MailboxList(List.of(), true);
    }

    static String text(TextBody body) {
        try (Reader reader = body.getReader()) {
            StringWriter text = new StringWriter();
            reader.transferTo(text);
            return text.toString();
        } catch (Exception why) {
            return null;
        }
    }

    static void walk(Entity entity, List<String> tree, List<String> files, List<String> texts) {
        tree.add(entity.getMimeType());
        String file = entity.getFilename();
        ContentTypeField type = (ContentTypeField) entity.getHeader().getField("Content-Type");
        // getFilename looks at Content-Disposition alone.
        if (file == null && type != null)
            file = type.getParameter("name");
        if (file != null)
            files.add(DecoderUtil.decodeEncodedWords(file, DecodeMonitor.SILENT));
        Body body = entity.getBody();
        if (body instanceof TextBody)
            texts.add(text((TextBody) body));
        if (body instanceof Multipart)
            for (Entity inner : ((Multipart) body).getBodyParts())
                walk(inner, tree, files, texts);
        if (body instanceof Message)
            walk((Message) body, tree, files, texts);
    }

    static Map<String, Object> seen(byte[] octets) {
        Map<String, Object> answer = new LinkedHashMap<>(), names = new LinkedHashMap<>();
        List<String> fields = new ArrayList<>(), tree = new ArrayList<>(), files = new ArrayList<>(), texts = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        answer.putAll(Map.of("fields", fields, "tree", tree, "files", files, "texts", texts, "names", names, "addresses", addresses));
        try {
            Message message = new DefaultMessageBuilder().parseMessage(new ByteArrayInputStream(octets));
            for (Field field : message.getHeader().getFields())
                fields.add(field.getName().toLowerCase());
            answer.put("subject", message.getSubject());
            Field comments = message.getHeader().getField("Comments");
            answer.put("comments", comments == null ? null : ((UnstructuredField) comments).getValue());
            for (String name : List.of("from", "sender", "to", "cc", "reply-to")) {
                List<String> found = new ArrayList<>();
                people(message, name).forEach(it -> found.add(it.getName()));
                names.put(name, found);
            }
            people(message, "from").forEach(it -> addresses.add(it.getAddress()));
            walk(message, tree, files, texts);
        } catch (Exception | LinkageError | StackOverflowError why) {
            answer.put("error", why.toString());
        }
        return answer;
    }

    public static void main(String[] arguments) throws Exception {
        DataInputStream input = new DataInputStream(new BufferedInputStream(System.in));
        PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
        for (String line; (line = input.readLine()) != null;) {
            byte[] octets = new byte[Integer.parseInt(line)];
            input.readFully(octets);
            output.println(GSON.toJson(seen(octets)));
        }
    }
}
