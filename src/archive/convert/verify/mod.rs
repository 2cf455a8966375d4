//! `--verify`: what was written is read again, beside what it was made of, by a reader that is not septet's.
//!
//! The output is closed by then, and is read from its file. Both files are parted into messages; one that differs is
//! shown to mail-parser before and after, and must mean the same ([`meaning`]). What does not differ needs no reader. So this
//! finds what the proof of each plan can't: octets that were lost between the plan and the disk.

mod allowed;
mod candidates;
mod legible;
mod meaning;
mod media;
pub mod messages;
mod names;
mod plain_starts;

use std::borrow::Cow;
use std::cell::Cell;
use std::path::Path;

use rayon::prelude::*;

use self::messages::{MailboxMessages, MessageOctets, Raw};
use self::plain_starts::{Inside, StartCounter};
use super::byte_range::ByteRange;
use super::compression::open_packed;
use super::error::ConvertError;
use super::input::ReadAs;
use super::job::Job;
use super::single::SingleMessage;
use super::target::write_error;
use super::task::Task;
use super::work::Dialects;
use crate::edit::EditList;
use crate::process::ruled_profiles::RuledProfiles;
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::{Arrival, Profile, plan_arrived};

/// The octets of messages that are compared at the same time, about.
const AT_ONCE: usize = 8 << 20;

/// How many times its size a message may have afterwards and still be held.
pub const GROWTH: usize = 4;

/// How many messages are named.
const NAMED: usize = 20;

/// Says what a file that is one message means otherwise than before; none when it means the same.
pub fn file(old: &[u8], new: &[u8], profiles: &RuledProfiles) -> Option<String> {
    let (old, now) = (SingleMessage::of(old), SingleMessage::of(new));
    if old.around(now.message) != new {
        return Some("another From_ line, or something else around the message".to_owned());
    }
    let profile = profiles.of(old.message, old.from_line);
    meaning::difference(&fixed(old.message, profile, old.from_line), now.message, profile)
}

/// Returns a message with the fixes of the profile's `[conformance]`, by a plan that changes nothing else: what was
/// written is compared with that, since a fix is meant to say something else.
fn fixed<'m>(message: &'m [u8], profile: &Profile, from_line: &[u8]) -> Cow<'m, [u8]> {
    let keep = Profile::built_in("keep").filter(|_| !profile.conformance.is_keep());
    let Some(keep) = keep else { return Cow::Borrowed(message) };
    let alone = Profile { conformance: profile.conformance, limits: profile.limits, ..keep };
    let plan = plan_arrived(message, &alone, &Arrival::archived(from_line));
    if plan.edits.is_empty() { Cow::Borrowed(message) } else { Cow::Owned(plan.edits.apply(message)) }
}

/// Compares a mailbox file that was written with what it was made of, the `stretch` of the input. That is read once more, so
/// its checksum must have been taken or turned off before. The messages that differ are named on standard error, but for the
/// last, which the error names.
pub fn mailbox(job: &Job, task: &mut Task, stretch: ByteRange, written: &Path) -> Result<(), ConvertError> {
    let (name, read_as) = (task.input.name.clone(), task.input.mailbox);
    let dialects = Dialects { from: read_as.dialect, to: task.dialect };
    // Its dialect is known where it became another, so that none is recognised.
    let read_now = task.dialect.map_or(read_as, |dialect| ReadAs { dialect, chosen: true });
    let leaves_out = job.rules.skip_deleted;
    // A profile that changes nothing has no message held, but these options look into them all the same. As many
    // octets were held where the output was written (`convert_messages`).
    let hold = if dialects.to.is_some() || leaves_out { job.most() } else { job.hold() };
    let before = task.input.open_range(stretch.start, stretch.end)?;
    let after = open_packed(written, task.compression);
    let after = after.map_err(|source| write_error(&written.display().to_string(), source))?;
    let starts = [Cell::new(0), Cell::new(0)];
    let (before, after) = (StartCounter::new(before, &starts[0]), StartCounter::new(after, &starts[1]));
    let mut before = MailboxMessages::new(before, hold, read_as, stretch.start).without_deleted(leaves_out);
    let mut after = MailboxMessages::new(after, hold.saturating_mul(GROWTH), read_now, 0);
    let mut inside = Inside::default();
    let mut wrong = VerifyFaults::default();
    let mut number = 0;
    loop {
        let failing = |source| ConvertError::Read { name: name.clone(), source };
        let (old, new) = (before.up_to(AT_ONCE).map_err(failing)?, after.take(before.given()).map_err(failing)?);
        if old.len() != new.len() {
            wrong.note(number, "another number of messages".to_owned());
            break;
        }
        if old.is_empty() {
            break;
        }
        let compare = |(old, new): (&Raw, &Raw)| compare(old, new, &job.profiles, dialects);
        let found: Vec<_> = job.pool()?.install(|| old.par_iter().zip(&new).map(compare).collect());
        for ((raw, new), found) in old.iter().zip(&new).zip(found) {
            number = raw.number;
            let found = found.or_else(|| inside.add(raw, new, dialects));
            found.into_iter().for_each(|what| wrong.note(number, what));
        }
    }
    // What was left out started messages for others as well.
    if wrong.lines.is_empty() && !leaves_out {
        let starts = starts.map(Cell::into_inner);
        inside.difference(starts, number, dialects).into_iter().for_each(|what| wrong.note(number, what));
    }
    wrong.end(job, &name)
}

/// What is wrong, and in which messages.
#[derive(Default)]
struct VerifyFaults {
    lines: Vec<String>,
    more: usize,
}

