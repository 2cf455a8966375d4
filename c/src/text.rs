//! Strings and octets that cross between C and Rust.

use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::slice;

/// Frees a string that a function of septet gave: a text, a report, or what stands in `*error`. Nothing is done for NULL.
///
/// # Safety
///
/// The string is one of these, not that of `septet_result_error`, and was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_free(string: *mut c_char) {
    if !string.is_null() {
        // SAFETY: the caller says that `given` made it, and that it is freed once.
        drop(unsafe { CString::from_raw(string) });
    }
}

/// Gives a string to C, which frees it with `septet_free`; an octet 0, which would end it, becomes U+FFFD.
pub fn given(text: impl Into<String>) -> *mut c_char {
    c_string(text).into_raw()
}

/// Makes a string that C can read; an octet 0 becomes U+FFFD.
pub fn c_string(text: impl Into<String>) -> CString {
    CString::new(text.into()).unwrap_or_else(|error| {
        let text = String::from_utf8_lossy(&error.into_vec()).replace('\0', "\u{fffd}");
        CString::new(text).unwrap_or_default()
    })
}

/// Says what went wrong, where C asked for that: NULL if nothing did. What stands in `*error` is not freed.
///
/// # Safety
///
/// `error` is NULL or can be written.
pub unsafe fn tell(error: *mut *mut c_char, what: Option<String>) {
    if !error.is_null() {
        // SAFETY: the caller says that it can be written.
        unsafe { *error = what.map_or(ptr::null_mut(), given) };
    }
}

/// Returns the octets that C points to; none for NULL, unless there are none to point to, and for more than can be.
///
/// # Safety
///
/// `octets` is NULL or has so many octets, which stay as they are while the result is used.
pub unsafe fn octets<'o>(octets: *const u8, length: usize) -> Option<&'o [u8]> {
    match (octets.is_null(), length) {
        (_, 0) => Some(&[]),
        (true, _) => None,
        // More than Rust can have in one piece is nothing that C has there either.
        (false, _) if isize::try_from(length).is_err() => None,
        // SAFETY: the caller says that the octets are there and stay.
        (false, _) => Some(unsafe { slice::from_raw_parts(octets, length) }),
    }
}

/// Returns a string of C; none for NULL, an error for what is not UTF-8.
///
/// # Safety
///
/// `text` is NULL or ends with an octet 0, and stays as it is while the result is used.
pub unsafe fn string<'s>(text: *const c_char) -> Option<Result<&'s str, String>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller says that it ends with an octet 0 and stays.
    let text = unsafe { CStr::from_ptr(text) };
    Some(text.to_str().map_err(|_| format!("{:?} is not UTF-8", text.to_string_lossy())))
}
