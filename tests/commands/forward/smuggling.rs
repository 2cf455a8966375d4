//! SMTP smuggling: every published sequence, through the proxy: one message in, at most one out, and in it no CR or LF
//! alone. Sources: SEC Consult, "SMTP Smuggling" (2023); Postfix's and Exim's notes on it;
//! CVE-2023-51764, -51765, -51766.

use std::time::Duration;

use super::{Client, Daemon, Fault, NextHop, code, forward, wait};

/// What stands between the two messages of which the second one is smuggled.
const SEQUENCES: [&[u8]; 24] = [
    b"\n.\n", b"\n.\r\n", b"\n.\r", b"\r.\r", b"\r.\n", b"\r.\r\n", b"\r\n.\n", b"\r\n.\r", b"\r\n.\r\r\n",
    b"\r\n\x00.\r\n", b"\r\n.\x00\r\n", b"\n\x00.\r\n", b"\r\r\n.\r\r\n", b"\r\n.\r\n\x00\r\n.", b"\n\n.\n\n",
    b"\r\n.\x0b\r\n", b"\r\n.\x0c\r\n", b"\x85.\x85", b"\r\n.\xe2\x80\xa8", b"\r\n. \r\n", b"\r\n.\t\r\n", b"\n..\r\n",
    b"\r\n..\r\n", b"\r\n...\r\n",
];

const SMUGGLED: &[u8] =
    b"MAIL FROM:<evil@example.org>\r\nRCPT TO:<victim@example.net>\r\nDATA\r\nSubject: evil\r\n\r\nevil\r\n";

fn attack(sequence: &[u8]) -> Vec<u8> {
    [b"Subject: good\r\n\r\ngood", sequence, SMUGGLED, b".\r\n"].concat()
}

fn has_bare(raw: &[u8]) -> bool {
    let cr = raw.iter().enumerate().any(|(at, &octet)| octet == b'\r' && raw.get(at + 1) != Some(&b'\n'));
    let lf = raw.iter().enumerate().any(|(at, &octet)| octet == b'\n' && (at == 0 || raw[at - 1] != b'\r'));
    cr || lf
}

/// Sends each sequence as it stands, by DATA and by BDAT, and returns how many messages arrived.
fn try_all(daemon: &Daemon, next_hop: &NextHop) -> usize {
    let mut count = 0;
    for sequence in SEQUENCES {
        for chunked in [false, true] {
            let wire = attack(sequence);
            let mut client = Client::greeted(daemon.port());
            assert_eq!(&client.say("MAIL FROM:<good@example.org>")[..3], "250");
            assert_eq!(&client.say("RCPT TO:<good@example.net>")[..3], "250");
            let told = if chunked {
                client.write(&[format!("BDAT {} LAST\r\n", wire.len()).as_bytes(), &wire].concat());
                client.reply()
            } else {
                assert_eq!(&client.say("DATA")[..3], "354");
                client.write(&wire);
                client.reply()
            };
            // The one that holds a true end is two messages for whoever reads SMTP.
            let honest = sequence.windows(5).any(|it| it == b"\r\n.\r\n") && !chunked;
            let shown = sequence.escape_ascii();
            let said = client.say("NOOP");
            let arrived = next_hop.take();
            assert!(honest || said.starts_with("250"), "{shown}: {told} / {said}");
            assert!(honest || arrived.len() <= 1, "{shown}: {arrived:?}");
            assert_eq!(told.starts_with('2'), !arrived.is_empty(), "{shown}: {told} {arrived:?}");
            for one in &arrived {
                assert!(!has_bare(&one.raw), "{shown}: {}", one.raw.escape_ascii());
                assert!(!one.mail.contains("evil"), "{shown}: {one:?}");
            }
            count += arrived.len();
        }
    }
    let evil = |line: &String| line.contains("evil@") || line.contains("victim");
    assert!(!next_hop.lines().iter().any(evil), "{:?}", next_hop.lines());
    count
}

#[test]
fn nothing_is_smuggled_inward() {
    for when in ["needed", "always"] {
        for policy in ["reject", "repair"] {
            let next_hop = NextHop::capable();
            let keys = format!("when = \"{when}\"\nbare_line_ends = \"{policy}\"");
            let daemon = forward(&next_hop.address(), &keys);
            let arrived = try_all(&daemon, &next_hop);
            // All of them are repaired; what has a CR or LF alone is refused.
            assert!(if policy == "repair" { arrived > 40 } else { (10..30).contains(&arrived) }, "{policy}: {arrived}");
        }
    }
}

