//! `--stablehlo-aggressive-folder`: folds ops on constants.
//!
//! The interpreter computes every op without effects on constant operands, up to
//! `fold-op-element-limit` elements; beyond that, only splats. Branches on constants and loops
//! without iterations are removed. Values are the interpreter's; `optimize-float=false` leaves
//! floats to the backend, which may round differently.
//!
//! ```mlir
//! %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
//! %0 = stablehlo.iota dim = 0 : tensor<2xi32>
//! %1 = stablehlo.multiply %a, %0 : tensor<2xi32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
//! ```

mod control_flow;
mod reduction;

use crate::{
    folding::constants::{self, Limits},
    matchers::{ELEMENTWISE, constant_of, dim_size, ensure},
};
use halo_ir::{apply_without_folding, dense_from_integers, prelude::*, splat_attribute};

pass_options! {
    /// The options of the pass.
    pub struct FolderOptions {
        /// Drop loops without iterations even if they call functions of unknown effects
        assume_no_undeclared_side_effects: bool = false,
        /// The most elements of a computed result
        fold_op_element_limit: i64 = 65536,
        /// Compute floats at compile time, too
        optimize_float: bool = true,
        /// Another name of optimize-float; floats are computed where both are set
        fold_float: bool = true,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-aggressive-folder",
    "Compute StableHLO ops on constants",
    run,
)
.dependent_dialects(&["stablehlo"])
.options::<FolderOptions>();

/// The options of the patterns.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The maximum number of elements of a computed constant.
    pub element_limit: i64,
    /// Set if floats are computed.
    pub floats: bool,
    /// Set if an op that declares no effects has none.
    pub no_undeclared_effects: bool,
}

impl Options {
    /// The options of a pass with [`FolderOptions`].
    pub fn of(pass: &PassInvocation) -> Self {
        let options = pass.options::<FolderOptions>();
        Self {
            element_limit: options.fold_op_element_limit,
            floats: options.optimize_float && options.fold_float,
            no_undeclared_effects: options.assume_no_undeclared_side_effects,
        }
    }

    /// Returns true if elements of a type are computed.
    fn covers(self, ty: Type) -> bool {
        let element = ty.element_type();
        element.is_integer() || self.floats
    }
}

/// Elementwise ops that also take scalars for whole tensors.
static WITH_SCALARS: &[&str] = &[stablehlo::ClampOp::NAME, stablehlo::SelectOp::NAME];

/// Other ops that the interpreter computes.
static OTHERS: &[&str] = &[
    stablehlo::BitcastConvertOp::NAME,
    stablehlo::ConcatenateOp::NAME,
    stablehlo::ConvolutionOp::NAME,
    stablehlo::DotOp::NAME,
    stablehlo::DotGeneralOp::NAME,
    stablehlo::DynamicSliceOp::NAME,
    stablehlo::DynamicUpdateSliceOp::NAME,
    stablehlo::GatherOp::NAME,
    stablehlo::PadOp::NAME,
    stablehlo::ReduceOp::NAME,
    stablehlo::ReduceWindowOp::NAME,
    stablehlo::ReverseOp::NAME,
    stablehlo::ScatterOp::NAME,
    stablehlo::SliceOp::NAME,
    stablehlo::SortOp::NAME,
    stablehlo::TransposeOp::NAME,
];

fn structural(options: Options) -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::BroadcastInDimOp>(move |b, op| {
            broadcast_of_splat(b, op, options)
        }),
        Pattern::new::<stablehlo::GetDimensionSizeOp>(dimension_size),
        Pattern::new::<stablehlo::IotaOp>(move |b, op| iota(b, op, options)),
        Pattern::new::<stablehlo::ReshapeOp>(move |b, op| reshape(b, op, options)),
    ]
}

/// All patterns of the pass.
pub fn patterns(options: Options) -> Vec<Pattern<'static>> {
    let names = || ELEMENTWISE.iter().chain(WITH_SCALARS).copied();
    let elementwise = names().map(|name| Pattern::named(name, move |b, op| splats(b, op, options)));
    let computed = names()
        .chain(OTHERS.iter().copied())
        .map(|name| Pattern::named(name, move |b, op| compute(b, op, options)));
    structural(options)
        .into_iter()
        .chain(control_flow::patterns(options))
        .chain(reduction::patterns())
        .chain(elementwise)
        .chain(computed)
        .collect()
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = Options::of(pass);
    apply_without_folding(pass, &patterns(options))
}

