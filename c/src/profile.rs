//! Profiles: what is wanted of mail.

use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;

use rust_septet::settings::Profiles;

use crate::call::caught;
use crate::text::{octets, string, tell};

/// What is wanted of mail. It never changes, and many threads may use one at once.
pub struct Profile(pub Arc<rust_septet::Profile>);

/// Returns a built-in profile by its name: `utf8`, `eai`, `seven-bit`, `utf7`, `ascii` or `keep`; NULL if none has the name, or
/// if it is NULL. Free it with `septet_profile_free`.
///
/// # Safety
///
/// `name` is NULL or ends with an octet 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_profile_named(name: *const c_char) -> *mut Profile {
    // SAFETY: the caller says that it ends with an octet 0.
    let Some(Ok(name)) = (unsafe { string(name) }) else { return ptr::null_mut() };
    let found = caught(|| rust_septet::Profile::built_in(name)).ok().flatten();
    found.map_or(ptr::null_mut(), |profile| boxed(Arc::new(profile)))
}

/// Returns a profile of settings in TOML, as `septet.toml` has them: the one called `name`, or the one that `default_profile`
/// says if `name` is NULL.
///
/// If there is none, NULL is returned, and `*error` says why: every fault of the settings with its line. Free the error with
/// `septet_free`; it is NULL if nothing is wrong. `error` itself may be NULL. Free the profile with `septet_profile_free`.
///
/// # Safety
///
/// `toml` has `length` octets, or is NULL and `length` is 0; `name` is NULL or ends with an octet 0; `error` is NULL or can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_profile_from_toml(
    toml: *const c_char,
    length: usize,
    name: *const c_char,
    error: *mut *mut c_char,
) -> *mut Profile {
    // SAFETY: the caller says what is there.
    let (toml, name) = unsafe { (octets(toml.cast(), length), string(name)) };
    let found = caught(|| profile(toml.ok_or("the settings are NULL")?, name.transpose()?)).flatten();
    let (profile, what) = found.map_or_else(|what| (ptr::null_mut(), Some(what)), |profile| (boxed(profile), None));
    // SAFETY: the caller says that it is NULL or can be written.
    unsafe { tell(error, what) };
    profile
}

/// Frees a profile. Nothing is done for NULL.
///
/// # Safety
///
/// The profile is one that septet gave; it was not freed before, and no thread uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn septet_profile_free(profile: *mut Profile) {
    if !profile.is_null() {
        // SAFETY: the caller says that `boxed` made it, and that it is freed once.
        drop(unsafe { Box::from_raw(profile) });
    }
}

/// Gives a profile to C, which frees it with `septet_profile_free`.
fn boxed(profile: Arc<rust_septet::Profile>) -> *mut Profile {
    Box::into_raw(Box::new(Profile(profile)))
}

/// Finds the profile of settings that is asked for, the default one for no name; an error says all that is wrong.
fn profile(toml: &[u8], name: Option<&str>) -> Result<Arc<rust_septet::Profile>, String> {
    let toml = str::from_utf8(toml).map_err(|error| format!("the settings are not UTF-8: {error}"))?;
    let profiles = Profiles::read("settings", toml).map_err(|bad| bad.to_string())?;
    match name {
        None => Ok(profiles.default_profile()),
        Some(name) => profiles.named(name).map_err(|bad| bad.to_string()),
    }
}
