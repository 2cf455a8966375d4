//! Workers that take pieces of work, do them side by side, and have them handed on in order.
//!
//! Each worker takes the next piece, which one does at a time, and works on it alone. As it is taken, the place where
//! it will be found when it is done goes into a queue; the thread that called hands on what comes there, in that order.
//!
//! Memory is bounded by [`Room`]: while that many pieces or octets are taken and not handed on, nobody takes another.
//! One piece may be larger than all the room; nothing else is taken beside it then.
//!
//! Nobody waits for ever. Who is about to take a piece waits only while others are not handed on; who hands on waits
//! for the first of these, which is being worked on. Whatever fails, in taking, in handing on, or by a panic anywhere,
//! drops its end of a channel, which wakes who waits at the other one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
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

/// Takes pieces until there are none, works on each, and hands them on in the order in which they were taken. One
/// worker is the thread that calls; so it is where no other is to be had, and where only some are, there are fewer.
///
/// What was taken before taking failed is handed on all the same; behind what failed to be handed on, or a panic,
/// nothing is. A panic is an error of its own.
pub fn run<T: HoldsOctets, U: HoldsOctets + Send, E: Send>(
    workers: usize,
    room: Room,
    take: impl FnMut() -> Result<Option<T>, E> + Send,
    work: impl Fn(T) -> U + Sync,
    hand_on: impl FnMut(U) -> Result<(), E>,
) -> thread::Result<Result<(), E>> {
    let ((queue, in_order), (freed, handed_on)) = (channel(), channel());
    let intake = Mutex::new(Some(Intake { take, pieces: 0, queue, handed_on }));
    let crew = Crew { intake, room, held: AtomicUsize::new(0) };
    let others = if workers > 1 { workers } else { 0 };
    let run = catch_unwind(AssertUnwindSafe(|| {
        thread::scope(|scope| {
            let threads = (0..others).map_while(|_| {
                let thread = thread::Builder::new().name("convert".to_owned());
                thread.spawn_scoped(scope, || while crew.work_next(&work) {}).ok()
            });
            let threads: Vec<_> = threads.collect();
            let work_next = || threads.is_empty() && crew.work_next(&work);
            let ended = crew.hand_on_all(in_order, work_next, hand_on, freed);
            threads.into_iter().map(|thread| thread.join()).fold(Ok(()), Result::and).map(|()| ended)
        })
    }));
    run.flatten()
}

/// What the workers share.
struct Crew<Take, U, E> {
    /// None where nothing more is taken: at the end, and after whatever failed.
    intake: Mutex<Option<Intake<Take, U, E>>>,
    room: Room,
    /// The octets that are taken and not handed on.
    held: AtomicUsize,
}

/// Where pieces come from.
struct Intake<Take, U, E> {
    take: Take,
    /// The pieces that are taken and not known to be handed on.
    pieces: usize,
    /// Gets what is to be handed on, or why taking failed.
    queue: Sender<Result<Receiver<U>, E>>,
    /// Tells of each piece that it was handed on.
    handed_on: Receiver<()>,
}

impl<U: HoldsOctets, E, Take> Crew<Take, U, E> {
    /// Takes a piece and works on it; returns `false` where there is none, or nobody who hands it on.
    fn work_next<T: HoldsOctets>(&self, work: impl Fn(T) -> U) -> bool
    where
        Take: FnMut() -> Result<Option<T>, E>,
    {
        let Some((piece, to)) = self.take() else { return false };
        let before = piece.octets();
        let done = work(piece);
        self.held.fetch_add(done.octets(), Ordering::Relaxed);
        self.held.fetch_sub(before, Ordering::Relaxed);
        to.send(done).is_ok()
    }

    /// Takes the next piece, once there is room for it, and tells where it goes when it is done; none when there is no
    /// more, or nobody who hands on.
    fn take<T: HoldsOctets>(&self) -> Option<(T, Sender<U>)>
    where
        Take: FnMut() -> Result<Option<T>, E>,
    {
        let mut place = self.intake.lock().ok()?;
        // It is put back if all goes well: whoever panics while he takes leaves nothing to go on from.
        let mut intake = place.take()?;
        while intake.pieces > 0 && !self.has_room(intake.pieces) {
            intake.handed_on.recv().ok()?;
            intake.pieces -= 1;
        }
        // Why that failed comes in the queue behind all that was taken before.
        let piece = (intake.take)().transpose()?.map_err(|error| intake.queue.send(Err(error))).ok()?;
        let (to, done) = channel();
        intake.queue.send(Ok(done)).ok()?;
        intake.pieces += 1;
        self.held.fetch_add(piece.octets(), Ordering::Relaxed);
        *place = Some(intake);
        Some((piece, to))
    }

    fn has_room(&self, pieces: usize) -> bool {
        pieces < self.room.pieces && self.held.load(Ordering::Relaxed) < self.room.octets
    }

    /// Hands on what comes `in_order`, and says so to who waits for room; `work_next` is called before each.
    fn hand_on_all(
        &self,
        in_order: Receiver<Result<Receiver<U>, E>>,
        work_next: impl Fn() -> bool,
        mut hand_on: impl FnMut(U) -> Result<(), E>,
        freed: Sender<()>,
    ) -> Result<(), E> {
        loop {
            work_next();
            let Ok(done) = in_order.recv() else { return Ok(()) };
            // Whoever worked on it panicked.
            let Ok(piece) = done?.recv() else { return Ok(()) };
            let octets = piece.octets();
            hand_on(piece)?;
            self.held.fetch_sub(octets, Ordering::Relaxed);
            // Nobody waits where there is nothing more to take.
            let _ = freed.send(());
        }
    }
}

#[cfg(test)]
mod tests;
