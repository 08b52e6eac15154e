//! Programs of several machines.
//!
//! Each process of a program's grid is a rank, which a launcher of MPI starts. What runs
//! programs is as for processes that are threads: [`Session::cluster`] gives a
//! [`Cluster`](halo_runtime::communication::Cluster) whose transport is a network.
//!
//! | module | contents |
//! |---|---|
//! | `mpi` | the library of MPI, loaded when it is asked for |
//! | `network` | meetings and routes between ranks, faults |
//! | [`arrays`] | arrays that are read and written in parts |
//! | [`checkpoint`] | arrays that are kept in parts, for any number of ranks |
//! | [`Session`] | a rank from its start to its end: what all must have alike, who says what failed |

pub mod arrays;
pub mod checkpoint;
mod mpi;
mod network;
mod session;

pub use network::{Limits, Volume, fault::Fault};
pub use session::Session;
