//! Scans as loops.
//!
//! The loop carries the iteration number, the carried values of the body, and the outputs so far.
//! Each iteration takes a slice of every input, and writes its outputs at the index of the slice.

use crate::transforms::shapes::mixed_sizes::{self, MixedSize, MixedSizes};
use halo_ir::prelude::*;

/// The parts of a `chlo.scan`.
struct Scan<'c> {
    op: chlo::ScanOp<'c>,
    inputs: Vec<Value<'c>>,
    inits: Vec<Value<'c>>,
    output_types: Vec<Type<'c>>,
    dimension: usize,
    /// A scalar.
    length: Value<'c>,
}

/// Replaces `chlo.scan` by `stablehlo.while`.
pub fn decompose<'c>(b: &Builder<'c>, op: chlo::ScanOp<'c>) -> RewriteResult {
    let scan = Scan::read(b, op)?;
    let mut state = vec![mixed_sizes::scalar(b, 0)];
    state.extend(&scan.inits);
    for ty in &scan.output_types {
        state.push(scan.empty_output(b, *ty)?);
    }
    let finished = stablehlo::while_(
        b,
        &state,
        |b, carried| {
            let run = carried[0];
            Ok(stablehlo::compare(
                b,
                run,
                scan.length,
                ComparisonDirection::Lt,
            ))
        },
        |b, carried| scan.run(b, carried[0], &carried[1..]),
    )?;

    let mut results = finished.results();
    results.remove(0);
    results.rotate_left(scan.inits.len());
    let results = results
        .into_iter()
        .zip(op.result_types())
        .map(|(value, ty)| cast(b, value, ty))
        .collect::<Result<Vec<_>, _>>()?;
    b.replace(op.operation(), &results);
    Ok(())
}

/// Casts a value to a type of the same elements with more or fewer static sizes.
fn cast<'c>(b: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> RewriteResult<Value<'c>> {
    if value.ty() == ty {
        Ok(value)
    } else {
        Ok(stablehlo::convert(b, value, ty))
    }
}

impl<'c> Scan<'c> {
    fn read(b: &Builder<'c>, op: chlo::ScanOp<'c>) -> RewriteResult<Self> {
        let (inputs, inits) = (op.inputs(), op.inits());
        let outputs = op.outputs().into_iter();
        let output_types: Vec<_> = outputs.map(|output| output.ty()).collect();
        let dimension =
            usize::try_from(op.dimension()).map_err(|_| no_match("a dimension is out of range"))?;
        let length = match inputs.first() {
            Some(input) => mixed_sizes::size_of(b, *input, dimension),
            None => {
                let known = output_types
                    .iter()
                    .find_map(|ty| ty.shape()?.get(dimension).copied().flatten());
                let length = known.or_else(|| op.scan_dim_size()).ok_or_else(|| {
                    RewriteError::Invalid(
                        "a scan without inputs and of unknown length cannot be decomposed"
                            .to_owned(),
                    )
                })?;
                mixed_sizes::scalar(b, length)
            }
        };
        Ok(Self {
            op,
            inputs,
            inits,
            output_types,
            dimension,
            length,
        })
    }

