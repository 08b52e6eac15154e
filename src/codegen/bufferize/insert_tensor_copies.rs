//! `--halo-insert-tensor-copies`: inserts copies of tensors that cannot be updated in place.
//!
//! Ops on tensors create new values; ops on buffers overwrite old ones. The pass visits each op
//! with a destination in program order. If the destination's buffer contains a value that is read
//! later, the op gets a new buffer. Loops overwrite their carried values, and the branches of a
//! conditional write to one tensor. After this, `--halo-bufferize` can rewrite every program op by
//! op.
//!
//! ```mlir
//! func.func @main(%x: tensor<4xf32> {bufferization.writable = false}, %i: index) -> ... {
//!   %0 = tensor.insert %c0 into %x[%i] : tensor<4xf32>
//!   %1 = tensor.insert %c1 into %0[%i] : tensor<4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//!   %copy = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
//!   %0 = tensor.insert %c0 into %copy[%i] : tensor<4xf32>
//!   %1 = tensor.insert %c1 into %0[%i] : tensor<4xf32>
//! ```
//!
//! An op whose body does not read its destination gets a new buffer without a copy, or the buffer
//! of an operand without later reads. A fill with several users is cloned for each. With an
//! explicit destination (`materialize_in_destination`), old elements that are read later are copied
//! first.
//!
//! First, the ops of each block are reordered if this lowers the peak of live memory: the ops of
//! one chain become adjacent, rather than interleaved with other chains. Ops with side effects keep
//! their order.
//!
//! The live tensors of each allocation are recorded, so that the time is linear in the size of the
//! program. The option `explain` emits a remark for each copy, and for each op that is not computed
//! in its destination.

mod buffers;
mod conflicts;
mod control_flow;
mod schedule;
mod sink_writes;
mod slices;

use super::{destination_passing::destination_operand, reads_where_written};
use crate::{
    explain::{self, Reason},
    loops::order::Order,
};
use buffers::{Buffer, Buffers};
use conflicts::{
    Conflict, are_exclusive, conflicts, is_shared_by_iterations, is_undefined, last_use, puts_back,
    reads,
};
use halo_ir::{ops::bufferization, prelude::*};
use melior::ir::attribute::BoolAttribute;
use schedule::schedule;
use sink_writes::sink_writes;
use slices::compute_in_slices;
use std::collections::{HashMap, HashSet};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report copies, with the reasons
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-insert-tensor-copies",
    "Copy tensors that cannot be updated in place",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["bufferization", "linalg", "tensor"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let pass = &*pass;
    let function = pass.operation();
    let Some(body) = function.body(0) else {
        return Ok(());
    };
    schedule(function);
    sink_writes(function);
    let explained = Some(pass).filter(|pass| pass.options::<Options>().explain);
    let explain = |op: Operation, reason| {
        if let Some(pass) = explained {
            explain::Outcome::NotComputedInSlice.because(reason).remark(pass, op);
        }
    };
    compute_in_slices(function, &explain);
    let mut copies = Copies {
        order: Order::of(function),
        buffers: Buffers::default(),
        materialized: function
            .collect_nested(|op| op.isa::<bufferization::MaterializeInDestinationOp>())
            .into_iter()
            .filter_map(|op| op.operands().get(1).copied())
            .map(Value::key)
            .collect(),
        conditional: None,
        explained,
        failed: false,
    };
    copies.enter(function, body);
    let outcome = copies.block(body);
    if let (Err(error), false) = (outcome, copies.failed) {
        return Err(PassFailure::at(
            function,
            format_args!("internal error: {error}"),
        ));
    }
    if copies.failed {
        Err(PassFailure)
    } else {
        Ok(())
    }
}

const READ_LATER: Reason = Reason::OldElementsReadLater;

struct Copies<'c> {
    /// The pass, if it emits remarks.
    explained: Option<&'c PassInvocation<'c>>,
    order: Order<'c>,
    buffers: Buffers<'c>,
    /// The destinations of `materialize_in_destination`.
    materialized: HashSet<usize>,
    /// The number of the outermost conditional that is being visited.
    conditional: Option<usize>,
    failed: bool,
}

