//! A guard against an order of magnitude: planning may take so many times what mail-parser takes to parse the same
//! message, in the same run. It is no benchmark (benches/compare is one), and no load of the machine fails it.

use mail_parser::MessageParser;
use septet::{Profile, plan};
use septet_support::clock::work_time;

/// How many times the parser's time planning may take: more than ten times what it took when this was written, in a
/// build for tests.
const MOST: f64 = 40.0;

fn letters() -> [(&'static str, Vec<u8>); 3] {
    let text =
        b"une lettre br\xE8ve du ch\xE2teau, o\xF9 les \xE9l\xE8ves re\xE7oivent leurs livres apr\xE8s la f\xEAte\r\n"
            .repeat(1_000);
    let quoted: Vec<u8> = text
        .iter()
        .flat_map(|octet| match octet {
            0x80.. => format!("={octet:02X}").into_bytes(),
            _ => vec![*octet],
        })
        .collect();
    let row = "<tr><td class=\"cell\"><a href=\"https://example.org/c/1?a=1&amp;b=2\">plus</a> \u{e9}l\u{e8}ves</td></tr>\r\n";
    let field = |ty: &str, transfer: &str| {
        format!(
            "Subject: =?iso-8859-1?Q?=E9t=E9?=\r\nContent-Type: {ty}\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n"
        )
    };
    [
        ("8bit", [field("text/plain; charset=iso-8859-1", "8bit").as_bytes(), &text].concat()),
        (
            "quoted-printable",
            [field("text/plain; charset=iso-8859-1", "quoted-printable").as_bytes(), &quoted].concat(),
        ),
        ("html", [field("text/html; charset=utf-8", "8bit").as_bytes(), row.repeat(1_000).as_bytes()].concat()),
    ]
}

#[test]
fn planning_takes_a_small_multiple_of_parsing() {
    let profile = Profile::default();
    for (name, letter) in letters() {
        let planned = || work_time(|| plan(&letter, &profile)).as_secs_f64();
        let parsed = || work_time(|| MessageParser::default().parse(&letter[..])).as_secs_f64();
        // Measurements vary, so the best of several counts.
        let ratios: Vec<f64> = (0..8).map(|_| planned() / parsed().max(1e-6)).collect();
        let best = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(best < MOST, "{name}: {ratios:?}");
    }
}
