//! File descriptors: as many as the system gives, and some that no mail gets.
//!
//! Each connection of a client takes one, and one more to its next hop. [`OTHER_FILES`] are kept from them, so that
//! `/health` and `/metrics` are answered, settings read again and lines logged while mail waits for descriptors: where
//! the system gives fewer than the settings want, fewer clients are served at once, and the others wait in its queue.

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tracing::warn;

use crate::config::Settings;

/// The files that the daemon has open beside connections with mail, at the most: sockets, threads, logs, metrics.
const OTHER_FILES: usize = 50;

/// Raises the number of files that the daemon may have open to what the system allows: a shell starts it with 1,024.
/// Where that fails it stays, and the log says so.
pub fn raise() {
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < hard
        && let Err(error) = setrlimit(Resource::RLIMIT_NOFILE, hard, hard)
    {
        warn!("it stays at {soft} file descriptors: {error}");
    }
}

/// Warns where the system gives fewer files than the settings may want at once.
pub fn warn_of_few(config: &Settings) {
    let wanted = config.limits.connections + next_hop_connections(config) + OTHER_FILES;
    let Some(files) = given().filter(|files| *files < wanted) else { return };
    let clients = connections(config);
    warn!(
        "the settings want up to {wanted} file descriptors, and the system gives {files}, which do for {clients} clients \
         at once: raise LimitNOFILE= or ulimit -n"
    );
}

/// Returns how many clients are served at once: `limits.connections`, or as many as there are files for.
pub fn connections(config: &Settings) -> usize {
    let wanted = config.limits.connections;
    given().map_or(wanted, |files| wanted.min(clients(files, next_hop_connections(config))))
}

/// Returns how many clients `files` are enough for, at least 1. Connections to next hops, of which there are `below` at
/// most, get no more than half of the files that mail may have, since a client has one at most.
fn clients(files: usize, below: usize) -> usize {
    let room = files.saturating_sub(OTHER_FILES);
    (room - below.min(room / 2)).max(1)
}

/// Returns how many files the daemon may have open; none where the system does not tell.
fn given() -> Option<usize> {
    let (soft, _) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    Some(usize::try_from(soft).unwrap_or(usize::MAX))
}

/// Returns how many connections to next hops the settings allow.
fn next_hop_connections(config: &Settings) -> usize {
    let forwards = config.listeners.iter().filter(|listener| listener.forward.next_hop.is_some());
    forwards.map(|listener| listener.forward.next_hop_connections).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_and_their_next_hops_leave_files_for_the_rest() {
        for (files, below, wanted) in [(64, 0, 14), (1024, 0, 974), (1024, 100, 874), (1024, 5000, 487), (20, 100, 1)] {
            assert_eq!(clients(files, below), wanted, "{files} {below}");
            assert!(files < OTHER_FILES || wanted + below.min(wanted) + OTHER_FILES <= files);
        }
    }
}
