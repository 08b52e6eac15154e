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
mod messages;
mod probes;
mod process;
pub mod run_parallel;
mod threads;
mod transport;

pub use cluster::{Cluster, Infeed, Outfeed};
pub use collective::{Brought, Collective, Ticket};
pub use groups::Grouping;
pub use messages::{Contribution, MeetingKey, Movement, Route, Values, Visit};
pub use probes::Probes;
pub use process::Process;
pub use threads::{Threads, slice_of};
pub use transport::Transport;
