//! Packets: four octets of length in network order, one octet of code, and data; and what a field on the wire may be.
//!
//! The length counts the code. Reading takes the octets that are there and gives a frame or "more": nothing is
//! copied and nothing is set aside for a length that is only claimed.

use thiserror::Error;

/// The length that a packet may claim, code included: 1 MiB.
///
/// Postfix and Sendmail send body pieces of 65,535 octets and fields of 60,000 and less; the largest size that
/// the protocol can negotiate is 1 MiB, and septet never asks for it.
pub const PACKET_LIMIT: usize = 1 << 20;

/// The octets of a field's value. Postfix keeps about 60,000 of a field, and Sendmail reads packets of 65,535.
pub const VALUE_LIMIT: usize = 59_000;

/// The octets before a packet's data.
const HEAD: usize = 5;

/// One packet, its data still in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What it is: a letter that [`MilterCommand`](super::MilterCommand) or [`MilterReply`](super::MilterReply) knows.
    pub code: u8,
    /// What follows the code.
    pub data: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Reads the packet at the start of `input`; `None` means that more octets are needed.
    pub fn read(input: &'a [u8]) -> Result<Option<Frame<'a>>, WireError> {
        let Some((length, rest)) = input.split_first_chunk::<4>() else { return Ok(None) };
        let length = u32::from_be_bytes(*length);
        match length as usize {
            0 => Err(WireError::Empty),
            long if long > PACKET_LIMIT => Err(WireError::Long(length)),
            fits => Ok(rest.get(..fits).and_then(|rest| rest.split_first()).map(|(&code, data)| Frame { code, data })),
        }
    }

    /// Returns how many octets it takes on the wire.
    pub fn length(&self) -> usize {
        HEAD + self.data.len()
    }
}

/// Writes a packet whose data are these pieces, one after the other.
pub fn put(out: &mut Vec<u8>, code: u8, pieces: &[&[u8]]) {
    let data: usize = pieces.iter().map(|piece| piece.len()).sum();
    put_head(out, code, data);
    pieces.iter().for_each(|piece| out.extend_from_slice(piece));
}

/// Writes what stands before `length` octets of data.
pub(super) fn put_head(out: &mut Vec<u8>, code: u8, length: usize) {
    // A packet over 4 GiB can't be made: every caller's data are bounded by the message limit or by a piece.
    out.extend_from_slice(&u32::try_from(length + 1).unwrap_or(u32::MAX).to_be_bytes());
    out.push(code);
}

/// What is wrong with a packet.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WireError {
    /// A length that is too short for a code.
    #[error("a packet of no octets")]
    Empty,
    /// A length over [`PACKET_LIMIT`].
    #[error("a packet that claims {0} octets, more than {PACKET_LIMIT}")]
    Long(u32),
    /// A code that no version of the protocol has.
    #[error("a packet of unknown code {0:#04x}")]
    Code(u8),
    /// Data that the code does not allow.
    #[error("a packet `{}` with {what}", char::from(*.code))]
    Data {
        /// The packet's code.
        code: u8,
        /// What is wrong with its data.
        what: &'static str,
    },
}

impl WireError {
    /// Makes the error of data that a code does not allow.
    pub(super) fn data(code: u8, what: &'static str) -> WireError {
        WireError::Data { code, what }
    }
}

/// Splits a string off the data of a packet: what stands before the first octet 0, and what follows it. Here and below
/// `code` is the packet's, for the error.
pub(super) fn string(code: u8, data: &[u8]) -> Result<(&[u8], &[u8]), WireError> {
    let end = memchr::memchr(0, data).ok_or(WireError::data(code, "a string that does not end"))?;
    Ok((&data[..end], &data[end + 1..]))
}

/// Reads data that must be one string and nothing else.
pub(super) fn whole_string(code: u8, data: &[u8]) -> Result<&[u8], WireError> {
    match string(code, data)? {
        (text, []) => Ok(text),
        _ => Err(WireError::data(code, "octets after its string")),
    }
}

/// Reads data that must be two strings and nothing else.
pub(super) fn two_strings(code: u8, data: &[u8]) -> Result<(&[u8], &[u8]), WireError> {
    let (first, rest) = string(code, data)?;
    Ok((first, whole_string(code, rest)?))
}

/// Splits a number in network order off the data of a packet.
pub(super) fn number(code: u8, data: &[u8]) -> Result<(u32, &[u8]), WireError> {
    let (octets, rest) = data.split_first_chunk::<4>().ok_or(WireError::data(code, "a number cut short"))?;
    Ok((u32::from_be_bytes(*octets), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_for_every_octet_and_takes_no_more() {
        let mut wire = Vec::new();
        put(&mut wire, b'H', &[b"mx", b"\0"]);
        for short in 0..wire.len() {
            assert_eq!(Frame::read(&wire[..short]), Ok(None));
        }
        wire.push(b'!');
        let frame = Frame::read(&wire).expect("well-formed").expect("whole");
        assert_eq!((frame.code, frame.data, frame.length()), (b'H', &b"mx\0"[..], wire.len() - 1));
    }

    #[test]
    fn refuses_a_length_before_the_data_are_there() {
        assert_eq!(Frame::read(&[0, 0, 0, 0]), Err(WireError::Empty));
        assert_eq!(Frame::read(&[0, 0x10, 0, 0]), Ok(None), "1 MiB may come");
        assert_eq!(Frame::read(&[0, 0x10, 0, 1]), Err(WireError::Long((1 << 20) + 1)));
        assert_eq!(Frame::read(b"EHLO mx"), Err(WireError::Long(u32::from_be_bytes(*b"EHLO"))), "SMTP is no milter");
    }
}
