//! `reduce`: a `linalg.generic` with reduction loops, the body on scalars.

use super::{
    Lowered, Lowering,
    constant::{counted_dimension, iota_element},
};
use halo_ir::prelude::*;

impl<'c> Lowering<'_, 'c> {
    pub(super) fn reduce(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let reduced = self.op_as::<stablehlo::ReduceOp>()?.dimensions();
        let count = self.operands.len() / 2;
        let inputs = self.operands[..count].to_vec();
        let original = self.original_elements();
        let shape = self.agreed_shape(0..count, self.operand(0)?.ty())?;
        let rank = shape.sizes.len();
        let kept: Vec<usize> =
            (0..rank).filter(|dimension| !reduced.contains(&(*dimension as i64))).collect();
        let whole: Vec<usize> = (0..rank).collect();
        let sizes: Vec<Size> = kept.iter().map(|dimension| shape.sizes[*dimension]).collect();
        let outputs = self
            .initial_values(&b)?
            .into_iter()
            .enumerate()
            .map(|(number, init)| {
                let start = structured::filled(&b, init, self.result_shape(number, &sizes)?);
                Ok((start, structured::projection(&b, rank, &kept)))
            })
            .collect::<RewriteResult<Vec<_>>>()?;
        // The elements of an iota are loop indices, unless all inputs are iotas: one input must
        // determine the sizes.
        let mut counted: Vec<Option<i64>> =
            self.op.operands().into_iter().take(count).map(counted_dimension).collect();
        if counted.iter().all(Option::is_some) {
            counted.fill(None);
        }
        let read = inputs.iter().zip(&counted);
        let read = read.filter(|(_, counted)| counted.is_none());
        let generic = structured::Generic {
            inputs: read
                .map(|(input, _)| (*input, structured::projection(&b, rank, &whole)))
                .collect(),
            outputs,
            iterators: (0..rank)
                .map(|dimension| {
                    if kept.contains(&dimension) {
                        IteratorType::Parallel
                    } else {
                        IteratorType::Reduction
                    }
                })
                .collect(),
        };
        let body = self.body(0)?;
        generic.build(&b, |b, arguments| {
            let (read, sums) = arguments.split_at(arguments.len() - count);
            let mut read = read.iter().copied();
            let mut elements = Vec::new();
            for (number, (dimension, input)) in counted.iter().zip(&inputs).enumerate() {
                let lowered = input.ty().element_type();
                elements.push(match dimension {
                    Some(dimension) => iota_element(b, *dimension, original[number], lowered)?,
                    None => read.next().ok_or_else(|| no_match("it has no element"))?,
                });
            }
            self.accumulate(b, body, sums, &elements, &original)
        })
    }
}
