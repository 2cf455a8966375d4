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
}
