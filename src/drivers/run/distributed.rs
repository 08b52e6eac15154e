//! Runs of several ranks (`--distributed`): each runs one process of the program's grid, all
//! read the same program, and one message ends them all.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use halo_backend::{Partitioning, Program, compilation_cache::identity};
use halo_core::Literal;
use halo_distributed::{Fault, Limits, Session};
use halo_runtime::communication::Cluster;
use halo_runtime::{Error, Process, Result};

use crate::{Stop, count, finish, print};

/// The ranks, and their handling of arrays.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Several processes")]
pub struct DistributedArguments {
    /// Run as one of the processes that a launcher of MPI has started: mpirun -n 4 halo-run
    /// --distributed; {rank} in the names of files is the number of the process
    #[arg(long, group = "processes")]
    pub distributed: bool,

    /// The replicas of the program [default: the number of processes divided by --partitions]
    #[arg(long, value_name = "N", requires = "processes", value_parser = count::<NonZeroUsize>)]
    pub replicas: Option<NonZeroUsize>,

    /// The partitions of each replica, among which tensors are divided by their shardings [default:
    /// 1, or the number of processes divided by --replicas]
    #[arg(long, value_name = "N", requires = "processes", value_parser = count::<NonZeroUsize>)]
    pub partitions: Option<NonZeroUsize>,

    /// The rank of each process of the program, replica by replica: 0,2,1,3
    /// [default: in order]
    #[arg(
        long,
        value_name = "RANKS",
        value_delimiter = ',',
        requires = "distributed",
        value_parser = count::<usize>
    )]
    pub device_assignment: Vec<usize>,

    /// The time in seconds after which a silent process ends all
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub fault_limit: Duration,

    /// The time in seconds after which a process that responds, but is late, ends all [default:
    /// unlimited]
    #[arg(long, value_name = "SECONDS", requires = "distributed", value_parser = seconds)]
    pub wait_limit: Option<Duration>,

    /// The machines that the processes run on, as --measure-topology prints them: the cost of
    /// messages decides which collectives are combined and overlapped [default: 20 us, and 0.5 ns
    /// for each byte]
    #[arg(long, value_name = "TOPOLOGY.toml", requires = "distributed")]
    pub topology: Option<PathBuf>,

    /// The library of MPI [default: the launcher's]
    #[arg(long, value_name = "FILE", requires = "distributed")]
    pub mpi_library: Option<String>,

    /// Let rank 0 write whole results, instead of each rank its shard, for ranks without a shared
    /// file system
    #[arg(long, requires = "distributed")]
    pub gather_results: bool,

    /// Save the results in this directory, each rank its shards, for --load
    #[arg(long, value_name = "DIR", requires = "distributed")]
    pub save: Option<PathBuf>,

    /// Take the first inputs from a directory written by --save, with any number of ranks
    #[arg(long, value_name = "DIR", requires = "distributed")]
    pub load: Option<PathBuf>,
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is a number".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("it is a time greater than zero".to_owned()),
    }
}

impl DistributedArguments {
    /// The file of the machines.
    ///
    /// # Errors
    /// Returns an invalid-input error if it cannot be read.
    pub fn topology(&self) -> Result<Option<Program>> {
        self.topology.as_deref().map(Program::read).transpose()
    }

    /// The processes of a predicted run, if the command line specifies them.
    pub fn simulated(&self) -> Option<Partitioning> {
        match (self.replicas, self.partitions) {
            (None, None) => None,
            (replicas, partitions) => Some(Partitioning {
                replicas: replicas.unwrap_or(NonZeroUsize::MIN),
                partitions: partitions.unwrap_or(NonZeroUsize::MIN),
            }),
        }
    }
}

/// The part of one rank in a run.
pub struct Job {
    pub session: Session,
    pub process: Arc<Process>,
    pub partitioning: Partitioning,
    pub arguments: DistributedArguments,
}

