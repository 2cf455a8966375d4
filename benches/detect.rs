//! How often septet says rightly what octets mean: without labels, beside chardetng and with the time that both take;
//! and under labels, true ones and those over UTF-8.
//!
//!     cargo bench -p septet-benches --bench detect -- MESSAGES.jsonl [MARGIN [all]]
//!
//! The messages are those of `benches/detect/messages.py`. All texts of a message are given at once. Then each is read
//! in the charset that was found, where it holds there; it is *right* if that gives the text that was written, *left*
//! where the charset does not hold or the margin is too small. Prints a table for docs/evidence.md.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use septet::coding::charset::{Charset, Labels};
use septet::coding::evidence::{Witnesses, holds, judge_as, statistics};

/// A message whose charset is known.
struct Message {
    charset: Charset,
    language: String,
    size: u64,
    source: String,
    texts: Vec<Vec<u8>>,
}

/// What became of texts.
#[derive(Default, Clone, Copy)]
struct Count {
    right: u64,
    wrong: u64,
    left: u64,
}

impl Count {
    fn add(&mut self, outcome: Option<bool>) {
        match outcome {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => self.left += 1,
        }
    }

    fn percent(&self) -> String {
        let all = self.right + self.wrong + self.left;
        let share = |count: u64| 100.0 * count as f64 / all as f64;
        format!(
            "right {:6.2}  wrong {:6.3}  left {:5.2}  of {all}",
            share(self.right),
            share(self.wrong),
            share(self.left)
        )
    }
}

/// Charsets that hardly any mail is in.
const RARE: [Charset; 8] = [
    Charset::MACINTOSH,
    Charset::IBM850,
    Charset::ISO_8859_5_WINDOWS,
    Charset::IBM866,
    Charset::ISO_8859_4_WINDOWS,
    Charset::ISO_8859_3_WINDOWS,
    Charset::ISO_8859_6_WINDOWS,
    Charset::VISCII,
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(path) = arguments.first() else {
        println!("benches/detect/messages.py makes the messages that this needs: -- MESSAGES.jsonl");
        return;
    };
    let least: i32 = arguments.get(1).and_then(|margin| margin.parse().ok()).unwrap_or(40);
    let details = arguments.get(2).is_some();
    let messages = read(path);
    statistics::guess(&[b"warm \xFCp"]);
    let ours =
        |octets: &[u8]| statistics::guess(&[octets]).filter(|found| found.margin >= least).map(|found| found.charset);
    report("septet", &messages, ours, details);
    report("chardetng", &messages, chardetng, details);
    let label = |message: &Message, text: &[u8]| judged(text, message.charset, &message.charset.decode_lossy(text).0);
    labelled("under their label", &messages, label);
    labelled("UTF-8 under that label", &messages, |message, text| {
        let text = message.charset.decode_lossy(text).0;
        judged(text.as_bytes(), message.charset, &text)
    });
    labelled("under us-ascii, without settings", &messages, |message, text| {
        judged(text, Charset::US_ASCII, &message.charset.decode_lossy(text).0)
    });
}

/// Judges octets under a label, and tells whether that gives their text; none where they are left.
fn judged(octets: &[u8], label: Charset, text: &str) -> Option<bool> {
    let labels = Labels::default();
    let read = judge_as(octets, label, &Witnesses::none(&labels)).ok()?;
    Some(read.text == text)
}

/// Counts what becomes of each text of the messages, of its beginnings and of its words.
fn labelled(name: &str, messages: &[Message], judged: impl Fn(&Message, &[u8]) -> Option<bool>) {
    let mut counts: BTreeMap<usize, Count> = BTreeMap::new();
    for message in messages.iter().filter(|message| !RARE.contains(&message.charset)) {
        for text in &message.texts {
            for (size, piece) in pieces(text, message.charset) {
                counts.entry(size).or_default().add(judged(message, &piece));
            }
        }
    }
    println!("{name}");
    for (size, count) in &counts {
        println!("  {size:5}  {}", count.percent());
    }
}

