//! Whatever fails, and in whatever order the work gets done, the workers end, and what they hand on is in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use super::*;

const ROOMY: Room = Room { pieces: 6, octets: 1 << 20 };

/// A number that stands for a piece of work, and the octets that it holds.
#[derive(Debug, Clone, Copy)]
struct Numbered(u64, usize);

impl HoldsOctets for Numbered {
    fn octets(&self) -> usize {
        self.1
    }
}

/// Where something goes wrong, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InjectedFailure {
    Nowhere,
    Take(u64),
    HandOn(u64),
    PanicInTake(u64),
    PanicInWork(u64),
    PanicInHandOn(u64),
}

/// Waits a little, so that the work of some pieces is done long after that of those behind them.
fn dawdle(number: u64) {
    thread::sleep(Duration::from_micros(number.wrapping_mul(0x9E37_79B9) % 7 * 300));
}

/// Runs the workers over so many pieces; tells what they handed on, and why they ended. Fails where they don't.
fn run_with(
    workers: usize,
    room: Room,
    count: u64,
    wrong: InjectedFailure,
) -> (Vec<u64>, Result<(), Stop<InjectedFailure>>) {
    let (to, done) = channel();
    thread::spawn(move || {
        let (mut next, mut handed_on, mut died, mut used_dead) = (0, Vec::new(), false, false);
        let take = || {
            used_dead |= died;
            died = wrong == InjectedFailure::PanicInTake(next);
            assert!(!died, "for a test");
            if wrong == InjectedFailure::Take(next) {
                return Err(wrong);
            }
            next += 1;
            Ok((next <= count).then(|| Numbered(next - 1, 1000)))
        };
        let work = |piece: Numbered| {
            dawdle(piece.0);
            assert_ne!(wrong, InjectedFailure::PanicInWork(piece.0), "for a test");
            piece
        };
        let hand_on = |piece: Numbered| {
            assert_ne!(wrong, InjectedFailure::PanicInHandOn(piece.0), "for a test");
            if wrong == InjectedFailure::HandOn(piece.0) {
                return Err(wrong);
            }
            handed_on.push(piece.0);
            Ok(())
        };
        let ended = run(workers, room, take, work, hand_on);
        assert!(!used_dead, "what panicked is not asked again");
        to.send((handed_on, ended)).expect("the test waits");
    });
    done.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("{workers} workers hang: {wrong:?}"))
}

#[test]
fn pieces_are_handed_on_in_order_by_any_number_of_workers() {
    for workers in [1, 2, 3, 8, 40] {
        for room in [ROOMY, Room { pieces: 1, octets: 1 << 20 }, Room { pieces: 100, octets: 1 }] {
            let (handed_on, ended) = run_with(workers, room, 100, InjectedFailure::Nowhere);
            assert_eq!(ended, Ok(()));
            assert!(handed_on.into_iter().eq(0..100), "{workers} workers, {room:?}");
        }
    }
    assert_eq!(run_with(3, ROOMY, 0, InjectedFailure::Nowhere), (vec![], Ok(())));
}

#[test]
fn whatever_fails_ends_all_workers_and_says_why() {
    for workers in [1, 2, 8] {
        for at in [0, 1, 7, 29] {
            for wrong in [InjectedFailure::Take(at), InjectedFailure::HandOn(at)] {
                let (handed_on, ended) = run_with(workers, ROOMY, 30, wrong);
                assert_eq!(ended, Err(Stop::Failed(wrong)), "{workers} workers");
                assert!(handed_on.into_iter().eq(0..at), "{workers} workers, {wrong:?}: what came before is handed on");
            }
            for wrong in
                [InjectedFailure::PanicInTake(at), InjectedFailure::PanicInWork(at), InjectedFailure::PanicInHandOn(at)]
            {
                let (handed_on, ended) = run_with(workers, ROOMY, 30, wrong);
                assert_eq!(ended, Err(Stop::Panicked), "{workers} workers, {wrong:?}");
                let count = handed_on.len() as u64;
                assert!(count <= at && handed_on.into_iter().eq(0..count), "{workers} workers, {wrong:?}");
            }
        }
    }
}

/// Counts the octets of pieces of these sizes that are held at once, at most.
fn most_held(workers: usize, room: Room, sizes: &[usize]) -> usize {
    let (held, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut next = sizes.iter().enumerate();
    let take = || {
        let piece = next.next().map(|(number, &octets)| Numbered(number as u64, octets));
        let now = held.fetch_add(piece.map_or(0, |piece| piece.1), Ordering::SeqCst);
        most.fetch_max(now + piece.map_or(0, |piece| piece.1), Ordering::SeqCst);
        Ok::<_, ()>(piece)
    };
    let work = |piece: Numbered| {
        dawdle(piece.0);
        piece
    };
    let hand_on = |piece: Numbered| {
        held.fetch_sub(piece.1, Ordering::SeqCst);
        Ok(())
    };
    assert_eq!(run(workers, room, take, work, hand_on), Ok(()));
    most.into_inner()
}

#[test]
fn no_more_is_held_than_there_is_room_for() {
    for workers in [1, 2, 8] {
        assert!(most_held(workers, Room { pieces: 4, octets: 1 << 20 }, &[10; 200]) <= 40);
        assert!(most_held(workers, Room { pieces: 100, octets: 50 }, &[10; 200]) <= 50);
    }
}

#[test]
fn giant_pieces_are_not_held_side_by_side() {
    let sizes: Vec<usize> = (0..60).map(|number| if number % 5 == 0 { 100_000 } else { 10 }).collect();
    for workers in [1, 2, 8] {
        let most = most_held(workers, Room { pieces: 20, octets: 1000 }, &sizes);
        assert!(most < 100_000 + 1000, "{most} octets");
    }
}

/// What grows by the work takes the room that it has grown to.
#[test]
fn what_the_work_makes_is_held_too() {
    let taken = AtomicUsize::new(0);
    let take = || {
        let number = taken.fetch_add(1, Ordering::SeqCst);
        Ok::<_, ()>((number < 30).then_some(Numbered(number as u64, 1)))
    };
    let work = |piece: Numbered| {
        if piece.0 == 0 {
            // The others are done meanwhile, and wait to be handed on behind it.
            thread::sleep(Duration::from_millis(300));
            assert!(taken.load(Ordering::SeqCst) <= 3, "more is taken beside what fills the room");
        }
        Numbered(piece.0, 1000)
    };
    assert_eq!(run(3, Room { pieces: 20, octets: 1000 }, take, work, |_| Ok(())), Ok(()));
}
