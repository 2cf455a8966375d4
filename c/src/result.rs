//! Results: what became of a message.

use std::ffi::{CString, c_char};
use std::ptr;

use rust_septet::{Report, plan};

use crate::call::caught;
use crate::profile::Profile;
use crate::text::{c_string, given, octets};

/// What became of a message. It has octets of its own: the message that it was made of may go.
pub struct Conversion {
    octets: Vec<u8>,
    is_changed: bool,
    report: Report,
    error: Option<CString>,
}

/// Converts a message as a profile says. It starts with its header; the From_ line of a mailbox is no part of it.
///
/// Never NULL: whatever the message is, its result has octets, and where nothing is to be done, or something failed, they are
/// those of the message. Free it with `septet_result_free`. A NULL profile fails, and so does a message that is NULL and has
/// octets: `septet_result_error` says so.
///
/// # Safety
///
/// `profile` is NULL or one that septet gave; `message` has `length` octets, or is NULL; nobody changes either meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_convert(profile: *const Profile, message: *const u8, length: usize) -> *mut Conversion {
    // SAFETY: the caller says what is there.
    let (profile, message) = unsafe { (profile.as_ref(), octets(message, length)) };
    let outcome = match (profile, message) {
        (Some(profile), Some(raw)) => {
            caught(|| convert(profile, raw)).flatten().unwrap_or_else(|why| failed(raw, &why))
        }
        (None, raw) => failed(raw.unwrap_or_default(), "the profile is NULL"),
        (_, None) => failed(&[], "the message is NULL"),
    };
    Box::into_raw(Box::new(outcome))
}

/// Converts a message; an error would say that the plan is of another one.
fn convert(profile: &Profile, raw: &[u8]) -> Result<Conversion, String> {
    let plan = plan(raw, &profile.0);
    let octets = plan.apply(raw).map_err(|other| other.to_string())?.into_owned();
    Ok(Conversion { octets, is_changed: plan.report.changes(), report: plan.report, error: None })
}

/// Makes the result of a message that stays as it came, and says why.
fn failed(raw: &[u8], why: &str) -> Conversion {
    Conversion { octets: raw.to_vec(), is_changed: false, report: Report::default(), error: Some(c_string(why)) }
}

/// Returns the octets of a result, and writes how many there are to `*length`. They stay until the result is freed.
///
/// Never NULL for a result, even if there are no octets; NULL, and 0 octets, for NULL. `length` may be NULL.
///
/// # Safety
///
/// `result` is NULL or one that septet gave; `length` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_result_octets(result: *const Conversion, length: *mut usize) -> *const u8 {
    // SAFETY: the caller says that it is one of septet's, if it is not NULL.
    let octets = unsafe { result.as_ref() }.map(|result| result.octets.as_slice());
    if !length.is_null() {
        // SAFETY: the caller says that it can be written.
        unsafe { *length = octets.map_or(0, <[u8]>::len) };
    }
    octets.map_or(ptr::null(), <[u8]>::as_ptr)
}

/// Returns `true` if anything of the message was changed; `false` for NULL.
///
/// # Safety
///
/// `result` is NULL or one that septet gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_result_changed(result: *const Conversion) -> bool {
    // SAFETY: the caller says that it is one of septet's, if it is not NULL.
    unsafe { result.as_ref() }.is_some_and(|result| result.is_changed)
}

/// Returns `true` if something that should have been changed was left, for a reason that the report has; `false` for NULL.
///
/// # Safety
///
/// `result` is NULL or one that septet gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_result_left(result: *const Conversion) -> bool {
    // SAFETY: the caller says that it is one of septet's, if it is not NULL.
    unsafe { result.as_ref() }.is_some_and(|result| result.report.leaves())
}

/// Returns why the conversion failed, so that the octets are those of the message; NULL if it did not fail, and for NULL. The
/// string stays until the result is freed, and is freed with it.
///
/// # Safety
///
/// `result` is NULL or one that septet gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_result_error(result: *const Conversion) -> *const c_char {
    // SAFETY: the caller says that it is one of septet's, if it is not NULL.
    let error = unsafe { result.as_ref() }.and_then(|result| result.error.as_deref());
    error.map_or(ptr::null(), |error| error.as_ptr())
}

/// Returns what was decided about the message: a list in JSON with the keys that `entries` have in the reports of
/// `septet convert`, an empty one if the conversion failed. Free it with `septet_free`. NULL for NULL.
///
/// # Safety
///
/// `result` is NULL or one that septet gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_report_json(result: *const Conversion) -> *mut c_char {
    // SAFETY: the caller says that it is one of septet's, if it is not NULL.
    let Some(result) = (unsafe { result.as_ref() }) else { return ptr::null_mut() };
    let json = caught(|| serde_json::to_string(&result.report).ok()).ok().flatten();
    json.map_or(ptr::null_mut(), given)
}

/// Frees a result, its octets and its error. Nothing is done for NULL.
///
/// # Safety
///
/// The result is one that septet gave, and was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_result_free(result: *mut Conversion) {
    if !result.is_null() {
        // SAFETY: the caller says that `septet_convert` made it, and that it is freed once.
        drop(unsafe { Box::from_raw(result) });
    }
}
