//! Decides how each value of a kernel is passed between phases, and which
//! values are uniform in a block.

use super::warpgroups::{MULTIPLY, is_of_warpgroup};
use halo_ir::{ops::nvgpu, prelude::*};

use std::collections::{HashMap, HashSet};

/// The storage of a value at block level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uniformity {
    /// Computed once for the block, outside of the loops over threads.
    Block,
    /// Computed again in each phase: values derived from thread indices, and
    /// views.
    Derived,
    /// Kept in an array with an element for each thread.
    Thread,
}

/// Uniformity and convergence points of a kernel.
#[derive(Default)]
pub struct UniformityAnalysis {
    uniformity: HashMap<usize, Uniformity>,
    /// Values that may differ between the threads of a block.
    varying: HashSet<usize>,
    /// Convergence points, and the ops that contain them.
    collective: HashSet<usize>,
}

/// Returns true if an op is a convergence point of a block or of a warp.
pub fn is_convergence_point(operation: Operation) -> bool {
    is_of_warpgroup(operation.name())
        || matches!(
            operation.name(),
            gpu::BarrierOp::NAME
                | gpu::ShuffleOp::NAME
                | gpu::SubgroupReduceOp::NAME
                | gpu::AllReduceOp::NAME
                | nvgpu::MmaSyncOp::NAME
                | nvgpu::LdMatrixOp::NAME
        )
}

impl UniformityAnalysis {
    /// Analyzes a kernel.
    pub fn of(kernel: Operation<'_>, body: Block<'_>) -> Self {
        let mut uniformity = Self::default();
        uniformity.find_convergence_points(kernel);
        let arguments = body.arguments();
        let (_, shared) = super::barrier_split::argument_counts(kernel);
        let (common, private) = arguments.split_at(shared.min(arguments.len()));
        uniformity.vary(private.iter().copied());
        loop {
            let before = uniformity.varying.len();
            uniformity.spread(body);
            if uniformity.varying.len() == before {
                break;
            }
        }
        for argument in common {
            uniformity.set(*argument, Uniformity::Block);
        }
        for argument in private {
            uniformity.set(*argument, Uniformity::Derived);
        }
        uniformity.assign(body);
        uniformity
    }

    /// The storage of a value at block level.
    pub fn uniformity_of(&self, value: Value) -> Uniformity {
        let known = self.uniformity.get(&value.key()).copied();
        known.unwrap_or(Uniformity::Thread)
    }

    /// Returns true if a value is divergent within a block.
    pub fn is_varying(&self, value: Value) -> bool {
        self.varying.contains(&value.key())
    }

    /// Returns true if an op is or contains a convergence point.
    pub fn is_collective(&self, operation: Operation) -> bool {
        self.collective.contains(&operation.key())
    }

    fn find_convergence_points(&mut self, operation: Operation) -> bool {
        let mut found = is_convergence_point(operation);
        for block in operation.blocks() {
            for nested in block.operations() {
                found |= self.find_convergence_points(nested);
            }
        }
        if found {
            self.collective.insert(operation.key());
        }
        found
    }

