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

pub mod addresses;
pub mod epilogue;
pub mod neighbours;
pub mod product;
pub mod refine;
pub mod registers;
pub mod split_k;
pub mod staging;
pub mod strategy;
pub mod tensor_core;
pub mod vector;

use super::{
    super::{emit::Emitted, fill},
    kernel,
};
use crate::ir::{
    BuildError, Builder, Operation, Value, collect_operations, is_structured, operation_key,
    with_builder,
};
use epilogue::Epilogue;
use halo_dialects::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use melior::ir::operation::OperationLike;
use product::Product;
use registers::Registers;
use std::collections::HashSet;
use strategy::Strategy;
use tensor_core::TensorCore;
use vector::Vector;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-gpu-contractions",
    summary: "Make kernels of the matrix products on buffers",
    anchor: "func.func",
    dependent_dialects: &["arith", "gpu", "math", "memref", "nvgpu", "scf", "vector"],
    options: &[],
    run,
};

fn run(invocation: &PassInvocation) -> Result<(), PassFailure> {
    let mut taken = HashSet::new();
    for operation in collect_operations(invocation.operation(), is_structured) {
        if taken.contains(&operation_key(operation)) {
            continue;
        }
        let lowered = with_builder(operation, |builder| lower(builder, operation, &mut taken));
        if let Err(error) = lowered {
            emit_error(
                invocation.operation().location(),
                &format!("internal error: {error}"),
            );
            return Err(PassFailure);
        }
    }
    Ok(())
}

/// Makes a kernel of an op if it is a product. The ops behind it that go into
/// the kernel are erased, and noted.
fn lower<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    taken: &mut HashSet<usize>,
) -> Emitted<()> {
    let Some(product) = Product::of(builder, operation)? else {
        return Ok(());
    };
    let is_reachable = |operand: &product::Operand| kernel::is_reachable(operand.value);
    if Strategy::of(&product.simplified()).is_none() || !product.operands.iter().all(is_reachable) {
        return Ok(());
    }
    let factors = [product::A, product::B].map(|factor| product.operands[factor].value);
    let (product, movers) = neighbours::before(builder, operation, product)?;
    if let Some(parts) = split_k::parts_of(&product.simplified()) {
        let divided = parts.product(builder)?;
        let epilogue = Epilogue {
            overwrite: true,
            consumer: None,
        };
        emit(builder, &divided.simplified(), &epilogue)?;
        parts.add_up(builder, &divided)?;
        builder.erase(operation);
        erase_unread(builder, movers, factors);
        return Ok(());
    }
    let overwrite = fill::fold_zero_fill(builder, operation);
    let behind = neighbours::behind(builder, operation, &product, overwrite)?;
    let c = product.operands[product::C].value;
    let mut epilogue = Epilogue {
        overwrite,
        consumer: None,
    };
    let (product, consumed) = match behind {
        Some(behind) => {
            epilogue.consumer = Some(behind.consumer);
            builder.set_before(behind.operation);
            (behind.product, Some(behind.operation))
        }
        None => (product, None),
    };
    emit(builder, &product.simplified(), &epilogue)?;
    builder.erase(operation);
    if let Some(consumed) = consumed {
        taken.insert(operation_key(consumed));
        builder.erase(consumed);
        neighbours::erase_unread(builder, c);
    }
    erase_unread(builder, movers, factors);
    Ok(())
}

/// Erases what made the factors that are now read elsewhere.
fn erase_unread<'c>(builder: &Builder<'c>, movers: Vec<Operation<'c>>, factors: [Value<'c>; 2]) {
    for mover in movers {
        builder.erase(mover);
    }
    for factor in factors {
        neighbours::erase_views(builder, factor);
    }
}

fn emit<'c>(builder: &Builder<'c>, product: &Product<'c>, epilogue: &Epilogue<'c>) -> Emitted<()> {
    // What neighbours add to a product changes no sizes, so that it still has a
    // kernel.
    let strategy = Strategy::of(product).ok_or_else(|| BuildError {
        operation: "gpu.launch".to_owned(),
    })?;
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
