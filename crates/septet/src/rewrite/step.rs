//! What one reading of a message asked for: all that must be known to prove its edits, beside the message and the
//! profile.
//!
//! A plan is one step, where a message is converted as it came. Where its defects are fixed first, each reading of what
//! was fixed so far is a step of its own, and so is the conversion.

use std::collections::BTreeMap;

use super::body_plan::BodyPlan;
use super::fixes::Fixes;
use super::octet_sum::OctetSum;
use crate::edit::EditList;
use crate::message::{Message, says_what_a_body_is};

/// How much of a message a step is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum StepScope {
    /// All of it.
    #[default]
    Whole,
    /// The fields of a message that is nothing but a header, but none that says what its body is.
    TopHeader,
    /// The line ends that are LF alone.
    LineEnds,
    /// What fixes other named defects, and nothing else.
    Fixes,
    /// The Message-Instance that is put before it, of all that the steps before did.
    Instance,
}

impl StepScope {
    /// Returns `true` if defects are fixed and nothing is converted. Such a step is planned and proved by the profile
    /// that converts nothing, and the gate is not asked of it.
    pub fn is_fix(self) -> bool {
        matches!(self, StepScope::LineEnds | StepScope::Fixes)
    }

    /// Returns `true` if a field of this name may be changed; in which header, `is_in_scope` of `proof/places.rs` says.
    pub fn takes(self, name: &[u8]) -> bool {
        self != StepScope::TopHeader || !says_what_a_body_is(name)
    }
}

/// What one reading of a message asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Step {
    /// How much of the message it is about.
    pub scope: StepScope,
    /// What bodies ask of their headers, and what was written in their place, by the index of the part; those that ask
    /// for nothing and stay are left out.
    pub bodies: BTreeMap<usize, BodyPlan>,
    /// What may come, go or shrink beside that, since it fixes a defect.
    pub fixes: Fixes,
    /// Its edits, where its plan has others before or behind it; else they are those of the plan.
    pub edits: Option<EditList>,
}

impl Step {
    /// Makes a step that asks nothing of any body: of a fix of line ends, and of an instance.
    pub fn new(scope: StepScope) -> Step {
        Step { scope, ..Step::default() }
    }

    /// Makes the step that these plans for bodies, one for each part in order, and these fixes ask for. New bodies must
    /// have been handed to the edits already (`BodyPlan::written`), and outcomes to the report.
    pub fn of(scope: StepScope, message: &Message, bodies: Vec<BodyPlan>, fixes: Fixes) -> Step {
        let pairs = message.parts().iter().zip(bodies).enumerate();
        let asking = pairs.filter(|(_, (_, body))| body.changes_header() || body.written.is_some());
        let asked = asking.map(|(index, (part, body))| {
            let came = OctetSum::of_body(message, part);
            (index, BodyPlan { came, ..body })
        });
        Step { bodies: asked.collect(), fixes, ..Step::new(scope) }
    }

    /// Returns what a body asks for, if it asks for anything. Of a part that is not listed the proof wants everything
    /// as it was.
    pub fn asked(&self, index: usize) -> Option<&BodyPlan> {
        self.bodies.get(&index)
    }
}
