//! Profiles: by name, of keys, of a settings file. Each is made once and kept.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use septet::settings::Profiles;

use crate::keys;
use crate::octets::kind;

/// What is wanted of mail: Profile("utf8"), Profile({"base": "utf8", "iris": "keep"}), Profile("septet.toml", name="archive").
#[pyclass(frozen, module = "septet")]
pub struct Profile {
    profile: Arc<septet::Profile>,
    made_of: Source,
}

/// What a profile was made of, and the name that it has there: what a pickle holds.
type Source = (Py<PyAny>, Option<String>);

#[pymethods]
impl Profile {
    #[new]
    #[pyo3(signature = (source, *, name = None))]
    fn new(source: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Profile> {
        let profile = wanted(source, name.clone())?;
        // A dict may change later.
        let source = match keys::mapping(source) {
            Some(_) => source.py().import("copy")?.call_method1("deepcopy", (source,))?,
            None => source.clone(),
        };
        Ok(Profile { profile, made_of: (source.unbind(), name) })
    }

    /// The profile's name; that of one made of a dict is "custom".
    #[getter]
    fn name(&self) -> &str {
        &self.profile.name
    }

    fn __repr__(&self) -> String {
        format!("<septet.Profile {}>", self.profile.name)
    }

    /// Two are equal if they want the same, and have one name.
    fn __eq__(&self, other: &Profile) -> bool {
        self.profile == other.profile
    }

    /// By the name alone, which equal ones share.
    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.profile.name.hash(&mut hasher);
        hasher.finish()
    }

    /// Makes what a pickle holds: `_profile` and its arguments. That of a settings file is read anew from the file.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Source)> {
        let (source, name) = &self.made_of;
        Ok((py.import("septet._septet")?.getattr("_profile")?, (source.clone_ref(py), name.clone())))
    }
}

/// Makes a profile of what a pickle holds.
#[pyfunction]
pub fn _profile(source: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Profile> {
    Profile::new(source, name)
}

/// A profile as a function's argument, in any of its forms; `utf8` where there is none.
///
/// It is made when it is asked for: what fails while pyo3 reads arguments gets a note of pyo3's in Python.
#[derive(Default)]
pub struct WantedProfile<'py>(Option<Bound<'py, PyAny>>);

impl WantedProfile<'_> {
    /// Finds the profile, or makes it.
    ///
    /// # Errors
    ///
    /// `ValueError` for a wrong one, `OSError` for a file that can't be read, `TypeError` for what is no profile at all.
    pub fn find(&self) -> PyResult<Arc<septet::Profile>> {
        static DEFAULT: LazyLock<Arc<septet::Profile>> = LazyLock::new(Arc::default);
        self.0.as_ref().map_or_else(|| Ok(DEFAULT.clone()), |object| wanted(object, None))
    }
}

impl<'py> FromPyObject<'_, 'py> for WantedProfile<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<WantedProfile<'py>> {
        Ok(WantedProfile(Some(object.to_owned())))
    }
}

/// Finds the profile that an object stands for: a text is a path where [`is_path`] says so, or else a name; a mapping is keys,
/// and any other object a path. `name` chooses a profile of a file, and is an error beside all else.
fn wanted(object: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Arc<septet::Profile>> {
    let py = object.py();
    let text = object.cast::<PyString>().ok().map(|text| text.to_string_lossy());
    if let Some(path) = text.as_deref().filter(|text| is_path(text)) {
        return of_file(py, PathBuf::from(path), name);
    }
    let is_made = text.is_some() || object.is_instance_of::<Profile>() || keys::mapping(object).is_some();
    if !is_made {
        let path = object.extract().map_err(|_| no_profile(object))?;
        return of_file(py, path, name);
    }
    if name.is_some() {
        return Err(PyValueError::new_err(
            "name: it chooses one of the profiles of a settings file; leave it out here",
        ));
    }
    match (text, object.cast::<Profile>(), keys::mapping(object)) {
        (Some(text), ..) => of_text(Kept::Name(text.into_owned())),
        (_, Ok(profile), _) => Ok(profile.get().profile.clone()),
        (_, _, Some(mapping)) => of_text(Kept::Keys(keys::settings(mapping)?)),
        _ => Err(no_profile(object)),
    }
}

/// Makes the error of an object that is no profile.
fn no_profile(object: &Bound<'_, PyAny>) -> PyErr {
    let kind = kind(object);
    PyTypeError::new_err(format!("a profile is a name, a dict, the path of a settings file or a Profile, not {kind}"))
}

/// Returns `true` for what names a file and no profile.
fn is_path(text: &str) -> bool {
    text.ends_with(".toml") || text.contains(['/', std::path::MAIN_SEPARATOR])
}

/// What a profile was made of.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Kept {
    Name(String),
    /// Settings that were written from a dict.
    Keys(String),
    File {
        path: PathBuf,
        modified: Option<SystemTime>,
        length: u64,
        name: Option<String>,
    },
}

