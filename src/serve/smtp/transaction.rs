//! One message's envelope at the next hop: MAIL and RCPT as it can take them.
//!
//! What the next hop lacks is left out (SMTPUTF8, BODY, SIZE), and addresses are lowered to ASCII. When the content
//! turns out to need no SMTPUTF8, though the client announced it, the envelope is said again without: a next hop that
//! is told SMTPUTF8 must find every further hop with it, and bounces the message where it finds none.

use super::address::{AddressPolicy, refusal};
use super::client::ClientIdentity;
use super::next_hop::{NextHopError, PooledConnection, Result};
use crate::protocol::smtp::{AcceptedEnvelope, Attributes, EsmtpParameters, MailCommand, RcptCommand, Reply};

/// An envelope that the next hop has accepted so far.
pub struct Transaction {
    /// The connection.
    pub lease: PooledConnection,
    mail: MailCommand,
    recipients: Vec<RcptCommand>,
    /// Whom the message comes from, as a next hop was told that wants to know it.
    attributes: Option<Attributes>,
}

/// What came of MAIL.
pub enum Begun {
    /// The next hop accepted it, with this reply.
    Accepted(Box<Transaction>, Reply),
    /// It is refused.
    Refused(AttributedReply),
}

/// A reply to the client, and whose it is.
#[derive(Debug, Clone)]
pub struct AttributedReply {
    /// Who says it.
    pub by: By,
    /// What is said.
    pub reply: Reply,
}

/// Who answers a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// We do.
    Septet,
    /// The next hop does; we tell it on.
    NextHop,
}

impl AttributedReply {
    /// Returns it as the only answer to a whole message, beside who says it.
    pub fn whole(self) -> (By, Vec<Reply>) {
        (self.by, vec![self.reply])
    }
}

impl By {
    /// Returns it in the word of logs and counters, which `REFUSERS` of the metrics lists: another word would not
    /// count.
    pub fn word(self) -> &'static str {
        match self {
            By::Septet => "septet",
            By::NextHop => "next-hop",
        }
    }

    /// Says something.
    pub fn says(self, reply: Reply) -> AttributedReply {
        AttributedReply { by: self, reply }
    }
}

impl Transaction {
    /// Says MAIL to the next hop, after XFORWARD where it wants that. A refusal by the next hop or by us gives the
    /// connection back; a reply that closes it (421) is an error, so that the caller may try another connection.
    pub async fn begin(
        lease: PooledConnection,
        mail: &MailCommand,
        policy: AddressPolicy<'_>,
        client: &ClientIdentity,
        session: &AcceptedEnvelope,
    ) -> Result<Begun> {
        let mail = match lowered_mail(mail, &lease, policy) {
            Ok(mail) => mail,
            Err(refused) => {
                lease.give_back();
                return Ok(Begun::Refused(By::Septet.says(refused)));
            }
        };
        let wanted = lease.connection.keywords.arguments("XFORWARD");
        let attributes = wanted.map(|wanted| client.attributes(session, wanted)).filter(|told| !told.is_empty());
        let mut begun = Transaction { lease, mail, recipients: Vec::new(), attributes };
        let reply = begun.say_mail().await?;
        if reply.is_positive() {
            return Ok(Begun::Accepted(Box::new(begun), reply));
        }
        if reply.closes() {
            return Err(NextHopError::Lost(reply.to_string()));
        }
        if reply.is_intermediate() {
            return Err(NextHopError::Garbage(reply.to_string()));
        }
        match begun.attributes {
            // The next hop keeps what XFORWARD said until RSET, and would take it for the next message's.
            Some(_) => drop(begun.give_up().await),
            None => begun.lease.give_back(),
        }
        Ok(Begun::Refused(By::NextHop.says(reply)))
    }

    /// Says MAIL, after XFORWARD where there is something to say by it. What the next hop answers to XFORWARD is not
    /// looked at.
    async fn say_mail(&mut self) -> Result<Reply> {
        if let Some(attributes) = &self.attributes {
            self.lease.connection.xforward(attributes).await?;
        }
        self.lease.connection.mail(&self.mail).await
    }

