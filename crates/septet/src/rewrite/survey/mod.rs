//! SURVEY: what is there. Made once for a reading of a message, and changed by nobody; it knows nothing of what will be
//! written.

pub(super) mod body;
pub(super) mod contradiction;
pub(super) mod declaration;
pub(super) mod decode;
pub(super) mod dkim;
pub(super) mod evidence;
pub(super) mod file;
pub(super) mod form;
pub(super) mod gate;
pub(super) mod line_ambiguity;
pub(super) mod reading;
pub(super) mod reference;

use self::contradiction::Contradictions;
use self::dkim::DkimCoverage;
use self::evidence::Evidence;
use self::evidence::beside::Beside;
use self::gate::Gate;
use self::reference::References;
use crate::coding::evidence::Neighbours;
use crate::message::{Field, FieldNames, Message, Part, is_field_without_nuls, says_what_a_body_is};
use crate::rewrite::chosen_places::{ALL_PLACES, Choice};
use crate::rewrite::dkim2::Dkim2Refusal;
use crate::rewrite::step::StepScope;
use crate::rewrite::{Place, Profile, Reason, Signed};

/// What is there in one message, for one profile.
pub(super) struct Survey<'m, 'a> {
    pub message: &'m Message<'a>,
    pub profile: &'m Profile,
    pub evidence: &'m Evidence<'m, 'a>,
    /// How much of the message is to be planned.
    pub scope: StepScope,
    /// What signatures of DKIM, DKIM2 and ARC keep.
    pub cover: DkimCoverage,
    pub contradictions: Contradictions,
    pub references: References,
    pub gate: Gate<'m, 'a>,
    /// Which places may change.
    pub choice: &'m Choice,
    /// The charsets that are named around the message, where it came back in another one.
    pub around: Neighbours,
}

impl<'m, 'a> Survey<'m, 'a> {
    /// Surveys a message, by what it says of the texts in it. With all places to choose from, and nothing around the
    /// message; whoever knows better puts that in.
    pub fn of(evidence: &'m Evidence<'m, 'a>, scope: StepScope) -> Survey<'m, 'a> {
        let Evidence { message, profile, .. } = *evidence;
        // A fix moves no field and changes no characters, and so need not know what refers to what.
        let references = if scope.is_fix() { References::default() } else { References::of(evidence) };
        Survey {
            message,
            profile,
            evidence,
            scope,
            cover: dkim::coverage(message, profile),
            contradictions: Contradictions::of(message),
            references,
            gate: Gate::of(message),
            choice: &ALL_PLACES,
            around: Neighbours::default(),
        }
    }

    /// Returns what stands beside the texts in a part's header, and around the message. What is planned and what is
    /// proved must ask by this alike, or the proof reads a raw field in another charset.
    pub fn beside_header(&self, index: usize) -> Beside<'m> {
        let evidence: &'m Evidence<'m, 'a> = self.evidence;
        let beside = evidence.beside_header(index);
        // Places are filled from the first on.
        if self.around[0].is_none() { beside } else { beside.with_further(self.around) }
    }

    /// Returns why a body stays, if it is signed or encrypted and the profile keeps such parts. DKIM (`cover`) and PGP
    /// within a text are not asked here, nor what protects the part's header
    /// ([`why_field_is_bound`](Self::why_field_is_bound)).
    pub fn why_protected(&self, part: &Part) -> Option<Reason> {
        part.protection.filter(|_| self.profile.signed == Signed::Keep).map(Reason::Protected)
    }

    /// Returns why a signature, encryption or DKIM keeps a field, if one does. DKIM covers the fields of the message
    /// that `h=` names, and with the body all fields of parts inside. The gate and contradictions are asked apart. Of
    /// several, protection is what is reported, then DKIM, and last that a From changed would spoil an instance of
    /// DKIM2.
    pub fn why_field_is_bound(&self, part: &Part, field: &Field) -> Option<Reason> {
        let inside = part.parent.is_some() && self.cover.bodies;
        let covered = inside || (part.parent.is_none() && self.cover.field(self.message.slice(field.name)));
        // A part's own protection is on its body; its header is protected by what is around it.
        let around = part.parent.and_then(|parent| self.message.parts()[parent].protection_of_children());
        // Of a message whose DKIM2 an instance shall save.
        let is_from = self.cover.from && field.is_one_of(FieldNames::of("From"));
        match around {
            Some(protection) if self.profile.signed == Signed::Keep => Some(Reason::Protected(protection)),
            _ if covered => Some(Reason::Dkim),
            _ => (part.parent.is_none() && is_from).then_some(Reason::Dkim2(Dkim2Refusal::From)),
        }
    }

    /// Returns why a field of a part can't become the value `after`: that has 8-bit octets, and a part around would
    /// have to say so but is kept by the gate. None for a value in ASCII.
    pub fn why_field_stays_ascii(&self, part: &Part, after: &[u8]) -> Option<Reason> {
        let around = || self.gate.form_around_header(part);
        (!after.is_ascii()).then(around).flatten().map(Reason::Irregular)
    }

    /// Returns the place of a field in the report: its name as it stands, with U+FFFD for what is no UTF-8 in it. A
    /// field that somebody chooses is known by it again (`agree/choice.rs`).
    pub fn place(&self, field: &Field) -> Place {
        Place::Field(String::from_utf8_lossy(self.message.slice(field.name)).into_owned())
    }

    /// Returns `true` if a header that some readers end elsewhere may go on in the body behind it: if that begins with
    /// fields ([`hides_fields`](Self::hides_fields)), or has in its first lines an octet 0, without which the line
    /// could be a fold, an empty line or a field.
    pub fn header_may_go_on(&self, part: &Part) -> bool {
        first_lines(self.message.slice(part.body)).any(|line| line.contains(&0)) || self.hides_fields(part)
    }

    /// Returns `true` if among the lines of a body up to the first empty one there is a line that other readers may
    /// take for a field of the header before it: one named `Content-…`, or one that is a field only for those who drop
    /// octets 0.
    pub fn hides_fields(&self, part: &Part) -> bool {
        let mut lines = first_lines(self.message.slice(part.body));
        lines.any(|line| says_what_a_body_is(line) || is_field_without_nuls(line))
    }
}

/// Returns the lines of a body up to the first empty one, without their LFs; one of white space alone counts as empty.
fn first_lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    body.split(|octet| *octet == b'\n').take_while(|line| !line.trim_ascii().is_empty())
}
