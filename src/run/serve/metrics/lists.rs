//! The values that labels may have, and the buckets of times.

/// The upper ends of the histograms' buckets in seconds: close together where most messages are, and up to
/// where an MTA loses its patience.
pub const TIMES: [f64; 17] =
    [25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0];

/// The kinds of changes: [`Change::code`](crate::rewrite::Change::code).
pub const CHANGES: [&str; 10] =
    ["added", "charset", "iris", "label", "meta", "parameter", "repaired", "transfer", "unescaped", "word"];

/// Why a place is left: [`Reason::code`](crate::rewrite::Reason::code), and of whole messages `memory`, for which
/// there was no room, `not-allowed`, whose edits the MTA does not take, and `long-field`, which it would cut.
pub const REASONS: [&str; 18] = [
    "control",
    "damaged-transfer",
    "dkim",
    "encrypted",
    "inline-pgp",
    "limit",
    "long-field",
    "long-line",
    "loss",
    "malformed",
    "memory",
    "not-allowed",
    "signed",
    "smime",
    "syntax",
    "unknown-charset",
    "unknown-transfer",
    "unlabelled",
];

/// What is noted: [`Note::code`](crate::rewrite::Note::code).
pub const NOTES: [&str; 4] = ["homograph", "link", "utf-7", "utf-7-tolerated"];

/// The charsets that are counted by name, beside `8bit` and `raw` for text that named none.
pub const CHARSETS: [&str; 32] = [
    "8bit",
    "big5",
    "euc-jp",
    "euc-kr",
    "gb18030",
    "gb2312",
    "gbk",
    "iso-2022-jp",
    "iso-2022-kr",
    "iso-8859-1",
    "iso-8859-15",
    "iso-8859-2",
    "iso-8859-5",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-9",
    "koi8-r",
    "koi8-u",
    "ks_c_5601-1987",
    "raw",
    "shift_jis",
    "unicode-1-1-utf-7",
    "us-ascii",
    "utf-16",
    "utf-7",
    "utf-8",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1254",
    "windows-1256",
    "windows-874",
];

/// How a connection ends: `done` when both sides wanted it, else why it was cut.
pub const ENDS: [&str; 8] = ["done", "idle", "lost", "malformed", "order", "slow-read", "slow-write", "version"];

/// What becomes of a message: the log's `result`, but `tempfail` whenever the client is to come again.
pub const ACTIONS: [&str; 6] = ["changed", "error", "left", "skipped", "tempfail", "unchanged"];
