//! Programs of several machines.
//!
//! Each process of a program's grid is a rank, which a launcher of MPI starts. Programs run as for
//! processes that are threads: [`Session::cluster`] returns a
//! [`Cluster`](halo_runtime::communication::Cluster) whose transport is a network.
//!
//! | module | contents |
//! |---|---|
//! | `mpi` | the library of MPI, loaded on first use |
//! | `network` | meetings and routes between ranks, faults |
//! | [`arrays`] | arrays that are read and written in shards |
//! | [`checkpoint`] | arrays that are saved in shards, for any number of ranks |
//! | [`Session`] | a rank from its start to its end: agreement between all ranks, reports of failures |

pub mod arrays;
pub mod checkpoint;
mod mpi;
mod network;
mod session;

pub use network::{Limits, Volume, fault::Fault};
pub use session::Session;
