//! Programs of several machines.
//!
//! Processes of a program's grid are on ranks: one on each rank that a launcher of MPI starts
//! ([`Session`]), or several on each process of a job that is connected by TCP ([`job`]). Programs
//! run as for processes that are threads: both return a
//! [`Cluster`](halo_runtime::communication::Cluster) whose transport is a network.
//!
//! | module | contents |
//! |---|---|
//! | `mpi` | the library of MPI, loaded on first use |
//! | `network` | meetings and routes between ranks, faults |
//! | `network::tcp` | connections between ranks without MPI |
//! | [`job`] | the ranks of a job that run programs on subsets of their devices |
//! | [`arrays`] | arrays that are read and written in shards |
//! | [`checkpoint`] | arrays that are saved in shards, for any number of ranks |
//! | [`Session`] | a rank from its start to its end: agreement between all ranks, reports of failures |

pub mod arrays;
pub mod checkpoint;
pub mod job;
mod mpi;
mod network;
mod session;

pub use network::{Limits, Volume, fault::Fault};
pub use session::Session;
