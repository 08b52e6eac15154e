//! A rank of a job, from its start to its end.

use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use halo_core::Literal;
use halo_runtime::communication::{Cluster, Movement, Transport, Visit};
use rustix::process::{Pid, PidfdFlags, getpid, pidfd_open};

use crate::mpi::Mpi;
use crate::network::fault::{Cause, Fault};
use crate::network::{Engine, Limits, Network, Report, Shared, State, Volume, Watched};

/// The time that a launcher may take to forward a message before it ends all ranks.
pub const PRINTED: Duration = Duration::from_millis(100);
/// The time limit for the end of a failed rank.
const LAST_MOMENT: Duration = Duration::from_secs(4);

/// One rank, and its network to the others.
pub struct Session {
    pub rank: usize,
    pub size: usize,
    /// The version string of the MPI library.
    pub library: String,
    shared: Arc<Shared>,
    /// The network for messages of the tool itself.
    control: Network,
    thread: Option<JoinHandle<()>>,
}

impl Session {
    /// Starts MPI. `print` prints the message of a fault that the program does not detect.
    ///
    /// # Errors
    /// Returns an error message if there is no library of MPI, or it fails.
    pub fn start(
        library: Option<&str>,
        limits: Limits,
        print: impl Fn(&Fault) + Send + 'static,
    ) -> Result<Self, String> {
        let (sender, receiver) = mpsc::channel();
        let library = library.map(str::to_owned);
        let work = move || {
            let mpi = match Mpi::start(library.as_deref()) {
                Ok(mpi) => mpi,
                Err(message) => {
                    let _ = sender.send(Err(message));
                    return;
                }
            };
            let shared = Arc::new(Shared::new(State::new(mpi.rank, mpi.size), limits));
            let own = (mpi.rank, mpi.size, mpi.version.clone(), Arc::clone(&shared));
            if sender.send(Ok(own)).is_ok() {
                Engine::new(mpi, shared, Box::new(print)).run();
            }
        };
        let thread = std::thread::Builder::new().name("halo-network".to_owned());
        let thread = thread.spawn(work).map_err(|error| error.to_string())?;
        let started = receiver.recv().map_err(|_| "MPI could not be started".to_owned())?;
        let (rank, size, library, shared) = started?;
        tracing::debug!(rank, size, library, "rank started");
        let control = Network::new(Arc::clone(&shared), "control", (0..size).collect(), false);
        Ok(Self {
            rank,
            size,
            library,
            shared,
            control,
            thread: Some(thread),
        })
    }

    /// Requests notifications from the system when ranks on the same machine end.
    ///
    /// # Errors
    /// Returns an error message if a rank does not report its process id.
    pub fn watch_neighbours(&self) -> Result<(), String> {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let boot = read("/proc/sys/kernel/random/boot_id");
        let processes = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let machine = format!("{boot}{}", processes.display());
        let own = format!("{} {machine}", getpid().as_raw_nonzero());
        let all = self.agree("the processes of the job", own.as_bytes())?;
        let watched = all.iter().enumerate().filter_map(|(rank, text)| {
            let text = std::str::from_utf8(text).ok()?;
            let (number, other) = text.split_once(' ')?;
            if rank == self.rank || other != machine || boot.is_empty() {
                return None;
            }
            let pid = Pid::from_raw(number.parse().ok()?)?;
            let process = pidfd_open(pid, PidfdFlags::empty()).ok()?;
            Some(Watched { rank, process })
        });
        let watched: Vec<Watched> = watched.collect();
        self.shared.state().watched = watched;
        Ok(())
    }

    /// Gathers a value from each rank, in their order.
    ///
    /// # Errors
    /// Returns an error message that names the rank that did not answer.
    pub fn agree(&self, what: &str, own: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let members: Vec<usize> = (0..self.size).collect();
        let visit = Visit {
            channel: 0,
            members: &members,
            operation: what,
            movement: Movement::AllGather,
        };
        let own = Literal::from_slice(&[own.len()], own).map_err(|error| error.to_string())?;
        let key = self.control.bring(self.rank, &visit, &[Arc::new(own)])?;
        let all = self.control.meet(self.rank, &key, visit.movement)?;
        let texts = all.iter().map(|values| values.first().map(|value| value.bytes().to_vec()));
        Ok(texts.map(Option::unwrap_or_default).collect())
    }

