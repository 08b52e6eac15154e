//! `--halo-gpu-contractions`: matrix products on buffers as kernels.
//!
//! A product becomes one `gpu.launch` whose blocks each compute a tile of C.
//! Which kernel it is follows from the types and sizes ([`strategy`]), and is
//! written to the launch:
//!
//! | `halo.strategy` | for |
//! |---|---|
//! | `mma_m16n8k16_MxNxK` | bf16 and f16 on tensor cores, sums in f32 |
//! | `mma_m16n8k8_3xtf32_MxNxK` | f32 on tensor cores, each factor as two numbers of TF32 |
//! | `mma_m16n8k8_tf32_MxNxK` | f32 on tensor cores, where the program allows TF32 |
//! | `registers_MxNxK` | all other numbers, and f32 of the highest precision |
//! | `vector_rows_by_warp` | one row, B contiguous along k |
//! | `vector_rows_by_block` | the same for a few long rows |
//! | `vector_columns_by_thread` | one row, B contiguous along n |
//!
//! ```mlir
//! linalg.generic {(m, n, k) -> (m, k), (k, n), (m, n)}
//!     ins(%a, %b : memref<1024x1024xbf16>, memref<1024x1024xbf16>)
//!     outs(%c : memref<1024x1024xf32>) { %c + extf(%a) * extf(%b) }
//! ```
//!
//! becomes
//!
//! ```mlir
//! gpu.launch blocks(%x, ...) in (%c256, %c1, %c1) threads(%t, ...) in (%c128, %c1, %c1)
//!     workgroup(%tiles_a : memref<8192xbf16, #gpu.address_space<workgroup>>, %tiles_b : ...) {
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
//! Sizes that are no multiples of a tile are filled up with zeros in workgroup
//! memory. Products that are too small for any of this, and types without a
//! kernel here, are left as they are. Elementwise ops on C that nothing else
//! reads are computed on the sums, and patches of a convolution are read where
//! they lie ([`neighbours`]). A long k is divided among blocks where C is small
//! ([`split_k`]).
//!
//! With `dot=library` a product that the library of the device's maker has is
//! left to it, as a call ([`library`]); with `dot=auto`, one that is large enough
//! for the library to be faster ([`strategy::suits_library`]).

pub mod addresses;
pub mod epilogue;
pub mod library;
pub mod neighbours;
pub mod product;
pub mod provider;
pub mod refine;
pub mod registers;
pub mod split_k;
pub mod staging;
pub mod strategy;
pub mod tensor_core;
pub mod vector;

use super::kernel;
use crate::loops::{emit::Emitted, fill};
use epilogue::Epilogue;
use halo_ir::pass::{
    OptionKind, PassDeclaration, PassFailure, PassInvocation, PassOption, emit_error,
};
use halo_ir::{
    BuildError, Builder, Operation, collect_operations, is_structured, operation_key,
    ops::{Op, gpu},
    with_builder,
};
use melior::ir::operation::OperationLike;
use neighbours::Behind;
use product::Product;
use provider::Provider;
use registers::Registers;
use std::collections::HashSet;
use strategy::Strategy;
use tensor_core::TensorCore;
use vector::Vector;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-gpu-contractions",
    summary: "Make kernels of the matrix products on buffers",
    anchor: "builtin.module",
    dependent_dialects: &[
        "arith", "func", "gpu", "halo", "linalg", "math", "memref", "nvgpu", "scf", "vector",
    ],
    options: &[PassOption {
        name: "dot",
        description: "What computes products: 'codegen', kernels; 'library', the library of the \
                      device's maker where it can; 'auto', what is expected to be faster",
        default: "codegen",
        kind: OptionKind::String,
    }],
    run,
};

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let failed = |message: &str| {
        emit_error(invocation.operation().location(), message);
        PassFailure
    };
    let dot: Provider = (invocation.option("dot").parse())
        .map_err(|error: String| failed(&format!("option 'dot': {error}")))?;
    let mut taken = HashSet::new();
    for operation in collect_operations(invocation.operation(), is_structured) {
        if taken.contains(&operation_key(operation)) {
            continue;
        }
        let lowering = Lowering { operation, dot };
        with_builder(operation, |builder| lowering.run(builder, &mut taken))
            .map_err(|error| failed(&format!("internal error: {error}")))?;
    }
    Ok(())
}

/// An op on its way to a kernel or a call.
struct Lowering<'c> {
    operation: Operation<'c>,
    dot: Provider,
}

/// A product, the ops that made its factors, and the op behind it.
struct Found<'c> {
    product: Product<'c>,
    movers: Vec<Operation<'c>>,
    behind: Option<Behind<'c>>,
}

