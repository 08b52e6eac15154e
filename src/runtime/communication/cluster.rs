//! The meeting place of the processes of a grid.
//!
//! Processes leave values under keys and wait for those of others. All of it is
//! under one lock, so that a deadlock is seen for certain and at once: when
//! every process that still runs waits, and nothing has changed since each of
//! them last looked, none will ever go on.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use halo_core::Literal;

use super::{Probes, Values};

/// Who takes part in a communication, on which channel, and how many times they
/// did before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MeetingKey {
    pub channel: i64,
    pub members: Vec<usize>,
    pub number: u64,
}

/// Where values are sent to: a channel, and the process that they are for
/// unless any may take them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Route {
    pub channel: i64,
    pub receiver: Option<usize>,
}

/// What has been brought to a meeting.
#[derive(Default)]
struct Meeting {
    operation: String,
    contributions: BTreeMap<usize, Arc<[Arc<Literal>]>>,
    /// How many members have seen it all.
    readers: usize,
}

/// What a process is waiting for.
struct Waiting {
    /// The version of the state that it saw.
    version: u64,
    what: String,
    /// Whether it may come from outside of the grid.
    outside: bool,
}

#[derive(Default)]
struct State {
    /// Processes that have ended.
    ended: BTreeSet<usize>,
    /// The processes that wait.
    waiting: BTreeMap<usize, Waiting>,
    /// Counts changes that someone may be waiting for.
    version: u64,
    /// Why no process can go on.
    failure: Option<String>,
    meetings: HashMap<MeetingKey, Meeting>,
    /// How often a process has met the same members on the same channel.
    visits: HashMap<(usize, i64, Vec<usize>), u64>,
    routes: HashMap<Route, VecDeque<Values>>,
    infeed: VecDeque<Values>,
    /// How many may still put something into the infeed.
    feeders: usize,
    outfeed: VecDeque<Values>,
    /// How many may take something out of the outfeed.
    readers: usize,
    /// The process that failed first.
    first_failed: Option<usize>,
}

/// What the processes of a grid share.
pub struct Cluster {
    pub replicas: usize,
    pub partitions: usize,
    /// What the program remembers.
    pub probes: Arc<Probes>,
    /// How many grids this one was started within.
    pub(super) depth: usize,
    state: Mutex<State>,
    changed: Condvar,
}

