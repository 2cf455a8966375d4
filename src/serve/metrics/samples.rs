//! What the metrics count, as numbers to show.

use prometheus::proto::{Metric, MetricFamily};

/// All metrics as they were at one moment.
#[derive(Debug)]
pub struct Samples(pub(super) Vec<MetricFamily>);

impl Samples {
    /// Returns the sum of a family's numbers over all labels; 0 where there is no such family.
    pub fn sum(&self, family: &str) -> u64 {
        self.of(family).map(value).sum()
    }

    /// Returns the numbers of a family by a label, summed over its other labels, the largest first; nothing that is 0.
    pub fn by(&self, family: &str, label: &str) -> Vec<(String, u64)> {
        let mut sums: Vec<(String, u64)> = Vec::new();
        for metric in self.of(family).filter(|metric| value(metric) > 0) {
            let Some(of) = label_of(metric, label) else { continue };
            match sums.iter_mut().find(|(known, _)| known == of) {
                Some((_, sum)) => *sum += value(metric),
                None => sums.push((of.to_owned(), value(metric))),
            }
        }
        sums.sort_by(|(a, first), (b, second)| second.cmp(first).then_with(|| a.cmp(b)));
        sums
    }

    /// Returns the sum of a family where a label has this value; 0 where there is none.
    pub fn where_is(&self, family: &str, label: &str, wanted: &str) -> u64 {
        self.of(family).filter(|metric| label_of(metric, label) == Some(wanted)).map(value).sum()
    }

    /// Returns the metrics of a family.
    fn of(&self, family: &str) -> impl Iterator<Item = &Metric> {
        self.0.iter().filter(move |of| of.name() == family).flat_map(|of| of.get_metric())
    }
}

/// Returns the value of a label; none where the metric does not have it.
fn label_of<'m>(metric: &'m Metric, label: &str) -> Option<&'m str> {
    metric.get_label().iter().find(|pair| pair.name() == label).map(|pair| pair.value())
}

/// Returns the number of a counter or a gauge; one has it and the other is 0.
fn value(metric: &Metric) -> u64 {
    // They are whole numbers, and far from 2^53.
    (metric.get_counter().get_value() + metric.get_gauge().get_value()).max(0.0) as u64
}
