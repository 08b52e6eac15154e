//! Time estimates of loops on a CPU, from which `src/codegen/cpu/tasks.rs` derives the number of
//! tasks.
//!
//! The time of a loop is the maximum of its compute time and its memory time (a roofline model).
//! Compute time assumes the rate of the vector units in the machine model if LLVM can vectorize the
//! innermost loop. Memory time is for moving each touched byte once through the level of memory
//! that holds them. The estimates decide nothing else, so an error of a factor of two is tolerable.

use halo_core::machine::Machine;
use halo_ir::{
    ops::{
        arith::{FastMathFlags, constant_index},
        halo, math,
        memref::view_source,
        ub,
    },
    prelude::*,
};
use std::collections::{HashMap, HashSet};

/// Assumed trip count of a loop with unknown bounds, and size of a dynamic
/// dimension.
pub const UNKNOWN_TRIPS: i64 = 64;

/// The cost of an op, such as a loop, in one thread of a machine.
pub fn cost_of(operation: Operation, machine: &Machine) -> Cost {
    let mut estimate = Estimate {
        machine,
        around: operation,
        touched: HashMap::new(),
    };
    let cycles = estimate.cycles_of(operation, 1.0, 1.0);
    let touched = estimate.touched.values();
    let bytes = touched.map(|(bytes, size)| bytes.min(*size)).sum();
    let computing = cycles / machine.clock;
    Cost {
        time: machine.time_of_moving(bytes).max(computing),
        computing,
        bytes,
    }
}

/// The cost of an op.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Nanoseconds.
    pub time: f64,
    /// The compute time alone, in nanoseconds.
    pub computing: f64,
    /// The touched bytes of buffers from outside, each counted once.
    pub bytes: f64,
}

struct Estimate<'a, 'c> {
    machine: &'a Machine,
    /// The loop.
    around: Operation<'c>,
    /// For each buffer from outside of the loop, the bytes that are read and written, counting
    /// repeated accesses, and the size of the buffer.
    touched: HashMap<usize, (f64, f64)>,
}

