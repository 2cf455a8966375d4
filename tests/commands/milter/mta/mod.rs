//! Real MTAs, private and on loopback: what arrives behind them is what `septet filter` gives.
//!
//! Without the MTA or without root these tests say so and pass, except where `CI` is set. Let P(x) be what the MTA
//! makes of a message x without a milter, apart from its own Received field on top. Then two things hold for every
//! case x:
//!
//! - through the daemon, P(filter(x)) arrives, octet for octet;
//! - P(filter(x)) is filter(x), save for the cases that [`SENDMAIL_ALONE`] names.

pub mod cases;
mod client;
mod five_lines;
mod limits;
mod opendkim;
mod postfix;
mod sendmail;
pub mod setups;
mod sink;
mod transport;

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use cases::Case;
pub use client::Client;
pub use postfix::{Postfix, is_there as is_postfix_there, open_up};
pub use sendmail::{Sendmail, is_there as is_sendmail_there};
pub use sink::Sink;

use super::daemon::{Daemon, configure};

/// What Sendmail changes without a milter as well: it ends a header that no body follows with an empty line, closes a
/// multipart that its client left open, takes out or closes the quote of an unclosed quoted string, cuts a parameter of
/// more than a thousand octets, closes a comment in a Content-Type that never closes, takes of addresses with
/// semicolons between them the last, writes an address with an unclosed literal, a stray bracket, 8-bit octets or two
/// words before it anew, folds between the addresses of a line that is long, and takes away a backslash at the end of a
/// value. Where it finds no boundary that it can read, or a composite type in base64, it writes a body of its own
/// making.
const SENDMAIL_ALONE: [&str; 42] = [
    "characters-jis-without-label-in-a-name",
    "characters-long-word-stays",
    "characters-stray-quote-in-type",
    "characters-unreadable-word-kept",
    "contradiction-boundary-never",
    "contradiction-boundary-never-ascii",
    "contradiction-encoded-message",
    "contradiction-encoded-multipart",
    "contradiction-no-boundary",
    "evidence-domain-that-stands-for-another",
    "evidence-double-encoded-tokens",
    "evidence-word-before-a-bare-address",
    "harm-a-backslash-at-the-end-of-a-value",
    "harm-a-comment-that-never-closes-before-a-file-name",
    "harm-a-fold-that-would-show-a-name-beside-another",
    "harm-a-long-line-beside-a-name-that-stays",
    "harm-a-parameter-beside-a-doubtful-boundary",
    "harm-addresses-that-close-too-late",
    "harm-base64-message",
    "harm-boundaries-that-never-occur",
    "harm-boundary-of-an-unclosed-multipart-before",
    "harm-boundary-sections-out-of-order",
    "harm-multipart-without-boundary",
    "harm-part-behind-an-open-digest",
    "harm-two-types-of-which-one-is-none",
    "harm-two-types-of-which-one-opens-a-comment",
    "headers-field-added-where-a-message-ends",
    "headers-field-that-ends-in-a-delimiter",
    "headers-field-that-would-read-otherwise",
    "headers-hint-kept-in-seven-bit",
    "headers-semicolons-between-addresses",
    "headers-word-that-ends-a-group",
    "headers-word-with-a-line-feed-in-a-name",
    "headers-word-with-an-unclosed-quote",
    "structure-boundary-sections-disordered",
    "structure-charset-before-open-quote",
    "structure-charset-open-quote",
    "structure-header-without-body",
    "structure-missing-final-boundary",
    "structure-parameters-before-charset",
    "structure-unclosed-inner-multipart",
    "transfer-odd-name-in-a-multipart-that-is-not-closed",
];

/// Gives a port for an MTA to listen on, another one each time: below those that the system gives to connections, any
/// of which could take it before the MTA does.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + u16::try_from(std::process::id() % 100).expect("below 100") * 100;
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::Relaxed) % 2_000;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Gives the loopback addresses of this host: a container may have no IPv6.
fn loopback() -> &'static [&'static str] {
    if TcpListener::bind("[::1]:0").is_ok() { &["127.0.0.1", "::1"] } else { &["127.0.0.1"] }
}

