//! Random clients talk through septet to random next hops; `tests/forward/conversations` holds the promises.
//!
//! This is a small run with a seed that is always the same; the folder's own command has the large ones.

use std::path::Path;
use std::process::Command;

use septet_support::nightly;

use crate::milter::mta::there;

#[test]
fn every_promise_holds_in_random_conversations() {
    if !there("python3", Command::new("python3").arg("--version").output().is_ok()) {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forward/conversations");
    let output = Command::new("python3")
        .args(["-B".as_ref(), folder.as_os_str()])
        .args(["--seed", "1", "--count", if nightly() { "400" } else { "60" }])
        .env("SEPTET", env!("CARGO_BIN_EXE_septet"))
        .output()
        .expect("python3 runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("all held"), "{said}{complaint}");
}
