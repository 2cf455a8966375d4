//! The field Message-Instance and what of a DKIM2-Signature it is numbered by: read, and written.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Dkim2Refusal;
use super::recipe::Recipe;
use super::state::{MessageState, StateHashes};
use crate::rewrite::ensure::ensure;

/// The draft that the field follows, as reports name it.
pub const DRAFT: &str = "08";

/// The name of the field, as it is written.
pub const NAME: &str = "Message-Instance";

/// The most instances that a message may have, and the most signatures.
pub const MOST: usize = 50;

/// The octets of base64 in a line: with a tab, or with the `r=` before the first, it is 78 or less.
const LINE: usize = 74;

/// An instance that was read.
#[derive(Debug, Clone)]
pub struct Instance {
    /// Its number; 1 is the author's.
    pub number: usize,
    /// What `h=` says, without white space; [`read`](Self::read) sees to it that each hash has a name and two values.
    hashes: Vec<u8>,
    /// The JSON of its recipe, if it has one.
    pub recipe: Option<Vec<u8>>,
}

/// The fields of DKIM2 in a message.
#[derive(Debug, Clone)]
pub struct InstanceChain {
    /// The instances, from 1 on.
    pub instances: Vec<Instance>,
    /// How many signatures there are.
    pub signatures: usize,
}

impl InstanceChain {
    /// Reads the fields of DKIM2; a message without any has an empty chain.
    ///
    /// # Errors
    ///
    /// [`Dkim2Refusal::Malformed`]: one breaks its grammar, there are too many, their numbers have gaps, or a signature
    /// covers an instance that is not there.
    pub fn read(state: &MessageState) -> Result<InstanceChain, Dkim2Refusal> {
        let mut instances = all_read(state, "message-instance", Instance::read)?;
        instances.sort_by_key(|instance| instance.number);
        let mut signatures = all_read(state, "dkim2-signature", numbers_of_signature)?;
        signatures.sort_unstable();
        let are_counted = is_count(instances.iter().map(|instance| instance.number));
        let are_signed = is_count(signatures.iter().map(|(hop, _)| *hop));
        let covers = signatures.iter().all(|(_, covered)| (1..=instances.len()).contains(covered));
        ensure(are_counted && are_signed && covers, Dkim2Refusal::Malformed)?;
        Ok(InstanceChain { instances, signatures: signatures.len() })
    }
}

/// Reads all fields of a name; one that can't be read is malformed.
fn all_read<T>(state: &MessageState, name: &str, read: impl Fn(&[u8]) -> Option<T>) -> Result<Vec<T>, Dkim2Refusal> {
    let fields = state.fields.iter().filter(|field| field.name == name);
    fields.map(|field| read(field.value())).collect::<Option<Vec<T>>>().ok_or(Dkim2Refusal::Malformed)
}

/// Returns `true` if numbers count from 1, without a gap, and are no more than there may be.
fn is_count(numbers: impl ExactSizeIterator<Item = usize>) -> bool {
    numbers.len() <= MOST && numbers.enumerate().all(|(before, number)| number == before + 1)
}

/// Returns the numbers of a DKIM2-Signature: of the hop (`i=`), and of the highest instance that it covers (`m=`); none
/// where it breaks the grammar or lacks one.
fn numbers_of_signature(value: &[u8]) -> Option<(usize, usize)> {
    let tags = tags(value)?;
    Some((number(tags.get(&b"i"[..])?)?, number(tags.get(&b"m"[..])?)?))
}

/// Returns `true` if a DKIM2-Signature covers an instance; one that can't be read covers none.
pub fn covers(value: &[u8], instance: usize) -> bool {
    numbers_of_signature(value).is_some_and(|(_, covered)| covered >= instance)
}

/// Returns the tags of a list, by their names, whose case counts, without any white space in them; none where it is no
/// list of tags, or has one twice.
fn tags(value: &[u8]) -> Option<BTreeMap<Vec<u8>, Vec<u8>>> {
    let solid: Vec<u8> = value.iter().copied().filter(|octet| !octet.is_ascii_whitespace()).collect();
    let list = solid.strip_suffix(b";").unwrap_or(&solid);
    let mut tags = BTreeMap::new();
    for tag in list.split(|&octet| octet == b';') {
        let equals = memchr::memchr(b'=', tag).filter(|at| *at > 0)?;
        if tags.insert(tag[..equals].to_vec(), tag[equals + 1..].to_vec()).is_some() {
            return None;
        }
    }
    Some(tags)
}

/// Reads a number, which starts with no 0 and has three digits at the most.
fn number(digits: &[u8]) -> Option<usize> {
    let is_number = digits.iter().all(u8::is_ascii_digit) && digits.len() <= 3 && digits.first() != Some(&b'0');
    str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()
}

impl Instance {
    /// Reads the value of a field; none where it breaks the grammar.
    pub fn read(value: &[u8]) -> Option<Instance> {
        let mut tags = tags(value)?;
        let recipe = match tags.remove(&b"r"[..]) {
            Some(base64) => Some(STANDARD.decode(base64).ok()?),
            None => None,
        };
        let hashes = tags.remove(&b"h"[..])?;
        let are_hashes = alternatives(&hashes).flatten().all(|hash| hash.len() == 3);
        are_hashes.then_some(Instance { number: number(tags.get(&b"m"[..])?)?, hashes, recipe })
    }

    /// Compares what it says with the hashes of a state: none where it has no SHA-256.
    pub fn agrees(&self, state: &StateHashes) -> Option<bool> {
        self.agreement(state).map(|agreement| agreement == [true; 2])
    }

