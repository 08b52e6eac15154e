//! Values that processes exchange, with their destinations.

use std::sync::Arc;

use halo_core::Literal;

/// The operands of an op that one process contributes or sends.
pub type Values = Vec<Arc<Literal>>;

/// The operands of one member of a collective.
pub type Contribution = Arc<[Arc<Literal>]>;

/// Identifies a collective: its members, its channel, and how many times they communicated before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MeetingKey {
    pub channel: i64,
    pub members: Vec<usize>,
    pub number: u64,
}

/// The destination of values: a channel, and the receiving process unless any may receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Route {
    pub channel: i64,
    pub receiver: Option<usize>,
}

/// The data that each member of a group gets from the contributions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// Each member gets all contributions.
    AllGather,
    /// Each member contributes one slice per member, along the first dimension, and gets from each
    /// member the slice with its own index.
    AllToAll,
    /// Each member gets the first one's contribution.
    Broadcast,
    /// The first member gets all contributions, the others nothing.
    Gather,
}

/// The participation of a process in a collective.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    pub channel: i64,
    /// The group, as numbers of processes in order.
    pub members: &'a [usize],
    /// The op, which all members must agree on.
    pub operation: &'a str,
    pub movement: Movement,
}
