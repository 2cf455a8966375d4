//! The terms of a connection: what the MTA offers, what the filter wants, and what follows from both.
//!
//! The answer holds the lower version of the two and only bits that were offered: Postfix refuses a higher
//! version and unoffered actions, Sendmail refuses unoffered steps.
//!
//! What costs time in this protocol is waiting for replies. So the filter asks not to be shown what it does not
//! want (`NO…`), and not to be waited for where it has nothing to say (`NR…`): then the MTA writes a whole
//! message in one go and waits once, at its end. Version 2 has none of the `NR…` bits, and every command there
//! is answered.

use super::wire::{WireError, number};

/// The versions of the protocol that are spoken.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 2..=6;

/// What a filter may ask for at the end of a message (`SMFIF_*`).
#[allow(missing_docs)]
pub mod action {
    pub const ADD_HEADERS: u32 = 0x1;
    pub const CHANGE_BODY: u32 = 0x2;
    pub const CHANGE_HEADERS: u32 = 0x10;
    /// Lists of macros in the answer (version 6).
    pub const SET_MACROS: u32 = 0x100;
}

/// What an MTA may leave out, not wait for, or do (`SMFIP_*`).
#[allow(missing_docs)]
pub mod step {
    pub const NO_CONNECT: u32 = 0x1;
    pub const NO_HELO: u32 = 0x2;
    pub const NO_MAIL: u32 = 0x4;
    pub const NO_RCPT: u32 = 0x8;
    pub const NO_BODY: u32 = 0x10;
    pub const NO_HEADERS: u32 = 0x20;
    pub const NO_END_OF_HEADER: u32 = 0x40;
    pub const NR_HEADER: u32 = 0x80;
    pub const NO_UNKNOWN: u32 = 0x100;
    pub const NO_DATA: u32 = 0x200;
    pub const SKIP: u32 = 0x400;
    pub const NR_CONNECT: u32 = 0x1000;
    pub const NR_HELO: u32 = 0x2000;
    pub const NR_MAIL: u32 = 0x4000;
    pub const NR_RCPT: u32 = 0x8000;
    pub const NR_DATA: u32 = 0x1_0000;
    pub const NR_UNKNOWN: u32 = 0x2_0000;
    pub const NR_END_OF_HEADER: u32 = 0x4_0000;
    pub const NR_BODY: u32 = 0x8_0000;
    /// Values come and go with the white space after the colon.
    pub const LEADING_SPACE: u32 = 0x10_0000;
}

/// What can be agreed on about a command of the MTA.
struct CommandTerms {
    /// Its letter.
    code: u8,
    /// The bit that says "don't show it".
    hidden: u32,
    /// The bit that says "don't wait".
    silent: u32,
    /// The version that it came with.
    since: u32,
}

/// The commands about which anything can be agreed on.
const COMMANDS: [CommandTerms; 9] = [
    CommandTerms { code: b'C', hidden: step::NO_CONNECT, silent: step::NR_CONNECT, since: 2 },
    CommandTerms { code: b'H', hidden: step::NO_HELO, silent: step::NR_HELO, since: 2 },
    CommandTerms { code: b'M', hidden: step::NO_MAIL, silent: step::NR_MAIL, since: 2 },
    CommandTerms { code: b'R', hidden: step::NO_RCPT, silent: step::NR_RCPT, since: 2 },
    CommandTerms { code: b'T', hidden: step::NO_DATA, silent: step::NR_DATA, since: 4 },
    CommandTerms { code: b'U', hidden: step::NO_UNKNOWN, silent: step::NR_UNKNOWN, since: 3 },
    CommandTerms { code: b'L', hidden: step::NO_HEADERS, silent: step::NR_HEADER, since: 2 },
    CommandTerms { code: b'N', hidden: step::NO_END_OF_HEADER, silent: step::NR_END_OF_HEADER, since: 2 },
    CommandTerms { code: b'B', hidden: step::NO_BODY, silent: step::NR_BODY, since: 2 },
];

