//! A strict reader of Prometheus's text format 0.0.4: it fails on whatever promtool or a scraper would not like.

use std::collections::{BTreeMap, BTreeSet};

/// Labels and their values.
type Labels = BTreeMap<String, String>;

/// One page of metrics.
#[derive(Debug, Default)]
pub struct Exposition {
    /// The families by name, with their type.
    pub families: BTreeMap<String, String>,
    /// The samples: name, labels, value.
    pub samples: Vec<(String, Labels, f64)>,
}

impl Exposition {
    /// Reads a page, or fails the test.
    pub fn read(text: &str) -> Exposition {
        assert!(text.ends_with('\n') && !text.contains('\r'), "whole lines");
        let mut page = Exposition::default();
        let (mut helped, mut family) = (BTreeSet::new(), String::new());
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                let (name, help) = rest.split_once(' ').expect("a help text");
                assert!(help.ends_with('.') && helped.insert(name.to_owned()), "{line}");
            } else if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (name, kind) = rest.split_once(' ').expect("a type");
                assert!(helped.contains(name), "help comes first: {line}");
                assert!(page.families.insert(name.to_owned(), kind.to_owned()).is_none(), "twice: {line}");
                family = name.to_owned();
            } else {
                page.sample(line, &family);
            }
        }
        page.check();
        page
    }

    fn sample(&mut self, line: &str, family: &str) {
        let (series, value) = line.rsplit_once(' ').expect("a value");
        let (name, labels) = match series.split_once('{') {
            Some((name, rest)) => (name, labels(rest.strip_suffix('}').expect("a brace"))),
            None => (series, Labels::new()),
        };
        let kind = &self.families[family];
        let suffixes: &[&str] = if kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
        assert!(suffixes.iter().any(|suffix| name == format!("{family}{suffix}")), "{line} stands below {family}");
        let value = if value == "+Inf" { f64::INFINITY } else { value.parse().expect("a number") };
        assert!(kind == "gauge" || value >= 0.0, "{line}");
        let taken = self.samples.iter().any(|(other, theirs, _)| other == name && *theirs == labels);
        assert!(!taken, "twice: {line}");
        self.samples.push((name.to_owned(), labels, value));
    }

    /// Checks names by Prometheus's conventions, and that histograms add up.
    fn check(&self) {
        for (name, kind) in &self.families {
            assert!(name.bytes().all(|octet| octet.is_ascii_lowercase() || octet == b'_'), "{name}");
            assert!(name.starts_with("septet_") || name.starts_with("process_"), "{name}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{name} {kind}");
            if kind == "histogram" {
                self.check_histogram(name);
            }
        }
    }

    fn check_histogram(&self, name: &str) {
        let buckets = self.samples.iter().filter(|(other, ..)| *other == format!("{name}_bucket"));
        let bound = |labels: &Labels| labels["le"].parse::<f64>().expect("a bound");
        let buckets: Vec<(f64, f64)> = buckets.map(|(_, labels, value)| (bound(labels), *value)).collect();
        assert!(buckets.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1), "{buckets:?}");
        let last = buckets.last().expect("buckets");
        assert_eq!(*last, (f64::INFINITY, self.sum(&format!("{name}_count"), &[])));
    }

    /// Adds the samples of a name up that have all of these labels; there must be one.
    pub fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let has = |theirs: &Labels| labels.iter().all(|(key, value)| theirs.get(*key).is_some_and(|has| has == value));
        let mut found = self.samples.iter().filter(|(other, theirs, _)| other == name && has(theirs)).peekable();
        assert!(found.peek().is_some(), "no sample of {name} {labels:?}");
        found.map(|(.., value)| value).sum()
    }

    /// Gives the names of the labels of a family, without `le`.
    pub fn labels(&self, family: &str) -> BTreeSet<String> {
        let mine = self.samples.iter().filter(|(name, ..)| name.starts_with(family) && self.family(name) == family);
        mine.flat_map(|(_, labels, _)| labels.keys().filter(|name| *name != "le").cloned()).collect()
    }

    /// Gives the family that a sample's name belongs to; fails when there is none.
    pub fn family<'a>(&'a self, sample: &'a str) -> &'a str {
        let base = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| sample.strip_suffix(suffix));
        match base.filter(|base| self.families.get(*base).is_some_and(|kind| kind == "histogram")) {
            Some(base) => base,
            None if self.families.contains_key(sample) => sample,
            None => panic!("{sample} is exported by nobody"),
        }
    }
}

/// Reads `name="value",…`.
fn labels(mut text: &str) -> Labels {
    let mut labels = Labels::new();
    while !text.is_empty() {
        let (name, rest) = text.split_once("=\"").expect("a label");
        assert!(name.bytes().all(|octet| octet.is_ascii_lowercase() || octet == b'_'), "{name}");
        let (value, rest) = value(rest);
        assert!(labels.insert(name.to_owned(), value).is_none(), "{name} twice");
        text = rest.strip_prefix(',').unwrap_or(rest);
        assert!(rest.is_empty() || rest.len() > text.len(), "a comma: {rest}");
    }
    labels
}

/// Reads a value up to its closing quote, and gives what follows that.
fn value(text: &str) -> (String, &str) {
    let (mut value, mut characters) = (String::new(), text.chars());
    loop {
        match characters.next().expect("a closing quote") {
            '"' => return (value, characters.as_str()),
            '\\' => value.push(match characters.next() {
                Some('n') => '\n',
                Some(escaped @ ('\\' | '"')) => escaped,
                other => panic!("an escape {other:?}"),
            }),
            other => value.push(other),
        }
    }
}

#[test]
fn reads_names_labels_and_escapes() {
    let page =
        "# HELP septet_x_total An x.\n# TYPE septet_x_total counter\nseptet_x_total{a=\"1\\\"\\\\,}\",b=\"\"} 2\n";
    let page = Exposition::read(page);
    assert_eq!(page.sum("septet_x_total", &[("a", "1\"\\,}"), ("b", "")]), 2.0);
    assert_eq!(page.labels("septet_x_total").len(), 2);
}
