//! State that the processes of a grid share.

use std::sync::Arc;

use halo_core::Literal;

use super::{Contribution, MeetingKey, Movement, Probes, Route, Threads, Transport, Values, Visit};

/// State that the processes of a grid share: its sizes, the probes, and the transport.
pub struct Cluster {
    pub replicas: usize,
    pub partitions: usize,
    /// Values that the program's probes recorded.
    pub probes: Arc<Probes>,
    /// The number of grids that this one is nested in.
    pub(super) depth: usize,
    transport: Arc<dyn Transport>,
}

impl Cluster {
    /// A grid of processes that communicate by `transport`.
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

    /// The number of processes.
    pub fn size(&self) -> usize {
        self.replicas * self.partitions
    }

    /// Returns true if a process runs on this machine.
    pub fn is_here(&self, process: usize) -> bool {
        self.transport.is_here(process)
    }

    /// Contributes values to the next collective of a group, and returns its key.
    ///
    /// # Errors
    /// Returns an error message if another member came to the meeting with another op.
    pub fn bring(
        &self,
        process: usize,
        visit: &Visit<'_>,
        values: &[Arc<Literal>],
    ) -> Result<MeetingKey, String> {
        self.transport.bring(process, visit, values)
    }

    /// Waits for the contributions that a movement delivers to the process, and returns them.
    ///
    /// # Errors
    /// Returns an error message if some of it will never arrive.
    pub fn meet(
        &self,
        process: usize,
        key: &MeetingKey,
        movement: Movement,
    ) -> Result<Vec<Contribution>, String> {
        self.transport.meet(process, key, movement)
    }

    /// Leaves a collective that the process has contributed to, without its result.
    pub(super) fn leave(&self, process: usize, key: &MeetingKey) {
        self.transport.leave(process, key);
    }

    /// Sends values, without waiting for the receiver.
    ///
    /// # Errors
    /// Returns an error message if they cannot be sent.
    pub fn send(&self, process: usize, route: Route, values: Values) -> Result<(), String> {
        self.transport.send(process, route, values)
    }

    /// Waits for values that were sent.
    ///
    /// # Errors
    /// Returns an error message if none will be.
    pub fn receive(&self, process: usize, route: Route) -> Result<Values, String> {
        self.transport.receive(process, route)
    }

    /// Opens the infeed for writing. While it is open, processes wait for values.
    pub fn open_infeed(self: &Arc<Self>) -> Infeed {
        self.transport.feeds().open_infeed();
        Infeed(Arc::clone(self))
    }

    /// The next values of the infeed.
    ///
    /// # Errors
    /// Returns an error if the queue is empty and the infeed is closed.
    pub fn infeed(&self, process: usize) -> Result<Values, String> {
        self.transport.feeds().infeed(process)
    }

    /// Opens the outfeed. Values written to a closed outfeed are lost.
    pub fn open_outfeed(self: &Arc<Self>) -> Outfeed {
        self.transport.feeds().open_outfeed();
        Outfeed(Arc::clone(self))
    }

    /// Puts values into the outfeed.
    pub fn outfeed(&self, values: Values) {
        self.transport.feeds().outfeed(values);
    }

    /// Ends a process, successfully or not. Its later actions do not affect the others.
    pub(super) fn end(&self, process: usize, failed: bool) {
        self.transport.end(process, failed);
    }

    pub(super) fn has_ended(&self, process: usize) -> bool {
        self.transport.has_ended(process)
    }

    /// The process that failed first.
    pub fn first_failed(&self) -> Option<usize> {
        self.transport.first_failed()
    }
}

/// The writing end of a grid's infeed; it closes when this is dropped.
pub struct Infeed(Arc<Cluster>);

impl Infeed {
    /// Writes the values of one `infeed`.
    pub fn put(&self, values: Values) {
        self.0.transport.feeds().put_infeed(values);
    }
}

impl Drop for Infeed {
    fn drop(&mut self) {
        self.0.transport.feeds().close_infeed();
    }
}

/// The reading end of a grid's outfeed; it closes when this is dropped.
pub struct Outfeed(Arc<Cluster>);

impl Outfeed {
    /// The values of the next `outfeed`, if any.
    pub fn take(&self) -> Option<Values> {
        self.0.transport.feeds().take_outfeed()
    }
}

impl Drop for Outfeed {
    fn drop(&mut self) {
        self.0.transport.feeds().close_outfeed();
    }
}
