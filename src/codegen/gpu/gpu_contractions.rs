//! `--halo-gpu-contractions`: lowers contractions on buffers to kernels.
//!
//! A contraction becomes one `gpu.launch` whose blocks each compute a tile of the result.
//! [`strategy`] chooses the kernel by types and sizes; an attribute of the launch has its name:
//!
//! | `halo.strategy` | for |
//! |---|---|
//! | `mma_m16n8k16_MxNxK` | bf16 and f16 on tensor cores, sums in f32 |
//! | `wgmma_m64nNk16_MxNxK` | the same by products of warpgroups, where tensor maps describe the operands |
//! | `mma_m16n8k8_3xtf32_MxNxK` | f32 on tensor cores, each operand split into two TF32 numbers |
//! | `mma_m16n8k8_tf32_MxNxK` | f32 on tensor cores, where the program allows TF32 |
//! | `registers_MxNxK` | all other element types, and f32 by multiply-adds |
//! | `vector_rows_by_warp` | one row, rhs contiguous along k |
//! | `vector_rows_by_block` | the same for a few long rows |
//! | `vector_columns_by_thread` | one row, rhs contiguous along n |
//!
//! ```mlir
//! linalg.generic {(m, n, k) -> (m, k), (k, n), (m, n)}
//!     ins(%lhs, %rhs : memref<1024x1024xbf16>, memref<1024x1024xbf16>)
//!     outs(%result : memref<1024x1024xf32>) { %result + extf(%lhs) * extf(%rhs) }
//! ```
//!
//! becomes
//!
//! ```mlir
//! gpu.launch blocks(%x, ...) in (%c256, %c1, %c1) threads(%t, ...) in (%c128, %c1, %c1)
//!     workgroup(%lhs_tiles : memref<8192xbf16, #gpu.address_space<workgroup>>, %rhs_tiles : ...) {
//!   // nvgpu.device_async_copy of the tiles of the first steps
//!   %sums:8 = scf.for %step = ... iter_args(...) -> (vector<2x2xf32>, ...) {
//!     nvgpu.device_async_wait, gpu.barrier
//!     // nvgpu.device_async_copy of the tiles of a later step
//!     // nvgpu.ldmatrix, nvgpu.mma.sync
//!   }
//!   // vector.store of the sums
//! } {halo.strategy = "mma_m16n8k16_64x64x32"}
//! ```
//!
//! Sizes that are not multiples of a tile are padded with zeros in workgroup memory. Small
//! contractions, and types without a kernel here, are not changed. The kernel reads the sources of
//! producers that only move elements, such as the patches of a convolution
//! ([`fuse_producers`](mod@fuse_producers)), and computes an elementwise consumer on its sums
//! ([`fuse_consumer`](mod@fuse_consumer)). If the result is small, a long k is divided among blocks
//! ([`split_k`]).
//!
//! `f32` determines the units for products of f32. By default, these are tensor cores, which compute
//! three products of TF32, if that takes less time than multiply-adds by the rates of the machine
//! model.
//!
//! With `dot=library`, contractions that the vendor's library supports become library calls
//! ([`library`]); with `dot=auto`, only if the library is expected to be faster
//! ([`strategy::suits_library`]).

pub mod addresses;
pub mod epilogue;
pub mod exchange;
pub mod fuse_consumer;
pub mod fuse_producers;
pub mod fusion;
pub mod library;
pub mod provider;
pub mod refine;
pub mod registers;
pub mod split_k;
pub mod staging;
pub mod strategy;
pub mod tensor_core;
pub mod vector;
pub mod warpgroup;