impl Job {
    /// Starts MPI, and divides the ranks into replicas and partitions.
    pub fn start(
        arguments: &DistributedArguments,
        tool: &'static str,
        err: &mut dyn Write,
    ) -> std::result::Result<Option<Self>, u8> {
        if !arguments.distributed {
            return Ok(None);
        }
        let limits = Limits {
            silence: arguments.fault_limit,
            wait: arguments.wait_limit,
        };
        let tell = move |fault: &Fault| {
            let text = format!("{tool}: error: {}\n", fault.to_waiting(&[]));
            let _ = std::io::stderr().write_all(text.as_bytes());
        };
        let library = arguments.mpi_library.as_deref();
        let session = match Session::start(library, limits, tell) {
            Ok(session) => session,
            Err(message) => {
                let error = Error::invalid(format!("--distributed: {message}"));
                return Err(finish(tool, Err(error.into()), &mut std::io::sink(), err));
            }
        };
        let watched = session.watch_neighbours().map_err(Error::execution);
        match watched.and_then(|()| grid(arguments, &session)) {
            Ok((cluster, number)) => {
                let cluster = Arc::new(cluster);
                let one = NonZeroUsize::MIN;
                Ok(Some(Self {
                    process: Process::of(&cluster, number),
                    partitioning: Partitioning {
                        replicas: NonZeroUsize::new(cluster.replicas).unwrap_or(one),
                        partitions: NonZeroUsize::new(cluster.partitions).unwrap_or(one),
                    },
                    session,
                    arguments: arguments.clone(),
                }))
            }
            Err(error) => Err(end(
                session,
                tool,
                Err(error.into()),
                &mut std::io::sink(),
                err,
            )),
        }
    }

    /// The partitioning of tensors, if any.
    pub fn divides(&self) -> Option<Partitioning> {
        (self.partitioning.partitions.get() > 1).then_some(self.partitioning)
    }

    /// The name of a file for this rank.
    pub fn expand(&self, text: &str) -> String {
        match text.strip_prefix('@') {
            Some(name) => format!(
                "@{}",
                name.replace("{rank}", &self.session.rank.to_string())
            ),
            None => text.to_owned(),
        }
    }

    pub fn is_first(&self) -> bool {
        self.session.rank == 0
    }

    /// Checks that all ranks run the same program in the same way.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the first rank that does not.
    pub fn expect_same_program(&self, program: &Program, options: &str) -> Result<()> {
        let parts = [
            ("another program", program.code.clone()),
            ("another build of this tool", identity()),
            ("other options", options.as_bytes().to_vec()),
        ];
        self.session.expect_same(&parts).map_err(Error::invalid)
    }

    /// Checks that all ranks have inputs of the same shapes.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the first rank that has not.
    pub fn expect_same_inputs(&self, inputs: &[Literal]) -> Result<()> {
        let shapes: Vec<String> = inputs.iter().map(|input| input.shape().to_string()).collect();
        let parts = [("inputs of other shapes", shapes.join(", ").into_bytes())];
        self.session.expect_same(&parts).map_err(Error::invalid)
    }

    /// The rank of a partition of the first replica.
    pub fn rank_of(&self, partition: usize) -> usize {
        let assignment = &self.arguments.device_assignment;
        assignment.get(partition).copied().unwrap_or(partition)
    }

