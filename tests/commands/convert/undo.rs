//! `--keep-original` and `septet undo`: the input again, octet for octet, or nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use assert_cmd::Command;

use super::shards::tree;
use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox, names, sample};
use septet_support::case::{self, Case};
use septet_support::line_ends::with_crlf;
use septet_support::nightly;

const PROFILES: [&str; 6] = ["keep", "utf8", "eai", "seven-bit", "utf7", "ascii"];

pub fn undo() -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.arg("undo");
    command
}

/// Converts a file to another under every profile, and makes it again of that.
fn round_trips(octets: &[u8], what: &str) {
    let folder = Folder::new();
    let (input, out, back) = (folder.put("in", octets), folder.path("out"), folder.path("back"));
    // One fixture is such that only who is told so takes it for mail.
    let format = if octets.starts_with(b"From ") || octets.is_empty() { "auto" } else { "eml" };
    for profile in PROFILES {
        let options = ["--keep-original", "--format", format, "--profile", profile, "-o"];
        convert().args(options).arg(&out).arg(&input).assert().success();
        undo().arg(&out).arg("-o").arg(&back).assert().success();
        assert!(fs::read(&back).expect("a file") == octets, "{what}, {profile}");
    }
    assert_eq!(folder.names(), ["back", "in", "out", "out.undo"], "{what}");
}

/// Every message of the fixtures, with LF and with CRLF, and all of them as one mailbox, quoted or not.
#[test]
fn every_fixture_comes_back_in_every_profile() {
    let cases = case::all();
    assert!(cases.len() > 100);
    let messages: Vec<&[u8]> = cases.iter().map(Case::input).collect();
    round_trips(&mbox(&messages), "all of them");
    round_trips(&with_crlf(&mbox(&messages)), "all of them with CRLF");
    let bare: Vec<Vec<u8>> =
        messages.iter().map(|message| [message, b"\nFrom now on\n>From there\n".as_slice()].concat()).collect();
    round_trips(&mbox(&bare.iter().map(Vec::as_slice).collect::<Vec<_>>()), "all of them, not quoted");
    for (at, message) in messages.iter().enumerate().step_by(if nightly() { 9 } else { 90 }) {
        round_trips(message, &format!("message {at}"));
    }
    round_trips(&fs::read(sample()).expect("the sample"), "the sample");
    round_trips(b"", "nothing");
}