impl<'c> Estimate<'_, 'c> {
    /// The cycles of a loop with `trips` iterations that is executed `times` times.
    fn cycles_of_loop(&mut self, operation: Operation<'c>, trips: f64, times: f64) -> f64 {
        let Some(body) = operation.body(0) else {
            return 0.0;
        };
        let is_counted = !operation.isa::<scf::WhileOp>();
        let lanes = if is_counted {
            self.vector_lanes(body)
        } else {
            1.0
        };
        let regions = operation.blocks().into_iter();
        let ops = regions.flat_map(Block::operations).collect::<Vec<_>>();
        let cycles: f64 = ops.into_iter().map(|op| self.cycles_of(op, lanes, times * trips)).sum();
        // A loop-carried sum is bound by its latency.
        let waits = lanes == 1.0 && is_counted && carries_scalar_float(operation, body);
        let iteration = if waits { cycles.max(4.0) } else { cycles };
        trips * iteration + 4.0
    }

    /// The cycles of an op per execution, out of `times` executions. One vector op replaces `lanes`
    /// scalar ops.
    fn cycles_of(&mut self, operation: Operation<'c>, lanes: f64, times: f64) -> f64 {
        let one = 1.0 / (lanes * self.machine.issue);
        let name = operation.name();
        match name {
            scf::ForOp::NAME | scf::ParallelOp::NAME => {
                let trips = trip_count(operation).unwrap_or(UNKNOWN_TRIPS);
                self.cycles_of_loop(operation, trips as f64, times)
            }
            scf::WhileOp::NAME => self.cycles_of_loop(operation, UNKNOWN_TRIPS as f64, times),
            memref::CopyOp::NAME => {
                let operands = operation.operands();
                let bytes = operands.iter().map(|buffer| bytes_of(*buffer));
                let bytes = bytes.fold(0.0, f64::max);
                for buffer in operands {
                    self.touch(buffer, bytes * times);
                }
                20.0 + bytes / 32.0
            }
            memref::LoadOp::NAME | vector::LoadOp::NAME => {
                self.access(operation, operation.operands().first(), times);
                one * self.vectors(operation, name)
            }
            memref::StoreOp::NAME | vector::StoreOp::NAME => {
                self.access(operation, operation.operands().get(1), times);
                2.0 * one * self.vectors(operation, name)
            }
            _ if operation.region_count() > 0 => {
                let ops = operation.blocks().into_iter().flat_map(Block::operations);
                let ops = ops.collect::<Vec<_>>();
                one + ops.into_iter().map(|op| self.cycles_of(op, 1.0, times)).sum::<f64>()
            }
            _ if is_free(operation, name) => 0.0,
            _ => one * self.vectors(operation, name) * weight(operation, name),
        }
    }

    /// Counts the bytes of a load or a store of a buffer.
    fn access(&mut self, operation: Operation<'c>, buffer: Option<&Value<'c>>, times: f64) {
        if let Some(buffer) = buffer {
            self.touch(*buffer, bytes_of_access(operation) * times);
        }
    }

    fn touch(&mut self, buffer: Value<'c>, bytes: f64) {
        let mut root = buffer;
        while let Some(operation) = root.defining_op()
            && !operation.isa::<memref::ViewOp>()
            && let Some(source) = view_source(operation)
        {
            root = source;
        }
        let inner = root.defining_op();
        if inner.is_some_and(|operation| operation.is_inside(self.around)) {
            return;
        }
        let size = bytes_of(root);
        self.touched.entry(root.key()).or_insert((0.0, size)).0 += bytes;
    }

    /// The registers of an op's result, or of the value that it stores; 1 for a scalar.
    fn vectors(&self, operation: Operation, name: &str) -> f64 {
        if !name.starts_with("vector.") {
            return 1.0;
        }
        let bits = bytes_of_access(operation) * 8.0;
        (bits / self.machine.vector_bits as f64).ceil().max(1.0)
    }

    /// The vectorization factor of a loop: more than 1 for an innermost scalar loop with contiguous
    /// accesses.
    fn vector_lanes(&self, body: Block<'c>) -> f64 {
        let Some(iv) = body.arguments().first().copied() else {
            return 1.0;
        };
        let mut widest: f64 = 1.0;
        // The values that vary between iterations.
        let mut varying = HashSet::from([iv.key()]);
        let terminator = body.terminator();
        for operation in body.operations() {
            let operands = operation.operands();
            if operands.iter().any(|operand| varying.contains(&operand.key())) {
                varying.extend(operation.results().into_iter().map(Value::key));
            }
            let indices = match operation.name() {
                memref::LoadOp::NAME => &operands[1..],
                memref::StoreOp::NAME => &operands[2..],
                name if name.starts_with("vector.") => return 1.0,
                _ if Some(operation) != terminator
                    && operation.regions().into_iter().next().is_some() =>
                {
                    return 1.0;
                }
                _ => continue,
            };
            widest = widest.max(bytes_of_access(operation));
            let outer = contiguous_dim(operation, indices.len());
            let varies = |index: &Value| varying.contains(&index.key());
            let is_strided = indices[..outer].iter().any(varies);
            let is_contiguous = indices[outer..]
                .iter()
                .all(|index| *index == iv || !varies(index) || is_shifted(*index, iv, &varying));
            if is_strided || !is_contiguous {
                return 1.0;
            }
        }
        if let Some(around) = body.parent()
            && carries_scalar_float(around, body)
        {
            return 1.0;
        }
        (self.machine.vector_bits as f64 / (8.0 * widest)).max(1.0)
    }
}

/// The contiguous dimension of a load or a store with `rank` indices: the last dimension that is
/// not of size 1.
fn contiguous_dim(access: Operation, rank: usize) -> usize {
    let operands = access.operands();
    let buffer = operands.get(operands.len() - rank - 1);
    let sizes = buffer.and_then(|buffer| buffer.ty().shape());
    let dim = sizes.and_then(|sizes| sizes.iter().rposition(|size| *size != Some(1)));
    dim.unwrap_or(rank.saturating_sub(1)).min(rank)
}

/// The cost of an op relative to a simple op.
fn weight(operation: Operation, name: &str) -> f64 {
    match name {
        arith::DivFOp::NAME if is_product(operation) => 1.0,
        arith::DivFOp::NAME | math::SqrtOp::NAME | math::RsqrtOp::NAME => 8.0,
        arith::DivSIOp::NAME
        | arith::DivUIOp::NAME
        | arith::RemSIOp::NAME
        | arith::RemUIOp::NAME
        | arith::FloorDivSIOp::NAME
        | arith::CeilDivSIOp::NAME => 4.0,
        math::FmaOp::NAME | math::AbsFOp::NAME => 1.0,
        name if name.starts_with("math.") => 25.0,
        halo::CustomCallOp::NAME => 64.0,
        _ => 1.0,
    }
}

