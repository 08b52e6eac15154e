//! Programs of dynamic shape, compiled once per input shape.
//!
//! Kernels are generated for static shapes. A program of dynamic shapes is compiled when its inputs
//! are known: `--stablehlo-refine-arguments` substitutes the types of the inputs and the values of
//! inputs that sizes depend on, and `--stablehlo-refine-shapes` propagates them to every op. A
//! separate program first computes sizes that folding cannot compute; they become constants.
//! Compiled programs are cached by these inputs. A failed shape assertion and sizes that contradict
//! each other are errors of that run; the next one starts again.
//!
//! A new shape may not occur again, so a target with a baseline tier first uses it ([`tiers`]). At
//! the second occurrence the shape is compiled with full optimization in the background; until that
//! is done, the baseline code runs.
//!
//! ```mlir
//! func.func @main(%n: tensor<i64>, %x: tensor<?x4xf32>) -> tensor<?xf32>
//! ```
//!
//! is, for `%n = 20` and a value of 5 rows, the program
//!
//! ```mlir
//! func.func @main(%n: tensor<i64>, %x: tensor<5x4xf32>) -> tensor<20xf32>
//! ```

mod executable;
mod sizes;
pub mod tiers;

use crate::diagnostics::error_at;
use halo_core::Literal;
use halo_hlo::transforms::shapes::{
    pad_bounded_regions, set_dimension_size_expander, stablehlo_canonicalize_dynamism,
    stablehlo_refine_arguments::refine, stablehlo_refine_shapes,
};
use halo_ir::{pipeline, pipeline::Pipeline, prelude::*};
use halo_runtime::{Error, Result};
use melior::{
    Context,
    ir::{Module, Type, r#type::TupleType},
};

pub use executable::SpecializingExecutable;
use sizes::set_sizes;
pub use sizes::{computed_sizes, keep_sizes};

/// The passes that propagate known shapes. Shape assertions are custom calls, bound when the
/// program runs.
fn refine_shapes() -> Pipeline {
    pipeline![
        &stablehlo_refine_shapes::PASS,
        &stablehlo_canonicalize_dynamism::PASS,
    ]
}

/// The pass that turns sizes which change in loops and branches into values.
fn pad_bounded_regions() -> Pipeline {
    pipeline![&pad_bounded_regions::PASS]
}

/// The passes that propagate computed sizes.
fn expand_dimension_sizes() -> Pipeline {
    pipeline![&set_dimension_size_expander::PASS]
}

/// Returns true if some value of the program has a dynamic shape.
pub fn is_dynamic(module: &Module) -> bool {
    let has_dynamic = |op: Operation| {
        op.result_types().into_iter().any(has_dynamic_shape)
            || op
                .regions()
                .into_iter()
                .flat_map(RegionExt::blocks)
                .flat_map(Block::arguments)
                .any(|argument| has_dynamic_shape(argument.ty()))
    };
    !halo_ir::root_of(module).collect_nested(has_dynamic).is_empty()
}

/// Returns true if a tensor, or one in a tuple, has a dynamic dimension.
fn has_dynamic_shape(ty: Type) -> bool {
    if let Some(tuple) = ty.cast::<TupleType>() {
        return (0..tuple.type_count())
            .filter_map(|index| tuple.r#type(index).ok())
            .any(has_dynamic_shape);
    }
    ty.is_tensor() && ty.shape().is_none_or(|shape| shape.contains(&None))
}

/// The inputs that a program is specialized for.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The types or values of the arguments, in the syntax of `--stablehlo-refine-arguments`.
    pub arguments: &'a str,
    /// The [computed sizes](computed_sizes).
    pub sizes: &'a [Literal],
}

/// Runs a pipeline that propagates shapes. Shapes that contradict each other leave invalid ops, which
/// are errors in the program and not in the pass.
fn propagate(context: &Context, module: &mut Module, pipeline: &Pipeline) -> Result<()> {
    halo_hlo::run_pipeline(context, module, pipeline)
        .or_else(|error| halo_hlo::verify(context, module).and(Err(error)))
}

/// Substitutes the known properties of the inputs and propagates all shapes.
///
/// # Errors
/// Returns invalid input, at the op, if shapes contradict each other.
pub fn resolve(context: &Context, module: &mut Module, inputs: Option<Inputs<'_>>) -> Result<()> {
    if let Some(inputs) = inputs {
        let main = halo_frontend::entry_of(module)?;
        set_sizes(main, inputs.sizes).map_err(Error::internal)?;
        refine(main, inputs.arguments).map_err(Error::internal)?;
    }
    propagate(context, module, &refine_shapes())?;
    if inputs.is_none() {
        propagate(context, module, &pad_bounded_regions())?;
    }
    // Truncating one dimension may determine others.
    let count = |module: &Module| {
        let cut = |op: Operation| op.isa::<stablehlo::SetDimensionSizeOp>();
        halo_ir::root_of(module).collect_nested(cut).len()
    };
    let mut left = count(module);
    while left > 0 {
        propagate(context, module, &expand_dimension_sizes())?;
        propagate(context, module, &refine_shapes())?;
        let now = count(module);
        if now == left {
            break;
        }
        left = now;
    }
    // A computed size may contradict its use in the program.
    halo_hlo::verify(context, module)?;
    match inputs {
        Some(_) => expect_known_regions(module),
        None => Ok(()),
    }
}

/// Fails at a loop or branch whose size is still dynamic.
fn expect_known_regions(module: &Module) -> Result<()> {
    let open = |op: Operation| {
        let is_control_flow = op.isa::<stablehlo::WhileOp>()
            || op.isa::<stablehlo::IfOp>()
            || op.isa::<stablehlo::CaseOp>();
        is_control_flow && op.result_types().into_iter().any(has_dynamic_shape)
    };
    let Some(op) = halo_ir::root_of(module).collect_nested(open).first().copied() else {
        return Ok(());
    };
    let name = op.name();
    Err(error_at(
        op,
        format!(
            "'{name}' op has a result whose size changes from one iteration or branch to another: \
             expected bounds for it, and only ops in its regions that have a padded form (see \
             --halo-pad-bounded-regions); the interpreter runs it"
        ),
    ))
}
