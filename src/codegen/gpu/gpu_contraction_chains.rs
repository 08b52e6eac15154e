//! `--halo-gpu-contraction-chains`: lowers chains of contractions to kernels that keep tiles in
//! registers.
//!
//! `--halo-fuse-contraction-chains` with the option `registers` tiles chains such as attention: an
//! iteration of a parallel loop computes some rows, by a loop over blocks of columns. Here an
//! iteration becomes a block, each of whose warps computes 16 of the rows. All intermediate values
//! of these rows are in the registers of the warp, in the layout of the result of `mma.sync`: a lane
//! has two adjacent columns of each eight, in two rows. The result of a product is a factor of the
//! next one without an exchange between lanes.
//!
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%c2048) step (%c1) {
//!   %sums = memref.alloc() : memref<64x64xf32>
//!   scf.for %column = %c0 to %c2048 step %c64 {
//!     %keys = memref.subview %k[%head, %column, 0] [1, 64, 64] [1, 1, 1]
//!     %scores = memref.alloc() : memref<64x64xf32>
//!     linalg.generic {(m, n, k)} ins(%queries, %keys) outs(%scores)
//!     linalg.generic {(m, n)} ins(%scores, %maxima) outs(%scores) { subf, exp }
//!     %values = memref.subview %v[%head, %column, 0] [1, 64, 64] [1, 1, 1]
//!     linalg.generic {(m, n, k)} ins(%scores, %values) outs(%sums)
//!   }
//!   memref.copy %sums, %result
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! gpu.launch blocks(%i, ...) in (%c2048, ...) threads(%thread, ...) in (%c128, ...)
//!     workgroup(%keys : memref<4096xbf16, ...>, %values : memref<4096xbf16, ...>) {
//!   // nvgpu.device_async_copy of the first keys
//!   %sums:32 = scf.for %column = ... iter_args(...) -> (f32, ...) {
//!     // wait for the keys, copy the values; nvgpu.mma.sync of queries and keys; exp
//!     // wait for the values, copy the next keys; nvgpu.mma.sync of scores and values
//!   }
//!   // memref.store of the sums
//! } {halo.strategy = "contraction_chain"}
//! ```
//!
//! The other factor of each product is copied to workgroup memory, while the product before it is
//! computed. f32 is split into two TF32 numbers, as in [`gpu_contractions`](super::gpu_contractions);
//! where the product of the first parts is not finite, it is the result, without a second
//! computation.

mod code;
mod elements;
mod factor;
mod products;
mod roles;

use super::{
    buffers,
    launch::{Dimensions, WARP, launch},
};
use crate::loops::{contraction::DirectBody, prelude::*};
use code::Code;
use factor::Factor;
use halo_ir::prelude::*;
use roles::{Role, Roles};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Round factors of f32 to TF32, instead of splitting them
        tf32: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-gpu-contraction-chains",
    "Lower chains of contractions in parallel loops to kernels with tiles in registers",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "gpu", "memref", "nvgpu", "scf", "vector"])
.options::<Options>();

/// The rows of a warp.
const WARP_ROWS: i64 = 16;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    pass.for_each(
        |operation| operation.isa::<scf::ParallelOp>(),
        |builder, operation| {
            if let Some(chain) = Chain::of(operation, options.tf32) {
                chain.emit(builder);
                builder.erase(operation);
            }
        },
    )
}

/// A parallel loop whose iterations compute rows of a chain.
struct Chain<'c> {
    body: Block<'c>,
    iterations: i64,
    rows: i64,
    roles: Roles<'c>,
    /// Whether factors of f32 are rounded to TF32.
    tf32: bool,
}

impl<'c> Chain<'c> {
    fn of(parallel: Operation<'c>, tf32: bool) -> Option<Self> {
        let body = parallel.body(0)?;
        let [lower, upper, step] = parallel.operands()[..] else {
            return None;
        };
        let bounds = [lower, upper, step].map(constant_index);
        let [Some(0), Some(iterations), Some(1)] = bounds else {
            return None;
        };
        let roles = Roles::of(parallel)?;
        let rows = roles.rows()?;
        let chain = Self {
            body,
            iterations,
            rows,
            roles,
            tf32,
        };
        body.operations().into_iter().all(|op| chain.supports(op)).then_some(chain)
    }