impl<'c> Lowering<'c> {
    /// Makes a kernel or a call of the op if it is a product. The ops behind it
    /// that go with it are erased, and noted.
    fn run(&self, builder: &Builder<'c>, taken: &mut HashSet<usize>) -> Emitted<()> {
        let Some(product) = Product::of(builder, self.operation)? else {
            return Ok(());
        };
        if let Some((call, found)) = self.call(builder, &product)? {
            return self.replace(builder, taken, (&product, found), |builder, _, _| {
                call.emit(builder)
            });
        }
        let is_reachable = |operand: &product::Operand| kernel::is_reachable(operand.value);
        if Strategy::of(&product.simplified()).is_none()
            || !product.operands.iter().all(is_reachable)
        {
            return Ok(());
        }
        let (direct, movers) = neighbours::before(builder, self.operation, product.clone())?;
        if let Some(parts) = split_k::parts_of(&direct.simplified()) {
            let divided = parts.product(builder)?;
            let epilogue = Epilogue {
                overwrite: true,
                consumer: None,
            };
            emit(builder, &divided.simplified(), &epilogue)?;
            parts.add_up(builder, &divided)?;
            builder.erase(self.operation)?;
            erase_unread(builder, movers, &product)?;
            return Ok(());
        }
        let found = self.with_behind(builder, direct, movers)?;
        self.replace(
            builder,
            taken,
            (&product, found),
            |builder, product, epilogue| emit(builder, &product.simplified(), epilogue),
        )
    }

    /// The call that the product is made, if it is to be one: with what is
    /// before it where a library can read that, too.
    fn call(
        &self,
        builder: &Builder<'c>,
        product: &Product<'c>,
    ) -> Emitted<Option<(library::Call<'c>, Found<'c>)>> {
        if !library::is_wanted(self.dot, product) || fill::zero_fill_of(self.operation).is_none() {
            return Ok(None);
        }
        let (direct, movers) = neighbours::before(builder, self.operation, product.clone())?;
        for (product, movers) in [(direct, movers), (product.clone(), Vec::new())] {
            let found = self.with_behind(builder, product, movers)?;
            if let Some(call) = library::Call::of(&found.product, found.behind.as_ref()) {
                return Ok(Some((call, found)));
            }
        }
        Ok(None)
    }

    fn with_behind(
        &self,
        builder: &Builder<'c>,
        product: Product<'c>,
        movers: Vec<Operation<'c>>,
    ) -> Emitted<Found<'c>> {
        let overwrite = fill::zero_fill_of(self.operation).is_some();
        let behind = neighbours::behind(builder, self.operation, &product, overwrite)?;
        Ok(Found {
            product,
            movers,
            behind,
        })
    }

    /// Puts what a function makes in the place of the op and of what was found
    /// around it.
    fn replace(
        &self,
        builder: &Builder<'c>,
        taken: &mut HashSet<usize>,
        (original, found): (&Product<'c>, Found<'c>),
        make: impl FnOnce(&Builder<'c>, &Product<'c>, &Epilogue<'c>) -> Emitted<()>,
    ) -> Emitted<()> {
        let overwrite = fill::fold_zero_fill(builder, self.operation)?;
        let (product, consumer, consumed) = match found.behind {
            Some(behind) => {
                builder.set_before(behind.operation);
                let Behind {
                    product,
                    consumer,
                    operation,
                } = behind;
                (product, Some(consumer), Some(operation))
            }
            None => (found.product, None, None),
        };
        let epilogue = Epilogue {
            overwrite,
            consumer,
        };
        make(builder, &product, &epilogue)?;
        builder.erase(self.operation)?;
        if let Some(consumed) = consumed {
            taken.insert(operation_key(consumed));
            builder.erase(consumed)?;
            neighbours::erase_unread(builder, original.operands[product::C].value)?;
        }
        erase_unread(builder, found.movers, original)?;
        Ok(())
    }
}
/// Erases what made the factors of a product that are now read elsewhere.
fn erase_unread<'c>(
    builder: &Builder<'c>,
    movers: Vec<Operation<'c>>,
    product: &Product<'c>,
) -> Result<(), BuildError> {
    for mover in movers {
        builder.erase(mover)?;
    }
    for factor in [product::A, product::B] {
        neighbours::erase_views(builder, product.operands[factor].value)?;
    }
    Ok(())
}

fn emit<'c>(builder: &Builder<'c>, product: &Product<'c>, epilogue: &Epilogue<'c>) -> Emitted<()> {
    // What neighbours add to a product changes no sizes, so that it still has a
    // kernel.
    let strategy = Strategy::of(product).ok_or_else(|| BuildError::new(gpu::LaunchOp::NAME))?;
    let name = strategy.name(product);
    match strategy {
        Strategy::TensorCore(tile) => TensorCore {
            product,
            epilogue,
            tile,
        }
        .emit(builder, &name),
        Strategy::Registers(tile) => Registers {
            product,
            epilogue,
            tile,
        }
        .emit(builder, &name),
        Strategy::RowsByWarp => Vector { product, epilogue }.emit_rows(builder, &name, false),
        Strategy::RowsByBlock => Vector { product, epilogue }.emit_rows(builder, &name, true),
        Strategy::ColumnsByThread => Vector { product, epilogue }.emit_columns(builder, &name),
    }
}