/// How many profiles are kept; a program that makes more of them has them made anew.
const MOST: usize = 64;

/// Returns the profile that was made of the same thing, or makes it; one that can't be made is not kept.
fn kept(of: Kept, make: impl FnOnce(&Kept) -> PyResult<Arc<septet::Profile>>) -> PyResult<Arc<septet::Profile>> {
    static KEPT: LazyLock<Mutex<HashMap<Kept, Arc<septet::Profile>>>> = LazyLock::new(Mutex::default);
    let all = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(profile) = all().get(&of) {
        return Ok(profile.clone());
    }
    // It is made without the lock: Python may run meanwhile, and ask for another one.
    let profile = make(&of)?;
    let mut all = all();
    if all.len() >= MOST {
        all.clear();
    }
    all.insert(of, profile.clone());
    Ok(profile)
}

/// What faults call settings that no file has.
const NO_FILE: &str = "<profile>";

/// Makes a profile of its name or its keys, and of nothing else; a ValueError says what is wrong with them.
fn of_text(of: Kept) -> PyResult<Arc<septet::Profile>> {
    kept(of, |of| {
        let settings = match of {
            Kept::Name(name) => format!("default_profile = {}\n", toml::Value::String(name.clone())),
            Kept::Keys(settings) => settings.clone(),
            Kept::File { .. } => String::new(),
        };
        let read = Profiles::read(NO_FILE, &settings);
        read.map(|profiles| profiles.default_profile())
            .map_err(|faults| PyValueError::new_err(without_file(&faults.to_string())))
    })
}

/// Takes out of faults where they stand in a file that nobody has written.
fn without_file(faults: &str) -> String {
    let mark = format!("{NO_FILE}:");
    let table = format!("profile.{}.", keys::NAME);
    let mut shown = String::new();
    for (index, fault) in faults.split(&mark).enumerate() {
        let place = |text: &str| text.is_empty() || text.bytes().all(|octet| octet.is_ascii_digit());
        let text = match fault.split_once(": ") {
            Some((line, rest)) if index > 0 && place(line) => rest,
            _ => fault,
        };
        let text = text.strip_prefix(&table).or_else(|| text.strip_prefix("default_profile: ")).unwrap_or(text);
        shown.push_str(text);
    }
    shown
}

/// Reads a profile of a settings file, if it was not read since it was last written, as far as its date and length tell.
fn of_file(py: Python<'_>, path: PathBuf, name: Option<String>) -> PyResult<Arc<septet::Profile>> {
    let failed = |error| file_error(py, &path, &error);
    let about = std::fs::metadata(&path).map_err(failed)?;
    let (modified, length) = (about.modified().ok(), about.len());
    let whole = std::path::absolute(&path).map_err(failed)?;
    kept(Kept::File { path: whole, modified, length, name: name.clone() }, |_| {
        let octets = py.detach(|| std::fs::read(&path)).map_err(failed)?;
        read_file(&path.display().to_string(), octets, name.as_deref()).map_err(PyValueError::new_err)
    })
}

/// Finds a profile in the octets of a settings file, the default one for no name; `shown` is what errors call the file.
fn read_file(shown: &str, octets: Vec<u8>, name: Option<&str>) -> Result<Arc<septet::Profile>, String> {
    let text = String::from_utf8(octets).map_err(|_| format!("{shown}: it is not UTF-8"))?;
    let profiles = Profiles::read(shown, &text).map_err(|faults| faults.to_string())?;
    match name {
        None => Ok(profiles.default_profile()),
        Some(name) => profiles.named(name).map_err(|bad| format!("{shown}: name: {bad}")),
    }
}

/// Makes Python's error of a file, with its number and the path, so that it is a FileNotFoundError and the like.
fn file_error(py: Python<'_>, path: &Path, error: &std::io::Error) -> PyErr {
    let Some(number) = error.raw_os_error() else { return PyOSError::new_err(error.to_string()) };
    let said = py.import("os").and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>());
    PyOSError::new_err((number, said.unwrap_or_else(|_| error.to_string()), path.display().to_string()))
}
