//! Protections: what a signature or encryption covers, and so what may not be touched.

/// Why a part may not be touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protection {
    /// It lies in a multipart/signed (RFC 1847 §2.1).
    Signed,
    /// It lies in a multipart/encrypted (RFC 1847 §2.2).
    Encrypted,
    /// It is an S/MIME object (RFC 8551 §3).
    SMime,
    /// Its text is an inline PGP message or signature (RFC 9580 §6.2); only who reads the text knows.
    InlinePgp,
}

impl Protection {
    /// Returns its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Protection::Signed => "signed",
            Protection::Encrypted => "encrypted",
            Protection::SMime => "smime",
            Protection::InlinePgp => "inline-pgp",
        }
    }
}
