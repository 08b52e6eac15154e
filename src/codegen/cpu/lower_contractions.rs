//! `--halo-lower-contractions`: lowers contractions on buffers to packed panels
//! and a register-tiled kernel.
//!
//! [`crate::contraction`] has the rooms of this lowering: `matmul.rs` recognizes the contraction,
//! `plan.rs` chooses the tiles, `pack.rs` and `kernel.rs` emit panels and the innermost loop.
//!
//! The innermost loop of a fast contraction only multiplies and adds in registers. So this pass
//! emits vectors instead of relying on LLVM's vectorizer: registers hold a tile of the result over
//! a range of k, lhs and rhs are read sequentially from packed copies, and reused elements stay in
//! the cache.
//!
//! ```mlir
//! linalg.matmul ins(%a, %b : memref<1024x64xf32>, memref<64x512xf32>)
//!               outs(%c : memref<1024x512xf32>)
//! ```
//!
//! becomes, for vectors of 512 bits and tiles of 8 rows by 2 vectors,
//!
//! ```mlir
//! %bp = memref.alloc() : memref<16x64x32xf32>       // rhs as [N/32][K][32]
//! scf.parallel (%j) = (%c0) to (%c16) step (%c1) { pack a panel of rhs }
//! scf.parallel (%task) = ... {                      // blocks of the result
//!   %ap = memref.alloc() : memref<1x64x8xf32>       // on the stack of the thread
//!   scf.for %i = ... {
//!     pack 8 rows of lhs
//!     scf.for %j = ... {
//!       %acc:16 = scf.for %k = ... iter_args(...) -> (vector<16xf32>, ...) {
//!         // 2 vector.load of rhs, 8 broadcasts of lhs, 16 vector.fma
//!       }
//!       tile of the result += %acc
//! ```
//!
//! Loop-invariant rhs, such as the weights of a recurrent network, is packed before the loop, and
//! constant rhs at compile time ([`constants`]).
//!
//! Operands that the body computes from narrower elements, such as weights of few bits with scales,
//! are computed in registers as they are packed or streamed ([`crate::contraction::computed`]).
//!
//! An elementwise op that reads the result next becomes an epilogue of the tasks
//! ([`crate::contraction::epilogue`]). The option `explain` emits a remark for each reason why an op does not, and for
//! computed operands.
//!
//! An operand that is read once is not packed. Lhs is read directly if the result has few columns.
//! If the result has few rows, so that rhs bounds the speed, rhs is streamed
//! ([`crate::contraction::row_stream`]). A matrix with contiguous rows that is multiplied by a few vectors is read
//! several rows in parallel ([`crate::contraction::matvec`]). `--halo-linalg-to-loops` lowers small contractions
//! and other dot products along contiguous rows; its row reductions run at memory bandwidth.
//! [`crate::contraction::plan`] selects the tiling, or the option `plans` by measurements, and [`crate::contraction::tiled`] emits the loops.

