//! Combiners of reductions: the op that folds an element into an output, its neutral value, and its
//! fast-math flags.

use super::loop_nest::LoopNest;
use halo_ir::{ops::arith::FastMathFlags, prelude::*};
use melior::ir::Attribute;

/// The op that folds an element into an output of a reduction, if the body has the form `out =
/// op(out, f(inputs))` with an associative op that has a neutral value.
#[derive(Clone, Copy)]
pub struct Combiner<'c> {
    /// The op.
    pub operation: Operation<'c>,
    /// The number of the operand that is the output.
    pub output_operand: usize,
    real: f64,
    integer: i64,
}

impl<'c> Combiner<'c> {
    /// The neutral value.
    pub fn neutral(&self, builder: &Builder<'c>) -> Value<'c> {
        arith::scalar(builder, self.ty(), self.real, self.integer)
    }

    /// The neutral value as an attribute.
    pub fn neutral_attribute(&self) -> Attribute<'c> {
        if self.ty().float_kind().is_some() {
            halo_ir::float_attribute(self.ty(), self.real)
        } else {
            halo_ir::integer_attribute(self.ty(), self.integer)
        }
    }

    /// The type of the result.
    pub fn ty(&self) -> Type<'c> {
        self.operation.results()[0].ty()
    }

    /// Applies the op to two other values, which may be vectors.
    pub fn combine(&self, builder: &Builder<'c>, lhs: Value<'c>, rhs: Value<'c>) -> Value<'c> {
        let mut op = builder.op(self.operation.name()).operands(&[lhs, rhs]).result(lhs.ty());
        if let Some(flags) = self.operation.attribute("fastmath") {
            op = op.attribute("fastmath", flags);
        }
        op.value()
    }
}

/// The combiner of each output, if any.
pub fn combiners<'c>(nest: &LoopNest<'c>) -> Vec<Option<Combiner<'c>>> {
    let yielded = nest.body.terminator().map(Operation::operands).unwrap_or_default();
    let arguments = nest.body.arguments();
    yielded
        .into_iter()
        .enumerate()
        .map(|(number, value)| {
            let argument = *arguments.get(nest.input_count + number)?;
            // A result with other uses in the body is a running value, which depends on the order.
            carried_combiner(value, argument)
        })
        .collect()
}

/// The combiner of a value that is both yielded in each iteration and carried; `argument` is its
/// previous value.
pub fn running_combiner<'c>(value: Value<'c>, argument: Value<'c>) -> Option<Combiner<'c>> {
    // All other users of the value are terminators.
    let only_yielded = value.uses().iter().all(|(user, _)| user.isa::<linalg::YieldOp>());
    only_yielded.then(|| combiner(value, argument))?
}

/// The combiner of a loop-carried value that has no other uses in the loop.
pub fn carried_combiner<'c>(value: Value<'c>, argument: Value<'c>) -> Option<Combiner<'c>> {
    value.has_one_use().then(|| combiner(value, argument))?
}

/// The op that computes `value` from `argument`, its only use, if it can be a combiner.
fn combiner<'c>(value: Value<'c>, argument: Value<'c>) -> Option<Combiner<'c>> {
    let operation = value.defining_op()?;
    let uses = argument.uses();
    let [(user, output_operand)] = uses[..] else {
        return None;
    };
    if user != operation || operation.operands().len() != 2 {
        return None;
    }
    let (real, integer) = neutral_of(operation, value.ty())?;
    Some(Combiner {
        operation,
        output_operand,
        real,
        integer,
    })
}

/// Returns true if an op is an associative function of two operands.
pub fn is_associative(operation: Operation) -> bool {
    let results = operation.results();
    operation.operands().len() == 2
        && results
            .first()
            .is_some_and(|result| neutral_of(operation, result.ty()).is_some())
}

/// The neutral value of an op, as a float and as an integer.
fn neutral_of(operation: Operation, ty: Type) -> Option<(f64, i64)> {
    let smallest = ty.element_type().integer_width().map_or(i64::MIN, |width| match width {
        0 => 0,
        1..=63 => -(1_i64 << (width - 1)),
        _ => i64::MIN,
    });
    Some(match operation.name() {
        arith::AddFOp::NAME => (-0.0, 0),
        arith::MulFOp::NAME => (1.0, 0),
        arith::MaximumFOp::NAME => (f64::NEG_INFINITY, 0),
        arith::MinimumFOp::NAME => (f64::INFINITY, 0),
        // These return the other operand if one is NaN.
        arith::MaxNumFOp::NAME | arith::MinNumFOp::NAME => (f64::NAN, 0),
        arith::AddIOp::NAME | arith::OrIOp::NAME | arith::XOrIOp::NAME | arith::MaxUIOp::NAME => {
            (0.0, 0)
        }
        arith::MulIOp::NAME => (0.0, 1),
        arith::AndIOp::NAME | arith::MinUIOp::NAME => (0.0, -1),
        arith::MaxSIOp::NAME => (0.0, smallest),
        arith::MinSIOp::NAME => (0.0, !smallest),
        _ => return None,
    })
}

/// Sets fast-math flags of reductions: float sums and products may be
/// reassociated, a product may be fused with a sum, and a maximum of zeros may
/// have either sign.
pub fn set_fastmath<'c>(builder: &Builder<'c>, combiners: &[Option<Combiner<'c>>]) {
    for combiner in combiners.iter().flatten() {
        let operation = combiner.operation;
        match operation.name() {
            arith::AddFOp::NAME | arith::MulFOp::NAME => allow(
                builder,
                operation,
                FastMathFlags::REASSOC | FastMathFlags::CONTRACT,
            ),
            // Signed zeros double the number of instructions of a maximum.
            arith::MaximumFOp::NAME | arith::MinimumFOp::NAME => {
                allow(builder, operation, FastMathFlags::NSZ);
                continue;
            }
            _ => continue,
        }
        let added = operation.operands()[1 - combiner.output_operand];
        if operation.isa::<arith::AddFOp>()
            && let Some(product) = added.defined_by::<arith::MulFOp>()
        {
            allow(builder, product.operation(), FastMathFlags::CONTRACT);
        }
    }
}

/// Removes reassociation of sums and products, for reductions that one thread computes in order.
pub fn keep_order<'c>(builder: &Builder<'c>, combiners: &[Option<Combiner<'c>>]) {
    for combiner in combiners.iter().flatten() {
        let operation = combiner.operation;
        if arith::fastmath(operation) == Some(FastMathFlags::REASSOC | FastMathFlags::CONTRACT) {
            let flags = FastMathFlags::CONTRACT;
            builder.modify(operation, || arith::set_fastmath(operation, flags));
        }
    }
}

/// Sets fast-math flags on an op that has none.
fn allow<'c>(builder: &Builder<'c>, operation: Operation<'c>, flags: FastMathFlags) {
    if arith::fastmath(operation).is_none_or(|present| present == FastMathFlags::NONE) {
        builder.modify(operation, || arith::set_fastmath(operation, flags));
    }
}
