//! xtext: text in a parameter, its odd octets as `+HH` (RFC 3461 §4).

/// Returns the octets that xtext stands for; `None` where it is malformed.
///
/// Octets over 127 stand for themselves, as `utf-8-addr-unitext` wants (RFC 6533 §3); a space, `=` and a control
/// character are refused as they stand, but may be meant by `+HH`.
pub fn decode_xtext(text: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some((&octet, later)) = rest.split_first() {
        rest = later;
        match octet {
            b'+' => {
                let (digits, later) = rest.split_at_checked(2)?;
                rest = later;
                out.push(hex(digits[0])? << 4 | hex(digits[1])?);
            }
            b'!'..=b'~' if octet != b'=' => out.push(octet),
            0x80.. => out.push(octet),
            _ => return None,
        }
    }
    Some(out)
}

/// Appends octets as xtext, those over 127 as `+HH` too.
pub fn encode_xtext(octets: &[u8], out: &mut Vec<u8>) {
    for &octet in octets {
        match octet {
            b'!'..=b'~' if !matches!(octet, b'+' | b'=') => out.push(octet),
            _ => out.extend_from_slice(format!("+{octet:02X}").as_bytes()),
        }
    }
}

/// Returns the value of a hexadecimal digit; xtext has upper case, but Postfix takes both.
fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