    /// Zeros in the shape of an output. A dynamic size is taken from an input of the same rank.
    fn empty_output(&self, b: &Builder<'c>, ty: Type<'c>) -> RewriteResult<Value<'c>> {
        let shape = ty.shape().ok_or_else(|| no_match("a tensor is unranked"))?;
        let mut mixed_sizes = Vec::new();
        for (dimension, size) in shape.iter().enumerate() {
            mixed_sizes.push(match size {
                Some(size) => MixedSize::Static(*size),
                None if dimension == self.dimension => MixedSize::Dynamic(self.length),
                None => {
                    let like = self.inputs.iter().find(|input| {
                        input.ty().shape().is_some_and(|other| other.len() == shape.len())
                    });
                    let like = like.ok_or_else(|| {
                        RewriteError::Invalid(
                            "the size of an output of a scan follows from no input".to_owned(),
                        )
                    })?;
                    MixedSizes::of(b, *like)?.0[dimension]
                }
            });
        }
        let zero = MixedSizes(Vec::new()).zeros(b, ty.element_type())?;
        let zeros = MixedSizes(mixed_sizes).broadcast(b, zero, &[]);
        cast(b, zeros, ty)
    }

    /// One iteration of the loop: returns the values carried to the next one.
    fn run(
        &self,
        b: &Builder<'c>,
        run: Value<'c>,
        carried: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let invalid = || RewriteError::Invalid("a scan with a malformed body".to_owned());
        let body = self.op.operation().body(0).ok_or_else(invalid)?;
        let (carries, outputs) = carried.split_at(self.inits.len());
        let position = if self.op.is_reverse() {
            let one = mixed_sizes::scalar(b, 1);
            let last = stablehlo::subtract(b, self.length, one);
            stablehlo::subtract(b, last, run)
        } else {
            run
        };

        let parameters = body.arguments();
        if parameters.len() != self.inputs.len() + carries.len() {
            return Err(invalid());
        }
        let mut map = ValueMap::new();
        let (slice_parameters, carry_parameters) = parameters.split_at(self.inputs.len());
        for (parameter, input) in slice_parameters.iter().zip(&self.inputs) {
            let slice = self.slice(b, *input, position, parameter.ty())?;
            map.insert(parameter.key(), slice);
        }
        for (parameter, carry) in carry_parameters.iter().zip(carries) {
            let carry = cast(b, *carry, parameter.ty())?;
            map.insert(parameter.key(), carry);
        }
        let mut operations = body.operations();
        let terminator = operations.pop().ok_or_else(invalid)?;
        for operation in operations {
            b.clone_op(operation, &mut map);
        }
        let made: Vec<Value> =
            terminator.operands().into_iter().map(|value| mapped(&map, value)).collect();
        if made.len() != outputs.len() + carries.len() {
            return Err(invalid());
        }
        let (new_parts, new_carries) = made.split_at(outputs.len());

        let mut written = Vec::new();
        for (part, output) in new_parts.iter().zip(outputs) {
            written.push(self.update(b, *output, *part, position)?);
        }
        let one = mixed_sizes::scalar(b, 1);
        let mut next = vec![stablehlo::add(b, run, one)];
        for (carry, before) in new_carries.iter().zip(carries) {
            next.push(cast(b, *carry, before.ty())?);
        }
        next.extend(written);
        Ok(next)
    }

    /// The start of a slice: the position in the scanned dimension, zero in others.
    fn start(&self, b: &Builder<'c>, rank: usize, position: Value<'c>) -> Vec<Value<'c>> {
        let mut start = vec![mixed_sizes::scalar(b, 0); rank];
        if let Some(entry) = start.get_mut(self.dimension) {
            *entry = position;
        }
        start
    }

    /// The slice of an input at a position, without the scanned dimension.
    fn slice(
        &self,
        b: &Builder<'c>,
        input: Value<'c>,
        position: Value<'c>,
        ty: Type<'c>,
    ) -> RewriteResult<Value<'c>> {
        let mut mixed_sizes = MixedSizes::of(b, input)?;
        let rank = mixed_sizes.0.len();
        if self.dimension >= rank {
            return Err(no_match("a dimension is out of range"));
        }
        let element = input.ty().element_type();
        mixed_sizes.0[self.dimension] = MixedSize::Static(1);
        let slice_type = mixed_sizes.ty(element);
        let start = self.start(b, rank, position);
        if let Some(sizes) = mixed_sizes.known() {
            let slice = stablehlo::dynamic_slice(b, input, &start, &sizes);
            mixed_sizes.0.remove(self.dimension);
            let slice = stablehlo::reshape(b, slice, mixed_sizes.ty(element));
            return cast(b, slice, ty);
        }
        // This form of the limits lets shape refinement find that the slice has the size of
        // `mixed_sizes` at any position.
        let start = MixedSizes(start.into_iter().map(MixedSize::Dynamic).collect()).tensor(b);
        let sizes = mixed_sizes.tensor(b);
        let limits = stablehlo::add(b, start, sizes);
        let strides = MixedSizes(vec![MixedSize::Static(1); rank]).tensor(b);
        let slice = stablehlo::real_dynamic_slice(b, input, start, limits, strides, slice_type);
        mixed_sizes.0.remove(self.dimension);
        let shape = mixed_sizes.tensor(b);
        let slice = stablehlo::dynamic_reshape(b, slice, shape, mixed_sizes.ty(element));
        cast(b, slice, ty)
    }

    /// An output with a slice written at a position.
    fn update(
        &self,
        b: &Builder<'c>,
        output: Value<'c>,
        part: Value<'c>,
        position: Value<'c>,
    ) -> RewriteResult<Value<'c>> {
        let mut mixed_sizes = MixedSizes::of(b, part)?;
        if self.dimension > mixed_sizes.0.len() {
            return Err(no_match("a dimension is out of range"));
        }
        mixed_sizes.0.insert(self.dimension, MixedSize::Static(1));
        let ty = mixed_sizes.ty(part.ty().element_type());
        let part = if mixed_sizes.known().is_some() {
            stablehlo::reshape(b, part, ty)
        } else {
            let shape = mixed_sizes.tensor(b);
            stablehlo::dynamic_reshape(b, part, shape, ty)
        };
        let start = self.start(b, mixed_sizes.0.len(), position);
        Ok(stablehlo::dynamic_update_slice(b, output, part, &start))
    }
}
