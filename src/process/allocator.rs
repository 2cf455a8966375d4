//! How jemalloc, the program's allocator, gives memory back to the system, and how it lives within `ulimit -v`.
//!
//! Left alone it has arenas for each processor, each of which keeps what was freed for ten seconds, and for longer
//! where nothing is asked of it any more: a daemon under mail of 20,000 fields was seen to take half as much again as
//! `limits.memory`, and to keep that. So all threads share one arena, which gives back what nobody has used for a
//! moment.
//!
//! Address space it never gives back, but uses it again. So a process with a limit of that ([`is_limited`]) can't read
//! from the system how much it may still have: it has to ask the allocator ([`has_room`]), which knows what is free in
//! its arena as well ([`live_within_a_limit`]).
//!
//! Nothing here can fail in a way that matters: a program that has another allocator goes on with that one.

use std::hint::black_box;
use std::time::Duration;

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
use tikv_jemalloc_ctl::{Access as _, AsName as _};
use tokio::time::{MissedTickBehavior, interval};

/// The arena of all threads, the one that the program starts with.
const ARENA: u32 = 0;

/// How many milliseconds freed pages are kept for whoever needs some. Without them large messages take a third more of
/// the processor; kept for longer they are more of the memory that the limit allows.
const KEPT: isize = 100;

/// How often what is kept is given back although nobody asks the arena for anything, which is when it looks by itself.
const SWEEP: Duration = Duration::from_secs(5);

/// Makes this thread use the one arena that all threads share. Every thread has to call it, for it holds for the caller
/// alone; where that fails, the thread keeps the arena that it has.
pub fn share_arena() {
    let _ = b"thread.arena\0".name().write(ARENA);
}

/// Returns `true` if the address space of this process is limited (`ulimit -v`).
pub fn is_limited() -> bool {
    getrlimit(Resource::RLIMIT_AS).is_ok_and(|(now, _)| now != RLIM_INFINITY)
}

/// Keeps what this thread frees at hand for the smaller pieces that it asks for next, in a process with a limit of its
/// address space. What was taken in several pieces does not become one again: a message larger than those before may
/// find no room.
///
/// jemalloc puts large pieces into an arena of their own, unless the thread has one that was made for it; and of what
/// was just freed it cuts no small piece off, unless no time is set for that. Each call makes another arena.
pub fn live_within_a_limit() {
    let _ = b"arenas.dirty_decay_ms\0".name().write(0_isize);
    let made: Result<u32, _> = b"arenas.create\0".name().read();
    let _ = made.and_then(|arena| b"thread.arena\0".name().write(arena));
}

/// Returns `true` if the process can have so many octets in one piece: they are asked for, and given back untouched.
pub fn has_room(octets: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let has_room = room.try_reserve_exact(octets).is_ok();
    // A compiler may leave out what nobody looks at.
    black_box(&room);
    has_room
}

/// Gives back at once what nobody uses, and from now on what nobody has used for [`KEPT`] milliseconds.
fn give_back() {
    // An arena that is told to keep pages for no time gives back all of them; then it is told the usual time again.
    for kept in [0, KEPT] {
        let _ = b"arena.0.dirty_decay_ms\0".name().write(kept);
    }
}

/// Gives back what a busy time left behind, for ever.
pub async fn keep_giving_back() {
    let mut sweep = interval(SWEEP);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        sweep.tick().await;
        give_back();
    }
}
