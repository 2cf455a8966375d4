//! The values that labels may have, and the buckets of times.

use crate::message::{DefectKind, NAMED};
use crate::process::why::answer::{self, CodeKind};
use crate::rewrite::dkim2::Dkim2Refusal;

/// The upper ends of the histograms' buckets in seconds: close together where most messages are, and up to
/// where an MTA loses its patience.
pub const TIMES: [f64; 17] =
    [25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0];

/// Returns the words of one kind, each of which has [an answer](crate::process::why): what
/// [`Change::code`](crate::rewrite::Change::code), [`Reason::code`](crate::rewrite::Reason::code) and
/// [`Note::code`](crate::rewrite::Note::code) return, and beside the second why whole messages are left.
pub fn codes(kind: CodeKind) -> Vec<&'static str> {
    answer::all().filter(|(of, _)| *of == kind).map(|(_, answer)| answer.code).collect()
}

/// What becomes of messages that DKIM2 signed: an instance is [`WRITTEN`], or why something is left.
pub fn dkim2_outcomes() -> Vec<&'static str> {
    std::iter::once(WRITTEN).chain(Dkim2Refusal::ALL.map(Dkim2Refusal::word)).collect()
}

/// The outcome of a message that got an instance.
pub const WRITTEN: &str = "written";

/// The defects that have a name: [`DefectKind::name`].
pub fn defects() -> Vec<&'static str> {
    NAMED.map(DefectKind::name).to_vec()
}

/// The charsets that are counted by name, beside `8bit` and `raw` for text that named none.
pub fn charsets() -> Vec<&'static str> {
    let words = "8bit big5 euc-jp euc-kr gb18030 gb2312 gbk iso-2022-jp iso-2022-kr iso-8859-1 iso-8859-15 iso-8859-2 \
                 iso-8859-5 iso-8859-7 iso-8859-8 iso-8859-9 koi8-r koi8-u ks_c_5601-1987 raw shift_jis \
                 unicode-1-1-utf-7 us-ascii utf-16 utf-7 utf-8 windows-1250 windows-1251 windows-1252 windows-1254 \
                 windows-1256 windows-874";
    words.split(' ').collect()
}

/// How a connection ends: `done` when both sides wanted it, `denied` when it was not let in, else why it was cut.
pub fn ends() -> Vec<&'static str> {
    let words = "abuse denied done idle lost malformed no-proxy order slow-message slow-read slow-write version";
    words.split(' ').collect()
}

/// What of a message was lowered to what the next hop takes: the envelope, or what needed one of its keywords.
pub const DOWNGRADES: [&str; 3] = ["8bitmime", "envelope", "smtputf8"];

/// How a next hop fails.
pub const NEXT_HOP_ERRORS: [&str; 10] =
    ["busy", "connect", "garbage", "greeting", "login", "lost", "refused", "timeout", "tls", "unsafe"];

/// Who refuses, in the words of `By::word` (`serve/smtp/transaction.rs`).
pub const REFUSERS: [&str; 2] = ["next-hop", "septet"];

/// What becomes of a message: the log's `result`.
pub const ACTIONS: [&str; 7] = ["changed", "error", "left", "reject", "skipped", "tempfail", "unchanged"];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rewrite::{Change, Explanation, Note, Reason};

    /// Finds the words that each `fn code` of a source file gives.
    fn words_of(source: &str) -> Vec<BTreeSet<&str>> {
        let functions = source.split("fn code(&self)").skip(1).filter_map(|rest| rest.split("\n    }\n").next());
        functions.map(|body| body.split('"').skip(1).step_by(2).collect()).collect()
    }

    fn words(of: &[Explanation]) -> BTreeSet<&'static str> {
        of.iter().map(|answer| answer.code).collect()
    }

    #[test]
    fn every_word_that_a_report_counts_by_has_a_counter() {
        let mut of_reasons = words(Reason::EXPLANATIONS);
        of_reasons.extend(["max-size", "memory", "not-allowed"]);
        assert_eq!(words(Change::EXPLANATIONS), BTreeSet::from_iter(codes(CodeKind::Change)));
        assert_eq!(of_reasons, BTreeSet::from_iter(codes(CodeKind::Left)));
        assert_eq!(words(Note::EXPLANATIONS), BTreeSet::from_iter(codes(CodeKind::Note)));
    }

    #[test]
    fn every_end_of_a_connection_has_a_counter() {
        let mut found = BTreeSet::from(["denied", "done"]);
        for source in [include_str!("../stream.rs"), include_str!("../milter/end.rs"), include_str!("../smtp/end.rs")] {
            words_of(source).iter().for_each(|codes| found.extend(codes));
        }
        assert_eq!(found, BTreeSet::from_iter(ends()));
        let errors = words_of(include_str!("../smtp/next_hop/error.rs"));
        assert_eq!(errors, [BTreeSet::from(NEXT_HOP_ERRORS)]);
    }
}
