//! `septet filter`, as an MTA runs it.

use std::process::{Command as Process, Stdio};

use assert_cmd::Command;

use crate::convert::{LATIN, PLAIN, UTF8};
use crate::milter::daemon::hostname;

fn filter() -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").arg("filter");
    command
}

#[test]
fn gives_the_message_out_as_it_should_be_and_says_nothing() {
    let from = b"From a@example.org  Mon Jan  1 00:00:00 2007\n";
    for (input, expected) in [
        (LATIN.to_vec(), UTF8.to_vec()),
        (PLAIN.to_vec(), PLAIN.to_vec()),
        ([from, LATIN].concat(), [from, UTF8].concat()),
        ([from, PLAIN].concat(), [from, PLAIN].concat()),
        // No mailbox: nothing is quoted, and what is quoted stays so.
        ([LATIN, b">From x\nFrom y\n\n"].concat(), [UTF8, b">From x\nFrom y\n\n"].concat()),
        (Vec::new(), Vec::new()),
    ] {
        filter().write_stdin(input).assert().success().stdout(expected).stderr("");
    }
}

/// Programs end a header elsewhere that is none: somebody should know.
#[test]
fn says_so_where_the_structure_is_irregular() {
    let said = "septet: left: part=1 body left=irregular(header-end)\n";
    filter().write_stdin(&b"\0\xff\r\n\n\r"[..]).assert().success().stdout(&b"\0\xff\r\n\n\r"[..]).stderr(said);
}

#[test]
fn says_what_it_did_when_asked() {
    let said = "septet: changed: part=1 body charset=iso-8859-1>utf-8\n";
    filter().arg("--verbose").write_stdin(LATIN).assert().success().stdout(UTF8).stderr(said);
    filter().arg("-v").write_stdin(PLAIN).assert().success().stdout(PLAIN).stderr("septet: unchanged\n");
}

#[test]
fn a_message_over_the_limit_passes_untouched() {
    let giant = [LATIN, &b"x".repeat(300_000)].concat();
    let said = "septet: left: message left=limit(message_bytes 1000)\n";
    let mut run = filter();
    let run = run.args(["-v", "--set", "limits.message_bytes=1000"]).write_stdin(giant.clone()).assert().success();
    run.stdout(giant).stderr(said);
    // At the limit exactly it is still read.
    let limit = format!("limits.message_bytes={}", LATIN.len());
    filter().args(["--set", &limit]).write_stdin(LATIN).assert().success().stdout(UTF8);
}

#[test]
fn the_settings_may_put_a_message_off_or_refuse_it() {
    for (limit, key, reason) in [
        ("limits.message_bytes=50", "on_limit.message_bytes", "message over limit: message_bytes 50"),
        ("limits.header_bytes=20", "on_limit.header_bytes", "message over limit: header_bytes 20"),
        ("limits.plan_work=30", "on_limit.plan_work", "message over limit: plan_work 30"),
    ] {
        for (action, code) in [("tempfail", 75), ("reject", 65)] {
            let set = format!("limits.{key}={action}");
            let mut run = filter();
            let run = run.args(["--set", limit, "--set", &set]).write_stdin(LATIN).assert().code(code).stdout("");
            run.stderr(format!("septet: {reason} (limits.on_limit = \"{action}\")\n"));
        }
        let passed = filter().args(["--set", limit]).write_stdin(LATIN).assert().success();
        let said = String::from_utf8_lossy(&passed.get_output().stderr).into_owned();
        assert!(said.starts_with("septet: ") && said.contains("left=limit("), "{said}");
        let profile = ["--profile=keep", "--set", limit, "--set", &format!("limits.{key}=reject")];
        filter().args(profile).write_stdin(LATIN).assert().success().stdout(LATIN).stderr("");
    }
    // The writer of a giant message finds nobody gone.
    let giant = [LATIN, &b"x".repeat(3 << 20)].concat();
    let settings = ["--set", "limits.message_bytes=1000", "--set", "limits.on_limit.message_bytes=reject"];
    filter().args(settings).write_stdin(giant).assert().code(65).stdout("");
    filter().args(["--set", "on_error=reject"]).write_stdin(LATIN).assert().code(75).stdout("");
}

#[test]
fn every_failure_is_75_with_nothing_written() {
    for arguments in [
        &["--nonesuch"][..],
        &["--profile"],
        &["--profile", "nonesuch"],
        &["a-file"],
        &["--config", "/none/septet.toml"],
        &["--set", "nonesuch.key=1"],
        &["--set", "limits.parts=many"],
        &["--set", "no-equals-sign"],
    ] {
        let run = filter().args(arguments).write_stdin(LATIN).assert().code(75).stdout("");
        assert!(!run.get_output().stderr.is_empty(), "{arguments:?} says why");
    }
}

#[test]
fn a_stdin_or_stdout_that_fails_is_75() {
    let run = |stdin: Stdio, stdout: Stdio| {
        let mut command = Process::new(env!("CARGO_BIN_EXE_septet"));
        command.env_remove("SEPTET_CONFIG").arg("filter").stdin(stdin).stdout(stdout).stderr(Stdio::piped());
        command.spawn().and_then(|child| child.wait_with_output()).expect("it runs")
    };
    let folder = || Stdio::from(std::fs::File::open("/").expect("a folder"));
    let ended = run(folder(), Stdio::piped());
    assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(75), &b""[..]));
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return println!("skipped: there is no /dev/full");
    };
    let message = std::fs::File::open(crate::convert::sample()).expect("the sample");
    let ended = run(message.into(), full.into());
    assert_eq!(ended.status.code(), Some(75));
    assert!(String::from_utf8_lossy(&ended.stderr).starts_with("septet: can't write standard output: "));
}

