//! `--halo-linalg-to-kernels`: lowers each linalg op and each parallel loop of
//! an entry function to a kernel.
//!
//! The access pattern of an op decides the strategy of its kernel:
//!
//! | strategy | for | threads |
//! |---|---|---|
//! | `elementwise` | no reduction | one per 128 bits of the result |
//! | `transpose` | transposed contiguous dimensions | a block per tile of 32 by 32, through shared memory |
//! | `row_reduction` | a reduction along contiguous memory | a warp or a block per result, with shuffles |
//! | `group` | a parallel loop around structured ops or parallel loops | a block per iteration, in workgroup memory |
//! | `small_ops` | adjacent ops of few elements | one block for all ops |
//! | `column_reduction` | a strided reduction | one per column of a block of rows |
//! | `ordered_reduction` | reductions of many elements by any function | a block per results, through shared memory |
//! | `scan` | running reductions along contiguous memory | a block per row |
//! | `sequential_reduction` | all other reductions | one per result |
//! | `parallel_loop` | other parallel loops | one per iteration |
//! | `scatter` | updates at listed positions | a thread or a block per position, or a thread per element of one window |
//!
//! ```mlir
//! linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
//!     iterator_types = ["parallel"]}
//!     ins(%in : memref<1000xf32>) outs(%out : memref<1000xf32>) {
//! ^bb0(%x: f32, %y: f32):
//!   %0 = arith.addf %x, %x : f32
//!   linalg.yield %0 : f32
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! gpu.launch blocks(%bx, %by, %bz) in (%c1, ..) threads(%tx, %ty, %tz) in (%c256, ..) {
//!   %i = ...  // 256 %bx + %tx
//!   scf.if %inside {  // %i < 250
//!     %x = vector.load %in[4 %i] {alignment = 16} : memref<1000xf32>, vector<4xf32>
//!     ...
//!     vector.store %sum, %out[4 %i] {alignment = 16} : memref<1000xf32>, vector<4xf32>
//!   }
//!   gpu.terminator
//! } {halo.strategy = "elementwise"}
//! ```
//!
//! An op reads the unpadded source of padding, a reduction starts from the fill value of its result
//! ([`folded_writes`](crate::loops::folded_writes)), and the kernel of a reduction computes an
//! elementwise op on its result (`epilogue`): padding, fills and intermediate results need no
//! kernels.
//!
//! Partial results are combined in a fixed order: results do not depend on the order of blocks. Ops
//! in a parallel loop become sequential code of one thread.

mod block;
mod columns;
mod epilogue;
mod groups;
mod iterations;
mod kernel;
mod loops;
mod nests;
mod ordered;
mod parts;
mod row;
mod rows;
mod runs;
mod scans;
mod scatter;
mod transpose;

use crate::loops::{
    access::{self, copy_as_generic},
    folded_writes::FoldedWrites,
    prelude::*,
    reduction,
};
use epilogue::{Epilogue, Epilogues};
use halo_ir::prelude::*;
use kernel::Kernel;
pub(super) use nests::is_parallel_loop;
use nests::{nest_of, runs_in_kernel};
pub(super) use scatter::is_scatter;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-linalg-to-kernels",
    "Lower linalg ops and parallel loops of entry functions to kernels for GPUs",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "gpu", "linalg", "memref", "scf", "vector"]);

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    invocation.for_each(
        |operation| operation.isa::<arith::SelectOp>() && !runs_in_kernel(operation),
        |builder, operation| {
            if let Some(choice) = operation.cast::<arith::SelectOp>() {
                copy_choice(builder, choice);
            }
        },
    )?;
    let function = invocation.operation();
    let (folded, mut epilogues) = with_builder(function, |builder| prepare(builder, function));
    let operations = function.collect_nested(|operation| {
        operation.is_structured() && !epilogues.contains(operation)
            || scatter::is_scatter(operation)
            || is_parallel_loop(operation)
            || operation.isa::<memref::CopyOp>()
    });
    let mut wanted: Vec<_> = operations
        .into_iter()
        .filter_map(|operation| {
            let in_kernel = runs_in_kernel(operation);
            let copies = operation.isa::<memref::CopyOp>();
            let wanted = if copies {
                in_kernel || !is_plain_copy(operation)
            } else {
                !in_kernel
            };
            wanted.then_some((operation, in_kernel))
        })
        .collect();
    // Ops in a loop are rewritten before the loop is cloned.
    wanted.sort_by_key(|(_, in_kernel)| !in_kernel);
    for (operation, in_kernel) in wanted {
        with_builder(operation, |builder| {
            if !in_kernel {
                let epilogue = epilogues.take(operation);
                return lower(builder, operation, &folded, epilogue);
            }
            // Kernels have no library function for copies.
            copy_as_generic(builder, operation);
            builder.erase(operation)
        });
    }
    Ok(())
}

/// Erases folded fills and padding, lowers runs of small ops, and finds the epilogues of
/// reductions.
fn prepare<'c>(
    builder: &Builder<'c>,
    function: Operation<'c>,
) -> (FoldedWrites<'c>, Epilogues<'c>) {
    let is_kernel = |operation: Operation<'c>, _: &LoopNest<'c>| !runs_in_kernel(operation);
    let mut folded = FoldedWrites::default();
    folded.take_padding(builder, function, &is_kernel, &mut |_, _, _| {});
    folded
        .padded
        .join_fills_and_copies(builder, function, |copy| !runs_in_kernel(copy));
    folded.take_fills(builder, function, &is_kernel);
    runs::lower(function, &folded);
    let epilogues = Epilogues::of(function, &folded);
    folded.padded.erase_copies(builder);
    (folded, epilogues)
}