/// The constant operands of an op, if its element types are computed.
fn constant_operands<'c>(op: Operation<'c>, options: Options) -> RewriteResult<Vec<Attribute<'c>>> {
    let values = op.operands();
    ensure(!values.is_empty(), "it has no operands")?;
    ensure(
        values
            .iter()
            .map(|value| value.ty())
            .chain(op.result_types())
            .all(|ty| options.covers(ty)),
        "a type is not folded with these options",
    )?;
    values
        .into_iter()
        .map(|value| constant_of(value).ok_or_else(|| no_match("an operand is not constant")))
        .collect()
}

/// An op on constants, within the limit.
fn compute<'c>(b: &Builder<'c>, op: Operation<'c>, options: Options) -> RewriteResult {
    let operands = constant_operands(op, options)?;
    let limits = Limits {
        elements: options.element_limit,
        growth: options.element_limit,
    };
    let results = constants::evaluate(op, &operands, limits)
        .ok_or_else(|| no_match("the result cannot be computed within the limits"))?;
    let values = results
        .into_iter()
        .zip(op.result_types())
        .map(|(value, _type)| stablehlo::constant(b, value))
        .collect::<Vec<Value>>();
    b.replace(op, &values);
    Ok(())
}

/// An elementwise op on splats, of any size.
fn splats<'c>(b: &Builder<'c>, op: Operation<'c>, options: Options) -> RewriteResult {
    let operands = constant_operands(op, options)?;
    let value = constants::evaluate_splat(op, &operands)
        .ok_or_else(|| no_match("the operands are not splats that can be computed"))?;
    let new = stablehlo::constant(b, value);
    b.replace(op, &[new]);
    Ok(())
}

fn broadcast_of_splat<'c>(
    b: &Builder<'c>,
    op: stablehlo::BroadcastInDimOp<'c>,
    options: Options,
) -> RewriteResult {
    let operand = op.operand();
    let result = op.result().ty();
    ensure(
        options.covers(result) && result.static_shape().is_some(),
        "the result is dynamic, or its type is not folded with these options",
    )?;
    let value = constant_of(operand).ok_or_else(|| no_match("an operand is not constant"))?;
    let element = value.splat_value().ok_or_else(|| no_match("the operand is not a splat"))?;
    ensure(
        value.ty().element_type() == result.element_type(),
        "the elements are stored as another type",
    )?;
    let new = stablehlo::constant(b, splat_attribute(result, element));
    b.replace(op.operation(), &[new]);
    Ok(())
}

fn reshape<'c>(b: &Builder<'c>, op: stablehlo::ReshapeOp<'c>, options: Options) -> RewriteResult {
    let operand = op.operand();
    let result = op.result().ty();
    ensure(
        options.covers(result),
        "the type is not folded with these options",
    )?;
    let value = constant_of(operand)
        .and_then(|value| value.reshape_dense(result))
        .ok_or_else(|| no_match("the operand is not constant"))?;
    let new = stablehlo::constant(b, value);
    b.replace(op.operation(), &[new]);
    Ok(())
}

fn dimension_size<'c>(b: &Builder<'c>, op: stablehlo::GetDimensionSizeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let size = dim_size(operand.ty(), op.dimension());
    let new = stablehlo::integers(
        b,
        op.result().ty(),
        &[size.ok_or_else(|| no_match("a size is dynamic"))?],
    )?;
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// An iota, within the limit.
fn iota<'c>(b: &Builder<'c>, op: stablehlo::IotaOp<'c>, options: Options) -> RewriteResult {
    let result = op.output().ty();
    ensure(
        result.element_type().is_integer() && !result.element_type().is_float(),
        "the elements are no integers",
    )?;
    let shape = result.static_shape().ok_or_else(|| no_match("a shape is dynamic"))?;
    let count = result.element_count().ok_or_else(|| no_match("a shape is dynamic"))?;
    ensure(
        count <= options.element_limit,
        "the result has more elements than the limit",
    )?;
    let dimension = op.iota_dimension() as usize;
    let size = *shape.get(dimension).ok_or_else(|| no_match("a dimension is out of range"))?;
    let inner: i64 = shape.iter().skip(dimension + 1).product();
    let values: Vec<i64> = (0..count).map(|position| position / inner % size).collect();
    let value = dense_from_integers(result, &values)
        .ok_or_else(|| no_match("a type takes no such constant"))?;
    let new = stablehlo::constant(b, value);
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// The element of a splat.
fn splat_element<'c>(value: Value<'c>) -> RewriteResult<Attribute<'c>> {
    constant_of(value)
        .filter(|value| value.is_splat())
        .and_then(Attribute::splat_value)
        .ok_or_else(|| no_match("the initial value is not a constant splat"))
}
