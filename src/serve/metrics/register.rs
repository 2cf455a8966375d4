//! Makes metrics and registers them; an error is a bad name or one that is taken, which a test would have seen.

use prometheus::core::Collector;
use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, Result};

use super::lists::TIMES;

/// Registers what was made.
pub fn register<C: Collector + Clone + 'static>(registry: &Registry, made: Result<C>) -> Result<C> {
    let metric = made?;
    registry.register(Box::new(metric.clone()))?;
    Ok(metric)
}

/// Registers a counter.
pub fn counter(registry: &Registry, name: &str, help: &str) -> Result<IntCounter> {
    register(registry, IntCounter::new(name, help))
}

/// Registers a family of counters.
pub fn counters(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> Result<IntCounterVec> {
    register(registry, IntCounterVec::new(Opts::new(name, help), labels))
}

/// Registers a gauge.
pub fn gauge(registry: &Registry, name: &str, help: &str) -> Result<IntGauge> {
    register(registry, IntGauge::new(name, help))
}

/// Registers a family of gauges.
pub fn gauges(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> Result<IntGaugeVec> {
    register(registry, IntGaugeVec::new(Opts::new(name, help), labels))
}

/// Registers a histogram of times.
pub fn times(registry: &Registry, name: &str, help: &str) -> Result<Histogram> {
    register(registry, Histogram::with_opts(HistogramOpts::new(name, help).buckets(TIMES.to_vec())))
}