impl VerifyFaults {
    /// Notes what is wrong with a message; beyond [`NAMED`] it is only counted.
    fn note(&mut self, message: u64, what: String) {
        match self.lines.len() < NAMED {
            true => self.lines.push(format!("message {message}: {what}")),
            false => self.more += 1,
        }
    }

    /// Returns the last fault as the error, after all others were said on stderr.
    fn end(mut self, job: &Job, name: &str) -> Result<(), ConvertError> {
        let Some(last) = self.lines.pop() else { return Ok(()) };
        let say = |line: &String| job.progress.suspend(|| super::say(format_args!("{name}, {line}")));
        self.lines.iter().for_each(say);
        let what = match self.more {
            0 => last,
            more => format!("{last}; and {more} more"),
        };
        Err(ConvertError::Unverified { name: name.to_owned(), what })
    }
}

/// Says what a message of a mailbox file means otherwise than before; none when it means the same.
fn compare(old: &Raw, new: &Raw, profiles: &RuledProfiles, dialects: Dialects) -> Option<String> {
    if old.octets == new.octets {
        return None;
    }
    let (MessageOctets::Whole(old_raw), MessageOctets::Whole(new_raw)) = (&old.octets, &new.octets) else {
        let same = old.octets.sum() == new.octets.sum();
        return (!same).then(|| "other octets in a message that is too large to be read".to_owned());
    };
    if !old.is_message || !new.is_message {
        return Some("other octets before the first message".to_owned());
    }
    let (old, new) = (MboxMessage::of(old_raw), MboxMessage::of(new_raw));
    let Some(to) = dialects.to else {
        if (old.from_line, old.separator) != (new.from_line, new.separator) {
            return Some("another From_ line, or another end".to_owned());
        }
        let message = old.message_of(dialects.from);
        let profile = profiles.of(&message, old.from_line);
        let message = fixed(&message, profile, old.from_line);
        return meaning::difference(&message, &new.message_of(dialects.from), profile);
    };
    // What a dialect can't tell apart is no difference.
    let told = old.in_dialect(to, &old.message_of(dialects.from), &EditList::new());
    let told = MboxMessage::of(&told);
    if told.from_line != new.from_line || new.separator.is_empty() {
        return Some("another From_ line, or no empty line behind it".to_owned());
    }
    let message = told.message_of(to);
    let profile = profiles.of(&old.message_of(dialects.from), old.from_line);
    meaning::difference(&fixed(&message, profile, old.from_line), &new.message_of(to), profile)
}

#[cfg(test)]
mod tests {
    use septet_support::case;

    use super::*;
    use crate::archive::convert::work::convert_single;
    use crate::coding::charset::Charset;
    use crate::config::{Settings, SettingsFile};
    use crate::rewrite::Unlabelled;

    /// The cases whose output mail-parser or the comparison can't follow: for each a known reason.
    const NOT_FOLLOWED: [(&str, &str); 4] = [
        ("characters/escape-in-a-header", "in a quoted name a backslash is one of the grammar and of an escape"),
        ("downgrade/delivery-status", "a field of the header that came back moves (RFC 6857)"),
        ("downgrade/rfc6858", "an address that has no ASCII form becomes another"),
        ("harm/hz-line-that-goes-on", "a line that goes on in HZ, which an escape is cut by"),
    ];

    /// What statistics read had no reading here where words in UTF-8 stood beside it: `--verify` refused the file.
    #[test]
    fn what_statistics_read_is_not_refused() {
        let profile =
            Profile { unlabelled: vec![Unlabelled::Charset(Charset::UTF_8), Unlabelled::Detect], ..Profile::default() };
        let profiles = RuledProfiles::one(profile);
        let text = b"Un caf\xe9 pr\xe8s de la for\xeat, d\xe9j\xe0 l\xe0, tr\xe8s t\xf4t\n".repeat(20);
        let message = [b"Subject: x\n\n", &text[..], "déjà vu\n".as_bytes()].concat();
        let new = convert_single(&message, &profiles).new.expect("it is read");
        assert_eq!(file(&message, &new, &profiles), None);
    }

    /// A subject of one word, which only the body tells the charset of, was refused.
    #[test]
    fn what_statistics_read_in_another_text_is_not_refused() {
        let profile =
            Profile { unlabelled: vec![Unlabelled::Charset(Charset::UTF_8), Unlabelled::Detect], ..Profile::default() };
        let profiles = RuledProfiles::one(profile);
        let text = "Subject: да\n\nСъешь же ещё этих мягких французских булок\n";
        let message = crate::coding::charset::Charset::KOI8_R.encode(text).expect("Cyrillic").into_owned();
        let new = convert_single(&message, &profiles).new.expect("it is read");
        assert!(new.starts_with("Subject: =?utf-8?B?0LTQsA==?=".as_bytes()), "{}", String::from_utf8_lossy(&new));
        assert_eq!(file(&message, &new, &profiles), None);
    }

    /// Of the cases of the planner 50 were refused by `--verify`, and with each the file that it stands in.
    #[test]
    fn what_the_planner_does_is_not_refused() {
        let mut refused: Vec<(String, String)> = case::all()
            .into_iter()
            .filter_map(|case| {
                let keys = format!("[profile.case]\n{}", case.profile());
                let source = SettingsFile { path: String::new(), bytes: keys.into_bytes() };
                let (settings, _) = Settings::read(&[source], [], &[]).expect("settings");
                let profiles = RuledProfiles::one(settings.profile("case").expect("the profile").clone());
                let new = convert_single(case.input(), &profiles).new?;
                file(case.input(), &new, &profiles).map(|what| (case.name, what))
            })
            .collect();
        refused.sort();
        let names: Vec<&str> = refused.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, NOT_FOLLOWED.map(|(name, _)| name), "{refused:#?}");
    }
}
