//! MAIL's `BODY` parameter, which milters are shown and SMTP servers read.

/// What a client said of 8-bit octets in the body (RFC 6152, RFC 3030).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodyParameter {
    /// `7BIT`
    SevenBit,
    /// `8BITMIME`
    EightBitMime,
    /// `BINARYMIME`
    BinaryMime,
}

impl BodyParameter {
    /// Reads a parameter of MAIL, `BODY=value`; `None` for another one, and as [`of_value`](Self::of_value).
    pub fn read(parameter: &[u8]) -> Option<BodyParameter> {
        let (name, value) = parameter.split_at_checked(5)?;
        BodyParameter::of_value(value).filter(|_| name.eq_ignore_ascii_case(b"BODY="))
    }

    /// Reads its value, in any case of letters; `None` for one that nobody has defined.
    pub fn of_value(value: &[u8]) -> Option<BodyParameter> {
        match value.to_ascii_uppercase().as_slice() {
            b"7BIT" => Some(BodyParameter::SevenBit),
            b"8BITMIME" => Some(BodyParameter::EightBitMime),
            b"BINARYMIME" => Some(BodyParameter::BinaryMime),
            _ => None,
        }
    }
}
