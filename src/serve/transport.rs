//! What the way ahead can carry: a profile is held to it.
//!
//! Neither Postfix nor Sendmail looks again at `BODY=` or at 8-bit octets after a filter's edits. So a body may
//! be raised to 8-bit only where the MTA already counts with 8-bit:
//!
//! | MAIL said | Postfix | others |
//! |---|---|---|
//! | `BODY=7BIT` | no: it would go out raw, labelled 7BIT | no |
//! | `BODY=8BITMIME`, `BODY=BINARYMIME` | yes | if there was an 8-bit octet before: else Sendmail downgrades nothing |
//! | nothing | yes: it is downgraded where the next hop needs it | no: it would go out raw |
//!
//! Raw UTF-8 in a header needs a message declared SMTPUTF8 (RFC 6531 §3.4). Lowering is always safe.
//!
//! Where septet itself hands the message to the next hop, it knows what that one takes, and lowers the rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::envelope::Envelope;
use crate::config::NonAsciiAddress;
use crate::protocol::BodyParameter;
use crate::rewrite::{Addresses, BodyCharset, HeaderForm, Iris, NextHopExtensions, Profile, Transfer};

/// What one message's way ahead can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transport {
    /// 8-bit octets in the body, even where there were none.
    pub eight_bit: bool,
    /// UTF-8 in the header.
    pub utf8_header: bool,
}

impl Transport {
    /// Reads it from what MAIL said, from what the MTA calls itself, and from the message as it was received.
    pub fn of(envelope: &Envelope<'_>, raw: &[u8]) -> Transport {
        let postfix = envelope.mta.starts_with(b"Postfix");
        let eight_bit = match envelope.body {
            Some(BodyParameter::EightBitMime | BodyParameter::BinaryMime) => postfix || !raw.is_ascii(),
            Some(BodyParameter::SevenBit) => false,
            None => postfix,
        };
        Transport { eight_bit, utf8_header: envelope.smtputf8 }
    }

    /// Returns the profile, with nothing in it that would raise a message to what the way ahead can't carry. Lowering
    /// is left as it is. A profile in which nothing has to change is shared.
    fn fit(self, profile: &Arc<Profile>) -> Arc<Profile> {
        let mut fitted = Arc::clone(profile);
        if !self.eight_bit && fitted.transfer == Transfer::EightBit {
            Arc::make_mut(&mut fitted).transfer = Transfer::Keep;
        }
        if !self.utf8_header && fitted.headers == HeaderForm::Utf8 {
            Arc::make_mut(&mut fitted).headers = HeaderForm::Utf8Words;
        }
        fitted
    }
}

/// How a message goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// An MTA asked, and sends it on by itself.
    Mta(Transport),
    /// septet hands it to the next hop.
    NextHop(Forwarding),
}

impl Route {
    /// Returns the profile in the form that this route can carry; `aliases` are addresses in ASCII that stand for
    /// others, by the others in lower case.
    pub fn fit(self, profile: &Arc<Profile>, aliases: &Arc<BTreeMap<String, String>>) -> Arc<Profile> {
        match self {
            Route::Mta(transport) => transport.fit(profile),
            Route::NextHop(forwarding) => forwarding.fit(profile, aliases),
        }
    }
}

/// How septet hands a message to the next hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forwarding {
    /// What may be raised: what both the client declared and the next hop takes.
    pub raised: Transport,
    /// What the next hop takes.
    pub takes: NextHopExtensions,
    /// Whether the client announced SMTPUTF8, so that a header which stays raw is refused where the next hop lacks it.
    pub is_announced: bool,
    /// What becomes of addresses outside ASCII where it doesn't take them.
    pub non_ascii_address: NonAsciiAddress,
    /// Whether nothing is changed but what the next hop can't take.
    pub needed_only: bool,
}

impl Forwarding {
    /// Returns the profile as it is for this next hop; `aliases` are addresses in ASCII that stand for others. With
    /// `needed_only` all conversion is left out but what the next hop can't take; defects are treated all the same.
    fn fit(self, profile: &Arc<Profile>, aliases: &Arc<BTreeMap<String, String>>) -> Arc<Profile> {
        let addresses = match self.non_ascii_address {
            NonAsciiAddress::Rfc6857 => Addresses::Rfc6857,
            NonAsciiAddress::Rfc6858 => Addresses::Rfc6858,
            // The envelope is ASCII by now, or was refused. An address that stayed raw would have the message refused
            // too, and with it the bounce that says so.
            _ if profile.addresses == Addresses::Keep && self.is_announced => Addresses::Rfc6857,
            _ if profile.addresses == Addresses::Keep => Addresses::OtherFields,
            NonAsciiAddress::Reject | NonAsciiAddress::Alias => profile.addresses,
        };
        let mut fitted = self.raised.fit(profile);
        if self.non_ascii_address != NonAsciiAddress::Reject {
            Arc::make_mut(&mut fitted).aliases = Arc::clone(aliases);
        }
        if self.needed_only {
            let kept = Arc::make_mut(&mut fitted);
            kept.headers = HeaderForm::Keep;
            kept.charset = BodyCharset::Keep;
            kept.transfer = Transfer::Keep;
            kept.iris = Iris::Keep;
            kept.unescape.clear();
        }
        if self.takes.eight_bit && self.takes.utf8_header {
            return fitted;
        }
        Arc::new(fitted.for_next_hop(self.takes, addresses))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raises_a_body_only_where_the_mta_counts_with_8_bit() {
        use BodyParameter::*;
        let (postfix, sendmail) = ("Postfix 3.7.11", "8.17.1.9/8.17.1.9");
        for (body, mta, raw, eight_bit) in [
            (Some(SevenBit), postfix, "", false),
            (Some(EightBitMime), postfix, "", true),
            (Some(BinaryMime), sendmail, "", false),
            (Some(EightBitMime), sendmail, "", false),
            (Some(EightBitMime), sendmail, "\u{e9}", true),
            (Some(SevenBit), sendmail, "\u{e9}", false),
            (None, postfix, "", true),
            (None, sendmail, "\u{e9}", false),
            (None, "", "", false),
        ] {
            let envelope = Envelope { body, mta: mta.as_bytes(), ..Envelope::default() };
            let transport = Transport::of(&envelope, raw.as_bytes());
            assert_eq!(transport, Transport { eight_bit, utf8_header: false }, "{body:?} {mta} {raw}");
        }
        assert!(Transport::of(&Envelope { smtputf8: true, ..Envelope::default() }, b"").utf8_header);
    }

    #[test]
    fn holds_only_rising_profiles_back() {
        for name in crate::rewrite::Profile::BUILT_IN {
            let profile = Arc::new(Profile::built_in(name).expect("built in"));
            for (eight_bit, utf8_header) in [(false, false), (true, false), (false, true), (true, true)] {
                let form = Transport { eight_bit, utf8_header }.fit(&profile);
                assert_eq!(form.transfer == Transfer::EightBit, name == "eai" && eight_bit, "{name}");
                assert_eq!(form.headers == HeaderForm::Utf8, name == "eai" && utf8_header, "{name}");
                assert_eq!(form.charset, profile.charset, "{name}");
                assert!(name == "eai" || Arc::ptr_eq(&form, &profile), "{name}");
            }
        }
    }
}