#[test]
fn real_mail_comes_back_in_every_profile() {
    let data = std::env::var_os("SEPTET_DATA").map(std::path::PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let unpacked = std::process::Command::new("xz").arg("-dc").arg(data.join("spamassassin.mbox.xz")).output();
    match unpacked {
        Ok(unpacked) if unpacked.status.success() => round_trips(&unpacked.stdout, "the corpus"),
        _ => println!("skipped: no corpus, or no xz"),
    }
}

#[test]
fn in_place_it_becomes_what_it_was_and_the_way_back_is_gone() {
    let folder = Folder::new();
    for (name, old) in [("a.mbox", mbox(&[LATIN, PLAIN])), ("b.eml", LATIN.to_vec())] {
        let file = folder.put(name, &old);
        convert().args(["--in-place", "--keep-original"]).arg(&file).assert().success();
        assert_ne!(fs::read(&file).expect("a file"), old);
        undo().arg(&file).assert().success();
        assert_eq!(fs::read(&file).expect("a file"), old);
        assert_eq!(undo().arg(&file).assert().code(66).get_output().stdout, b"");
    }
    assert_eq!(folder.names(), ["a.mbox", "b.eml"]);
}

#[test]
fn a_second_conversion_does_not_cost_the_first_its_way_back() {
    let folder = Folder::new();
    let old = mbox(&[LATIN]);
    let file = folder.put("a.mbox", &old);
    let run = |code| {
        let run = convert().args(["--in-place", "--keep-original", "--profile=ascii"]).arg(&file).assert().code(code);
        String::from_utf8_lossy(&run.get_output().stderr).into_owned()
    };
    run(0);
    assert!(run(73).contains("a.mbox.undo already exists"));
    undo().arg(&file).assert().success();
    assert_eq!(fs::read(&file).expect("a file"), old);
    run(0);
    // One that leads to the file as it is now may be written anew: the power failed before the file had its place.
    fs::write(&file, &old).expect("a file");
    run(0);
    undo().arg(&file).assert().success();
    assert_eq!(fs::read(&file).expect("a file"), old);
}

/// Whatever is changed in either file, the original comes out or nothing does.
#[test]
fn what_was_changed_or_damaged_is_refused() {
    let folder = Folder::new();
    let old = mbox(&[LATIN, PLAIN, LATIN]);
    let (input, out, back) = (folder.put("in", &old), folder.path("out"), folder.path("back"));
    convert().arg("--keep-original").arg("-o").arg(&out).arg(&input).assert().success();
    let (new, way) = (fs::read(&out).expect("a file"), fs::read(folder.path("out.undo")).expect("a file"));
    let attempt = |converted: &[u8], undo_file: &[u8], what: &str| {
        folder.put("out", converted);
        folder.put("out.undo", undo_file);
        let run = undo().arg(&out).arg("-o").arg(&back).assert();
        match run.get_output().status.code() {
            Some(0) => assert!(fs::read(&back).expect("a file") == old, "{what}"),
            Some(65) => assert!(!back.exists(), "{what}"),
            other => panic!("{what}: {other:?}"),
        }
        let _ = fs::remove_file(&back);
        assert_eq!(folder.names(), ["in", "out", "out.undo"], "{what}");
    };
    let changed = |file: &[u8], at: usize, octet: u8| {
        let mut file = file.to_vec();
        file[at] ^= octet;
        file
    };
    for at in (0..way.len()).step_by(7) {
        attempt(&new, &changed(&way, at, 1), &format!("octet {at} of the way back"));
        attempt(&new, &way[..at], &format!("the way back cut at {at}"));
    }
    for at in (0..new.len()).step_by(11) {
        attempt(&changed(&new, at, 32), &way, &format!("octet {at}"));
        attempt(&new[..at], &way, &format!("cut at {at}"));
    }
    attempt(&[new.as_slice(), &mbox(&[PLAIN])].concat(), &way, "a message was delivered since");
    attempt(&new, &way.replace(b"\n@", b"\n@99999999999999999999"), "a number beyond all bounds");
    attempt(
        &new,
        &way.replace(
            b"\n@",
            b"\n@18446744073709551615 18446744073709551615 18446744073709551615 18446744073709551615\n@",
        ),
        "numbers that overflow",
    );
    folder.put("out", &new);
    folder.put("out.undo", &changed(&way, 0, 1));
    undo().arg(&out).assert().code(65);
    assert_eq!(fs::read(&out).expect("a file"), new, "it stays as it is");
}

/// Dovecot goes by the sizes in its cache, whichever way a mailbox changed.
#[test]
fn an_untrue_cache_of_a_mailbox_is_removed_both_ways() {
    for (message, stays) in [(LATIN, false), (PLAIN, true)] {
        let folder = Folder::new();
        let inbox = folder.put("inbox", &mbox(&[message]));
        let cached = |run: std::process::Output| {
            let said = String::from_utf8_lossy(&run.stderr).into_owned();
            assert_eq!(said.contains("dovecot.index.cache: it had old sizes"), !stays, "{said}");
            folder.path(".imap/inbox/dovecot.index.cache").exists()
        };
        folder.put(".imap/inbox/dovecot.index.cache", b"\0");
        let run = convert().args(["--in-place", "--keep-original"]).arg(&inbox).output().expect("it runs");
        assert_eq!(cached(run), stays);
        if !stays {
            folder.put(".imap/inbox/dovecot.index.cache", b"\0");
            assert!(!cached(undo().arg(&inbox).output().expect("it runs")), "the way back");
        }
    }
}

fn lines(text: &[u8]) -> usize {
    text.iter().filter(|octet| **octet == b'\n').count()
}

trait Replace {
    fn replace(&self, from: &[u8], to: &[u8]) -> Vec<u8>;
}

impl Replace for Vec<u8> {
    fn replace(&self, from: &[u8], to: &[u8]) -> Vec<u8> {
        let at = self.windows(from.len()).position(|window| window == from).expect("it is there");
        [&self[..at], to, &self[at + from.len()..]].concat()
    }
}

#[test]
fn a_maildir_comes_back_with_the_flags_that_it_has_now() {
    let folder = Folder::new();
    folder.put("box/cur/1.host,S=199:2,S", LATIN);
    folder.put("box/cur/2.host:2,", PLAIN);
    folder.put("box/new/3.host", LATIN);
    fs::create_dir_all(folder.path("box/tmp")).expect("a folder");
    convert().args(["--in-place", "--keep-original"]).arg(folder.path("box")).assert().success();
    let sized = format!("1.host,S={}:2,S", UTF8.len());
    assert_eq!(names(&folder.path("box/cur")), [sized.as_str(), "2.host:2,"]);
    let third = format!("3.host,S={},W={}", UTF8.len(), UTF8.len() + lines(UTF8));
    fs::rename(folder.path("box/cur").join(&sized), folder.path("box/cur").join(sized.replace(":2,S", ":2,FS")))
        .expect("renamed");
    fs::rename(folder.path("box/new").join(&third), folder.path("box/cur").join(third + ":2,")).expect("renamed");
    undo().arg(folder.path("box")).arg("-o").arg(folder.path("copy")).assert().success();
    for copy in ["copy", "box"] {
        if copy == "box" {
            undo().arg(folder.path("box")).assert().success();
        }
        assert_eq!(names(&folder.path(copy).join("cur")), ["1.host,S=199:2,FS", "2.host:2,", "3.host:2,"]);
        assert_eq!(fs::read(folder.path(copy).join("cur/1.host,S=199:2,FS")).expect("a message"), LATIN);
        assert_eq!(fs::read(folder.path(copy).join("cur/3.host:2,")).expect("a message"), LATIN);
    }
    assert_eq!(folder.names(), ["box", "copy"]);
}

/// Of two that have one name but for their flags only one was copied, and nothing was said of the other.
#[test]
fn no_message_is_missing_in_the_original_of_a_maildir() {
    let folder = Folder::new();
    let plain = ["box/cur/2.a:2,", "box/cur/2.a:2,S", "box/new/2.a", "box/.Sent/cur/2.a:2,F"];
    plain.iter().for_each(|name| drop(folder.put(name, PLAIN)));
    folder.put("box/cur/1.a:2,", LATIN);
    fs::create_dir_all(folder.path("box/tmp")).expect("a folder");
    ["new", "tmp"].iter().for_each(|sub| fs::create_dir(folder.path(&format!("box/.Sent/{sub}"))).expect("a folder"));
    let before = tree(&folder.path("box"));
    convert().args(["--in-place", "--keep-original"]).arg(folder.path("box")).assert().success();
    undo().arg(folder.path("box")).arg("-o").arg(folder.path("copy")).assert().success();
    assert_eq!(tree(&folder.path("copy")), before);
}

/// Nothing was said of a file that stood there, and the converted one was said to be what it was.
#[test]
fn where_an_original_went_is_said_and_what_it_replaced() {
    let folder = Folder::new();
    folder.put("clean", LATIN);
    folder.put("back", b"123456789");
    for name in ["box/cur/1:2,", "two/cur/1:2,", "two/cur/2:2,"] {
        folder.put(name, LATIN);
        fs::create_dir_all(folder.path(name).with_file_name("../new")).expect("a folder");
        fs::create_dir_all(folder.path(name).with_file_name("../tmp")).expect("a folder");
    }
    for (converted, options, wanted) in [
        ("clean", "-o back", "back replaced a file of 9 octets\nthe original of clean is in back: "),
        ("clean", "-o new", "the original of clean is in new: "),
        ("clean", "-o -", "the original of clean went to standard output: "),
        ("clean", "", "clean is what it was: "),
        ("box", "-o out", "the original of 1 message of box is in out\n"),
        ("box", "", "1 message of box is what it was\n"),
        ("two", "-o out2", "the originals of 2 messages of two are in out2\n"),
        ("two", "", "2 messages of two are what they were\n"),
    ] {
        if !folder.path(&format!("{converted}.undo")).exists() {
            convert()
                .args(["--in-place", "--keep-original", converted])
                .current_dir(folder.path(""))
                .assert()
                .success();
        }
        let run =
            undo().args(options.split_whitespace()).arg(converted).current_dir(folder.path("")).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).replace("septet: ", "");
        assert!(said.contains(wanted) && said.lines().count() == wanted.lines().count(), "{options}: {said}");
    }
}

