//! Where the gate and today's rules differ, each with its reason.

/// Reasons about the text that is meant, which no form of writing cures: they stay rules of their own.
pub const MEANT: &[(&str, &str)] = &[
    ("contradiction(a link in it names a part by other characters than ASCII)", "references"),
    ("contradiction(its label is the only hint to 8-bit text in a header, which stays)", "the hint of a raw header"),
    ("damaged-transfer(blanks at the ends of lines, which readers read differently)", "a file, or a text that flows"),
    ("damaged-transfer(characters of several octets in lines)", "line ends of UTF-16"),
    ("parameter(a backslash at its end)", "what the profile's form can't say"),
];

/// What a rule leaves though the gate finds it regular: source, reason, why.
pub const DIFFERENCES: &[(&str, &str, &str)] = &[];
