//! The padded forms of reductions and sorts: padding is neutral.

use super::{
    Failure, Padder,
    operations::{common_sizes, dimension},
    padded::{Padded, fit, integer, repeated},
};
use halo_ir::{prelude::*, stablehlo::attributes::DotDimensionNumbers};

/// The neutral number of the body of a reduction of one value, if it may differ from the initial
/// value; an idempotent body can combine the initial value twice.
fn neutral(body: Block) -> Option<f64> {
    let [combination, _] = body.operations()[..] else {
        return None;
    };
    match combination.name() {
        stablehlo::AddOp::NAME => Some(-0.0),
        stablehlo::XorOp::NAME => Some(0.0),
        stablehlo::MulOp::NAME => Some(1.0),
        _ => None,
    }
}

pub fn reduce<'c>(
    padder: &mut Padder<'c>,
    b: &Builder<'c>,
    op: stablehlo::ReduceOp<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let operation = op.operation();
    let (inputs, inits) = operands.split_at(operands.len() / 2);
    let reduced = op.dimensions();
    let reduced = reduced.iter().map(|at| dimension(*at)).collect::<Result<Vec<_>, _>>()?;
    let neutral = operation.body(0).and_then(neutral).filter(|_| inputs.len() == 1);
    let limits = inputs.first().map_or(Ok(Vec::new()), Padded::limits)?;
    let sizes = common_sizes(inputs, limits.len());
    let mut values = Vec::new();
    for (input, init) in inputs.iter().zip(inits) {
        let data = fit(b, input.data, &limits)?;
        let input = Padded {
            data,
            sizes: sizes.clone(),
        };
        let element = tensor_type(&[], data.ty().element_type());
        let filled = input.filled(b, reduced.iter().copied(), || match neutral {
            Some(neutral) => stablehlo::number(b, element, neutral),
            None if init.data.ty() == element => Ok(init.data),
            None => Ok(stablehlo::convert(b, init.data, element)),
        });
        values.push(filled?);
    }
    values.extend(inits.iter().map(|init| init.data));
    let kept: Vec<usize> = (0..limits.len()).filter(|at| !reduced.contains(at)).collect();
    let result: Vec<i64> = kept.iter().map(|at| limits[*at]).collect();
    let sizes: Vec<_> = kept.iter().map(|at| sizes[*at]).collect();
    let types: Vec<Type> = operation
        .result_types()
        .into_iter()
        .map(|ty| tensor_type(&result, ty.element_type()))
        .collect();
    let results = padder.copied(b, operation, &values, &types).into_iter();
    Ok(results.map(|data| Padded::with_sizes(data, sizes.clone())).collect())
}

/// Zeros beyond the sizes of contracted dimensions.
pub fn product<'c>(
    padder: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let [lhs, rhs] = operands else {
        return Err(no_match("it has other operands"));
    };
    let ranks = [lhs.sizes.len(), rhs.sizes.len()];
    let numbers = match op.cast::<stablehlo::DotGeneralOp>() {
        Some(op) => op.dot_dimension_numbers(),
        None => DotDimensionNumbers {
            lhs_batching_dimensions: Vec::new(),
            rhs_batching_dimensions: Vec::new(),
            lhs_contracting_dimensions: vec![ranks[0] as i64 - 1],
            rhs_contracting_dimensions: vec![0],
        },
    };
    let all = |list: &[i64]| list.iter().map(|at| dimension(*at)).collect::<Result<Vec<_>, _>>();
    let batch = [
        all(&numbers.lhs_batching_dimensions)?,
        all(&numbers.rhs_batching_dimensions)?,
    ];
    let summed = [
        all(&numbers.lhs_contracting_dimensions)?,
        all(&numbers.rhs_contracting_dimensions)?,
    ];
    let mut limits = [lhs.limits()?, rhs.limits()?];
    for pairs in [&batch, &summed] {
        for (left, right) in pairs[0].iter().zip(&pairs[1]) {
            let most = limits[0][*left].max(limits[1][*right]);
            (limits[0][*left], limits[1][*right]) = (most, most);
        }
    }
    let mut values = Vec::new();
    for (number, operand) in operands.iter().enumerate() {
        let zeroed = operand.zeroed(b, summed[number].iter().copied())?;
        values.push(fit(b, zeroed, &limits[number])?);
    }
    let mut result: Vec<(i64, Option<Value>)> = batch[0]
        .iter()
        .zip(&batch[1])
        .map(|(left, right)| (limits[0][*left], lhs.sizes[*left].or(rhs.sizes[*right])))
        .collect();
    for (number, operand) in operands.iter().enumerate() {
        let free = (0..ranks[number])
            .filter(|at| !batch[number].contains(at) && !summed[number].contains(at));
        result.extend(free.map(|at| (limits[number][at], operand.sizes[at])));
    }
    let (sizes, open): (Vec<i64>, Vec<_>) = result.into_iter().unzip();
    let ty = tensor_type(&sizes, op.result_types()[0].element_type());
    let data = padder.copied(b, op, &values, &[ty])[0];
    Ok(vec![Padded::with_sizes(data, open)])
}

