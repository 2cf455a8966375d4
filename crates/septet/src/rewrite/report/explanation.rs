//! What is to be known of a word of a report: one table for each kind, beside the words themselves.
//!
//! Each table is a `match` over all variants, so that a new one doesn't compile before it has its word, a sentence that
//! says what it means, and one that says what helps. Names of keys and what is typed stand in backticks.

/// What is to be known of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The word, as reports and counters have it.
    pub code: &'static str,
    /// What it means.
    pub says: &'static str,
    /// What helps; of a change, what it depends on.
    pub helps: &'static str,
}

/// Makes the table of a kind.
macro_rules! explained {
    ($type:ty: $($pattern:pat => $code:literal, $says:literal, $helps:literal;)+) => {
        impl $type {
            /// The table, in the order of the documentation.
            #[doc(hidden)]
            pub const EXPLANATIONS: &'static [Explanation] =
                &[$(Explanation { code: $code, says: $says, helps: $helps }),+];

            /// Returns its stable name, without the particulars.
            pub fn code(&self) -> &'static str {
                self.explanation().code
            }

            /// Returns what is to be known of it.
            #[doc(hidden)]
            pub fn explanation(&self) -> Explanation {
                match self {
                    $($pattern => Explanation { code: $code, says: $says, helps: $helps },)+
                }
            }
        }
    };
}

pub(super) use explained;
