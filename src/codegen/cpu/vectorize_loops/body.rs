//! Classifies the values of a loop's body: which of them become vectors.

use super::reductions::Reductions;
use halo_ir::{
    ops::{halo, math},
    prelude::*,
};
use std::collections::HashMap;

/// The body of a loop to be vectorized.
pub(super) struct Body {
    /// The values that vary between iterations.
    varying: HashMap<usize, Varying>,
    /// The bits of the widest vector element.
    pub(super) widest_bits: i64,
    /// The number of ops that become vector ops.
    pub(super) vector_ops: i64,
}

/// The variation of a value between iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Varying {
    /// An index that increases by one per iteration.
    Index,
    /// A value that becomes a lane of a vector.
    Lane,
}

impl Body {
    /// The body of a loop; `None` if an op cannot be vectorized.
    pub(super) fn of(op: scf::ForOp, reductions: &Reductions) -> Option<Self> {
        let block = op.operation().body(0)?;
        let mut body = Self {
            varying: HashMap::new(),
            widest_bits: 0,
            vector_ops: 0,
        };
        let arguments = block.arguments();
        let (iv, carried) = arguments.split_first()?;
        body.varying.insert(iv.key(), Varying::Index);
        for value in carried {
            body.add_lane(*value)?;
        }
        let yielded = body.add_all(block)?;
        let is_lane = |value: &Value| body.is_vector(*value);
        (body.vector_ops > 0 && yielded.len() == reductions.len() && yielded.iter().all(is_lane))
            .then_some(body)
    }

    /// Adds the ops of a block. Returns the operands of its terminator.
    fn add_all<'c>(&mut self, block: Block<'c>) -> Option<Vec<Value<'c>>> {
        let terminator = block.terminator();
        for op in block.operations() {
            if Some(op) != terminator {
                self.add(op)?;
            }
        }
        Some(terminator.map(Operation::operands).unwrap_or_default())
    }

    /// Whether a value of the body becomes a vector.
    pub(super) fn is_vector(&self, value: Value) -> bool {
        self.varying.get(&value.key()) == Some(&Varying::Lane)
    }

    fn is_uniform(&self, value: &Value) -> bool {
        !self.varying.contains_key(&value.key())
    }

    fn is_index(&self, value: Value) -> bool {
        self.varying.get(&value.key()) == Some(&Varying::Index)
    }

    fn add(&mut self, op: Operation) -> Option<()> {
        if let Some(op) = op.cast::<scf::ForOp>() {
            return self.add_loop(op);
        }
        if op.regions().into_iter().next().is_some() {
            return None;
        }
        if let Some(store) = op.cast::<memref::StoreOp>() {
            self.expect_side_by_side(store.memref(), &store.indices())?;
            self.vector_ops += 1;
            return self.expect_element(store.value(), 8);
        }
        if let Some(load) = op.cast::<memref::LoadOp>() {
            let (memref, indices) = (load.memref(), load.indices());
            let mut place = indices.iter().chain([&memref]);
            if place.all(|value| self.is_uniform(value)) {
                return Some(());
            }
            self.expect_side_by_side(memref, &indices)?;
            self.expect_element(load.result(), 8)?;
            self.vector_ops += 1;
            return self.add_lane(load.result());
        }
        let is_pure = ["arith.", "math."].iter().any(|dialect| op.name().starts_with(dialect));
        let operands = op.operands();
        if operands.iter().all(|operand| self.is_uniform(operand)) {
            return is_pure.then_some(());
        }
        let [result] = op.results()[..] else {
            return None;
        };
        if result.ty().is_index() {
            return self.add_index(op, result);
        }
        let is_lane = |operand: &Value| self.is_uniform(operand) || self.is_vector(*operand);
        if !operands.iter().all(is_lane) || !has_vector_form(op) {
            return None;
        }
        self.vector_ops += 1;
        self.add_lane(result)
    }

    /// Adds a loop with uniform bounds: its carried values become vectors.
    fn add_loop(&mut self, op: scf::ForOp) -> Option<()> {
        let bounds = [op.lower_bound(), op.upper_bound(), op.step()];
        let is_uniform = bounds.iter().all(|bound| self.is_uniform(bound));
        // A nested loop with independent iterations is vectorized itself.
        if !is_uniform || op.has_attribute(halo::PARALLEL) {
            return None;
        }
        let block = op.operation().body(0)?;
        for value in block.arguments().iter().skip(1).chain(&op.results()) {
            self.add_lane(*value)?;
        }
        let yielded = self.add_all(block)?;
        let mut carried = op.init_args().into_iter().chain(yielded);
        carried.all(|value| !self.is_index(value)).then_some(())
    }

    /// Adds an index that increases with the loop.
    fn add_index(&mut self, op: Operation, result: Value) -> Option<()> {
        let [lhs, rhs] = op.operands()[..] else {
            return None;
        };
        let moves = match op.name() {
            arith::AddIOp::NAME => {
                self.is_index(lhs) && self.is_uniform(&rhs)
                    || self.is_uniform(&lhs) && self.is_index(rhs)
            }
            arith::SubIOp::NAME => self.is_index(lhs) && self.is_uniform(&rhs),
            _ => false,
        };
        moves.then(|| {
            self.varying.insert(result.key(), Varying::Index);
        })
    }

    fn add_lane(&mut self, value: Value) -> Option<()> {
        self.expect_element(value, 1)?;
        self.varying.insert(value.key(), Varying::Lane);
        Some(())
    }

    fn expect_element(&mut self, value: Value, least: u32) -> Option<()> {
        let bits = i64::from(value.ty().bit_width()?);
        self.widest_bits = self.widest_bits.max(bits);
        is_element(value, least).then_some(())
    }

    /// Checks that the elements of an access are contiguous.
    fn expect_side_by_side(&self, memref: Value, indices: &[Value]) -> Option<()> {
        let (strides, _) = memref.ty().strides()?;
        let (last, outer) = indices.split_last()?;
        (strides.last() == Some(&Some(1))
            && self.is_index(*last)
            && self.is_uniform(&memref)
            && outer.iter().all(|index| self.is_uniform(index)))
        .then_some(())
    }
}

