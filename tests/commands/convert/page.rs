//! The report as a page: what it says, and that no message can make it say anything else.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Folder, LATIN, PLAIN, convert, mbox};

/// Text that nobody labelled.
pub const LEFT: &[u8] = b"Date: Tue, 3 Jun 2003 10:00:00 +0200\nSubject: nobody knows\n\ncaf\xe9\n";

/// Makes a page of an archive.
pub fn page(folder: &Folder, name: &str, archive: &[u8]) -> String {
    let input = folder.put(name, archive);
    let report = folder.path("r.html");
    convert().args(["--dry-run", "--report"]).arg(&report).arg(&input).assert().success();
    fs::read_to_string(&report).expect("a page")
}

/// Takes out of a page what two runs may differ in: when, how long, by which words, and in which folder.
pub fn timeless(page: &str, folder: &Folder) -> String {
    let below = folder.path("x").display().to_string();
    let page = page.replace(below.trim_end_matches('x'), "");
    let own = ["<dt>begun", "<dt>took", "<dt>command", "<code class=\"command\">"];
    let lines = page.lines().filter(|line| !own.iter().any(|start| line.starts_with(start)));
    let lines = lines.map(|line| match line.strip_prefix("<p class=\"lede\">") {
        Some(lede) => lede.rsplit_once(" on ").map_or(lede, |(lede, _)| lede),
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What a sender writes who has read how the page is made.
pub fn hostile() -> Vec<u8> {
    let subject = "</title></script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>";
    let id = "<\"'><svg/onload=document.title='owned'>@x>";
    [
        format!("Subject: {subject} \u{202e}gpj.exe\u{2066}\0\n").as_bytes(),
        format!("Message-ID: {id}\nDate: <b>2003</b>\n").as_bytes(),
        b"X-<script>: =?utf-8?q?=3C/script=3E=00=1B?= \xe9\n",
        b"MIME-Version: 1.0\nContent-Type: text/html; charset=\"<!--</style><script>\"\n\n",
        b"<script>document.title='owned'</script>\xe9{{ title|safe }}\n",
    ]
    .concat()
}

/// One list was named above texts in three other charsets.
#[test]
fn what_helps_is_what_reads_the_texts_that_are_shown() {
    let texts: [&[u8]; 3] = [
        b"Date: 3 Jun 2003\nSubject: a\n\n\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0? \xc2\xf1\xb8 \xf5\xee\xf0\xee\xf8\xee, \xf1\xef\xe0\xf1\xe8\xe1\xee.\n",
        b"Date: 3 Jun 2003\nSubject: b\n\n\xca\xe1\xeb\xe7\xec\xdd\xf1\xe1 \xf3\xe1\xf2, \xf0\xfe\xf2 \xe5\xdf\xf3\xf4\xe5 \xf3\xde\xec\xe5\xf1\xe1;\n",
        b"Date: 3 Jun 2003\nSubject: c\n\nZa\xbf\xf3\xb3\xe6 g\xea\x9cl\xb9 ja\x9f\xf1, prosz\xea bardzo, dzi\xeakuj\xea\n",
    ];
    let folder = Folder::new();
    let page = page(&folder, "a.mbox", &mbox(&texts));
    let helps = page.lines().find(|line| line.contains("What helps:")).expect("a remedy");
    assert!(helps.contains("detect&quot;]") || helps.contains("detect&#34;]"), "{helps}");
    assert!(helps.contains("proposes for these texts"), "{helps}");
}

#[test]
fn what_is_left_comes_first_with_what_helps() {
    let folder = Folder::new();
    let page = page(&folder, "a.mbox", &mbox(&[PLAIN, LATIN, LEFT]));
    let at = |piece: &str| page.find(piece).unwrap_or_else(|| panic!("{piece}: {page}"));
    let order = [
        "<b>One message</b> would be put right. <b>One</b> has something left",
        "<rect class=\"changed\"",
        "id=\"next\"",
        "<code class=\"command\">septet advise ",
        "id=\"left-unlabelled\"",
        "What helps:",
        "<mark>\\xE9</mark>",
        "<dt>may be</dt><dd class=\"reads\"><bdi dir=\"ltr\">café (windows-1252)</bdi>",
        "nobody knows</bdi>",
        "<code class=\"explain\">septet explain --message 3 ",
        "id=\"samples\"",
        "<mark>café</mark>",
        "id=\"charsets\"",
        "<td>iso-8859-1</td><td>utf-8</td>",
        "id=\"changed\"",
        "id=\"files\"",
    ];
    assert!(order.map(at).is_sorted(), "{:?}", order.map(at));
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(!page.contains("http:") && !page.contains("https:"), "it needs no network");
    assert_eq!(page.matches("<li><b>").count(), 2, "one that is unchanged is in no list");
}

#[test]
fn no_message_is_more_than_text() {
    let folder = Folder::new();
    let name = "<img src=x onerror=document.title='owned'>&\"'\u{202e}.mbox";
    let page = page(&folder, name, &mbox(&[&hostile(), LATIN, PLAIN]));
    let (before, rest) = page.split_once("<script>").expect("the page's own script");
    let (_, after) = rest.split_once("</script>").expect("its end");
    for text in [before, after] {
        assert!(!text.contains("<script") && !text.contains("</script"), "{text}");
        assert!(!text.contains("<img") && !text.contains("<svg/") && !text.contains("<!--"), "{text}");
    }
    assert_eq!(page.matches("</title>").count() - page.matches("</title></rect>").count(), 1);
    let hidden =
        |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!page.contains(hidden), "{page:?}");
    assert!(page.contains("\\u{202E}gpj.exe\\u{2066}"), "what can't be seen is written out: {page}");
    assert!(page.contains("{{ title|safe }}") || !page.contains("{{"), "a message is no template");
}

/// The page's policy names its own script and style, by their checksums, and nothing else.
#[test]
fn the_policy_allows_what_is_there() {
    let folder = Folder::new();
    let page = page(&folder, "a.mbox", &mbox(&[LATIN]));
    for (tag, key) in [("style", "style-src"), ("script", "script-src")] {
        let text = page.split_once(&format!("<{tag}>")).and_then(|(_, rest)| rest.split_once(&format!("</{tag}>")));
        let file = folder.put("part", text.expect("an element").0.as_bytes());
        let Some(sum) = openssl_base64(&file) else { return println!("skipped: no openssl") };
        assert!(
            page.contains(&format!("{key} &#39;sha256-{sum}&#39;")) || page.contains(&format!("{key} 'sha256-{sum}'")),
            "{tag}: {sum}"
        );
    }
    assert!(!page.contains(" style=") && !page.contains(" onclick="), "the policy would not allow it");
}

fn openssl_base64(file: &Path) -> Option<String> {
    let script = "openssl dgst -sha256 -binary \"$0\" | base64";
    let output = Command::new("sh").args(["-c", script]).arg(file).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[test]
fn every_row_of_a_large_archive_is_there() {
    let folder = Folder::new();
    let many: Vec<&[u8]> = std::iter::repeat_n(LEFT, 20_000).collect();
    let page = page(&folder, "a.mbox", &mbox(&many));
    assert_eq!(page.matches("<li><b>").count(), 20_000);
    assert!(page.contains("<b>20,000</b><time>2003-06-03</time>"));
    assert!(page.len() < 8 << 20, "{} octets", page.len());
    assert_eq!(folder.names(), ["a.mbox", "r.html"], "what was kept for later is gone");
}

/// A message with very many places names some, and counts the others by their reasons.
#[test]
fn a_message_with_many_places_says_how_many() {
    let folder = Folder::new();
    let fields: Vec<u8> = (0..3000).flat_map(|at| [format!("X-{at}: ").as_bytes(), b"\xe9\n"].concat()).collect();
    let page = page(&folder, "a.mbox", &mbox(&[&[&fields[..], b"\nbody\n"].concat()]));
    assert_eq!(page.matches("<code class=\"l\">field=X-").count(), 24);
    assert!(page.contains("<code class=\"l\">… and 2,976 more: left=unlabelled</code>"));
}

#[test]
fn the_page_has_the_sums_of_what_was_read_and_written() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[LATIN, PLAIN, LEFT]));
    let (report, out) = (folder.path("r.html"), folder.path("out.mbox"));
    convert().arg("--report").arg(&report).arg("-o").arg(&out).arg(&input).assert().success();
    let page = fs::read_to_string(&report).expect("a page");
    for file in [&input, &out] {
        let Some(sum) = sha256sum(file) else { return println!("skipped: no sha256sum") };
        assert!(page.contains(&format!("SHA-256 {sum}")), "{}", file.display());
    }
    assert!(
        page.contains(&format!("septet {}", env!("CARGO_PKG_VERSION"))) && page.contains("<dt>profile</dt><dd>utf8")
    );
    assert!(page.contains("<code>unlabelled</code></td><td><code>[&#34;utf-8&#34;]</code>"), "{page}");
}

