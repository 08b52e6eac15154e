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
//! One thread of a rank calls the library ([`engine`]); the threads of the program access [`State`]
//! and wait for its changes. Messages are transferred while the program computes.

mod deadlock;
mod engine;
pub mod fault;
mod frame;
mod state;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use halo_core::Literal;
use halo_runtime::communication::{
    Contribution, MeetingKey, Movement, Route, Threads, Transport, Values, Visit, slice_of,
};

pub use engine::{Engine, Watched};
use fault::Cause;
use frame::Address;
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

    /// Waits until `ready` has a result; until then, it returns the ranks that it needs.
    fn wait<T>(
        &self,
        operation: &str,
        mut ready: impl FnMut(&mut State) -> Result<Result<T, String>, Needed>,
    ) -> Result<T, String> {
        let own = self.next.fetch_add(1, Ordering::Relaxed);
        let start = Instant::now();
        let mut state = self.state();
        let outcome = loop {
            let needed = match ready(&mut state) {
                Ok(answer) => break answer,
                Err(needed) => needed,
            };
            if let Some(fault) = &state.fault {
                let message = fault.to_waiting(&needed.ranks);
                state.is_told = true;
                break Err(message);
            }
            if let Some(limit) = self.limits.wait.filter(|limit| start.elapsed() > *limit)
                && let Some(rank) = needed.ranks.first()
            {
                state.fail(*rank, Cause::Late(limit));
                continue;
            }
            let waiting = frame::Waiting {
                ranks: needed.ranks,
                of_any: needed.of_any,
                operation: operation.to_owned(),
            };
            state.waiting.insert(own, waiting);
            self.work.notify_all();
            state = self.sleep(state, Duration::from_millis(200));
        };
        state.waiting.remove(&own);
        outcome
    }
}

/// The ranks that a program waits for: all of them, or any.
struct Needed {
    ranks: Vec<usize>,
    of_any: bool,
}

/// The processes of a grid, one of which runs on this rank.
pub struct Network {
    shared: Arc<Shared>,
    /// Distinguishes the messages of this grid from the messages of others.
    scope: Key,
    /// The rank of each process.
    ranks: Vec<usize>,
    /// Whether messages are counted as the program's.
    counted: bool,
    grids: AtomicU64,
    feeds: Threads,
    ended: Mutex<Ended>,
}

#[derive(Default)]
struct Ended {
    has: bool,
    failed: bool,
}

impl Network {
    pub fn new(shared: Arc<Shared>, scope: &str, ranks: Vec<usize>, counted: bool) -> Self {
        Self::with_key(shared, Key::of(&[scope.as_bytes()]), ranks, counted)
    }

    fn with_key(shared: Arc<Shared>, scope: Key, ranks: Vec<usize>, counted: bool) -> Self {
        Self {
            shared,
            scope,
            ranks,
            counted,
            grids: AtomicU64::new(0),
            feeds: Threads::new(1),
            ended: Mutex::default(),
        }
    }

    fn rank_of(&self, process: usize) -> Result<usize, String> {
        let rank = self.ranks.get(process).copied();
        rank.ok_or_else(|| format!("names process {process}, which is not there"))
    }

    fn ranks_of(&self, members: &[usize]) -> Result<Vec<usize>, String> {
        members.iter().map(|member| self.rank_of(*member)).collect()
    }

    fn group(&self, channel: i64, ranks: &[usize]) -> Key {
        let ranks: Vec<u8> = ranks.iter().flat_map(|rank| (*rank as u64).to_le_bytes()).collect();
        Key::of(&[&self.scope.0, &channel.to_le_bytes(), &ranks])
    }

    fn route(&self, route: Route) -> Key {
        let receiver = route.receiver.map_or(u64::MAX, |receiver| receiver as u64);
        Key::of(&[
            &self.scope.0,
            b"route",
            &route.channel.to_le_bytes(),
            &receiver.to_le_bytes(),
        ])
    }

