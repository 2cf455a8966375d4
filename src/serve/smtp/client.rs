//! Who the client is: what its connection tells, and what a trusted one says of the client that it speaks for.

use std::net::{IpAddr, Ipv4Addr};

use crate::config::Listener;
use crate::protocol::smtp::{AcceptedEnvelope, Attributes, HelloVerb, read_address};
use crate::serve::envelope::Envelope;
use crate::serve::shared::Peer;

/// The client of a connection.
#[derive(Debug, Clone, Default)]
pub struct ClientIdentity {
    address: Option<IpAddr>,
    port: Option<u16>,
    /// What XCLIENT said, from then on.
    xclient: Attributes,
    /// What XFORWARD said, for the next message.
    xforward: Attributes,
}

impl ClientIdentity {
    /// Takes what the connection tells.
    pub fn new(peer: &Peer) -> ClientIdentity {
        let address = peer.address.map(|address| address.ip().to_canonical());
        ClientIdentity { address, port: peer.address.map(|address| address.port()), ..ClientIdentity::default() }
    }

    /// Returns `true` if the listener's `trusted` names it, so that it may say for whom it speaks. That goes by the
    /// address of its connection, whatever XCLIENT says; a client of a unix socket is one of loopback.
    pub fn is_trusted(&self, listener: &Listener) -> bool {
        let address = self.address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        listener.forward.trusted.iter().flatten().any(|known| known.matches(None, Some(address)))
    }

    /// Takes what XCLIENT says, which holds from here on.
    pub fn speaks_as(&mut self, attributes: &Attributes) {
        self.xclient.merge(attributes);
    }

    /// Takes what XFORWARD says, which holds to the end of the next message, or to RSET or a hello.
    pub fn speaks_for(&mut self, attributes: &Attributes) {
        self.xforward.merge(attributes);
    }

    /// Forgets what XFORWARD said of a message that is over or given up.
    pub fn end_of_message(&mut self) {
        self.xforward = Attributes::default();
    }

    /// Returns the envelope of a message, as rules and logs look at it: XFORWARD goes before XCLIENT, and that before
    /// the connection; only XCLIENT tells of a login. `recipients` are left to the caller: rules ask for them, and
    /// a log, which only counts them, gives none.
    pub fn envelope<'a>(&'a self, session: &'a AcceptedEnvelope, recipients: &'a [Vec<u8>]) -> Envelope<'a> {
        let mail = session.mail.as_ref();
        // What nobody said is empty in an envelope.
        Envelope {
            client_name: self.said("NAME").unwrap_or_default(),
            client_address: self.client_address(),
            helo: self.said("HELO").or(session.hello.as_ref().map(|(_, name)| &name[..])).unwrap_or_default(),
            authenticated: self.xclient.get("LOGIN").unwrap_or_default(),
            sender: mail.map(|mail| mail.path.raw()).unwrap_or_default(),
            recipients,
            queue_id: self.said("IDENT").unwrap_or_default(),
            body: mail.and_then(|mail| mail.parameters.body()),
            smtputf8: mail.is_some_and(|mail| mail.parameters.smtputf8()),
            // Only an MTA that sends the message on itself is asked for its name.
            mta: b"",
        }
    }

    /// Returns what a next hop that offers XFORWARD is told, of the attributes that it `wanted`: what we were told,
    /// else what we see.
    pub fn attributes(&self, session: &AcceptedEnvelope, wanted: &[u8]) -> Attributes {
        let mut told = Attributes::default();
        let address = self.address.map(|address| match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("IPV6:{address}"),
        });
        told.set("ADDR", address.as_deref().map(str::as_bytes));
        told.set("PORT", self.port.map(|port| port.to_string()).as_deref().map(str::as_bytes));
        if let Some((verb, name)) = &session.hello {
            told.set("HELO", Some(name));
            told.set("PROTO", Some(protocol(*verb)));
        }
        told.merge(&self.xclient);
        told.merge(&self.xforward);
        told.retain(wanted);
        told
    }

    /// Returns an attribute as XFORWARD has it, else as XCLIENT.
    fn said(&self, name: &str) -> Option<&[u8]> {
        self.xforward.get(name).or(self.xclient.get(name))
    }

    /// Returns the address that the client was said to have, else that of the connection.
    fn client_address(&self) -> Option<IpAddr> {
        let said = self.said("ADDR").and_then(|said| std::str::from_utf8(said).ok());
        said.and_then(read_address).or(self.address)
    }
}

/// Returns the name of the protocol of a hello, as XFORWARD has it in PROTO.
fn protocol(verb: HelloVerb) -> &'static [u8] {
    match verb {
        HelloVerb::Helo => b"SMTP",
        HelloVerb::Ehlo => b"ESMTP",
        HelloVerb::Lhlo => b"LMTP",
    }
}
