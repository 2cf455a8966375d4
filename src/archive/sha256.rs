//! SHA-256, by ring, which TLS has brought along already.

use ring::digest::{Context, SHA256};

/// Octets that are being summed up.
#[derive(Clone)]
pub struct Sha256(Context);

impl Default for Sha256 {
    fn default() -> Sha256 {
        Sha256(Context::new(&SHA256))
    }
}

impl std::fmt::Debug for Sha256 {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Sha256")
    }
}

impl Sha256 {
    /// Adds octets.
    pub fn update(&mut self, octets: impl AsRef<[u8]>) {
        self.0.update(octets.as_ref());
    }

    /// Adds octets, and goes on.
    #[must_use]
    pub fn with(mut self, octets: impl AsRef<[u8]>) -> Sha256 {
        self.update(octets);
        self
    }

    /// Returns the sum's 32 octets.
    pub fn octets(self) -> Vec<u8> {
        self.0.finish().as_ref().to_vec()
    }

    /// Returns the sum as 64 hexadecimal digits.
    pub fn hex(self) -> String {
        self.octets().iter().map(|octet| format!("{octet:02x}")).collect()
    }
}

/// Returns the SHA-256 of octets in base64, as a page's policy names a script.
pub fn sha256_base64(octets: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(Sha256::default().with(octets).octets())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_sha256sum() {
        let wanted = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Sha256::default().with("a").with("bc").hex(), wanted);
        assert_eq!(sha256_base64(b"abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }
}
