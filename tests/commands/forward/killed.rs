//! A Postfix that sends its mail through septet again and again, while septet is killed with SIGKILL again and again.
//!
//! Nothing is lost: what septet has not answered for is still in Postfix's queue. A message comes twice where septet
//! dies between the next hop's answer and its own, and no protocol can tell (RFC 1047): these are counted.
//!
//! This is a small version; `tests/forward/kill-9.sh` runs the large one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use super::{NextHop, listener};
use crate::milter::faults::restarted::Restarted;
use crate::milter::faults::tally::Tally;
use crate::milter::faults::template::{Template, message_id, templates};
use crate::milter::faults::{Random, Scale};
use crate::milter::mta::{Client, Postfix, free_port, is_postfix_there};

/// How many clients send at once.
const CLIENTS: usize = 8;

/// Postfix comes again at once, to whom it could not reach as well, and waits for nobody long.
const IMPATIENT: &str = "minimal_backoff_time = 1s\nmaximal_backoff_time = 1s\nqueue_run_delay = 1s\n\
    transport_retry_time = 1s\ndefault_destination_concurrency_failed_cohort_limit = 100000\n\
    default_destination_concurrency_negative_feedback = 0\nsmtp_connect_timeout = 5s\n\
    smtp_helo_timeout = 10s\nsmtp_mail_timeout = 10s\nsmtp_rcpt_timeout = 10s\nsmtp_data_init_timeout = 10s\n\
    smtp_data_xfer_timeout = 10s\nsmtp_data_done_timeout = 20s\n";

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Gives Postfix every message; it takes them all, since it filters after its queue.
fn send(count: usize, port: u16, templates: &[Template], next: &AtomicUsize) {
    let mut client = Client::connect(port).expect("Postfix");
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= count {
            return;
        }
        let template = &templates[number % templates.len()];
        let to = ["b@example.net".to_owned()];
        client.send("a@example.org", template.parameters(), &to, &template.message(number)).expect("it is taken");
    }
}

fn deferred(postfix: &Postfix) -> usize {
    postfix.log().matches("status=deferred").count()
}

/// Kills septet when so many messages have arrived, each time. The last time it stays away until Postfix has felt it:
/// a tenth of the mail is still to come then.
fn kill(moments: &[usize], septet: &Restarted, hop: &NextHop, postfix: &Postfix, random: &mut Random) {
    for (turn, &moment) in moments.iter().enumerate() {
        let start = Instant::now();
        while hop.count() < moment && start.elapsed() < Duration::from_secs(60) {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_micros(random.below(20_000) as u64));
        septet.kill();
        sleep(Duration::from_millis(random.below(100) as u64));
        let killed = Instant::now();
        while turn + 1 == moments.len() && deferred(postfix) == 0 && killed.elapsed() < Duration::from_secs(30) {
            sleep(Duration::from_millis(20));
        }
        septet.restart();
    }
}

/// Gives what the logs say of the messages that are missing, up to five.
fn stories(lost: &[usize], postfix: &str, septet: &str) -> String {
    let story = |number: &usize| {
        let id = format!("<{}>", message_id(*number));
        let queued = postfix.lines().find(|line| line.contains(&id)).unwrap_or("Postfix knows nothing of it");
        let queue_id = queued.split(": ").nth(1).unwrap_or(&id);
        let of_both = |line: &&str| line.contains(queue_id) || line.contains(&id);
        let lines: Vec<&str> = postfix.lines().chain(septet.lines()).filter(of_both).collect();
        format!("{id}:\n{}", lines.join("\n"))
    };
    lost.iter().take(5).map(story).collect::<Vec<String>>().join("\n\n")
}

#[test]
fn every_message_arrives_whole_though_the_proxy_is_killed() {
    if !is_postfix_there() {
        return;
    }
    let scale = Scale::of_env();
    let (messages, kills) = (number("SEPTET_MESSAGES", scale.messages), number("SEPTET_KILLS", scale.kills));
    let (hop, port) = (NextHop::capable(), free_port());
    let socket = format!("127.0.0.1:{port}");
    let septet = Restarted::configured(|_| listener("smtp", &hop.address(), "").replace("127.0.0.1:0", &socket));
    let postfix = Postfix::start(hop.port, IMPATIENT, &[format!("-o content_filter=smtp:[127.0.0.1]:{port}")]);
    let templates = templates(septet.dir.path(), &["utf8"]);
    let (next, mut random, start) = (AtomicUsize::new(0), Random::new(), Instant::now());
    let moments = random.moments(kills, messages * 9 / 10);
    scope(|threads| {
        (0..CLIENTS).for_each(|_| drop(threads.spawn(|| send(messages, postfix.ports[0], &templates, &next))));
        kill(&moments, &septet, &hop, &postfix, &mut random);
    });
    let tally = || {
        let arrived: Vec<Vec<u8>> = hop.all().into_iter().map(|one| one.raw).collect();
        Tally::of(messages, &templates, &arrived)
    };
    let complete = || hop.count() >= messages && tally().missing == 0;
    for turn in 1..=600 {
        if complete() {
            break;
        }
        // What waits for nothing but a queue manager that has passed it over is not lost.
        if turn % 50 == 0 {
            postfix.reload();
        }
        sleep(Duration::from_millis(200));
    }
    let (tally, deferred) = (tally(), deferred(&postfix));
    println!("proxy kills: kills={kills} {tally} deferred={deferred} time={:.1?}", start.elapsed());
    let good = (tally.missing, tally.damaged, tally.untouched) == (0, 0, 0);
    assert!(good, "{tally}\n{}", stories(&tally.lost, &postfix.log(), &septet.log()));
    assert!(kills == 0 || deferred > 0, "a kill is felt");
}
