//! Peak rates of the machine, measured by programs for the same backend and threads: a matrix
//! product that stays in the caches, and the doubling of an array larger than these.
//!
//! Tables of processors do not describe virtual machines, memory modules and clocks.

use halo_backend::{CompileOptions, Compiler, Program};
use halo_runtime::{DeviceBuffer, Error, Executable, ExecuteOptions, Result};
use std::time::Instant;

/// Rows and columns of the matrices, and elements of the array.
const SIZE: u64 = 768;
const LENGTH: u64 = 1 << 25;
/// The number of runs, of which the fastest counts.
const RUNS: usize = 5;

/// Peak rates per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Floating-point operations of f32, by the product.
    pub flops: f64,
    /// Bytes of memory, by the array.
    pub bandwidth: f64,
}

/// Measures the rates; `None` if programs of the backend do not run on this machine.
///
/// # Errors
/// Returns an execution error if a program fails otherwise.
pub fn rates(compiler: &dyn Compiler, options: &CompileOptions) -> Result<Option<Rates>> {
    let options = CompileOptions {
        threads: options.threads,
        processor: options.processor.clone(),
        architecture: options.architecture.clone(),
        backend: options.backend.clone(),
        no_tiered_compilation: true,
        ..CompileOptions::default()
    };
    let product = format!(
        "func.func @main(%x: tensor<{SIZE}x{SIZE}xf32>) -> tensor<{SIZE}x{SIZE}xf32> {{
          %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
            : (tensor<{SIZE}x{SIZE}xf32>, tensor<{SIZE}x{SIZE}xf32>) -> tensor<{SIZE}x{SIZE}xf32>
          return %0 : tensor<{SIZE}x{SIZE}xf32>
        }}"
    );
    let sum = format!(
        "func.func @main(%x: tensor<{LENGTH}xf32>) -> tensor<{LENGTH}xf32> {{
          %0 = stablehlo.add %x, %x : tensor<{LENGTH}xf32>
          return %0 : tensor<{LENGTH}xf32>
        }}"
    );
    let times = seconds(compiler, &product, &options)
        .and_then(|product| Ok((product, seconds(compiler, &sum, &options)?)));
    let (product, sum) = match times {
        Ok(times) => times,
        Err(Error::Execution(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(Rates {
        flops: 2.0 * (SIZE * SIZE * SIZE) as f64 / product,
        bandwidth: 8.0 * LENGTH as f64 / sum,
    }))
}

/// The time of the fastest run of a program, in seconds.
fn seconds(compiler: &dyn Compiler, code: &str, options: &CompileOptions) -> Result<f64> {
    let program = Program {
        name: "machine.mlir".into(),
        code: code.as_bytes().to_vec(),
    };
    let executable: Box<dyn Executable> = compiler.compile(&program, options)?;
    let device = executable.device();
    let inputs = crate::run::inputs(executable.signature(), &[], Some(0))?;
    let inputs = inputs.iter().map(|input| device.to_device(input));
    let inputs: Vec<DeviceBuffer> = inputs.collect::<Result<_>>()?;
    let outputs = executable.allocate_outputs()?;
    let mut fastest = f64::INFINITY;
    for _ in 0..=RUNS {
        let start = Instant::now();
        executable.execute_into(&ExecuteOptions::default(), &inputs, &outputs)?;
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Ok(fastest.max(1e-9))
}
