//! `while`, `if` and `case`, as ops of scf on tensors.

use super::{Lowered, Lowering};
use halo_ir::{Region, prelude::*};

impl<'c> Lowering<'_, 'c> {
    pub(super) fn while_op(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let operands = self.operands.clone();
        let types = operands.types();
        let (condition, body) = (self.body(0)?, self.body(1)?);
        let before = b.region(&types, |b, arguments| {
            self.map(&condition.arguments(), arguments)?;
            let verdict = self.convert_block(b, condition)?;
            let verdict = tensor::extract(b, first(&verdict)?, &[]);
            scf::condition(b, verdict, arguments);
            Ok::<_, RewriteError>(())
        })?;
        let after = b.region(&types, |b, arguments| {
            self.map(&body.arguments(), arguments)?;
            let next = self.convert_block(b, body)?;
            scf::yield_(b, &next);
            Ok::<_, RewriteError>(())
        })?;
        Ok(scf::WhileOp::build(&b, &operands, &types, before, after).insert().results())
    }

    pub(super) fn if_op(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let condition = tensor::extract(&b, self.operand(0)?, &[]);
        let on_true = self.branch(&b, self.body(0)?)?;
        let on_false = self.branch(&b, self.body(1)?)?;
        let op = scf::IfOp::build(&b, condition, on_true, on_false);
        Ok(op.result_types(&self.results).insert().results())
    }

    /// `case`: an index out of range takes the last branch.
    pub(super) fn case(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let selector = tensor::extract(&b, self.operand(0)?, &[]);
        let selector = arith::cast(&b, arith::index_cast, selector, Type::index(b.context()));
        let last = self
            .op
            .region_count()
            .checked_sub(1)
            .ok_or_else(|| RewriteError::Invalid("'stablehlo.case' has no branches".into()))?;
        let otherwise = self.branch(&b, self.body(last)?)?;
        let cases: Vec<i64> = (0..last as i64).collect();
        let mut branches = Vec::new();
        for index in 0..last {
            branches.push(self.branch(&b, self.body(index)?)?);
        }
        let op = scf::index_switch(&b, selector, &cases, &self.results, otherwise, branches);
        Ok(op.results())
    }

    fn branch(&mut self, b: &Builder<'c>, block: Block<'c>) -> RewriteResult<Region<'c>> {
        b.region(&[], |b, _| {
            let values = self.convert_block(b, block)?;
            scf::yield_(b, &values);
            Ok(())
        })
    }
}

fn first<'c>(values: &[Value<'c>]) -> RewriteResult<Value<'c>> {
    values
        .first()
        .copied()
        .ok_or_else(|| RewriteError::Invalid("a condition returns nothing".into()))
}
