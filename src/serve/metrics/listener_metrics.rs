//! What is counted listener by listener, and of each message.

use std::sync::Arc;
use std::time::Duration;

use prometheus::{IntCounter, IntGauge};

use super::Metrics;
use super::labelled_counters::LabelledCounters;
use super::lists::{ACTIONS, REFUSERS, WRITTEN};
use crate::config::SocketAddress;
use crate::rewrite::{Change, Outcome, Reason, label_and_charset};
use crate::serve::outcome::{Details, MessageOutcome};

/// The metrics of one listener; the others are behind it.
#[derive(Debug)]
pub struct ListenerMetrics {
    /// What is counted of all listeners together.
    pub all: Arc<Metrics>,
    messages: LabelledCounters,
    bytes: IntCounter,
    accepted: IntCounter,
    connections: IntGauge,
    /// The commands and messages that were refused, by who did.
    pub refusals: LabelledCounters,
}

/// A connection that counts as open until this is dropped.
#[derive(Debug)]
pub struct Connected(IntGauge);

/// How long a message took.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// From its end until its changes were worked out; where septet forwards, without the wait for its turn.
    pub plan: Duration,
    /// From its end until the answer was taken; where septet forwards, until it was known.
    pub whole: Duration,
}

impl Metrics {
    /// Looks up the counters of a listener, by its socket as the settings have it.
    pub fn for_listener(self: &Arc<Metrics>, socket: &SocketAddress) -> ListenerMetrics {
        let socket = socket.to_string();
        let labels = &[socket.as_str()];
        ListenerMetrics {
            messages: LabelledCounters::within(&self.messages, labels, &ACTIONS),
            bytes: self.bytes.with_label_values(labels),
            accepted: self.accepted.with_label_values(labels),
            connections: self.connections.with_label_values(labels),
            refusals: LabelledCounters::within(&self.refusals, labels, &REFUSERS),
            all: Arc::clone(self),
        }
    }

    /// Counts each decision about a message, or why there was none. Changes of a message that is not `taken` are not
    /// counted, for they were not made.
    fn count_details(&self, details: &Details, taken: bool) {
        match details {
            Details::Report(report) => report.entries.iter().for_each(|entry| self.count_place(&entry.outcome, taken)),
            Details::Left { reason, .. } => self.left.count(reason),
            Details::Failed(_) => self.left.count("internal"),
        }
    }

    /// Counts one decision. A defect that was refused or not fixed also counts by its name.
    fn count_place(&self, outcome: &Outcome, taken: bool) {
        match outcome {
            Outcome::Done(_) if !taken => {}
            Outcome::Done(changes) => changes.iter().for_each(|change| self.count_change(change)),
            Outcome::Left(reason) => {
                self.left.count(reason.counted_as());
                if let Reason::Refused { defect, .. } | Reason::Unfixed { defect, .. } = reason {
                    self.defects.count(defect.name());
                }
                if let Reason::Dkim2(why) = reason {
                    self.dkim2.count(why.word());
                }
            }
            Outcome::Noted(note) => self.notes.count(note.code()),
        }
    }

    /// Counts a change by its kind; a defect that was fixed also by its name, an instance by its octets, and a text
    /// that was converted by its charset, which is the one it was read in where its label was wrong.
    fn count_change(&self, change: &Change) {
        self.changes.count(change.code());
        if let Change::Fixed { defect } = change {
            self.defects.count(defect.name());
        }
        if let Change::Instance { octets, .. } = change {
            self.dkim2.count(WRITTEN);
            self.instance_bytes.inc_by(*octets as u64);
        }
        if let Change::Charset { from, .. } | Change::Word { from, .. } | Change::Parameter { from, .. } = change {
            let (label, really) = label_and_charset(&from.name);
            self.charsets.count(really.unwrap_or(label));
            // A text in UTF-7 is one that scanners before us have not read.
            if from.name.contains("utf-7") {
                self.notes.count("utf-7");
            }
        }
    }
}

impl ListenerMetrics {
    /// Counts a connection, which is open until what this gives is dropped.
    pub fn connected(&self) -> Connected {
        self.accepted.inc();
        self.connections.inc();
        Connected(self.connections.clone())
    }

    /// Counts a message that was answered; `queue_id` is what the MTA calls it.
    pub fn message(&self, outcome: &MessageOutcome, queue_id: &[u8], bytes: usize, times: Times) {
        self.messages.count(outcome.counted_as());
        self.bytes.inc_by(bytes as u64);
        self.all.plan_time.observe(times.plan.as_secs_f64());
        self.all.message_time.observe(times.whole.as_secs_f64());
        self.all.count_details(&outcome.details, outcome.is_taken());
        self.all.recent.add(outcome, queue_id, bytes, times);
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.dec();
    }
}
