//! Transfer encodings (RFC 2045 §6): quoted-printable and base64.

/// A Content-Transfer-Encoding.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum TransferEncoding {
    /// `7bit`, and the default.
    #[default]
    SevenBit,
    /// `8bit`.
    EightBit,
    /// `binary`.
    Binary,
    /// `quoted-printable`.
    QuotedPrintable,
    /// `base64`.
    Base64,
    /// Any other token, as written.
    Unknown(String),
}

impl TransferEncoding {
    /// Reads a field's value: white space, comments and letter case do not count.
    pub fn read(value: &[u8]) -> TransferEncoding {
        let _ = value;
        TransferEncoding::SevenBit
    }

    /// Gives its name as it is written in the field.
    pub fn name(&self) -> &str {
        match self {
            TransferEncoding::SevenBit => "7bit",
            TransferEncoding::EightBit => "8bit",
            TransferEncoding::Binary => "binary",
            TransferEncoding::QuotedPrintable => "quoted-printable",
            TransferEncoding::Base64 => "base64",
            TransferEncoding::Unknown(token) => token,
        }
    }
}
