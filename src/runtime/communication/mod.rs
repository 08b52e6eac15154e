//! What the processes of a program say to one another.
//!
//! A program may run on a grid of processes, replicas of partitions, each with an execution of
//! its own. What they share is a [`Cluster`]: collectives meet there, values are sent through
//! it, and infeed and outfeed are its queues. The processes are threads of this one
//! ([`Threads`]), or are somewhere else and reached by another [`Transport`]. An execution
//! that is given no [`Process`] is the only one of a grid of its own.
//!
//! ```
//! use halo_runtime::communication::Process;
//!
//! // Two replicas, to be run on two threads with
//! // `ExecuteOptions { process: Some(&process), .. }`.
//! let processes = Process::grid(2, 1);
//! assert_eq!(processes[1].replica, 1);
//! ```
//!
//! The interpreter uses this as it is. Compiled programs reach it by custom
//! calls whose names begin with `halo.`; [`calls`] lists them.

pub mod calls;
mod cluster;
mod collective;
mod groups;
mod probes;
mod process;
pub mod run_parallel;
mod threads;
mod transport;

pub use cluster::{Cluster, Contribution, Infeed, Outfeed};
pub use collective::{Brought, Collective, Ticket};
pub use groups::Grouping;
pub use probes::Probes;
pub use process::Process;
pub use threads::{MeetingKey, Route, Threads, slice_of};
pub use transport::{Movement, Transport, Visit};

use std::sync::Arc;

use halo_core::Literal;

/// What one process brings or sends: the operands of an op.
pub type Values = Vec<Arc<Literal>>;