/// `..undo` was made in the Maildir.
#[test]
fn the_way_back_of_the_working_directory_is_beside_it() {
    let folder = Folder::new();
    folder.put("box/cur/1:2,", LATIN);
    ["new", "tmp"].iter().for_each(|sub| fs::create_dir(folder.path(&format!("box/{sub}"))).expect("a folder"));
    for options in [&[][..], &["-r"]] {
        for path in [".", "./", "cur/.."] {
            let run = convert().args(["--in-place", "--keep-original", path]).current_dir(folder.path("box")).assert();
            run.success();
            assert_eq!(folder.names(), ["box", "box.undo"], "{path}");
            assert_eq!(names(&folder.path("box")), ["cur", "new", "tmp"], "{path}");
            undo().args(options).arg(path).current_dir(folder.path("box")).assert().success();
            assert_eq!(fs::read(folder.path("box/cur/1:2,")).expect("a message"), LATIN, "{path}");
            assert_eq!(folder.names(), ["box"], "{path}");
        }
    }
}

#[test]
fn a_maildir_does_not_go_to_standard_output() {
    let folder = Folder::new();
    folder.put("box/cur/1:2,", LATIN);
    ["new", "tmp"].iter().for_each(|sub| fs::create_dir(folder.path(&format!("box/{sub}"))).expect("a folder"));
    convert().args(["--in-place", "--keep-original", "box"]).current_dir(folder.path("")).assert().success();
    let run = undo().args(["box", "-o", "-"]).current_dir(folder.path("")).assert().code(64);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("a Maildir can't go to standard output: give -o a folder"), "{said}");
    assert_eq!(folder.names(), ["box", "box.undo"]);
}

