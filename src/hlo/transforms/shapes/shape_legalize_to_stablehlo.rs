//! `--shape-legalize-to-stablehlo`: converts shape computations of the shape, tensor and arith
//! dialects to StableHLO.
//!
//! Frameworks compute dynamic shapes with `index`; StableHLO has no such type, and uses `i32`. Each
//! op is rewritten separately between casts of its operands and results, which cancel between
//! rewritten ops. With the option `legalize-constraints`, constraints become shape assertions, and
//! with `inline-assuming`, regions that assume them are inlined. Values of `!shape.shape` have a form
//! in StableHLO if their rank is known.
//!
//! ```mlir
//! %0 = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
//! %1 = stablehlo.dynamic_reshape %b, %0 : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x3xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
//! %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
//! %2 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x3xf32>) -> tensor<i32>
//! %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
//! %4 = stablehlo.concatenate %1, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
//! %5 = stablehlo.dynamic_reshape %b, %4 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>
//! ```

mod constraints;
mod scalars;
mod shape_types;
mod values;

use crate::matchers::operands;
use halo_ir::{
    apply_in_place,
    ops::{BinaryFn, shape},
    prelude::*,
};
use values::{
    cast, constant_vector, int_type, integer, is_of_index, padded_left, result_of, scalar,
    slice_entry, to_int,
};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Turn constraints into assertions
        legalize_constraints: bool = false,
        /// Inline regions that assume constraints
        inline_assuming: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "shape-legalize-to-stablehlo",
    "Rewrite shape computations on index types into StableHLO on i32",
    run,
)
.dependent_dialects(&["stablehlo", "shape"])
.options::<Options>();

/// Returns true if a StableHLO program computes sizes by ops of the arith, shape and tensor
/// dialects, and has no ops of another dialect that may use them.
pub fn is_needed(module: Operation) -> bool {
    let mut is_needed = false;
    let foreign = module.collect_nested(|op| {
        let dialect = op.name().split('.').next().unwrap_or_default();
        is_needed |= matches!(dialect, "arith" | "shape" | "tensor");
        let of_sizes = ["arith", "shape", "tensor", "builtin", "func"];
        !of_sizes.contains(&dialect) && !["chlo", "check", "stablehlo"].contains(&dialect)
    });
    is_needed && foreign.is_empty()
}

fn patterns() -> Vec<Pattern<'static>> {
    [
        Pattern::named(arith::AddIOp::NAME, arithmetic),
        Pattern::named(arith::DivSIOp::NAME, arithmetic),
        Pattern::named(arith::ExtSIOp::NAME, resize),
        Pattern::new::<arith::IndexCastOp>(index_cast),
        Pattern::named(arith::MaxSIOp::NAME, arithmetic),
        Pattern::named(arith::MaxUIOp::NAME, arithmetic),
        Pattern::named(arith::MinSIOp::NAME, arithmetic),
        Pattern::named(arith::MinUIOp::NAME, arithmetic),
        Pattern::named(arith::MulIOp::NAME, arithmetic),
        Pattern::named(arith::RemSIOp::NAME, arithmetic),
        Pattern::named(arith::SubIOp::NAME, arithmetic),
        Pattern::named(arith::TruncIOp::NAME, resize),
        Pattern::new::<shape::BroadcastOp>(broadcast),
        Pattern::new::<shape::ConstShapeOp>(const_shape),
        Pattern::new::<shape::NumElementsOp>(num_elements),
        Pattern::new::<shape::ShapeOfOp>(shape_of_value),
        Pattern::named(stablehlo::DynamicBroadcastInDimOp::NAME, cast_operands),
        Pattern::named(stablehlo::DynamicIotaOp::NAME, cast_operands),
        Pattern::named(stablehlo::DynamicPadOp::NAME, cast_operands),
        Pattern::named(stablehlo::DynamicReshapeOp::NAME, cast_operands),
        Pattern::named(stablehlo::RealDynamicSliceOp::NAME, cast_operands),
        Pattern::new::<tensor::CastOp>(tensor_cast),
        Pattern::new::<tensor::DimOp>(dim),
        Pattern::new::<tensor::ExtractOp>(extract),
        Pattern::new::<tensor::FromElementsOp>(from_elements),
    ]
    .into_iter()
    .chain(scalars::patterns())
    .chain(shape_types::patterns())
    .collect()
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    let constraints = options.legalize_constraints;
    let mut patterns = patterns();
    if constraints {
        patterns.extend(constraints::patterns());
    }
    if options.inline_assuming {
        patterns.extend(constraints::inlining());
    }
    apply_in_place(pass, &patterns)?;
    let root = pass.operation();
    cancel_casts(root);
    let keeps_assuming = constraints && !options.inline_assuming;
    let left = root.collect_nested(|op| is_illegal(op, keeps_assuming));
    for operation in &left {
        emit_error(
            operation.location(),
            &format!(
                "failed to legalize operation '{}' that was explicitly marked illegal: it has no \
                 form in StableHLO",
                operation.name()
            ),
        );
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err(PassFailure)
    }
}

