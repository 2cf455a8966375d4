//! Mends what is left: fields that are missing, twice or badly written, and bodies that no SMTP server need take.
//!
//! The planner of the conversion does it: bodies get plans, what these ask of headers follows from them, and the proof
//! of every other change is the proof of these. [`Fixes`](crate::rewrite::fixes::Fixes) tells it what else may come, go or shrink.

use std::collections::BTreeSet;

use super::Arrival;
use crate::edit::{Overlap, Span};
use crate::message::grammar::lexer::{Grammar, TokenKind, tokens};
use crate::message::irregular::{self, ValueKind};
use crate::message::{Defect, DefectKind, Field, Message, Part, is_mime_field, means_the_same};
use crate::rewrite::body::BodyPlan;
use crate::rewrite::header::value_kind;
use crate::rewrite::planner::Planner;
use crate::rewrite::second_reader::OTHER_PARTS;
use crate::rewrite::{Change, CheckError, LONGEST_LINE, Outcome, Place, Plan, Reason};

/// Plans what mends fields as they stand: they lose a space or themselves, or are folded.
pub(super) fn fields(planner: Planner, wanted: &[Defect]) -> Plan {
    proved(planner, |planner| planner.fix_fields(wanted))
}

/// Plans what mends bodies, and adds the fields that are missing; those that stand are mended before.
pub(super) fn bodies(planner: Planner, wanted: &[Defect], arrival: &Arrival) -> Plan {
    proved(planner, |planner| planner.fix_bodies(wanted, arrival))
}

/// Plans a step, and proves it.
fn proved(mut planner: Planner, plan: impl FnOnce(&mut Planner) -> Result<(), Overlap>) -> Plan {
    planner.bodies = planner.message.parts().iter().map(|_| BodyPlan::default()).collect();
    let fixed = plan(&mut planner);
    let (plan, error) = planner.proof_of(fixed);
    match error {
        None => plan,
        Some(CheckError::Unproved(OTHER_PARTS)) => plan.undone(OTHER_PARTS),
        Some(CheckError::Unproved(what)) => Plan::left(Reason::Unproved(what)),
    }
}