use crate::{
    contraction::{
        dynamic_blocks, dynamic_rows,
        epilogue::{Epilogue, NO_READER},
        im2col::patches::Patches,
        isa::{Bf16Products, Instructions, IntegerProducts, OuterProducts},
        matmul::Matmul,
        matvec::Matvec,
        normalize::normalize_contraction,
        pack::constants::{self, ConstantRhs, PackedConstants, erase_views},
        plan::{Loops, Packing, Plan, Plans, Product, SHARED_BYTES, SMALL},
        row_stream::{RowStream, exceeds_caches},
        tiled::{Packed, TiledMatmul},
    },
    explain::{Decision, Outcome, Reason},
    loops::{aliases::is_in_parallel_loop, fill, invariants::invariant_loop, prelude::*},
};
use halo_core::machine::Machine;
use halo_ir::prelude::*;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The machine that code is for
        machine: Machine = "x86-64-v4",
        /// Vectors are registers of SVE
        sve: bool = false,
        /// The dot products of bf16 that the target has, in addition to vectors of 512 bits
        bf16_products: Bf16Products = "none",
        /// The dot products of integers that the target has
        integer_products: IntegerProducts = "none",
        /// The outer products that the target adds to tiles of SME
        outer_products: OuterProducts = "none",
        /// Bits of the vectors of the outer products
        streaming_bits: i64 = 512,
        /// Small register tiles, for code that is made faster and runs slower
        small_tiles: bool = false,
        /// Report why the op that reads a result is not fused with its product, and measured plans
        explain: bool = false,
        /// Plans in place of the model's, each as SIGNATURE:PLAN; '*' is any signature, and a plan
        /// without choices is the model's
        plans: Vec<String> = "",
        /// Report each product that plans can tile
        report_products: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-lower-contractions",
    "Lower contractions on buffers to packed panels and register tiles",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&[
    "amx", "arith", "linalg", "llvm", "memref", "scf", "ub", "vector",
])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    let instructions = Instructions {
        machine: options.machine,
        sve: options.sve,
        bf16_products: options.bf16_products,
        integer_products: options.integer_products,
        outer_products: options.outer_products,
        streaming_bits: options.streaming_bits,
    };
    if !is_length_of_registers(instructions.streaming_bits) {
        return Err(PassFailure::at(
            pass.operation(),
            "streaming-bits must be a power of two from 128 to 2048",
        ));
    }
    let plans = Plans::parse(&options.plans).map_err(|error| {
        PassFailure::at(pass.operation(), format_args!("option 'plans': {error}"))
    })?;
    let planning = Planning {
        pass,
        plans,
        explains: options.explain,
        reports: options.report_products,
    };
    let constants = PackedConstants::default();
    pass.for_each(Operation::is_structured, |builder, operation| {
        let tiles = (instructions, options.small_tiles);
        let place = operation.location();
        let explain = |reader: Option<Operation>, decision: Decision| {
            if options.explain {
                let report = decision.remark(pass, place);
                if let Some(reader) = reader {
                    report.note(reader, "what reads it");
                }
            }
        };
        lower(builder, operation, tiles, (&constants, &explain), &planning)
    })?;
    constants.erase_unused();
    Ok(())
}

/// The plans of products, and reports about them.
struct Planning<'a> {
    pass: &'a PassInvocation<'a>,
    plans: Plans,
    explains: bool,
    reports: bool,
}

impl Planning<'_> {
    /// Reports a product, and its plan if one is given.
    fn report(&self, operation: Operation, product: &Product, plan: Option<&Plan>) {
        if self.reports {
            let message = format!("is the product {}", product.signature());
            self.pass.remark(operation, message).detail(*product);
        }
        if let Some(plan) = plan.filter(|_| self.explains)
            && let Some(of_model) = product.tiling().map(|tiling| tiling.choices())
        {
            let message = if *plan == Plan::default() {
                format!("is tiled by the model's plan {of_model}: it was the fastest one measured")
            } else {
                format!("is tiled by {plan}, the fastest plan measured, in place of {of_model}")
            };
            self.pass.remark(operation, message);
        }
    }
}

/// Whether `bits` is a valid streaming vector length.
fn is_length_of_registers(bits: i64) -> bool {
    (128..=2048).contains(&bits) && bits.count_ones() == 1
}

/// The reason why convolutions have no epilogue.
const OF_CONVOLUTIONS: Reason = Reason::SharedConvolutionKernel;

/// Callback with the op that reads a contraction, if known, and a decision, such as why it is not an
/// epilogue.
type Explain<'a> = dyn Fn(Option<Operation>, Decision) + 'a;