#[test]
fn a_stderr_that_is_closed_does_not_change_the_exit_code() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = Process::new(env!("CARGO_BIN_EXE_septet"));
    command
        .args(["filter", "--config", "/none/septet.toml"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(writer);
    let ended = command.spawn().and_then(|child| child.wait_with_output()).expect("it runs");
    assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(75), &b""[..]));
}

#[test]
fn a_closed_output_and_too_little_memory_put_the_message_off() {
    let program = assert_cmd::cargo::cargo_bin("septet");
    let shell = |script: &str, input: &[u8]| {
        let mut run = Command::new("sh");
        let run = run.args(["-c", script, "sh"]).arg(&program).env_remove("SEPTET_CONFIG");
        run.write_stdin(input).assert().code(75).stdout("").get_output().stderr.clone()
    };
    let said = shell("exec \"$1\" filter --config /dev/null >&-", LATIN);
    assert!(String::from_utf8_lossy(&said).contains("standard output is closed"));
    let said = shell("exec \"$1\" filter --config /dev/null <&-", LATIN);
    assert!(String::from_utf8_lossy(&said).contains("standard input is closed"));
    let mut convert = Command::new("sh");
    let convert = convert.args(["-c", "exec \"$1\" convert --config /dev/null - >&-", "sh"]).arg(&program);
    let said = convert.write_stdin(LATIN).assert().code(74).get_output().stderr.clone();
    assert!(String::from_utf8_lossy(&said).contains("standard output is closed"), "{}", said.escape_ascii());
    let giant = [LATIN, &b"gr\xfc\xdfe\r\n".repeat(4_000_000)].concat();
    for kib in [60_000, 100_000, 150_000] {
        let said = shell(&format!("ulimit -v {kib}; exec \"$1\" filter --config /dev/null"), &giant);
        assert!(String::from_utf8_lossy(&said).contains("ulimit -v"), "{kib}: {}", said.escape_ascii());
    }
    filter().write_stdin(LATIN).assert().success().stdout(UTF8);
    // An input that is there and has nothing is an empty message.
    let mut empty = Process::new(&program);
    let ended = empty.args(["filter", "--config", "/dev/null"]).stdin(Stdio::null()).output().expect("it runs");
    assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(0), &b""[..]));
}

/// A unit of systemd may hide /proc/sys, as the package's own does.
#[test]
fn the_host_is_named_where_proc_hides_its_name() {
    let private = ["--mount", "--propagation", "private"];
    if !Process::new("unshare").args(private).arg("true").status().is_ok_and(|status| status.success()) {
        eprintln!("not tried: only root has mounts of its own");
        return;
    }
    let script = "mount -t tmpfs none /proc/sys && exec \"$@\"";
    let mut run = Command::new("unshare");
    run.args(private).args(["sh", "-c", script, "sh"]).arg(assert_cmd::cargo::cargo_bin("septet"));
    let run = run.args(["filter", "--config", "/dev/null", "--set", "conformance.missing_message_id=fix"]);
    let run = run.write_stdin("Subject: x\n\nx\n").assert().success();
    let given = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(given.contains(&format!("@{}>", hostname())), "{given}");
}

/// What `explain` shows is what `filter` does, the name in a Message-ID too.
#[test]
fn the_host_is_named_as_the_settings_have_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("one.eml");
    std::fs::write(&file, "Subject: x\n\nx\n").expect("a file");
    let set = ["--set", "hostname=mx.example.org", "--set", "conformance.missing_message_id=fix"];
    let explain = ["explain", "--diff", file.to_str().expect("UTF-8")];
    for (command, input) in [(&["filter"][..], "Subject: x\n\nx\n"), (&explain, "")] {
        let mut run = Command::cargo_bin("septet").expect("the program is built");
        let run = run.args(command).args(["--config", "/dev/null"]).args(set).write_stdin(input).assert();
        let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        assert!(said.contains("@mx.example.org>"), "{command:?}: {said}");
    }
}

#[test]
fn a_defect_is_refused_by_its_name_or_mended() {
    let undated = "Message-ID: <1@example.org>\nSubject: x\n\nx\n";
    for (action, code) in [("tempfail", 75), ("reject", 65)] {
        let set = format!("conformance.missing_date={action}");
        let run = filter().args(["--set", &set]).write_stdin(undated).assert().code(code).stdout("");
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("does not conform: missing-date") && said.contains(action), "{said}");
    }
    let run = filter().args(["--set", "conformance.missing_date=fix"]).write_stdin(undated).assert().success();
    let given = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(given.starts_with("Message-ID: <1@example.org>\nSubject: x\nDate: "), "{given}");
    assert!(given.ends_with(" -0000\n\nx\n"), "{given}");
}

/// Messages one behind the other, without From_ lines: the first one's label is for the first alone.
#[test]
fn several_messages_in_one_input_stay() {
    let one: &[u8] = b"From: a@example.org\nDate: x\nContent-Type: text/plain; charset=iso-8859-1\n\nGr\xfc\xdfe\n";
    let two: &[u8] = b"From: b@example.org\nDate: x\nContent-Type: text/plain; charset=koi8-r\n\n\xf0\xd2\xc9\n";
    for (between, named) in [(&b".\n"[..], "movemail dotmail:"), (b"\n", "formail -ds")] {
        let all = [one, between, two].concat();
        let run = filter().write_stdin(all.clone()).assert().success();
        assert!(run.get_output().stdout == all);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(named), "{said}");
    }
}