    /// Compares what it says with the hash of a state's header, and with that of its body: none where it has no
    /// SHA-256. Of several alternatives the one counts that agrees, else the last.
    pub fn agreement(&self, state: &StateHashes) -> Option<[bool; 2]> {
        let expected = [STANDARD.encode(state.header), STANDARD.encode(state.body)];
        let known = alternatives(&self.hashes).filter_map(|all| {
            let ours: Vec<Vec<&[u8]>> = all.into_iter().filter(|hash| hash[0] == b"sha256").collect();
            let are_right = |at: usize| ours.iter().all(|hash| hash[at + 1] == expected[at].as_bytes());
            (!ours.is_empty()).then(|| [are_right(0), are_right(1)])
        });
        known.reduce(|one, other| if one == [true; 2] { one } else { other })
    }
}

/// Splits what `h=` says: any of these must be right, and each is right if all its hashes are; a hash has a name and
/// two values.
fn alternatives(hashes: &[u8]) -> impl Iterator<Item = Vec<Vec<&[u8]>>> {
    let any = hashes.split(|&octet| octet == b'|');
    any.map(|all| all.split(|&octet| octet == b',').map(|hash| hash.split(|&octet| octet == b':').collect()).collect())
}

/// Writes the field as it is sent: its line ends are CRLF, the last one included.
pub fn written(number: usize, hashes: &StateHashes, recipe: &Recipe) -> String {
    let [header, body] = [hashes.header, hashes.body].map(|hash| STANDARD.encode(hash));
    let recipe = STANDARD.encode(recipe.to_json());
    let lines: Vec<&str> = (0..recipe.len()).step_by(LINE).map(|at| &recipe[at..recipe.len().min(at + LINE)]).collect();
    format!("{NAME}: m={number};\r\n\th=sha256:{header}:{body};\r\n\tr={};\r\n", lines.join("\r\n\t"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fields_as_others_write_them() {
        let field = b" h = sha256 : QQ==\r\n : Qg==, sha512:x:y | md9:a:b; M=9; m=\r\n 2 ; r=eyJi\r\n\tIjpbXX0=";
        let read = Instance::read(field).expect("an instance");
        assert_eq!((read.number, read.recipe.as_deref()), (2, Some(&b"{\"b\":[]}"[..])));
        let bad = [
            "", "m=1", "m=1;h=sha256:a", "m=1;m=1;h=sha256:a:b", "m=01;h=a:b:c", "m=1;h=a:b:c;r=?", "m=;h=a:b:c",
            "h=a:b:c;;m=1",
        ];
        for field in bad {
            assert!(Instance::read(field.as_bytes()).is_none(), "{field}");
        }
    }

    #[test]
    fn hashes_are_alternatives_of_which_all_must_be_right() {
        let state = StateHashes { header: [0; 32], body: [1; 32] };
        let [zeros, ones] = [state.header, state.body].map(|hash| STANDARD.encode(hash));
        let right = format!("sha256:{zeros}:{ones}");
        let wrong = format!("sha256:{ones}:{ones}");
        for (hashes, agrees) in [
            (right.clone(), Some(true)),
            (wrong.clone(), Some(false)),
            ("sha512:a:b".to_owned(), None),
            (format!("{wrong}|{right}"), Some(true)),
            (format!("{wrong},{right}"), Some(false)),
            (format!("sha512:a:b,{right}"), Some(true)),
            (format!("sha512:a:b|{wrong}"), Some(false)),
        ] {
            let instance = Instance::read(format!("m=1; h={hashes};").as_bytes()).expect("an instance");
            assert_eq!(instance.agrees(&state), agrees, "{hashes}");
        }
    }

    #[test]
    fn numbers_count_without_a_gap() {
        for (fields, is_chain) in [
            ("", true),
            ("DKIM2-Signature: i=1; m=1\nMessage-Instance: m=1; h=a:b:c\n", true),
            ("Message-Instance: m=2; h=a:b:c\nDKIM2-Signature: i=1; m=1\nMessage-Instance: m=1; h=a:b:c\n", true),
            ("DKIM2-Signature: i=1; m=2\nMessage-Instance: m=1; h=a:b:c\n", false),
            ("DKIM2-Signature: i=2; m=1\nMessage-Instance: m=1; h=a:b:c\n", false),
            ("Message-Instance: m=2; h=a:b:c\n", false),
            ("Message-Instance: m=1; h=a:b:c\nMessage-Instance: m=1; h=a:b:c\n", false),
            ("DKIM2-Signature: i=1; m=1\n", false),
        ] {
            let text = format!("{fields}\n");
            let state = MessageState::read(text.as_bytes()).expect("a message");
            assert_eq!(InstanceChain::read(&state).is_ok(), is_chain, "{fields}");
        }
    }

    #[test]
    fn lines_are_short() {
        let said = super::super::recipe::RecipeStep::Text(vec!["x".repeat(500)]);
        let recipe = Recipe { body: Some(vec![said]), ..Recipe::default() };
        let field = written(50, &StateHashes { header: [0; 32], body: [1; 32] }, &recipe);
        assert!(field.split("\r\n").filter(|line| !line.contains("h=")).all(|line| line.len() <= 78), "{field}");
        let value = field.strip_prefix("Message-Instance:").expect("its name");
        assert_eq!(Instance::read(value.as_bytes()).and_then(|read| read.recipe), Some(recipe.to_json().into_bytes()));
    }
}
