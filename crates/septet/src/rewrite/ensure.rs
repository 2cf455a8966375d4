//! One claim that must hold, or what it is for goes no further.

/// Returns an error, `what`, if a claim does not hold: it names what is not as it must be, or says why a place stays.
/// Of claims in a row the first that fails is reported, so their order is part of what reports say.
pub(super) fn ensure<E>(holds: bool, what: E) -> Result<(), E> {
    if holds { Ok(()) } else { Err(what) }
}
