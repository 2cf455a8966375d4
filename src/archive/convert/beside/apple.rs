//! Apple Mail: the flags of a message are the bits of the number `flags` in the property list behind it.

use super::marks::MessageMarks;

/// Returns what the bits say of a message; one that Apple Mail has was seen by a mail program, though perhaps not read.
pub fn marks_of(bits: u64) -> MessageMarks {
    MessageMarks::of(|flag| bits & flag.apple != 0, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_flags() {
        for (bits, letters) in [(8_590_195_729, "FS"), (0, ""), (1 | 1 << 2 | 1 << 8, "PRS"), (1 << 1 | 1 << 6, "DT")] {
            let marks = marks_of(bits);
            assert_eq!((marks.letters(), marks.is_new()), (letters, false), "{bits}");
        }
    }
}