/// The three numbers of an `O` packet, offered or agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Offer {
    /// The protocol's version.
    pub version: u32,
    /// Bits of [`action`].
    pub actions: u32,
    /// Bits of [`step`].
    pub protocol: u32,
}

impl Offer {
    /// Reads the numbers; what follows them is given back.
    pub(super) fn read(code: u8, data: &[u8]) -> Result<(Offer, &[u8]), WireError> {
        let (version, rest) = number(code, data)?;
        let (actions, rest) = number(code, rest)?;
        let (protocol, rest) = number(code, rest)?;
        Ok((Offer { version, actions, protocol }, rest))
    }

    /// Returns the numbers as they stand on the wire.
    pub(super) fn octets(&self) -> Vec<u8> {
        [self.version, self.actions, self.protocol].map(u32::to_be_bytes).concat()
    }
}

/// What a filter wants to be shown on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Wants {
    /// Header, body, and the right to change them, and with it the client and the sender; without it the
    /// MTA tells no more than the end of each message.
    pub content: bool,
    /// Who the recipients are.
    pub recipients: bool,
}

/// What was agreed on; nothing, by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Negotiated {
    agreed: Offer,
}

impl Negotiated {
    /// Agrees with an MTA's offer; `None` for a version before 2.
    pub fn agree(offer: Offer, wants: Wants) -> Option<Negotiated> {
        if offer.version < *VERSIONS.start() {
            return None;
        }
        let version = offer.version.min(*VERSIONS.end());
        let mut actions = offer.actions & wants.actions();
        if version < 6 {
            actions &= !action::SET_MACROS;
        }
        let protocol = offer.protocol & wants.steps();
        Some(Negotiated { agreed: Offer { version, actions, protocol } })
    }

    /// Takes the answer of a filter for the terms, as an MTA does.
    pub fn given(answer: Offer) -> Negotiated {
        Negotiated { agreed: answer }
    }

    /// Returns the numbers of the answer.
    pub fn agreed(&self) -> Offer {
        self.agreed
    }

    /// Returns the lists of macros that belong to the answer; empty where the MTA takes none.
    ///
    /// The lists keep the values that septet reads (`MilterSession::macros`), each with the number of its stage: 0 for
    /// the connection, 2 for MAIL, 5 and 6 for the ends of the message and of the header. They spare the MTA all
    /// others. Sendmail honours the list of the end of the message only together with one of the end of the header.
    pub fn macro_lists(&self) -> Vec<u8> {
        if !self.may(action::SET_MACROS) {
            return Vec::new();
        }
        let lists: [(u32, &str); 4] = [(0, "v"), (2, "i {auth_authen}"), (5, "i"), (6, "i")];
        lists.map(|(stage, names)| [&stage.to_be_bytes()[..], names.as_bytes(), b"\0"].concat()).concat()
    }

    /// Returns `true` if the MTA waits for a reply to the command with this code; `false`, too, for the terms and the
    /// end of a message, which have answers of their own whatever was agreed on.
    pub fn expects_reply(&self, code: u8) -> bool {
        terms(code).is_some_and(|terms| !self.has(terms.silent))
    }

    /// Returns `true` if the MTA sends the command with this code at all.
    pub fn shows(&self, code: u8) -> bool {
        terms(code).is_none_or(|terms| !self.has(terms.hidden) && self.agreed.version >= terms.since)
    }

    /// Returns `true` if a step was agreed on.
    pub fn has(&self, step: u32) -> bool {
        self.agreed.protocol & step == step
    }

    /// Returns `true` if an action was agreed on.
    pub fn may(&self, action: u32) -> bool {
        self.agreed.actions & action == action
    }
}

/// Finds what can be agreed on about the command with this code.
fn terms(code: u8) -> Option<&'static CommandTerms> {
    COMMANDS.iter().find(|terms| terms.code == code)
}