    /// Gathers a value of each rank to rank 0, which gets them in order; the others get none.
    ///
    /// # Errors
    /// Returns an error message that names the rank that did not arrive.
    pub fn gather(&self, what: &str, own: &Arc<Literal>) -> Result<Vec<Arc<Literal>>, String> {
        let members: Vec<usize> = (0..self.size).collect();
        let visit = Visit {
            channel: 0,
            members: &members,
            operation: what,
            movement: Movement::Gather,
        };
        let key = self.control.bring(self.rank, &visit, std::slice::from_ref(own))?;
        if self.rank > 0 {
            self.control.leave(self.rank, &key);
            return Ok(Vec::new());
        }
        let all = self.control.meet(self.rank, &key, visit.movement)?;
        Ok(all.iter().filter_map(|values| values.first().cloned()).collect())
    }

    /// Checks that all ranks agree on each of several values.
    ///
    /// # Errors
    /// Returns an error message that names the first rank that differs from rank 0, and the value.
    pub fn expect_same(&self, parts: &[(&str, Vec<u8>)]) -> Result<(), String> {
        let own: Vec<u8> =
            parts.iter().flat_map(|(_, value)| *blake3::hash(value).as_bytes()).collect();
        let all = self.agree("the start of the program", &own)?;
        for (rank, other) in all.iter().enumerate() {
            let hashes = all[0].chunks(32).zip(other.chunks(32));
            let differs = hashes.zip(parts).find(|((first, other), _)| first != other);
            if let Some((_, (name, _))) = differs {
                return Err(format!("rank {rank} has {name} than rank 0"));
            }
        }
        Ok(())
    }

    /// A grid of processes, with the process that `assignment` specifies on each rank.
    pub fn cluster(&self, replicas: usize, partitions: usize, assignment: Vec<usize>) -> Cluster {
        let network = Network::new(Arc::clone(&self.shared), "program", assignment, true);
        Cluster::over(Arc::new(network), replicas, partitions)
    }

    /// The number of bytes and messages that the program of this rank has sent and received.
    pub fn volume(&self) -> Volume {
        self.shared.state().volume
    }

    /// Announces to the others that the run of this rank has failed: by itself, or because a fault
    /// ended it. Returns true if this rank is the one to print its message.
    pub fn fail(&self, is_located: bool) -> bool {
        let mut state = self.shared.state();
        let rank = self.rank;
        let fault = state.fault.clone().filter(|_| state.is_told);
        state.fail(rank, Cause::Failed);
        if !state.speaks_for_program {
            state.reports.insert(rank, Report { fault, is_located });
        }
        self.shared.wake();
        let end = Instant::now() + LAST_MOMENT;
        while state.prints.is_none() && Instant::now() < end {
            state = self.shared.sleep(state, Duration::from_millis(10));
        }
        !state.speaks_for_program && state.prints.unwrap_or(true)
    }

    /// Ends all ranks, if the message is printed here, or waits for that.
    pub fn abort(&self, at_once: bool) {
        let end = Instant::now() + LAST_MOMENT;
        if at_once {
            std::thread::sleep(PRINTED);
            self.shared.state().is_aborting = true;
        }
        while Instant::now() < end && !self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ends this rank, together with all others. Each has announced before that its run succeeded.
    pub fn finish(mut self) {
        let mut state = self.shared.state();
        state.say_goodbye();
        drop(state);
        let end = Instant::now() + self.shared.limits.silence;
        while let Some(thread) = &self.thread {
            if thread.is_finished() {
                let thread = self.thread.take().map(JoinHandle::join);
                drop(thread);
            } else if Instant::now() > end {
                return;
            } else {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
    }
}
