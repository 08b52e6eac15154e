//! The transport by which the processes of a grid reach one another.
//!
//! [`Threads`](super::Threads) serves processes that are threads of this one. Other crates
//! implement the trait for processes of other machines; its users do not depend on the
//! implementation.

use std::sync::Arc;

use super::{Contribution, MeetingKey, Movement, Route, Threads, Values, Visit};

/// Moves values between the processes of a grid. A process is identified by its number, and each
/// function is called on the machine of its process.
pub trait Transport: Send + Sync {
    /// Contributes values to the next collective of a group, without waiting, and returns its key.
    ///
    /// # Errors
    /// Returns an error message if another member came with another op.
    fn bring(
        &self,
        process: usize,
        visit: &Visit<'_>,
        values: &[Arc<halo_core::Literal>],
    ) -> Result<MeetingKey, String>;

    /// Waits for the contributions that the movement delivers to this process: one per member, in
    /// the order of the members, or the first member's for a broadcast.
    ///
    /// # Errors
    /// Returns an error message if some of it will never arrive.
    fn meet(
        &self,
        process: usize,
        key: &MeetingKey,
        movement: Movement,
    ) -> Result<Vec<Contribution>, String>;

    /// Leaves a collective that the process has contributed to, without its result.
    fn leave(&self, process: usize, key: &MeetingKey);

    /// Sends values, without waiting for the receiver.
    ///
    /// # Errors
    /// Returns an error message if they cannot be sent.
    fn send(&self, process: usize, route: Route, values: Values) -> Result<(), String>;

    /// Waits for values that were sent.
    ///
    /// # Errors
    /// Returns an error message if none will be.
    fn receive(&self, process: usize, route: Route) -> Result<Values, String>;

    /// The infeed and the outfeed of the processes that run here.
    fn feeds(&self) -> &Threads;

    /// Ends a process, successfully or not. Its later actions do not affect the others.
    fn end(&self, process: usize, failed: bool);

    fn has_ended(&self, process: usize) -> bool;

    /// The process that failed first.
    fn first_failed(&self) -> Option<usize>;

    /// Returns true if a process runs on this machine.
    fn is_here(&self, process: usize) -> bool;

    /// The transport of a new grid of `count` processes, which all processes of this one start
    /// together.
    ///
    /// # Errors
    /// Returns an error message if there are not enough processes.
    fn within(&self, process: usize, count: usize) -> Result<Arc<dyn Transport>, String>;
}