/// Lowers a contraction, and the op that reads its result if it can be an epilogue.
fn lower<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    (instructions, has_small_tiles): (Instructions, bool),
    (constants, explain): (&PackedConstants<'c>, &Explain<'_>),
    planning: &Planning<'_>,
) -> Result<(), String> {
    let tiles = (instructions, has_small_tiles);
    let is_dynamic = |ty: Type| ty.is_memref() && ty.static_shape().is_none();
    if operation.operands().types().into_iter().any(is_dynamic)
        && let Some(products) = products_of_dynamic(builder, operation, tiles, constants)
    {
        for op in products {
            with_builder(op, |builder| {
                lower(builder, op, tiles, (constants, explain), planning)
            })?;
        }
        return Ok(());
    }
    let mut epilogue = Epilogue::of(operation);
    if let Ok(found) = &epilogue {
        operation.move_before(found.operation);
        builder.set_before(operation);
        found.place_sums(builder, operation);
        epilogue = Epilogue::of(operation);
    }
    let machine = &instructions.machine;
    let (operation, matmul) = match Matmul::of(operation) {
        Some(matmul) => (operation, Some(matmul)),
        None => {
            let operation = normalize_contraction(builder, operation, SMALL);
            (operation, Matmul::of(operation))
        }
    };
    let Some(mut matmul) = matmul else {
        return Ok(());
    };
    let is_computed = matmul.is_computed();
    let computes = |reason: Reason| {
        if is_computed {
            explain(None, Outcome::ComputesOperand.because(reason));
        }
    };
    let is_alone = |reason: Reason| Outcome::NotFusedWithReader.because(reason);
    let keeps = |reason: Reason| match &epilogue {
        Ok(epilogue) => explain(Some(epilogue.operation), is_alone(reason)),
        Err(NO_READER) => {}
        Err(reason) => explain(None, is_alone(*reason)),
    };
    matmul.patches = (matmul.shape().lanes(machine.vector_bits))
        .filter(|_| !matmul.is_computed())
        .and_then(|lanes| Patches::of(&matmul, operation, lanes));
    let is_nested = is_in_parallel_loop(operation);
    let rhs = matmul.access(RHS).value;
    let around = invariant_loop(rhs, operation)
        .filter(|_| matmul.batch_size() == 1 && !matmul.has_patches(RHS) && !matmul.is_computed());
    if !is_nested && Matvec::of(&matmul, machine).is_some() {
        matmul.build_views(builder);
        let overwrite = fill::fold_zero_fill(builder, operation);
        keeps(Reason::MatrixVectorHasNoTiles);
        computes(Reason::ComputedAsStreamed);
        if let Some(matvec) = Matvec::of(&matmul, machine) {
            matvec.emit(builder, overwrite);
        }
        builder.erase(operation);
        return Ok(());
    }
    let constant = ConstantRhs::of(&matmul);
    let invariant_bytes = match (&constant, around) {
        (Some(_), _) => constants::MOST_BYTES,
        (None, Some(_)) => SHARED_BYTES,
        (None, None) => 0,
    };
    let product = Product {
        shape: matmul.shape(),
        instructions,
        is_nested,
        invariant_bytes,
    };
    let Some(mut tiling) = product.tiling() else {
        keeps(Reason::TooSmallForTiles);
        return Ok(());
    };
    let plan = planning.plans.of(&product);
    if let Some(plan) = plan {
        tiling = product.tiling_by(plan).map_err(|error| {
            let signature = product.signature();
            let message = format!("plan '{plan}' does not fit '{signature}': {error}");
            planning.pass.error(operation, &message);
            message
        })?;
    }
    if has_small_tiles {
        tiling = tiling.with_small_tiles();
    }
    let mut invariant = [None; 2];
    if let (Packing::Invariant, Some(constant)) = (tiling.rhs, &constant) {
        let panels = constants.pack(builder, &matmul, constant, tiling.tile.columns);
        invariant[RHS] = Some(Packed::whole(builder, panels));
    } else if let (Packing::Invariant, Some(around)) = (tiling.rhs, around) {
        builder.set_before(around);
        let tiled = TiledMatmul {
            matmul: &matmul,
            tiling,
            overwrite: false,
            is_nested: false,
            epilogue: None,
            invariant,
        };
        invariant[RHS] = Some(tiled.pack_rhs(builder));
        builder.set_before(operation);
    }
    matmul.build_views(builder);
    if tiling.rhs == Packing::None && !matmul.contraction.is_promoted() {
        let lanes = tiling.tile.lanes;
        let matmul = &matmul;
        let stream = RowStream {
            matmul,
            lanes,
            machine,
            is_cold: exceeds_caches(operation, machine),
            is_small: has_small_tiles,
        };
        keeps(Reason::StreamedOperand);
        computes(Reason::ComputedAsStreamed);
        stream.emit(builder);
        builder.erase(operation);
        return Ok(());
    }
    planning.report(operation, &product, plan);
    computes(Reason::ComputedAsPacked);
    let refused = match &epilogue {
        Ok(_) if matmul.patches.is_some() => Some(OF_CONVOLUTIONS),
        Ok(_) if !tiling.has_whole_sums() => Some(Reason::PartialSums),
        Ok(epilogue) if !epilogue.fits(&matmul) => Some(Reason::LoopsDifferFromTiles),
        Ok(_) => None,
        Err(reason) => Some(*reason),
    };
    match (refused, &epilogue) {
        // A kernel with several call sites has the same reason for all.
        (Some(reason), Err(_)) if matmul.patches.is_some() && reason != NO_READER => {
            explain(None, is_alone(OF_CONVOLUTIONS));
        }
        (Some(reason), _) => keeps(reason),
        (None, _) => {}
    }
    let epilogue = epilogue.ok().filter(|_| refused.is_none());
    if epilogue.is_none() {
        tiling = tiling.without_epilogue();
    }
    let tiled = TiledMatmul {
        matmul: &matmul,
        tiling,
        epilogue: epilogue.as_ref(),
        overwrite: fill::fold_zero_fill(builder, operation),
        is_nested,
        invariant,
    };
    tiled.emit(builder);
    builder.erase(operation);
    if constant.is_some() {
        erase_views(builder, matmul.access(RHS).value);
    }
    if let Some(epilogue) = epilogue {
        builder.erase(epilogue.operation);
    }
    if let Some(patches) = &matmul.patches {
        patches.erase_producers(builder);
    }
    Ok(())
}

