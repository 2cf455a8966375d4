//! How glibc's malloc is asked to give memory back.
//!
//! Left alone it learns from each large block that is freed to keep such blocks, up to 32 MiB, and it does so in arenas, up
//! to eight for each processor: a daemon that holds 60 MiB of mail at most was seen to take 500 MiB of the system under
//! mail of many sizes, whatever `limits.memory` said. It is told otherwise by the environment alone, which it reads when a
//! program starts. So the daemon starts its program once more, as the same process, with the variables set. Where they are
//! set already, by an operator or by us, nothing is done; where it can't be done, the daemon goes on as it is.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Blocks from this size on are given back at once, free memory at the end of an arena from this size on, and there are no
/// more arenas than this: small blocks that many threads make and free leave holes in each arena, which no other one fills.
const VARIABLES: [(&str, &str); 3] =
    [("MALLOC_MMAP_THRESHOLD_", "262144"), ("MALLOC_TRIM_THRESHOLD_", "1048576"), ("MALLOC_ARENA_MAX", "1")];

/// Starts the program once more with the variables, unless somebody set one; returns only where that is not done.
pub fn start_anew_to_give_memory_back() {
    if !cfg!(target_env = "gnu") || env::vars_os().any(|(name, _)| is_of_malloc(&name)) {
        return;
    }
    let Ok(program) = env::current_exe() else { return };
    let mut arguments = env::args_os();
    let mut command = Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // An error means that the program goes on as it is, which is all that can be done.
    let _ = command.args(arguments).envs(VARIABLES).exec();
}

/// Tells whether a variable of the environment is one that malloc reads.
fn is_of_malloc(name: &OsString) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b"MALLOC_") || name == b"GLIBC_TUNABLES"
}
