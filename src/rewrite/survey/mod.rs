//! SURVEY: what is there. Nothing here knows what will be written.

pub(super) mod contradiction;
pub(super) mod declaration;
pub(super) mod dkim;
pub(super) mod evidence;
pub(super) mod file;
pub(super) mod form;
pub(super) mod gate;
pub(super) mod reading;
