//! Every message of fixtures/rewrite, through the milter: what an MTA then holds is the plan applied.

use septet::protocol::milter::{Modifications, MtaMessage};
use septet::rewrite::{Profile, plan};
use septet_support::case;

use super::modifications::{WHOLE, carried_out, shown};

#[test]
fn every_message_comes_out_as_planned() {
    let cases = case::all();
    assert!(cases.len() > 50, "{} messages", cases.len());
    for case in cases {
        let (case, given) = (&case.name, case.input().to_vec());
        // An octet 0 in a header can't be said in this protocol.
        if given.contains(&0) {
            continue;
        }
        // What the MTA shows is the message in CRLF, and with an empty line after the header.
        let raw = shown(&MtaMessage::read(given), WHOLE).0.raw().to_vec();
        let (content, negotiated) = shown(&MtaMessage::read(raw.clone()), WHOLE);
        assert_eq!(content.raw(), raw, "{case} is shown as it is");
        for name in Profile::BUILT_IN {
            let edits = plan(&raw, &Profile::built_in(name).expect("built in")).edits;
            let requests =
                Modifications::of(&content, &edits, &negotiated).unwrap_or_else(|why| panic!("{case} {name}: {why}"));
            assert_eq!(requests.prove(), Ok(()), "{case} {name}");
            let made = carried_out(MtaMessage::read(raw.clone()), &requests, &negotiated);
            let expected = edits.apply(&raw);
            assert_eq!(made.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{case} {name}");
        }
    }
}