impl<'m> Planner<'m, '_> {
    /// Plans what mends these defects of fields.
    fn fix_fields(&mut self, wanted: &[Defect]) -> Result<(), Overlap> {
        let wanted = &self.without_crowds(wanted);
        // What goes need not be mended, and whether it may depends on what was.
        let is_repeated = |it: &&Defect| it.kind == DefectKind::RepeatedField;
        let repeated: BTreeSet<Span> = wanted.iter().filter(is_repeated).map(|it| it.at).collect();
        let is_last = |it: &&Defect| is_repeated(it) || self.is_of_field_in(it, &repeated);
        let (last, first): (Vec<&Defect>, Vec<&Defect>) = wanted.iter().partition(is_last);
        for defect in first {
            self.fix_field(defect)?;
        }
        for defect in last {
            match self.field_of(defect).filter(|field| !self.fixes.removed.contains(&field.line)) {
                Some(field) if defect.kind == DefectKind::SpaceBeforeColon => {
                    self.unfixed(defect.part, self.place(field), defect.kind, "its field stands more than once");
                }
                _ => self.fix_field(defect)?,
            }
        }
        self.write_replaced()
    }

    /// Plans what mends these defects of bodies, and what a header lacks.
    fn fix_bodies(&mut self, wanted: &[Defect], arrival: &Arrival) -> Result<(), Overlap> {
        let message = self.message;
        let mut kinds = vec![Vec::new(); message.parts().len()];
        for defect in wanted.iter().filter(|it| is_of_octets(it.kind)) {
            let here = &mut kinds[defect.part];
            if message.parts()[defect.part].body.contains(defect.at) && !here.contains(&defect.kind) {
                here.push(defect.kind);
            }
        }
        let ragged: Vec<bool> = message.parts().iter().map(|part| self.is_ragged(part, None)).collect();
        kinds.iter().enumerate().for_each(|(index, kinds)| self.fix_body_of(index, kinds, &ragged));
        let wants = |kind| wanted.iter().any(|defect| defect.kind == kind);
        let version =
            wants(DefectKind::MissingMimeVersion) && self.may_add("MIME-Version", DefectKind::MissingMimeVersion);
        if version {
            self.say(0, Place::Field("MIME-Version".to_owned()), DefectKind::MissingMimeVersion);
        }
        for (index, part) in message.parts().iter().enumerate() {
            let version = (index == 0 && version) || self.needs_version(index);
            self.write_body(index, part, version)?;
        }
        if let Some(defect) = wanted.iter().find(|it| it.kind == DefectKind::UnreadableDate)
            && let Some(field) = self.field_of(defect)
        {
            self.fix_date(defect, &message.parts()[0], field, arrival)?;
        }
        for (kind, name, value) in [
            (DefectKind::MissingDate, "Date", Arrival::date as fn(&Arrival, &Message) -> _),
            (DefectKind::MissingMessageId, "Message-ID", Arrival::message_id),
        ] {
            if wants(kind) && self.may_add(name, kind) {
                self.add_field(kind, name, value(arrival, message))?;
            }
        }
        self.remove_untrue_sizes()
    }

    /// Plans the body of a part; its octets, and what its header says of them.
    fn fix_body_of(&mut self, index: usize, kinds: &[DefectKind], ragged: &[bool]) {
        let part = &self.message.parts()[index];
        let Some(&first) = kinds.first().filter(|_| self.is_leaf(index)) else { return };
        let planned = match self.why_body_stays(index, part, ragged) {
            Some(why) => Err((first, why)),
            None => super::body::plan(self.message, part, self.profile, kinds),
        };
        match planned {
            Err((defect, why)) => self.unfixed(index, Place::Body, defect, why),
            Ok(mut plan) => {
                kinds.iter().rev().for_each(|&defect| plan.add_change(Change::Fixed { defect }));
                let declares = kinds.contains(&DefectKind::Undeclared8Bit) && plan.body.is_none();
                self.bodies[index] = plan;
                if declares {
                    self.raise_around(part);
                }
            }
        }
    }

    /// Tells why neither a body nor what its header says of it may be changed.
    fn why_body_stays(&self, index: usize, part: &Part, ragged: &[bool]) -> Option<&'static str> {
        let parts = self.message.parts();
        let mut chain = std::iter::successors(Some(index), |&at| parts[at].parent);
        match () {
            () if part.limit.is_some() => Some("beyond a limit"),
            () if self.cover.bodies => Some("dkim"),
            () if self.protected(part).is_some() => Some("signed or encrypted"),
            () if self.contradictions.own(index).is_some() || self.contradictions.around(index) => {
                Some("its header contradicts itself")
            }
            () if chain.any(|at| parts[at].header_doubt.is_some() || ragged[at]) => Some(ENDS),
            () if parts[0].header.is_empty() => Some("there is no header"),
            () if self.hides_fields(part) => Some("its first lines may be fields"),
            () => None,
        }
    }

    fn fix_field(&mut self, defect: &Defect) -> Result<(), Overlap> {
        let part = &self.message.parts()[defect.part];
        let field = self.field_of(defect);
        if field.is_some_and(|field| self.fixes.removed.contains(&field.line)) {
            return Ok(());
        }
        match (defect.kind, field) {
            (DefectKind::SpaceBeforeColon, Some(field)) => self.fix_space(defect, part, field),
            (DefectKind::RepeatedField, Some(field)) => self.fix_repeated(defect, part, field),
            (DefectKind::LongLine, Some(field)) => self.fix_long_field(defect, part, field),
            (DefectKind::LongLine | DefectKind::Nul | DefectKind::BareLineEnd, field)
                if !(part.body.contains(defect.at) && self.is_leaf(defect.part)) =>
            {
                let place = field.map_or(Place::Message, |field| self.place(field));
                let why = if field.is_some() { "in a field" } else { "between fields or parts" };
                self.unfixed(defect.part, place, defect.kind, why);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Returns the field that a defect is in.
    fn field_of(&self, defect: &Defect) -> Option<&'m Field> {
        let fields = self.message.fields(&self.message.parts()[defect.part]);
        let at = fields.partition_point(|field| field.line.end <= defect.at.start);
        fields.get(at).filter(|field| field.line.contains(defect.at))
    }

    /// Tells whether a defect is in one of these fields.
    fn is_of_field_in(&self, defect: &Defect, lines: &BTreeSet<Span>) -> bool {
        self.field_of(defect).is_some_and(|field| lines.contains(&field.line))
    }

    fn is_leaf(&self, index: usize) -> bool {
        self.message.parts()[index].kind == crate::message::Kind::Leaf
    }

    fn place(&self, field: &Field) -> Place {
        Place::Field(String::from_utf8_lossy(self.message.slice(field.name)).into_owned())
    }

    /// Tells why a field may not be touched; which of those that say what parts are may not.
    fn why_field_stays(&self, part: &Part, field: &Field) -> Option<&'static str> {
        match self.bound(part, field) {
            Some(Reason::Dkim) => Some("dkim"),
            Some(_) => Some("signed or encrypted"),
            None => part.header_doubt,
        }
    }

    fn fix_space(&mut self, defect: &Defect, part: &Part, field: &Field) -> Result<(), Overlap> {
        let name = self.message.slice(field.name);
        let decides = is_mime_field(name) || name.eq_ignore_ascii_case(b"MIME-Version");
        // Some readers end the header here, and would see fields that they never saw.
        let behind = says_parts_behind(self.message, part, field);
        let why = match () {
            () if decides => Some("it says what the parts are"),
            () if behind => Some("a field behind it says what the parts are"),
            () => self.why_field_stays(part, field),
        };
        if let Some(why) = why {
            self.unfixed(defect.part, self.place(field), defect.kind, why);
            return Ok(());
        }
        self.edits.push(defect.at, Vec::new())?;
        self.fixes.spaces.insert(defect.at);
        self.say(defect.part, self.place(field), defect.kind);
        Ok(())
    }

    fn fix_repeated(&mut self, defect: &Defect, part: &Part, field: &Field) -> Result<(), Overlap> {
        let message = self.message;
        let (name, value) = (message.slice(field.name), message.slice(field.value));
        let named = |other: &&Field| message.slice(other.name).eq_ignore_ascii_case(name);
        // The first one counts in most mail programs, and none may say otherwise; an empty one says nothing.
        let mut fields = message.fields(part).iter().filter(named);
        let first =
            fields.clone().find(|it| !message.slice(it.value).trim_ascii().is_empty()).or_else(|| fields.next());
        let Some(first) = first else { return Ok(()) };
        let same = value.trim_ascii().is_empty() || means_the_same(name, message.slice(first.value), value);
        let joins = !same && self.may_join(first, field);
        let why = match () {
            () if first.line == field.line => return Ok(()),
            () if !same && !joins => Some("they differ"),
            () if self.is_ragged(part, Some(field)) => Some(ENDS),
            () => self.why_field_stays(part, field),
        };
        if let Some(why) = why {
            self.unfixed(defect.part, self.place(field), defect.kind, why);
            return Ok(());
        }
        if joins {
            let said = || String::from_utf8_lossy(message.slice(first.value)).into_owned();
            let value = String::from_utf8_lossy(value.trim_ascii()).into_owned();
            let end = message.line_end().as_str();
            let whole = self.fixes.replaced.entry(first.value).or_insert_with(said);
            *whole = format!("{},{end} {value}", whole.trim_end());
        }
        self.edits.push(field.line, Vec::new())?;
        self.fixes.removed.insert(field.line);
        self.say(defect.part, self.place(field), defect.kind);
        Ok(())
    }

    /// Tells whether two fields are lists of addresses that become one (RFC 5322 §4.5.3).
    fn may_join(&self, one: &Field, other: &Field) -> bool {
        let raw = self.message.raw();
        let is_list = ["To", "Cc", "Bcc", "Reply-To"].iter().any(|name| one.is(raw, name));
        let is_regular = |field: &Field| {
            let value = self.message.slice(field.value);
            value.is_ascii() && irregular::field(value, ValueKind::Addresses).is_regular()
        };
        let ends = |field: &Field| self.message.slice(field.value).trim_ascii_end().ends_with(b",");
        is_list && is_regular(one) && is_regular(other) && !ends(one) && self.edits.within(one.value).is_empty()
    }

    /// Writes the values that take the place of others.
    fn write_replaced(&mut self) -> Result<(), Overlap> {
        for (at, value) in &self.fixes.replaced {
            self.edits.push(*at, value.clone())?;
        }
        Ok(())
    }

    /// Writes a date that can be read where none could, and keeps what stood there.
    fn fix_date(&mut self, defect: &Defect, part: &Part, field: &Field, arrival: &Arrival) -> Result<(), Overlap> {
        let why = self.why_field_stays(part, field).map_or_else(|| arrival.date(self.message), Err);
        match why {
            Err(why) => self.unfixed(defect.part, self.place(field), defect.kind, why),
            Ok(date) => {
                let was = self.message.slice(field.value).trim_ascii();
                if !was.is_empty() && was.is_ascii() && !was.contains(&b'\n') {
                    self.add_field(defect.kind, "X-Original-Date", Ok(String::from_utf8_lossy(was).into_owned()))?;
                }
                self.edits.push(field.value, format!(" {date}"))?;
                self.fixes.replaced.insert(field.value, date);
                self.say(defect.part, self.place(field), defect.kind);
            }
        }
        Ok(())
    }

    /// Folds the lines of a field that are too long, where there is white space before the limit.
    fn fix_long_field(&mut self, defect: &Defect, part: &Part, field: &Field) -> Result<(), Overlap> {
        let name = self.message.slice(field.name);
        let line = self.message.slice(field.line);
        let commas = || self.folds_behind_commas(field);
        let folds = if is_mime_field(name) { None } else { folds(line).map(|at| (at, "")).or_else(commas) };
        let stays = self.why_field_stays(part, field);
        let why = stays.or(if folds.is_none() { Some("no place to fold it") } else { None });
        if let Some(why) = why {
            self.unfixed(defect.part, self.place(field), defect.kind, why);
            return Ok(());
        }
        let (places, blank) = folds.unwrap_or_default();
        let end = format!("{}{blank}", self.message.line_end().as_str());
        for at in places {
            self.edits.push(Span::empty(field.line.start + at), end.clone())?;
        }
        self.say(defect.part, self.place(field), defect.kind);
        Ok(())
    }

    /// Finds where the lines of an address list can end that has no blanks: behind commas, each with a blank of its own.
    fn folds_behind_commas(&self, field: &Field) -> Option<(Vec<usize>, &'static str)> {
        let value = self.message.slice(field.value);
        let is_list = value_kind(self.message.slice(field.name)) == ValueKind::Addresses;
        if !is_list || !irregular::field(value, ValueKind::Addresses).is_regular() || value.contains(&b'\n') {
            return None;
        }
        let before = field.value.start - field.line.start;
        let commas = tokens(value, Grammar::Address).into_iter().filter(|token| token.kind == TokenKind::Special(b','));
        let commas: Vec<usize> = commas.map(|token| before + token.at.end).collect();
        let (mut places, mut start, end) = (Vec::new(), 0, field.value.end - field.line.start);
        while end - start > LONGEST_LINE {
            let at =
                *commas[..commas.partition_point(|at| at - start < LONGEST_LINE)].last().filter(|at| **at > start)?;
            places.push(at);
            start = at;
        }
        Some((places, " "))
    }

    /// Tells whether some readers end a header before its end: at white space before a colon that stays, or at a CR alone.
    ///
    /// One field may be left out of the question.
    fn is_ragged(&self, part: &Part, but: Option<&Field>) -> bool {
        let header = self.message.slice(part.header);
        let is_spaced = |field: &Field| {
            let space = Span::new(field.name.end, field.value.start.saturating_sub(1));
            let goes = self.fixes.removed.contains(&field.line) || but.is_some_and(|but| but.line == field.line);
            !space.is_empty() && !self.fixes.spaces.contains(&space) && !goes
        };
        let is_alone = |at: usize| header.get(at + 1) != Some(&b'\n');
        self.message.fields(part).iter().any(is_spaced) || memchr::memchr_iter(b'\r', header).any(is_alone)
    }

    /// Tells whether a field may be added to the message's header, and says so where not.
    fn may_add(&mut self, name: &'static str, defect: DefectKind) -> bool {
        let Some(root) = self.message.parts().first() else { return false };
        let why = match () {
            () if !self.message.slice(root.header).ends_with(b"\n") => Some("there is no header"),
            () if root.header_doubt.is_some() || self.is_ragged(root, None) => Some(ENDS),
            () if self.cover.field(name.as_bytes()) => Some("dkim"),
            () => None,
        };
        if let Some(why) = why {
            self.unfixed(0, Place::Message, defect, why);
        }
        why.is_none()
    }

    fn add_field(
        &mut self,
        kind: DefectKind,
        name: &'static str,
        value: Result<String, &'static str>,
    ) -> Result<(), Overlap> {
        let end = self.message.parts()[0].header.end;
        match value {
            Err(why) => self.unfixed(0, Place::Message, kind, why),
            Ok(value) => {
                let line = format!("{name}: {value}{}", self.message.line_end().as_str());
                self.edits.push(Span::empty(end), line)?;
                self.fixes.added.push((name, value));
                let changes = vec![Change::Fixed { defect: kind }, Change::Added { field: name.into() }];
                self.entries[0].push((Place::Field(name.to_owned()), Outcome::Done(changes)));
            }
        }
        Ok(())
    }

    fn say(&mut self, index: usize, place: Place, defect: DefectKind) {
        self.entries[index].push((place, Outcome::Done(vec![Change::Fixed { defect }])));
    }

    fn unfixed(&mut self, index: usize, place: Place, defect: DefectKind, why: &'static str) {
        let entry = (place, Outcome::Left(Reason::Unfixed { defect, why }));
        if self.entries[index].last() != Some(&entry) {
            self.entries[index].push(entry);
        }
    }

    /// Leaves out the kinds of defects of fields that are too many: nobody wrote that, and each costs a look at all fields.
    fn without_crowds(&mut self, wanted: &[Defect]) -> Vec<Defect> {
        let mut kept = wanted.to_vec();
        for kind in [DefectKind::RepeatedField, DefectKind::SpaceBeforeColon] {
            if wanted.iter().filter(|it| it.kind == kind).count() > MANY {
                kept.retain(|it| it.kind != kind);
                self.unfixed(0, Place::Message, kind, "too many of them");
            }
        }
        kept
    }
}

