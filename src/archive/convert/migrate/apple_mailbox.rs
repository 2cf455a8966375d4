//! What the folders of Apple Mail are called: a mailbox `INBOX` of an account is the folder
//! `ACCOUNT/INBOX.mbox/STORE/Data`, and its messages lie in `Messages` there and in `1/2/Messages` below.

use std::path::{Component, Path, PathBuf};

/// A mailbox of Apple Mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppleMailbox {
    /// The account that it is of: a folder with a name that nobody chose.
    pub account: PathBuf,
    /// Its name, below that of the mailbox around it.
    pub name: PathBuf,
}

impl AppleMailbox {
    /// Returns the mailbox that a file of a message is of, by its whole path; none for files that do not lie so.
    pub fn of(file: &Path) -> Option<AppleMailbox> {
        let names: Vec<&str> = file.components().filter_map(normal).collect();
        let data = names.iter().rposition(|name| *name == "Data").filter(|at| *at > 1)?;
        let mailboxes = &names[..data - 1];
        let chain = mailboxes.iter().rev().take_while(|name| name.ends_with(".mbox")).count();
        let (account, chain) = mailboxes.split_at(mailboxes.len() - chain);
        let names: Vec<&str> = chain.iter().filter_map(|name| name.strip_suffix(".mbox")).collect();
        // `...mbox` would lead out of OUT.
        let is_name = |name: &&str| !matches!(*name, "" | "." | "..");
        let account = account.last().map(PathBuf::from).unwrap_or_default();
        let is_mailbox = !names.is_empty() && names.iter().all(is_name);
        is_mailbox.then(|| AppleMailbox { account, name: names.iter().collect() })
    }
}

/// Returns the name in a path that leads down; none of any other component, and of one that is not UTF-8.
fn normal(component: Component<'_>) -> Option<&str> {
    if let Component::Normal(name) = component { name.to_str() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailbox_is_named_as_apple_mail_shows_it() {
        for (file, wanted) in [
            ("/m/V10/11-AA/INBOX.mbox/22-BB/Data/Messages/1.emlx", Some(("11-AA", "INBOX"))),
            (
                "/m/V10/11-AA/Archive.mbox/2026.mbox/22-BB/Data/4/2/Messages/9.partial.emlx",
                Some(("11-AA", "Archive/2026")),
            ),
            ("INBOX.mbox/22-BB/Data/Messages/1.emlx", Some(("", "INBOX"))),
            ("/m/11-AA/INBOX.mbox.mbox/22-BB/Data/Messages/1.emlx", Some(("11-AA", "INBOX.mbox"))),
            ("/m/11-AA/...mbox/INBOX.mbox/22-BB/Data/Messages/1.emlx", None),
            ("/m/11-AA/..mbox/22-BB/Data/Messages/1.emlx", None),
            ("/m/11-AA/.mbox/22-BB/Data/Messages/1.emlx", None),
            ("/m/Data/1.emlx", None),
            ("/m/INBOX.mbox/Messages/1.emlx", None),
        ] {
            let found = AppleMailbox::of(Path::new(file));
            let wanted = wanted.map(|(account, name)| AppleMailbox { account: account.into(), name: name.into() });
            assert_eq!(found, wanted, "{file}");
        }
    }
}