impl<'c> Copies<'c> {
    /// The arguments of a function, some of which may be written to.
    fn enter(&mut self, function: Operation<'c>, body: Block<'c>) {
        let attributes: Vec<Attribute> =
            function.attribute("arg_attrs").map_or(Vec::new(), Attribute::array_elements);
        for (number, argument) in body.arguments().into_iter().enumerate() {
            let writable = attributes
                .get(number)
                .and_then(|entries| entries.dictionary_entry("bufferization.writable"))
                .and_then(Attribute::cast::<BoolAttribute>)
                .is_none_or(|attribute| attribute.value());
            if argument.ty().is_tensor() {
                let why = || Reason::MemoryOfArgument;
                self.allocate(argument, writable.then_some(()).ok_or_else(why));
            }
        }
    }

    fn allocate(&mut self, value: Value<'c>, writable: Result<(), Reason>) {
        let buffer = self.buffers.allocate(writable);
        self.bind(value, buffer);
    }

    /// The number of the op up to which all ops were visited: the branches of a
    /// conditional are visited again when all of them are known.
    fn kept(&self, op: Operation<'c>) -> usize {
        self.conditional.unwrap_or(self.order.span(op).0)
    }

    fn conflicts(&mut self, op: Operation<'c>, operand: usize) -> Vec<Conflict<'c>> {
        let kept = self.kept(op);
        conflicts(&self.order, &mut self.buffers, (op, operand), kept)
    }

    fn bind(&mut self, value: Value<'c>, buffer: Buffer) {
        self.buffers.bind(value, buffer, last_use(&self.order, value));
    }

    /// The ops of a block, in order.
    fn block(&mut self, block: Block<'c>) -> RewriteResult {
        for op in block.operations() {
            let outcome = self.operation(op);
            if let (Err(error), false) = (&outcome, self.failed) {
                emit_error(op.location(), &format!("internal error: {error}"));
                self.failed = true;
            }
            outcome?;
        }
        Ok(())
    }

    fn operation(&mut self, op: Operation<'c>) -> RewriteResult {
        match op.name() {
            tensor::EmptyOp::NAME | bufferization::AllocTensorOp::NAME => {
                self.new_results(op, Ok(()));
            }
            arith::ConstantOp::NAME => self.new_results(op, Err(Reason::MemoryOfConstant)),
            bufferization::ToTensorOp::NAME => {
                let tensor = bufferization::ToTensorOp::from_unchecked(op);
                let why = || Reason::ReadOnlyMemory;
                self.new_results(op, tensor.writable().then_some(()).ok_or_else(why));
            }
            tensor::ExtractSliceOp::NAME => {
                let (source, result) = (op.operands()[0], op.results()[0]);
                let buffer = self.buffers.of(source);
                let slice = self.buffers.slice(buffer, result);
                self.bind(result, slice);
            }
            tensor::CollapseShapeOp::NAME => {
                let buffer = self.buffers.of(op.operands()[0]);
                self.bind(op.results()[0], self.buffers.reshape(buffer));
            }
            tensor::ExpandShapeOp::NAME | tensor::CastOp::NAME => {
                let buffer = self.buffers.of(op.operands()[0]);
                self.bind(op.results()[0], buffer);
            }
            tensor::InsertOp::NAME => self.write_result(op, 0)?,
            tensor::InsertSliceOp::NAME => {
                self.copy_source(op);
                self.write_result(op, 0)?;
            }
            tensor::ParallelInsertSliceOp::NAME => {
                self.copy_source(op);
                self.write(op, 1)?;
            }
            bufferization::MaterializeInDestinationOp::NAME => self.materialize(op)?,
            scf::ForOp::NAME => self.for_loop(op)?,
            scf::WhileOp::NAME => self.while_loop(op)?,
            scf::ForallOp::NAME => self.forall(op)?,
            scf::IfOp::NAME | scf::IndexSwitchOp::NAME => self.conditional(op)?,
            // The parent op handles terminators.
            scf::YieldOp::NAME | scf::ConditionOp::NAME => {}
            name if name.starts_with("linalg.") => {
                for number in 0..op.results().len() {
                    self.write_result(op, number)?;
                }
            }
            _ => self.unknown(op)?,
        }
        Ok(())
    }

    fn new_results(&mut self, op: Operation<'c>, writable: Result<(), Reason>) {
        for result in op.results() {
            if result.ty().is_tensor() {
                self.allocate(result, writable);
            }
        }
    }

    /// An op whose results may alias any operand. Neither may be overwritten from here on.
    fn unknown(&mut self, op: Operation<'c>) -> RewriteResult {
        let tensors = op.operands().into_iter().filter(|operand| operand.ty().is_tensor());
        let operands: Vec<Value> = tensors.collect();
        let has_results = op.results().iter().any(|result| result.ty().is_tensor());
        if has_results {
            for operand in &operands {
                let buffer = self.buffers.of(*operand);
                self.buffers.freeze(buffer);
            }
        }
        let why = || Reason::HeldByOtherOp;
        self.new_results(op, operands.is_empty().then_some(()).ok_or_else(why));
        for block in op.blocks() {
            self.block(block)?;
        }
        Ok(())
    }

    /// Makes an op write a result to its destination.
    fn write_result(&mut self, op: Operation<'c>, number: usize) -> RewriteResult {
        let operand = destination_operand(op, op.name(), number)
            .ok_or_else(|| RewriteError::Invalid(format!("'{}' has no destination", op.name())))?;
        let result = op.results()[number];
        let buffer = self.write(op, operand)?;
        self.bind(result, buffer);
        Ok(())
    }

    /// Makes an op write to an operand, or to a copy of it.
    fn write(&mut self, op: Operation<'c>, operand: usize) -> RewriteResult<Buffer> {
        if let Some(input) = self.dying_input(op, operand) {
            op.set_operand(operand, input);
        }
        let destination = op.operands()[operand];
        let buffer = self.buffers.of(destination);
        let Err((reason, reader)) = self.can_write(op, operand, buffer) else {
            self.buffers.write(buffer, op);
            return Ok(buffer);
        };
        let own = if is_undefined(destination) {
            self.new_tensor(op, destination, None)
        } else if !reads(op, operand) {
            self.explain(
                op,
                explain::Outcome::NotComputedInDestination,
                reason,
                reader,
            );
            self.new_tensor(op, destination, None)
        } else if let Some(fill) = fill_of(destination) {
            self.fill_again(op, fill)
        } else {
            self.explain(op, explain::Outcome::OverwritesCopy, reason, reader);
            self.new_tensor(op, destination, Some(destination))
        };
        op.set_operand(operand, own);
        let buffer = self.buffers.of(own);
        self.buffers.write(buffer, op);
        Ok(buffer)
    }

    /// Emits a remark for an op, if enabled, with a note at the op that is the reason.
    fn explain(
        &self,
        op: Operation<'c>,
        outcome: explain::Outcome,
        reason: Reason,
        reader: Option<Operation<'c>>,
    ) {
        if let Some(pass) = self.explained {
            let remark = outcome.because(reason).remark(pass, op);
            reader.map(|reader| remark.note(reader, "the reader"));
        }
    }

    /// An input of an elementwise op whose buffer has no later uses, so that
    /// the result can reuse it instead of a new tensor.
    fn dying_input(&mut self, op: Operation<'c>, operand: usize) -> Option<Value<'c>> {
        let operands = op.operands();
        let destination = operands[operand];
        let outputs: Vec<usize> = (0..op.results().len())
            .filter_map(|number| destination_operand(op, op.name(), number))
            .collect();
        if !is_undefined(destination)
            || self.is_destination_of_branches(destination)
            || !op.is_structured()
        {
            return None;
        }
        (0..*outputs.first()?).find_map(|number| {
            let input = operands[number];
            if input.ty() != destination.ty() || !reads_where_written(op, number, operand) {
                return None;
            }
            let buffer = self.buffers.of(input);
            let free = self.buffers.is_whole(buffer)
                && self.buffers.is_writable(buffer)
                && !is_undefined(input)
                && outputs
                    .iter()
                    .all(|output| !self.buffers.shares_memory(operands[*output], input))
                && self.conflicts(op, number).is_empty();
            free.then_some(input)
        })
    }

    /// Returns true if the branches of a conditional write to a tensor.
    fn is_destination_of_branches(&self, tensor: Value<'c>) -> bool {
        self.materialized.contains(&tensor.key())
            && tensor
                .uses()
                .into_iter()
                .any(|(user, _)| user.isa::<bufferization::MaterializeInDestinationOp>())
    }

    /// Checks that an op can write to an operand. The error has the reason, and the later reader if
    /// that is the reason.
    fn can_write(
        &mut self,
        op: Operation<'c>,
        operand: usize,
        buffer: Buffer,
    ) -> Result<(), (Reason, Option<Operation<'c>>)> {
        const USED: Reason = Reason::WrittenByOtherOp;
        let operands = op.operands();
        let destination = operands[operand];
        self.buffers.writable(buffer).map_err(|reason| (reason, None))?;
        if is_shared_by_iterations(op, destination) {
            return Err((Reason::WrittenByAllIterations, None));
        }
        // Another result of the op has the same buffer.
        let twice = op.name().starts_with("linalg.")
            && (0..op.results().len())
                .filter_map(|number| destination_operand(op, op.name(), number))
                .any(|other| {
                    other < operand && self.buffers.shares_memory(operands[other], destination)
                });
        if twice {
            return Err((Reason::HoldsOtherResult, None));
        }
        if is_undefined(destination) {
            // The live range of a buffer that another op uses would become longer than necessary.
            let mut writers = self.buffers.writers(buffer).iter();
            let is_free = writers.all(|writer| are_exclusive(*writer, op))
                || puts_back(&mut self.buffers, op, destination)
                    && self.conflicts(op, operand).is_empty();
            return is_free.then_some(()).ok_or((USED, None));
        }
        if fill_of(destination).is_some() && !destination.has_one_use() {
            return Err((USED, None));
        }
        match self.conflicts(op, operand).first() {
            Some(conflict) => Err((READ_LATER, Some(conflict.user))),
            None => Ok(()),
        }
    }

    /// A new tensor before an op: undefined, or a copy.
    fn new_tensor(
        &mut self,
        op: Operation<'c>,
        like: Value<'c>,
        source: Option<Value<'c>>,
    ) -> Value<'c> {
        let value = with_builder(op, |b| match source {
            Some(source) => copy_of(b, source),
            None if like.ty().static_shape().is_some() => tensor::empty(b, &[], like.ty()),
            None => match empty_tensor_of(like) {
                Some(empty) => b.clone_op(empty, &mut HashMap::new()).results()[0],
                // The copy determines the sizes.
                None => copy_of(b, like),
            },
        });
        self.enter_before(op, value);
        value
    }

    /// Visits the ops that were inserted before an op.
    fn enter_before(&mut self, op: Operation<'c>, value: Value<'c>) {
        if let Some(new) = value.defining_op() {
            self.order.insert_before(new, op);
        }
        self.allocate(value, Ok(()));
    }

    /// Clones a fill with several users for one of them.
    fn fill_again(&mut self, op: Operation<'c>, fill: Operation<'c>) -> Value<'c> {
        let result = fill.results()[0];
        let tensor = self.new_tensor(op, result, None);
        let again = with_builder(op, |b| {
            let operands = fill.operands();
            let destination = operands[operands.len() - 1];
            let mut map = HashMap::from([(destination.key(), tensor)]);
            b.clone_op(fill, &mut map)
        });
        self.order.insert_before(again, op);
        let buffer = self.buffers.of(tensor);
        self.buffers.write(buffer, again);
        let value = again.results()[0];
        self.bind(value, buffer);
        value
    }

