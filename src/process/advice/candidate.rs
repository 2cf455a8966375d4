//! Settings that may help: lists for `unlabelled`, and what unknown labels may mean.

use std::collections::BTreeMap;

use super::evidence::CharsetEvidence;
use crate::config::profile::ProfileTable;
use crate::rewrite::{Labels, Profile, Unlabelled};

/// How many of the likely charsets are tried, beside windows-1252 and statistics.
const CHARSETS: usize = 5;

/// How many charsets of one octet a character are tried behind each charset of several octets a character.
const SINGLE_BEHIND_MULTI: usize = 2;

/// Keys of a profile that say how texts without a good label are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The key `unlabelled`.
    pub unlabelled: Vec<String>,
    /// The key `charset_alias`.
    pub aliases: BTreeMap<String, String>,
    /// The charsets that it adds to the profile's list.
    pub added: Vec<&'static str>,
}

/// Makes all candidates of some lists: the profile as it is, then each list, each of them first without `aliases`,
/// which is what unknown labels seem to mean, and then with them, if they differ from the profile's own.
///
/// What adds least comes first: an alias helps its own texts alone, a list helps all. The profile as it is must be the
/// first of all, by which [`choice`](super::choice) knows it.
pub fn all(table: &ProfileTable, aliases: BTreeMap<String, String>, lists: Vec<Vec<&'static str>>) -> Vec<Candidate> {
    let own = &table.charset_alias;
    let mut more = own.clone();
    more.extend(aliases);
    let mut made = Vec::new();
    for added in [Vec::new()].into_iter().chain(lists) {
        made.push(Candidate::new(&table.unlabelled, added.clone(), own));
        made.extend((more != *own).then(|| Candidate::new(&table.unlabelled, added, &more)));
    }
    made
}

impl Candidate {
    /// Makes that of a profile's own list, of what is added to it, and of all aliases.
    fn new(listed: &[String], added: Vec<&'static str>, aliases: &BTreeMap<String, String>) -> Candidate {
        let mut unlabelled = listed.to_vec();
        unlabelled.extend(added.iter().map(|name| (*name).to_owned()));
        Candidate { unlabelled, aliases: aliases.clone(), added }
    }

    /// Returns the profile with these keys; aliases that are no good leave its labels as they are.
    pub fn profile(&self, table: &ProfileTable) -> Profile {
        let mut profile = table.profile.clone();
        if let Ok(labels) = Labels::new(&self.aliases) {
            profile.labels = labels;
        }
        profile.unlabelled = Unlabelled::list(&self.unlabelled, &profile.labels);
        profile
    }

    /// Returns `true` if it goes by statistics, text by text.
    pub fn guesses(&self) -> bool {
        self.added.contains(&"detect")
    }
}

/// Makes the lists that are tried: each charset alone, each of several octets a character before each of the likeliest
/// ones of one octet, statistics alone, and statistics before the likeliest charset of one octet.
pub fn lists(evidence: &CharsetEvidence) -> Vec<Vec<&'static str>> {
    let mut names: Vec<&'static str> = evidence.likely().into_iter().take(CHARSETS).collect();
    if !names.contains(&"windows-1252") {
        names.push("windows-1252");
    }
    let (single, multi): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| is_single(name));
    let behind = &single[..single.len().min(SINGLE_BEHIND_MULTI)];
    let pairs = multi.iter().flat_map(|multi| behind.iter().map(move |single| vec![*multi, *single]));
    let with_statistics = single.iter().take(1).map(|single| vec!["detect", *single]);
    let alone = names.iter().map(|name| vec![*name]);
    alone.chain(pairs).chain([vec!["detect"]]).chain(with_statistics).collect()
}

/// Returns `true` if a charset has one octet for each character, by its name; windows-949 is Korean and has not.
fn is_single(name: &str) -> bool {
    ["windows-", "iso-8859-", "koi8-", "ibm", "macintosh", "x-mac", "tis-620"]
        .iter()
        .any(|start| name.starts_with(start))
        && name != "windows-949"
}