#[test]
fn a_folder_has_the_sum_that_the_page_tells_how_to_make() {
    let folder = Folder::new();
    for (name, message) in [("cur/1:2,S", LATIN), ("cur/2:2,", PLAIN), ("new/3", LEFT)] {
        folder.put(&format!("m/{name}"), message);
    }
    let report = folder.path("r.html");
    convert().args(["--dry-run", "--report"]).arg(&report).arg(folder.path("m")).assert().success();
    let page = fs::read_to_string(&report).expect("a page");
    let script = "cd \"$0\" && LC_ALL=C sh -c 'sha256sum cur/* new/*' | cut -c-64 | sha256sum | cut -c-64";
    let output = Command::new("sh").args(["-c", script]).arg(folder.path("m")).output().expect("a shell");
    let sum = String::from_utf8(output.stdout).expect("digits");
    assert!(page.contains(&format!("SHA-256 {}", sum.trim())), "{sum}");
    assert!(page.contains("3 files") && page.contains("<h1><bdi>m</bdi></h1>"), "{page}");
}

fn sha256sum(file: &Path) -> Option<String> {
    let output = Command::new("sha256sum").arg(file).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.split_whitespace().next()?.to_owned())
}

/// "Left" and "have something left" were two numbers that nobody could add up.
#[test]
fn the_numbers_add_up() {
    let folder = Folder::new();
    let both = [b"X-A: =?x-nobody-knows?q?=E9?=\n".to_vec(), LATIN.to_vec()].concat();
    let page = page(&folder, "a.mbox", &mbox(&[LATIN, LATIN, &both, LEFT, PLAIN]));
    let counts: Vec<&str> = page.split("<dd>").skip(1).take(4).filter_map(|it| it.split(' ').next()).collect();
    assert_eq!(counts, ["2", "1", "1", "1"], "changed, partly, left, unchanged: {page}");
    assert!(page.contains("<b>3 messages</b> would be put right. <b>2</b> have something left"), "{page}");
    assert!(page.contains("Of these, 1 would be changed in other places."), "{page}");
}

