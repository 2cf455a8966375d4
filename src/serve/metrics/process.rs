//! What the system says of the process: its memory and its files.
//!
//! It is read from `/proc/self`, which the sandbox of the unit leaves open. The crate procfs would give more,
//! but reckons the start from `/proc/stat`, which that sandbox hides; [`super::state`] has the start.

use std::fs;

/// Returns the octets of memory that the process has; none where the system does not tell.
pub fn resident_memory() -> Option<i64> {
    resident(&fs::read_to_string("/proc/self/status").ok()?)
}

/// Returns how many files the process has open; none where the system does not tell.
pub fn open_files() -> Option<i64> {
    // One of them is the folder that is being read.
    let files = fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1);
    Some(i64::try_from(files).unwrap_or(i64::MAX))
}

/// Returns the octets of the line `VmRSS:      5012 kB` of `/proc/self/status`.
fn resident(status: &str) -> Option<i64> {
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    kib.trim().strip_suffix("kB")?.trim().parse::<i64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_resident_memory() {
        assert_eq!(resident("VmPeak:\t   10 kB\nVmRSS:\t    5012 kB\nRssAnon: 1 kB\n"), Some(5012 << 10));
        assert_eq!(resident("VmPeak: 10 kB\n"), None);
    }
}
