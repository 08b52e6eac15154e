//! The transport between ranks: values by meetings and routes.
//!
//! In a meeting, a process sends each other member its share, in a separate message, and waits
//! until all shares for itself have arrived. So a gather sends a contribution `n - 1` times, an
//! exchange of slices `(n - 1) / n` of it, a broadcast once for each member: the volumes of
//! textbooks, in one round. Neither communicators nor buffers are agreed on before, so errors can
//! name a rank that never arrives.
//!
//! Values that are sent on a channel are matched with receivers by the channel's home, a rank that
//! is a function of its name: senders announce offers to it, receivers requests, and the values go
//! directly from one to the other.
//!
//! Several processes of a grid may run on one rank. They exchange values in memory, and values for
//! all of them are sent to the rank once.
//!
//! The threads of a program access [`State`] and wait for its changes. Other threads connect the
//! states of the ranks: the one that calls the library of MPI ([`engine`]), or the threads of
//! [`tcp`]. Messages are transferred while the program computes.

mod deadlock;
mod engine;
pub mod fault;
mod frame;
mod state;
pub mod tcp;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use halo_core::Literal;
use halo_runtime::communication::{
    Contribution, MeetingKey, Movement, Route, Threads, Transport, Values, Visit, slice_of,
};

pub use engine::{Engine, Watched};
use fault::{Cause, Fault};
use frame::{Address, Exchange, Frame};
pub use frame::{Key, Report};
use state::Piece;
pub use state::{State, Volume};

/// Time limits after which a rank considers another one as failed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For any sign of life of a rank.
    pub silence: Duration,
    /// For a rank that responds, but does not reach an op.
    pub wait: Option<Duration>,
}

/// State that the threads of a rank share.
pub struct Shared {
    state: Mutex<State>,
    /// Something has come.
    changed: Condvar,
    /// Signals queued messages.
    work: Condvar,
    pub limits: Limits,
    next: AtomicU64,
}

