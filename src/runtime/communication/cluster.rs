//! What the processes of a grid share.

use std::sync::Arc;

use halo_core::Literal;

use super::{MeetingKey, Movement, Probes, Route, Threads, Transport, Values, Visit};

/// What one member brought to a meeting.
pub type Contribution = Arc<[Arc<Literal>]>;

/// What the processes of a grid share: its sizes, what the program remembers, and the way by
/// which they reach one another.
pub struct Cluster {
    pub replicas: usize,
    pub partitions: usize,
    /// What the program remembers.
    pub probes: Arc<Probes>,
    /// How many grids this one was started within.
    pub(super) depth: usize,
    transport: Arc<dyn Transport>,
}

impl Cluster {
    /// A grid of processes that reach one another by `transport`.
    pub fn over(transport: Arc<dyn Transport>, replicas: usize, partitions: usize) -> Self {
        Self {
            replicas,
            partitions,
            probes: Arc::default(),
            depth: 0,
            transport,
        }
    }

    /// A grid whose processes are threads of this one.
    pub(super) fn of_threads(replicas: usize, partitions: usize) -> Self {
        let threads = Threads::new(replicas * partitions);
        Self::over(Arc::new(threads), replicas, partitions)
    }

    /// A grid that the processes of this one start together.
    pub(super) fn within(
        &self,
        process: usize,
        replicas: usize,
        partitions: usize,
    ) -> Result<Self, String> {
        let transport = self.transport.within(process, replicas * partitions)?;
        Ok(Self {
            probes: Arc::clone(&self.probes),
            depth: self.depth + 1,
            ..Self::over(transport, replicas, partitions)
        })
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.replicas * self.partitions
    }

    /// Whether a process runs here, and not on another machine.
    pub fn is_here(&self, process: usize) -> bool {
        self.transport.is_here(process)
    }

    /// Brings values to the next meeting of a group, and gives its key.
    ///
    /// # Errors
    /// A message where another member came to the meeting with another op.
    pub fn bring(
        &self,
        process: usize,
        visit: &Visit<'_>,
        values: &[Arc<Literal>],
    ) -> Result<MeetingKey, String> {
        self.transport.bring(process, visit, values)
    }

    /// Waits for what a movement gives the process, and gives that.
    ///
    /// # Errors
    /// A message where some of it will never come.
    pub fn meet(
        &self,
        process: usize,
        key: &MeetingKey,
        movement: Movement,
    ) -> Result<Vec<Contribution>, String> {
        self.transport.meet(process, key, movement)
    }

    /// Leaves a meeting that the process has come to without looking at it.
    pub(super) fn leave(&self, process: usize, key: &MeetingKey) {
        self.transport.leave(process, key);
    }

    /// Sends values, without waiting for whoever takes them.
    ///
    /// # Errors
    /// A message where they cannot be sent.
    pub fn send(&self, process: usize, route: Route, values: Values) -> Result<(), String> {
        self.transport.send(process, route, values)
    }

    /// Waits for values that were sent.
    ///
    /// # Errors
    /// A message where none will be.
    pub fn receive(&self, process: usize, route: Route) -> Result<Values, String> {
        self.transport.receive(process, route)
    }

    /// Opens the infeed to be filled. While it is open, processes wait for what
    /// is to come.
    pub fn open_infeed(self: &Arc<Self>) -> Infeed {
        self.transport.feeds().open_infeed();
        Infeed(Arc::clone(self))
    }

    /// The next values of the infeed.
    ///
    /// # Errors
    /// A message where there are none, and nobody to put any there.
    pub fn infeed(&self, process: usize) -> Result<Values, String> {
        self.transport.feeds().infeed(process)
    }

    /// Opens the outfeed. While it is not open, what is put there is lost.
    pub fn open_outfeed(self: &Arc<Self>) -> Outfeed {
        self.transport.feeds().open_outfeed();
        Outfeed(Arc::clone(self))
    }

    /// Puts values into the outfeed.
    pub fn outfeed(&self, values: Values) {
        self.transport.feeds().outfeed(values);
    }

    /// Ends a process, which failed or not. What it does afterwards is nothing
    /// to the others.
    pub(super) fn end(&self, process: usize, failed: bool) {
        self.transport.end(process, failed);
    }

    pub(super) fn has_ended(&self, process: usize) -> bool {
        self.transport.has_ended(process)
    }

    /// The process that failed before all others.
    pub fn first_failed(&self) -> Option<usize> {
        self.transport.first_failed()
    }
}

/// What fills the infeed of a grid; it closes when this is dropped.
pub struct Infeed(Arc<Cluster>);

impl Infeed {
    /// Puts the values of one `infeed` there.
    pub fn put(&self, values: Values) {
        self.0.transport.feeds().put_infeed(values);
    }
}

impl Drop for Infeed {
    fn drop(&mut self) {
        self.0.transport.feeds().close_infeed();
    }
}

/// What reads the outfeed of a grid; it closes when this is dropped.
pub struct Outfeed(Arc<Cluster>);

impl Outfeed {
    /// The values of the next `outfeed`, if there was one.
    pub fn take(&self) -> Option<Values> {
        self.0.transport.feeds().take_outfeed()
    }
}

impl Drop for Outfeed {
    fn drop(&mut self) {
        self.0.transport.feeds().close_outfeed();
    }
}
