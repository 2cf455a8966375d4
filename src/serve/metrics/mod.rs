//! Metrics of the daemon, for Prometheus; docs/metrics.md tells operators what each of them means.
//!
//! | module | what |
//! |---|---|
//! | [`families`] | every family, by its name |
//! | [`labelled_counters`], [`lists`] | counters by a short list of words, and these lists |
//! | [`state`] | how full the daemon is, by which settings it runs and since when |
//! | [`listener_metrics`] | what is counted listener by listener, and of each message |
//! | [`recent`] | the last minute, and the last decisions by their codes |
//! | [`samples`] | all of them as numbers to show |
//! | [`process`] | what the system says of the process |
//! | [`endpoint`] | the socket where `/metrics`, `/health` and [the status](super::status) are served |
//!
//! The registry is the crate `prometheus`, without its protobuf. Its counters and histograms are atomics with
//! fixed buckets. The recorder of metrics-exporter-prometheus keeps every single observation until the next
//! scrape, which at 80,000 messages a second is memory that nobody has asked for; and it writes its families in
//! another order each time.
//!
//! Everything is counted whether or not somebody asks, since a reload may bring the socket at any time. A message costs
//! some ten atomic additions, one more for each decision, and one short lock for [what was done last](recent).

pub mod endpoint;
mod families;
mod labelled_counters;
mod listener_metrics;
mod lists;
mod process;
mod recent;
mod samples;
mod state;

use prometheus::{Histogram, IntCounter, IntCounterVec, IntGaugeVec, Registry, TextEncoder};

use families::{counter, counters, gauges, times};
use labelled_counters::LabelledCounters;
pub use listener_metrics::{ListenerMetrics, Times};
use lists::{DOWNGRADES, NEXT_HOP_ERRORS, charsets, codes, defects, dkim2_outcomes, ends};
use recent::Recent;
pub use recent::RecentDecision;
pub use samples::Samples;
pub use state::Now;
use state::{CapacityMetrics, Reloads, register_constants};

use crate::process::why::answer::CodeKind;

/// Every metric of the daemon.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    messages: IntCounterVec,
    bytes: IntCounterVec,
    accepted: IntCounterVec,
    connections: IntGaugeVec,
    /// The ends of connections.
    pub ends: LabelledCounters,
    refusals: IntCounterVec,
    changes: LabelledCounters,
    left: LabelledCounters,
    notes: LabelledCounters,
    defects: LabelledCounters,
    charsets: LabelledCounters,
    dkim2: LabelledCounters,
    instance_bytes: IntCounter,
    plan_time: Histogram,
    message_time: Histogram,
    /// How long next hops took to answer a message.
    pub next_hop_time: Histogram,
    /// The failures of next hops.
    pub next_hop_errors: LabelledCounters,
    /// What was lowered to what the next hop takes, by the words of [`DOWNGRADES`].
    pub downgrades: LabelledCounters,
    /// How often an MTA was told to wait on.
    pub progress: IntCounter,
    /// How often every connection that is allowed was in use.
    pub full: IntCounter,
    /// The connections that the system refused to accept.
    pub refused: IntCounter,
    capacity: CapacityMetrics,
    /// How reloads went.
    pub reloads: Reloads,
    /// What was done last.
    pub recent: Recent,
}

impl Metrics {
    /// Registers everything; an error would be a fault of ours in a name.
    pub fn new() -> prometheus::Result<Metrics> {
        let registry = Registry::new();
        let r = &registry;
        register_constants(r)?;
        Ok(Metrics {
            messages: counters(r, "septet_messages_total")?,
            bytes: counters(r, "septet_message_bytes_total")?,
            accepted: counters(r, "septet_connections_total")?,
            connections: gauges(r, "septet_connections")?,
            refusals: counters(r, "septet_refusals_total")?,
            ends: LabelledCounters::register(r, "septet_connections_closed_total", &ends())?,
            changes: LabelledCounters::register(r, "septet_changes_total", &codes(CodeKind::Change))?,
            left: LabelledCounters::register(r, "septet_left_total", &codes(CodeKind::Left))?,
            notes: LabelledCounters::register(r, "septet_notes_total", &codes(CodeKind::Note))?,
            defects: LabelledCounters::register(r, "septet_defects_total", &defects())?,
            charsets: LabelledCounters::register(r, "septet_charsets_total", &charsets())?,
            dkim2: LabelledCounters::register(r, "septet_instances_total", &dkim2_outcomes())?,
            instance_bytes: counter(r, "septet_instance_bytes_total")?,
            plan_time: times(r, "septet_plan_duration_seconds")?,
            message_time: times(r, "septet_message_duration_seconds")?,
            next_hop_time: times(r, "septet_next_hop_duration_seconds")?,
            next_hop_errors: LabelledCounters::register(r, "septet_next_hop_errors_total", &NEXT_HOP_ERRORS)?,
            downgrades: LabelledCounters::register(r, "septet_downgrades_total", &DOWNGRADES)?,
            progress: counter(r, "septet_progress_total")?,
            full: counter(r, "septet_connections_full_total")?,
            refused: counter(r, "septet_accept_errors_total")?,
            capacity: CapacityMetrics::new(r)?,
            reloads: Reloads::new(r)?,
            recent: Recent::new(),
            registry,
        })
    }

    /// Writes all metrics in the text format of Prometheus.
    pub fn text(&self, now: Now) -> prometheus::Result<String> {
        TextEncoder::new().encode_to_string(&self.samples(now).0)
    }

    /// Brings what is not counted as it happens up to date, and returns all metrics as they are then.
    pub fn samples(&self, now: Now) -> Samples {
        self.capacity.set(now);
        Samples(self.registry.gather())
    }
}
