//! Writes the message of every case of `fixtures/rewrite` into a folder, each as a file: `inputs FOLDER`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder"));
    std::fs::create_dir_all(&folder)?;
    for case in septet_support::case::all() {
        std::fs::write(folder.join(case.name.replace('/', "-") + ".eml"), case.input())?;
    }
    Ok(())
}
