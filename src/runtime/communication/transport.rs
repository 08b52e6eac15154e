//! What a grid needs of the way by which its processes reach one another.
//!
//! [`Threads`](super::Threads) serves processes that are threads of this one. Processes of
//! other machines come through an implementation of another crate, and nothing above this
//! trait knows which of them is at work.

use std::sync::Arc;

use super::{Contribution, MeetingKey, Route, Threads, Values};

/// What the members of a group get of what each of them brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// Each member gets what all bring.
    AllGather,
    /// Each member brings as many slices, along the first dimension, as there are members, and
    /// gets of each member the slice whose number is its own place.
    AllToAll,
    /// Each member gets what the first one brings.
    Broadcast,
    /// The first member gets what all bring, the others nothing.
    Gather,
}

/// A collective that a process comes to.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    pub channel: i64,
    /// The group, as numbers of processes in order.
    pub members: &'a [usize],
    /// The op, which all members must agree on.
    pub operation: &'a str,
    pub movement: Movement,
}

/// Moves values between the processes of a grid. A process is named by its number, and each
/// function by which it waits or acts is called where it runs.
pub trait Transport: Send + Sync {
    /// Brings values to the next meeting of a group, without waiting for anybody, and gives
    /// its key.
    ///
    /// # Errors
    /// A message where another member came with another op.
    fn bring(
        &self,
        process: usize,
        visit: &Visit<'_>,
        values: &[Arc<halo_core::Literal>],
    ) -> Result<MeetingKey, String>;

    /// Waits for what the movement gives this process: what each member brought, in the order
    /// of the members, or what the first one brought for a broadcast.
    ///
    /// # Errors
    /// A message where some of it will never come.
    fn meet(
        &self,
        process: usize,
        key: &MeetingKey,
        movement: Movement,
    ) -> Result<Vec<Contribution>, String>;

    /// Leaves a meeting that the process has come to without looking at it.
    fn leave(&self, process: usize, key: &MeetingKey);

    /// Sends values, without waiting for whoever takes them.
    ///
    /// # Errors
    /// A message where they cannot be sent.
    fn send(&self, process: usize, route: Route, values: Values) -> Result<(), String>;

    /// Waits for values that were sent.
    ///
    /// # Errors
    /// A message where none will be.
    fn receive(&self, process: usize, route: Route) -> Result<Values, String>;

    /// The infeed and the outfeed of the processes that run here.
    fn feeds(&self) -> &Threads;

    /// Ends a process, which failed or not. What it does afterwards is nothing to the others.
    fn end(&self, process: usize, failed: bool);

    fn has_ended(&self, process: usize) -> bool;

    /// The process that failed before all others.
    fn first_failed(&self) -> Option<usize>;

    /// Whether a process runs here.
    fn is_here(&self, process: usize) -> bool;

    /// The transport of a new grid of as many processes, which all processes of this one
    /// start together.
    ///
    /// # Errors
    /// A message where there is no room for so many.
    fn within(&self, process: usize, count: usize) -> Result<Arc<dyn Transport>, String>;
}