/// A run with -r names this command, and the undo file is beside the folder, not in it.
#[test]
fn a_maildir_is_undone_as_a_folder_too() {
    let folder = Folder::new();
    folder.put("box/cur/1:2,", LATIN);
    for name in ["box/new", "box/tmp"] {
        fs::create_dir(folder.path(name)).expect("a folder");
    }
    convert().args(["-r", "--in-place", "--keep-original"]).arg(folder.path("box")).assert().success();
    undo().args(["-r"]).arg(folder.path("box/")).assert().success();
    assert_eq!((folder.names(), fs::read(folder.path("box/cur/1:2,")).ok()), (vec!["box".into()], Some(LATIN.into())));
}

#[test]
fn an_undo_file_can_name_nothing_outside_of_its_folder() {
    let folder = Folder::new();
    folder.put("box/cur/1:2,", LATIN);
    folder.put("box/new/2", PLAIN);
    fs::create_dir_all(folder.path("box/tmp")).expect("a folder");
    convert().args(["--in-place", "--keep-original"]).arg(folder.path("box")).assert().success();
    let secret = folder.put("secret", UTF8);
    let way = fs::read(folder.path("box.undo")).expect("a file");
    let name = format!("cur/1,S={},W={}:2,", UTF8.len(), UTF8.len() + lines(UTF8));
    let named = format!("\"name\":\"{name}\"");
    for (from, to) in [
        (named.as_str(), "\"name\":\"../secret\""),
        ("\"was\":\"cur/1:2,\"", "\"was\":\"../../secret\""),
        (named.as_str(), &format!("\"name\":{:?}", secret)),
    ] {
        folder.put("box.undo", &way.replace(from.as_bytes(), to.as_bytes()));
        let code = undo().arg(folder.path("box")).output().expect("it runs").status.code();
        assert!(matches!(code, Some(65 | 66)), "{to}: {code:?}");
        assert_eq!(fs::read(&secret).expect("a file"), UTF8, "{to}");
        assert_eq!(fs::read(folder.path("box").join(&name)).expect("a file"), UTF8, "{to}");
    }
}

/// SIGKILL in the middle: what was made and had no place yet is removed by the next undo.
#[test]
fn what_a_killed_undo_left_does_not_stay() {
    let folder = Folder::new();
    folder.put("box/cur/1.host:2,S", LATIN);
    let mailbox = folder.put("in.mbox", &mbox(&[LATIN]));
    ["new", "tmp"].iter().for_each(|sub| fs::create_dir_all(folder.path(&format!("box/{sub}"))).expect("a folder"));
    for (input, left) in [(folder.path("box"), "box/tmp/.septet-undo-1-1-0"), (mailbox, ".septet-undo-1-1-0")] {
        convert().args(["--in-place", "--keep-original"]).arg(&input).assert().success();
        let left = folder.put(left, b"half");
        let writing = fs::File::open(&left).expect("a file");
        writing.try_lock().expect("it is free");
        undo().arg(&input).assert().success();
        assert!(left.exists(), "it is still written");
        drop(writing);
        convert().args(["--in-place", "--keep-original"]).arg(&input).assert().success();
        undo().arg(&input).assert().success();
        assert!(!left.exists());
    }
    assert_eq!(folder.names(), ["box", "in.mbox"]);
    assert_eq!(fs::read(folder.path("box/cur/1.host:2,S")).expect("a file"), LATIN);
}