/// The most fields of a message that are mended for one defect.
const MANY: usize = 200;

const ENDS: &str = "readers end a header at different places";

/// Tells whether a field that says what a body is stands behind another one.
fn says_parts_behind(message: &Message, part: &Part, field: &Field) -> bool {
    let behind = message.fields(part).iter().filter(|other| other.line.start > field.line.start);
    behind
        .map(|other| message.slice(other.name))
        .any(|name| is_mime_field(name) || name.eq_ignore_ascii_case(b"MIME-Version"))
}

/// Tells whether a defect is one of the octets of a body.
fn is_of_octets(kind: DefectKind) -> bool {
    use DefectKind::{BareLineEnd, LongLine, Nul, Undeclared8Bit};
    matches!(kind, BareLineEnd | LongLine | Nul | Undeclared8Bit)
}

/// Finds where line ends must come so that no line of a field is too long: each before white space that has text on both
/// sides; none where there is no such place.
fn folds(line: &[u8]) -> Option<Vec<usize>> {
    let mut folds = Vec::new();
    let mut start = 0;
    for physical in line.split_inclusive(|&octet| octet == b'\n') {
        let end = start + physical.len();
        let length = |from: usize| line[from..end].trim_ascii_end().len().max(end - from - 2);
        while length(start) > LONGEST_LINE {
            let is_place = |&at: &usize| {
                let before = line[..at].last().is_some_and(|octet| !octet.is_ascii_whitespace());
                matches!(line[at], b' ' | b'\t') && before && !line[at..end].trim_ascii().is_empty()
            };
            let first = start + line[start..].iter().take_while(|octet| octet.is_ascii_whitespace()).count();
            let colon = if start == 0 { line.iter().position(|&octet| octet == b':')? + 1 } else { first };
            let text = colon + line[colon..].iter().take_while(|octet| octet.is_ascii_whitespace()).count();
            let at = (text + 1..=start + LONGEST_LINE).rev().find(is_place)?;
            folds.push(at);
            start = at;
        }
        start = end;
    }
    Some(folds)
}
