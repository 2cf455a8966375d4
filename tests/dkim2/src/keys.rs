//! One key for all domains, without DNS.

use std::borrow::Borrow;
use std::hash::Hash;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mail_auth::crypto::Ed25519Key;
use mail_auth::dkim::DomainKey;
use mail_auth::dns::cache::{DnsCache, NoCache, ResolverCache};
use mail_auth::dns::{TxtRecord, TxtRecordParser};

/// PKCS #8 of an Ed25519 key (RFC 8410), up to its 32 octets.
const HEAD: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/// Makes the key.
pub fn key() -> Ed25519Key {
    let der = [&HEAD[..], &[7; 32]].concat();
    Ed25519Key::from_pkcs8_maybe_unchecked_der(&der).expect("a key")
}

/// What the DNS says of every name: the key.
pub struct AllDomains(String);

impl AllDomains {
    pub fn new() -> AllDomains {
        AllDomains(format!("v=DKIM1; k=ed25519; p={}", STANDARD.encode(key().public_key())))
    }
}

impl ResolverCache<Box<str>, TxtRecord> for AllDomains {
    fn get<Q>(&self, _: &Q) -> Option<TxtRecord>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        Some(TxtRecord::from(DomainKey::parse(self.0.as_bytes())))
    }

    fn remove<Q>(&self, _: &Q) -> Option<TxtRecord>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        None
    }

    fn insert(&self, _: Box<str>, _: TxtRecord, _: Instant) {}
}

impl DnsCache for AllDomains {
    type Txt = AllDomains;
    type Mx = NoCache;
    type Ipv4 = NoCache;
    type Ipv6 = NoCache;
    type Ptr = NoCache;

    fn txt(&self) -> Option<&AllDomains> {
        Some(self)
    }

    fn mx(&self) -> Option<&NoCache> {
        None
    }

    fn ipv4(&self) -> Option<&NoCache> {
        None
    }

    fn ipv6(&self) -> Option<&NoCache> {
        None
    }

    fn ptr(&self) -> Option<&NoCache> {
        None
    }
}
