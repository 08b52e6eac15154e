//! Processes of a grid that are threads of this process.
//!
//! They store values under keys and wait for the values of others. All state is under one lock, so
//! that deadlocks are detected reliably and at once: if every running process waits, and nothing
//! has changed since each of them last checked, none will ever continue.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use halo_core::{Literal, Shape};

use super::{Contribution, MeetingKey, Movement, Route, Transport, Values, Visit};

/// The contributions to a collective.
#[derive(Default)]
struct Meeting {
    operation: String,
    contributions: BTreeMap<usize, Arc<[Arc<Literal>]>>,
    /// The number of members that have read the result.
    readers: usize,
}

/// The condition that a process waits for.
struct Waiting {
    /// The version of the state that the process last checked.
    version: u64,
    what: String,
    /// Whether values may come from outside of the grid.
    outside: bool,
}

#[derive(Default)]
struct State {
    /// Processes that have ended.
    ended: BTreeSet<usize>,
    /// The processes that wait.
    waiting: BTreeMap<usize, Waiting>,
    /// Counts changes that a process may be waiting for.
    version: u64,
    /// The reason for which no process can continue.
    failure: Option<String>,
    meetings: HashMap<MeetingKey, Meeting>,
    /// The number of collectives of a process with the same members on the same channel.
    visits: HashMap<(usize, i64, Vec<usize>), u64>,
    routes: HashMap<Route, VecDeque<Values>>,
    infeed: VecDeque<Values>,
    /// The number of writers of the infeed.
    feeders: usize,
    outfeed: VecDeque<Values>,
    /// The number of readers of the outfeed.
    readers: usize,
    /// The process that failed first.
    first_failed: Option<usize>,
}

/// The shared state of processes that are threads.
pub struct Threads {
    /// The number of processes.
    size: usize,
    state: Mutex<State>,
    changed: Condvar,
}

impl Threads {
    /// For a number of processes.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the infeed for writing; it stays open until it is closed as often.
    pub(super) fn open_infeed(&self) {
        self.state().feeders += 1;
    }

    pub(super) fn put_infeed(&self, values: Values) {
        self.state().infeed.push_back(values);
        self.changed.notify_all();
    }

    pub(super) fn close_infeed(&self) {
        self.state().feeders -= 1;
        self.changed.notify_all();
    }

    /// The next values of the infeed.
    pub(super) fn infeed(&self, process: usize) -> Result<Values, String> {
        self.wait(
            process,
            "the infeed".to_owned(),
            true,
            |state| match state.infeed.pop_front() {
                Some(values) => Some(Ok(values)),
                None if state.feeders == 0 => Some(Err("finds the infeed empty".to_owned())),
                None => None,
            },
        )?
    }

    /// Opens the outfeed, until it is closed as often.
    pub(super) fn open_outfeed(&self) {
        self.state().readers += 1;
    }

    /// Writes values to the outfeed. They are lost while it is not open.
    pub(super) fn outfeed(&self, values: Values) {
        let mut state = self.state();
        if state.readers > 0 {
            state.outfeed.push_back(values);
        }
    }

    pub(super) fn take_outfeed(&self) -> Option<Values> {
        self.state().outfeed.pop_front()
    }

    pub(super) fn close_outfeed(&self) {
        let mut state = self.state();
        state.readers -= 1;
        if state.readers == 0 {
            state.outfeed.clear();
        }
    }

    fn wait<T>(
        &self,
        process: usize,
        what: String,
        outside: bool,
        mut ready: impl FnMut(&mut State) -> Option<T>,
    ) -> Result<T, String> {
        let mut state = self.state();
        loop {
            if let Some(value) = ready(&mut state) {
                return Ok(value);
            }
            if let Some(failure) = &state.failure {
                return Err(failure.clone());
            }
            let version = state.version;
            let waiting = Waiting {
                version,
                what: what.clone(),
                outside,
            };
            state.waiting.insert(process, waiting);
            let live = self.size - state.ended.len();
            let stuck = state.waiting.len() >= live
                && state
                    .waiting
                    .values()
                    .all(|waiting| waiting.version == version && !waiting.outside);
            if stuck {
                let waiting: Vec<String> = state
                    .waiting
                    .iter()
                    .map(|(process, waiting)| format!("process {process} for {}", waiting.what))
                    .collect();
                let failure = format!("waits for what never comes: {}", waiting.join(", "));
                state.failure = Some(failure.clone());
                self.changed.notify_all();
                return Err(failure);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting.remove(&process);
        }
    }
}

impl Transport for Threads {
    fn bring(
        &self,
        process: usize,
        visit: &Visit<'_>,
        values: &[Arc<Literal>],
    ) -> Result<MeetingKey, String> {
        let mut state = self.state();
        let members = visit.members.to_vec();
        let visits = state.visits.entry((process, visit.channel, members.clone())).or_insert(0);
        let key = MeetingKey {
            channel: visit.channel,
            members,
            number: *visits,
        };
        *visits += 1;
        let meeting = state.meetings.entry(key.clone()).or_insert_with(|| Meeting {
            operation: visit.operation.to_owned(),
            ..Meeting::default()
        });
        if meeting.operation != visit.operation {
            return Err(format!(
                "meets '{}' of another process of its group",
                meeting.operation
            ));
        }
        meeting.contributions.insert(process, values.into());
        state.version += 1;
        self.changed.notify_all();
        Ok(key)
    }

