//! miltertest of Debian, an independent peer: the scripts in this folder, each after `prelude.lua`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::daemon::Daemon;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands/milter/miltertest");

/// Plays a script against a daemon of its own, over one kind of socket.
fn play(script: &str, listen: &str) {
    let daemon = Daemon::start(&["--listen", listen, "--set", "skip.authenticated=true"]);
    let socket = match listen.starts_with("inet") {
        true => format!("inet:{}@127.0.0.1", daemon.port()),
        false => format!("unix:{}", daemon.path("sock").display()),
    };
    let whole = daemon.path(script);
    let read = |name: &str| fs::read_to_string(Path::new(FOLDER).join(name)).expect("a script");
    fs::write(&whole, read("prelude.lua") + &read(script)).expect("a file");
    let output = Command::new("miltertest")
        .arg("-s")
        .arg(&whole)
        .args(["-D", &format!("socket={socket}")])
        .output()
        .expect("miltertest runs");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{script} over {listen}: {said}\n{}", daemon.log());
    assert!(!daemon.log().contains("WARN"), "{script} over {listen}: {}", daemon.log());
}

#[test]
fn an_independent_peer_sees_what_it_should() {
    if Command::new("miltertest").arg("-V").output().is_err() {
        println!("skipped: miltertest is not installed");
        assert!(std::env::var_os("CI").is_none(), "CI has miltertest");
        return;
    }
    for script in ["message", "versions", "aborts", "several", "header", "body", "macros", "quit"] {
        for listen in ["inet:127.0.0.1:0", "unix:DIR/sock"] {
            play(&format!("{script}.lua"), listen);
        }
    }
}
