//! The thread of a rank that calls the library of MPI.
//!
//! It sends queued frames, receives frames, reports the status of this rank several times a second,
//! and detects faults of the others: a process that has ended, a silent one, a deadlock. It never
//! blocks in the library.
//!
//! After a fault, each rank reports how its run failed, and one of them prints its message: the
//! lowest of the ranks that failed by themselves, or else of the ranks with a location in the
//! program. The thread reports on behalf of a program that computes and does not communicate.

use std::collections::VecDeque;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use halo_core::Literal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::fault::{Cause, Fault};
use super::frame::{Address, Frame, Report};
use super::state::{allocate, fill, is_inline};
use super::{Shared, State, deadlock};
use crate::mpi::{CHUNK_BYTES, Mpi, Request};

/// The interval at which a rank reports its status.
const BEAT: Duration = Duration::from_millis(250);
/// A thread that was suspended for this long does not report silent ranks.
const STOPPED: Duration = Duration::from_millis(1000);
/// The time in which a program may detect a fault itself.
const GRACE: Duration = Duration::from_millis(250);
/// The time limit for reports of others.
const REPORTS: Duration = Duration::from_millis(500);
/// The time that a rank without a message waits to be ended by the reporting one.
const END: Duration = Duration::from_millis(2000);
/// The longest pauses between polls of the library: while the program waits or values are in
/// flight, and otherwise.
const SHORT_PAUSE: Duration = Duration::from_micros(100);
const LONG_PAUSE: Duration = Duration::from_millis(2);

/// A process of this machine, whose end the system reports.
pub struct Watched {
    pub rank: usize,
    pub process: OwnedFd,
}

/// Values that have not arrived completely. Values of one rank are delivered in order, and their
/// messages are received one after the other, so that no call of the library takes long.
struct Arriving {
    /// The message in flight.
    request: Option<Request>,
    /// The value of the next message, and the offset in its bytes.
    next: (usize, usize),
    address: Address,
    program: String,
    values: Vec<Literal>,
    counted: bool,
}

pub struct Engine {
    mpi: Mpi,
    shared: Arc<Shared>,
    sending: Vec<Request>,
    arriving: Vec<VecDeque<Arriving>>,
    heard: Vec<Instant>,
    last_turn: Instant,
    last_beat: Instant,
    /// The ranks that were deadlocked at the last heartbeat.
    stuck: Vec<usize>,
    faulty_since: Option<Instant>,
    reported: Option<Instant>,
    /// Prints a message on behalf of a program that does not communicate.
    print: Box<dyn Fn(&Fault) + Send>,
}

impl Engine {
    pub fn new(mpi: Mpi, shared: Arc<Shared>, print: Box<dyn Fn(&Fault) + Send>) -> Self {
        let now = Instant::now();
        let size = mpi.size;
        Self {
            mpi,
            shared,
            sending: Vec::new(),
            arriving: (0..size).map(|_| VecDeque::new()).collect(),
            heard: vec![now; size],
            last_turn: now,
            last_beat: now,
            stuck: Vec::new(),
            faulty_since: None,
            reported: None,
            print,
        }
    }

