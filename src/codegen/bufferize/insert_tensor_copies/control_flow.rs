//! Loops and conditionals: carried and returned values share a buffer.

use super::{Copies, READ_LATER, buffers::Buffer, conflicts::is_read_behind};
use crate::{
    bufferize::destination_passing::{destination_operand, overwritten_by_branches},
    explain,
};
use halo_ir::{ops::bufferization, prelude::*};

impl<'c> Copies<'c> {
    /// The buffer of a loop-carried value: the buffer of its initial value, unless a later op reads
    /// that.
    fn carry(
        &mut self,
        op: Operation<'c>,
        operand: usize,
        writes: bool,
    ) -> RewriteResult<Option<Buffer>> {
        let start = op.operands()[operand];
        if !start.ty().is_tensor() {
            return Ok(None);
        }
        Ok(Some(if writes {
            self.write(op, operand)?
        } else {
            self.buffers.of(start)
        }))
    }

    fn bind_all(&mut self, values: &[Value<'c>], buffers: &[Option<Buffer>]) {
        for (value, buffer) in values.iter().zip(buffers) {
            if let Some(buffer) = buffer {
                self.bind(*value, *buffer);
            }
        }
    }

    fn put_all(
        &mut self,
        end: Operation<'c>,
        first: usize,
        destinations: &[Value<'c>],
    ) -> RewriteResult {
        for (number, destination) in destinations.iter().enumerate() {
            if destination.ty().is_tensor() {
                self.put(end, first + number, *destination)?;
            }
        }
        Ok(())
    }

    pub(super) fn for_loop(&mut self, op: Operation<'c>) -> RewriteResult {
        let body = op.body(0).ok_or_else(|| no_match("a region is empty"))?;
        let end = body.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
        let carried: Vec<Value> = body.arguments().into_iter().skip(1).collect();
        let passed_on = end.operands();
        let buffers = (0..carried.len())
            .map(|number| self.carry(op, 3 + number, passed_on[number] != carried[number]))
            .collect::<Result<Vec<_>, _>>()?;
        self.bind_all(&carried, &buffers);
        self.block(body)?;
        self.put_all(end, 0, &carried)?;
        self.bind_all(&op.results(), &buffers);
        Ok(())
    }

    pub(super) fn while_loop(&mut self, op: Operation<'c>) -> RewriteResult {
        let before = op.body(0).ok_or_else(|| no_match("a region is empty"))?;
        let after = op.body(1).ok_or_else(|| no_match("a region is empty"))?;
        let condition = before.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
        let end = after.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
        let (carried, taken) = (before.arguments(), after.arguments());
        let (passed, yielded) = (condition.operands(), end.operands());
        if passed.len() <= carried.len() || taken.len() + 1 != passed.len() {
            return Err(RewriteError::Invalid(
                "a loop does not pass on the values that it carries".into(),
            ));
        }
        let buffers = (0..carried.len())
            .map(|number| {
                let unchanged =
                    passed[number + 1] == carried[number] && yielded[number] == taken[number];
                self.carry(op, number, !unchanged)
            })
            .collect::<Result<Vec<_>, _>>()?;
        self.bind_all(&carried, &buffers);
        self.block(before)?;
        self.put_all(condition, 1, &carried)?;
        self.bind_all(&taken, &buffers);
        self.block(after)?;
        self.put_all(end, 0, &taken[..carried.len()])?;
        self.bind_all(&op.results(), &buffers);
        Ok(())
    }

    pub(super) fn forall(&mut self, op: Operation<'c>) -> RewriteResult {
        let body = op.body(0).ok_or_else(|| no_match("a region is empty"))?;
        let results = op.results();
        let first = op.operands().len() - results.len();
        let arguments = body.arguments();
        let shared = arguments[arguments.len() - results.len()..].to_vec();
        let buffers = (0..results.len())
            .map(|number| self.carry(op, first + number, true))
            .collect::<Result<Vec<_>, _>>()?;
        self.bind_all(&shared, &buffers);
        self.block(body)?;
        self.bind_all(&results, &buffers);
        Ok(())
    }

    /// Makes all branches write a result to the same buffer: the buffer of an outer tensor that one
    /// of them overwrites, or a new one.
    pub(super) fn conditional(&mut self, op: Operation<'c>) -> RewriteResult {
        let outer = self.conditional;
        self.conditional = Some(self.kept(op));
        self.copy_overwritten(op);
        let count = self.buffers.count();
        let mut ends = Vec::new();
        for region in 0..op.region_count() {
            if let Some(block) = op.body(region) {
                self.block(block)?;
                ends.extend(block.terminator());
            }
        }
        for (number, result) in op.results().into_iter().enumerate() {
            if !result.ty().is_tensor() {
                continue;
            }
            let values: Vec<Value> = ends.iter().map(|end| end.operands()[number]).collect();
            let first = *values.first().ok_or_else(|| no_match("no value is carried"))?;
            let buffer = self.buffers.of(first);
            let agreed = self.buffers.is_older(buffer, count)
                && (values.iter().all(|value| self.buffers.same(*value, first)));
            let buffer = if agreed {
                buffer
            } else {
                let destination = self.common_destination(op, &values, count)?;
                for end in &ends {
                    self.put(*end, number, destination)?;
                }
                self.buffers.of(destination)
            };
            self.bind(result, buffer);
        }
        self.conditional = outer;
        Ok(())
    }

    /// Copies outer tensors that the branches of a conditional overwrite, if they are read after
    /// it. The copy is before the conditional; otherwise each branch would copy them.
    fn copy_overwritten(&mut self, op: Operation<'c>) {
        for number in 0..op.results().len() {
            let Some(tensor) = overwritten_by_branches(op, number) else {
                continue;
            };
            let buffer = self.buffers.of(tensor);
            let verdict = match self.buffers.writable(buffer) {
                Ok(()) if self.is_read_behind(op, buffer) => Err(READ_LATER),
                verdict => verdict,
            };
            let Err(reason) = verdict else {
                continue;
            };
            self.explain(op, explain::Outcome::BranchesOverwriteCopy, reason, None);
            let copy = self.new_tensor(op, tensor, Some(tensor));
            for (user, operand) in tensor.uses() {
                if user != op && user.is_inside(op) {
                    user.set_operand(operand, copy);
                }
            }
            let buffer = self.buffers.of(copy);
            self.bind(copy, buffer);
        }
    }

    fn is_read_behind(&mut self, op: Operation<'c>, buffer: Buffer) -> bool {
        let kept = self.kept(op);
        is_read_behind(&self.order, &mut self.buffers, buffer, (op, kept))
    }

    /// An outer tensor that the branches of a conditional, which return
    /// `values`, can all write to.
    fn common_destination(
        &mut self,
        op: Operation<'c>,
        values: &[Value<'c>],
        count: usize,
    ) -> RewriteResult<Value<'c>> {
        for value in values {
            let buffer = self.buffers.of(*value);
            let usable = self.buffers.is_older(buffer, count)
                && self.buffers.is_writable(buffer)
                && !self.is_read_behind(op, buffer);
            let around = self
                .buffers
                .members(buffer)
                .filter(|member| member.ty() == value.ty() && is_visible(*member, op));
            // The argument of a loop rather than its initial value, so that the loop carries it.
            if let (true, Some(destination)) = (usable, around.last()) {
                return Ok(destination);
            }
        }
        if values[0].ty().static_shape().is_some() {
            return Ok(self.new_tensor(op, values[0], None));
        }
        if let Some(sizes) = values.iter().find_map(|value| sizes_before(*value, op)) {
            let new = with_builder(op, |b| tensor::empty(b, &sizes, values[0].ty()));
            self.enter_before(op, new);
            return Ok(new);
        }
        let outer = values.iter().find(|value| is_visible(**value, op)).ok_or_else(|| {
            let message = "the size of what a branch returns is not computed before the branch";
            RewriteError::Invalid(message.into())
        })?;
        Ok(self.new_tensor(op, *outer, None))
    }
}

/// The dynamic sizes of a value in a branch of an op, if they are computed before the op.
fn sizes_before<'c>(value: Value<'c>, op: Operation<'c>) -> Option<Vec<Value<'c>>> {
    let mut value = value;
    loop {
        let (producer, number) = value.as_result()?;
        let operands = producer.operands();
        value = match producer.name() {
            tensor::EmptyOp::NAME => {
                return operands.iter().all(|size| is_visible(*size, op)).then_some(operands);
            }
            scf::WhileOp::NAME => *operands.get(number)?,
            bufferization::MaterializeInDestinationOp::NAME => *operands.get(1)?,
            name => operands[destination_operand(producer, name, number)?],
        };
    }
}

/// Returns true if an op may use a value that is defined before it.
fn is_visible(value: Value, op: Operation) -> bool {
    let block = value.parent_block();
    let mut inner = Some(op);
    while let Some(op) = inner {
        if op.block() == block {
            return true;
        }
        inner = op.parent();
    }
    false
}