/// The ops with vector instructions, or short expansions, on most processors.
const WITH_VECTORS: &[&str] = &[
    arith::AddFOp::NAME,
    arith::AddIOp::NAME,
    arith::AndIOp::NAME,
    arith::BitcastOp::NAME,
    arith::CmpFOp::NAME,
    arith::CmpIOp::NAME,
    arith::DivFOp::NAME,
    arith::ExtFOp::NAME,
    arith::ExtSIOp::NAME,
    arith::ExtUIOp::NAME,
    arith::FPToSIOp::NAME,
    arith::MaxNumFOp::NAME,
    arith::MaxSIOp::NAME,
    arith::MaxUIOp::NAME,
    arith::MaximumFOp::NAME,
    arith::MinNumFOp::NAME,
    arith::MinSIOp::NAME,
    arith::MinUIOp::NAME,
    arith::MinimumFOp::NAME,
    arith::MulFOp::NAME,
    arith::MulIOp::NAME,
    arith::NegFOp::NAME,
    arith::OrIOp::NAME,
    arith::SelectOp::NAME,
    arith::ShLIOp::NAME,
    arith::ShRSIOp::NAME,
    arith::ShRUIOp::NAME,
    arith::SIToFPOp::NAME,
    arith::SubFOp::NAME,
    arith::SubIOp::NAME,
    arith::TruncFOp::NAME,
    arith::TruncIOp::NAME,
    arith::XOrIOp::NAME,
    math::AbsFOp::NAME,
    math::CeilOp::NAME,
    math::CopySignOp::NAME,
    math::FloorOp::NAME,
    math::FmaOp::NAME,
    math::RoundEvenOp::NAME,
    math::SqrtOp::NAME,
    math::TruncOp::NAME,
];

/// The ops that also support 8-bit and 16-bit integers.
const ON_NARROW: &[&str] = &[
    arith::AddIOp::NAME,
    arith::AndIOp::NAME,
    arith::CmpIOp::NAME,
    arith::ExtSIOp::NAME,
    arith::ExtUIOp::NAME,
    arith::OrIOp::NAME,
    arith::SelectOp::NAME,
    arith::SubIOp::NAME,
    arith::TruncIOp::NAME,
    arith::XOrIOp::NAME,
];

/// Whether all ops of a block on numbers can be vectorized.
pub fn has_vectors(block: Block) -> bool {
    let terminator = block.terminator();
    let mut ops = block.operations().into_iter();
    let mut arguments = block.arguments().into_iter();
    arguments.all(|argument| is_element(argument, 8))
        && ops.all(|op| {
            let mut results = op.results().into_iter();
            Some(op) == terminator
                || has_vector_form(op) && results.all(|result| is_element(result, 1))
        })
}

/// Whether processors have vectors of a value's type, which has at least `least` bits.
fn is_element(value: Value, least: u32) -> bool {
    let ty = value.ty();
    let is_float = matches!(ty.float_kind(), Some(FloatKind::F32 | FloatKind::F64));
    let is_integer = ty
        .integer_width()
        .is_some_and(|width| width >= least && matches!(width, 1 | 8 | 16 | 32));
    is_float || is_integer
}

fn has_vector_form(op: Operation) -> bool {
    let name = op.name();
    let types = op.operands().into_iter().map(|operand| operand.ty());
    let mut types = types.chain(op.result_types());
    let is_narrow = |ty: Type| ty.integer_width().is_some_and(|width| matches!(width, 8 | 16));
    WITH_VECTORS.contains(&name) && (ON_NARROW.contains(&name) || !types.any(is_narrow))
}