#[test]
fn two_do_not_undo_a_maildir_at_once() {
    let folder = Folder::new();
    folder.put("box/cur/1.host:2,S", LATIN);
    ["new", "tmp"].iter().for_each(|sub| fs::create_dir_all(folder.path(&format!("box/{sub}"))).expect("a folder"));
    convert().args(["--in-place", "--keep-original"]).arg(folder.path("box")).assert().success();
    let other = fs::File::open(folder.path("box.undo")).expect("a file");
    other.try_lock().expect("it is free");
    let run = undo().arg(folder.path("box")).assert().code(75);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("another septet is at work there"));
    drop(other);
    undo().arg(folder.path("box")).assert().success();
    assert_eq!(folder.names(), ["box"]);
}

/// SIGKILL while messages take their places: some are what they were already, by their names too, and the others
/// follow.
#[test]
fn a_maildir_that_is_undone_in_part_is_undone_whole() {
    let folder = Folder::new();
    let sized = format!("2.host,S={}:2,S", LATIN.len());
    let was: Vec<String> = ["1.host:2,S", sized.as_str(), "3.host:2,"].map(str::to_owned).into();
    was.iter().for_each(|name| drop(folder.put(&format!("box/cur/{name}"), LATIN)));
    ["new", "tmp"].iter().for_each(|sub| fs::create_dir_all(folder.path(&format!("box/{sub}"))).expect("a folder"));
    convert().args(["--in-place", "--keep-original"]).arg(folder.path("box")).assert().success();
    let now = names(&folder.path("box/cur"));
    assert!(now[1] != was[1], "{now:?}");
    for (now, was) in now.iter().zip(&was).take(2) {
        fs::remove_file(folder.path(&format!("box/cur/{now}"))).expect("a file");
        folder.put(&format!("box/cur/{was}"), LATIN);
    }
    let run = undo().arg(folder.path("box")).assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("3 messages of"));
    assert_eq!(names(&folder.path("box/cur")), was);
    was.iter().for_each(|name| assert_eq!(fs::read(folder.path(&format!("box/cur/{name}"))).expect("a file"), LATIN));
    assert_eq!(folder.names(), ["box"]);
}

/// One message deleted since is no reason to keep the others; the way back stays, for it may have been moved.
#[test]
fn a_message_that_is_gone_keeps_no_other_from_coming_back() {
    let folder = Folder::new();
    ["1:2,S", "2:2,", "3:2,"].iter().for_each(|name| drop(folder.put(&format!("box/cur/{name}"), LATIN)));
    ["new", "tmp"].iter().for_each(|sub| fs::create_dir_all(folder.path(&format!("box/{sub}"))).expect("a folder"));
    convert().args(["--in-place", "--keep-original"]).arg(folder.path("box")).assert().success();
    let second = folder.path("box/cur").join(&names(&folder.path("box/cur"))[1]);
    fs::rename(&second, folder.path("elsewhere")).expect("moved");
    for turn in 0..2 {
        let run = undo().arg(folder.path("box")).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("2 messages of") && said.contains("1 not there any more"), "{turn}: {said}");
        assert_eq!(names(&folder.path("box/cur")), ["1:2,S", "3:2,"]);
        assert_eq!(fs::read(folder.path("box/cur/3:2,")).expect("a message"), LATIN);
    }
    fs::rename(folder.path("elsewhere"), &second).expect("moved back");
    undo().arg(folder.path("box")).assert().success();
    assert_eq!(names(&folder.path("box/cur")), ["1:2,S", "2:2,", "3:2,"]);
    assert_eq!(folder.names(), ["box"]);
}

