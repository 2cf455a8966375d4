//! Every family of metrics: its name, its labels, and what it counts. Each is made and registered by its name; an error
//! is a name that is taken or not listed, which a test would have seen.

use prometheus::core::Collector;
use prometheus::{
    Error, Gauge, Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, Result,
};

use super::lists::TIMES;

/// A family: name, labels, what Prometheus is told that it is.
type Family = (&'static str, &'static [&'static str], &'static str);

/// Those of the daemon. docs/metrics.md tells operators what they mean.
const FAMILIES: [Family; 32] = [
    ("process_open_fds", &[], "Open file descriptors of the process."),
    ("process_resident_memory_bytes", &[], "Resident memory of the process."),
    ("septet_accept_errors_total", &[], "How often the system refused to accept a connection."),
    ("septet_build_info", &[], "Which septet this is; always 1."),
    ("septet_changes_total", &["kind"], "Changes to messages, by kind."),
    ("septet_charsets_total", &["charset"], "Texts that were converted, by the charset they came in."),
    (
        "septet_config_last_reload_success_timestamp_seconds",
        &[],
        "When the settings that hold were read, in seconds since 1970.",
    ),
    ("septet_config_last_reload_successful", &[], "Whether the last reload was taken: 1 or 0."),
    ("septet_config_reloads_total", &["result"], "Reloads of the settings."),
    ("septet_connections", &["listener"], "Connections that are open."),
    ("septet_connections_closed_total", &["reason"], "Connections that ended, by why."),
    (
        "septet_connections_full_total",
        &[],
        "How often every connection that is allowed was in use, so that further ones waited.",
    ),
    ("septet_connections_limit", &[], "How many connections there may be."),
    ("septet_connections_total", &["listener"], "Connections that were accepted."),
    ("septet_defects_total", &["defect"], "Defects that the settings ask about, fixed or not."),
    (
        "septet_downgrades_total",
        &["reason"],
        "Messages that were lowered to what the next hop takes, by what it lacks.",
    ),
    ("septet_instance_bytes_total", &[], "Octets of fields Message-Instance that were added."),
    (
        "septet_instances_total",
        &["outcome"],
        "Messages signed by DKIM2 that got a Message-Instance, and places that were left, by why.",
    ),
    ("septet_left_total", &["reason"], "Places that should have been changed and were left, by why."),
    ("septet_log_lines_dropped_total", &[], "Lines of the log that nobody took in time."),
    ("septet_memory_bytes", &[], "Octets held of mail and for work on it."),
    ("septet_memory_limit_bytes", &[], "Octets that may be held."),
    ("septet_message_bytes_total", &["listener"], "Octets of messages, as the MTA showed them."),
    ("septet_message_duration_seconds", &[], "Time from the end of a message until its answer was taken."),
    ("septet_messages_total", &["listener", "action"], "Messages, by what became of them."),
    ("septet_next_hop_duration_seconds", &[], "Time from the end of a message until the next hop answered."),
    ("septet_next_hop_errors_total", &["reason"], "Failures of next hops, by kind."),
    ("septet_notes_total", &["note"], "Places where a reader should look, by why."),
    ("septet_plan_duration_seconds", &[], "Time to work out what a message's changes are."),
    ("septet_progress_total", &[], "How often an MTA was told to wait on."),
    (
        "septet_refusals_total",
        &["listener", "by"],
        "Commands and messages of clients that were refused, by who refused them.",
    ),
    ("septet_start_time_seconds", &[], "When the daemon was started, in seconds since 1970."),
];

/// Finds a family by its name.
fn family(name: &str) -> Result<&'static Family> {
    FAMILIES.iter().find(|(listed, ..)| *listed == name).ok_or_else(|| Error::Msg(format!("no family is named {name}")))
}

/// Returns what a metric is made of.
pub fn opts(name: &str) -> Result<Opts> {
    let (_, _, help) = family(name)?;
    Ok(Opts::new(name, *help))
}

/// Registers what was made.
pub fn register<C: Collector + Clone + 'static>(registry: &Registry, made: Result<C>) -> Result<C> {
    let metric = made?;
    registry.register(Box::new(metric.clone()))?;
    Ok(metric)
}

/// Registers a counter.
pub fn counter(registry: &Registry, name: &str) -> Result<IntCounter> {
    register(registry, IntCounter::with_opts(opts(name)?))
}

/// Registers a family of counters.
pub fn counters(registry: &Registry, name: &str) -> Result<IntCounterVec> {
    register(registry, IntCounterVec::new(opts(name)?, family(name)?.1))
}

/// Registers a gauge.
pub fn gauge(registry: &Registry, name: &str) -> Result<IntGauge> {
    register(registry, IntGauge::with_opts(opts(name)?))
}

/// Registers a family of gauges.
pub fn gauges(registry: &Registry, name: &str) -> Result<IntGaugeVec> {
    register(registry, IntGaugeVec::new(opts(name)?, family(name)?.1))
}

/// Registers a gauge of a moment, in seconds since 1970.
pub fn moment(registry: &Registry, name: &str) -> Result<Gauge> {
    register(registry, Gauge::with_opts(opts(name)?))
}

/// Registers a histogram of times.
pub fn times(registry: &Registry, name: &str) -> Result<Histogram> {
    register(registry, Histogram::with_opts(HistogramOpts { common_opts: opts(name)?, buckets: TIMES.to_vec() }))
}