impl Cluster {
    pub(super) fn new(replicas: usize, partitions: usize, probes: Arc<Probes>) -> Self {
        Self {
            replicas,
            partitions,
            probes,
            depth: 0,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings values to the next meeting of these members on a channel, and
    /// gives its key.
    ///
    /// # Errors
    /// A message where another member came to the meeting with another op.
    pub fn bring(
        &self,
        process: usize,
        channel: i64,
        members: &[usize],
        operation: &str,
        values: &[Arc<Literal>],
    ) -> Result<MeetingKey, String> {
        let mut state = self.state();
        let visits = state
            .visits
            .entry((process, channel, members.to_vec()))
            .or_insert(0);
        let key = MeetingKey {
            channel,
            members: members.to_vec(),
            number: *visits,
        };
        *visits += 1;
        let meeting = state
            .meetings
            .entry(key.clone())
            .or_insert_with(|| Meeting {
                operation: operation.to_owned(),
                ..Meeting::default()
            });
        if meeting.operation != operation {
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

    /// Waits until all members have come to a meeting, and gives what they
    /// brought, in the order of the members.
    ///
    /// # Errors
    /// A message where they never will.
    pub fn meet(
        &self,
        process: usize,
        key: &MeetingKey,
    ) -> Result<Vec<Arc<[Arc<Literal>]>>, String> {
        let what = format!("processes {:?} on channel {}", key.members, key.channel);
        self.wait(process, what, false, |state| {
            let meeting = state.meetings.get_mut(key)?;
            let brought: Vec<Arc<[Arc<Literal>]>> = key
                .members
                .iter()
                .map(|member| meeting.contributions.get(member).cloned())
                .collect::<Option<_>>()?;
            meeting.readers += 1;
            if meeting.readers == key.members.len() {
                state.meetings.remove(key);
            }
            Some(brought)
        })
    }

    /// Sends values, without waiting for whoever takes them.
    pub fn send(&self, route: Route, values: Values) {
        let mut state = self.state();
        state.routes.entry(route).or_default().push_back(values);
        state.version += 1;
        self.changed.notify_all();
    }

    /// Waits for values that were sent.
    ///
    /// # Errors
    /// A message where none will be.
    pub fn receive(&self, process: usize, route: Route) -> Result<Values, String> {
        let what = format!("data on channel {}", route.channel);
        self.wait(process, what, false, |state| {
            let received = state.routes.get_mut(&route)?.pop_front()?;
            state.version += 1;
            Some(received)
        })
    }

    /// Leaves a meeting that the process has come to without looking at it.
    pub(super) fn leave(&self, key: &MeetingKey) {
        let mut state = self.state();
        if let Some(meeting) = state.meetings.get_mut(key) {
            meeting.readers += 1;
            if meeting.readers == key.members.len() {
                state.meetings.remove(key);
            }
        }
    }

    /// Opens the infeed to be filled. While it is open, processes wait for what
    /// is to come.
    pub fn open_infeed(self: &Arc<Self>) -> Infeed {
        self.state().feeders += 1;
        Infeed(Arc::clone(self))
    }

    /// The next values of the infeed.
    ///
    /// # Errors
    /// A message where there are none, and nobody to put any there.
    pub fn infeed(&self, process: usize) -> Result<Values, String> {
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

    /// Opens the outfeed. While it is not open, what is put there is lost.
    pub fn open_outfeed(self: &Arc<Self>) -> Outfeed {
        self.state().readers += 1;
        Outfeed(Arc::clone(self))
    }

    /// Puts values into the outfeed.
    pub fn outfeed(&self, values: Values) {
        let mut state = self.state();
        if state.readers > 0 {
            state.outfeed.push_back(values);
        }
    }

    /// Ends a process, which failed or not. What it does afterwards is nothing
    /// to the others.
    pub(super) fn end(&self, process: usize, failed: bool) {
        let mut state = self.state();
        if !state.ended.insert(process) {
            return;
        }
        if failed && state.first_failed.is_none() {
            state.first_failed = Some(process);
        }
        self.changed.notify_all();
    }

    pub(super) fn has_ended(&self, process: usize) -> bool {
        self.state().ended.contains(&process)
    }

    /// The process that failed before all others.
    pub fn first_failed(&self) -> Option<usize> {
        self.state().first_failed
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
            let live = self.replicas * self.partitions - state.ended.len();
            let stuck = state.waiting.len() >= live
                && (state.waiting.values())
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
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.waiting.remove(&process);
        }
    }
}

/// What fills the infeed of a grid; it closes when this is dropped.
pub struct Infeed(Arc<Cluster>);

impl Infeed {
    /// Puts the values of one `infeed` there.
    pub fn put(&self, values: Values) {
        self.0.state().infeed.push_back(values);
        self.0.changed.notify_all();
    }
}

impl Drop for Infeed {
    fn drop(&mut self) {
        self.0.state().feeders -= 1;
        self.0.changed.notify_all();
    }
}

/// What reads the outfeed of a grid; it closes when this is dropped.
pub struct Outfeed(Arc<Cluster>);

impl Outfeed {
    /// The values of the next `outfeed`, if there was one.
    pub fn take(&self) -> Option<Values> {
        self.0.state().outfeed.pop_front()
    }
}

impl Drop for Outfeed {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.readers -= 1;
        if state.readers == 0 {
            state.outfeed.clear();
        }
    }
}

#[cfg(test)]
#[path = "cluster_tests.rs"]
mod tests;
