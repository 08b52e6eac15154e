//! `while`, `if` and `case`, as ops of scf on tensors.

use super::{Lowered, Lowering, structured};
use crate::conversion::arithmetic as arith;
use halo_ir::{
    Block, Builder, RewriteError, Type, Value, arguments_of, i64_array_attribute, index_type,
    results_of,
};
use melior::ir::{Region, ValueLike};

impl<'c> Lowering<'_, 'c> {
    pub(super) fn while_op(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let operands = self.operands.clone();
        let types: Vec<Type> = operands.iter().map(|operand| operand.r#type()).collect();
        let (condition, body) = (self.body(0)?, self.body(1)?);
        let before = b.region(&types, |b, arguments| {
            self.converter.map(&arguments_of(condition), arguments);
            let verdict = self.converter.convert_block(b, condition)?;
            let verdict = structured::extract_scalar(b, first(&verdict)?)?;
            let mut forwarded = vec![verdict];
            forwarded.extend(arguments);
            b.op("scf.condition").operands(&forwarded).insert()?;
            Ok::<_, RewriteError>(())
        })?;
        let after = b.region(&types, |b, arguments| {
            self.converter.map(&arguments_of(body), arguments);
            let next = self.converter.convert_block(b, body)?;
            b.op("scf.yield").operands(&next).insert()?;
            Ok::<_, RewriteError>(())
        })?;
        let op = b
            .op("scf.while")
            .operands(&operands)
            .results(&types)
            .region(before)
            .region(after)
            .insert()?;
        Ok(results_of(op))
    }

    pub(super) fn if_op(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let condition = structured::extract_scalar(&b, self.operand(0)?)?;
        let on_true = self.branch(&b, self.body(0)?)?;
        let on_false = self.branch(&b, self.body(1)?)?;
        let op = b
            .op("scf.if")
            .operands(&[condition])
            .results(&self.results)
            .region(on_true)
            .region(on_false)
            .insert()?;
        Ok(results_of(op))
    }

    /// `case`: an index out of range takes the last branch.
    pub(super) fn case(&mut self) -> Lowered<'c> {
        use melior::ir::operation::OperationLike;
        let b = self.builder;
        let selector = structured::extract_scalar(&b, self.operand(0)?)?;
        let selector = arith::cast(&b, "arith.index_cast", selector, index_type(b.context()))?;
        let last = self
            .op
            .region_count()
            .checked_sub(1)
            .ok_or_else(|| RewriteError::Invalid("'stablehlo.case' has no branches".into()))?;
        let otherwise = self.branch(&b, self.body(last)?)?;
        let cases: Vec<i64> = (0..last as i64).collect();
        let mut spec = b
            .op("scf.index_switch")
            .operands(&[selector])
            .attribute("cases", i64_array_attribute(b.context(), &cases))
            .results(&self.results)
            .region(otherwise);
        for index in 0..last {
            let branch = self.branch(&b, self.body(index)?)?;
            spec = spec.region(branch);
        }
        Ok(results_of(spec.insert()?))
    }

    fn branch(&mut self, b: &Builder<'c>, block: Block<'c>) -> Result<Region<'c>, RewriteError> {
        b.region(&[], |b, _| {
            let values = self.converter.convert_block(b, block)?;
            b.op("scf.yield").operands(&values).insert()?;
            Ok(())
        })
    }
}

fn first<'c>(values: &[Value<'c>]) -> Result<Value<'c>, RewriteError> {
    values
        .first()
        .copied()
        .ok_or_else(|| RewriteError::Invalid("a condition returns nothing".into()))
}
