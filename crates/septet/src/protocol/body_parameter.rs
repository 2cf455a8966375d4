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
    /// Reads a parameter of MAIL; `None` for another one than `BODY`, and for a value that nobody has defined.
    pub fn read(parameter: &[u8]) -> Option<BodyParameter> {
        let value = parameter.get(..5).filter(|name| name.eq_ignore_ascii_case(b"BODY=")).map(|_| &parameter[5..])?;
        let values = [
            ("7BIT", BodyParameter::SevenBit),
            ("8BITMIME", BodyParameter::EightBitMime),
            ("BINARYMIME", BodyParameter::BinaryMime),
        ];
        let found = values.into_iter().find(|(name, _)| value.eq_ignore_ascii_case(name.as_bytes()));
        found.map(|(_, parameter)| parameter)
    }
}