    /// Runs until the rank has ended.
    pub fn run(mut self) {
        let mut pause = Duration::ZERO;
        loop {
            let is_busy = self.turn().unwrap_or_else(|message| {
                let rank = self.mpi.rank;
                self.shared.state().fail(rank, Cause::Library(message));
                self.shared.changed.notify_all();
                false
            });
            if self.is_over() {
                return;
            }
            if is_busy {
                pause = Duration::ZERO;
                continue;
            }
            let state = self.shared.state();
            if !state.outgoing.is_empty() {
                continue;
            }
            // Polls again at once first, then with exponential backoff.
            let is_moving = !self.sending.is_empty()
                || self.arriving.iter().any(|arriving| !arriving.is_empty())
                || state.expects_values();
            let longest = if state.waiting.is_empty() && !is_moving {
                LONG_PAUSE
            } else {
                SHORT_PAUSE
            };
            pause = (pause * 2 + Duration::from_micros(1)).min(longest);
            if pause < Duration::from_micros(20) {
                drop(state);
                std::thread::yield_now();
                continue;
            }
            let waited = self.shared.work.wait_timeout(state, pause);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Polls everything once. Returns true if something was transferred.
    fn turn(&mut self) -> Result<bool, String> {
        let mut is_busy = self.send()?;
        is_busy |= self.take_frames()?;
        is_busy |= self.take_payloads()?;
        let mut error = None;
        let before = self.sending.len();
        self.sending.retain_mut(|request| {
            let done = self.mpi.is_done(request);
            !done.unwrap_or_else(|message| {
                error = Some(message);
                true
            })
        });
        if let Some(message) = error {
            return Err(message);
        }
        is_busy |= self.sending.len() < before;
        self.watch();
        Ok(is_busy)
    }

    fn send(&mut self) -> Result<bool, String> {
        let outgoing = std::mem::take(&mut self.shared.state().outgoing);
        let is_busy = !outgoing.is_empty();
        for one in outgoing {
            let bytes = postcard::to_stdvec(&one.frame).map_err(|error| error.to_string())?;
            self.sending.push(self.mpi.send_frame(one.to, bytes)?);
            for piece in one.payload {
                let requests = self.mpi.send_payload(one.to, &piece.literal, piece.range)?;
                self.sending.extend(requests);
            }
        }
        Ok(is_busy)
    }

    fn take_frames(&mut self) -> Result<bool, String> {
        let mut is_busy = false;
        while let Some((from, bytes)) = self.mpi.next_frame()? {
            is_busy = true;
            self.heard[from] = Instant::now();
            let frame = postcard::from_bytes(&bytes);
            let frame = frame.map_err(|error| format!("a message of rank {from}: {error}"))?;
            match frame {
                Frame::Values {
                    address,
                    program,
                    shapes,
                    bytes,
                    counted,
                } => {
                    let mut values = allocate(&shapes)?;
                    fill(&mut values, &bytes)?;
                    self.arriving[from].push_back(Arriving {
                        request: None,
                        next: (0, 0),
                        address,
                        program,
                        values,
                        counted,
                    });
                }
                frame => {
                    self.shared.state().deliver(from, frame);
                    self.shared.changed.notify_all();
                }
            }
        }
        Ok(is_busy)
    }

    fn take_payloads(&mut self) -> Result<bool, String> {
        let mut is_busy = false;
        for from in 0..self.arriving.len() {
            while let Some(first) = self.arriving[from].front_mut() {
                if let Some(request) = &mut first.request {
                    if !self.mpi.is_done(request)? {
                        break;
                    }
                    // Long payloads are signs of life, too.
                    self.heard[from] = Instant::now();
                    first.request = None;
                    is_busy = true;
                }
                if let Some((value, range)) = first.next_message() {
                    let chunk = &mut first.values[value].bytes_mut()[range];
                    // SAFETY: the literals stay in `arriving`, without other accesses, until the
                    // request is done, and this is the only request for them.
                    first.request = Some(unsafe { self.mpi.receive_payload(from, chunk)? });
                    break;
                }
                if let Some(whole) = self.arriving[from].pop_front() {
                    is_busy = true;
                    let values = whole.values.into_iter().map(Arc::new).collect();
                    let mut state = self.shared.state();
                    state.arrive(from, whole.address, whole.program, values, whole.counted);
                    drop(state);
                    self.shared.changed.notify_all();
                }
            }
        }
        Ok(is_busy)
    }

    /// Detects faults of the others, and reports the status of this rank.
    fn watch(&mut self) {
        let now = Instant::now();
        if now - self.last_turn > STOPPED {
            // This process was suspended, perhaps with all others.
            self.heard.fill(now);
        }
        self.last_turn = now;
        let shared = Arc::clone(&self.shared);
        let mut state = shared.state();
        if !state.is_closing {
            self.look_for_ends(&mut state);
        }
        if now - self.last_beat >= BEAT {
            self.last_beat = now;
            if !state.is_closing {
                self.judge(&mut state, now);
            }
            let status = state.status();
            state.broadcast(&Frame::Beat(status));
        }
        if state.fault.is_some() {
            shared.changed.notify_all();
            self.report(state, now);
        }
    }

    /// Detects processes of this machine that have ended without a goodbye.
    fn look_for_ends(&mut self, state: &mut State) {
        let goodbyes = &state.goodbyes;
        let open = state.watched.iter().filter(|one| !goodbyes.contains(&one.rank));
        let open: Vec<&Watched> = open.collect();
        let mut polled: Vec<PollFd> =
            open.iter().map(|one| PollFd::new(&one.process, PollFlags::IN)).collect();
        let ready = poll(&mut polled, Some(&Timespec::default()));
        if ready.is_ok_and(|count| count > 0) {
            let ended = polled.iter().position(|one| !one.revents().is_empty());
            if let Some(rank) = ended.and_then(|number| open.get(number)).map(|one| one.rank) {
                state.fail(rank, Cause::Died);
            }
        }
    }

    /// Detects silent ranks, and deadlocks.
    fn judge(&mut self, state: &mut State, now: Instant) {
        let limit = self.shared.limits.silence;
        let silent = (0..self.mpi.size).find(|rank| {
            let is_known = *rank == self.mpi.rank || state.goodbyes.contains(rank);
            !is_known && now - self.heard[*rank] > limit
        });
        if let Some(rank) = silent {
            state.fail(rank, Cause::Silent(limit));
        }
        let mut statuses = state.statuses.clone();
        statuses.insert(self.mpi.rank, state.status());
        let stuck = deadlock::stuck(&statuses);
        if stuck.contains(&self.mpi.rank) && stuck == self.stuck {
            let what = deadlock::describe(&statuses, &stuck);
            state.fail(self.mpi.rank, Cause::Deadlock(what));
        }
        self.stuck = stuck;
    }

    /// Reports a fault to the others, and decides which rank prints its message.
    fn report(&mut self, mut state: MutexGuard<'_, State>, now: Instant) {
        let Some(fault) = state.fault.clone() else {
            return;
        };
        let (own, size) = (self.mpi.rank, self.mpi.size);
        let since = *self.faulty_since.get_or_insert(now);
        if !state.reports.contains_key(&own) && now - since > GRACE {
            state.speaks_for_program = true;
            state.reports.insert(
                own,
                Report {
                    fault: Some(fault.clone()),
                    is_located: false,
                },
            );
        }
        let Some(report) = state.reports.get(&own).cloned() else {
            return;
        };
        let others = (0..size)
            .filter(|rank| *rank != own && (*rank != fault.rank || fault.leaves_rank_alive()));
        let others: Vec<usize> = others.collect();
        if fault.cause == Cause::Died && state.prints.is_none() {
            // The launcher may end all ranks at any moment.
            state.prints = Some(others.first().is_none_or(|other| own < *other));
            self.shared.changed.notify_all();
        }
        let Some(reported) = self.reported else {
            for to in others {
                state.post(to, Frame::Report(report.clone()), Vec::new());
            }
            self.reported = Some(now);
            return;
        };
        let all_did = others.iter().all(|rank| state.reports.contains_key(rank));
        if state.prints.is_none() && (all_did || now - reported > REPORTS) {
            let speaker = state
                .reports
                .iter()
                .min_by_key(|(rank, it)| (it.fault.is_some(), !it.is_located, **rank));
            state.prints = Some(speaker.is_some_and(|(rank, _)| *rank == own));
            self.shared.changed.notify_all();
        }
        let speaks = state.speaks_for_program;
        let prints = state.prints;
        drop(state);
        match prints {
            Some(true) if speaks => {
                (self.print)(&fault);
                std::thread::sleep(crate::session::PRINTED);
                self.abort();
            }
            Some(false) if now - reported > END => self.abort(),
            _ => {}
        }
    }

    fn abort(&self) -> ! {
        self.mpi.abort();
        std::process::exit(1)
    }

    /// Finalizes MPI if this rank and all others are done.
    fn is_over(&mut self) -> bool {
        let state = self.shared.state();
        if state.is_aborting {
            drop(state);
            self.abort();
        }
        let is_over = state.is_closing
            && state.goodbyes.len() + 1 == self.mpi.size
            && state.outgoing.is_empty()
            && self.sending.is_empty();
        drop(state);
        if is_over && let Err(message) = self.mpi.finalize() {
            tracing::debug!(message, "the end of MPI");
        }
        is_over
    }
}

impl Arriving {
    /// The value of the next expected message, and its range of bytes.
    fn next_message(&mut self) -> Option<(usize, Range<usize>)> {
        loop {
            let (value, start) = self.next;
            let size = self.values.get(value)?.bytes().len();
            if start < size && !is_inline(size) {
                let end = size.min(start + CHUNK_BYTES);
                self.next = (value, end);
                return Some((value, start..end));
            }
            self.next = (value + 1, 0);
        }
    }
}
