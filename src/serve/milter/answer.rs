//! What septet decided about a message, as a milter says it.

use crate::edit::EditList;
use crate::protocol::milter::{MessageBuffer, MilterReply, Modifications, Negotiated, UnrepresentableError};
use crate::serve::outcome::{MessageOutcome, Refusal, Verdict};
use crate::serve::policy::{Decided, MessagePolicy};

/// Decides about a message and writes what the MTA is to change; the verdict is left to the caller.
///
/// Nothing is written unless all of it can be asked for, and is proved to be what was meant; otherwise the outcome
/// says why the message is left. One whose edits can't be proved is left as it came, but for what it says in septet's
/// name; if the requests for that can't be made or proved either, wholly.
pub fn answer(
    policy: &MessagePolicy,
    message: &MessageBuffer,
    negotiated: &Negotiated,
    out: &mut Vec<u8>,
) -> MessageOutcome {
    let Decided { outcome, edits } = policy.decide(message);
    match request_edits(message, &edits, negotiated, out) {
        Ok(()) => outcome,
        Err(why @ UnrepresentableError::NotAllowed(_)) => policy.not_allowed(why.to_string()),
        Err(UnrepresentableError::Unproved) => {
            let Decided { outcome: left, edits } = policy.leave(message, policy.unproved(UNPROVED));
            request_edits(message, &edits, negotiated, out).map_or_else(|_| policy.unproved(UNPROVED), |()| left)
        }
        Err(why) => policy.failed(why.to_string()),
    }
}

/// What was not proved.
const UNPROVED: &str = "what the MTA would deliver";

/// Writes the requests for edits; nothing unless all of them can be made, and are proved.
fn request_edits(
    message: &MessageBuffer,
    edits: &EditList,
    negotiated: &Negotiated,
    out: &mut Vec<u8>,
) -> Result<(), UnrepresentableError> {
    let modifications = Modifications::of(message, edits, negotiated)?;
    modifications.prove()?;
    modifications.write(out);
    Ok(())
}

/// Writes the verdict, which ends the MTA's wait; a message that is taken goes on as the edits make it.
pub fn verdict(verdict: &Verdict, out: &mut Vec<u8>) {
    match verdict {
        Verdict::Accept => MilterReply::Continue.write(out),
        Verdict::TempFail(refusal) | Verdict::Reject(refusal) => {
            MilterReply::ReplyCode(&reply_code(refusal)).write(out)
        }
    }
}

/// Writes a refusal with every `%` doubled: MTAs take a milter's reply for a format, as smfi_setreply(3) says.
fn reply_code(refusal: &Refusal) -> Vec<u8> {
    refusal.to_string().replace('%', "%%").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_no_format() {
        let refusal = Refusal { code: "451", status: "4.3.0", text: "septet: 100%s".to_owned() };
        assert_eq!(reply_code(&refusal), b"451 4.3.0 septet: 100%%s");
    }
}
