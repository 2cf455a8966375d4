//! The parameters of MAIL and RCPT, in their order.

use super::xtext::decode_xtext;
use crate::protocol::BodyParameter;

/// One parameter, `NAME` or `NAME=value`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EsmtpParameter {
    name: Vec<u8>,
    value: Option<Vec<u8>>,
}

/// The parameters behind an address.
///
/// None of them holds a space or a control character, and none stands twice: what was read here can be written to a
/// next hop, and means there what it means here.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct EsmtpParameters(Vec<EsmtpParameter>);

impl EsmtpParameter {
    /// Makes a parameter; `None` where its name or its value could not stand on a command line.
    ///
    /// ```
    /// use septet::protocol::smtp::EsmtpParameter;
    ///
    /// assert!(EsmtpParameter::new(b"SIZE", Some(b"1000")).is_some());
    /// assert!(EsmtpParameter::new(b"SIZE", Some(b"1 BODY=7BIT")).is_none());
    /// assert!(EsmtpParameter::new(b"SIZE\r\n", None).is_none());
    /// ```
    pub fn new(name: &[u8], value: Option<&[u8]>) -> Option<EsmtpParameter> {
        let fits = is_name(name) && value.is_none_or(is_value);
        fits.then(|| EsmtpParameter { name: name.to_vec(), value: value.map(<[u8]>::to_vec) })
    }

    /// Returns its name, as it was written.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns its value.
    pub fn value(&self) -> Option<&[u8]> {
        self.value.as_deref()
    }

    /// Returns `true` if this is its name, in any case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the EHLO keyword that must be offered for it.
    pub fn keyword(&self) -> String {
        let name = String::from_utf8_lossy(&self.name).to_ascii_uppercase();
        match name.as_str() {
            "BODY" => "8BITMIME".to_owned(),
            "RET" | "ENVID" | "NOTIFY" | "ORCPT" => "DSN".to_owned(),
            "HOLDFOR" | "HOLDUNTIL" => "FUTURERELEASE".to_owned(),
            "BY" => "DELIVERBY".to_owned(),
            "TRANSID" => "CHECKPOINT".to_owned(),
            _ => name,
        }
    }

    /// Returns the octets of memory that it holds.
    fn memory(&self) -> usize {
        size_of::<EsmtpParameter>() + self.name.len() + self.value.as_ref().map_or(0, Vec::len)
    }

    /// Returns `true` if its value is one that its RFC allows (ENVID: RFC 3461 §4.4); a parameter that is not known
    /// here may have any, or none.
    fn is_sound(&self) -> bool {
        let value = self.value();
        let name = self.name.to_ascii_uppercase();
        match name.as_slice() {
            b"SMTPUTF8" => value.is_none(),
            b"BODY" => value.and_then(BodyParameter::of_value).is_some(),
            b"SIZE" => value.and_then(number).is_some(),
            b"RET" => value.is_some_and(|value| is_one_of(value, &["FULL", "HDRS"])),
            b"ENVID" => value.is_some_and(|value| value.len() <= 100 && decode_xtext(value).is_some()),
            b"NOTIFY" => value.is_some_and(is_notify),
            b"ORCPT" => value.is_some_and(is_orcpt),
            b"AUTH" => value.is_some_and(|value| decode_xtext(value).is_some()),
            _ => true,
        }
    }
}

impl EsmtpParameters {
    /// Reads `NAME[=value] …`; `None` where one is malformed, has a value that its RFC does not allow, or stands twice.
    /// A text without any gives none.
    pub fn read(text: &[u8]) -> Option<EsmtpParameters> {
        let mut parameters = EsmtpParameters::default();
        for word in text.split(|&octet| octet == b' ').filter(|word| !word.is_empty()) {
            let equals = memchr::memchr(b'=', word);
            let (name, value) = equals.map_or((word, None), |at| (&word[..at], Some(&word[at + 1..])));
            let parameter = EsmtpParameter::new(name, value).filter(EsmtpParameter::is_sound)?;
            if parameters.0.iter().any(|other| other.name.eq_ignore_ascii_case(name)) {
                return None;
            }
            parameters.0.push(parameter);
        }
        Some(parameters)
    }

    /// Returns the octets of memory that they hold.
    pub(super) fn memory(&self) -> usize {
        self.0.iter().map(EsmtpParameter::memory).sum()
    }

    /// Lists them in their order.
    pub fn iter(&self) -> impl Iterator<Item = &EsmtpParameter> {
        self.0.iter()
    }

    /// Returns the parameter of this name, in any case.
    fn get(&self, name: &str) -> Option<&EsmtpParameter> {
        self.0.iter().find(|parameter| parameter.is(name))
    }

    /// Takes a parameter out, and returns it.
    pub fn remove(&mut self, name: &str) -> Option<EsmtpParameter> {
        let at = self.0.iter().position(|parameter| parameter.is(name))?;
        Some(self.0.remove(at))
    }

    /// Returns what the client says of 8-bit octets in the body (RFC 6152); none where it says nothing.
    pub fn body(&self) -> Option<BodyParameter> {
        BodyParameter::of_value(self.get("BODY")?.value()?)
    }

    /// Returns the size that the client announces (RFC 1870).
    pub fn size(&self) -> Option<u64> {
        self.get("SIZE")?.value().and_then(number)
    }

    /// Returns `true` if the client announces UTF-8 in the envelope or the header (RFC 6531).
    pub fn smtputf8(&self) -> bool {
        self.get("SMTPUTF8").is_some()
    }

    /// Writes them as they follow an address, each after a space.
    pub fn write(&self, out: &mut Vec<u8>) {
        for EsmtpParameter { name, value } in &self.0 {
            out.push(b' ');
            out.extend_from_slice(name);
            if let Some(value) = value {
                out.push(b'=');
                out.extend_from_slice(value);
            }
        }
    }

    /// Returns `true` if nothing in them is beyond ASCII.
    pub fn is_ascii(&self) -> bool {
        self.0.iter().all(|parameter| parameter.value().is_none_or(<[u8]>::is_ascii))
    }
}

/// Returns `true` if this is an `esmtp-keyword` (RFC 5321 §4.1.2).
fn is_name(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphanumeric)
        && name.iter().all(|octet| octet.is_ascii_alphanumeric() || *octet == b'-')
}

/// Returns `true` if this can be a value: an `esmtp-value`, or one with UTF-8 (RFC 6531 §3.3) or `=` in it.
fn is_value(value: &[u8]) -> bool {
    !value.is_empty() && super::path::is_graphic(value)
}

/// Reads a decimal number of at most 20 digits (RFC 1870 §5) and 64 bits.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    let plain = (1..=20).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| plain)?.parse().ok()
}

/// Returns `true` if this is `NEVER` or a list of the others (RFC 3461 §4.1).
fn is_notify(value: &[u8]) -> bool {
    is_one_of(value, &["NEVER"])
        || value.split(|&octet| octet == b',').all(|event| is_one_of(event, &["SUCCESS", "FAILURE", "DELAY"]))
}

/// Returns `true` if a value is one of these words, in any case of letters.
fn is_one_of(value: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
}

/// Returns `true` if this is `type;xtext` of 500 octets at the most (RFC 3461 §4.2).
fn is_orcpt(value: &[u8]) -> bool {
    let mut halves = value.splitn(2, |&octet| octet == b';');
    let kind = halves.next().is_some_and(is_name);
    kind && value.len() <= 500 && halves.next().is_some_and(|text| !text.is_empty() && decode_xtext(text).is_some())
}
