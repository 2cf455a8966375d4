//! Links in prose of ten languages, set apart and glued in every way: no octet outside a link whose end is certain
//! changes, and one whose end is certain does.

use proptest::prelude::*;
use septet::coding::charset::Charset;
use septet::coding::iri::{Mapping, apply, to_uri};
use septet::rewrite::links::{LinkScope, LinkSettings, TextKind, plan_text_links};
use septet::rewrite::{HostForm, InText, Iris, Schemeless};

const PLAIN: TextKind = TextKind::Plain { flowed: false, delsp: false };

fn rewritten(text: &str) -> String {
    rewritten_as(text, PLAIN)
}

fn rewritten_as(text: &str, kind: TextKind) -> String {
    let settings = LinkSettings {
        iris: Iris::ToUri,
        in_text: InText::Bounded,
        schemeless: Schemeless::Keep,
        host: HostForm::Punycode,
        document: Charset::UTF_8,
        target: Charset::UTF_8,
    };
    apply(text, &plan_text_links(text, kind, settings, LinkScope::Odd).edits).into_owned()
}

/// Prose, a language a line, its words between spaces; in the first five nothing stands between words.
const UNSPACED: [&str; 5] = [
    "詳細 は 下記 の ページ を ご覧 ください 。 お 問い合わせ は こちら まで 、 よろしく お願い し ます ！ パソコン で 確認 できる よう に なり ました ー 々",
    "请 访问 我们 的 网站 查看 详细 信息 ， 谢谢 您 的 支持 。 如有 问题 请 联系 客服 人员 ！ 点击 下载 《 使用 手册 》 （ 附件 ）",
    "請 至 我們 的 網站 查詢 詳細 資料 ， 謝謝 您 。 將 古人 的 智慧 「 傳承 」 下去 ； 多人 行 優惠",
    "ดู ราย ละเอียด เพิ่มเติม ได้ ที่ นี่ ครับ ขอบคุณ มาก สำหรับ การ ติดต่อ ของ ท่าน ๆ ฯ",
    "ကျေးဇူး တင် ပါ တယ် အသေးစိတ် ကို ကြည့် ပါ ។ សូម ចូល មើល ទំព័រ នេះ",
];

const SPACED: [&str; 6] = [
    "자세한 내용은 홈페이지를 참조하세요 에서 까지 으로 입니다 을 를 문의는 여기로 감사합니다",
    "Подробности на нашем сайте и в письме — спасибо за внимание «Ответ» ждём вас № пять",
    "للمزيد من المعلومات يرجى زيارة الموقع ، شكرا لكم ؟ هذا هو الرابط",
    "לפרטים נוספים היכנסו לאתר שלנו ״תודה״ רבה זה הקישור של־החברה",
    "Για περισσότερες πληροφορίες δείτε τη σελίδα μας · ευχαριστούμε",
    "अधिक जानकारी के लिए वेबसाइट देखें । धन्यवाद आपका",
];

/// Links in ASCII whose last octet is a letter or a digit.
const ASCII: [&str; 14] = [
    "http://example.com",
    "https://www.example.co.jp",
    "http://192.168.0.1",
    "http://localhost:8080",
    "http://[2001:db8::1]:80",
    "http://example.com/index.html",
    "http://example.com/OaX8",
    "https://example.com/a/b?c=d&e=f",
    "https://example.com/?q=1#top",
    "http://example.com/a_(b)c",
    "ftp://user@ftp.example.com/pub/a.tar.gz",
    "http://example.com/%E3%81%82/x",
    "mailto:info@example.com",
    "mailto:info@example.com?subject=hi",
];

/// What may follow `mailto:` and a name.
const MAILBOXES: [&str; 5] = ["a@é.org", "a@例え.jp", "é@é.org", "a@é.org,b@例え.jp", "a@example.org"];

/// Links that end in what separates.
const OPEN: [&str; 4] =
    ["http://example.com/", "https://example.com/a/", "https://example.com/?q=", "http://example.com/#"];

/// IRIs whose last octet is a letter or a digit of ASCII.
const IRIS: [&str; 8] = [
    "http://例え.jp",
    "http://россия.рф/путь/a.html",
    "http://exämple.org/été/x1",
    "http://例え.jp/パス/index.html",
    "http://é.org:8080",
    "https://zh.wikipedia.org/wiki/Élan/a?b=ü&c=d",
    "http://אבג.example/דהו/a",
    "mailto:jörg@example.org",
];

/// What ends a link wherever it stands; not what encloses it.
const ENDS: [&str; 23] = [
    " ", "\r\n", "\t", ">", "\"", "|", "`", "\\", "^", "{", "}", "[", "]", "、", "。", "，", "！", "？", "；",
    "\u{202C}", "\u{3000}", "\u{A0}", "\u{E000}",
];

/// What ends a link in ASCII, and one whose host it follows.
const MARKS: [&str; 22] = [
    "—", "–", "（", "）", "「", "」", "《", "》", "【", "・", "“", "”", "’", "™", "…", "→", "★", "😀", "\u{200B}", "«",
    "·", "؟",
];

fn words(languages: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    let language = prop::sample::select(languages);
    language.prop_flat_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        prop::collection::vec(prop::sample::select(words), 1..5)
    })
}

