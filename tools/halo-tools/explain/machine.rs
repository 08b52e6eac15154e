//! What the machine reaches, which kernels are compared with.
//!
//! Tables of processors say nothing of virtual machines, memory modules and clocks, so they are
//! measured: on processors by loops of their instructions ([`Ceilings`]), and on all devices by
//! programs for the same backend and threads: a product of matrices that stays in the caches, an
//! array larger than these that is doubled, and a few numbers that are, whose time is that of the
//! call of a kernel.

use crate::profile::{Recorder, instrument};
use halo_runtime::{
    CompileOptions, Compiler, DeviceBuffer, Error, Executable, ExecuteOptions, Platform, Program,
    Result,
    compilation_record::{Arithmetic, Machine},
    host::{Ceilings, HostPlatform},
    run_observer::RunObserver,
};
use std::{sync::Arc, time::Instant};

/// Rows and columns of the matrices, and elements of the arrays.
const SIZE: u64 = 768;
const LENGTH: u64 = 1 << 25;
/// The fastest of so many runs counts.
const RUNS: usize = 5;
/// The elements of a kernel that does next to nothing, and how often it is called; the fastest
/// call counts.
const FEW: u64 = 8;
const CALLS: usize = 200;

/// What programs reach in a second.
pub struct Rates {
    /// Floating-point operations of f32, by the product.
    pub flops: f64,
    /// Bytes of memory, by the array.
    pub bandwidth: f64,
}

/// What the two programs reach; `None` if they do not run here.
///
/// # Errors
/// If a program that runs here fails.
pub fn rates(compiler: &dyn Compiler, options: &CompileOptions) -> Result<Option<Rates>> {
    let options = for_the_same_code(options);
    let product = format!(
        "func.func @main(%x: tensor<{SIZE}x{SIZE}xf32>) -> tensor<{SIZE}x{SIZE}xf32> {{
          %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
            : (tensor<{SIZE}x{SIZE}xf32>, tensor<{SIZE}x{SIZE}xf32>) -> tensor<{SIZE}x{SIZE}xf32>
          return %0 : tensor<{SIZE}x{SIZE}xf32>
        }}"
    );
    let sum = doubling(LENGTH);
    let times = seconds(compiler, &product, &options)
        .and_then(|product| Ok((product, seconds(compiler, &sum, &options)?)));
    let (product, sum) = match times {
        Ok(times) => times,
        Err(Error::Execution { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(Rates {
        flops: 2.0 * (SIZE * SIZE * SIZE) as f64 / product,
        bandwidth: 8.0 * LENGTH as f64 / sum,
    }))
}

/// Measures the machine that a platform is; `None` if it cannot run the programs.
///
/// # Errors
/// If a program that runs here fails.
pub fn measured(
    platform: &str,
    compiler: &dyn Compiler,
    options: &CompileOptions,
) -> Result<Option<Machine>> {
    let Some(Rates { flops, bandwidth }) = rates(compiler, options)? else {
        return Ok(None);
    };
    let mut machine = Machine {
        flops,
        bandwidth,
        call_seconds: call_seconds(compiler, options)?,
        ..Machine::default()
    };
    let programs = format!(
        "a product of f32 matrices of {SIZE} x {SIZE}, an array of {} MB that is doubled, and a \
         call of a kernel of {FEW} elements",
        4 * LENGTH / 1_000_000
    );
    machine.source = match platform == HostPlatform::new().name() {
        false => format!("Measured on this device: {programs}; the fastest of {RUNS} runs."),
        true => {
            let threads = options.thread_count().get();
            of_processor(&mut machine, Ceilings::measure(threads));
            let threads = match threads {
                1 => "one thread".to_owned(),
                count => format!("{count} threads at the same time"),
            };
            format!(
                "Measured on this machine with {threads}: loops of the fastest instructions on \
                 registers, and of reads from each cache and from memory; {programs}. The best \
                 of all counts."
            )
        }
    };
    Ok(Some(machine))
}

/// Adds what loops of instructions reach, where that is more.
fn of_processor(machine: &mut Machine, ceilings: Ceilings) {
    let Ceilings {
        mut peaks,
        caches,
        bandwidth,
    } = ceilings;
    for peak in &mut peaks {
        if peak.arithmetic == Arithmetic::F32 {
            peak.flops = peak.flops.max(machine.flops);
            machine.flops = peak.flops;
        }
    }
    machine.bandwidth = machine.bandwidth.max(bandwidth);
    machine.peaks = peaks;
    machine.caches = caches;
}

/// The options of a program by which programs of this module are compiled.
fn for_the_same_code(options: &CompileOptions) -> CompileOptions {
    CompileOptions {
        threads: options.threads,
        processor: options.processor.clone(),
        architecture: options.architecture.clone(),
        backend: options.backend.clone(),
        no_tiered_compilation: true,
        ..CompileOptions::default()
    }
}

/// A program that doubles so many numbers.
fn doubling(length: u64) -> String {
    format!(
        "func.func @main(%x: tensor<{length}xf32>) -> tensor<{length}xf32> {{
          %0 = stablehlo.add %x, %x : tensor<{length}xf32>
          return %0 : tensor<{length}xf32>
        }}"
    )
}

/// The time of the fastest call of a kernel of a few elements, as profiles measure it, in seconds;
/// 0 if the backend has none.
fn call_seconds(compiler: &dyn Compiler, options: &CompileOptions) -> Result<f64> {
    let mut options = for_the_same_code(options);
    instrument(compiler, &mut options);
    let (executable, inputs) = ready(compiler, &doubling(FEW), &options)?;
    let recorder = Arc::new(Recorder::new());
    let observer: Arc<dyn RunObserver> = recorder.clone();
    let options = ExecuteOptions {
        observer: Some(&observer),
        ..ExecuteOptions::default()
    };
    for _ in 0..CALLS {
        recorder.run("run", true, || executable.execute(&options, &inputs))?;
    }
    let totals = recorder.recorded().totals;
    let places = totals.by_place();
    let runs = places.iter().flat_map(|place| &place.of_runs);
    let times = runs.map(|run| run.total);
    Ok(times.min().map_or(0.0, |time| time.as_secs_f64()))
}

/// A program that is compiled, and inputs for it on its device.
fn ready(
    compiler: &dyn Compiler,
    code: &str,
    options: &CompileOptions,
) -> Result<(Box<dyn Executable>, Vec<DeviceBuffer>)> {
    let program = Program {
        name: "machine.mlir".into(),
        code: code.as_bytes().to_vec(),
    };
    let executable = compiler.compile(&program, options)?;
    let device = executable.device();
    let inputs = crate::run::inputs(executable.signature(), &[], Some(0))?;
    let inputs = inputs.iter().map(|input| device.to_device(input));
    let inputs = inputs.collect::<Result<Vec<_>>>()?;
    Ok((executable, inputs))
}

/// The time of the fastest run of a program, in seconds.
fn seconds(compiler: &dyn Compiler, code: &str, options: &CompileOptions) -> Result<f64> {
    let (executable, inputs) = ready(compiler, code, options)?;
    let outputs = executable.allocate_outputs()?;
    let mut fastest = f64::INFINITY;
    for _ in 0..=RUNS {
        let start = Instant::now();
        executable.execute_into(&ExecuteOptions::default(), &inputs, &outputs)?;
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Ok(fastest.max(1e-9))
}
