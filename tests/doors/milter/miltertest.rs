//! miltertest of Debian, an independent peer: the script beside this file.

use std::process::Command;

use super::daemon::Daemon;

#[test]
fn an_independent_peer_sees_what_it_should() {
    if Command::new("miltertest").arg("-V").output().is_err() {
        println!("skipped: miltertest is not installed");
        return;
    }
    let daemon = Daemon::start(&["--listen", "inet:127.0.0.1:0"]);
    let output = Command::new("miltertest")
        .arg("-s")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doors/milter/miltertest.lua"))
        .arg("-D")
        .arg(format!("socket=inet:{}@127.0.0.1", daemon.port()))
        .output()
        .expect("miltertest runs");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}\n{}", String::from_utf8_lossy(&said), daemon.log());
}
