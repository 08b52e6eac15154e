//! A job of several operating-system processes that run the same programs, with several processes
//! of a grid each.

use std::sync::Arc;

use halo_runtime::communication::Cluster;

use crate::network::fault::Cause;
use crate::network::tcp::Connections;
pub use crate::network::tcp::{Place, Store};
use crate::network::{Key, Network};

/// The other ranks of a job.
pub struct Job(Connections);

impl Job {
    /// Connects a rank with all others, by TCP.
    ///
    /// # Errors
    /// Returns an error message that names the rank that cannot be reached in time.
    pub fn start(place: &Place<'_>, store: &dyn Store) -> Result<Self, String> {
        Connections::start(place, store).map(Self)
    }

    /// The texts that the ranks have published.
    pub fn data(&self) -> &[String] {
        &self.0.data
    }

    /// The grid of one run of a program, with the rank of each process. The ranks that take part
    /// pass the same `run`, which no other run has.
    pub fn cluster(
        &self,
        run: &[&[u8]],
        program: &str,
        ranks: Vec<usize>,
        partitions: usize,
    ) -> Cluster {
        let replicas = ranks.len() / partitions;
        let shared = Arc::clone(&self.0.shared);
        let network = Network::of_run(shared, Key::of(run), program, ranks);
        Cluster::over(Arc::new(network), replicas, partitions)
    }

    /// Ends the waits for a rank that has failed, as others report.
    pub fn lose(&self, rank: usize, reason: &str) {
        self.0.shared.lose(rank, Cause::Unreachable(reason.to_owned()));
    }
}

#[cfg(test)]
#[path = "job_tests.rs"]
mod tests;
