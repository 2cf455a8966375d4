//! README's picture shows what the program prints.

use std::fs;
use std::path::Path;
use std::process::Command;

/// `BLESS=1` draws it again.
#[test]
fn the_picture_is_what_explain_prints() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut script = Command::new("python3");
    let Ok(output) = script.arg(docs.join("picture")).arg(env!("CARGO_BIN_EXE_septet")).output() else {
        println!("skipped: python3");
        return;
    };
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let picture = docs.join("explain.svg");
    if std::env::var_os("BLESS").is_some() {
        fs::write(picture, output.stdout).expect("docs/explain.svg written");
        return;
    }
    assert!(fs::read(picture).expect("docs/explain.svg") == output.stdout, "BLESS=1 cargo test --test tools picture");
}
