//! How much memory the process may still ask for, where it was started with a limit (`ulimit -v`).

use std::fs;

/// Returns how many octets of address space the process may still take; none where it has no limit, or /proc says
/// nothing of it.
pub fn address_space_left() -> Option<usize> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: usize = line.split_whitespace().next()?.parse().ok()?;
    let pages: usize = fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages.saturating_mul(PAGE)))
}

/// The octets of a page. On a system with larger pages more seems to be left than is.
const PAGE: usize = 4096;
