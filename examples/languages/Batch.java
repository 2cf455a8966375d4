// Converts files of mail by one septet: java Batch.java OUT FILE…  OUT is a folder; a line for each file says what became of it.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;

class Batch {
    public static void main(String[] args) throws Exception {
        String program = System.getenv().getOrDefault("SEPTET", "septet");
        Process septet = new ProcessBuilder(program, "filter", "--batch").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (OutputStream to = new BufferedOutputStream(septet.getOutputStream());
             DataInputStream from = new DataInputStream(new BufferedInputStream(septet.getInputStream()))) {
            for (String file : Arrays.asList(args).subList(1, args.length)) {
                byte[] message = Files.readAllBytes(Path.of(file));
                to.write(("{\"length\":" + message.length + ",\"profile\":\"utf8\"}\n").getBytes(StandardCharsets.UTF_8));
                to.write(message);
                to.flush();
                // Any reader of JSON does; here the few keys that are wanted are looked for.
                String answer = line(from);
                byte[] octets = new byte[Integer.parseInt(first("\"length\":(\\d+)", answer))];
                from.readFully(octets);
                Files.write(Path.of(args[0], Path.of(file).getFileName().toString()), octets);
                System.out.println(file + ": " + first("\"result\":\"(\\w+)\"", answer));
            }
        }
    }

    static String line(InputStream from) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int octet; (octet = from.read()) != '\n'; line.write(octet)) {
            if (octet < 0) throw new EOFException("septet went away");
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    static String first(String pattern, String text) throws IOException {
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) throw new IOException("no answer of septet: " + text);
        return found.group(1);
    }
}
