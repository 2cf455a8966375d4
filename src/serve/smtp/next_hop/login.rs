//! The login at a next hop (RFC 4954): PLAIN and LOGIN with a password, XOAUTH2 with a token that somebody else renews.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};

use super::smtp::SmtpConnection;
use super::{Keywords, NextHopError};
use crate::config::{Forward, NextHopAuth, NextHopTls};
use crate::serve::owner::is_open_to_all;

/// Logs in where the listener has a name for it. The secret is read anew for each login.
pub async fn log_in(
    connection: &mut SmtpConnection,
    keywords: &Keywords,
    forward: &Forward,
) -> Result<(), NextHopError> {
    let Some((user, file)) = forward.login() else { return Ok(()) };
    if !connection.is_encrypted() && forward.tls() != NextHopTls::No {
        return Err(NextHopError::Unencrypted);
    }
    let offered = keywords.mechanisms();
    let mechanism = choose(forward.auth(), &offered).map_err(NextHopError::Login)?;
    let credentials = Credentials::new(user.to_owned(), secret(file)?);
    let answered = match mechanism {
        Mechanism::Xoauth2 => by_token(connection, &credentials).await,
        _ => connection.auth(mechanism, &credentials).await,
    };
    let said =
        |told| NextHopError::Login(format!("{mechanism} failed, of {} that it offers: {told}", offered.join(" ")));
    match answered? {
        reply if reply.is_positive() => Ok(()),
        reply => Err(said(reply.to_string())),
    }
}

/// Chooses the mechanism: of those that are allowed the first one that is offered.
fn choose(auth: NextHopAuth, offered: &[String]) -> Result<Mechanism, String> {
    let allowed: &[Mechanism] = match auth {
        NextHopAuth::Auto => &[Mechanism::Plain, Mechanism::Login],
        NextHopAuth::Plain => &[Mechanism::Plain],
        NextHopAuth::Login => &[Mechanism::Login],
        NextHopAuth::Xoauth2 => &[Mechanism::Xoauth2],
    };
    let is_offered = |one: &&Mechanism| offered.iter().any(|offered| *offered == one.to_string());
    allowed.iter().find(is_offered).copied().ok_or_else(|| {
        let wanted: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        match offered {
            [] => "it offers none on this connection".to_owned(),
            _ => format!("it offers {}, and septet would take {}", offered.join(" "), wanted.join(" or ")),
        }
    })
}

/// Says XOAUTH2. A server that refuses the token tells why in a challenge, and waits for an empty line before it refuses.
async fn by_token(connection: &mut SmtpConnection, credentials: &Credentials) -> Result<super::Reply, NextHopError> {
    let token = Mechanism::Xoauth2.response(credentials, None);
    let token = token.map_err(|error| NextHopError::Login(error.to_string()))?;
    let reply = connection.command(&format!("AUTH XOAUTH2 {}\r\n", BASE64_STANDARD.encode(token))).await?;
    if !reply.is_intermediate() {
        return Ok(reply);
    }
    let why = reply.lines.first().and_then(|line| BASE64_STANDARD.decode(line.trim_ascii()).ok());
    let mut refused = connection.command("\r\n").await?;
    refused.lines.extend(why);
    Ok(refused)
}

/// Reads a password or a token, the first line of its file; a file that everybody may read is refused, as it tells it to
/// all.
fn secret(file: &Path) -> Result<String, NextHopError> {
    if is_open_to_all(file) {
        return Err(NextHopError::Login(format!("everybody may read {}: chmod o-rwx, and try again", file.display())));
    }
    let text = fs::read_to_string(file).map_err(|error| NextHopError::Login(format!("{}: {error}", file.display())))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_mechanisms_that_are_allowed_the_first_offered_one_is_taken() {
        let offered = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
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
            assert_eq!(choose(auth, &offered(text)), taken.map_err(str::to_owned), "{text}");
        }
    }
}