    /// All members wait for one another, for every movement, so that all of them detect an op that
    /// one of them never reaches.
    fn meet(
        &self,
        process: usize,
        key: &MeetingKey,
        movement: Movement,
    ) -> Result<Vec<Contribution>, String> {
        let what = format!("processes {:?} on channel {}", key.members, key.channel);
        let brought: Vec<Contribution> = self.wait(process, what, false, |state| {
            let meeting = state.meetings.get_mut(key)?;
            let brought = key
                .members
                .iter()
                .map(|member| meeting.contributions.get(member).cloned())
                .collect::<Option<_>>()?;
            meeting.readers += 1;
            if meeting.readers == key.members.len() {
                state.meetings.remove(key);
            }
            Some(brought)
        })?;
        let own = key.members.iter().position(|member| *member == process);
        match movement {
            Movement::AllGather | Movement::Gather => Ok(brought),
            Movement::Broadcast => Ok(brought.into_iter().take(1).collect()),
            Movement::AllToAll => {
                let (place, count) = (own.unwrap_or(0), key.members.len());
                let slices = brought.iter().map(|values| {
                    let slices = values.iter().map(|value| slice(value, place, count));
                    slices.map(|slice| slice.map(Arc::new)).collect()
                });
                slices.collect()
            }
        }
    }

    fn leave(&self, _process: usize, key: &MeetingKey) {
        let mut state = self.state();
        if let Some(meeting) = state.meetings.get_mut(key) {
            meeting.readers += 1;
            if meeting.readers == key.members.len() {
                state.meetings.remove(key);
            }
        }
    }

    fn send(&self, _process: usize, route: Route, values: Values) -> Result<(), String> {
        let mut state = self.state();
        state.routes.entry(route).or_default().push_back(values);
        state.version += 1;
        self.changed.notify_all();
        Ok(())
    }

    fn receive(&self, process: usize, route: Route) -> Result<Values, String> {
        let what = format!("data on channel {}", route.channel);
        self.wait(process, what, false, |state| {
            let received = state.routes.get_mut(&route)?.pop_front()?;
            state.version += 1;
            Some(received)
        })
    }

    fn feeds(&self) -> &Threads {
        self
    }

    fn end(&self, process: usize, failed: bool) {
        let mut state = self.state();
        if !state.ended.insert(process) {
            return;
        }
        if failed && state.first_failed.is_none() {
            state.first_failed = Some(process);
        }
        self.changed.notify_all();
    }

    fn has_ended(&self, process: usize) -> bool {
        self.state().ended.contains(&process)
    }

    fn first_failed(&self) -> Option<usize> {
        self.state().first_failed
    }

    fn is_here(&self, _process: usize) -> bool {
        true
    }

    fn within(&self, _process: usize, count: usize) -> Result<Arc<dyn Transport>, String> {
        Ok(Arc::new(Self::new(count)))
    }
}

/// The bytes of one of `count` slices of a value along its first dimension, and its shape.
///
/// # Errors
/// Returns an error message if the value has another number of slices.
pub fn slice_of(
    value: &Literal,
    place: usize,
    count: usize,
) -> Result<(Shape, std::ops::Range<usize>), String> {
    let dims = match value.dims() {
        [slices, dims @ ..] if *slices == count && place < count => dims,
        _ => return Err(format!("brings {} to a group of {count}", value.shape())),
    };
    let shape = Shape::new(value.element_type(), dims).map_err(|error| error.to_string())?;
    let size = shape.byte_size();
    Ok((shape, place * size..(place + 1) * size))
}

fn slice(value: &Literal, place: usize, count: usize) -> Result<Literal, String> {
    let (shape, range) = slice_of(value, place, count)?;
    Literal::from_bytes(shape, &value.bytes()[range]).map_err(|error| error.to_string())
}

#[cfg(test)]
#[path = "threads_tests.rs"]
mod tests;