use super::buffers;
use crate::explain::Outcome;
use crate::loops::{aliases::is_in_parallel_loop, contraction::Operand, fill, prelude::*};
use epilogue::Epilogue;
use fuse_consumer::{FusedConsumer, fuse_consumer};
use fuse_producers::{FusedProducers, fuse_producers};
use halo_core::machine::Gpu;
use halo_ir::prelude::*;
use provider::{F32Products, Provider};
use registers::Registers;
use std::collections::HashSet;
use strategy::Strategy;
use tensor_core::TensorCore;
use vector::Vector;
use warpgroup::Warpgroups;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The architecture of the GPU
        architecture: Gpu = "sm_90",
        /// Provider of contractions: 'codegen', kernels; 'library', the vendor's
        /// library where it has them; 'auto', the one expected to be faster
        dot: Provider = "codegen",
        /// Computation of f32 products: 'tf32', one product on tensor cores; '3xtf32',
        /// three of them; 'ieee', multiply-adds of f32; 'auto', the faster one of the
        /// last two. Products of precision HIGHEST are 'ieee'
        f32: F32Products = "auto",
        /// Emit remarks on the units that compute products of f32
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-gpu-contractions",
    "Lower contractions on buffers to kernels",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&[
    "arith", "func", "gpu", "halo", "linalg", "llvm", "math", "memref", "nvgpu", "nvvm", "scf",
    "vector",
])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    let (dot, gpu, f32) = (options.dot, options.architecture, options.f32);
    let mut erased = HashSet::new();
    // Contractions in a parallel loop are lowered with the loop.
    let is_apart =
        |operation: Operation| operation.is_structured() && !is_in_parallel_loop(operation);
    if options.explain {
        for operation in pass.operation().collect_nested(is_apart) {
            if let Some(reason) = strategy::reason_for_vector_units(operation, &gpu, f32) {
                let decision = Outcome::NotOnTensorCores.because(reason);
                decision.remark(pass, operation);
            }
        }
    }
    pass.for_each(is_apart, |builder, operation| {
        if erased.contains(&operation.key()) {
            return;
        }
        let lowering = Lowering {
            operation,
            dot,
            gpu,
            f32,
        };
        lowering.run(builder, &mut erased);
    })
}

/// An op that may be a contraction.
struct Lowering<'c> {
    operation: Operation<'c>,
    dot: Provider,
    gpu: Gpu,
    f32: F32Products,
}

/// A contraction with its producers and its consumer.
struct Fused<'c> {
    contraction: Contraction<'c>,
    producers: Vec<Operation<'c>>,
    /// The padded buffers that producers read.
    padded: Vec<Value<'c>>,
    consumer: Option<FusedConsumer<'c>>,
}

impl<'c> Lowering<'c> {
    /// Replaces the op by a kernel or a call if it is a contraction. A fused consumer is erased,
    /// and added to `erased`.
    fn run(&self, builder: &Builder<'c>, erased: &mut HashSet<usize>) {
        let Some(mut contraction) = Contraction::of(self.operation) else {
            return;
        };
        contraction.precision = strategy::precision(&contraction, &self.gpu, self.f32);
        if let Some((call, fused)) = self.call(&contraction) {
            return self.replace(builder, erased, (&contraction, fused), |builder, _, _| {
                call.emit(builder)
            });
        }
        let is_reachable = |operand: &Operand| buffers::is_reachable(operand.value);
        let Some(strategy) = Strategy::of(&contraction.simplified(), &self.gpu)
            .filter(|_| contraction.operands.iter().all(is_reachable))
        else {
            return;
        };
        let takes_padding = matches!(strategy, Strategy::TensorCore(_) | Strategy::Registers(_));
        let direct = fuse_producers(self.operation, &contraction, takes_padding);
        if let Some(parts) = split_k::parts_of(&direct.contraction.simplified(), &self.gpu) {
            let divided = parts.contraction(builder);
            let epilogue = Epilogue {
                overwrite: true,
                consumer: None,
            };
            emit(builder, (&divided.simplified(), &epilogue), &self.gpu);
            parts.add_up(builder, &divided);
            builder.erase(self.operation);
            erase_producers(builder, (direct.producers, direct.padded), &contraction);
            return;
        }
        let fused = self.fuse_consumer(direct);
        self.replace(
            builder,
            erased,
            (&contraction, fused),
            |builder, contraction, epilogue| {
                let contraction = contraction.simplified();
                emit(builder, (&contraction, epilogue), &self.gpu)
            },
        )
    }