/// Returns pieces of a text that are not ASCII: a word, and beginnings of several sizes, each of whole words.
fn pieces(octets: &[u8], charset: Charset) -> Vec<(usize, Vec<u8>)> {
    let text = charset.decode_lossy(octets).0.into_owned();
    let words: Vec<&str> = text.split(' ').collect();
    let word = words.iter().find(|word| !word.is_ascii()).map(|word| (1, (*word).to_owned()));
    let beginnings = [20, 60, 200].into_iter().map(|size| {
        let long_enough = |end: &usize| words[..*end].join(" ").len() >= size;
        let end = (1..=words.len()).find(long_enough).unwrap_or(words.len());
        (size, words[..end].join(" "))
    });
    let pieces = word.into_iter().chain(beginnings).filter(|(_, piece)| !piece.is_ascii());
    pieces.filter_map(|(size, piece)| Some((size, charset.encode(&piece).ok()?.into_owned()))).collect()
}

fn chardetng(octets: &[u8]) -> Option<Charset> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(octets, true);
    Labels::default().find(detector.guess(None, Utf8Detection::Deny).name().as_bytes())
}

fn read(path: &str) -> Vec<Message> {
    let text = std::fs::read_to_string(path).expect("messages");
    text.lines().map(|line| message(&serde_json::from_str(line).expect("a line of JSON"))).collect()
}

fn message(line: &serde_json::Value) -> Message {
    let word = |key: &str| line[key].as_str().expect("a word").to_owned();
    let octets = |digits: &str| {
        (0..digits.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal"))
            .collect()
    };
    let texts = line["texts"].as_array().expect("texts").iter().map(|text| octets(text.as_str().expect("a text")));
    Message {
        charset: Labels::default().find(word("charset").as_bytes()).expect("a charset"),
        language: word("language"),
        size: line["size"].as_u64().expect("a size"),
        source: word("source"),
        texts: texts.collect(),
    }
}

fn report(name: &str, messages: &[Message], guess: impl Fn(&[u8]) -> Option<Charset>, details: bool) {
    let mut counts: BTreeMap<(String, u64), Count> = BTreeMap::new();
    let mut times: BTreeMap<u64, (Duration, usize)> = BTreeMap::new();
    let mut wrong: BTreeMap<(String, String, String), (u64, String)> = BTreeMap::new();
    for message in messages {
        let joined = message.texts.join(&b'\n');
        let start = Instant::now();
        let found = std::hint::black_box(guess(&joined));
        let spent = times.entry(message.size).or_default();
        *spent = (spent.0 + start.elapsed(), spent.1 + joined.len());
        let is_rare = RARE.contains(&message.charset);
        let groups = [if is_rare { "rare" } else { "usual" }, "all", &message.source];
        for text in &message.texts {
            let outcome = outcome(text, message.charset, found);
            for group in groups {
                counts.entry((group.to_owned(), message.size)).or_default().add(outcome);
            }
            if outcome != Some(true) {
                let found = found.map_or("-", Charset::name).to_owned();
                let found = if outcome.is_none() { format!("left {found}") } else { found };
                let key = (message.charset.name().to_owned(), message.language.clone(), found);
                let entry = wrong.entry(key).or_default();
                entry.0 += 1;
                entry.1 = message.charset.decode_lossy(text).0.chars().take(50).collect();
            }
        }
    }
    println!("{name}");
    for (size, (spent, octets)) in &times {
        println!("  {size:5}  {:6.1} ns an octet", spent.as_secs_f64() * 1e9 / *octets as f64);
    }
    for ((group, size), count) in &counts {
        println!("  {group:10} {size:5}  {}", count.percent());
    }
    if details {
        let mut wrong: Vec<_> = wrong.into_iter().collect();
        wrong.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (key, (count, example)) in wrong.into_iter().take(100) {
            println!("    {count:4} {key:?} {example:?}");
        }
    }
}

/// Returns `true` if a text is read rightly; none where it is left.
fn outcome(octets: &[u8], charset: Charset, found: Option<Charset>) -> Option<bool> {
    let found = found.filter(|found| holds(octets, *found))?;
    Some(found.decode_lossy(octets).0 == charset.decode_lossy(octets).0)
}
