//! Line ends that are mixed: what is written ends as the lines around it do.

use septet::rewrite::{Profile, plan};

const MESSAGES: [&[u8]; 4] = [
    b"X-Mozilla-Status: 0001\nFrom: J\xf6rg <j@example.org>\nSubject: =?iso-8859-1?Q?Gr=FC=DFe_aus_einem_langen_Betreff_der_\
      gefaltet_wird,_weil_er_?= =?iso-8859-1?Q?gr=F6=DFer_ist?=\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-7\n\n\
      5 +IKw-\nzweite Zeile\ndritte\n",
    b"Subject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: base64\n\n\
      R3L832UNCkdy/N9lDQpHcvzfZQ0KR3L832UNCkdy/N9lDQpHcvzfZQ0KR3L832UNCkdy/N9l\nDQo=\n",
    b"Subject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n\
      =CF=D0=D1=CF=D0=D1=CF=D0=D1=CF=D0=D1=CF=D0=D1=CF=D0=D1=CF=D0=D1=CF=D0=D1=\n=CF=D0=D1=CF=D0=D1\nabc\n=CF\n",
    b"Subject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nplain\n--b\nContent-Type: text/plain; \
      charset=iso-8859-1\n\ncaf\xe9\nth\xe9\n--b--\n",
];

/// Returns the text with its first lines in LF and the others in CRLF, or the other way round.
fn switched(text: &[u8], lines: usize, lf_first: bool) -> Vec<u8> {
    let ended = |(at, line): (usize, &[u8])| match line.strip_suffix(b"\n") {
        Some(bare) if (at < lines) != lf_first => [bare, b"\r\n"].concat(),
        _ => line.to_vec(),
    };
    text.split_inclusive(|octet| *octet == b'\n').enumerate().flat_map(ended).collect()
}

fn without_returns(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|octet| *octet != b'\r').collect()
}

/// Counts how often the lines of a text go over from one line end to the other.
fn switches(text: &[u8]) -> usize {
    let ends: Vec<bool> = text
        .split_inclusive(|it| *it == b'\n')
        .filter(|it| it.ends_with(b"\n"))
        .map(|it| it.ends_with(b"\r\n"))
        .collect();
    ends.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

#[test]
fn what_is_written_ends_as_the_lines_around_it() {
    for profile in ["utf8", "seven-bit", "eai", "utf7"] {
        let profile = Profile::built_in(profile).expect("a profile");
        for message in MESSAGES {
            let expected = plan(message, &profile).edits.apply(message);
            for lines in 0..=message.iter().filter(|octet| **octet == b'\n').count() {
                for lf_first in [true, false] {
                    let mixed = switched(message, lines, lf_first);
                    let planned = plan(&mixed, &profile);
                    let now = planned.edits.apply(&mixed);
                    let shown = String::from_utf8_lossy(&now);
                    assert_eq!(
                        without_returns(&now),
                        expected,
                        "{} {lines} {lf_first}: {}",
                        profile.name,
                        planned.report
                    );
                    assert!(switches(&now) <= 1, "{} {lines} {lf_first}: {shown:?}", profile.name);
                }
            }
        }
    }
}