#[test]
fn a_way_back_is_written_through_no_link_and_over_no_other() {
    let folder = Folder::new();
    folder.put("in/cur/1:2,S", LATIN);
    ["new", "tmp"].iter().for_each(|sub| fs::create_dir_all(folder.path(&format!("in/{sub}"))).expect("a folder"));
    let secret = folder.put("secret", b"SECRET");
    let to_out = || {
        let mut run = convert();
        run.arg("--keep-original").arg("-o").arg(folder.path("out")).arg(folder.path("in"));
        run
    };
    let in_place = || {
        let mut run = convert();
        run.args(["--in-place", "--keep-original"]).arg(folder.path("in"));
        run
    };
    for (link, target, mut run) in [
        ("out.undo", &secret, to_out()),
        ("out.undo", &folder.path("none"), to_out()),
        ("in.undo", &folder.path("none"), in_place()),
    ] {
        std::os::unix::fs::symlink(target, folder.path(link)).expect("a link");
        let said = run.assert().code(73).get_output().stderr.clone();
        assert!(String::from_utf8_lossy(&said).contains("a symbolic link is there"), "{}", said.escape_ascii());
        fs::remove_file(folder.path(link)).expect("removed");
        assert!(!folder.path("none").exists() && fs::read(&secret).expect("a file") == b"SECRET", "{link}");
    }
    folder.put("out.undo", b"my own notes");
    to_out().assert().code(73);
    assert_eq!(fs::read(folder.path("out.undo")).expect("a file"), b"my own notes");
    fs::remove_file(folder.path("out.undo")).expect("removed");
    to_out().assert().success();
    let whole = fs::read(folder.path("out.undo")).expect("a file");
    to_out().assert().code(73);
    assert_eq!(fs::read(folder.path("out.undo")).expect("a file"), whole);
}

/// Root undid to /dev/null, and it was a file from then on.
#[test]
fn what_is_undone_to_a_pipe_is_written_there() {
    let folder = Folder::new();
    let (input, out, pipe) = (folder.put("in", LATIN), folder.path("out"), folder.path("pipe"));
    convert().arg("--keep-original").arg("-o").arg(&out).arg(&input).assert().success();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).expect("what is written")
    });
    undo().arg(&out).arg("-o").arg(&pipe).assert().success();
    assert_eq!(reader.join().expect("it ends"), LATIN);
    assert!(!fs::metadata(&pipe).expect("it stays").is_file());
    undo().arg(&out).args(["-o", "/dev/null"]).assert().success();
    assert!(!fs::metadata("/dev/null").expect("it stays").is_file());
}

/// The run was killed while the undo file was written: what has its place was written down before. It may have been cut
/// since as well, which is seen where it ends within what leads back; then it was removed, and said to be done.
#[test]
fn a_way_back_that_is_cut_anywhere_leads_back() {
    let folder = Folder::new();
    let make = |box_: &str| {
        ["1:2,S", "2:2,", "3:2,"].iter().for_each(|name| drop(folder.put(&format!("{box_}/cur/{name}"), LATIN)));
        ["new", "tmp"]
            .iter()
            .for_each(|sub| fs::create_dir_all(folder.path(&format!("{box_}/{sub}"))).expect("a folder"));
        convert().args(["--in-place", "--keep-original"]).arg(folder.path(box_)).assert().success();
    };
    make("whole");
    let way = fs::read(folder.path("whole.undo")).expect("a file");
    let heads: Vec<usize> = memchr::memmem::find_iter(&way, b"\nfile ").map(|at| at + 1).collect();
    assert_eq!(heads.len(), 3);
    let ends = [heads[1], heads[2], way.len() - "whole\n".len(), way.len() - 1];
    let cuts: BTreeSet<usize> = (heads[0] + 1..way.len()).step_by(7).chain(ends).collect();
    for cut in cuts {
        let name = format!("box{cut}");
        make(&name);
        // What leads back from the others was not written yet, and so they have no place yet.
        let ended =
            memchr::memmem::find_iter(&way[..cut], b"\nend ").filter(|at| way[at + 1..cut].contains(&b'\n')).count();
        folder.put(&format!("{name}.undo"), &way[..cut]);
        let is_cut = !heads.contains(&cut) && cut != way.len() - "whole\n".len();
        let run = undo().arg(folder.path(&name)).assert().code(if is_cut { 65 } else { 0 });
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert_eq!(said.contains(".undo is cut (its last line is missing), and stays"), is_cut, "cut at {cut}: {said}");
        assert_eq!(folder.path(&format!("{name}.undo")).exists(), is_cut, "cut at {cut}");
        assert!(said.contains(if ended == 1 { "1 message of" } else { " messages of" }), "{said}");
        let messages = names(&folder.path(&format!("{name}/cur")));
        let originals = messages
            .iter()
            .filter(|it| fs::read(folder.path(&format!("{name}/cur/{it}"))).expect("a message") == LATIN);
        assert_eq!((originals.count(), messages.len()), (ended, 3), "cut at {cut}");
    }
}

