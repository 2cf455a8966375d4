//! How long work takes, whatever else the machine does meanwhile.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns how much of a processor's time some work takes, in the thread that asks.
pub fn work_time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = clock_gettime(ClockId::ThreadCPUTime);
    black_box(work());
    let end = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(end - start).expect("a clock that goes forward")
}