/// Removes casts back to the original type of a value, and unused casts.
fn cancel_casts(root: Operation) {
    let casts = root.collect_nested(|op| {
        op.isa::<builtin::UnrealizedConversionCastOp>()
            && op.operand_count() == 1
            && op.result_count() == 1
    });
    for cast in &casts {
        if let ([operand], [result]) = (&cast.operands()[..], &cast.results()[..])
            && let Some(inner) = operand.defined_by::<builtin::UnrealizedConversionCastOp>()
            && let [source] = inner.inputs()[..]
            && source.ty() == result.ty()
        {
            result.replace_uses_with(source);
        }
    }
    for cast in casts.into_iter().rev() {
        if cast.results().into_iter().all(Value::is_unused) {
            with_builder(cast, |b| b.erase(cast));
        }
    }
}

/// Returns true if the pass must remove an op.
fn is_illegal(operation: Operation, keeps_assuming: bool) -> bool {
    let name = operation.name();
    let kept = keeps_assuming
        && matches!(
            name,
            shape::ConstWitnessOp::NAME | shape::AssumingOp::NAME | shape::AssumingYieldOp::NAME
        );
    if name.starts_with("shape.") {
        return !kept;
    }
    match name {
        tensor::CastOp::NAME => false,
        arith::IndexCastOp::NAME => {
            operation.operands().into_iter().chain(operation.results()).any(is_of_index)
        }
        name if counterpart(name).is_some() => operation.results().into_iter().any(is_of_index),
        _ => {
            name.starts_with("tensor.")
                || (name.starts_with("stablehlo.")
                    && operation.operands().into_iter().any(is_of_index))
        }
    }
}

/// Replaces an op by an `i32` value, cast back to the type that its users expect.
fn replace<'c>(b: &Builder<'c>, op: impl Op<'c>, value: Value<'c>) -> RewriteResult {
    let op = op.operation();
    let value = cast(b, value, result_of(op)?.ty())?;
    b.replace(op, &[value]);
    Ok(())
}

/// The sizes of the dimensions, concatenated.
fn shape_of_value<'c>(b: &Builder<'c>, op: shape::ShapeOfOp<'c>) -> RewriteResult {
    let operand = op.arg();
    if !operand.ty().is_tensor() {
        return Err(no_match("the operand is no tensor"));
    }
    let rank = operand.ty().shape().ok_or_else(|| no_match("a tensor is unranked"))?.len();
    if rank == 0 {
        let none = constant_vector(b, &[])?;
        return replace(b, op, none);
    }
    let mut sizes = Vec::with_capacity(rank);
    for dimension in 0..rank {
        let size = stablehlo::get_dimension_size(b, operand, dimension as i64);
        sizes.push(scalar_to_vector(b, size));
    }
    let shape = stablehlo::concatenate(b, &sizes, 0);
    replace(b, op, shape)
}

fn scalar_to_vector<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let ty = tensor_type(&[1], value.ty().element_type());
    stablehlo::reshape(b, value, ty)
}

fn const_shape<'c>(b: &Builder<'c>, op: shape::ConstShapeOp<'c>) -> RewriteResult {
    let sizes = op.shape().dense_i64s().ok_or_else(|| no_match("the shape is not constant"))?;
    let constant = constant_vector(b, &sizes)?;
    replace(b, op, constant)
}