/// Prose as it is written: with spaces, without, or as it comes.
fn prose() -> impl Strategy<Value = String> {
    let unspaced = words(&UNSPACED).prop_map(|words| words.concat());
    let spaced = words(&SPACED).prop_map(|words| words.join(" "));
    prop_oneof![unspaced, spaced]
}

fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(texts)
}

fn between() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just(""), 1 => Just(" "), 1 => Just("\r\n"), 1 => one_of(&MARKS), 1 => one_of(&ENDS)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_link_in_ascii_is_glued_to_nothing(
        parts in prop::collection::vec((prose(), between(), one_of(&ASCII), between()), 1..4), last in prose(),
    ) {
        let mut text = String::new();
        for (prose, before, link, after) in &parts {
            text.extend([prose.as_str(), before, link, after]);
        }
        text.push_str(&last);
        prop_assert_eq!(rewritten(&text), text);
    }

    /// A slash before prose is what the prose follows, unless it stands apart on both sides as a path would.
    #[test]
    fn prose_after_a_slash_is_no_path(
        before in prose(), link in one_of(&OPEN), after in words(&UNSPACED), end in one_of(&["。", "、", "！", "…", "."]),
    ) {
        // A bracket that closes would say that one was opened before the link.
        let after: String = after.concat().replace(['》', '）', '」'], "");
        let glued = format!("{before}{link}{after}\r\n");
        let before = if before.ends_with(|last: char| last.is_alphanumeric()) { glued } else { String::new() };
        let ended = format!("{link}{after}{end}");
        prop_assert_eq!(rewritten(&before), before);
        prop_assert_eq!(rewritten(&ended), ended);
    }

    #[test]
    fn punctuation_after_a_slash_is_no_path(link in one_of(&OPEN), mark in one_of(&MARKS), after in prose()) {
        let text = format!("{link}{mark}{after}");
        prop_assert_eq!(rewritten(&text), text);
    }

    #[test]
    fn an_iri_changes_and_nothing_else(before in prose(), iri in one_of(&IRIS), end in between(), after in prose()) {
        // Without a mark between them only what is no Latin tells the border.
        let uri = to_uri(iri, &Mapping::default()).expect("an IRI");
        let text = format!("{before}{iri}{end}{after}");
        prop_assert_eq!(rewritten(&text), format!("{before}{uri}{end}{after}"));
    }

    #[test]
    fn an_iri_that_stands_apart_changes_whole(
        before in prose(), after in prose(), iri in one_of(&[
            "http://例え.jp/パス", "https://ja.wikipedia.org/wiki/日本語", "http://fa.wikipedia.org/wiki/ویکی\u{200C}پدیا",
            "http://example.com/אב", "https://ko.wikipedia.org/wiki/서울", "http://пример.рф/путь", "https://e.org/?q=東京#上",
        ]), (open, close) in prop::sample::select(vec![(" ", " "), ("\r\n", "\r\n"), ("<", ">"), ("「", "」"), ("（", "）"), ("\"", "\"")]),
    ) {
        let uri = to_uri(iri, &Mapping::default()).expect("an IRI");
        let text = format!("{before}{open}{iri}{close}{after}");
        prop_assert_eq!(rewritten(&text), format!("{before}{open}{uri}{close}{after}"));
    }

    #[test]
    fn a_second_run_changes_nothing(
        parts in prop::collection::vec(prop_oneof![
            prose(), one_of(&ASCII).prop_map(String::from), one_of(&OPEN).prop_map(String::from),
            one_of(&IRIS).prop_map(String::from), one_of(&MARKS).prop_map(String::from), one_of(&ENDS).prop_map(String::from),
            one_of(&["-", ".", "_", ",", "(", ")", "%", "/", "/été", "a"]).prop_map(String::from),
        ], 1..10),
    ) {
        let text = parts.concat();
        let once = rewritten(&text);
        prop_assert_eq!(rewritten(&once), once.clone(), "{}", text);
    }

    /// A line is mapped as if it were alone, whatever stands in those before it.
    #[test]
    fn each_line_is_mapped_for_itself(
        lines in prop::collection::vec((prose(), one_of(&MAILBOXES), "[a-z]{0,24}", one_of(&IRIS)), 2..5),
        open in one_of(&["", "x ", "\t"]),
    ) {
        let plain = |(prose, mailbox, local, iri): &(String, &str, String, &str)| {
            [format!("{open}{iri} mailto:{local}{mailbox}\n"), format!("{iri}\n{prose}\n")].concat()
        };
        let html = |(_, mailbox, local, iri): &(String, &str, String, &str)| {
            format!("<a href={iri}>{open}</a><a href=\"mailto:{local}{mailbox}\">x</a>\n")
        };
        for (kind, texts) in [(PLAIN, lines.iter().map(plain).collect::<Vec<_>>()), (TextKind::Html, lines.iter().map(html).collect())] {
            let apart: String = texts.iter().flat_map(|text| text.split_inclusive(['\n', ' '])).map(|text| rewritten_as(text, kind)).collect();
            let apart = if kind == TextKind::Html { texts.iter().map(|text| rewritten_as(text, kind)).collect() } else { apart };
            prop_assert_eq!(rewritten_as(&texts.concat(), kind), apart);
        }
    }
}
