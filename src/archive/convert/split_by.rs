//! `--split-by label`: which mailboxes mail is sorted into.

/// What `--split-by` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SplitBy {
    /// By the labels of Gmail, as a Google Takeout has them
    Label,
}

/// What `--labels` says: where a message goes that has several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LabelChoice {
    /// To one mailbox: Trash or Spam, else the first label that the user made, else Drafts, Sent, Chat, Inbox, Archived
    #[default]
    First,
    /// To the mailbox of each label
    Each,
}