    /// Whether an op of the loop has code here.
    fn supports(&self, op: Operation<'c>) -> bool {
        if op.isa::<scf::ForOp>() {
            let bounds = op.operands().into_iter().map(constant_index);
            return op.result_count() == 0
                && bounds.collect::<Option<Vec<_>>>().is_some_and(|bounds| bounds[0] < bounds[1])
                && op.body(0).is_some_and(|body| {
                    body.operations()
                        .into_iter()
                        .all(|op| !op.isa::<scf::ForOp>() && self.supports(op))
                });
        }
        if op.is_structured() {
            return self.supports_structured(op);
        }
        match op.name() {
            memref::AllocOp::NAME
            | memref::DeallocOp::NAME
            | memref::CopyOp::NAME
            | scf::ReduceOp::NAME
            | scf::YieldOp::NAME => true,
            name if name.starts_with("arith.") || name.starts_with("affine.") => true,
            _ => view_source(op).is_some_and(|source| !self.roles.is_tile(source)),
        }
    }

    fn supports_structured(&self, op: Operation<'c>) -> bool {
        if op.isa::<linalg::FillOp>() {
            return op.operands().last().is_some_and(|output| self.roles.is_tile(*output));
        }
        if let Some(product) = self.roles.product(op) {
            return Factor::of(&product).is_some();
        }
        let Some(loops) = self.roles.loops(op) else {
            return false;
        };
        let kinds = op.cast::<linalg::GenericOp>().map(linalg::GenericOp::iterator_types);
        let sums = kinds.unwrap_or_default().into_iter().enumerate();
        let mut sums = sums.filter(|(_, kind)| *kind != IteratorType::Parallel);
        let only_columns = sums.clone().all(|(number, _)| loops[number] == Role::Column);
        let reduces = sums.next().is_some();
        only_columns && (!reduces || code::combiner(op).is_some())
    }

    fn emit(&self, builder: &Builder<'c>) {
        let warps = (self.rows + WARP_ROWS - 1) / WARP_ROWS;
        let dimensions = Dimensions {
            grid: [self.iterations, 1, 1],
            block: [warps * WARP, 1, 1],
        };
        let factors = self.factors();
        let mut shared = factor::slots(builder, &factors);
        let kept = factors
            .first()
            .and_then(|factors| factors.iter().map(Factor::kept_columns).max());
        if let Some(columns) = kept.filter(|columns| *columns > 0) {
            let elements = (code::columns_of_lane(columns) * code::HALVES) as i64;
            let float = Type::float32(builder.context());
            shared.push(buffers::shared_type(
                builder,
                &[elements * warps * WARP],
                float,
            ));
        }
        launch(
            builder,
            "contraction_chain",
            dimensions,
            &shared,
            |builder, ids, shared| {
                let (slots, kept) = shared.split_at(factors.len());
                let kept = (slots, kept.first().copied());
                let mut code = Code::new(builder, &self.roles, (self.rows, warps), ids, kept);
                code.tf32 = self.tf32;
                if let Some(argument) = self.body.arguments().first() {
                    code.map.insert(argument.key(), ids.block[0]);
                }
                code.emit_block(builder, self.body, None);
            },
        );
    }

    /// The factors of the products, by their position in a block of columns.
    fn factors(&self) -> Vec<Vec<Factor<'c>>> {
        let mut slots: Vec<Vec<Factor>> = Vec::new();
        let loops = self
            .body
            .operations()
            .into_iter()
            .filter_map(|op| op.isa::<scf::ForOp>().then(|| op.body(0)).flatten());
        for block in loops.chain([self.body]) {
            for (number, product) in self.roles.products(block).iter().enumerate() {
                if slots.len() <= number {
                    slots.push(Vec::new());
                }
                slots[number].extend(Factor::of(product));
            }
        }
        slots
    }
}

/// Whether an op is a product of two matrices.
fn is_product(op: Operation) -> bool {
    let loops = op.cast::<linalg::GenericOp>().map(linalg::GenericOp::iterator_types);
    loops.is_some_and(|loops| loops.len() == 3) && op.body(0).and_then(DirectBody::of).is_some()
}
