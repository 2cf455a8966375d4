//! Metrics of the daemon as a whole: how full it is, by which settings it runs and since when.

use std::time::{SystemTime, UNIX_EPOCH};

use prometheus::{Gauge, IntCounter, IntGauge, Registry, Result};

use super::families::{counter, counters, gauge, moment, opts, register};
use super::labelled_counters::LabelledCounters;
use super::process;
use crate::process::logging;

/// What holds now, and where it ends.
#[derive(Debug, Clone, Copy)]
pub struct Now {
    /// Octets of mail in memory.
    pub memory: usize,
    /// How many may be.
    pub memory_limit: usize,
    /// How many connections there may be.
    pub connection_limit: usize,
}

/// How full the daemon is.
#[derive(Debug)]
pub struct CapacityMetrics {
    memory: IntGauge,
    memory_limit: IntGauge,
    connection_limit: IntGauge,
    log_dropped: IntCounter,
    /// Memory and files of the process, under the names that every exporter of Prometheus gives them.
    resident: IntGauge,
    files: IntGauge,
}

/// How reloads of the settings went.
#[derive(Debug)]
pub struct Reloads {
    results: LabelledCounters,
    /// Whether the last one was taken: 1 or 0.
    is_good: IntGauge,
    /// When the settings that hold were read, in seconds since 1970.
    last_good: Gauge,
}

impl CapacityMetrics {
    /// Registers them.
    pub fn new(registry: &Registry) -> Result<CapacityMetrics> {
        Ok(CapacityMetrics {
            memory: gauge(registry, "septet_memory_bytes")?,
            memory_limit: gauge(registry, "septet_memory_limit_bytes")?,
            connection_limit: gauge(registry, "septet_connections_limit")?,
            log_dropped: counter(registry, "septet_log_lines_dropped_total")?,
            resident: gauge(registry, "process_resident_memory_bytes")?,
            files: gauge(registry, "process_open_fds")?,
        })
    }

    /// Sets the gauges to what holds now, and adds the lines of the log that were dropped since the last call. What the
    /// system does not tell of the process stays as it was.
    pub fn set(&self, now: Now) {
        let gauges = [
            (&self.memory, now.memory),
            (&self.memory_limit, now.memory_limit),
            (&self.connection_limit, now.connection_limit),
        ];
        gauges.iter().for_each(|(gauge, value)| gauge.set(i64::try_from(*value).unwrap_or(i64::MAX)));
        self.log_dropped.inc_by(logging::dropped().saturating_sub(self.log_dropped.get()));
        for (gauge, told) in [(&self.resident, process::resident_memory()), (&self.files, process::open_files())] {
            gauge.set(told.unwrap_or(gauge.get()));
        }
    }
}

impl Reloads {
    /// Registers them.
    pub fn new(registry: &Registry) -> Result<Reloads> {
        let family = counters(registry, "septet_config_reloads_total")?;
        let is_good = gauge(registry, "septet_config_last_reload_successful")?;
        is_good.set(1);
        let last_good = moment(registry, "septet_config_last_reload_success_timestamp_seconds")?;
        last_good.set(unix_time());
        Ok(Reloads { results: LabelledCounters::within(&family, &[], &["ok", "failed"]), is_good, last_good })
    }

    /// Counts a reload, `good` where its settings were taken. The start counts as none, but its settings are the last
    /// good ones until a reload brings others.
    pub fn count(&self, good: bool) {
        self.results.count(if good { "ok" } else { "failed" });
        self.is_good.set(good.into());
        if good {
            self.last_good.set(unix_time());
        }
    }
}

/// Registers what stays the same from the start on: the version, and when the daemon was started.
pub fn register_constants(registry: &Registry) -> Result<()> {
    let build = opts("septet_build_info")?.const_label("version", env!("CARGO_PKG_VERSION"));
    register(registry, IntGauge::with_opts(build))?.set(1);
    moment(registry, "septet_start_time_seconds")?.set(unix_time());
    Ok(())
}

/// Returns the seconds since 1970; 0 where the clock stands before that.
fn unix_time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
