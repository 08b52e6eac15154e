//! `reduce`: a `linalg.generic` with reduction loops, the body on scalars.

use super::{Lowered, Lowering, dims, structured, type_dims};
use crate::ir::{RewriteError, Value, element_type};
use melior::ir::ValueLike;

impl<'c> Lowering<'_, 'c> {
    pub(super) fn reduce(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let reduced = self.integers("dimensions")?;
        let count = self.operands.len() / 2;
        let (inputs, inits) = self.operands.split_at(count);
        let (inputs, inits) = (inputs.to_vec(), inits.to_vec());
        let rank = dims(self.operand(0)?)?.len();
        let kept: Vec<usize> = (0..rank)
            .filter(|dimension| !reduced.contains(&(*dimension as i64)))
            .collect();
        let whole: Vec<usize> = (0..rank).collect();
        let outputs = inits
            .iter()
            .zip(&self.results)
            .map(|(init, result)| {
                let scalar = structured::extract_scalar(&b, *init)?;
                let start = structured::filled(&b, scalar, *result)?;
                Ok((start, structured::projection(&b, rank, &kept)))
            })
            .collect::<Result<Vec<_>, RewriteError>>()?;
        let generic = structured::Generic {
            inputs: inputs
                .iter()
                .map(|input| (*input, structured::projection(&b, rank, &whole)))
                .collect(),
            outputs,
            iterators: (0..rank)
                .map(|dimension| {
                    if kept.contains(&dimension) {
                        structured::Iterator::Parallel
                    } else {
                        structured::Iterator::Reduction
                    }
                })
                .collect(),
        };
        let body = self.body(0)?;
        let accumulators: Vec<_> = self
            .results
            .iter()
            .map(|result| type_dims(*result).map(|_| element_type(*result)))
            .collect::<Result<_, _>>()?;
        let results = generic.build(&b, |b, arguments| {
            let (elements, sums) = arguments.split_at(count);
            // A body may compute in a wider type than the operand has.
            let elements = elements
                .iter()
                .zip(&accumulators)
                .map(|(element, wide)| {
                    if element.r#type() == *wide {
                        return Ok(*element);
                    }
                    crate::conversion::scalar::convert(b, *element, element.r#type(), *wide, *wide)
                })
                .collect::<Result<Vec<Value>, RewriteError>>()?;
            let operands: Vec<Value> = sums.iter().copied().chain(elements).collect();
            self.scalar_region(b, body, &operands)
        })?;
        Ok(results)
    }
}