/// Whether a division is an exact multiplication: its divisor is a power of two.
fn is_product(division: Operation) -> bool {
    let divisor = division.operands().get(1).copied();
    let constant = divisor.and_then(|value| value.defined_by::<arith::ConstantOp>());
    let number = constant.and_then(|op| op.value().float_value());
    number.is_some_and(|number| number.is_normal() && number.to_bits() << 12 == 0)
}

/// Whether an op is folded into an address, or needs no code.
fn is_free(operation: Operation, name: &str) -> bool {
    let computes_address = matches!(
        name,
        arith::AddIOp::NAME | arith::SubIOp::NAME | arith::MulIOp::NAME | arith::IndexCastOp::NAME
    ) && operation.result_types().iter().all(|ty| ty.is_index());
    computes_address
        || matches!(
            name,
            scf::YieldOp::NAME
                | scf::ReduceOp::NAME
                | scf::ConditionOp::NAME
                | arith::ConstantOp::NAME
                | ub::PoisonOp::NAME
                | memref::AllocaOp::NAME
                | memref::GetGlobalOp::NAME
                | vector::ScalableInsertOp::NAME
                | vector::ScalableExtractOp::NAME
        )
        || view_source(operation).is_some()
}

/// Whether a loop accumulates floats in an order that LLVM must keep.
fn carries_scalar_float(operation: Operation, body: Block) -> bool {
    let Some(terminator) = body.terminator().filter(|_| operation.isa::<scf::ForOp>()) else {
        return false;
    };
    terminator.operands().into_iter().any(|value| {
        let flags = value.defining_op().and_then(|op| arith::fastmath(op));
        value.ty().is_float() && !flags.is_some_and(|flags| flags.contains(FastMathFlags::REASSOC))
    })
}

/// Whether a value is the induction variable plus or minus a loop invariant.
fn is_shifted(value: Value, iv: Value, varying: &HashSet<usize>) -> bool {
    let Some(operation) = value.defining_op() else {
        return false;
    };
    let is_same = |value: Value| !varying.contains(&value.key());
    match (operation.name(), &operation.operands()[..]) {
        (arith::AddIOp::NAME, [one, other]) => {
            (*one == iv && is_same(*other)) || (*other == iv && is_same(*one))
        }
        (arith::SubIOp::NAME, [one, other]) => *one == iv && is_same(*other),
        _ => false,
    }
}

/// The bytes of an op's result, or of the value that it stores.
fn bytes_of_access(operation: Operation) -> f64 {
    let result = operation.result_types().first().copied();
    let stored = operation.operands().first().map(|value| value.ty());
    let Some(ty) = result.or(stored) else {
        return 1.0;
    };
    let bytes = ty.element_type().byte_width().unwrap_or(1);
    bytes as f64 * if ty.is_memref() { 1.0 } else { elements(ty) }
}

/// The size of a buffer.
fn bytes_of(buffer: Value) -> f64 {
    let ty = buffer.ty();
    let bytes = ty.element_type().byte_width().unwrap_or(1);
    bytes as f64 * elements(ty)
}

fn elements(ty: halo_ir::Type) -> f64 {
    let sizes = ty.shape().into_iter().flatten();
    sizes.map(|size| size.unwrap_or(UNKNOWN_TRIPS) as f64).product()
}

/// The trip count of a loop, if its bounds determine it.
pub fn trip_count(operation: Operation) -> Option<i64> {
    let operands = operation.operands();
    let [lower, upper, step, ..] = operands[..] else {
        return None;
    };
    let step = constant_index(step).unwrap_or(1).max(1);
    let length = match (constant_index(lower), constant_index(upper)) {
        (Some(lower), Some(upper)) => upper.checked_sub(lower)?,
        _ => distance(lower, upper)?,
    };
    Some((length.max(0) / step).saturating_add(i64::from(length.max(0) % step != 0)))
}

/// `upper - lower` if `upper` is `lower + n`, or the minimum of `lower + n` and a limit.
fn distance(lower: Value, upper: Value) -> Option<i64> {
    let operation = upper.defining_op()?;
    let operands = operation.operands();
    match operation.name() {
        arith::AddIOp::NAME if operands[0] == lower => constant_index(operands[1]),
        arith::MinSIOp::NAME | arith::MinUIOp::NAME => {
            operands.iter().find_map(|operand| distance(lower, *operand))
        }
        _ => None,
    }
}
