//! Words as a shell takes them, so that a command that is shown can be typed as it stands.

/// Quotes a word where it must be, so that a shell of POSIX, or zsh, takes it for one word, and expands nothing in it.
pub fn word(word: &str) -> String {
    let is_plain = word.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-_./=:,@+%".contains(&octet));
    // What starts with `=` is the path of a program in zsh.
    match is_plain && !word.is_empty() && !word.starts_with('=') {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Quotes the name of a file like a [`word`], with `./` before one that a command would take for an option; `-` stays,
/// which commands take for standard input.
pub fn file(name: &str) -> String {
    if name.starts_with('-') && name != "-" { word(&format!("./{name}")) } else { word(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_again() {
        for (bare, wanted) in [
            ("a-b", "a-b"),
            ("--report=x", "--report=x"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("$x", "'$x'"),
            ("=ls", "'=ls'"),
            ("caf\u{e9}\u{a0}", "'caf\u{e9}\u{a0}'"),
        ] {
            assert_eq!(word(bare), wanted);
        }
    }

    #[test]
    fn a_file_is_no_option() {
        for (name, wanted) in [("-x.mbox", "./-x.mbox"), ("-", "-"), ("a.mbox", "a.mbox"), ("-a b", "'./-a b'")] {
            assert_eq!(file(name), wanted);
        }
    }
}