    fn vary<'v>(&mut self, values: impl IntoIterator<Item = Value<'v>>) {
        let keys = Vec::from_iter(values).into_iter().map(Value::key);
        self.varying.extend(keys);
    }

    fn any_varies(&self, values: &[Value]) -> bool {
        values.iter().any(|value| self.is_varying(*value))
    }

    /// Marks the targets of divergent sources.
    fn flow(&mut self, sources: &[Value], targets: &[Value]) {
        for (source, target) in sources.iter().zip(targets) {
            if self.is_varying(*source) {
                self.varying.insert(target.key());
            }
        }
    }

    /// Marks the divergent values of a block.
    fn spread(&mut self, block: Block<'_>) {
        for operation in block.operations() {
            let operands = operation.operands();
            let results = operation.results();
            match operation.name() {
                gpu::ThreadIdOp::NAME
                | gpu::LaneIdOp::NAME
                | gpu::SubgroupIdOp::NAME
                | gpu::ShuffleOp::NAME
                | gpu::SubgroupReduceOp::NAME
                | nvgpu::MmaSyncOp::NAME
                | nvgpu::LdMatrixOp::NAME
                | MULTIPLY
                | memref::AllocaOp::NAME
                | memref::AtomicRMWOp::NAME => self.vary(results),
                gpu::AllReduceOp::NAME => {}
                scf::ForOp::NAME => self.spread_for(operation, &operands, &results),
                scf::WhileOp::NAME => self.spread_while(operation, &operands, &results),
                scf::IfOp::NAME => {
                    for branch in operation.blocks() {
                        self.spread(branch);
                        self.flow(&yielded(branch), &results);
                    }
                    if self.any_varies(&operands) {
                        self.vary(results);
                    }
                }
                _ if operation.regions().into_iter().next().is_some() => {
                    for nested in operation.blocks() {
                        self.vary(nested.arguments());
                        self.spread(nested);
                    }
                    self.vary(results);
                }
                _ if self.any_varies(&operands) => self.vary(results),
                _ => {}
            }
        }
    }

    fn spread_for(&mut self, operation: Operation<'_>, operands: &[Value], results: &[Value]) {
        let Some(body) = operation.body(0) else {
            return;
        };
        let arguments = body.arguments();
        let (bounds, initial) = operands.split_at(operands.len().min(3));
        let carried = arguments.get(1..).unwrap_or_default();
        self.flow(initial, carried);
        self.spread(body);
        self.flow(&yielded(body), carried);
        self.flow(carried, results);
        if self.any_varies(bounds) {
            // Threads leave the loop after different trip counts.
            self.vary(arguments);
            self.vary(results.iter().copied());
        }
    }

    fn spread_while(&mut self, operation: Operation<'_>, operands: &[Value], results: &[Value]) {
        let (Some(before), Some(after)) = (operation.body(0), operation.body(1)) else {
            return;
        };
        let carried = before.arguments();
        self.flow(operands, &carried);
        self.spread(before);
        let condition = yielded(before);
        let Some((condition, forwarded)) = condition.split_first() else {
            return;
        };
        let arguments = after.arguments();
        self.flow(forwarded, &arguments);
        self.flow(forwarded, results);
        self.spread(after);
        self.flow(&yielded(after), &carried);
        if self.is_varying(*condition) {
            self.vary(carried);
            self.vary(arguments);
            self.vary(results.iter().copied());
        }
    }

    fn set(&mut self, value: Value, role: Uniformity) {
        self.uniformity.insert(value.key(), role);
    }

    /// Assigns storage to the values of a block that the threads run together.
    fn assign(&mut self, block: Block<'_>) {
        for operation in block.operations() {
            if !self.is_collective(operation) {
                let role = self.role_of_results(operation);
                for result in operation.results() {
                    self.set(result, role);
                }
                continue;
            }
            for result in operation.results() {
                self.set(result, Uniformity::Thread);
            }
            if operation.isa::<scf::ForOp>() {
                self.assign_for(operation);
                continue;
            }
            for nested in operation.blocks() {
                for argument in nested.arguments() {
                    self.set(argument, Uniformity::Thread);
                }
                self.assign(nested);
            }
        }
    }

    /// A value that a loop carries is uniform if its initial and next values
    /// are; this is assumed until disproved.
    fn assign_for(&mut self, operation: Operation<'_>) {
        let Some(body) = operation.body(0) else {
            return;
        };
        let arguments = body.arguments();
        let Some((induction, carried)) = arguments.split_first() else {
            return;
        };
        self.set(*induction, Uniformity::Block);
        let operands = operation.operands();
        let initial = operands.get(3..).unwrap_or_default();
        let role = |value, uniformity: &Self| match uniformity.uniformity_of(value) {
            Uniformity::Block => Uniformity::Block,
            _ => Uniformity::Thread,
        };
        for (value, argument) in initial.iter().zip(carried) {
            self.set(*argument, role(*value, self));
        }
        loop {
            self.assign(body);
            let mut stable = true;
            for (next, argument) in yielded(body).into_iter().zip(carried) {
                if self.uniformity_of(*argument) == Uniformity::Block
                    && self.uniformity_of(next) != Uniformity::Block
                {
                    self.set(*argument, Uniformity::Thread);
                    stable = false;
                }
            }
            if stable {
                break;
            }
        }
        for (argument, result) in carried.iter().zip(operation.results()) {
            self.set(result, self.uniformity_of(*argument));
        }
    }

    fn role_of_results(&self, operation: Operation) -> Uniformity {
        match operation.name() {
            gpu::BlockIdOp::NAME
            | gpu::BlockDimOp::NAME
            | gpu::GridDimOp::NAME
            | gpu::NumSubgroupsOp::NAME
            // Of a kernel whose warpgroups run on their own.
            | memref::ExtractAlignedPointerAsIndexOp::NAME => {
                return Uniformity::Block;
            }
            gpu::ThreadIdOp::NAME
            | gpu::LaneIdOp::NAME
            | gpu::SubgroupIdOp::NAME
            | memref::AllocaOp::NAME => {
                return Uniformity::Derived;
            }
            _ => {}
        }
        let results = operation.results();
        if results.is_empty() || !is_pure(operation) {
            return Uniformity::Thread;
        }
        let operands = operation.operands();
        let all = |test: &dyn Fn(Uniformity) -> bool| {
            operands.iter().all(|operand| test(self.uniformity_of(*operand)))
        };
        if all(&|role| role == Uniformity::Block) {
            return Uniformity::Block;
        }
        let is_number = |value: &Value| {
            let ty = value.ty();
            ty.is_index() || (ty.is_integer() && ty.element_type() == ty)
        };
        if results.iter().any(|result| result.ty().is_memref())
            || (results.iter().all(is_number) && all(&|role| role != Uniformity::Thread))
        {
            return Uniformity::Derived;
        }
        Uniformity::Thread
    }
}

/// The operands of a block's terminator.
pub fn yielded(block: Block<'_>) -> Vec<Value<'_>> {
    block.terminator().map(Operation::operands).unwrap_or_default()
}

/// Returns true if an op is deterministic and has no effects.
pub fn is_pure(operation: Operation) -> bool {
    if operation.regions().into_iter().next().is_some() {
        return false;
    }
    let name = operation.name();
    match name.split_once('.') {
        Some(("arith" | "math" | "complex" | "index" | "ub", _)) => true,
        Some(("affine", name)) => matches!(name, "apply" | "min" | "max"),
        Some(("vector", name)) => matches!(
            name,
            "extract" | "insert" | "broadcast" | "bitcast" | "shape_cast" | "shuffle" | "fma"
        ),
        Some(("memref", name)) => matches!(
            name,
            "subview"
                | "view"
                | "cast"
                | "reinterpret_cast"
                | "expand_shape"
                | "collapse_shape"
                | "transpose"
                | "dim"
                | "get_global"
                | "extract_strided_metadata"
        ),
        _ => false,
    }
}

/// The op that defines a value, or its ancestor in the block of an op that uses
/// the value or in a block around it.
pub fn definition(value: Value<'_>) -> Option<Operation<'_>> {
    value.defining_op()
}
