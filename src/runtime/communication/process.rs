//! One process of a grid.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Brought, Cluster, Movement, Ticket, Values, Visit};
use crate::{Error, Result};

/// The maximum nesting of grids that start one another; each process of each is a thread.
const MAX_DEPTH: usize = 8;

/// The channel on which results of a grid are shared, which programs cannot name.
const RESULTS_CHANNEL: i64 = i64::MIN;

/// One process of a grid. It ends, for the others, when it is dropped or a run of it fails;
/// processes that wait for it then get an error.
///
/// A process runs one program at a time, any number in sequence.
pub struct Process {
    pub replica: usize,
    pub partition: usize,
    pub cluster: Arc<Cluster>,
    pending: Mutex<Pending>,
}

/// Collectives that were started and have not ended.
#[derive(Default)]
struct Pending {
    next: i64,
    tickets: BTreeMap<i64, Started>,
}

/// The state of a collective.
#[derive(Clone)]
enum Started {
    Waiting(Ticket),
    /// The contributions of all members; `None` for a process that receives nothing.
    Met(Option<Arc<Brought>>),
}

impl Process {
    /// The processes of a new grid, replica by replica.
    pub fn grid(replicas: usize, partitions: usize) -> Vec<Arc<Self>> {
        Self::of_cluster(Arc::new(Cluster::of_threads(replicas, partitions)))
    }

    /// The process with a number in a grid, on the machine that its transport assigns.
    pub fn of(cluster: &Arc<Cluster>, number: usize) -> Arc<Self> {
        let (replica, partition) = (number / cluster.partitions, number % cluster.partitions);
        Arc::new(Self::new(replica, partition, Arc::clone(cluster)))
    }

    /// The only process of a new grid.
    pub fn alone() -> Arc<Self> {
        Arc::new(Self::new(0, 0, Arc::new(Cluster::of_threads(1, 1))))
    }

    /// A new grid that this process starts, together with all others of its grid if they are
    /// elsewhere. It shares the probes of this process.
    ///
    /// # Errors
    /// Returns an error message if a program starts itself without end, or there are too few
    /// machines.
    pub fn grid_within(&self, replicas: usize, partitions: usize) -> Result<Arc<Cluster>, String> {
        if self.cluster.depth + 1 > MAX_DEPTH {
            return Err(format!("is nested more than {MAX_DEPTH} levels deep"));
        }
        let cluster = self.cluster.within(self.number(), replicas, partitions)?;
        Ok(Arc::new(cluster))
    }

    /// The results of all processes of a grid that this one started; `own` has the results of the
    /// processes that ran here.
    ///
    /// # Errors
    /// Returns an error if the results of other processes will never arrive.
    pub fn share(&self, grid: &Cluster, own: Vec<Values>) -> Result<Vec<Values>, String> {
        let members: Vec<usize> = (0..self.cluster.size()).collect();
        if members.iter().all(|member| self.cluster.is_here(*member)) {
            return Ok(own);
        }
        let visit = Visit {
            channel: RESULTS_CHANNEL,
            members: &members,
            operation: "interpreter.run_parallel",
            movement: Movement::AllGather,
        };
        let number = self.number();
        let key = self.cluster.bring(number, &visit, &own.concat())?;
        let all = self.cluster.meet(number, &key, visit.movement)?;
        Ok(all.iter().take(grid.size()).map(|one| one.to_vec()).collect())
    }

    fn of_cluster(cluster: Arc<Cluster>) -> Vec<Arc<Self>> {
        (0..cluster.size()).map(|number| Self::of(&cluster, number)).collect()
    }

    fn new(replica: usize, partition: usize, cluster: Arc<Cluster>) -> Self {
        Self {
            replica,
            partition,
            cluster,
            pending: Mutex::default(),
        }
    }

    /// The number among all processes, replica by replica.
    pub fn number(&self) -> usize {
        self.replica * self.cluster.partitions + self.partition
    }

    /// Runs a program as this process, which ends if that fails.
    ///
    /// # Errors
    /// Returns an execution error if the process has ended, and the errors of the run.
    pub fn run<T>(&self, program: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.cluster.has_ended(self.number()) {
            let (replica, partition) = (self.replica, self.partition);
            return Err(Error::execution(format!(
                "the process of replica {replica}, partition {partition} has ended"
            )));
        }
        let outcome = program();
        // Unfinished collectives of this process block no others.
        self.leave_all();
        if outcome.is_err() {
            self.end(true);
        }
        outcome
    }

    /// Announces that this process takes part in no further communication.
    pub fn end(&self, failed: bool) {
        self.cluster.end(self.number(), failed);
    }

    /// Stores the ticket of a collective, and returns its number.
    pub(super) fn keep(&self, ticket: Ticket) -> i64 {
        let mut pending = self.pending();
        let number = pending.next;
        pending.next += 1;
        pending.tickets.insert(number, Started::Waiting(ticket));
        number
    }

    /// Waits until all members have contributed to the collective with a number.
    pub(super) fn wait_for(&self, number: i64) -> Result<Option<Arc<Brought>>, String> {
        let started = self.pending().tickets.get(&number).cloned();
        match started.ok_or("has no such collective under way")? {
            Started::Met(brought) => Ok(brought),
            Started::Waiting(ticket) => {
                let brought = ticket.wait(self)?.map(Arc::new);
                let met = Started::Met(brought.clone());
                self.pending().tickets.insert(number, met);
                Ok(brought)
            }
        }
    }

    /// Drops a collective that this process need not complete any more.
    pub(super) fn leave(&self, number: i64) {
        if let Some(Started::Waiting(Ticket::Meeting { key, .. })) =
            self.pending().tickets.remove(&number)
        {
            self.cluster.leave(self.number(), &key);
        }
    }

    fn leave_all(&self) {
        let numbers: Vec<i64> = self.pending().tickets.keys().copied().collect();
        for number in numbers {
            self.leave(number);
        }
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(std::thread::panicking());
    }
}
