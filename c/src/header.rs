//! Fields and texts by themselves: what is asked of octets that are no whole message.

use std::ffi::c_char;
use std::ptr;

use rust_septet::{header, text};

use crate::call::caught;
use crate::text::{given, octets, string, tell};

/// Reads the value of an unstructured field, as Subject, to UTF-8: folds are undone, encoded-words are read. A word that can't be
/// read stays as it stands, and an octet 0 becomes U+FFFD. Free it with `septet_free`.
///
/// NULL if `value` is NULL and has octets, or if septet has a fault.
///
/// # Safety
///
/// `value` has `length` octets, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_decode_header(value: *const u8, length: usize) -> *mut c_char {
    // SAFETY: the caller says what is there.
    let read = unsafe { octets(value, length) }.map(|value| caught(|| header::decode(value)));
    read.and_then(Result::ok).map_or(ptr::null_mut(), given)
}

/// Reads octets as text, by the label of their charset if it is good, else by what they show: to UTF-8, in which an octet 0
/// becomes U+FFFD. `label` may be NULL. Free it with `septet_free`.
///
/// If nobody can tell what they mean, `text` is NULL and has octets, or `label` is not UTF-8, NULL is returned, and `*error` says
/// why. Free the error with `septet_free`; it is NULL if nothing is wrong. `error` itself may be NULL.
///
/// # Safety
///
/// `text` has `length` octets, or is NULL; `label` is NULL or ends with an octet 0; `error` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_decode_text(
    text: *const u8,
    length: usize,
    label: *const c_char,
    error: *mut *mut c_char,
) -> *mut c_char {
    // SAFETY: the caller says what is there.
    let (octets, label) = unsafe { (octets(text, length), string(label)) };
    let read = octets.ok_or_else(|| "the text is NULL".to_owned()).and_then(|octets| {
        let label = label.transpose()?;
        caught(|| text::decode(octets, label).map(|read| read.text.into_owned()).map_err(|doubt| doubt.to_string()))?
    });
    // SAFETY: the caller says that it can be written, if it is not NULL.
    unsafe { tell(error, read.as_ref().err().cloned()) };
    read.map_or(ptr::null_mut(), given)
}
