//! Makes figures and registers them; an error is a bad name or one that is taken, which a test would have seen.

use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, Result};

use super::lists::TIMES;

/// Registers a counter.
pub fn counter(registry: &Registry, name: &str, help: &str) -> Result<IntCounter> {
    let counter = IntCounter::new(name, help)?;
    registry.register(Box::new(counter.clone()))?;
    Ok(counter)
}

/// Registers a family of counters.
pub fn counters(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> Result<IntCounterVec> {
    let counters = IntCounterVec::new(Opts::new(name, help), labels)?;
    registry.register(Box::new(counters.clone()))?;
    Ok(counters)
}

/// Registers a gauge.
pub fn gauge(registry: &Registry, name: &str, help: &str) -> Result<IntGauge> {
    let gauge = IntGauge::new(name, help)?;
    registry.register(Box::new(gauge.clone()))?;
    Ok(gauge)
}

/// Registers a family of gauges.
pub fn gauges(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> Result<IntGaugeVec> {
    let gauges = IntGaugeVec::new(Opts::new(name, help), labels)?;
    registry.register(Box::new(gauges.clone()))?;
    Ok(gauges)
}

/// Registers a histogram of times.
pub fn times(registry: &Registry, name: &str, help: &str) -> Result<Histogram> {
    let histogram = Histogram::with_opts(HistogramOpts::new(name, help).buckets(TIMES.to_vec()))?;
    registry.register(Box::new(histogram.clone()))?;
    Ok(histogram)
}
