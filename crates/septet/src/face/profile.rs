//! What the keys of a [`Profile`](crate::Profile) can be set to; each has the name and the words of the settings.

pub use crate::coding::escape::Language;
pub use crate::rewrite::{
    Addresses, Attachments, BodyCharset, Dkim, Dkim2, DoubleEncoded, FileNames, HeaderForm, HostForm, InText, Iris,
    OnLoss, Repair, Schemeless, Signed, Transfer, Unlabelled,
};
