//! Why a message with DKIM2 is left.

use crate::rewrite::Explanation;

/// Why a message that carries DKIM2 is left, or its From: what would be written could not be undone by the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dkim2Refusal {
    /// A field From would change, which only the domain in it may sign.
    From,
    /// A body has a CR or LF that ends no line, which no recipe can say.
    LineEnds,
    /// A line of the header is no field, or holds a CR or LF that is no fold.
    Header,
    /// The field would be longer than `dkim2_field`.
    Size,
    /// The message has as many instances as it may have.
    Length,
    /// The fields of DKIM2 do not follow their grammar, or their numbers have gaps.
    Malformed,
    /// The hashes that came with the message are not its own.
    Mismatch,
}

impl Dkim2Refusal {
    /// All of them, in the order of the documentation.
    pub const ALL: [Dkim2Refusal; 7] = [
        Dkim2Refusal::From,
        Dkim2Refusal::LineEnds,
        Dkim2Refusal::Header,
        Dkim2Refusal::Size,
        Dkim2Refusal::Length,
        Dkim2Refusal::Malformed,
        Dkim2Refusal::Mismatch,
    ];

    /// Returns its word, as it stands in brackets behind `dkim2`.
    pub fn word(self) -> &'static str {
        let code = self.explanation().code;
        code.trim_start_matches("dkim2(").trim_end_matches(')')
    }

    /// Returns what is to be known of it, under the word that a report has for it.
    #[rustfmt::skip]
    pub fn explanation(self) -> Explanation {
        let (code, says, helps) = match self {
            Dkim2Refusal::From => ("dkim2(from)", "a change of From must be signed by the domain in it, which the signer behind septet is not", "nothing is to be done: From stays, and the rest is converted; `dkim2 = \"off\"` converts it too"),
            Dkim2Refusal::LineEnds => ("dkim2(line-ends)", "the body has a CR or LF alone, which no recipe can bring back, and which verifiers sum up differently", "`bare_line_end = \"reject\"` in `[conformance]`, if such mail is not wanted"),
            Dkim2Refusal::Header => ("dkim2(header)", "a line of the header is no field, or has a CR or LF alone in it", "nothing is to be done: no verifier would agree on what was signed"),
            Dkim2Refusal::Size => ("dkim2(size)", "what undoes the change is longer than `dkim2_field`", "a larger `dkim2_field`, up to what the MTA takes of a field; a profile that changes less"),
            Dkim2Refusal::Length => ("dkim2(length)", "the message has been changed fifty times, and no more instances are allowed", "nothing is to be done: look for a loop"),
            Dkim2Refusal::Malformed => ("dkim2(malformed)", "its fields of DKIM2 break their grammar, or their numbers have gaps", "nothing is to be done: such a signature is good for nobody, and the message stays"),
            Dkim2Refusal::Mismatch => ("dkim2(mismatch)", "the hashes that came with the message are not its own: it was changed before septet without a word", "look for a filter before septet that changes mail, and put septet's verifier before it"),
        };
        Explanation { code, says, helps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_words() {
        for refusal in Dkim2Refusal::ALL {
            let Explanation { code, says, helps } = refusal.explanation();
            assert_eq!(code, format!("dkim2({})", refusal.word()));
            assert!([says, helps].iter().all(|text| text.len() > 10 && text.matches('`').count() % 2 == 0));
        }
    }
}