impl Wants {
    /// Returns the actions to ask for, if they are offered.
    fn actions(self) -> u32 {
        match self.content {
            true => action::ADD_HEADERS | action::CHANGE_BODY | action::CHANGE_HEADERS | action::SET_MACROS,
            false => action::SET_MACROS,
        }
    }

    /// Returns the steps to ask for, if they are offered: no waiting, and nothing shown that is not needed.
    fn steps(self) -> u32 {
        let no_replies = COMMANDS.iter().fold(0, |all, terms| all | terms.silent);
        let always = no_replies | step::NO_HELO | step::NO_UNKNOWN | step::NO_DATA | step::NO_END_OF_HEADER;
        let content = match self.content {
            true => step::SKIP | step::LEADING_SPACE,
            false => step::NO_CONNECT | step::NO_MAIL | step::NO_HEADERS | step::NO_BODY,
        };
        // With content, recipients are counted for the log even where nothing depends on who they are.
        let recipients = if self.recipients || self.content { 0 } else { step::NO_RCPT };
        always | content | recipients
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: Wants = Wants { content: true, recipients: false };
    const NOTHING: Wants = Wants { content: false, recipients: false };
    const POSTFIX: Offer = Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff };

    fn agree(offer: Offer, wants: Wants) -> Offer {
        Negotiated::agree(offer, wants).expect("a version that is spoken").agreed()
    }

    #[test]
    fn takes_what_it_wants_of_a_whole_offer() {
        assert_eq!(agree(POSTFIX, CONTENT), Offer { version: 6, actions: 0x113, protocol: 0x1f_f7c2 });
        assert_eq!(agree(POSTFIX, NOTHING), Offer { version: 6, actions: 0x100, protocol: 0x0f_f3ff });
        assert_eq!(agree(POSTFIX, Wants { recipients: true, ..CONTENT }).protocol, 0x1f_f7c2);
    }

    #[test]
    fn answers_with_nothing_that_was_not_offered() {
        for version in [2, 3, 4, 5, 6, 7, u32::MAX] {
            for bits in [0, 0x3f, 0x7f, 0x3ff, 0x1f_ffff, 0x7aaa_aaaa, u32::MAX] {
                let offer = Offer { version, actions: bits, protocol: bits };
                let answer = agree(offer, CONTENT);
                assert!(answer.version <= version.min(6));
                assert_eq!((answer.actions & !bits, answer.protocol & !bits), (0, 0), "{offer:?}");
            }
        }
        assert_eq!(Negotiated::agree(Offer { version: 1, ..POSTFIX }, CONTENT), None);
        assert_eq!(agree(Offer { version: 2, actions: 0x3f, protocol: 0x7f }, CONTENT).version, 2);
    }

    #[test]
    fn replies_to_everything_in_version_2_and_to_nothing_in_version_6() {
        let old = Negotiated::agree(Offer { version: 2, actions: 0x3f, protocol: 0x7f }, CONTENT).expect("spoken");
        let new = Negotiated::agree(POSTFIX, CONTENT).expect("spoken");
        for code in *b"CHMRLNBUT" {
            assert!(old.expects_reply(code) && !new.expects_reply(code), "{}", char::from(code));
        }
        for code in *b"DAQKEO" {
            assert!(!old.expects_reply(code), "{} has no plain reply", char::from(code));
        }
    }

    #[test]
    fn asks_for_macros_only_where_it_may() {
        let lists = Negotiated::agree(POSTFIX, CONTENT).expect("spoken").macro_lists();
        assert_eq!(lists, b"\0\0\0\0v\0\0\0\0\x02i {auth_authen}\0\0\0\0\x05i\0\0\0\0\x06i\0");
        assert!(Negotiated::agree(Offer { version: 5, ..POSTFIX }, CONTENT).expect("spoken").macro_lists().is_empty());
        assert!(
            Negotiated::agree(Offer { actions: 0xff, ..POSTFIX }, CONTENT).expect("spoken").macro_lists().is_empty()
        );
    }
}