    fn ended(&self) -> MutexGuard<'_, Ended> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn meeting(group: Key, number: u64) -> Key {
    Key::of(&[&group.0, &number.to_le_bytes()])
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

fn copies(values: &[Arc<Literal>], place: usize, count: usize) -> Result<Values, String> {
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
        let ranks = self.ranks_of(visit.members)?;
        let group = self.group(visit.channel, &ranks);
        let count = ranks.len();
        let own = visit.members.iter().position(|member| *member == process);
        let place = own.ok_or("is run by a process that is in none of its groups")?;
        let receivers: Vec<usize> = match visit.movement {
            Movement::AllGather | Movement::AllToAll => (0..count).collect(),
            Movement::Broadcast if place == 0 => (0..count).collect(),
            Movement::Gather => vec![0],
            Movement::Broadcast => Vec::new(),
        };
        let is_sliced = visit.movement == Movement::AllToAll;
        let mut state = self.shared.state();
        let visits = state.visits.entry(group).or_insert(0);
        let number = *visits;
        *visits += 1;
        let key = meeting(group, number);
        for receiver in receivers.into_iter().filter(|receiver| *receiver != place) {
            let pieces = if is_sliced {
                slices(values, receiver, count)?
            } else {
                values.iter().map(Piece::whole).collect()
            };
            let operation = visit.operation.to_owned();
            let address = Address::Meeting { key, operation };
            state.send(ranks[receiver], address, pieces, self.counted);
        }
        let values = if is_sliced {
            copies(values, place, count)?
        } else {
            values.to_vec()
        };
        state.contribute(key, ranks[place], visit.operation.to_owned(), values);
        drop(state);
        self.shared.work.notify_all();
        Ok(MeetingKey {
            channel: visit.channel,
            members: visit.members.to_vec(),
            number,
        })
    }

    fn meet(
        &self,
        _process: usize,
        key: &MeetingKey,
        movement: Movement,
    ) -> Result<Vec<Contribution>, String> {
        let ranks = self.ranks_of(&key.members)?;
        let meeting = meeting(self.group(key.channel, &ranks), key.number);
        let needed = match movement {
            Movement::Broadcast => &ranks[..1],
            _ => &ranks[..],
        };
        let operation = self.shared.state().operation(meeting);
        self.shared.wait(&format!("'{operation}'"), |state| {
            if let Some(other) = state.other_operation(meeting, &operation) {
                return Ok(Err(format!(
                    "meets '{other}' of another process of its group"
                )));
            }
            let met = state.meet(meeting, needed);
            met.map(Ok).map_err(|missing| Needed {
                ranks: missing,
                of_any: false,
            })
        })
    }

    fn leave(&self, _process: usize, key: &MeetingKey) {
        if let Ok(ranks) = self.ranks_of(&key.members) {
            let group = self.group(key.channel, &ranks);
            self.shared.state().leave(meeting(group, key.number));
        }
    }

    fn send(&self, process: usize, route: Route, values: Values) -> Result<(), String> {
        let (key, own) = (self.route(route), self.rank_of(process)?);
        let mut state = self.shared.state();
        match route.receiver {
            None => state.offer_values(key, values.iter().map(Piece::whole).collect()),
            Some(receiver) => match self.rank_of(receiver)? {
                receiver if receiver == own => state.put(key, values),
                receiver => {
                    let pieces = values.iter().map(Piece::whole).collect();
                    state.send(receiver, Address::Route(key), pieces, self.counted);
                }
            },
        }
        drop(state);
        self.shared.work.notify_all();
        Ok(())
    }

    fn receive(&self, process: usize, route: Route) -> Result<Values, String> {
        let (key, own) = (self.route(route), self.rank_of(process)?);
        if route.receiver.is_none() {
            self.shared.state().want_values(key);
            self.shared.work.notify_all();
        }
        let others = self.ranks.iter().copied().filter(|rank| *rank != own);
        let others: Vec<usize> = others.collect();
        let what = format!("data on channel {}", route.channel);
        self.shared.wait(&what, |state| match state.take(key) {
            Some(values) => Ok(Ok(values)),
            None => Err(Needed {
                ranks: others.clone(),
                of_any: true,
            }),
        })
    }

    fn feeds(&self) -> &Threads {
        &self.feeds
    }

    fn end(&self, _process: usize, failed: bool) {
        let mut ended = self.ended();
        ended.failed |= failed && !ended.has;
        ended.has = true;
    }

    fn has_ended(&self, _process: usize) -> bool {
        self.ended().has
    }

    fn first_failed(&self) -> Option<usize> {
        let rank = self.shared.state().rank;
        let failed = self.ended().failed;
        self.ranks.iter().position(|one| *one == rank && failed)
    }

    fn is_here(&self, process: usize) -> bool {
        let rank = self.shared.state().rank;
        self.ranks.get(process) == Some(&rank)
    }

    fn within(&self, _process: usize, count: usize) -> Result<Arc<dyn Transport>, String> {
        let ranks = self.ranks.get(..count).ok_or_else(|| {
            let ranks = self.ranks.len();
            format!("runs {count} programs, but there are {ranks} ranks")
        })?;
        let number = self.grids.fetch_add(1, Ordering::Relaxed);
        let scope = Key::of(&[&self.scope.0, b"grid", &number.to_le_bytes()]);
        let shared = Arc::clone(&self.shared);
        let grid = Self::with_key(shared, scope, ranks.to_vec(), self.counted);
        Ok(Arc::new(grid))
    }
}

#[cfg(test)]
#[path = "network_tests.rs"]
mod tests;