    /// A name that is unique to this run, and the same for all ranks.
    ///
    /// # Errors
    /// Returns an execution error if a rank never arrives.
    pub fn token(&self, what: &str) -> Result<String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_nanos());
        let own = format!("{now:x}-{:x}", std::process::id());
        let all = self.session.agree(what, own.as_bytes());
        let all = all.map_err(Error::execution)?;
        Ok(String::from_utf8_lossy(&all[0]).into_owned())
    }

    /// A barrier: waits until all ranks have reached this point.
    ///
    /// # Errors
    /// Returns an execution error if one never will.
    pub fn meet(&self, what: &str) -> Result<()> {
        let met = self.session.agree(what, &[]);
        met.map(|_| ()).map_err(Error::execution)
    }

    /// The texts of all ranks, in their order, for rank 0 to print.
    ///
    /// # Errors
    /// Returns an execution error if one never arrives.
    pub fn texts(&self, own: &str) -> Result<Vec<String>> {
        let all = self.session.agree("the results", own.as_bytes());
        let all = all.map_err(Error::execution)?.into_iter();
        Ok(all.map(|text| String::from_utf8_lossy(&text).into_owned()).collect())
    }

    /// Prints the traffic of each rank.
    ///
    /// # Errors
    /// Returns an error if a rank never arrives, or the stream cannot be written to.
    pub fn report_volume(&self, err: &mut dyn Write) -> std::result::Result<(), Stop> {
        let own = self.session.volume();
        let (sent, received) = (own.sent_bytes, own.received_bytes);
        let (sends, receipts) = (own.sent_messages, own.received_messages);
        let text = format!(
            "sent {sent} bytes in {sends} messages, received {received} bytes in {receipts}"
        );
        for (rank, text) in self.texts(&text)?.iter().enumerate() {
            if self.is_first() {
                print(err, format_args!("rank {rank}: {text}\n"))?;
            }
        }
        Ok(())
    }

    /// Ends the rank, and prints its error if this rank is the one to report it. Returns the exit
    /// code of the tool.
    pub fn end(
        self,
        tool: &str,
        result: std::result::Result<(), Stop>,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> u8 {
        end(self.session, tool, result, out, err)
    }
}

fn end(
    session: Session,
    tool: &str,
    result: std::result::Result<(), Stop>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let result = result.and_then(|()| {
        let met = session.agree("the end of the program", &[]);
        met.map(|_| ()).map_err(|message| Error::execution(message).into())
    });
    let error = match result {
        Ok(()) | Err(Stop::Closed) => {
            let code = finish(tool, Ok(()), out, err);
            session.finish();
            return code;
        }
        Err(Stop::Error(error)) => error,
    };
    let speaks = session.fail(error.names_location());
    if speaks {
        let rank = session.rank;
        let error = match error {
            Error::Execution(mut run) => {
                run.message = format!("rank {rank}: {}", run.message);
                Error::Execution(run)
            }
            error => error,
        };
        // Written at once, since launchers interleave the output of their processes.
        let mut text = Vec::new();
        finish(tool, Err(error.into()), out, &mut text);
        let _ = err.write_all(&text).and_then(|()| err.flush());
    }
    session.abort(speaks);
    1
}

/// The grid of the program, and the number of the process that this rank runs.
fn grid(arguments: &DistributedArguments, session: &Session) -> Result<(Cluster, usize)> {
    let (size, rank) = (session.size, session.rank);
    let given = |count: Option<NonZeroUsize>| count.map(NonZeroUsize::get);
    let (replicas, partitions) = match (given(arguments.replicas), given(arguments.partitions)) {
        (Some(replicas), Some(partitions)) => (replicas, partitions),
        (Some(replicas), None) => (replicas, size / replicas),
        (None, partitions) => (size / partitions.unwrap_or(1), partitions.unwrap_or(1)),
    };
    if replicas.checked_mul(partitions) != Some(size) {
        let plural = if size == 1 { "" } else { "es" };
        return Err(Error::invalid(format!(
            "{size} process{plural} cannot be {replicas} replicas of {partitions} partitions"
        )));
    }
    let assignment = if arguments.device_assignment.is_empty() {
        (0..size).collect()
    } else {
        arguments.device_assignment.clone()
    };
    let mut sorted = assignment.clone();
    sorted.sort_unstable();
    let number = assignment.iter().position(|one| *one == rank);
    match number {
        Some(number) if sorted.iter().copied().eq(0..size) => {
            Ok((session.cluster(replicas, partitions, assignment), number))
        }
        _ => Err(Error::invalid(format!(
            "--device-assignment: each of the ranks 0 to {} has one process",
            size - 1
        ))),
    }
}