/// The product of the sizes, which folds incrementally as sizes become known.
fn num_elements<'c>(b: &Builder<'c>, op: shape::NumElementsOp<'c>) -> RewriteResult {
    let shape = shape_types::sizes_of(b, op.shape())?;
    let rank = shape.ty().element_count().unwrap_or(0);
    let mut product = scalar(b, 1)?;
    for index in 0..rank {
        let size = slice_entry(b, shape, &[index]);
        product = stablehlo::multiply(b, product, size);
    }
    replace(b, op, product)
}

/// Casts between `index` and integers.
fn index_cast<'c>(b: &Builder<'c>, op: arith::IndexCastOp<'c>) -> RewriteResult {
    let (from, to) = (op.in_(), op.out().ty());
    if from.ty().is_tensor() && from.ty().static_shape().is_none() {
        return Err(no_match("a shape is dynamic"));
    }
    let tensor_of = |ty: Type<'c>| match ty.static_shape() {
        Some(dims) => tensor_type(&dims, ty.element_type()),
        None => tensor_type(&[], ty),
    };
    let source = if is_of_index(from) {
        to_int(b, from)?
    } else {
        cast(b, from, tensor_of(from.ty()))?
    };
    // Convert through the width of the result, unless it is the width of shapes.
    let wanted = match to.element_type() {
        element if element.is_index() => int_type(b),
        element => element,
    };
    let dims = source.ty().static_shape().unwrap_or_default();
    let value = if source.ty().element_type() == wanted {
        source
    } else {
        stablehlo::convert(b, source, tensor_type(&dims, wanted))
    };
    replace(b, op, value)
}

/// The StableHLO op for an arith op on indices. Sizes are unsigned.
fn counterpart(name: &str) -> Option<BinaryFn> {
    Some(match name {
        arith::AddIOp::NAME => stablehlo::add,
        arith::DivSIOp::NAME => stablehlo::divide,
        arith::MaxSIOp::NAME | arith::MaxUIOp::NAME => stablehlo::maximum,
        arith::MinSIOp::NAME | arith::MinUIOp::NAME => stablehlo::minimum,
        arith::MulIOp::NAME => stablehlo::multiply,
        arith::RemSIOp::NAME => stablehlo::remainder,
        arith::SubIOp::NAME => stablehlo::subtract,
        _ => return None,
    })
}

/// A scalar integer of another width.
fn resize<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let ([operand], result) = (operands(op)?, result_of(op)?);
    let types = [operand.ty(), result.ty()];
    // A sign-extended boolean of arith is -1.
    if types.iter().any(|ty| ty.integer_width().is_none_or(|width| width == 1)) {
        return Err(no_match("it converts no scalar integer"));
    }
    let [from, to] = types.map(|ty| tensor_type(&[], ty));
    let value = stablehlo::convert(b, integer(b, operand, from)?, to);
    b.replace(op, &[cast(b, value, result.ty())?]);
    Ok(())
}

/// A cast to a type with more or fewer static sizes.
fn tensor_cast<'c>(b: &Builder<'c>, op: tensor::CastOp<'c>) -> RewriteResult {
    let (source, result) = (op.source(), op.dest().ty());
    if is_of_index(source) || source.ty().shape().is_none() || result.shape().is_none() {
        return Err(no_match("it casts indices, or an unranked tensor"));
    }
    let value = stablehlo::convert(b, source, result);
    b.replace(op.operation(), &[value]);
    Ok(())
}

fn arithmetic<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [left, right] = operands(op)?;
    let result = result_of(op)?;
    let counterpart = counterpart(op.name()).ok_or(RewriteError::NoMatch)?;
    if result.ty().is_integer() {
        let ty = tensor_type(&[], result.ty());
        let value = counterpart(b, integer(b, left, ty)?, integer(b, right, ty)?);
        b.replace(op, &[cast(b, value, result.ty())?]);
        return Ok(());
    }
    let is_dynamic = result.ty().is_tensor() && result.ty().static_shape().is_none();
    if !is_of_index(result) || is_dynamic {
        return Err(no_match("the result is no index, or its shape is dynamic"));
    }
    let value = counterpart(b, to_int(b, left)?, to_int(b, right)?);
    b.replace(op, &[cast(b, value, result.ty())?]);
    Ok(())
}