    /// Copies the source of an insertion if it is in another slice of the destination's buffer.
    fn copy_source(&mut self, op: Operation<'c>) {
        let operands = op.operands();
        if !self.buffers.shares_memory(operands[0], operands[1]) {
            return;
        }
        let overlaps = self
            .conflicts(op, 1)
            .into_iter()
            .any(|conflict| conflict.user == op && conflict.operand == 0);
        if overlaps {
            let reason = Reason::OverlapsInsertion;
            self.explain(op, explain::Outcome::InsertsCopy, reason, None);
            let copy = self.new_tensor(op, operands[0], Some(operands[0]));
            op.set_operand(0, copy);
        }
    }

    /// Moves a value to its explicit destination.
    fn materialize(&mut self, op: Operation<'c>) -> RewriteResult {
        let operands = op.operands();
        let [source, destination, ..] = operands[..] else {
            return Err(no_match("it has another number of operands"));
        };
        let result = op.results().first().copied();
        if self.buffers.same(source, destination) {
            if let Some(result) = result {
                result.replace_uses_with(source);
                with_builder(op, |b| b.erase(op));
                // The uses of the result are now uses of the source.
                let buffer = self.buffers.of(source);
                self.bind(source, buffer);
            }
            return Ok(());
        }
        let mut saved: HashMap<usize, Value> = HashMap::new();
        for conflict in self.conflicts(op, 1) {
            let Conflict {
                value,
                user,
                operand,
                interval,
            } = conflict;
            let before = if op.is_inside(interval) { interval } else { op };
            let copy = match saved.get(&value.key()) {
                Some(copy) => *copy,
                None => {
                    let outcome = explain::Outcome::CopiedBefore;
                    self.explain(op, outcome, READ_LATER, Some(user));
                    self.new_tensor(before, value, Some(value))
                }
            };
            saved.insert(value.key(), copy);
            user.set_operand(operand, copy);
            let buffer = self.buffers.of(copy);
            self.bind(copy, buffer);
        }
        let buffer = self.buffers.of(destination);
        self.buffers.write(buffer, op);
        if let Some(result) = result {
            self.bind(result, buffer);
        }
        Ok(())
    }

