//! `--measure-topology`: the numbers that predictions need, of the processes at hand.
//!
//! Rank 0 is measured alone, then all ranks at once, since they share the resources of their
//! machine. Messages between rank 0 and another one use the same transport as collectives: empty
//! ones for the latency, several at once for the overhead of a further one, large ones for the
//! bandwidth.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use halo_backend::{CompileOptions, Compiler, Program};
use halo_core::Literal;
use halo_runtime::communication::Route;
use halo_runtime::{Error, ExecuteOptions, Result};

use super::distributed::Job;
use crate::{Rates, Stop, print, rates};

/// The number of timed round trips, the fastest of which counts, and of messages at once.
const ROUNDS: usize = 200;
const LARGE_ROUNDS: usize = 20;
const BURST: usize = 16;
/// The bytes of a large message.
const LARGE: usize = 4 << 20;
/// Consecutive products of small matrices, for the time of a kernel.
const KERNELS: usize = 64;

/// Measurements between two ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    latency: f64,
    overhead: f64,
    bandwidth: f64,
}

/// Measures all ranks; rank 0 prints the topology.
///
/// # Errors
/// Returns an error if a rank never arrives, or the program that is measured does not run.
pub fn measure(
    job: &Job,
    compiler: &dyn Compiler,
    threads: Option<NonZeroUsize>,
    out: &mut dyn Write,
) -> std::result::Result<(), Stop> {
    let options = CompileOptions {
        threads,
        ..CompileOptions::default()
    };
    let machine = || -> Result<Rates> {
        let rates = rates(compiler, &options)?;
        rates.ok_or_else(|| Error::invalid("the backend does not run on this machine"))
    };
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let own_host = read("/proc/sys/kernel/random/boot_id");
    let hosts = job.session.agree("the machines", own_host.as_bytes());
    let hosts = hosts.map_err(Error::execution)?;
    let alone = if job.is_first() {
        Some((machine()?, kernel_seconds(compiler, &options)?))
    } else {
        None
    };
    job.meet("measurements of one process")?;
    let together = machine()?;
    let own = format!("{} {}", together.flops, together.bandwidth);
    let together = job.texts(&own)?;
    let first_of = |is_same: bool| {
        let mut ranks = 1..hosts.len();
        ranks.find(|rank| (hosts[*rank] == hosts[0]) == is_same)
    };
    let near = link(job, first_of(true))?;
    let far = link(job, first_of(false))?;
    let Some((alone, overhead)) = alone else {
        return Ok(());
    };
    let on_first: Vec<(f64, f64)> = together
        .iter()
        .zip(&hosts)
        .filter(|(_, host)| **host == hosts[0])
        .filter_map(|(text, _)| {
            let (flops, bandwidth) = text.split_once(' ')?;
            Some((flops.parse().ok()?, bandwidth.parse().ok()?))
        })
        .collect();
    let shared = on_first.iter().fold((0.0, 0.0), |sum: (f64, f64), of| {
        (sum.0 + of.0, sum.1 + of.1)
    });
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = options.thread_count().get();
    let has_spare = processors > threads * on_first.len();
    let text = Measured {
        alone: (alone.flops, alone.bandwidth, overhead),
        together: (shared.0.max(alone.flops), shared.1.max(alone.bandwidth)),
        processors: (processors / threads).max(1),
        slice: slice(processors),
        overlap: has_spare,
        ranks: job.session.size,
        ranks_of_machine: on_first.len(),
        machines: hosts.iter().map(|host| (host, ())).collect::<BTreeMap<_, _>>().len(),
        near,
        far,
    }
    .text();
    print(out, format_args!("{text}"))
}

/// The time slice of Linux's scheduler: 0.7 ms, and as much more each time that the number of
/// processors doubles, up to 8 (`sched_base_slice` in kernel/sched/fair.c). It is not measured,
/// since the measurement would include other programs.
fn slice(processors: usize) -> f64 {
    0.7e-3 * f64::from(1 + processors.clamp(1, 8).ilog2())
}

/// The time of a kernel that computes almost nothing.
fn kernel_seconds(compiler: &dyn Compiler, options: &CompileOptions) -> Result<f64> {
    let mut code = "func.func @main(%0: tensor<4x4xf32>) -> tensor<4x4xf32> {\n".to_owned();
    for number in 1..=KERNELS {
        let before = number - 1;
        code += &format!(
            "%{number} = stablehlo.dot_general %{before}, %{before}, contracting_dims = [1] x [0] : \
             (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
        );
    }
    code += &format!("return %{KERNELS} : tensor<4x4xf32>\n}}");
    let program = Program {
        name: "kernels.mlir".into(),
        code: code.into_bytes(),
    };
    let executable = compiler.compile(&program, options)?;
    let inputs = super::inputs(executable.signature(), &[], Some(0))?;
    let device = executable.device();
    let inputs = inputs.iter().map(|input| device.to_device(input));
    let inputs = inputs.collect::<Result<Vec<_>>>()?;
    let outputs = executable.allocate_outputs()?;
    let mut fastest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        executable.execute_into(&ExecuteOptions::default(), &inputs, &outputs)?;
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Ok(fastest / KERNELS as f64)
}