/// Padding comes last: an additional operand marks it, and is compared first.
pub fn sort<'c>(
    padder: &mut Padder<'c>,
    b: &Builder<'c>,
    op: stablehlo::SortOp<'c>,
    operands: Vec<Padded<'c>>,
) -> Result<Vec<Padded<'c>>, Failure> {
    let operation = op.operation();
    let limits = operands.first().map_or(Ok(Vec::new()), Padded::limits)?;
    let rank = limits.len() as i64;
    let at = op.dimension();
    let at = dimension(if at < 0 { at + rank } else { at })?;
    let sizes = common_sizes(&operands, limits.len());
    let mut values = Vec::new();
    for operand in &operands {
        values.push(fit(b, operand.data, &limits)?);
    }
    let types = |values: &[Value<'c>]| values.iter().map(|value| value.ty()).collect::<Vec<_>>();
    let Some(size) = sizes.get(at).copied().flatten() else {
        let results = padder.copied(b, operation, &values, &types(&values)).into_iter();
        return Ok(results.map(|data| Padded::with_sizes(data, sizes.clone())).collect());
    };
    let index = stablehlo::iota(b, at as i64, tensor_type(&limits, integer(b)));
    let size = repeated(b, size, &limits);
    values.push(stablehlo::compare(b, index, size, ComparisonDirection::Ge));
    let comparator = operation.body(0).ok_or_else(|| no_match("it compares nothing"))?;
    let mut arguments = types(&comparator.arguments());
    let flag = tensor_type(&[], integer_type(b.context(), 1));
    arguments.extend([flag, flag]);
    let comparator = b.region(&arguments, |b, arguments| {
        let (own, flags) = arguments.split_at(arguments.len() - 2);
        let is_less = inlined(padder, b, comparator, own)?;
        let (left, right) = (flags[0], flags[1]);
        let is_before = stablehlo::compare(b, left, right, ComparisonDirection::Lt);
        let is_same = stablehlo::compare(b, left, right, ComparisonDirection::Eq);
        let both = stablehlo::and(b, is_same, is_less);
        let result = stablehlo::or(b, is_before, both);
        stablehlo::return_(b, &[result]);
        Ok::<_, Failure>(())
    })?;
    let sorted = stablehlo::SortOp::build(b, &values, comparator);
    let sorted = sorted.dimension(at as i64).is_stable(op.is_stable()).insert();
    let results = sorted.results().into_iter().take(operands.len());
    Ok(results.map(|data| Padded::with_sizes(data, sizes.clone())).collect())
}

/// Copies the ops of a block, and returns its only result.
fn inlined<'c>(
    padder: &mut Padder<'c>,
    b: &Builder<'c>,
    block: Block<'c>,
    arguments: &[Value<'c>],
) -> Result<Value<'c>, Failure> {
    for (argument, value) in block.arguments().into_iter().zip(arguments) {
        padder.values.insert(argument.key(), *value);
    }
    let terminator = block.terminator();
    for operation in block.operations() {
        if Some(operation) != terminator {
            b.clone_op(operation, &mut padder.values);
        }
    }
    let returned = terminator.map(Operation::operands).unwrap_or_default();
    let returned = returned.first().ok_or_else(|| no_match("it returns nothing"))?;
    Ok(mapped(&padder.values, *returned))
}