    /// The library call for the contraction, if requested and supported; with fused producers if
    /// the library can read their sources.
    fn call(&self, contraction: &Contraction<'c>) -> Option<(library::Call<'c>, Fused<'c>)> {
        if !library::is_wanted(self.dot, contraction) {
            return None;
        }
        fill::zero_fill_of(self.operation)?;
        let unfused = FusedProducers::none(contraction);
        let direct = fuse_producers(self.operation, contraction, false);
        [direct, unfused].into_iter().find_map(|candidate| {
            let fused = self.fuse_consumer(candidate);
            let call = library::Call::of(&fused.contraction, fused.consumer.as_ref())?;
            Some((call, fused))
        })
    }

    fn fuse_consumer(&self, direct: FusedProducers<'c>) -> Fused<'c> {
        let overwrite = fill::zero_fill_of(self.operation).is_some();
        let consumer = fuse_consumer(self.operation, &direct.contraction, overwrite);
        Fused {
            contraction: direct.contraction,
            producers: direct.producers,
            padded: direct.padded,
            consumer,
        }
    }

    /// Emits code that replaces the op, its producers and its consumer.
    fn replace(
        &self,
        builder: &Builder<'c>,
        erased: &mut HashSet<usize>,
        (original, fused): (&Contraction<'c>, Fused<'c>),
        emit: impl FnOnce(&Builder<'c>, &Contraction<'c>, &Epilogue<'c>),
    ) {
        let overwrite = fill::fold_zero_fill(builder, self.operation);
        let (contraction, consumer, consumed) = match fused.consumer {
            Some(fused) => {
                builder.set_before(fused.operation);
                (
                    fused.contraction,
                    Some(fused.consumer),
                    Some(fused.operation),
                )
            }
            None => (fused.contraction, None, None),
        };
        let epilogue = Epilogue {
            overwrite,
            consumer,
        };
        emit(builder, &contraction, &epilogue);
        builder.erase(self.operation);
        if let Some(consumed) = consumed {
            erased.insert(consumed.key());
            builder.erase(consumed);
            fusion::erase_unread_buffer(builder, original.operands[RESULT].value);
        }
        erase_producers(builder, (fused.producers, fused.padded), original);
    }
}

/// Erases fused producers and their buffers, and padded buffers that nothing else reads.
fn erase_producers<'c>(
    builder: &Builder<'c>,
    (producers, padded): (Vec<Operation<'c>>, Vec<Value<'c>>),
    contraction: &Contraction<'c>,
) {
    for producer in producers {
        builder.erase(producer);
    }
    for operand in [LHS, RHS] {
        fusion::erase_unused_views(builder, contraction.operands[operand].value);
    }
    for buffer in padded {
        fusion::erase_unread_buffer(builder, buffer);
    }
}

fn emit<'c>(
    builder: &Builder<'c>,
    (contraction, epilogue): (&Contraction<'c>, &Epilogue<'c>),
    gpu: &Gpu,
) {
    // Fusion does not change sizes, so that the contraction still has a kernel.
    let strategy = Strategy::of(contraction, gpu);
    let strategy =
        strategy.unwrap_or_else(|| bug(format_args!("cannot create op '{}'", gpu::LaunchOp::NAME)));
    let name = strategy.name(contraction);
    match strategy {
        Strategy::TensorCore(tile) => TensorCore {
            contraction,
            epilogue,
            tile,
        }
        .emit(builder, &name),
        Strategy::Warpgroups(tile) => Warpgroups {
            contraction,
            epilogue,
            tile,
        }
        .emit(builder, &name),
        Strategy::Registers(tile) => Registers {
            contraction,
            epilogue,
            tile,
        }
        .emit(builder, &name),
        Strategy::RowsByWarp => Vector {
            contraction,
            epilogue,
            gpu,
        }
        .emit_rows(builder, &name, false),
        Strategy::RowsByBlock => Vector {
            contraction,
            epilogue,
            gpu,
        }
        .emit_rows(builder, &name, true),
        Strategy::ColumnsByThread => Vector {
            contraction,
            epilogue,
            gpu,
        }
        .emit_columns(builder, &name),
    }
}