/// Copies the selected buffer to a new buffer, because the host cannot pass a selected buffer to a
/// kernel.
fn copy_choice<'c>(builder: &Builder<'c>, choice: arith::SelectOp<'c>) {
    let (condition, one, other) = (
        choice.condition(),
        choice.true_value(),
        choice.false_value(),
    );
    let (true, Some(dims)) = (one.ty().is_memref(), one.ty().static_shape()) else {
        return;
    };
    let copy = memref::alloc_aligned(builder, &dims, one.ty().element_type());
    let copy_of = |source| {
        move |builder: &Builder<'c>| -> Vec<Value<'c>> {
            memref::copy(builder, source, copy);
            Vec::new()
        }
    };
    scf::if_else(builder, condition, copy_of(one), copy_of(other));
    builder.replace(choice.operation(), &[copy])
}

/// Returns true if a copy moves contiguous bytes between statically known locations.
pub fn is_plain_copy(operation: Operation) -> bool {
    operation.operands().iter().all(|operand| is_contiguous(operand.ty()))
}

/// Returns true if the elements of a memref are contiguous, in order, from a static offset.
pub fn is_contiguous(ty: halo_ir::Type) -> bool {
    if !ty.is_memref() {
        return false;
    }
    let Some(dims) = ty.static_shape() else {
        return false;
    };
    if ty.has_identity_layout() {
        return true;
    }
    let Some((strides, Some(_))) = ty.strides() else {
        return false;
    };
    let mut expected = 1;
    for (size, stride) in dims.iter().zip(strides).rev() {
        if *size != 1 && stride != Some(expected) {
            return false;
        }
        expected *= size;
    }
    true
}

fn lower<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    folded: &FoldedWrites<'c>,
    epilogue: Option<(Operation<'c>, Epilogue<'c>)>,
) {
    if is_parallel_loop(operation) {
        if groups::lower(builder, operation) || loops::lower(builder, operation) {
            builder.erase(operation);
        }
        return;
    }
    if scatter::is_scatter(operation) {
        return scatter::lower(builder, operation);
    }
    if operation.isa::<memref::CopyOp>() {
        let copy = copy_as_generic(builder, operation);
        builder.erase(operation);
        return with_builder(copy, |builder| lower(builder, copy, folded, None));
    }
    let Some(mut nest) = nest_of(operation, folded) else {
        return;
    };
    let (consumer, epilogue) = epilogue.unzip();
    if let Some(consumer) = consumer {
        builder.set_before(consumer);
    }
    nest.drop_unit_dims();
    nest.fuse_dims();
    if !nest.is_empty() {
        nest.build_views(builder);
        let combiners = reduction::combiners(&nest);
        reduction::set_fastmath(builder, &combiners);
        let kernel = Kernel {
            nest,
            combiners,
            epilogue,
        };
        emit_kernel(builder, &kernel);
    }
    builder.erase(operation);
    if let Some(consumer) = consumer {
        builder.erase(consumer);
    }
}

fn emit_kernel<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>) {
    if kernel.dims(true).is_empty() {
        if transpose::lower(builder, kernel) {
            return;
        }
        return iterations::elementwise(builder, kernel);
    }
    if rows::lower(builder, kernel)
        || columns::lower(builder, kernel)
        || scans::lower(builder, kernel)
        || ordered::lower(builder, kernel)
    {
        return;
    }
    iterations::sequential_reduction(builder, kernel)
}

/// Emits a separate kernel that reduces partial results, one for each index of `partial`'s
/// dimensions, into an output.
fn combine_partial<'c>(
    builder: &Builder<'c>,
    (combiner, epilogue): (&Combiner<'c>, Option<Epilogue<'c>>),
    (partial, output): (halo_ir::Value<'c>, Access<'c>),
    reductions: &[bool],
) {
    let partials = (&[partial][..], vec![output]);
    combine_partials(
        builder,
        epilogue,
        partials,
        reductions,
        |builder, before, value| vec![combiner.combine(builder, before[0], value[0])],
    )
}

/// Emits a separate kernel that combines partial results by a function of the previous and the next
/// values, in order.
fn combine_partials<'c>(
    builder: &Builder<'c>,
    epilogue: Option<Epilogue<'c>>,
    (partials, outputs): (&[halo_ir::Value<'c>], Vec<Access<'c>>),
    reductions: &[bool],
    combine: impl FnOnce(
        &Builder<'c>,
        &[halo_ir::Value<'c>],
        &[halo_ir::Value<'c>],
    ) -> Vec<halo_ir::Value<'c>>,
) {
    let indices: Vec<_> = (0..reductions.len()).map(Expr::Dim).collect();
    let starts: Vec<_> = outputs.iter().map(|output| output.start).collect();
    let inputs = partials.iter().map(|partial| Access::of_memref(*partial, indices.clone()));
    let operands: Vec<_> = inputs.chain(outputs).collect();
    let count = partials.len();
    let generic = access::generic(builder, &operands, count, reductions, |builder, values| {
        combine(builder, &values[count..], &values[..count])
    });
    with_builder(generic, |builder| {
        if let Some(mut nest) = LoopNest::of(generic) {
            for (access, start) in nest.accesses[count..].iter_mut().zip(starts) {
                access.start = start;
            }
            let combiners = reduction::combiners(&nest);
            let kernel = Kernel {
                nest,
                combiners,
                epilogue,
            };
            emit_kernel(builder, &kernel);
        }
        builder.erase(generic)
    })
}
