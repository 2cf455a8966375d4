//! What messages had and their new place can't say, counted by its name.

use serde::{Deserialize, Serialize};

use super::table::{FLAGS, Flag};

/// What is lost of one message on its way: one bit for each of [`FLAGS`], and two more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Loss(u8);

/// The bit of keywords, some or all.
const KEYWORDS: usize = FLAGS.len();

/// The bit of whatever a message has that has no header to say it in.
const HEADERLESS: usize = KEYWORDS + 1;

/// The bits.
const KINDS: usize = HEADERLESS + 1;

impl Loss {
    /// Makes it of the flags that are lost.
    pub fn of(is_lost: impl Fn(&Flag) -> bool) -> Loss {
        Loss(FLAGS.iter().enumerate().fold(0, |all, (at, flag)| all | u8::from(is_lost(flag)) << at))
    }

    /// Says that keywords are lost as well, if they are.
    pub fn and_keywords(self, are_lost: bool) -> Loss {
        Loss(self.0 | u8::from(are_lost) << KEYWORDS)
    }

    /// Says that all is lost, since the message has no header.
    pub fn and_header(self) -> Loss {
        Loss(self.0 | 1 << HEADERLESS)
    }
}

/// What is lost of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Losses {
    /// The messages that lose something.
    messages: u64,
    /// Those that have each bit of [`Loss`].
    kinds: [u64; KINDS],
}

impl Losses {
    /// Counts what is lost of a message.
    pub fn add(&mut self, loss: Loss) {
        self.messages += u64::from(loss != Loss::default());
        self.kinds.iter_mut().enumerate().for_each(|(at, count)| *count += u64::from(loss.0 >> at & 1));
    }

    /// Says what is lost on the way `to` a place; nothing where nothing is. The names come in the order of the bits of
    /// [`Loss`].
    pub fn words(&self, to: &str) -> Option<String> {
        let names = FLAGS.iter().map(|flag| flag.name).chain(["keywords", "all of a message without a header"]);
        let kinds =
            names.zip(self.kinds).filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what} ({count})"));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let messages =
            if self.messages == 1 { "1 message had".to_owned() } else { format!("{} messages had", self.messages) };
        let what = "flags that its form has no place for, and that are in the input alone";
        (self.messages > 0).then(|| format!("{to}: {messages} {what}: {kinds}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_is_said_by_its_name() {
        let mut losses = Losses::default();
        assert_eq!(losses.words("out"), None);
        losses.add(Loss::default());
        let forwarded = Loss::of(|flag| flag.name == "forwarded");
        losses.add(forwarded);
        losses.add(forwarded.and_keywords(true));
        losses.add(Loss::default().and_header());
        let wanted = "out: 3 messages had flags that its form has no place for, and that are in the input alone: \
                      forwarded (2), keywords (1), all of a message without a header (1)";
        assert_eq!(losses.words("out").as_deref(), Some(wanted));
    }
}
