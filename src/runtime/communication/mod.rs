//! Communication between the processes of a program.
//!
//! A program may run on a grid of processes, replicas of partitions, each with a separate
//! execution. They share a [`Cluster`], which synchronizes collectives, transports values, and
//! holds the queues of infeed and outfeed. The processes are threads of this one ([`Threads`]), or
//! are elsewhere and reached by another [`Transport`]. An execution without a [`Process`] is the
//! only one of a new grid.
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
//! The interpreter uses this directly. Compiled programs use custom calls whose names begin with
//! `halo.`; [`calls`] lists them.

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

/// The operands of an op that one process contributes or sends.
pub type Values = Vec<Arc<Literal>>;
