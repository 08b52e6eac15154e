//! The meeting place of the processes of a grid.
//!
//! Processes leave values under keys and wait for those of others. All of it is
//! under one lock, so that a deadlock is seen for certain and at once: when
//! every process that still runs waits, and nothing has changed since each of
//! them last looked, none will ever go on.

use super::super::value::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// One process of a grid.
#[derive(Clone)]
pub struct Process {
    pub replica: usize,
    pub partition: usize,
    pub cluster: Arc<Cluster>,
}

impl Default for Process {
    /// The only process of a grid.
    fn default() -> Self {
        Self {
            replica: 0,
            partition: 0,
            cluster: Arc::new(Cluster::new(1, 1, VecDeque::new())),
        }
    }
}

impl Process {
    /// The number among all processes, replica by replica.
    pub fn number(&self) -> usize {
        self.replica * self.cluster.partitions + self.partition
    }

    /// A seed for random numbers that differ from those of other processes.
    pub fn seed(&self) -> u64 {
        self.number() as u64
    }
}

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
    contributions: BTreeMap<usize, Arc<[Value]>>,
    /// How many members have seen it all.
    readers: usize,
}

#[derive(Default)]
struct State {
    /// Processes that have not ended.
    live: usize,
    /// What each process that waits is waiting for, and the version that it saw.
    waiting: BTreeMap<usize, (u64, String)>,
    /// Counts changes that someone may be waiting for.
    version: u64,
    /// Why no process can go on.
    failure: Option<String>,
    meetings: HashMap<MeetingKey, Meeting>,
    /// How often a process has met the same members on the same channel.
    visits: HashMap<(usize, i64, Vec<usize>), u64>,
    routes: HashMap<Route, VecDeque<Vec<Value>>>,
    infeed: VecDeque<Vec<Value>>,
    /// The process that failed first.
    first_failed: Option<usize>,
}

/// What the processes of a grid share.
pub struct Cluster {
    pub replicas: usize,
    pub partitions: usize,
    state: Mutex<State>,
    changed: Condvar,
}

impl Cluster {
    /// A grid of so many processes, with values for `infeed`.
    pub fn new(replicas: usize, partitions: usize, infeed: VecDeque<Vec<Value>>) -> Self {
        let state = State {
            live: replicas * partitions,
            infeed,
            ..State::default()
        };
        Self {
            replicas,
            partitions,
            state: Mutex::new(state),
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
        values: &[Value],
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
    pub fn meet(&self, process: usize, key: &MeetingKey) -> Result<Vec<Arc<[Value]>>, String> {
        let what = format!("processes {:?} on channel {}", key.members, key.channel);
        self.wait(process, what, |state| {
            let meeting = state.meetings.get_mut(key)?;
            let brought: Vec<Arc<[Value]>> = key
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
    pub fn send(&self, route: Route, values: Vec<Value>) {
        let mut state = self.state();
        state.routes.entry(route).or_default().push_back(values);
        state.version += 1;
        self.changed.notify_all();
    }

    /// Waits for values that were sent.
    ///
    /// # Errors
    /// A message where none will be.
    pub fn receive(&self, process: usize, route: Route) -> Result<Vec<Value>, String> {
        let what = format!("data on channel {}", route.channel);
        self.wait(process, what, |state| {
            let received = state.routes.get_mut(&route)?.pop_front()?;
            state.version += 1;
            Some(received)
        })
    }

    /// The next values of the infeed.
    pub fn infeed(&self) -> Option<Vec<Value>> {
        self.state().infeed.pop_front()
    }

    /// Ends a process, which failed or not.
    pub fn end(&self, process: usize, failed: bool) {
        let mut state = self.state();
        state.live -= 1;
        if failed && state.first_failed.is_none() {
            state.first_failed = Some(process);
        }
        self.changed.notify_all();
    }

    /// The process that failed before all others.
    pub fn first_failed(&self) -> Option<usize> {
        self.state().first_failed
    }

    fn wait<T>(
        &self,
        process: usize,
        what: String,
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
            state.waiting.insert(process, (version, what.clone()));
            let stuck = state.waiting.len() >= state.live
                && state.waiting.values().all(|(seen, _)| *seen == version);
            if stuck {
                let waiting: Vec<String> = state
                    .waiting
                    .iter()
                    .map(|(process, (_, what))| format!("process {process} for {what}"))
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
