//! Line ends of messages.

/// Writes every lone LF as CRLF.
pub fn with_crlf(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len() + raw.len() / 30);
    for (at, &octet) in raw.iter().enumerate() {
        if octet == b'\n' && (at == 0 || raw[at - 1] != b'\r') {
            out.push(b'\r');
        }
        out.push(octet);
    }
    out
}