#[test]
fn nothing_is_undone_through_links_or_over_another_message() {
    let folder = Folder::new();
    folder.put("box/cur/1:2,S", LATIN);
    folder.put("box/cur/2:2,", PLAIN);
    ["new", "tmp"].iter().for_each(|sub| fs::create_dir_all(folder.path(&format!("box/{sub}"))).expect("a folder"));
    convert().args(["--in-place", "--keep-original"]).arg(folder.path("box")).assert().success();
    let way = fs::read(folder.path("box.undo")).expect("a file");
    let name = names(&folder.path("box/cur"))[0].clone();
    // Another's file with the octets that a message has, by a link in the Maildir.
    let secret = folder.put("other/.bashrc", UTF8);
    std::os::unix::fs::symlink("../other", folder.path("box/.link")).expect("a link");
    std::os::unix::fs::symlink("../../other", folder.path("box/cur/link")).expect("a link");
    for link in [".link/.bashrc", "cur/link/.bashrc"] {
        let hostile = way.replace(format!("cur/{name}").as_bytes(), link.as_bytes());
        folder.put("box.undo", &hostile.replace(b"cur/1:2,S".as_slice(), link.as_bytes()));
        undo().arg(folder.path("box")).assert().success();
        assert_eq!(fs::read(&secret).expect("a file"), UTF8, "{link}");
        assert!(folder.path("box.undo").exists(), "{link}");
    }
    folder.put("box.undo", &way);
    for (taken, output) in [("out/cur/1:2,S", Some("out")), ("box/cur/1:2,S", None)] {
        let taken = folder.put(taken, b"Subject: another\n\n");
        let mut run = undo();
        run.arg(folder.path("box"));
        if let Some(output) = output {
            run.arg("-o").arg(folder.path(output));
        }
        let said = run.assert().code(73).get_output().stderr.clone();
        assert!(
            String::from_utf8_lossy(&said).contains("already exists, and is another message"),
            "{}",
            said.escape_ascii()
        );
        assert_eq!(fs::read(&taken).expect("a message"), b"Subject: another\n\n");
        fs::remove_file(&taken).expect("removed");
    }
    undo().arg(folder.path("box")).assert().success();
    assert_eq!(fs::read(folder.path("box/cur/1:2,S")).expect("a message"), LATIN);
}

/// It said that it could not read the undo file.
#[test]
fn an_undo_without_room_says_what_it_cannot_write() {
    let folder = Folder::new();
    // More than is held before it is written.
    let long = [LATIN, &b"caf\xe9\n".repeat(100_000)].concat();
    let input = folder.put("in.mbox", &mbox(&[&long]));
    convert().args(["--keep-original", "-o"]).arg(folder.path("out.mbox")).arg(&input).assert().success();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -f 40; exec \"$0\" undo out.mbox -o back.mbox", env!("CARGO_BIN_EXE_septet")]);
    let run = shell.current_dir(folder.path("")).output().expect("a shell");
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(74), "{said}");
    assert!(said.contains("can't write ") && !said.contains("can't read"), "{said}");
    assert_eq!(folder.names(), ["in.mbox", "out.mbox", "out.mbox.undo"], "nothing half made stays");
}

/// That there is no `a.mbox.undo` was all that was said, to who had never heard of it.
#[test]
fn what_was_not_kept_is_not_undone() {
    let folder = Folder::new();
    let path = folder.put("a.mbox", &mbox(&[LATIN]));
    let run = undo().arg(&path).assert().code(66);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let why = ": it was undone already, or not converted with --keep-original";
    assert!(said.contains("there is no ") && said.contains(&format!("a.mbox by{why}")), "{said}");
    convert().args(["--in-place", "--keep-original"]).arg(&path).assert().success();
    undo().arg(&path).assert().success();
    let run = undo().arg(&path).assert().code(66);
    assert_eq!(String::from_utf8_lossy(&run.get_output().stderr), said, "nothing tells that it was undone");
    let gone = undo().arg(folder.path("b.mbox")).assert().code(66);
    assert!(String::from_utf8_lossy(&gone.get_output().stderr).contains("can't open "), "{gone}");
}
