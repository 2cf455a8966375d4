//! What the system says of the process, under the names that every exporter of Prometheus gives it.
//!
//! It is read from `/proc/self`, which the sandbox of the unit leaves open. The crate procfs would give more,
//! but reckons the start from `/proc/stat`, which that sandbox hides; [`super::state`] has the start.

use std::fs;

use prometheus::{IntGauge, Registry, Result};

use super::families::gauge;

/// Memory and files.
#[derive(Debug)]
pub struct Process {
    resident: IntGauge,
    files: IntGauge,
}

impl Process {
    /// Registers them.
    pub fn new(registry: &Registry) -> Result<Process> {
        Ok(Process {
            resident: gauge(registry, "process_resident_memory_bytes")?,
            files: gauge(registry, "process_open_fds")?,
        })
    }

    /// Sets them to what the system says now; what it does not tell stays as it was.
    pub fn look(&self) {
        if let Some(resident) = fs::read_to_string("/proc/self/status").ok().as_deref().and_then(resident) {
            self.resident.set(resident);
        }
        if let Ok(files) = fs::read_dir("/proc/self/fd") {
            // One of them is the folder that is being read.
            let files = files.count().saturating_sub(1);
            self.files.set(i64::try_from(files).unwrap_or(i64::MAX));
        }
    }
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