/// Waits until something listens.
fn wait_for_port(port: u16, log: impl Fn() -> String) {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(60), "no SMTP on {port}:\n{}", log());
        sleep(Duration::from_millis(50));
    }
}

pub fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// Says that something is missing; where `CI` is set, it must not be.
pub fn there(what: &str, there: bool) -> bool {
    if !there {
        println!("skipped: {what} is not installed, or this is not root");
        assert!(std::env::var_os("CI").is_none(), "CI has {what}, and runs as root");
    }
    there
}

/// The daemon with a profile and a rule for each case, on a unix socket and on loopback.
fn daemon(cases: &[Case]) -> Daemon {
    // Sendmail refuses a socket below a folder that everybody may write in, such as /tmp.
    let dir = tempfile::Builder::new().prefix("septet").tempdir_in("/run").expect("a folder");
    open_up(dir.path());
    let listeners =
        "[[listener]]\nsocket = \"unix:DIR/sock\"\nmode = \"0666\"\n[[listener]]\nsocket = \"inet:127.0.0.1:0\"\n";
    let settings: String = [listeners.to_owned()].into_iter().chain(cases.iter().map(Case::settings)).collect();
    configure(dir.path(), &settings);
    let daemon = Daemon::spawn_in(dir, &["--config", "DIR/septet.toml"]);
    daemon.wait_for_log("listening on inet:");
    daemon
}

/// Gives what `septet filter` makes of a case, by the daemon's own settings.
fn filtered(daemon: &Daemon, case: &Case) -> Vec<u8> {
    let input = daemon.path("input");
    fs::write(&input, &case.raw).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_septet"))
        .args(["filter", "--profile", &case.name, "--config"])
        .arg(daemon.path("septet.toml"))
        .stdin(fs::File::open(&input).expect("the file"))
        .stderr(Stdio::inherit())
        .output()
        .expect("septet runs");
    assert!(output.status.success(), "{}", case.name);
    output.stdout
}

/// A way through the MTA: its name, and its port.
type Way<'a> = (&'a str, u16);