    /// Ensures that operand `number` of a terminator is in the buffer of a
    /// tensor.
    fn put(&mut self, end: Operation<'c>, number: usize, destination: Value<'c>) -> RewriteResult {
        let value = end.operands()[number];
        if self.buffers.same(value, destination) {
            return Ok(());
        }
        let moved = with_builder(end, |b| {
            bufferization::MaterializeInDestinationOp::build(b, value, destination)
                .result_type(value.ty())
                .value()
        });
        end.set_operand(number, moved);
        if let Some(op) = moved.defining_op() {
            self.order.insert_before(op, end);
            self.materialize(op)?;
        }
        Ok(())
    }
}

fn copy_of<'c>(b: &Builder<'c>, source: Value<'c>) -> Value<'c> {
    let copy = bufferization::AllocTensorOp::build(b, &[], source.ty());
    copy.copy(source).value()
}

/// The undefined tensor that a value, of the same sizes, is written to.
fn empty_tensor_of(value: Value) -> Option<Operation> {
    let (op, number) = value.as_result()?;
    if op.isa::<tensor::EmptyOp>() {
        return Some(op);
    }
    let operands = op.operands();
    let first = operands.len().checked_sub(op.results().len())?;
    let destination = operands.get(first + number).filter(|_| op.is_structured())?;
    empty_tensor_of(*destination)
}

/// The op that fills a whole tensor with one number.
fn fill_of(value: Value) -> Option<Operation> {
    value.defining_op().filter(|op| op.isa::<linalg::FillOp>())
}