/// Of eleven mailboxes nobody saw which was the bad one, and what was read of a single one was hidden.
#[test]
fn several_archives_have_a_table_the_worst_first() {
    let folder = Folder::new();
    let inputs = [("good.mbox", mbox(&[LATIN, PLAIN])), ("bad box.mbox", mbox(&[LEFT, LEFT]))]
        .map(|(name, octets)| folder.put(name, &octets));
    folder.put("m/new/1", LEFT);
    folder.put("m/cur/2:2,", PLAIN);
    let report = folder.path("r.html");
    convert().args(["-n", "-q", "--report"]).arg(&report).args(&inputs).arg(folder.path("m")).assert().success();
    let page = fs::read_to_string(&report).expect("a page");
    let table = page.split_once("id=\"archives\"").expect("a table").1.split_once("</table>").expect("its end").0;
    let at = |piece: &str| table.find(piece).unwrap_or_else(|| panic!("{piece}: {table}"));
    assert!(["bad box.mbox</bdi>", "/m</bdi>", "good.mbox</bdi>"].map(at).is_sorted(), "{table}");
    assert!(table.contains("100.0 %") && table.contains("50.0 %") && table.contains("0 %"), "{table}");
    assert!(page.contains("bad box.mbox&#39;</code>"), "a command is quoted for the shell: {page}");
}

/// What a page shows besides is in no other report.
#[test]
fn a_page_changes_no_other_report() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[LATIN, LEFT, PLAIN, &hostile()].repeat(20)));
    let read = |name: &str| fs::read(folder.path(name)).expect("a report");
    let run = |names: &[&str]| {
        let mut command = convert();
        names.iter().for_each(|name| _ = command.arg("--report").arg(folder.path(name)));
        command.arg("--dry-run").arg(&input).assert().success();
    };
    run(&["one.jsonl", "one.html", "two.html", "one.csv"]);
    run(&["alone.jsonl"]);
    run(&["alone.csv"]);
    assert!(read("one.jsonl") == read("alone.jsonl") && read("one.csv") == read("alone.csv"));
    let pages = ["one.html", "two.html"].map(|name| String::from_utf8(read(name)).expect("a page"));
    assert_eq!(timeless(&pages[0], &folder), timeless(&pages[1], &folder));
    assert_eq!(pages[0].matches("nobody knows</bdi>").count(), 20);
}