/// The larger of two compatible sizes is the broadcast size.
fn broadcast<'c>(b: &Builder<'c>, op: shape::BroadcastOp<'c>) -> RewriteResult {
    let [left, right] = op.shapes()[..] else {
        return Err(no_match("it has not two shapes"));
    };
    let (left, right) = (
        shape_types::sizes_of(b, left)?,
        shape_types::sizes_of(b, right)?,
    );
    let (left, right) = padded_left(b, left, right)?;
    let shape = stablehlo::maximum(b, left, right);
    replace(b, op, shape)
}

fn dim<'c>(b: &Builder<'c>, op: tensor::DimOp<'c>) -> RewriteResult {
    let dimension = arith::constant_index(op.index())
        .ok_or_else(|| no_match("the dimension is not constant"))?;
    let value = op.source();
    let rank = value.ty().shape().ok_or_else(|| no_match("a tensor is unranked"))?.len() as i64;
    if !(0..rank).contains(&dimension) {
        return Err(no_match("a dimension is out of range"));
    }
    let size = stablehlo::get_dimension_size(b, value, dimension);
    replace(b, op, size)
}

fn extract<'c>(b: &Builder<'c>, op: tensor::ExtractOp<'c>) -> RewriteResult {
    let (tensor, indices) = (op.tensor(), op.indices());
    let dims = tensor.ty().static_shape().ok_or_else(|| no_match("a shape is dynamic"))?;
    let indices = indices
        .iter()
        .zip(&dims)
        .map(|(index, size)| {
            arith::constant_index(*index).filter(|index| (0..*size).contains(index))
        })
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| no_match("an index is not constant, or out of range"))?;
    let tensor = if is_of_index(tensor) {
        to_int(b, tensor)?
    } else {
        tensor
    };
    let entry = slice_entry(b, tensor, &indices);
    replace(b, op, entry)
}

fn from_elements<'c>(b: &Builder<'c>, op: tensor::FromElementsOp<'c>) -> RewriteResult {
    let ty = op.result().ty();
    let dims = ty.static_shape().ok_or_else(|| no_match("a shape is dynamic"))?;
    let elements = op.elements();
    if let ([], [element]) = (&dims[..], &elements[..]) {
        return replace(b, op, *element);
    }
    let is_index = is_of_index(op.result());
    let width = ty.element_type().integer_width().filter(|_| !is_index);
    if dims.len() != 1 || !is_index && !matches!(width, Some(32 | 64)) {
        return Err(no_match("the result is no vector of indices, i32 or i64"));
    }
    let mut parts = Vec::with_capacity(elements.len());
    for element in elements {
        let size = tensor_type(&[], ty.element_type());
        parts.push(match (arith::constant_index(element), width) {
            (Some(value), _) => constant_vector(b, &[value])?,
            (None, None) => scalar_to_vector(b, to_int(b, element)?),
            (None, Some(_)) => scalar_to_vector(b, integer(b, element, size)?),
        });
    }
    if parts.is_empty() {
        let none = constant_vector(b, &[])?;
        return replace(b, op, none);
    }
    let vector = stablehlo::concatenate(b, &parts, 0);
    replace(b, op, vector)
}

/// Casts `index` shape operands of a StableHLO op to `i32`.
fn cast_operands<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let operands = op.operands();
    let is_known =
        |operand: &Value| !is_of_index(*operand) || operand.ty().static_shape().is_some();
    if !operands.iter().any(|operand| is_of_index(*operand)) || !operands.iter().all(is_known) {
        return Err(no_match("no operand is an index, or a shape is dynamic"));
    }
    let mut converted = Vec::with_capacity(operands.len());
    for operand in operands {
        converted.push(if is_of_index(operand) {
            to_int(b, operand)?
        } else {
            operand
        });
    }
    let new = b.with_operands(op, &converted);
    b.replace(op, &new.results());
    Ok(())
}
