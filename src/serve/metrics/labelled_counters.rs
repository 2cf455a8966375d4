//! Counters with a label whose values are a short list of words.

use prometheus::{IntCounter, IntCounterVec, Registry, Result};

use super::families::counters;

/// The value under which everything counts that is not in the list.
const OTHER: &str = "other";

/// One counter for each word of a list, and one for all other words.
///
/// What is counted may come from the mail, such as the label of a charset. A label with values from the mail
/// would let anybody fill the memory of septet and of Prometheus; with a list it can't. The counters are looked
/// up once, here, so that counting takes no lock.
#[derive(Debug)]
pub struct LabelledCounters {
    counters: Vec<(&'static str, IntCounter)>,
    other: Option<IntCounter>,
}

impl LabelledCounters {
    /// Registers the family `name`; every counter starts at 0, so that Prometheus sees the first event too.
    pub fn register(registry: &Registry, name: &str, words: &[&'static str]) -> Result<LabelledCounters> {
        let family = counters(registry, name)?;
        let other = Some(family.get_metric_with_label_values(&[OTHER])?);
        Ok(LabelledCounters { other, ..LabelledCounters::within(&family, &[], words) })
    }

    /// Takes the counters of a registered family: one for each of `words` as the last label, behind the values `first`
    /// of the labels before it. Other words don't count.
    pub fn within(family: &IntCounterVec, first: &[&str], words: &[&'static str]) -> LabelledCounters {
        let counters = words.iter().map(|word| (*word, family.with_label_values(&[first, &[*word]].concat())));
        LabelledCounters { counters: counters.collect(), other: None }
    }

    /// Counts `word` once more, or as `other` where it is not in the list and the family counts those. The case of its
    /// letters does not matter.
    pub fn count(&self, word: &str) {
        let counter = self.counters.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        if let Some(counter) = counter.map(|(_, counter)| counter).or(self.other.as_ref()) {
            counter.inc();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_words_make_no_series() {
        let registry = Registry::new();
        let words = LabelledCounters::register(&registry, "septet_charsets_total", &["utf-8", "big5"]);
        let words = words.expect("good names");
        ["UTF-8", "big5", "utf-8", "nonsense", "more nonsense"].iter().for_each(|word| words.count(word));
        let text = prometheus::TextEncoder::new().encode_to_string(&registry.gather()).expect("text");
        let samples: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let wanted = [("big5", 1), ("other", 2), ("utf-8", 2)];
        let wanted = wanted.map(|(word, count)| format!("septet_charsets_total{{charset=\"{word}\"}} {count}"));
        assert_eq!(samples, wanted);
    }
}