impl Shared {
    pub fn new(state: State, limits: Limits) -> Self {
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            work: Condvar::new(),
            limits,
            next: AtomicU64::new(0),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the engine process the state at once.
    pub fn wake(&self) {
        self.work.notify_all();
    }

    /// Waits for a change, or some time.
    pub fn sleep<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        let slept = self.changed.wait_timeout(state, time);
        slept.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The processes that a process waits for: all of them, or any.
struct Needed {
    processes: Vec<usize>,
    of_any: bool,
}

/// The processes of a grid, some of which run on this rank.
pub struct Network {
    shared: Arc<Shared>,
    /// Distinguishes the messages of this grid from the messages of others.
    grid: Key,
    /// Whether the grid is one run of a program, whose failure the other ranks are sent.
    is_run: bool,
    /// The name of the program of such a run, which is the same on all ranks.
    program: String,
    /// The rank of each process.
    ranks: Vec<usize>,
    /// The rank of these processes.
    own: usize,
    /// Whether messages are counted as the program's.
    counted: bool,
    feeds: Threads,
    ended: Mutex<Ended>,
}

/// The processes of this rank that have ended.
#[derive(Default)]
struct Ended {
    processes: BTreeSet<usize>,
    first_failed: Option<usize>,
    /// The reasons for which waiting processes have failed.
    reasons: BTreeMap<usize, String>,
}

impl Network {
    /// The network of a tool's session, whose ranks have one process each.
    pub fn new(shared: Arc<Shared>, scope: &str, ranks: Vec<usize>, counted: bool) -> Self {
        Self::with_key(shared, Key::of(&[scope.as_bytes()]), ranks, counted)
    }

    /// The network of one run of a program.
    pub fn of_run(shared: Arc<Shared>, grid: Key, program: &str, ranks: Vec<usize>) -> Self {
        Self::with_program(shared, grid, Some(program.to_owned()), ranks, true)
    }

    fn with_key(shared: Arc<Shared>, grid: Key, ranks: Vec<usize>, counted: bool) -> Self {
        Self::with_program(shared, grid, None, ranks, counted)
    }

    fn with_program(
        shared: Arc<Shared>,
        grid: Key,
        program: Option<String>,
        ranks: Vec<usize>,
        counted: bool,
    ) -> Self {
        let own = shared.state().rank;
        Self {
            shared,
            grid,
            is_run: program.is_some(),
            program: program.unwrap_or_default(),
            ranks,
            own,
            counted,
            feeds: Threads::new(1),
            ended: Mutex::default(),
        }
    }

    /// Waits until `ready` has a result; until then, it returns the processes that it needs.
    fn wait<T>(
        &self,
        process: usize,
        operation: &str,
        mut ready: impl FnMut(&mut State) -> Result<Result<T, String>, Needed>,
    ) -> Result<T, String> {
        let shared = &self.shared;
        let own = shared.next.fetch_add(1, Ordering::Relaxed);
        let start = Instant::now();
        let mut state = shared.state();
        let outcome = loop {
            if let Some(message) = self.other_program(&state) {
                break Err(message);
            }
            let needed = match ready(&mut state) {
                Ok(answer) => break answer,
                Err(needed) => needed,
            };
            let ranks: BTreeSet<usize> = needed
                .processes
                .iter()
                .filter_map(|process| self.rank_of(*process).ok())
                .collect();
            let ranks: Vec<usize> = ranks.into_iter().collect();
            if let Some(fault) = &state.fault {
                let message = fault.to_waiting(&ranks);
                state.is_told = true;
                break Err(message);
            }
            if let Some(message) = self.failure(&state, &needed.processes, &ranks) {
                let reason = format!("{operation} {message}");
                self.ended().reasons.insert(process, reason);
                break Err(message);
            }
            if let Some(limit) = shared.limits.wait.filter(|limit| start.elapsed() > *limit)
                && let Some(rank) = ranks.first()
            {
                state.fail(*rank, Cause::Late(limit));
                continue;
            }
            let waiting = frame::Waiting {
                ranks,
                of_any: needed.of_any,
                operation: operation.to_owned(),
            };
            state.waiting.insert(own, waiting);
            shared.work.notify_all();
            state = shared.sleep(state, Duration::from_millis(200));
        };
        state.waiting.remove(&own);
        outcome
    }

    /// The error of a run in which another rank runs another program.
    fn other_program(&self, state: &State) -> Option<String> {
        let programs = &state.grids.get(&self.grid)?.programs;
        let (rank, other) = programs.iter().find(|(_, name)| **name != self.program)?;
        Some(format!(
            "is in program '{}', but rank {rank} runs '{other}': all ranks must run the same \
             programs in the same order",
            self.program
        ))
    }

    /// The reason for which one of the processes will send nothing.
    fn failure(&self, state: &State, processes: &[usize], ranks: &[usize]) -> Option<String> {
        let grid = state.grids.get(&self.grid)?;
        let failed = processes.iter().find_map(|process| grid.failed.get_key_value(process));
        if let Some((process, reason)) = failed {
            let fault = Fault {
                rank: self.rank_of(*process).ok()?,
                cause: Cause::Failed,
            };
            let reason = reason.as_ref().map(|reason| format!(": {reason}"));
            return Some(fault.to_waiting(ranks) + &reason.unwrap_or_default());
        }
        let (rank, cause) = ranks.iter().find_map(|rank| state.lost.get_key_value(rank))?;
        let fault = Fault {
            rank: *rank,
            cause: cause.clone(),
        };
        Some(fault.to_waiting(ranks))
    }

    fn rank_of(&self, process: usize) -> Result<usize, String> {
        let rank = self.ranks.get(process).copied();
        rank.ok_or_else(|| format!("names process {process}, which is not there"))
    }

    /// The number of processes of this rank among some.
    fn readers(&self, members: &[usize]) -> usize {
        members.iter().filter(|member| self.is_here(**member)).count()
    }

    /// The group that some processes are on a channel.
    fn group(channel: i64, members: &[usize]) -> Key {
        let members = members.iter().flat_map(|member| (*member as u64).to_le_bytes());
        let members: Vec<u8> = members.collect();
        Key::of(&[&channel.to_le_bytes(), &members])
    }

    /// One of the meetings of a group.
    fn meeting(&self, group: Key, number: u64) -> Exchange {
        Exchange {
            grid: self.grid,
            key: Key::of(&[&group.0, &number.to_le_bytes()]),
        }
    }

    fn meeting_of(&self, key: &MeetingKey) -> Exchange {
        self.meeting(Self::group(key.channel, &key.members), key.number)
    }

    fn route(&self, route: Route) -> Exchange {
        let receiver = route.receiver.map_or(u64::MAX, |receiver| receiver as u64);
        let (channel, receiver) = (route.channel.to_le_bytes(), receiver.to_le_bytes());
        Exchange {
            grid: self.grid,
            key: Key::of(&[b"route", &channel, &receiver]),
        }
    }

    fn ended(&self) -> MutexGuard<'_, Ended> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The exchanges of the grid end with the last process of this rank.
impl Drop for Network {
    fn drop(&mut self) {
        let has_failed = self.ended().first_failed.is_some();
        let mut state = self.shared.state();
        state.grids.remove(&self.grid);
        if has_failed && self.is_run {
            state.closed.insert(self.grid);
        }
    }
}

/// One of the slices of values, for the member with an index.
fn slices(values: &[Arc<Literal>], place: usize, count: usize) -> Result<Vec<Piece>, String> {
    let slices = values.iter().map(|value| {
        let (shape, range) = slice_of(value, place, count)?;
        Ok(Piece {
            literal: Arc::clone(value),
            shape: shape.to_string(),
            range,
        })
    });
    slices.collect()
}

fn copies(values: &[Arc<Literal>], place: usize, count: usize) -> Result<Contribution, String> {
    let slices = values.iter().map(|value| {
        let (shape, range) = slice_of(value, place, count)?;
        let slice = Literal::from_bytes(shape, &value.bytes()[range]);
        slice.map(Arc::new).map_err(|error| error.to_string())
    });
    slices.collect()
}

impl Transport for Network {
    fn bring(
        &self,
        process: usize,
        visit: &Visit<'_>,
        values: &[Arc<Literal>],
    ) -> Result<MeetingKey, String> {
        let members = visit.members;
        let own = members.iter().position(|member| *member == process);
        let place = own.ok_or("is run by a process that is in none of its groups")?;
        let receivers = match visit.movement {
            Movement::AllGather | Movement::AllToAll => members,
            Movement::Broadcast if place == 0 => members,
            Movement::Broadcast => &[],
            Movement::Gather => &members[..1],
        };
        let is_sliced = visit.movement == Movement::AllToAll;
        let group = Self::group(visit.channel, members);
        let mut state = self.shared.state();
        let visits = state.grid(self.grid).visits.entry((process, group)).or_insert(0);
        let number = *visits;
        *visits += 1;
        let exchange = self.meeting(group, number);
        let mut served = BTreeSet::from([self.own]);
        for (place, receiver) in receivers.iter().enumerate() {
            let rank = self.rank_of(*receiver)?;
            if rank == self.own || !(served.insert(rank) || is_sliced) {
                continue;
            }
            let pieces = if is_sliced {
                slices(values, place, members.len())?
            } else {
                values.iter().map(Piece::whole).collect()
            };
            let address = Address::Meeting {
                exchange,
                from: process,
                to: is_sliced.then_some(*receiver),
                operation: visit.operation.to_owned(),
            };
            state.send(rank, address, &self.program, pieces, self.counted);
        }
        state.join(exchange, process, visit.operation, values.to_vec());
        drop(state);
        self.shared.changed.notify_all();
        self.shared.work.notify_all();
        Ok(MeetingKey {
            channel: visit.channel,
            members: members.to_vec(),
            number,
        })
    }

    fn meet(
        &self,
        process: usize,
        key: &MeetingKey,
        movement: Movement,
    ) -> Result<Vec<Contribution>, String> {
        let members = &key.members[..];
        let (exchange, readers) = (self.meeting_of(key), self.readers(members));
        let needed = match movement {
            Movement::Broadcast => &members[..1],
            _ => members,
        };
        let operation = self.shared.state().operation(exchange, process);
        let met = self.wait(process, &format!("'{operation}'"), |state| {
            if let Some(other) = state.other_operation(exchange, &operation) {
                return Ok(Err(format!(
                    "meets '{other}' of another process of its group"
                )));
            }
            let met = state.meet(exchange, process, needed, readers);
            met.map(Ok).map_err(|missing| Needed {
                processes: missing,
                of_any: false,
            })
        })?;
        let place = members.iter().position(|member| *member == process).unwrap_or(0);
        let met = met.into_iter().map(|(values, is_sliced)| match movement {
            Movement::AllToAll if !is_sliced => copies(&values, place, members.len()),
            _ => Ok(values),
        });
        met.collect()
    }

    fn leave(&self, _process: usize, key: &MeetingKey) {
        let readers = self.readers(&key.members);
        self.shared.state().leave(self.meeting_of(key), readers);
    }

    fn send(&self, _process: usize, route: Route, values: Values) -> Result<(), String> {
        let key = self.route(route);
        let pieces = || values.iter().map(Piece::whole).collect();
        let mut state = self.shared.state();
        match route.receiver {
            None => state.offer_values(key, &self.program, pieces()),
            Some(receiver) if self.is_here(receiver) => state.put(key, values),
            Some(receiver) => {
                let (rank, address) = (self.rank_of(receiver)?, Address::Route(key));
                state.send(rank, address, &self.program, pieces(), self.counted);
            }
        }
        drop(state);
        self.shared.changed.notify_all();
        self.shared.work.notify_all();
        Ok(())
    }

    fn receive(&self, process: usize, route: Route) -> Result<Values, String> {
        let key = self.route(route);
        if route.receiver.is_none() {
            self.shared.state().want_values(key);
            self.shared.work.notify_all();
        }
        let others: Vec<usize> = (0..self.ranks.len()).filter(|other| *other != process).collect();
        let what = format!("data on channel {}", route.channel);
        self.wait(process, &what, |state| match state.take(key) {
            Some(values) => Ok(Ok(values)),
            None => Err(Needed {
                processes: others.clone(),
                of_any: true,
            }),
        })
    }

    fn feeds(&self) -> &Threads {
        &self.feeds
    }

    /// A session sends its failure itself.
    fn end(&self, process: usize, failed: bool) {
        let mut ended = self.ended();
        if !ended.processes.insert(process) || !failed {
            return;
        }
        ended.first_failed.get_or_insert(process);
        let reason = ended.reasons.remove(&process);
        drop(ended);
        if !self.is_run {
            return;
        }
        let mut state = self.shared.state();
        state.grid(self.grid).failed.insert(process, reason.clone());
        let ranks: BTreeSet<usize> = self.ranks.iter().copied().collect();
        for rank in ranks.into_iter().filter(|rank| *rank != self.own) {
            let frame = Frame::Failed {
                grid: self.grid,
                process,
                reason: reason.clone(),
            };
            state.post(rank, frame, Vec::new());
        }
        drop(state);
        self.shared.changed.notify_all();
        self.shared.work.notify_all();
    }

    fn has_ended(&self, process: usize) -> bool {
        self.ended().processes.contains(&process)
    }

    fn first_failed(&self) -> Option<usize> {
        self.ended().first_failed
    }

    fn is_here(&self, process: usize) -> bool {
        self.ranks.get(process) == Some(&self.own)
    }

    fn within(&self, process: usize, count: usize) -> Result<Arc<dyn Transport>, String> {
        let ranks = self.ranks.get(..count).ok_or_else(|| {
            let ranks = self.ranks.len();
            format!("runs {count} programs, but there are {ranks} ranks")
        })?;
        let mut state = self.shared.state();
        let grids = Key::of(&[b"grid"]);
        let number = state.grid(self.grid).visits.entry((process, grids)).or_insert(0);
        let key = Key::of(&[&self.grid.0, &grids.0, &number.to_le_bytes()]);
        *number += 1;
        drop(state);
        let shared = Arc::clone(&self.shared);
        let grid = Self::with_key(shared, key, ranks.to_vec(), self.counted);
        Ok(Arc::new(grid))
    }
}

#[cfg(test)]
#[path = "network_tests.rs"]
pub mod tests;
