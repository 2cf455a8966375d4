//! What a state machine answers to octets.

/// What came of the octets that were given to a state machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Received<Event> {
    /// How many of them were taken; the others must be given again.
    pub used: usize,
    /// What the caller has to act on; without it, more octets are needed, or an answer to the event before.
    pub event: Option<Event>,
}
