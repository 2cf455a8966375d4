//! What a DKIM-Signature covers, and whether that binds us (RFC 6376, RFC 8601).
//!
//! An ARC-Message-Signature is made like one and covers as much (RFC 8617 §4.1.2); a list seals with either. A
//! DKIM2-Signature covers all bodies, and all fields but those of some names; so does a Message-Instance, whose hashes
//! it signs. Which of them somebody verified is said of each kind by its own method, `dkim`, `dkim2` or `arc`.
//!
//! septet does not verify signatures; it reads which fields they cover. A change to the body always breaks a
//! signature, whatever its canonicalisation, and so does a change to a field that `h=` names.

use std::collections::BTreeSet;

use crate::message::Message;
use crate::message::grammar::authentication::{is_hashed, passed, signed_fields};
use crate::rewrite::{Dkim, Dkim2, Profile, dkim2};

/// The fields that hold a signature, and the method of Authentication-Results that tells of it (RFC 8617 §10.1). What
/// belongs to one is named in `wish/moved.rs` too, or it would be moved.
const SIGNATURES: [(&str, &str); 4] = [
    ("DKIM-Signature", "dkim"),
    ("ARC-Message-Signature", "arc"),
    ("DKIM2-Signature", DKIM2),
    ("Message-Instance", DKIM2),
];

/// The method that tells of what covers all fields but some, and does not name them.
const DKIM2: &str = "dkim2";

/// What must stay because a signature covers it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::rewrite) struct DkimCoverage {
    /// Whether bodies must stay: all of them, for they are all in the body of the message.
    pub bodies: bool,
    /// The names of the fields of the message that must stay, in lower case.
    fields: BTreeSet<Vec<u8>>,
    /// Whether all fields must stay that DKIM2 hashes.
    hashed: bool,
    /// Whether From must stay: changed, even an instance would not make it good.
    pub from: bool,
}

impl DkimCoverage {
    /// Returns `true` if a field of the message's own header must stay, by its name. Also of one that is not there: a
    /// field that a signature names must not be added either.
    pub fn field(&self, name: &[u8]) -> bool {
        let name = name.to_ascii_lowercase();
        self.fields.contains(&name) || (self.hashed && is_hashed(&name))
    }
}

/// Finds what the profile's `dkim` policy wants kept: nothing under [`Dkim::Rewrite`], but `from`, which its `dkim2`
/// alone decides. Under [`Dkim::Verified`] the signatures of a kind bind no more once the trusted server says that one
/// of them passed. Where any field is kept by `dkim`, bodies are, which whoever removes fields that count octets relies
/// on (`write/sizes.rs`).
pub(in crate::rewrite) fn coverage(message: &Message, profile: &Profile) -> DkimCoverage {
    let from = profile.dkim2 == Dkim2::Instance && dkim2::is_signed(message);
    let mut cover = DkimCoverage { from, ..DkimCoverage::default() };
    if profile.dkim == Dkim::Rewrite {
        return cover;
    }
    for (name, method) in SIGNATURES {
        if profile.dkim == Dkim::Verified && is_verified(message, profile, method) {
            continue;
        }
        for signature in values(message, name) {
            cover.bodies = true;
            match method {
                DKIM2 => cover.hashed = true,
                _ => cover.fields.extend(signed_fields(signature)),
            }
        }
    }
    cover
}

/// Returns the values of the fields of a name in the message's own header, in their order; those in messages inside
/// sign other messages.
fn values<'a>(message: &'a Message, name: &'static str) -> impl Iterator<Item = &'a [u8]> {
    let fields = message.parts().first().map_or(&[][..], |root| message.fields(root));
    fields.iter().filter(move |field| field.is(message.raw(), name)).map(|field| message.slice(field.value))
}

/// Returns `true` if an Authentication-Results of the trusted server says that a signature passed (RFC 8601 §2.2);
/// `false` where the profile trusts none (`authserv_id`), for anybody can write such a field.
fn is_verified(message: &Message, profile: &Profile, method: &str) -> bool {
    let Some(trusted) = profile.authserv_id.as_deref() else { return false };
    values(message, "Authentication-Results").any(|value| passed(value, trusted, method))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNED: &str = "DKIM-Signature: v=1; a=x;\n h=From : sub\n ject; b=h=To\nSubject: x\n\nbody\n";

    fn covered(raw: &str, dkim: Dkim) -> DkimCoverage {
        let profile = Profile { dkim, authserv_id: Some("mx.example".to_owned()), ..Profile::default() };
        coverage(&Message::read(raw.as_bytes(), &profile.limits), &profile)
    }

    /// What is covered of a message of which somebody says these results.
    fn covered_by(results: &str, raw: &str) -> DkimCoverage {
        covered(&format!("Authentication-Results: {results}\n{raw}"), Dkim::Verified)
    }

    #[test]
    fn keeps_the_body_and_the_fields_that_h_names() {
        let cover = covered(SIGNED, Dkim::Keep);
        assert!(cover.bodies && cover.field(b"FROM") && cover.field(b"Subject"));
        assert!(!cover.field(b"To"));
        assert_eq!(covered(SIGNED, Dkim::Rewrite), DkimCoverage::default());
        assert_eq!(covered("Subject: x\n\n", Dkim::Keep), DkimCoverage::default());
    }

    #[test]
    fn counts_arc_as_a_signature() {
        let arc = "ARC-Message-Signature: i=1; a=x; h=Subject; b=x\nSubject: x\n\nbody\n";
        let cover = covered(arc, Dkim::Keep);
        assert!(cover.bodies && cover.field(b"Subject"));
        assert!(!covered_by("mx.example; dkim=fail; arc=pass", arc).bodies);
        assert!(covered_by("mx.example; dkim=pass", arc).bodies);
        let both = covered_by("mx.example; dkim=pass", &format!("DKIM-Signature: h=From; b=x\n{arc}"));
        assert!(both.field(b"Subject") && !both.field(b"From"));
    }

    #[test]
    fn dkim2_covers_what_it_does_not_leave_out() {
        let signed = "DKIM2-Signature: i=1; m=1; d=a.example\nSubject: x\n\nbody\n";
        let cover = covered(signed, Dkim::Keep);
        assert!(cover.bodies && cover.field(b"Subject") && cover.field(b"Date") && !cover.field(b"X-Mailer"));
        assert!(covered("Message-Instance: m=1; h=sha256:a:b\n\nbody\n", Dkim::Keep).bodies);
        assert_eq!(covered(signed, Dkim::Rewrite), DkimCoverage::default());
        assert!(!covered_by("mx.example; dkim2=pass", signed).bodies);
        assert!(covered_by("mx.example; dkim=pass", signed).bodies);
        let both = format!("DKIM-Signature: h=From; b=x\n{signed}");
        assert!(!covered_by("mx.example; dkim=pass; dkim2=pass", &both).bodies);
        assert!(covered_by("mx.example; dkim=pass; dkim2=fail", &both).field(b"Date"));
        assert!(!covered_by("mx.example; dkim2=pass; dkim=fail", &both).field(b"Date"));
    }

    #[test]
    fn believes_only_the_trusted_server() {
        assert!(!covered_by("mx.example (c) 1; spf=fail; dkim = pass (good) header.d=a", SIGNED).bodies);
        for results in ["other.example; dkim=pass", "mx.example; dkim=fail; x=dkim=pass", "mx.example; dkim=passable"] {
            assert!(covered_by(results, SIGNED).bodies, "{results}");
        }
        assert!(covered(SIGNED, Dkim::Verified).bodies);
    }
}
