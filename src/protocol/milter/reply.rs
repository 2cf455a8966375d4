//! What the filter says.

use super::negotiate::Offer;
use super::wire::{Frame, WireError, number, put, string, two_strings, whole_string};

/// One reply of the filter: a verdict, or a change asked for at the end of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply<'a> {
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

impl<'a> Reply<'a> {
    /// Reads a packet.
    pub fn read(frame: Frame<'a>) -> Result<Reply<'a>, WireError> {
        let Frame { code, data } = frame;
        Ok(match code {
            b'O' => Offer::read(code, data).map(|(negotiated, lists)| Reply::Negotiate(negotiated, lists))?,
            b'c' => Reply::Continue,
            b'a' => Reply::Accept,
            b'r' => Reply::Reject,
            b't' => Reply::TempFail,
            b'd' => Reply::Discard,
            b's' => Reply::Skip,
            b'p' => Reply::Progress,
            b'f' => Reply::ConnectionFail,
            b'4' => Reply::Shutdown,
            b'y' => Reply::ReplyCode(whole_string(code, data)?),
            b'h' => two_strings(code, data).map(|(name, value)| Reply::AddHeader { name, value })?,
            b'i' => field(code, data).map(|(index, name, value)| Reply::InsertHeader { index, name, value })?,
            b'm' => field(code, data).map(|(index, name, value)| Reply::ChangeHeader { index, name, value })?,
            b'b' => Reply::ReplaceBody(data),
            b'e' => Reply::ChangeFrom(first_string(code, data)?),
            b'+' => Reply::AddRcpt(whole_string(code, data)?),
            b'2' => Reply::AddRcptParameters(first_string(code, data)?),
            b'-' => Reply::DeleteRcpt(whole_string(code, data)?),
            b'q' => Reply::Quarantine(whole_string(code, data)?),
            b'l' => {
                let (stage, names) = number(code, data)?;
                Reply::SetMacros(stage, whole_string(code, names)?)
            }
            _ => return Err(WireError::Code(code)),
        })
    }

    /// Returns the letter that it has on the wire.
    pub fn code(&self) -> u8 {
        match self {
            Reply::Negotiate(..) => b'O',
            Reply::Continue => b'c',
            Reply::Accept => b'a',
            Reply::Reject => b'r',
            Reply::TempFail => b't',
            Reply::Discard => b'd',
            Reply::Skip => b's',
            Reply::Progress => b'p',
            Reply::ConnectionFail => b'f',
            Reply::Shutdown => b'4',
            Reply::ReplyCode(_) => b'y',
            Reply::AddHeader { .. } => b'h',
            Reply::InsertHeader { .. } => b'i',
            Reply::ChangeHeader { .. } => b'm',
            Reply::ReplaceBody(_) => b'b',
            Reply::ChangeFrom(_) => b'e',
            Reply::AddRcpt(_) => b'+',
            Reply::AddRcptParameters(_) => b'2',
            Reply::DeleteRcpt(_) => b'-',
            Reply::Quarantine(_) => b'q',
            Reply::SetMacros(..) => b'l',
        }
    }

    /// Returns `true` if it ends the MTA's wait at the end of a message.
    pub fn is_verdict(&self) -> bool {
        matches!(self.code(), b'c' | b'a' | b'r' | b't' | b'd' | b'f' | b'4' | b'y')
    }

    /// Writes it as a packet.
    pub fn write(&self, out: &mut Vec<u8>) {
        let code = self.code();
        match self {
            Reply::Negotiate(negotiated, lists) => put(out, code, &[&negotiated.octets(), lists]),
            Reply::AddHeader { name, value } => put(out, code, &[name, b"\0", value, b"\0"]),
            Reply::InsertHeader { index, name, value } | Reply::ChangeHeader { index, name, value } => {
                put(out, code, &[&index.to_be_bytes(), name, b"\0", value, b"\0"]);
            }
            Reply::ReplaceBody(piece) => put(out, code, &[piece]),
            Reply::ReplyCode(text)
            | Reply::AddRcpt(text)
            | Reply::DeleteRcpt(text)
            | Reply::ChangeFrom(text)
            | Reply::AddRcptParameters(text)
            | Reply::Quarantine(text) => put(out, code, &[text, b"\0"]),
            Reply::SetMacros(stage, names) => put(out, code, &[&stage.to_be_bytes(), names, b"\0"]),
            _ => put(out, code, &[]),
        }
    }
}

fn field(code: u8, data: &[u8]) -> Result<(u32, &[u8], &[u8]), WireError> {
    let (index, rest) = number(code, data)?;
    let (name, value) = two_strings(code, rest)?;
    Ok((index, name, value))
}

/// Reads the first of several strings; the others are parameters of SMTP.
fn first_string(code: u8, data: &[u8]) -> Result<&[u8], WireError> {
    string(data).map(|(text, _)| text).ok_or(WireError::data(code, "a string that does not end"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_it_reads() {
        let field = (&b"Subject"[..], &b" a\n b"[..]);
        for reply in [
            Reply::Negotiate(Offer { version: 6, actions: 0x13, protocol: 0x1f_f3ff }, b"\0\0\0\x02i\0"),
            Reply::Continue,
            Reply::Accept,
            Reply::Reject,
            Reply::TempFail,
            Reply::Discard,
            Reply::Skip,
            Reply::Progress,
            Reply::ConnectionFail,
            Reply::Shutdown,
            Reply::ReplyCode(b"450 4.7.1 later"),
            Reply::AddHeader { name: field.0, value: field.1 },
            Reply::InsertHeader { index: 0, name: field.0, value: field.1 },
            Reply::ChangeHeader { index: 7, name: field.0, value: b"" },
            Reply::ReplaceBody(b"\0\r\n"),
            Reply::ReplaceBody(b""),
            Reply::ChangeFrom(b"<a@x>"),
            Reply::AddRcpt(b"<b@x>"),
            Reply::AddRcptParameters(b"<b@x>"),
            Reply::DeleteRcpt(b"<b@x>"),
            Reply::Quarantine(b"why"),
            Reply::SetMacros(2, b"i {auth_authen}"),
        ] {
            let mut wire = Vec::new();
            reply.write(&mut wire);
            let frame = Frame::read(&wire).expect("well-formed").expect("whole");
            assert_eq!(Reply::read(frame), Ok(reply));
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
            let error = Reply::read(Frame { code, data }).expect_err(clause).to_string();
            assert!(error.contains(clause), "{error}");
        }
    }
}
