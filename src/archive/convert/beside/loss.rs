//! What messages had and their new place can't say, counted by its name.

use serde::{Deserialize, Serialize};

use super::table::{FLAGS, Flag};

/// What is lost of one message on its way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Loss {
    /// One bit for each of [`FLAGS`].
    flags: u8,
    /// Its keywords, or some of them.
    keywords: bool,
    /// Whatever it has, since it has no header to say it in.
    headerless: bool,
}

impl Loss {
    /// Makes it of the flags that are lost.
    pub fn of(is_lost: impl Fn(&Flag) -> bool) -> Loss {
        let flags = FLAGS.iter().enumerate().fold(0, |all, (at, flag)| all | u8::from(is_lost(flag)) << at);
        Loss { flags, ..Loss::default() }
    }

    /// Says that keywords are lost as well, if they are.
    pub fn and_keywords(self, are_lost: bool) -> Loss {
        Loss { keywords: self.keywords || are_lost, ..self }
    }

    /// Says that all is lost, since the message has no header.
    pub fn and_header(self) -> Loss {
        Loss { headerless: true, ..self }
    }

    /// Returns `true` if nothing is lost.
    pub fn is_none(self) -> bool {
        self == Loss::default()
    }
}

/// What is lost of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Losses {
    /// The messages that lose something.
    messages: u64,
    /// Those that lose each of [`FLAGS`].
    flags: [u64; FLAGS.len()],
    keywords: u64,
    headerless: u64,
}

impl Losses {
    /// Counts what is lost of a message.
    pub fn add(&mut self, loss: Loss) {
        self.messages += u64::from(!loss.is_none());
        self.keywords += u64::from(loss.keywords);
        self.headerless += u64::from(loss.headerless);
        self.flags.iter_mut().enumerate().for_each(|(at, count)| *count += u64::from(loss.flags >> at & 1));
    }

    /// Says what is lost on the way `to` a place; nothing where nothing is.
    pub fn words(&self, to: &str) -> Option<String> {
        let flags = FLAGS.iter().map(|flag| flag.name).zip(self.flags);
        let others = [("keywords", self.keywords), ("all of a message without a header", self.headerless)];
        let kinds =
            flags.chain(others).filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what} ({count})"));
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
