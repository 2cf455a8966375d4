//! Metrics of the daemon, for Prometheus; docs/metrics.md tells operators what each of them means.
//!
//! | module | what |
//! |---|---|
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
mod labelled_counters;
mod listener_metrics;
mod lists;
mod process;
mod recent;
mod register;
mod samples;
mod state;

use prometheus::{Histogram, IntCounter, IntCounterVec, IntGaugeVec, Registry, TextEncoder};

use labelled_counters::LabelledCounters;
pub use listener_metrics::{ListenerMetrics, Times};
use lists::{CHARSETS, DEFECTS, DOWNGRADES, ENDS, NEXT_HOP_ERRORS, changes, dkim2_outcomes, notes, reasons};
use recent::Recent;
pub use recent::RecentDecision;
use register::{counter, counters, gauges, times};
pub use samples::Samples;
pub use state::Now;
use state::{CapacityMetrics, Reloads, register_constants};

/// Every metric of the daemon.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    messages: IntCounterVec,
    bytes: IntCounterVec,
    accepted: IntCounterVec,
    connections: IntGaugeVec,
    ends: LabelledCounters,
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
    next_hop_time: Histogram,
    next_hop_errors: LabelledCounters,
    downgrades: LabelledCounters,
    progress: IntCounter,
    full: IntCounter,
    refused: IntCounter,
    limits: CapacityMetrics,
    /// How reloads went.
    pub reloads: Reloads,
    /// What was done last.
    pub recent: Recent,
    process: process::Process,
}

impl Metrics {
    /// Registers everything; an error would be a fault of ours in a name.
    pub fn new() -> prometheus::Result<Metrics> {
        let registry = Registry::new();
        let r = &registry;
        register_constants(r)?;
        Ok(Metrics {
            messages: counters(
                r,
                "septet_messages_total",
                "Messages, by what became of them.",
                &["listener", "action"],
            )?,
            bytes: counters(
                r,
                "septet_message_bytes_total",
                "Octets of messages, as the MTA showed them.",
                &["listener"],
            )?,
            accepted: counters(r, "septet_connections_total", "Connections that were accepted.", &["listener"])?,
            connections: gauges(r, "septet_connections", "Connections that are open.", &["listener"])?,
            refusals: counters(
                r,
                "septet_refusals_total",
                "Commands and messages of clients that were refused, by who refused them.",
                &["listener", "by"],
            )?,
            ends: LabelledCounters::register(
                r,
                "septet_connections_closed_total",
                "Connections that ended, by why.",
                "reason",
                &ENDS,
            )?,
            changes: LabelledCounters::register(
                r,
                "septet_changes_total",
                "Changes to messages, by kind.",
                "kind",
                &changes(),
            )?,
            left: LabelledCounters::register(
                r,
                "septet_left_total",
                "Places that should have been changed and were left, by why.",
                "reason",
                &reasons(),
            )?,
            notes: LabelledCounters::register(
                r,
                "septet_notes_total",
                "Places where a reader should look, by why.",
                "note",
                &notes(),
            )?,
            defects: LabelledCounters::register(
                r,
                "septet_defects_total",
                "Defects that the settings ask about, fixed or not.",
                "defect",
                &DEFECTS,
            )?,
            charsets: LabelledCounters::register(
                r,
                "septet_charsets_total",
                "Texts that were converted, by the charset they came in.",
                "charset",
                &CHARSETS,
            )?,
            dkim2: LabelledCounters::register(
                r,
                "septet_instances_total",
                "Messages signed by DKIM2 that got a Message-Instance, and places that were left, by why.",
                "outcome",
                &dkim2_outcomes(),
            )?,
            instance_bytes: counter(
                r,
                "septet_instance_bytes_total",
                "Octets of fields Message-Instance that were added.",
            )?,
            plan_time: times(r, "septet_plan_duration_seconds", "Time to work out what a message's changes are.")?,
            message_time: times(
                r,
                "septet_message_duration_seconds",
                "Time from the end of a message until its answer was taken.",
            )?,
            next_hop_time: times(
                r,
                "septet_next_hop_duration_seconds",
                "Time from the end of a message until the next hop answered.",
            )?,
            next_hop_errors: LabelledCounters::register(
                r,
                "septet_next_hop_errors_total",
                "Failures of next hops, by kind.",
                "reason",
                &NEXT_HOP_ERRORS,
            )?,
            downgrades: LabelledCounters::register(
                r,
                "septet_downgrades_total",
                "Messages that were lowered to what the next hop takes, by what it lacks.",
                "reason",
                &DOWNGRADES,
            )?,
            progress: counter(r, "septet_progress_total", "How often an MTA was told to wait on.")?,
            full: counter(
                r,
                "septet_connections_full_total",
                "How often every connection that is allowed was in use, so that further ones waited.",
            )?,
            refused: counter(r, "septet_accept_errors_total", "How often the system refused to accept a connection.")?,
            limits: CapacityMetrics::new(r)?,
            reloads: Reloads::new(r)?,
            recent: Recent::new(),
            process: process::Process::new(r)?,
            registry,
        })
    }

    /// Writes all metrics in the text format of Prometheus.
    pub fn text(&self, now: Now) -> prometheus::Result<String> {
        TextEncoder::new().encode_to_string(&self.samples(now).0)
    }

    /// Brings what is not counted as it happens up to date, and returns all metrics as they are then.
    pub fn samples(&self, now: Now) -> Samples {
        self.limits.set(now);
        self.process.look();
        Samples(self.registry.gather())
    }
}
