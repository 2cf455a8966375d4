//! MAIL and RCPT of a client, and the connection to a next hop on which they are said.

use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite};

use super::address::AddressPolicy;
use super::connection::ClientConnection;
use super::next_hop::{NextHopError, PooledConnection, Result};
use super::transaction::{AttributedReply, Begun, By, Transaction, lost};
use crate::protocol::smtp::{MailCommand, RcptCommand, Reply, SmtpDialect};

impl<S: AsyncRead + AsyncWrite + Unpin> ClientConnection<S> {
    /// Begins a message at the next hop, by the settings of this moment.
    pub(super) async fn mail(&mut self, mail: &MailCommand) -> AttributedReply {
        self.refresh();
        match self.begin(mail).await {
            Ok(Begun::Accepted(transaction, reply)) => {
                self.transaction = Some(transaction);
                self.clock.mail = Some(Instant::now());
                By::NextHop.says(reply)
            }
            Ok(Begun::Refused(said)) => said,
            Err(error) => self.report_next_hop_failure(&error),
        }
    }

    /// Says MAIL by a connection that is there, and once more by a new one if that one was used before and is lost: the
    /// next hop may have closed it meanwhile.
    pub(super) async fn begin(&mut self, mail: &MailCommand) -> Result<Begun> {
        let lease = self.lease(false).await?;
        let used_before = lease.used_before;
        match self.begin_by(lease, mail).await {
            Err(NextHopError::Lost(_)) if used_before => {
                let lease = self.lease(true).await?;
                self.begin_by(lease, mail).await
            }
            begun => begun,
        }
    }

    /// Says MAIL by this connection, for the client and with what the session has accepted of the envelope.
    async fn begin_by(&self, lease: PooledConnection, mail: &MailCommand) -> Result<Begun> {
        Transaction::begin(lease, mail, self.addresses(), &self.client, self.session.envelope()).await
    }

    /// Names a recipient to the next hop. After a 421 that has nothing of the message any more, and the transaction is
    /// dropped.
    pub(super) async fn rcpt(&mut self, rcpt: &RcptCommand) -> AttributedReply {
        if let Err(said) = self.resume().await {
            return said;
        }
        let Some(mut transaction) = self.transaction.take() else { return lost() };
        if let Some(refusal) = self.refusal_of_recipient(rcpt, &transaction) {
            self.transaction = Some(transaction);
            return By::Septet.says(refusal);
        }
        let said = match transaction.rcpt(rcpt, self.addresses()).await {
            Ok(said) => {
                if !said.reply.closes() {
                    self.transaction = Some(transaction);
                }
                said
            }
            Err(error) => self.report_next_hop_failure(&error),
        };
        if !said.reply.is_positive() {
            self.forget_recipient(rcpt);
        }
        said
    }

    /// Returns the reply to a recipient who would be the second of a message whose recipients can't all be answered
    /// for, or for whom there is no room; none for others, who are counted.
    fn refusal_of_recipient(&mut self, rcpt: &RcptCommand, transaction: &Transaction) -> Option<Reply> {
        let has_others = !self.session.envelope().recipients.is_empty();
        if has_others && self.has_one_answer(transaction) {
            return Some(Reply::with_status(452, "4.5.3", "too many recipients"));
        }
        let has_room = self.count_recipient(rcpt);
        (!has_room).then(|| Reply::with_status(452, "4.3.1", "no memory for more recipients now"))
    }

    /// Returns `true` if the next hop answers for each recipient and the client hears one answer: the settings may have
    /// turned to LMTP since the client came.
    fn has_one_answer(&self, transaction: &Transaction) -> bool {
        self.session.dialect() == SmtpDialect::Smtp && transaction.lease.connection.at.is_lmtp()
    }

    /// Gets a connection to a next hop, and notes which one, and since when the message has it; `fresh` asks for one
    /// that nobody used. Where there is none, the next hop of before is no longer noted. For a message that is whole,
    /// whose envelope is said again, all that follows has the patience of the client that waits.
    async fn lease(&mut self, fresh: bool) -> Result<PooledConnection> {
        self.at = None;
        let mut lease = self.pool.connect(&self.listener.forward, self.own_name(), fresh).await?;
        if self.clock.whole.is_some() {
            lease.connection.client_waits_since(self.heard);
        }
        self.at = Some(lease.connection.at.clone());
        self.clock.leased = Some(Instant::now());
        Ok(lease)
    }

    /// Returns what becomes of addresses outside ASCII, by the settings that the message has.
    pub(super) fn addresses(&self) -> AddressPolicy<'_> {
        AddressPolicy { non_ascii: self.listener.forward.non_ascii_address, aliases: &self.settings.aliases }
    }
}
