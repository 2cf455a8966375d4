//! The commands that come next, for the same mail: what a run and its page tell to be copied.
//!
//! A command is told where it can be typed as it stands and does what is said of it; else there is none. Its words are
//! quoted for the shell.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use clap::ValueEnum;

use crate::process::settings::ProfileArgs;
use crate::process::shell;
use crate::process::shown::Shown;

/// How many octets a command may have that is told to be copied.
const LONGEST: usize = 600;

/// What a command needs to read the same mail by the same settings.
#[derive(Debug, Clone, Default)]
pub struct SameMail {
    /// The options that say which settings hold, and how the inputs are read; none where they can't be typed.
    options: Option<Vec<String>>,
    /// The inputs; none where one can't be typed or read again.
    inputs: Option<Vec<String>>,
    /// The options of `convert` that say what becomes of them, where it may be run again as it was.
    convert: Option<Vec<String>>,
    /// The settings file that the commands make and read.
    settings: String,
}

impl SameMail {
    /// Takes the settings and the inputs of a command.
    pub fn of(settings: &ProfileArgs, inputs: &[PathBuf]) -> SameMail {
        let option = |name: &str, value: &str| typed(value).map(|value| format!("--{name} {}", shell::word(&value)));
        let config = settings.config.config.iter().map(|path| option("config", path.to_str()?));
        let set = settings.config.set.iter().map(|set| option("set", &format!("{}={}", set.key, set.value)));
        let profile = settings.profile.iter().map(|name| option("profile", name));
        let inputs = inputs.iter().map(|path| Some(shell::file(&typed(path.to_str()?).filter(|name| name != "-")?)));
        let read = settings.config.named();
        let options = config.chain(set).chain(profile).collect();
        SameMail { options, inputs: inputs.collect(), convert: None, settings: new_settings(read.as_deref()) }
    }

    /// Adds an option that says how the inputs are read.
    pub fn read_as(mut self, option: String) -> SameMail {
        self.options.iter_mut().for_each(|options| options.push(option.clone()));
        self
    }

    /// Adds the format that the inputs are read as, if that is not the default one.
    pub fn in_format<F: ValueEnum + Default + PartialEq>(self, format: F) -> SameMail {
        match format.to_possible_value().filter(|_| format != F::default()) {
            Some(format) => self.read_as(format!("--format {}", format.get_name())),
            None => self,
        }
    }

    /// Adds the options with which `convert` may be run again.
    pub fn converted_by(mut self, options: Option<Vec<OsString>>) -> SameMail {
        let quoted = |word: OsString| typed(word.to_str()?).map(|word| shell::word(&word));
        self.convert = options.and_then(|options| options.into_iter().map(quoted).collect());
        self
    }

    /// Returns the command that says which settings help; none where it can't be typed.
    pub fn advise(&self) -> Option<String> {
        self.command("septet advise", self.options.as_ref()?)
    }

    /// Returns the commands that make a settings file of the advice, and convert by it: none of these, or the first
    /// alone, where they can't be typed.
    pub fn advise_and_convert(&self) -> Vec<String> {
        let Some(advise) = self.advise() else { return Vec::new() };
        let options = self.convert.as_ref();
        let convert =
            options.and_then(|options| self.command(&format!("septet convert --config {}", self.settings), options));
        [Some(format!("{advise} > {}", self.settings)), convert].into_iter().flatten().collect()
    }

    /// Returns the command that explains a message of a file; none where it can't be typed, or the file is standard
    /// input.
    pub fn explain(&self, message: u64, file: &str) -> Option<String> {
        let (options, file) = (self.options.as_ref()?, typed(file).filter(|file| file != "-")?);
        let words = options.iter().map(|option| format!(" {option}")).collect::<String>();
        Some(format!("septet explain{words} --message {message} {}", shell::file(&file)))
    }

