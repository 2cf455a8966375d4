//! The login at a next hop (RFC 4954): PLAIN and LOGIN with a password, XOAUTH2 with a token that somebody else renews.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};

use super::smtp::SmtpConnection;
use super::{Keywords, NextHopError, Reply, Result};
use crate::config::{Forward, NextHopAuth, NextHopTls};
use crate::serve::owner::is_open_to_all;

/// The questions of a server that are answered; LOGIN has two.
const CHALLENGES: usize = 4;

/// Logs in where the listener has a name for it; nothing is done where it has none. Over a connection that is not
/// encrypted no password is sent unless `next_hop_tls = "no"` wants it so. The secret is read anew for each login,
/// so that one that was renewed holds.
pub async fn log_in(connection: &mut SmtpConnection, keywords: &Keywords, forward: &Forward) -> Result<()> {
    let Some((user, file)) = forward.login() else { return Ok(()) };
    if !connection.is_encrypted && forward.next_hop_tls != NextHopTls::No {
        return Err(NextHopError::Unencrypted);
    }
    let offered = keywords.mechanisms();
    let mechanism = choose(forward.auth(), &offered).map_err(NextHopError::Login)?;
    let credentials = Credentials::new(user.to_owned(), secret(file)?);
    let told = exchange(connection, mechanism, &credentials).await?;
    match told.is_positive() {
        true => Ok(()),
        false => {
            let offered = offered.join(" ");
            Err(NextHopError::Login(format!("{mechanism} failed, of {offered} that it offers: {told}")))
        }
    }
}

/// Chooses the mechanism: of those that `next_hop_auth` allows the first one that is offered. The error says what would
/// do.
fn choose(auth: NextHopAuth, offered: &[String]) -> Result<Mechanism, String> {
    let allowed: &[Mechanism] = match auth {
        NextHopAuth::Auto => &[Mechanism::Plain, Mechanism::Login],
        NextHopAuth::Plain => &[Mechanism::Plain],
        NextHopAuth::Login => &[Mechanism::Login],
        NextHopAuth::Xoauth2 => &[Mechanism::Xoauth2],
    };
    let mut usable = allowed.iter().filter(|mechanism| offered.contains(&mechanism.to_string()));
    usable.next().copied().ok_or_else(|| {
        let wanted: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        match offered {
            [] => "it offers none on this connection".to_owned(),
            _ => format!("it offers {}, and septet would take {}", offered.join(" "), wanted.join(" or ")),
        }
    })
}

/// Says AUTH, answers up to [`CHALLENGES`] questions, and returns the last reply. To a question for which the mechanism
/// has no answer an empty one is sent, and the question is added to the lines of the reply: so a server tells why it
/// refuses a token (XOAUTH2).
async fn exchange(connection: &mut SmtpConnection, mechanism: Mechanism, credentials: &Credentials) -> Result<Reply> {
    let first = if mechanism.supports_initial_response() { answer(mechanism, credentials, None) } else { None };
    let first = first.map_or_else(String::new, |first| format!(" {first}"));
    let mut told = connection.command(&format!("AUTH {mechanism}{first}\r\n")).await?;
    let mut unanswered = None;
    for _ in 0..CHALLENGES {
        if !told.is_intermediate() {
            break;
        }
        // What is no base64 asks nothing; what there is no answer to gets an empty line, and the server refuses.
        let asked = BASE64_STANDARD.decode(told.lines.concat().trim_ascii()).unwrap_or_default();
        let asked = String::from_utf8_lossy(&asked).into_owned();
        let said = answer(mechanism, credentials, Some(&asked));
        told = connection.command(&format!("{}\r\n", said.as_deref().unwrap_or_default())).await?;
        unanswered = unanswered.or(said.is_none().then_some(asked));
    }
    told.lines.extend(unanswered.map(String::into_bytes));
    Ok(told)
}

/// Returns what the mechanism answers to a question, or says without one, in base64; `None` where it has no answer.
fn answer(mechanism: Mechanism, credentials: &Credentials, asked: Option<&str>) -> Option<String> {
    mechanism.response(credentials, asked).ok().map(|answer| BASE64_STANDARD.encode(answer))
}

/// Reads a password or a token, the first line of its file; a file that everybody may read is refused, as it tells it
/// to all.
fn secret(file: &Path) -> Result<String> {
    if is_open_to_all(file) {
        return Err(NextHopError::Login(format!("everybody may read {}: chmod o-rwx, and try again", file.display())));
    }
    let text = fs::read_to_string(file).map_err(|error| NextHopError::Login(format!("{}: {error}", file.display())))?;
    // An empty file is an empty secret, which the server refuses.
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_mechanisms_that_are_allowed_the_first_offered_one_is_taken() {
        for (auth, text, taken) in [
            (NextHopAuth::Auto, "LOGIN PLAIN", Ok(Mechanism::Plain)),
            (NextHopAuth::Auto, "LOGIN XOAUTH2", Ok(Mechanism::Login)),
            (NextHopAuth::Login, "LOGIN PLAIN", Ok(Mechanism::Login)),
            (NextHopAuth::Xoauth2, "LOGIN XOAUTH2", Ok(Mechanism::Xoauth2)),
            (
                NextHopAuth::Auto,
                "CRAM-MD5 XOAUTH2",
                Err("it offers CRAM-MD5 XOAUTH2, and septet would take PLAIN or LOGIN"),
            ),
            (NextHopAuth::Xoauth2, "", Err("it offers none on this connection")),
        ] {
            let offered: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            assert_eq!(choose(auth, &offered), taken.map_err(str::to_owned), "{text}");
        }
    }
}
