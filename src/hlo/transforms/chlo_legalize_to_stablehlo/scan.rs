//! Scans as loops.
//!
//! The loop carries the number of the run, what the body carries, and the
//! outputs as far as they are made. Each run takes a slice of every input, and
//! writes its outputs where the slice came from.

use crate::transforms::{
    extents::{self, Extent, Extents},
    formula::compare,
};
use halo_ir::stablehlo::attributes::ComparisonDirection;
use halo_ir::{
    Builder, Operation, RewriteError, RewriteResult, Type, Value, ValueMap, arguments_of,
    attribute_of, body_of, clone_operation, element_type, i32_array_value, i64_array_attribute,
    integer_attribute_value, mapped, operands_of, operations_of, result_types_of, results_of,
    shape_of, value_key,
};
use melior::ir::{ValueLike, attribute::BoolAttribute};

/// The parts of a `chlo.scan`.
struct Scan<'c> {
    op: Operation<'c>,
    inputs: Vec<Value<'c>>,
    inits: Vec<Value<'c>>,
    output_types: Vec<Type<'c>>,
    dimension: usize,
    is_reverse: bool,
    /// A scalar.
    length: Value<'c>,
}

/// Replaces `chlo.scan` by `stablehlo.while`.
pub fn decompose<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let scan = Scan::read(b, op)?;
    let mut state = vec![extents::scalar(b, 0)?];
    state.extend(&scan.inits);
    for r#type in &scan.output_types {
        state.push(scan.empty_output(b, *r#type)?);
    }
    let types: Vec<Type> = state.iter().map(|value| value.r#type()).collect();

    let condition = b.region(&types, |b, arguments| {
        let &[run, ..] = arguments else {
            return Err(RewriteError::NoMatch);
        };
        let more = compare(b, run, scan.length, ComparisonDirection::Lt, None)?;
        b.op("stablehlo.return").operands(&[more]).insert()?;
        Ok(())
    })?;
    let body = b.region(&types, |b, arguments| scan.fill_body(b, arguments))?;
    let finished = b
        .op("stablehlo.while")
        .operands(&state)
        .results(&types)
        .region(condition)
        .region(body)
        .insert()?;

    let mut results = results_of(finished);
    results.remove(0);
    results.rotate_left(scan.inits.len());
    let results = results
        .into_iter()
        .zip(result_types_of(op))
        .map(|(value, r#type)| cast(b, value, r#type))
        .collect::<Result<Vec<_>, _>>()?;
    b.replace(op, &results)?;
    Ok(())
}

/// A value of another type of the same elements, which knows more or fewer
/// sizes.
fn cast<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    r#type: Type<'c>,
) -> Result<Value<'c>, RewriteError> {
    if value.r#type() == r#type {
        Ok(value)
    } else {
        Ok(b.value("stablehlo.convert", &[value], r#type)?)
    }
}

impl<'c> Scan<'c> {
    fn read(b: &Builder<'c>, op: Operation<'c>) -> Result<Self, RewriteError> {
        let operands = operands_of(op);
        let input_count = attribute_of(op, "operandSegmentSizes")
            .and_then(i32_array_value)
            .and_then(|sizes| usize::try_from(*sizes.first()?).ok())
            .filter(|count| *count <= operands.len())
            .ok_or(RewriteError::NoMatch)?;
        let (inputs, inits) = operands.split_at(input_count);
        let mut output_types = result_types_of(op);
        let output_count = output_types
            .len()
            .checked_sub(inits.len())
            .ok_or(RewriteError::NoMatch)?;
        output_types.truncate(output_count);
        let dimension = attribute_of(op, "dimension")
            .and_then(integer_attribute_value)
            .and_then(|dimension| usize::try_from(dimension).ok())
            .ok_or(RewriteError::NoMatch)?;
        let is_reverse = attribute_of(op, "is_reverse")
            .and_then(halo_ir::attribute_as::<BoolAttribute>)
            .is_some_and(|attribute| attribute.value());
        let length = match inputs.first() {
            Some(input) => extents::size_of(b, *input, dimension)?,
            None => {
                let known = output_types
                    .iter()
                    .find_map(|r#type| shape_of(*r#type)?.get(dimension).copied().flatten());
                let stated = || attribute_of(op, "scan_dim_size").and_then(integer_attribute_value);
                let length = known.or_else(stated).ok_or_else(|| {
                    RewriteError::Invalid(
                        "a scan without inputs and of unknown length cannot be decomposed"
                            .to_owned(),
                    )
                })?;
                extents::scalar(b, length)?
            }
        };
        Ok(Self {
            op,
            inputs: inputs.to_vec(),
            inits: inits.to_vec(),
            output_types,
            dimension,
            is_reverse,
            length,
        })
    }

    /// Zeros in the shape of an output. A size that its type does not tell is
    /// that of an input of the same rank.
    fn empty_output(&self, b: &Builder<'c>, r#type: Type<'c>) -> Result<Value<'c>, RewriteError> {
        let shape = shape_of(r#type).ok_or(RewriteError::NoMatch)?;
        let mut extents = Vec::new();
        for (dimension, size) in shape.iter().enumerate() {
            extents.push(match size {
                Some(size) => Extent::Known(*size),
                None if dimension == self.dimension => Extent::Computed(self.length),
                None => {
                    let like = self.inputs.iter().find(|input| {
                        shape_of(input.r#type()).is_some_and(|other| other.len() == shape.len())
                    });
                    let like = like.ok_or_else(|| {
                        RewriteError::Invalid(
                            "the size of an output of a scan follows from no input".to_owned(),
                        )
                    })?;
                    Extents::of(b, *like)?.0[dimension]
                }
            });
        }
        let zero = Extents(Vec::new()).zeros(b, element_type(r#type))?;
        let zeros = Extents(extents).broadcast(b, zero, &[])?;
        cast(b, zeros, r#type)
    }

    /// One run of the loop.
    fn fill_body(&self, b: &Builder<'c>, arguments: &[Value<'c>]) -> RewriteResult {
        let invalid = || RewriteError::Invalid("a scan with a malformed body".to_owned());
        let body = body_of(self.op, 0).ok_or_else(invalid)?;
        let Some((&run, rest)) = arguments.split_first() else {
            return Err(invalid());
        };
        if rest.len() < self.inits.len() {
            return Err(invalid());
        }
        let (carries, outputs) = rest.split_at(self.inits.len());
        let position = if self.is_reverse {
            let one = extents::scalar(b, 1)?;
            let last = b.value("stablehlo.subtract", &[self.length, one], run.r#type())?;
            b.value("stablehlo.subtract", &[last, run], run.r#type())?
        } else {
            run
        };

        let parameters = arguments_of(body);
        if parameters.len() != self.inputs.len() + carries.len() {
            return Err(invalid());
        }
        let mut map = ValueMap::new();
        let (slice_parameters, carry_parameters) = parameters.split_at(self.inputs.len());
        for (parameter, input) in slice_parameters.iter().zip(&self.inputs) {
            let slice = self.slice(b, *input, position, parameter.r#type())?;
            map.insert(value_key(*parameter), slice);
        }
        for (parameter, carry) in carry_parameters.iter().zip(carries) {
            let carry = cast(b, *carry, parameter.r#type())?;
            map.insert(value_key(*parameter), carry);
        }
        let mut operations = operations_of(body);
        let terminator = operations.pop().ok_or_else(invalid)?;
        for operation in operations {
            clone_operation(b, operation, &mut map);
        }
        let made: Vec<Value> = operands_of(terminator)
            .into_iter()
            .map(|value| mapped(&map, value))
            .collect();
        if made.len() != outputs.len() + carries.len() {
            return Err(invalid());
        }
        let (new_parts, new_carries) = made.split_at(outputs.len());

        let mut written = Vec::new();
        for (part, output) in new_parts.iter().zip(outputs) {
            written.push(self.update(b, *output, *part, position)?);
        }
        let one = extents::scalar(b, 1)?;
        let mut next = vec![b.value("stablehlo.add", &[run, one], run.r#type())?];
        for (carry, before) in new_carries.iter().zip(carries) {
            next.push(cast(b, *carry, before.r#type())?);
        }
        next.extend(written);
        b.op("stablehlo.return").operands(&next).insert()?;
        Ok(())
    }

    /// The start of a slice: the position in the scanned dimension, zero in
    /// others.
    fn start(
        &self,
        b: &Builder<'c>,
        rank: usize,
        position: Value<'c>,
    ) -> Result<Vec<Value<'c>>, RewriteError> {
        let mut start = vec![extents::scalar(b, 0)?; rank];
        if let Some(entry) = start.get_mut(self.dimension) {
            *entry = position;
        }
        Ok(start)
    }

    /// The slice of an input at a position, without the scanned dimension.
    fn slice(
        &self,
        b: &Builder<'c>,
        input: Value<'c>,
        position: Value<'c>,
        r#type: Type<'c>,
    ) -> Result<Value<'c>, RewriteError> {
        let mut extents = Extents::of(b, input)?;
        let rank = extents.0.len();
        if self.dimension >= rank {
            return Err(RewriteError::NoMatch);
        }
        let element = element_type(input.r#type());
        extents.0[self.dimension] = Extent::Known(1);
        let slice_type = extents.r#type(element);
        let start = self.start(b, rank, position)?;
        if let Some(sizes) = extents.known() {
            let mut operands = vec![input];
            operands.extend(start);
            let slice = b
                .op("stablehlo.dynamic_slice")
                .operands(&operands)
                .attribute("slice_sizes", i64_array_attribute(b.context(), &sizes))
                .result(slice_type)
                .value()?;
            extents.0.remove(self.dimension);
            let slice = b.value("stablehlo.reshape", &[slice], extents.r#type(element))?;
            return cast(b, slice, r#type);
        }
        let one = extents::scalar(b, 1)?;
        let end = b.value("stablehlo.add", &[position, one], position.r#type())?;
        let computed = |values: Vec<Value<'c>>| {
            Extents(values.into_iter().map(Extent::Computed).collect()).tensor(b)
        };
        let mut limits = extents.clone();
        limits.0[self.dimension] = Extent::Computed(end);
        let strides = Extents(vec![Extent::Known(1); rank]).tensor(b)?;
        let operands = [input, computed(start)?, limits.tensor(b)?, strides];
        let slice = b.value("stablehlo.real_dynamic_slice", &operands, slice_type)?;
        extents.0.remove(self.dimension);
        let shape = extents.tensor(b)?;
        let slice = b.value(
            "stablehlo.dynamic_reshape",
            &[slice, shape],
            extents.r#type(element),
        )?;
        cast(b, slice, r#type)
    }

    /// An output with a part written at a position.
    fn update(
        &self,
        b: &Builder<'c>,
        output: Value<'c>,
        part: Value<'c>,
        position: Value<'c>,
    ) -> Result<Value<'c>, RewriteError> {
        let mut extents = Extents::of(b, part)?;
        if self.dimension > extents.0.len() {
            return Err(RewriteError::NoMatch);
        }
        extents.0.insert(self.dimension, Extent::Known(1));
        let r#type = extents.r#type(element_type(part.r#type()));
        let part = if extents.known().is_some() {
            b.value("stablehlo.reshape", &[part], r#type)?
        } else {
            let shape = extents.tensor(b)?;
            b.value("stablehlo.dynamic_reshape", &[part, shape], r#type)?
        };
        let mut operands = vec![output, part];
        operands.extend(self.start(b, extents.0.len(), position)?);
        Ok(b.value("stablehlo.dynamic_update_slice", &operands, output.r#type())?)
    }
}