/// Lowers the loops of a contraction of dynamic shape, and returns the products of static shape that
/// are in them; `None` if it is lowered as any op.
fn products_of_dynamic<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    tiles: (Instructions, bool),
    packed: &PackedConstants<'c>,
) -> Option<Vec<Operation<'c>>> {
    if let Some(versions) = dynamic_rows::versions(builder, operation) {
        with_builder(versions.of_many, |builder| {
            lower_many_rows(builder, versions.of_many, tiles, packed)
        });
        return Some(versions.of_few);
    }
    dynamic_blocks::products_of_blocks(builder, operation, tiles.0.machine.vector_bits)
}

/// Lowers a product of a dynamic number of rows to register tiles.
fn lower_many_rows<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    (instructions, has_small_tiles): (Instructions, bool),
    packed: &PackedConstants<'c>,
) {
    let Some(mut matmul) = Matmul::of_rows(operation, Some(dynamic_rows::USUAL_ROWS)) else {
        return;
    };
    let is_nested = is_in_parallel_loop(operation);
    let constant = ConstantRhs::of(&matmul);
    let product = Product {
        shape: matmul.shape(),
        instructions,
        is_nested,
        invariant_bytes: constant.as_ref().map_or(0, |_| constants::MOST_BYTES),
    };
    let of_rows = Plan {
        loops: Some(Loops::RowBlock),
        ..Plan::default()
    };
    let Ok(mut tiling) = product.tiling_by(&of_rows) else {
        return;
    };
    if has_small_tiles {
        tiling = tiling.with_small_tiles();
    }
    let mut invariant = [None; 2];
    if let (Packing::Invariant, Some(constant)) = (tiling.rhs, &constant) {
        let panels = packed.pack(builder, &matmul, constant, tiling.tile.columns);
        invariant[RHS] = Some(Packed::whole(builder, panels));
    }
    matmul.build_views(builder);
    let tiled = TiledMatmul {
        matmul: &matmul,
        tiling: tiling.without_epilogue(),
        epilogue: None,
        overwrite: fill::fold_zero_fill(builder, operation),
        is_nested,
        invariant,
    };
    tiled.emit(builder);
    builder.erase(operation);
    if constant.is_some() {
        erase_views(builder, matmul.access(RHS).value);
    }
}