/// Sends every case by every way, and `filter`'s result by the way without a milter, and compares.
fn compare(cases: &[Case], daemon: &Daemon, sink: &Sink, bare: u16, ways: &[Way<'_>], by_itself: &[&str]) {
    let expected: Vec<Vec<u8>> = cases.iter().map(|case| filtered(daemon, case)).collect();
    let goals: Vec<_> =
        cases.iter().zip(&expected).map(|(case, goal)| (case, case.eight_bit(goal), &goal[..])).collect();
    send_all("bare", bare, &goals);
    for (way, port) in ways {
        let sent: Vec<_> = goals.iter().map(|&(case, eight_bit, _)| (case, eight_bit, &case.raw[..])).collect();
        send_all(way, *port, &sent);
    }
    let mut wrong = Vec::new();
    for (case, _, goal) in goals {
        let bare = sink.wait_for(&case.recipient("bare", 0));
        let bare = without_received(&bare);
        if (show(bare) != show(&ended(goal))) != by_itself.contains(&case.name.as_str()) {
            wrong.push(format!("{}, the MTA alone:\n{}\n--- for\n{}", case.name, show(bare), show(goal)));
        }
        for (way, _) in ways {
            for number in 0..case.recipients {
                let arrived = sink.wait_for(&case.recipient(way, number));
                let arrived = without_received(&arrived);
                if arrived != by_protocol(way, bare) {
                    wrong.push(format!("{} by {way}:\n{}\n--- for\n{}", case.name, show(arrived), show(bare)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}\n{}", wrong.len(), wrong.join("\n"), daemon.log());
    let log = daemon.log();
    let due = |line: &str| line.contains("left=limit(") || line.contains("left=irregular(");
    let warned = log.lines().any(|line| line.contains("WARN") && !due(line));
    assert!(!warned && !log.contains("queue_id= "), "every message has its queue id:\n{log}");
}

/// By version 2 of the protocol an MTA puts a space before the value of a field that a milter changed, always.
fn by_protocol(way: &str, message: &[u8]) -> Vec<u8> {
    let changed = b"\r\nCOMMENTS:";
    match memchr::memmem::find(message, changed) {
        Some(at) if way.ends_with("-2") => {
            let (before, after) = message.split_at(at + changed.len());
            [before, b" ", after].concat()
        }
        _ => message.to_vec(),
    }
}

/// Sends messages by one connection, so that their milter connection is one as well.
fn send_all(way: &str, port: u16, messages: &[(&Case, bool, &[u8])]) {
    let mut client = Client::connect(port).expect("an MTA");
    for (case, eight_bit, raw) in messages {
        let recipients: Vec<String> = (0..case.recipients).map(|number| case.recipient(way, number)).collect();
        let sender = format!("{}@example.org", case.name);
        let mail = case.parameters(*eight_bit);
        client.send(&sender, mail, &recipients, raw).unwrap_or_else(|error| panic!("{} by {way}: {error}", case.name));
    }
}

/// Takes the MTA's own Received field off.
pub fn without_received(arrived: &[u8]) -> &[u8] {
    assert!(arrived.starts_with(b"Received: "), "{}", show(arrived));
    let end = memchr::memchr_iter(b'\n', arrived).find(|&at| !matches!(arrived.get(at + 1), Some(b' ' | b'\t')));
    &arrived[end.expect("a line end") + 1..]
}

/// SMTP has no message without a final line end.
pub fn ended(message: &[u8]) -> Vec<u8> {
    let end: &[u8] = if message.ends_with(b"\r\n") { b"" } else { b"\r\n" };
    [message, end].concat()
}

/// Shows a message on lines; of a long one, its length, its sum and its start.
fn show(message: &[u8]) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    message.hash(&mut hasher);
    let text = message.get(..1000).unwrap_or(message).escape_ascii().to_string().replace("\\r\\n", "\n");
    format!("{} octets, {:x}:\n{text}", message.len(), hasher.finish())
}

#[test]
fn what_arrives_behind_postfix_is_what_filter_gives() {
    if !is_postfix_there() {
        return;
    }
    let cases = cases::all(true);
    let (daemon, sink) = (daemon(&cases), Sink::start());
    let unix = format!("unix:{}", daemon.path("sock").display());
    let inet = format!("inet:127.0.0.1:{}", daemon.port());
    let services = [
        "-o smtpd_milters=".to_owned(),
        format!("-o smtpd_milters={unix}"),
        format!("-o smtpd_milters={inet}"),
        format!("-o smtpd_milters={unix} -o milter_protocol=2"),
        format!("-o smtpd_milters={inet} -o milter_protocol=2"),
    ];
    let postfix = Postfix::start(sink.port, "", &services);
    let ways = ["unix", "inet", "unix-2", "inet-2"];
    let ways: Vec<Way<'_>> = ways.into_iter().zip(postfix.ports[1..].iter().copied()).collect();
    let step = if septet_support::nightly() { 1 } else { 3 };
    let ways: Vec<Way<'_>> = ways.into_iter().step_by(step).collect();
    compare(&cases, &daemon, &sink, postfix.ports[0], &ways, &[]);
}

#[test]
fn what_arrives_behind_sendmail_is_what_filter_gives() {
    if !sendmail::is_there() {
        return;
    }
    let cases = cases::all(false);
    let (daemon, sink) = (daemon(&cases), Sink::start());
    let equates = "F=T, T=C:5m;S:30s;R:30s;E:5m";
    let filters = [
        Vec::new(),
        vec![format!("S=local:{}, {equates}", daemon.path("sock").display())],
        vec![format!("S=inet:{}@127.0.0.1, {equates}", daemon.port())],
    ];
    let sendmail = Sendmail::start(sink.port, &filters);
    let ways = [("unix", sendmail.ports[1]), ("inet", sendmail.ports[2])];
    compare(&cases, &daemon, &sink, sendmail.ports[0], &ways, &SENDMAIL_ALONE);
}
