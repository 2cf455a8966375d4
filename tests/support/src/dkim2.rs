//! What is promised of messages that DKIM2 signed, for the fuzz target and for ordinary tests.
//!
//! Any message can be made one: with a signature that nobody verifies, and with an instance whose hashes are its own
//! ([`signed`]). What septet makes of it must lead back ([`fault`]).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use septet::message::LineEnd;
use septet::rewrite::dkim2::instance::InstanceChain;
use septet::rewrite::dkim2::state::{MessageState, StateHashes};
use septet::rewrite::dkim2::undo::undone;
use septet::rewrite::{Dkim2, Outcome, Plan, Profile, check, plan};

/// A DKIM2-Signature as far as septet reads it.
pub const SIGNATURE: &str = "DKIM2-Signature: i=1; m=1; d=author.example; s=s1:ed25519-sha256:AAAA;";

/// Makes a message one that its author signed by DKIM2.
pub fn signed(raw: &[u8]) -> Vec<u8> {
    let nothing = StateHashes { header: [0; 32], body: [0; 32] };
    let hashes = MessageState::read(raw).map_or(nothing, |state| state.hashes());
    let end = LineEnd::of(raw).as_str();
    let [header, body] = [hashes.header, hashes.body].map(|hash| STANDARD.encode(hash));
    let fields = format!("{SIGNATURE}{end}Message-Instance: m=1; h=sha256:{header}:{body};{end}");
    [fields.as_bytes(), raw].concat()
}

/// Finds what is wrong with what septet makes of a message that DKIM2 signed, and says it; none where all is right: the
/// check lets the plan pass, a second run changes nothing, and what changes can be undone by an instance, or is left
/// with its reason.
pub fn fault(raw: &[u8], profile: &Profile) -> Option<String> {
    let mut profile = profile.clone();
    (profile.dkim2, profile.dkim2_field) = (Dkim2::Instance, 59_000);
    let raw = signed(raw);
    let planned = plan(&raw, &profile);
    if planned.edits.is_empty() {
        return None;
    }
    let once = planned.edits.apply(&raw);
    let again = plan(&once, &profile);
    let refused = check(&raw, &planned, &profile).err().map(|error| format!("refused: {error}"));
    let second = (!again.edits.is_empty()).then(|| format!("a second run changes: {}", again.report));
    refused.or(second).or_else(|| goes_astray(&raw, &once, &planned))
}

/// Says why a changed message does not lead back to the one that came, if it doesn't.
fn goes_astray(raw: &[u8], once: &[u8], planned: &Plan) -> Option<String> {
    let states = (MessageState::read(raw), MessageState::read(once));
    let (Ok(before), Ok(after)) = states else { return Some("a header that can't be read".to_owned()) };
    let said = planned.report.entries.iter().any(|entry| match &entry.outcome {
        Outcome::Done(changes) => changes.iter().any(|change| change.code() == "dkim2"),
        _ => false,
    });
    if before.hashes() == after.hashes() {
        return said.then(|| "an instance without need".to_owned());
    }
    let chain = InstanceChain::read(&after);
    let Ok(chain) = chain.map_err(|_| "a chain that can't be read") else { return Some("no chain".to_owned()) };
    match undone(&after, &chain) {
        _ if !said => Some("no word of an instance".to_owned()),
        Err(what) => Some(what),
        Ok(state) if state.hashes() != before.hashes() => Some("it leads to other hashes".to_owned()),
        Ok(state) if !is_same_body(&state.body, &before.body) => Some("it leads to another body".to_owned()),
        Ok(_) => None,
    }
}

/// Compares bodies octet for octet, but for a line end that the last line may have got.
fn is_same_body(one: &[u8], other: &[u8]) -> bool {
    one == other || [&[b"\r\n", other][..], &[b"\n", other]].iter().any(|pair| one == [pair[1], pair[0]].concat())
}

/// Fuzzes the readers of what others wrote: undoes whatever instances the octets have, down to the first.
pub fn fuzz_undo(octets: &[u8]) {
    let Ok(mut state) = MessageState::read(octets) else { return };
    let mut length = octets.len();
    while let Ok(chain) = InstanceChain::read(&state)
        && let Ok(before) = undone(&state, &chain)
    {
        let said: usize = chain.instances.last().and_then(|top| top.recipe.as_ref()).map_or(0, Vec::len);
        // A value of a recipe may be empty, and gets a name, a colon and a line end.
        assert!(before.to_octets().len() <= length + 100 * said + 4, "a recipe says no more than it has");
        length = before.to_octets().len();
        before.hashes();
        state = before;
    }
}