    /// Returns the command that converts by a file of decisions; none where it can't be typed.
    pub fn convert_by(&self, decisions: &Path) -> Option<String> {
        let decisions = typed(decisions.to_str()?)?;
        let own = [format!("--decisions {}", shell::file(&decisions)), "-o OUT".to_owned()];
        let options: Vec<String> = self.options.as_ref()?.iter().cloned().chain(own).collect();
        self.command("septet convert", &options)
    }

    /// Puts a command together, with the inputs at its end; none where an input can't be typed, or it is too long to
    /// be copied.
    fn command(&self, verb: &str, options: &[String]) -> Option<String> {
        let words = [verb].into_iter().chain(options.iter().map(String::as_str));
        let words = words.chain(self.inputs.as_ref()?.iter().map(String::as_str));
        Some(words.collect::<Vec<_>>().join(" ")).filter(|command| command.len() <= LONGEST)
    }
}

/// Returns a name for a settings file, another one than that of the file that is read, and of any that stands in the
/// working directory: the shell empties what it redirects into before anybody reads it.
fn new_settings(read: Option<&Path>) -> String {
    let others = (2..).map(|number| format!("septet-{number}.toml"));
    let mut names = iter::once("septet.toml".to_owned()).chain(others);
    let free = names.find(|name| !read.is_some_and(|path| path.ends_with(name)) && fs::symlink_metadata(name).is_err());
    free.unwrap_or_else(|| "septet-new.toml".to_owned())
}

/// Returns a word if it can be seen and typed as it is.
fn typed(word: &str) -> Option<String> {
    let can_be_seen = Shown(word).to_string() == word && !word.contains('\u{fffd}');
    can_be_seen.then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(inputs: &[&str]) -> SameMail {
        SameMail::of(&ProfileArgs::default(), &inputs.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn commands_can_be_typed_as_they_stand() {
        let options = ["-o", "new box"].map(OsString::from).to_vec();
        let same = mail(&["in box.mbox", "-x.mbox"]).converted_by(Some(options));
        assert_eq!(
            same.advise_and_convert(),
            [
                "septet advise 'in box.mbox' ./-x.mbox > septet.toml",
                "septet convert --config septet.toml -o 'new box' 'in box.mbox' ./-x.mbox"
            ]
        );
        assert_eq!(same.explain(3, "it's").as_deref(), Some(r"septet explain --message 3 'it'\''s'"));
    }

    #[test]
    fn what_can_not_be_typed_is_no_command() {
        for inputs in [&["-"][..], &["a\u{202e}b"], &["a\nb"], &["a", "\u{fffd}"], &["x"; 400]] {
            assert_eq!(mail(inputs).advise(), None, "{inputs:?}");
            assert!(mail(inputs).advise_and_convert().is_empty());
        }
        assert_eq!(mail(&["a"]).explain(1, "-"), None);
        assert_eq!(mail(&["a"]).advise_and_convert(), ["septet advise a > septet.toml"], "nobody knows how to convert");
    }

    /// `septet advise --config septet.toml … > septet.toml` emptied the file, and lost what was set in it.
    #[test]
    fn no_file_that_is_read_is_written() {
        let mut settings = ProfileArgs::default();
        settings.config.config = Some("./septet.toml".into());
        let same = SameMail::of(&settings, &["a".into()]).converted_by(Some(Vec::new()));
        assert_eq!(
            same.advise_and_convert(),
            ["septet advise --config ./septet.toml a > septet-2.toml", "septet convert --config septet-2.toml a"]
        );
    }

    #[test]
    fn decisions_are_named() {
        let convert = mail(&["a b"]).convert_by(Path::new("a b.jsonl"));
        assert_eq!(convert.as_deref(), Some("septet convert --decisions 'a b.jsonl' -o OUT 'a b'"));
    }

    #[test]
    fn the_settings_come_along() {
        let profile = ProfileArgs { profile: Some("my own".to_owned()), ..ProfileArgs::default() };
        let same = SameMail::of(&profile, &["a".into()]).read_as("--format eml".to_owned());
        assert_eq!(same.advise().as_deref(), Some("septet advise --profile 'my own' --format eml a"));
    }
}
