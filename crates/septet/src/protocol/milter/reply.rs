//! What the filter says.

use super::negotiate::Offer;
use super::wire::{Frame, WireError, number, put, string, two_strings, whole_string};

/// One reply of the filter: a verdict, or a change asked for at the end of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MilterReply<'a> {
    /// `O`: the terms, and lists of macros by stage, as they stand on the wire.
    Negotiate(Offer, &'a [u8]),
    /// `c`: go on; at the end of a message, take it.
    Continue,
    /// `a`: take it, and show no more of it.
    Accept,
    /// `r`: refuse it for good.
    Reject,
    /// `t`: refuse it for now.
    TempFail,
    /// `d`: take it and throw it away.
    Discard,
    /// `s`: show no more of this kind (version 6).
    Skip,
    /// `p`: not done yet, wait on.
    Progress,
    /// `f`: end the client's connection.
    ConnectionFail,
    /// `4`: say 421 and end the client's connection.
    Shutdown,
    /// `y`: refuse it with this reply of SMTP.
    ReplyCode(&'a [u8]),
    /// `h`: add a field.
    AddHeader {
        /// Its name.
        name: &'a [u8],
        /// Its value, folds as LF.
        value: &'a [u8],
    },
    /// `i`: put a field in.
    InsertHeader {
        /// How many fields stand before it.
        index: u32,
        /// Its name.
        name: &'a [u8],
        /// Its value, folds as LF.
        value: &'a [u8],
    },
    /// `m`: change a field, or delete it when the value is empty.
    ChangeHeader {
        /// Which one of that name, from 1.
        index: u32,
        /// Its name.
        name: &'a [u8],
        /// Its new value, folds as LF.
        value: &'a [u8],
    },
    /// `b`: a piece of a new body; the first one throws the old body away.
    ReplaceBody(&'a [u8]),
    /// `e`: change the envelope's sender; parameters may follow the address.
    ChangeFrom(&'a [u8]),
    /// `+`: add a recipient.
    AddRcpt(&'a [u8]),
    /// `2`: add a recipient with parameters.
    AddRcptParameters(&'a [u8]),
    /// `-`: take a recipient away.
    DeleteRcpt(&'a [u8]),
    /// `q`: hold it, for this reason.
    Quarantine(&'a [u8]),
    /// `l`: ask for these macros at a stage.
    SetMacros(u32, &'a [u8]),
}

impl<'a> MilterReply<'a> {
    /// Reads a packet; data of a reply that has none are not looked at, nor are the parameters of `e` and `2`.
    pub fn read(frame: Frame<'a>) -> Result<MilterReply<'a>, WireError> {
        let Frame { code, data } = frame;
        Ok(match code {
            b'O' => Offer::read(code, data).map(|(negotiated, lists)| MilterReply::Negotiate(negotiated, lists))?,
            b'c' => MilterReply::Continue,
            b'a' => MilterReply::Accept,
            b'r' => MilterReply::Reject,
            b't' => MilterReply::TempFail,
            b'd' => MilterReply::Discard,
            b's' => MilterReply::Skip,
            b'p' => MilterReply::Progress,
            b'f' => MilterReply::ConnectionFail,
            b'4' => MilterReply::Shutdown,
            b'y' => MilterReply::ReplyCode(whole_string(code, data)?),
            b'h' => two_strings(code, data).map(|(name, value)| MilterReply::AddHeader { name, value })?,
            b'i' => field(code, data).map(|(index, name, value)| MilterReply::InsertHeader { index, name, value })?,
            b'm' => field(code, data).map(|(index, name, value)| MilterReply::ChangeHeader { index, name, value })?,
            b'b' => MilterReply::ReplaceBody(data),
            b'e' => MilterReply::ChangeFrom(string(code, data)?.0),
            b'+' => MilterReply::AddRcpt(whole_string(code, data)?),
            b'2' => MilterReply::AddRcptParameters(string(code, data)?.0),
            b'-' => MilterReply::DeleteRcpt(whole_string(code, data)?),
            b'q' => MilterReply::Quarantine(whole_string(code, data)?),
            b'l' => {
                let (stage, names) = number(code, data)?;
                MilterReply::SetMacros(stage, whole_string(code, names)?)
            }
            _ => return Err(WireError::Code(code)),
        })
    }

    /// Returns the letter that it has on the wire.
    pub fn code(&self) -> u8 {
        match self {
            MilterReply::Negotiate(..) => b'O',
            MilterReply::Continue => b'c',
            MilterReply::Accept => b'a',
            MilterReply::Reject => b'r',
            MilterReply::TempFail => b't',
            MilterReply::Discard => b'd',
            MilterReply::Skip => b's',
            MilterReply::Progress => b'p',
            MilterReply::ConnectionFail => b'f',
            MilterReply::Shutdown => b'4',
            MilterReply::ReplyCode(_) => b'y',
            MilterReply::AddHeader { .. } => b'h',
            MilterReply::InsertHeader { .. } => b'i',
            MilterReply::ChangeHeader { .. } => b'm',
            MilterReply::ReplaceBody(_) => b'b',
            MilterReply::ChangeFrom(_) => b'e',
            MilterReply::AddRcpt(_) => b'+',
            MilterReply::AddRcptParameters(_) => b'2',
            MilterReply::DeleteRcpt(_) => b'-',
            MilterReply::Quarantine(_) => b'q',
            MilterReply::SetMacros(..) => b'l',
        }
    }

    /// Returns `true` if it ends the MTA's wait at the end of a message; what asks for a change, and PROGRESS, do not.
    pub fn is_verdict(&self) -> bool {
        matches!(self.code(), b'c' | b'a' | b'r' | b't' | b'd' | b'f' | b'4' | b'y')
    }

    /// Writes it as a packet. A text with an octet 0 can't be written truly, and the peer will refuse it.
    pub fn write(&self, out: &mut Vec<u8>) {
        let code = self.code();
        match self {
            MilterReply::Negotiate(negotiated, lists) => put(out, code, &[&negotiated.octets(), lists]),
            MilterReply::AddHeader { name, value } => put(out, code, &[name, b"\0", value, b"\0"]),
            MilterReply::InsertHeader { index, name, value } | MilterReply::ChangeHeader { index, name, value } => {
                put(out, code, &[&index.to_be_bytes(), name, b"\0", value, b"\0"]);
            }
            MilterReply::ReplaceBody(piece) => put(out, code, &[piece]),
            MilterReply::ReplyCode(text)
            | MilterReply::AddRcpt(text)
            | MilterReply::DeleteRcpt(text)
            | MilterReply::ChangeFrom(text)
            | MilterReply::AddRcptParameters(text)
            | MilterReply::Quarantine(text) => put(out, code, &[text, b"\0"]),
            MilterReply::SetMacros(stage, names) => put(out, code, &[&stage.to_be_bytes(), names, b"\0"]),
            _ => put(out, code, &[]),
        }
    }
}

/// Reads an index, a name and a value, of data that must be these and nothing else.
fn field(code: u8, data: &[u8]) -> Result<(u32, &[u8], &[u8]), WireError> {
    let (index, rest) = number(code, data)?;
    let (name, value) = two_strings(code, rest)?;
    Ok((index, name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_it_reads() {
        let field = (&b"Subject"[..], &b" a\n b"[..]);
        for reply in [
            MilterReply::Negotiate(Offer { version: 6, actions: 0x13, protocol: 0x1f_f3ff }, b"\0\0\0\x02i\0"),
            MilterReply::Continue,
            MilterReply::Accept,
            MilterReply::Reject,
            MilterReply::TempFail,
            MilterReply::Discard,
            MilterReply::Skip,
            MilterReply::Progress,
            MilterReply::ConnectionFail,
            MilterReply::Shutdown,
            MilterReply::ReplyCode(b"450 4.7.1 later"),
            MilterReply::AddHeader { name: field.0, value: field.1 },
            MilterReply::InsertHeader { index: 0, name: field.0, value: field.1 },
            MilterReply::ChangeHeader { index: 7, name: field.0, value: b"" },
            MilterReply::ReplaceBody(b"\0\r\n"),
            MilterReply::ReplaceBody(b""),
            MilterReply::ChangeFrom(b"<a@x>"),
            MilterReply::AddRcpt(b"<b@x>"),
            MilterReply::AddRcptParameters(b"<b@x>"),
            MilterReply::DeleteRcpt(b"<b@x>"),
            MilterReply::Quarantine(b"why"),
            MilterReply::SetMacros(2, b"i {auth_authen}"),
        ] {
            let mut wire = Vec::new();
            reply.write(&mut wire);
            let frame = Frame::read(&wire).expect("well-formed").expect("whole");
            assert_eq!(MilterReply::read(frame), Ok(reply));
        }
    }

    #[test]
    fn says_what_is_wrong_with_a_packet() {
        for (code, data, clause) in [
            (b'm', &b"\0\0\0"[..], "a number cut short"),
            (b'm', b"\0\0\0\x01Subject\0", "a string that does not end"),
            (b'h', b"Subject", "a string that does not end"),
            (b'?', b"", "unknown code 0x3f"),
        ] {
            let error = MilterReply::read(Frame { code, data }).expect_err(clause).to_string();
            assert!(error.contains(clause), "{error}");
        }
    }
}
