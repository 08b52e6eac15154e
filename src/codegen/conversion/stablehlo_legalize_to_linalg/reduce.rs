//! `reduce`: a `linalg.generic` with reduction loops, the body on scalars.

use super::{Lowered, Lowering, dims, structured};
use halo_ir::RewriteError;
use halo_ir::ops::linalg::IteratorType;
use halo_ir::ops::stablehlo;

impl<'c> Lowering<'_, 'c> {
    pub(super) fn reduce(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let reduced = self.op_as::<stablehlo::ReduceOp>()?.dimensions();
        let count = self.operands.len() / 2;
        let inputs = self.operands[..count].to_vec();
        let original = self.original_elements();
        let rank = dims(self.operand(0)?)?.len();
        let kept: Vec<usize> = (0..rank)
            .filter(|dimension| !reduced.contains(&(*dimension as i64)))
            .collect();
        let whole: Vec<usize> = (0..rank).collect();
        let outputs = self
            .initial_values(&b)?
            .into_iter()
            .zip(&self.results)
            .map(|(init, result)| {
                let start = structured::filled(&b, init, *result)?;
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
                        IteratorType::Parallel
                    } else {
                        IteratorType::Reduction
                    }
                })
                .collect(),
        };
        let body = self.body(0)?;
        let results = generic.build(&b, |b, arguments| {
            let (elements, sums) = arguments.split_at(count);
            self.accumulate(b, body, sums, elements, &original)
        })?;
        Ok(results)
    }
}