    /// Says RCPT to the next hop, and keeps the recipient if the next hop accepts it; one that can't be written in
    /// ASCII is refused here. A reply that closes the connection (421) is handed on like any other: the caller must
    /// then drop the transaction.
    pub async fn rcpt(&mut self, rcpt: &RcptCommand, policy: AddressPolicy<'_>) -> Result<AttributedReply> {
        let path = match self.takes_utf8() {
            true => Ok(rcpt.path.clone()),
            false => policy.to_ascii(&rcpt.path),
        };
        let path = match path {
            Ok(path) => path,
            Err(refused) => return Ok(By::Septet.says(refused)),
        };
        let rcpt = RcptCommand { path, parameters: fitting(&rcpt.parameters, &self.lease) };
        if !self.takes_utf8() && !rcpt.parameters.is_ascii() {
            return Ok(By::Septet.says(refusal()));
        }
        let reply = self.lease.connection.rcpt(&rcpt).await?;
        if reply.is_positive() {
            self.recipients.push(rcpt);
        }
        Ok(By::NextHop.says(reply))
    }

    /// Resets the next hop and says the envelope again without SMTPUTF8, and with XFORWARD, which RSET has made it
    /// forget. The inner error is the reply of a next hop that refuses it now: the caller must then give the
    /// transaction up.
    pub async fn without_smtputf8(&mut self) -> Result<Result<(), Reply>> {
        self.mail.parameters.remove("SMTPUTF8");
        let begun = [self.lease.connection.reset().await?, self.say_mail().await?];
        if let Some(refused) = begun.into_iter().find(|reply| !reply.is_positive()) {
            return Ok(Err(refused));
        }
        for rcpt in &self.recipients {
            let reply = self.lease.connection.rcpt(rcpt).await?;
            if !reply.is_positive() {
                return Ok(Err(refused_again(&reply)));
            }
        }
        Ok(Ok(()))
    }

    /// Returns `true` if the next hop was told an address otherwise than the client wrote it. `session` must have
    /// accepted the same recipients in the same order.
    pub fn is_lowered(&self, session: &AcceptedEnvelope) -> bool {
        let path = session.mail.as_ref().map(|mail| &mail.path);
        let theirs = path.into_iter().chain(session.recipients.iter().map(|rcpt| &rcpt.path));
        let ours = std::iter::once(&self.mail.path).chain(self.recipients.iter().map(|rcpt| &rcpt.path));
        !theirs.eq(ours)
    }

    /// Returns `true` if SMTPUTF8 was announced to the next hop though the envelope does not need it, as every address
    /// and every parameter of it is ASCII.
    pub fn has_spare_smtputf8(&self) -> bool {
        self.mail.parameters.smtputf8()
            && self.mail.path.is_ascii()
            && self.mail.parameters.is_ascii()
            && self.recipients.iter().all(|rcpt| rcpt.path.is_ascii() && rcpt.parameters.is_ascii())
    }

    /// Gives the message up by RSET, and keeps the connection for the next one if the next hop agrees; otherwise it is
    /// closed. In the middle of content nothing is said, which is an error.
    pub async fn give_up(mut self) -> Result<Reply> {
        let reply = self.lease.connection.reset().await?;
        if reply.is_positive() {
            self.lease.give_back();
        }
        Ok(reply)
    }

    fn takes_utf8(&self) -> bool {
        self.lease.connection.takes().utf8_header
    }
}

/// Returns the reply to a message of which a recipient was accepted, and is refused when he is named again. It is for
/// all recipients, or for another one: so it is to come again later, when each can be told what is his.
pub fn refused_again(reply: &Reply) -> Reply {
    Reply::with_status(451, "4.3.0", &format!("a recipient who was accepted is refused now: {reply}"))
}

/// Returns the answer to a client whose message was lost with the connection to the next hop.
pub fn lost() -> AttributedReply {
    By::Septet.says(Reply::with_status(451, "4.4.2", "the connection to the next hop broke"))
}

/// Returns MAIL as the next hop can take it, or the reply that refuses an address or a parameter outside ASCII.
fn lowered_mail(mail: &MailCommand, lease: &PooledConnection, policy: AddressPolicy<'_>) -> Result<MailCommand, Reply> {
    let parameters = fitting(&mail.parameters, lease);
    if lease.connection.takes().utf8_header {
        return Ok(MailCommand { path: mail.path.clone(), parameters });
    }
    match parameters.is_ascii() {
        true => Ok(MailCommand { path: policy.to_ascii(&mail.path)?, parameters }),
        false => Err(refusal()),
    }
}

/// Leaves out the parameters that the next hop doesn't offer. Of those that clients may use, we offer them all
/// ourselves ([`offer`](crate::protocol::smtp::offer)), but for DSN, which we offer where the next hop does.
fn fitting(parameters: &EsmtpParameters, lease: &PooledConnection) -> EsmtpParameters {
    let mut fitting = parameters.clone();
    for parameter in parameters.iter() {
        if !lease.connection.keywords.has(&parameter.keyword()) {
            fitting.remove(&String::from_utf8_lossy(parameter.name()));
        }
    }
    fitting
}
