//! Programs of dynamic shape, compiled anew for each shape that they meet.
//!
//! Kernels are generated for static shapes. A program of dynamic shapes is
//! compiled when its inputs are known: the types of the inputs, and the values
//! of those inputs that sizes depend on, are substituted by
//! `--stablehlo-refine-arguments`, and `--stablehlo-refine-shapes` propagates
//! them to every op. Sizes that folding cannot compute are computed first, by a
//! separate program, and become constants. Compiled programs are kept by
//! these inputs. A failed shape assertion and sizes that do not fit are errors
//! of that run; the next one starts anew.
//!
//! A shape that is met for the first time may not be met again, so a target that can
//! compiles it quickly ([`tiers`]). At the second meeting it is compiled again, with full
//! optimization and in the background; until that is done, the quick code runs.
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

use crate::backends::lowering::error_at;
use halo_core::Literal;
use halo_hlo::transforms::{
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

/// The passes that propagate known shapes. Assertions about shapes are custom
/// calls, created when the program runs.
fn refine_shapes() -> Pipeline {
    pipeline![
        &stablehlo_refine_shapes::PASS,
        &stablehlo_canonicalize_dynamism::PASS,
    ]
}

/// The pass that takes sizes which change in loops and branches out of their types.
fn pad_bounded_regions() -> Pipeline {
    pipeline![&pad_bounded_regions::PASS]
}

/// The passes that propagate computed sizes.
fn expand_dimension_sizes() -> Pipeline {
    pipeline![&set_dimension_size_expander::PASS]
}

/// Whether some value of the program has a shape that is not known.
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

/// Whether a tensor, or one in a tuple, has a dimension of unknown size.
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
    /// The types of the arguments, or their values, as
    /// `--stablehlo-refine-arguments` reads them.
    pub arguments: &'a str,
    /// The [computed sizes](computed_sizes).
    pub sizes: &'a [Literal],
}

/// Substitutes the known properties of the inputs and propagates all shapes.
///
/// # Errors
/// Invalid input, at the op, if shapes contradict one another.
pub fn resolve(context: &Context, module: &mut Module, inputs: Option<Inputs<'_>>) -> Result<()> {
    if let Some(inputs) = inputs {
        let main = halo_frontend::entry_of(module)?;
        set_sizes(main, inputs.sizes).map_err(Error::internal)?;
        refine(main, inputs.arguments).map_err(Error::internal)?;
    }
    halo_hlo::run_pipeline(context, module, &refine_shapes())?;
    if inputs.is_none() {
        halo_hlo::run_pipeline(context, module, &pad_bounded_regions())?;
    }
    // A dimension may be as long as another one is after it was cut.
    let count = |module: &Module| {
        let cut = |op: Operation| op.isa::<stablehlo::SetDimensionSizeOp>();
        halo_ir::root_of(module).collect_nested(cut).len()
    };
    let mut left = count(module);
    while left > 0 {
        halo_hlo::run_pipeline(context, module, &expand_dimension_sizes())?;
        halo_hlo::run_pipeline(context, module, &refine_shapes())?;
        let now = count(module);
        if now == left {
            break;
        }
        left = now;
    }
    // A size that is computed at run time may not fit its use in the program.
    halo_hlo::verify(context, module)?;
    match inputs {
        Some(_) => expect_known_regions(module),
        None => Ok(()),
    }
}

/// Fails at a loop or branch with a size that is still not known.
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
