//! What of MAIL and RCPT is refused before a next hop hears of it.

use super::command::{MailCommand, RcptCommand};
use super::data_reader::ContentFault;
use super::keywords::Keywords;
use super::parameters::{EsmtpParameter, EsmtpParameters};
use super::path::Path;
use super::reply::Reply;
use crate::protocol::BodyParameter;

/// The parameters that belong to RCPT; all others to MAIL.
const RCPT_PARAMETERS: [&str; 3] = ["NOTIFY", "ORCPT", "RRVS"];

/// Checks MAIL's parameters against what was offered to the client, the size that it announces against a limit, where 0
/// is none, and that what is beyond ASCII comes with SMTPUTF8. An error is the reply that refuses it.
pub(super) fn admit_mail(mail: &MailCommand, offered: &Keywords, max_size: u64) -> Result<(), Reply> {
    check_offered(&mail.parameters, offered, |parameter| !is_of_rcpt(parameter))?;
    // `BODY` goes by the keyword 8BITMIME, and BINARYMIME is never offered.
    if mail.parameters.body() == Some(BodyParameter::BinaryMime) {
        return Err(unsupported());
    }
    if max_size > 0 && mail.parameters.size().is_some_and(|size| size > max_size) {
        return Err(ContentFault::Size.reply());
    }
    check_announced(&mail.path, &mail.parameters, mail.parameters.smtputf8())
}

/// Checks RCPT's parameters against what was offered to the client, and that what is beyond ASCII comes with SMTPUTF8,
/// which MAIL has announced if `smtputf8` says so. An error is the reply that refuses it.
pub(super) fn admit_rcpt(rcpt: &RcptCommand, offered: &Keywords, smtputf8: bool) -> Result<(), Reply> {
    check_offered(&rcpt.parameters, offered, is_of_rcpt)?;
    check_announced(&rcpt.path, &rcpt.parameters, smtputf8)
}

/// Returns `true` if a parameter is one of RCPT; a name that nobody knows is one of MAIL.
fn is_of_rcpt(parameter: &EsmtpParameter) -> bool {
    RCPT_PARAMETERS.iter().any(|name| parameter.is(name))
}

/// Refuses a parameter that belongs to another command, or whose keyword was not offered.
fn check_offered(
    parameters: &EsmtpParameters,
    offered: &Keywords,
    belongs: impl Fn(&EsmtpParameter) -> bool,
) -> Result<(), Reply> {
    let all_fit = parameters.iter().all(|parameter| belongs(parameter) && offered.has(&parameter.keyword()));
    if all_fit { Ok(()) } else { Err(unsupported()) }
}

/// Refuses an address, or the value of a parameter, beyond ASCII that SMTPUTF8 did not announce (RFC 6531 §3.5).
fn check_announced(path: &Path, parameters: &EsmtpParameters, smtputf8: bool) -> Result<(), Reply> {
    let fits = smtputf8 || (path.is_ascii() && parameters.is_ascii());
    if fits { Ok(()) } else { Err(Reply::with_status(553, "5.6.7", "a non-ASCII address needs SMTPUTF8")) }
}

/// Returns the reply to a parameter that the client may not use here.
fn unsupported() -> Reply {
    Reply::with_status(555, "5.5.4", "unsupported parameter")
}
