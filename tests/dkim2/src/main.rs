//! A chain of DKIM2 with septet in it: author, septet, signer, receiver. All but septet are mail-auth (draft -08).
//!
//! ```text
//! septet-dkim2 chain SEPTET PROFILE < mailbox   every message of a mailbox; exit 1 if a changed one does not pass
//! septet-dkim2 author < message                 signs as the author would
//! septet-dkim2 milter                           signs as the next server, on a port that it prints
//! septet-dkim2 receive < message                verifies as the receiver
//! ```
//!
//! The signer is told of an out-of-band arrangement, as any signer must be that finds an instance which another program
//! wrote.

mod keys;
mod milter;
mod pipe;

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _, stdin, stdout};
use std::process::exit;

use mail_auth::dkim2::{Dkim2Signer, Envelope, Hop};
use mail_auth::dns::cache::Parameters;
use mail_auth::{AuthenticatedMessage, Dkim2Result, MessageAuthenticator};

use keys::{AllDomains, key};

const LIST: &str = "list@mid.example";
const BOUNCES: &str = "bounces@mid.example";
const MEMBER: &str = "member@last.example";

/// Finds the domain of the address in From, as far as it takes no grammar.
fn from_domain(message: &AuthenticatedMessage) -> Option<String> {
    let (_, value) = message.headers().iter().find(|(name, _)| name.trim_ascii().eq_ignore_ascii_case(b"from"))?;
    let text = String::from_utf8_lossy(value);
    let domain = &text[text.rfind('@')? + 1..];
    let end = domain.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').unwrap_or(domain.len());
    (end > 0).then(|| domain[..end].to_ascii_lowercase())
}

/// Signs a message as its author's server would; none where it has no author whose server could.
fn author(raw: &[u8]) -> Option<Vec<u8>> {
    let domain = from_domain(&AuthenticatedMessage::parse(raw)?)?;
    let signer = Dkim2Signer::from_key(key()).domain(domain.clone()).selector("s1");
    let signed = signer.sign(raw, Hop::real(format!("a@{domain}"), [LIST.to_string()]), None).ok()?;
    let mut out = Vec::new();
    signed.write(&mut out);
    out.extend_from_slice(raw);
    Some(out)
}

/// Signs what septet changed, as the next server.
fn forward(raw: &[u8]) -> Result<Vec<u8>, String> {
    let message = AuthenticatedMessage::parse(raw).ok_or("it cannot be read")?;
    let signer = Dkim2Signer::from_key(key()).domain("mid.example").selector("s1").out_of_band_arrangement();
    let hop = Hop::real(BOUNCES.to_string(), [MEMBER.to_string()]);
    let signed = signer.sign_with_message_instance(&message, None, hop, None);
    let mut out = Vec::new();
    signed.map_err(|error| format!("signer: {error:?}"))?.write(&mut out);
    out.extend_from_slice(raw);
    Ok(out)
}

/// Verifies a message as its receiver; what is wrong is an error.
async fn receive(authenticator: &MessageAuthenticator, raw: &[u8]) -> Result<(), String> {
    let message = AuthenticatedMessage::parse(raw).ok_or("it cannot be read")?;
    let domains = AllDomains::new();
    let output = authenticator
        .verify_dkim2(Parameters::new(&message).with_cache(&domains), Envelope::new(BOUNCES, [MEMBER]))
        .await;
    match output.result() {
        Dkim2Result::Pass => Ok(()),
        _ => Err(format!("receiver: {:?}", output.error())),
    }
}

/// Cuts a mailbox into its messages, as they are sent.
fn messages(mailbox: &str) -> impl Iterator<Item = Vec<u8>> {
    mailbox.split("\nFrom ").map(|text| text.split_once('\n').map_or("", |(_, message)| message)).map(|text| {
        let text = text.replace("\n>From ", "\nFrom ").replace("\r\n", "\n").replace('\n', "\r\n");
        text.chars().map(|character| character as u8).collect()
    })
}

/// Sends every message of a mailbox along the chain, and counts what becomes of them; false if a changed one does not
/// pass.
async fn chain(septet: &str, profile: &str, mailbox: &str) -> bool {
    let authenticator = MessageAuthenticator::new_cloudflare().expect("a resolver that is never asked");
    let signed: Vec<Vec<u8>> = messages(mailbox).filter_map(|raw| author(&raw)).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (came, answer) in signed.iter().zip(pipe::answers(septet, profile, &signed)) {
        let outcome = match (answer.has_instance, answer.octets == *came) {
            (_, true) => "as it came".to_owned(),
            (false, false) => "changed where nothing is hashed".to_owned(),
            (true, false) => match forward(&answer.octets) {
                Ok(sent) => receive(&authenticator, &sent).await.map_or_else(|error| error, |()| "passes".to_owned()),
                Err(error) => error,
            },
        };
        *counts.entry(outcome).or_default() += 1;
        for reason in answer.left {
            *counts.entry(reason).or_default() += 1;
        }
    }
    counts.iter().for_each(|(outcome, count)| println!("{profile}: {count} {outcome}"));
    !counts.keys().any(|outcome| outcome.starts_with("signer") || outcome.starts_with("receiver"))
}

fn input() -> Vec<u8> {
    let mut octets = Vec::new();
    stdin().read_to_end(&mut octets).expect("an input");
    octets
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["chain", septet, profile] => {
            // Each octet is a character, so that a mailbox can be cut as text.
            let mailbox: String = input().into_iter().map(char::from).collect();
            chain(septet, profile, &format!("\n{mailbox}")).await
        }
        ["author"] => author(&input()).is_some_and(|signed| stdout().write_all(&signed).is_ok()),
        ["milter"] => milter::serve(forward).is_ok(),
        ["receive"] => {
            let authenticator = MessageAuthenticator::new_cloudflare().expect("a resolver that is never asked");
            let received = receive(&authenticator, &input()).await;
            println!("{}", received.as_ref().map_or_else(String::as_str, |()| "passes"));
            received.is_ok()
        }
        _ => panic!("chain SEPTET PROFILE, author, milter or receive"),
    };
    exit(if done { 0 } else { 1 });
}