/// Any number of threads gives one page, but for the moment and the time that it took.
#[test]
fn threads_make_no_difference() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[LATIN, LEFT, PLAIN, &hostile()].repeat(2000)));
    assert!(fs::metadata(&input).expect("a file").len() > 1 << 20, "there are several batches");
    let pages = ["1", "4"].map(|jobs| {
        let report = folder.path("r.html");
        convert().args(["--dry-run", "--jobs", jobs, "--report"]).arg(&report).arg(&input).assert().success();
        let page = fs::read_to_string(&report).expect("a page");
        let same = |line: &&str| {
            !["<dt>begun", "<dt>took", "<dt>command", "class=\"lede\""].iter().any(|it| line.contains(it))
        };
        page.lines().filter(same).map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(pages[0], pages[1]);
}

/// Pieces of which a sender may compose what breaks out of a page.
const PIECES: [&[u8]; 22] = [
    b"<",
    b">",
    b"\"",
    b"'",
    b"&",
    b"&lt;",
    b"</script>",
    b"<!--",
    b"-->",
    b"]]>",
    b"</bdi>",
    b"{{",
    b"}}",
    b"{%",
    b"\xff",
    b"\xe9",
    b"\0",
    "\u{202e}".as_bytes(),
    "é".as_bytes(),
    b"=?utf-8?q?=3Cimg=3E?=",
    b"=?x?q?=FF?=",
    b" onload=x ",
];

/// Composes a message of such pieces, wherever a page may show them; the same for the same number.
fn composed(mut seed: u64) -> Vec<u8> {
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let mut text = || (0..next() % 9).flat_map(|_| PIECES[next() % PIECES.len()].to_vec()).collect::<Vec<u8>>();
    let (subject, id, date, name, sender) = (text(), text(), text(), text(), text());
    let (charset, transfer, body) = (text(), text(), text());
    let fields: [(&[u8], &[u8]); 7] = [
        (b"From: ", &sender),
        (b"Subject: ", &subject),
        (b"Message-ID: ", &id),
        (b"Date: 2003 ", &date),
        (&[b"X-", &name[..], b": \xe9 "].concat(), &name),
        (b"Content-Type: text/plain; charset=", &charset),
        (b"Content-Transfer-Encoding: ", &transfer),
    ];
    let header: Vec<u8> = fields.iter().flat_map(|(name, value)| [*name, value, b"\n"].concat()).collect();
    [&header[..], b"\n\xe9", &body, b"\n"].concat()
}

/// Whatever is written into a message, the page has the tags of its templates and no others.
#[test]
fn no_composed_message_makes_a_tag() {
    let folder = Folder::new();
    let messages: Vec<Vec<u8>> = (0..600).map(composed).collect();
    let page = page(&folder, "a.mbox", &mbox(&messages.iter().map(Vec::as_slice).collect::<Vec<_>>()));
    let (before, rest) = page.split_once("<style>").expect("a style");
    let (_, rest) = rest.split_once("</style>").expect("its end");
    let (middle, rest) = rest.split_once("<script>").expect("a script");
    let (_, after) = rest.split_once("</script>").expect("its end");
    let known = "!doctype html head meta title body header p h1 h2 h3 h4 bdi main b svg rect dl div dt dd small input output \
        section ul li code details summary ol time span mark table thead tbody tr th td line text";
    let known: Vec<&str> = known.split(' ').collect();
    let mut rows = 0;
    for text in [before, middle, after] {
        for tag in text.split('<').skip(1) {
            let name: String =
                tag.trim_start_matches('/').chars().take_while(|c| *c == '!' || c.is_ascii_alphanumeric()).collect();
            assert!(known.contains(&name.as_str()), "<{}", &tag[..tag.len().min(200)]);
            let inside = tag.split('>').next().unwrap_or_default();
            assert!(!inside.contains(" onload") && !inside.contains(" style="), "<{inside}");
            rows += usize::from(tag.starts_with("li><b") || tag.starts_with("li>"));
        }
    }
    assert!(rows > 600, "{rows}: every message has something that is left");
}
