//! Workers that take pieces of work, do them side by side, and hand them on in order.
//!
//! Each worker takes the next piece, which one does at a time, works on it alone, and puts it into the queue. Whoever
//! finds the first piece of the queue there takes the head: it hands on all pieces in a row that are done, while the
//! others take and work on. So there is no moment at which all wait for the slowest.
//!
//! Memory is bounded by [`Room`]: while that many pieces or octets are taken and not handed on, nobody takes another.
//! One piece may be larger than all the room; nothing else is taken beside it then.
//!
//! Nobody waits for ever. Only who is about to take a piece waits, and only while others hold pieces; the first of
//! these is being worked on, or handed on by who has the head, and neither of them waits for anybody. Whatever fails,
//! in taking, in handing on, or by a panic anywhere, is written into the queue and wakes who waits.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// What is held at most between taking and handing on.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// The pieces.
    pub pieces: usize,
    /// The octets at which no other piece is taken.
    pub octets: usize,
}

/// What takes room.
pub trait HoldsOctets {
    /// Returns the octets that it holds.
    fn octets(&self) -> usize;
}

/// Why the work ended early.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop<E> {
    /// Taking failed, or handing on.
    Failed(E),
    /// A worker panicked.
    Panicked,
}

/// Takes pieces until there are none, works on each, and hands them on in the order in which they were taken. The
/// thread that calls is one of the workers; where no more threads are to be had, there are fewer.
///
/// What was taken before taking failed is handed on all the same; after handing on failed, or a panic, nothing is.
pub fn run<T: HoldsOctets, U: HoldsOctets + Send, E: Send>(
    workers: usize,
    room: Room,
    take: impl FnMut() -> Result<Option<T>, E> + Send,
    work: impl Fn(T) -> U + Sync,
    hand_on: impl FnMut(U) -> Result<(), E> + Send,
) -> Result<(), Stop<E>> {
    let crew = Crew {
        intake: Mutex::new(Intake { take, taken: 0, ended: false }),
        queue: Mutex::new(Queue {
            done: BTreeMap::new(),
            next: 0,
            pieces: 0,
            octets: 0,
            head: Some(hand_on),
            waited: false,
            stopped: false,
            failed: None,
        }),
        moved: Condvar::new(),
        room,
    };
    thread::scope(|scope| {
        for _ in 1..workers {
            let thread = thread::Builder::new().name("convert".to_owned());
            if thread.spawn_scoped(scope, || crew.work_all(&work)).is_err() {
                break;
            }
        }
        crew.work_all(&work);
    });
    let queue = crew.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    match queue.failed {
        Some(error) => Err(Stop::Failed(error)),
        None if queue.stopped => Err(Stop::Panicked),
        None => Ok(()),
    }
}

/// What the workers share.
struct Crew<U, E, Take, HandOn> {
    intake: Mutex<Intake<Take>>,
    queue: Mutex<Queue<U, E, HandOn>>,
    /// Tells who is about to take a piece that one was handed on, or that all stops.
    moved: Condvar,
    room: Room,
}

/// Where pieces come from.
struct Intake<Take> {
    take: Take,
    taken: u64,
    ended: bool,
}

/// What was taken and not handed on.
struct Queue<U, E, HandOn> {
    /// What is done, by its number, with the room that it takes.
    done: BTreeMap<u64, (U, usize)>,
    /// The number of the piece that is handed on next.
    next: u64,
    pieces: usize,
    octets: usize,
    /// What hands on; none while somebody does, or died of it.
    head: Option<HandOn>,
    /// Whether somebody waits for room.
    waited: bool,
    /// Whether nobody is to go on.
    stopped: bool,
    /// Why handing on failed, or else taking.
    failed: Option<E>,
}

impl<U: HoldsOctets, E, Take, HandOn> Crew<U, E, Take, HandOn>
where
    HandOn: FnMut(U) -> Result<(), E>,
{
    /// Works until there is nothing more to take, or all stops.
    fn work_all<T: HoldsOctets>(&self, work: impl Fn(T) -> U)
    where
        Take: FnMut() -> Result<Option<T>, E>,
    {
        let worked = catch_unwind(AssertUnwindSafe(|| {
            while let Some((number, piece)) = self.take() {
                let before = piece.octets();
                self.put(number, work(piece), before);
            }
        }));
        if worked.is_err() {
            self.queue().stopped = true;
            self.moved.notify_all();
        }
    }

    /// Takes the next piece with its number, once there is room for it; none when there is no more, or all stops.
    fn take<T: HoldsOctets>(&self) -> Option<(u64, T)>
    where
        Take: FnMut() -> Result<Option<T>, E>,
    {
        // Whoever panicked while it took left nothing to go on from.
        let mut intake = self.intake.lock().ok().filter(|intake| !intake.ended)?;
        if !self.wait_for_room() {
            return None;
        }
        let piece = match (intake.take)() {
            Ok(Some(piece)) => piece,
            ended => {
                intake.ended = true;
                let mut queue = self.queue();
                queue.failed = queue.failed.take().or(ended.err());
                return None;
            }
        };
        let mut queue = self.queue();
        queue.pieces += 1;
        queue.octets += piece.octets();
        intake.taken += 1;
        Some((intake.taken - 1, piece))
    }

    /// Waits until another piece may be taken; tells whether it may, or all stops.
    fn wait_for_room(&self) -> bool {
        let full = |queue: &mut Queue<U, E, HandOn>| {
            queue.waited = !queue.stopped && !queue.has_room(self.room);
            queue.waited
        };
        let queue = self.moved.wait_while(self.queue(), full);
        !queue.unwrap_or_else(PoisonError::into_inner).stopped
    }

    /// Puts a piece into the queue, and hands on what is first there, unless somebody does already. `before` is the
    /// room that the piece took before it was worked on, which was counted when it was taken.
    fn put(&self, number: u64, piece: U, before: usize) {
        let mut queue = self.queue();
        let held = piece.octets();
        queue.octets = queue.octets - before + held;
        queue.done.insert(number, (piece, held));
        let Some(mut hand_on) = queue.head.take() else { return };
        while let Some((piece, held)) = queue.first() {
            drop(queue);
            let handed_on = hand_on(piece);
            queue = self.queue();
            queue.pieces -= 1;
            queue.octets -= held;
            if let Err(error) = handed_on {
                queue.failed = Some(error);
                queue.stopped = true;
            }
            if queue.waited {
                self.moved.notify_all();
            }
        }
        queue.head = Some(hand_on);
    }

    /// Locks the queue, also where somebody panicked who held it: `stopped` tells the others.
    fn queue(&self) -> MutexGuard<'_, Queue<U, E, HandOn>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<U, E, HandOn> Queue<U, E, HandOn> {
    /// Returns `true` if another piece may be taken; where none is held, always, for the next may be larger than all
    /// the room.
    fn has_room(&self, room: Room) -> bool {
        self.pieces == 0 || (self.pieces < room.pieces && self.octets < room.octets)
    }

    /// Takes the piece that is handed on next out of the queue, if it is done and nothing failed.
    fn first(&mut self) -> Option<(U, usize)> {
        let piece = if self.stopped { None } else { self.done.remove(&self.next) };
        self.next += u64::from(piece.is_some());
        piece
    }
}

#[cfg(test)]
mod tests;
