//! `--halo-emulate-kernels`: turns the kernels of a GPU into functions for the
//! host's processor.
//!
//! To check kernels without a GPU, each becomes a function that runs the blocks of the grid one
//! after the other, and all threads of each block. A kernel is split at barriers into phases, and
//! each phase is a loop over the threads (as in MCUDA, and in the translation of CUDA in
//! Polygeist). A loop or a conditional with a barrier inside runs at block level, and its body is
//! split in turn.
//!
//! ```mlir
//! gpu.module @kernels {
//!   gpu.func @reverse(%a: memref<64xf32>)
//!       workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
//!     %c63 = arith.constant 63 : index
//!     %t = gpu.thread_id x
//!     %v = memref.load %a[%t] : memref<64xf32>
//!     memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
//!     gpu.barrier
//!     %other = arith.subi %c63, %t : index
//!     %w = memref.load %s[%other] : memref<64xf32, #gpu.address_space<workgroup>>
//!     memref.store %w, %a[%t] : memref<64xf32>
//!     gpu.return
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @reverse(%begin: index, %end: index, %grid_x: index, ...,
//!     %threads_x: index, ..., %a: memref<64xf32>) attributes {halo.kernel} {
//!   %s = memref.alloc() : memref<64xf32>
//!   scf.for %block = %begin to %end step %c1 {
//!     scf.for %t = %c0 to %threads_x step %c1 {
//!       %v = memref.load %a[%t] : memref<64xf32>
//!       memref.store %v, %s[%t] : memref<64xf32>
//!     }
//!     scf.for %t = %c0 to %threads_x step %c1 {
//!       %other = arith.subi %c63, %t : index
//!       %w = memref.load %s[%other] : memref<64xf32>
//!       memref.store %w, %a[%t] : memref<64xf32>
//!     }
//!   }
//!   return
//! }
//! ```
//!
//! Divergent values that are live across a split are stored in an array with an element for each
//! thread; uniform values that do not depend on memory are computed once for the block; and values
//! derived from thread indices are recomputed (`uniformity`). Shuffles and the matrix ops of warps
//! are split points too: all threads write their operands before any thread reads the operands of
//! others (`collectives`, `matrix_product`).
//!
//! If warpgroups run separately, the function runs one of them ([`warpgroups`]).
//!
//! The pass also checks kernels. A barrier under a divergent condition is an
//! error, and shared memory is filled with NaN before each block, so that reads
//! of uninitialized memory show. With `check-accesses`, every access to memory
//! is reported to the emulator ([`accesses`]).

pub mod accesses;
mod asynchronous;
mod barrier_split;
mod collectives;
mod error;
mod matrix_product;
mod normalize;
mod storage;
mod threads;
mod uniformity;
pub mod warpgroups;

use self::error::EmulationError;
use halo_ir::prelude::*;

/// The number of threads of a warp.
pub const WARP: i64 = 32;

/// The arguments of an emulated kernel before its own: the range of blocks, the extents of the
/// grid, and the extents of a block.
pub const LAUNCH_ARGUMENTS: usize = 8;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report every access to memory to the emulator, which then detects races
        check_accesses: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-emulate-kernels",
    "Turn the kernels of GPU modules into functions of a range of blocks",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["arith", "func", "llvm", "memref", "scf", "vector"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let Some(body) = pass.operation().body(0) else {
        return Ok(());
    };
    let checks = pass.options::<Options>().check_accesses;
    for module in body.operations() {
        if module.isa::<gpu::GPUModuleOp>() {
            emulate_module(module, checks).map_err(|error| {
                let EmulationError { location, message } = error;
                emit_error(location, &message);
                PassFailure
            })?;
        }
    }
    Ok(())
}

/// Replaces a GPU module by the functions of its kernels and its other
/// contents.
fn emulate_module(module: Operation<'_>, checks: bool) -> Result<(), EmulationError<'_>> {
    let body = module.body(0).map(Block::operations).unwrap_or_default();
    for operation in body {
        if operation.isa::<gpu::GPUFuncOp>() {
            emulate_kernel(module, operation, checks)?
        } else {
            operation.move_before(module)
        }
    }
    with_builder(module, |builder| builder.erase(module));
    Ok(())
}

fn emulate_kernel<'c>(
    module: Operation<'c>,
    kernel: Operation<'c>,
    checks: bool,
) -> Result<(), EmulationError<'c>> {
    let fail = |message: &str| EmulationError::at(kernel.location(), message);
    let name = kernel
        .attribute("sym_name")
        .and_then(Attribute::string_value)
        .ok_or_else(|| fail("'gpu.func' op has no name"))?;
    if kernel.attribute("gpu.kernel").is_none() {
        return Err(fail("'gpu.func' op is not a kernel"));
    }
    let blocks = kernel.region(0).map(RegionExt::blocks);
    let [body] = blocks.unwrap_or_default()[..] else {
        return Err(fail("'gpu.func' op has branches outside of structured ops"));
    };
    normalize::normalize(kernel)?;
    for argument in body.arguments() {
        let ty = argument.ty();
        if ty.is_memref() && ty.static_shape().is_none() {
            return Err(fail("'gpu.func' op takes a buffer of dynamic shape"));
        }
    }
    with_builder(module, |builder| {
        barrier_split::emulate(&builder.at(kernel.location()), kernel, body, name, checks)
    })
}