/// The other direction: a message whose decoded text holds an end of data goes out as content.
#[test]
fn nothing_is_smuggled_outward() {
    let next_hop = NextHop::with(&[]);
    let daemon = forward(&next_hop.address(), "profile = \"utf8\"");
    let header = "From: a@example.org\r\nSubject: =?utf-8?Q?a=0D=0A=2E=0D=0AMAIL_FROM:<evil@example.org>?=\r\n\
        MIME-Version: 1.0\r\nContent-Type: text/plain; charset=";
    let utf7 = format!("{header}utf-7\r\n\r\na+AA0ACg-.+AA0ACg-MAIL FROM:<evil@example.org>+AA0ACg-b+AAo-.+AAo-c\r\n");
    let base64 =
        format!("{header}iso-2022-jp\r\nContent-Transfer-Encoding: base64\r\n\r\nYQ0KLg0KTUFJTA0KCi4KYg0K\r\n");
    let quoted = format!(
        "{header}latin1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=E9=0D=0A=2E=0D=0Aevil=0A.=0A\r\n"
    );
    for raw in [utf7, base64, quoted] {
        let mut client = Client::greeted(daemon.port());
        assert_eq!(&client.send("<a@example.org>", &["<b@example.net>"], raw.as_bytes())[..3], "250");
        assert_eq!(&client.say("NOOP")[..3], "250");
        let arrived = next_hop.take();
        assert_eq!(arrived.len(), 1, "{raw}: {arrived:?}");
        assert!(!has_bare(&arrived[0].raw), "{}", arrived[0].raw.escape_ascii());
        assert!(!next_hop.lines().iter().any(|line| line.contains("evil")), "{:?}", next_hop.lines());
    }
}

/// A command holds no line end of its own, whatever the policy, and a reply of the next hop none either.
#[test]
fn no_command_hides_another() {
    for policy in ["reject", "repair"] {
        let next_hop = NextHop::capable();
        let daemon = forward(&next_hop.address(), &format!("bare_line_ends = \"{policy}\""));
        for line in [
            "MAIL FROM:<a@example.org>\rRCPT TO:<evil@example.net>",
            "MAIL FROM:<a@example.org> SIZE=1\rRCPT TO:<evil@example.net>",
            "MAIL FROM:<a\r\0@evil.example>",
            "XFORWARD NAME=a\rMAIL FROM:<evil@example.org>",
        ] {
            let mut client = Client::greeted(daemon.port());
            let reply = client.say(line);
            assert!(reply.starts_with('5'), "{line:?}: {reply}");
        }
        let mut client = Client::greeted(daemon.port());
        client.write(b"MAIL FROM:<a@example.org>\nRCPT TO:<evil@example.net>\nRSET\r\n");
        client.reply();
        client.say("NOOP");
        let mixed = |line: &String| line.matches(':').count() > 1 || line.contains(['\r', '\n', '\0']);
        assert!(!next_hop.lines().iter().any(mixed), "{:?}", next_hop.lines());
    }
}

/// What comes behind DATA before its answer is neither content nor commands, however long the next hop takes for that
/// answer.
#[test]
fn what_comes_before_the_answer_to_data_is_not_obeyed() {
    let next_hop = NextHop::capable();
    next_hop.fault("DATA", Fault::Stall(Duration::from_millis(600)));
    let daemon = forward(&next_hop.address(), "profile = \"keep\"");
    let mut client = Client::greeted(daemon.port());
    assert_eq!(code(&client.say("MAIL FROM:<a@example.org>")), "250");
    assert_eq!(code(&client.say("RCPT TO:<b@example.net>")), "250");
    client.write(b"DATA\r\n");
    wait(|| next_hop.lines().iter().any(|line| line == "DATA"), || "DATA at the next hop".to_owned());
    client.write(b"NOOP\r\nVRFY a\r\n");
    let told = client.reply();
    assert!(told.starts_with("503 5.5.1 improper command pipelining"), "{told}\n{}", daemon.log());
    assert_eq!(client.reply(), "", "the connection is closed");
}