/// Messages between rank 0 and another one, while all others wait.
fn link(job: &Job, other: Option<usize>) -> Result<Option<Link>> {
    let Some(other) = other else {
        return Ok(None);
    };
    let own = job.session.rank;
    let measured = if own == 0 || own == other {
        let small = times(job, other, 1, 1, ROUNDS)?;
        let burst = times(job, other, 1, BURST, ROUNDS)?;
        let large = times(job, other, LARGE, 1, LARGE_ROUNDS)?;
        // A burst is answered by one message.
        let further = (burst - small) / (BURST - 1) as f64;
        Some(Link {
            latency: small / 2.0,
            overhead: further.max(0.0),
            bandwidth: 2.0 * LARGE as f64 / (large - small).max(1e-9),
        })
    } else {
        None
    };
    job.meet("measurements of messages")?;
    Ok(measured)
}

/// The fastest round trip of some messages and an answer. A large message is answered by one of its
/// size, several by a single one.
fn times(job: &Job, other: usize, bytes: usize, count: usize, rounds: usize) -> Result<f64> {
    let is_first = job.session.rank == 0;
    let zeros = vec![0_u8; bytes];
    let value = Literal::from_slice(&[bytes], &zeros)?;
    let value = vec![Arc::new(value)];
    let cluster = &job.process.cluster;
    let number = job.process.number();
    // With --device-assignment, process numbers may differ from ranks.
    let assignment = &job.arguments.device_assignment;
    let process_of = |rank: usize| {
        let known = assignment.iter().position(|one| *one == rank);
        known.unwrap_or(rank)
    };
    let route = |channel: i64, rank: usize| Route {
        channel,
        receiver: Some(process_of(rank)),
    };
    let (there, back) = (route(1, other), route(2, 0));
    let mut fastest = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        if is_first {
            for _ in 0..count {
                let sent = cluster.send(number, there, value.clone());
                sent.map_err(Error::execution)?;
            }
            cluster.receive(number, back).map_err(Error::execution)?;
        } else {
            for _ in 0..count {
                cluster.receive(number, there).map_err(Error::execution)?;
            }
            let sent = cluster.send(number, back, value.clone());
            sent.map_err(Error::execution)?;
        }
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Ok(fastest)
}

/// The numbers of a topology.
struct Measured {
    /// Operations and bytes per second of one process, and the time of a kernel.
    alone: (f64, f64, f64),
    /// The rates of all processes of a machine at once.
    together: (f64, f64),
    processors: usize,
    slice: f64,
    /// Whether a machine has idle processors.
    overlap: bool,
    ranks: usize,
    ranks_of_machine: usize,
    machines: usize,
    near: Option<Link>,
    far: Option<Link>,
}

impl Measured {
    fn text(&self) -> String {
        let (flops, bandwidth, overhead) = self.alone;
        let mut text = format!(
            "# Measured by halo-run --measure-topology on {} processes of {} machine{}.\n\
             # Seconds, bytes per second, floating-point operations per second.\n\n\
             overlap = {}\n\n[device]\nflops = {flops:.3e}\nbandwidth = {bandwidth:.3e}\noverhead = \
             {overhead:.1e}\n",
            self.ranks,
            self.machines,
            if self.machines == 1 { "" } else { "s" },
            self.overlap
        );
        let none = Link {
            latency: 0.0,
            overhead: 0.0,
            bandwidth: self.together.1,
        };
        text += &level("machine", self.ranks_of_machine, self.near.unwrap_or(none));
        text += &format!(
            "shared = {{ flops = {:.3e}, bandwidth = {:.3e}, processors = {}, slice = {:.1e} }}\n",
            self.together.0, self.together.1, self.processors, self.slice
        );
        if let Some(far) = self.far {
            text += &level("network", self.machines, far);
        }
        text
    }
}

fn level(name: &str, size: usize, link: Link) -> String {
    let Link {
        latency,
        overhead,
        bandwidth,
    } = link;
    format!(
        "\n[[level]]\nname = \"{name}\"\nsize = {size}\nlatency = {latency:.1e}\noverhead = \
         {overhead:.1e}\nbandwidth = {bandwidth:.3e}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topology_of_two_machines() {
        let link = |latency: f64| Link {
            latency,
            overhead: 1e-6,
            bandwidth: 2e9,
        };
        let measured = Measured {
            alone: (1e11, 1e10, 2e-6),
            together: (2e11, 1.5e10),
            processors: 2,
            slice: slice(2),
            overlap: false,
            ranks: 4,
            ranks_of_machine: 2,
            machines: 2,
            near: Some(link(1e-5)),
            far: Some(link(5e-5)),
        };
        assert_eq!(
            measured.text(),
            "# Measured by halo-run --measure-topology on 4 processes of 2 machines.\n\
             # Seconds, bytes per second, floating-point operations per second.\n\n\
             overlap = false\n\n[device]\nflops = 1.000e11\nbandwidth = 1.000e10\noverhead = 2.0e-6\n\n\
             [[level]]\nname = \"machine\"\nsize = 2\nlatency = 1.0e-5\noverhead = 1.0e-6\n\
             bandwidth = 2.000e9\n\
             shared = { flops = 2.000e11, bandwidth = 1.500e10, processors = 2, slice = 1.4e-3 }\n\n\
             [[level]]\nname = \"network\"\nsize = 2\nlatency = 5.0e-5\noverhead = 1.0e-6\n\
             bandwidth = 2.000e9\n"
        );
    }
}
