//! Splits a kernel at barriers: decides which ops run in one loop over the
//! threads, and which loops and conditionals run at block level.
//!
//! Ops are collected in a list up to a convergence point; then the list becomes
//! one loop. Results used elsewhere are stored in arrays.

use super::{
    LAUNCH_ARGUMENTS,
    error::{Emulated, EmulationError},
    storage::PrivateMemory,
    threads::{Launch, Thread, range},
    uniformity::{Uniformity, UniformityAnalysis, definition, is_convergence_point, yielded},
    warpgroups,
};
use halo_codegen::function;
use halo_ir::{
    ops::{halo::KERNEL, nvgpu},
    prelude::*,
};
use melior::ir::r#type::FunctionType;
use std::collections::{HashMap, HashSet};

/// A step of a phase for each thread.
pub enum Action<'c> {
    /// Runs an op.
    Run(Operation<'c>),
    /// Computes the results of an op that reads values of other lanes.
    Exchange(Operation<'c>),
    /// Stores values in arrays: operands that an op passes to a region or
    /// returns.
    Assign {
        by: Operation<'c>,
        sources: Vec<Value<'c>>,
        arrays: Vec<Value<'c>>,
    },
}

/// The emulation of one kernel.
pub struct Emulation<'c> {
    pub kernel: Operation<'c>,
    body: Block<'c>,
    pub uniformity: UniformityAnalysis,
    pub launch: Launch<'c>,
    /// The op before which memory is allocated.
    pub marker: Operation<'c>,
    /// The uniform values.
    pub block: ValueMap<'c>,
    /// The arrays of divergent values.
    arrays: HashMap<usize, Value<'c>>,
    pub private: HashMap<usize, PrivateMemory<'c>>,
    /// Memory to be freed.
    pub allocated: Vec<Value<'c>>,
    pending: Vec<Action<'c>>,
    /// The arrays of the pending phase that other lanes read.
    exchanged: HashSet<usize>,
    /// Whether memory accesses are instrumented.
    pub checks_accesses: bool,
    /// The function's arguments that correspond to the kernel's.
    pub parameters: HashSet<usize>,
    /// The shared memory of a block.
    pub shared: HashSet<usize>,
}

/// Creates the function of a normalized kernel at the insertion point.
pub fn emulate<'c>(
    b: &Builder<'c>,
    kernel: Operation<'c>,
    body: Block<'c>,
    name: &str,
    checks_accesses: bool,
) -> Emulated<'c, ()> {
    check(kernel)?;
    let context = b.context();
    let (own, _) = function::signature(kernel).unwrap_or_default();
    let parameters = body.arguments();
    let parameters = parameters.get(..own.len()).unwrap_or_default();
    let mut types = vec![Type::index(context); LAUNCH_ARGUMENTS];
    types.extend(parameters.iter().map(|value| value.ty()));
    let region = b.region(&types, |b, arguments| {
        let (launch, arguments) = arguments.split_at(LAUNCH_ARGUMENTS);
        let values = parameters.iter().copied().map(Value::key);
        let values: ValueMap<'c> = values.zip(arguments.iter().copied()).collect();
        let &[begin, end, grid_x, grid_y, grid_z, x, y, z] = launch else {
            return Err(EmulationError::op(kernel, "takes no launch"));
        };
        let known = kernel.attribute("known_block_size").and_then(Attribute::i32_array_value);
        let threads = match known.as_deref() {
            Some(&[x, y, z]) => [
                index::constant(b, x.into()),
                index::constant(b, y.into()),
                index::constant(b, z.into()),
            ],
            _ => [x, y, z],
        };
        let mut launch = Launch::new(b, [grid_x, grid_y, grid_z], threads);
        if warpgroups::has_groups(kernel) {
            warpgroups::declare(b, kernel);
            launch.first = Some(warpgroups::first_thread(b));
        }
        let zero = integer_attribute(Type::index(context), 0);
        let marker = arith::ConstantOp::build(b, zero).insert().operation();
        let mut emulation = Emulation {
            kernel,
            body,
            uniformity: UniformityAnalysis::of(kernel, body),
            launch,
            marker,
            block: values,
            arrays: HashMap::new(),
            private: HashMap::new(),
            allocated: Vec::new(),
            pending: Vec::new(),
            exchanged: HashSet::new(),
            checks_accesses,
            parameters: arguments.iter().copied().map(Value::key).collect(),
            shared: HashSet::new(),
        };
        emulation.declare_accesses(b);
        range(b, begin, end, |b, number| emulation.block_of(b, number))?;
        for memory in emulation.allocated {
            memref::dealloc(b, memory);
        }
        func::return_(b, &[]);
        Ok(())
    })?;
    let signature = FunctionType::new(context, &types, &[]);
    func::FuncOp::build(b, name, signature.into(), region)
        .attribute(KERNEL, unit_attribute(context))
        .insert();
    Ok(())
}

/// Rejects ops without emulation.
fn check(kernel: Operation<'_>) -> Emulated<'_, ()> {
    for operation in kernel.collect_nested(|_| true) {
        let name = operation.name();
        let foreign = ["gpu.", "nvgpu.", "nvvm."].iter().any(|prefix| name.starts_with(prefix));
        let known = is_convergence_point(operation)
            || matches!(
                name,
                gpu::ThreadIdOp::NAME
                    | gpu::BlockIdOp::NAME
                    | gpu::BlockDimOp::NAME
                    | gpu::GridDimOp::NAME
                    | gpu::LaneIdOp::NAME
                    | gpu::SubgroupIdOp::NAME
                    | gpu::NumSubgroupsOp::NAME
                    | gpu::ReturnOp::NAME
            );
        if foreign && !known {
            return Err(EmulationError::op(operation, "has no emulation"));
        }
    }
    Ok(())
}

/// The number of a kernel body's own arguments, and the number including shared
/// memory; private memory follows.
pub fn argument_counts(kernel: Operation) -> (usize, usize) {
    let own = function::signature(kernel).map_or(0, |(own, _)| own.len());
    let shared = kernel
        .attribute("workgroup_attributions")
        .and_then(Attribute::integer_value)
        .and_then(|count| usize::try_from(count).ok());
    (own, own.saturating_add(shared.unwrap_or(0)))
}

impl<'c> Emulation<'c> {
    /// One block of the grid.
    fn block_of(&mut self, b: &Builder<'c>, number: Value<'c>) -> Emulated<'c, ()> {
        let ids = self.launch.block(b, number);
        self.note_block(b, number);
        let (own, shared) = argument_counts(self.kernel);
        for (position, memory) in self.body.arguments().into_iter().enumerate() {
            if position >= shared {
                self.allocate_private(b, memory, self.kernel)?;
            } else if position >= own && self.launch.first.is_some() {
                self.address_shared(b, memory)?;
            } else if position >= own {
                self.allocate_shared(b, memory)?;
            }
        }
        for operation in self.body.operations() {
            if let Some(id) = self.launch.block_id(&ids, operation) {
                for result in operation.results() {
                    self.block.insert(result.key(), id);
                }
            }
        }
        self.run_block(b, self.body)?;
        self.flush(b)
    }

    /// The ops of a block that all threads reach together, without its
    /// terminator.
    fn run_block(&mut self, b: &Builder<'c>, block: Block<'c>) -> Emulated<'c, ()> {
        let last = block.terminator();
        for operation in block.operations() {
            if Some(operation) == last {
                break;
            }
            let b = b.at(operation.location());
            if self.uniformity.is_collective(operation) {
                self.meet(&b, operation)?;
                continue;
            }
            if operation.isa::<memref::AllocaOp>() {
                for result in operation.results() {
                    self.allocate_private(&b, result, operation)?;
                }
                continue;
            }
            let role =
                operation.results().first().map(|result| self.uniformity.uniformity_of(*result));
            match role {
                Some(Uniformity::Block) => {
                    let made = operation
                        .results()
                        .iter()
                        .all(|result| self.block.contains_key(&result.key()));
                    if !made {
                        b.clone_op(operation, &mut self.block);
                    }
                }
                Some(Uniformity::Derived) => {}
                _ => self.pending.push(Action::Run(operation)),
            }
        }
        Ok(())
    }

    fn meet(&mut self, b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
        match operation.name() {
            gpu::BarrierOp::NAME => {
                self.flush(b)?;
                if self.launch.first.is_some() {
                    self.meet_groups(b);
                }
                self.note_barrier(b);
                Ok(())
            }
            name if warpgroups::is_of_warpgroup(name) => self.warpgroup(b, operation),
            gpu::ShuffleOp::NAME | nvgpu::LdMatrixOp::NAME => {
                self.before_exchange(b, operation)?;
                self.pending.push(Action::Exchange(operation));
                Ok(())
            }
            nvgpu::MmaSyncOp::NAME => self.matrix_product(b, operation),
            gpu::SubgroupReduceOp::NAME | gpu::AllReduceOp::NAME => self.reduce(b, operation),
            scf::ForOp::NAME => self.run_for(b, operation),
            scf::IfOp::NAME => self.run_if(b, operation),
            scf::WhileOp::NAME => self.run_while(b, operation),
            _ => Err(EmulationError::op(
                operation,
                "has a barrier inside, which emulation does not support",
            )),
        }
    }

    /// The arrays for values that regions yield, one for each divergent value.
    fn carried_arrays(
        &mut self,
        b: &Builder<'c>,
        operation: Operation<'c>,
        values: &[Value<'c>],
    ) -> Emulated<'c, Vec<Option<Value<'c>>>> {
        let mut arrays = Vec::new();
        for value in values {
            arrays.push(
                if self.uniformity.uniformity_of(*value) == Uniformity::Block {
                    None
                } else {
                    let array = self.array(b, value.ty(), operation)?;
                    self.arrays.insert(value.key(), array);
                    Some(array)
                },
            );
        }
        Ok(arrays)
    }

    /// Ends the phase with values that are stored in arrays.
    fn assign(
        &mut self,
        b: &Builder<'c>,
        by: Operation<'c>,
        values: &[Value<'c>],
        arrays: &[Option<Value<'c>>],
    ) -> Emulated<'c, ()> {
        let (sources, arrays): (Vec<_>, Vec<_>) = values
            .iter()
            .zip(arrays)
            .filter_map(|(value, array)| Some((*value, (*array)?)))
            .filter(|(value, array)| self.arrays.get(&value.key()) != Some(array))
            .unzip();
        if arrays.iter().any(|array| self.exchanged.contains(&array.key())) {
            self.flush(b)?;
        }
        if !arrays.is_empty() {
            let action = Action::Assign {
                by,
                sources,
                arrays,
            };
            self.pending.push(action);
        }
        self.flush(b)
    }

    fn run_for(&mut self, b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
        let body = operation.body(0).ok_or_else(|| EmulationError::op(operation, "has no body"))?;
        let counted = scf::ForOp::from_unchecked(operation);
        let initial = counted.init_args();
        let arguments = body.arguments();
        let carried = arguments.get(1..).unwrap_or_default().to_vec();
        let arrays = self.carried_arrays(b, operation, &carried)?;
        self.assign(b, operation, &initial, &arrays)?;
        let bounds = (
            self.uniform(b, counted.lower_bound(), operation)?,
            self.uniform(b, counted.upper_bound(), operation)?,
            self.uniform(b, counted.step(), operation)?,
        );
        let of_block = |values: &[Value<'c>]| -> Vec<Value<'c>> {
            let pairs = values.iter().zip(&arrays);
            pairs.filter(|(_, array)| array.is_none()).map(|(value, _)| *value).collect()
        };
        let inits: Vec<_> = of_block(&initial)
            .into_iter()
            .map(|value| halo_ir::mapped(&self.block, value))
            .collect();
        let results = of_block(&operation.results());
        let inner = of_block(&carried);
        let made = scf::for_(b, bounds, &inits, |b, induction, values| {
            self.block.insert(arguments[0].key(), induction);
            for (argument, value) in inner.iter().zip(values) {
                self.block.insert(argument.key(), *value);
            }
            self.run_block(b, body)?;
            let next = yielded(body);
            if let Some(end) = body.terminator() {
                self.assign(b, end, &next, &arrays)?;
            }
            let next: Vec<_> = of_block(&next)
                .into_iter()
                .map(|value| halo_ir::mapped(&self.block, value))
                .collect();
            Ok::<_, EmulationError>(next)
        })?;
        made.set_unsigned_cmp(counted.unsigned_cmp());
        for (result, value) in results.iter().zip(made.results()) {
            self.block.insert(result.key(), value);
        }
        for (result, array) in operation.results().iter().zip(&arrays) {
            if let Some(array) = array {
                self.arrays.insert(result.key(), *array);
            }
        }
        Ok(())
    }

    fn run_if(&mut self, b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
        let results = operation.results();
        let arrays = self.carried_arrays(b, operation, &results)?;
        self.flush(b)?;
        let condition = scf::IfOp::from_unchecked(operation).condition();
        let condition = self.uniform(b, condition, operation)?;
        let mut branch = |number| match operation.body(number) {
            None => Ok(halo_ir::Region::new()),
            Some(branch) => b.region(&[], |b, _| {
                self.run_block(b, branch)?;
                if let Some(end) = branch.terminator() {
                    self.assign(b, end, &yielded(branch), &arrays)?;
                }
                scf::yield_(b, &[]);
                Ok::<_, EmulationError>(())
            }),
        };
        let (then, otherwise) = (branch(0)?, branch(1)?);
        scf::IfOp::build(b, condition, then, otherwise).result_types(&[]).insert();
        Ok(())
    }

    fn run_while(&mut self, b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
        let (Some(before), Some(after)) = (operation.body(0), operation.body(1)) else {
            return Err(EmulationError::op(operation, "has no body"));
        };
        let carried = self.carried_arrays(b, operation, &before.arguments())?;
        let forwarded = self.carried_arrays(b, operation, &after.arguments())?;
        self.assign(b, operation, &operation.operands(), &carried)?;
        let first = b.region(&[], |b, _| {
            self.run_block(b, before)?;
            let operands = yielded(before);
            let (Some(end), Some((condition, passed))) =
                (before.terminator(), operands.split_first())
            else {
                return Err(EmulationError::op(operation, "has no condition"));
            };
            self.assign(b, end, passed, &forwarded)?;
            let condition = self.uniform(b, *condition, operation)?;
            scf::condition(b, condition, &[]);
            Ok(())
        })?;
        let second = b.region(&[], |b, _| {
            self.run_block(b, after)?;
            if let Some(end) = after.terminator() {
                self.assign(b, end, &yielded(after), &carried)?;
            }
            scf::yield_(b, &[]);
            Ok::<_, EmulationError>(())
        })?;
        scf::WhileOp::build(b, &[], &[], first, second).insert();
        for (result, array) in operation.results().iter().zip(&forwarded) {
            if let Some(array) = array {
                self.arrays.insert(result.key(), *array);
            }
        }
        Ok(())
    }

    /// The uniform condition or bound of an op with a barrier inside. The
    /// previous phase has ended.
    fn uniform(
        &mut self,
        b: &Builder<'c>,
        value: Value<'c>,
        operation: Operation<'c>,
    ) -> Emulated<'c, Value<'c>> {
        if self.uniformity.uniformity_of(value) == Uniformity::Block {
            return Ok(halo_ir::mapped(&self.block, value));
        }
        if self.uniformity.is_varying(value) && self.launch.first.is_none() {
            let meeting = operation.collect_nested(is_convergence_point);
            let at = meeting.first().copied().unwrap_or(operation);
            return Err(EmulationError::op(
                at,
                &format!(
                    "is in a '{}' op with a divergent condition or bounds, so that not all \
                     threads of a block reach it",
                    operation.name()
                ),
            ));
        }
        let number = self.launch.first.unwrap_or_else(|| index::constant(b, 0));
        let thread = self.launch.thread(b, number);
        self.materialize(b, value, &thread, &mut ValueMap::new())
    }

    /// Ends the pending phase.
    pub fn flush(&mut self, b: &Builder<'c>) -> Emulated<'c, ()> {
        let actions = std::mem::take(&mut self.pending);
        self.exchanged.clear();
        if actions.is_empty() {
            return Ok(());
        }
        self.make_arrays(b, &actions)?;
        let launch = self.launch;
        launch.each_thread(b, |b, thread| {
            let mut local = ValueMap::new();
            for action in &actions {
                self.act(b, action, thread, &mut local)?;
            }
            Ok(())
        })
    }

    fn act(
        &mut self,
        b: &Builder<'c>,
        action: &Action<'c>,
        thread: &Thread<'c>,
        local: &mut ValueMap<'c>,
    ) -> Emulated<'c, ()> {
        let done = match action {
            Action::Run(operation) => {
                let b = b.at(operation.location());
                for operand in outer_operands(*operation) {
                    self.materialize(&b, operand, thread, local)?;
                }
                let copy = b.clone_op(*operation, local);
                self.hoist_private(&b, copy)?;
                self.note_accesses(&b, copy, thread.number)?;
                *operation
            }
            Action::Exchange(operation) => {
                let b = b.at(operation.location());
                let values = self.exchange(&b, *operation, thread, local)?;
                for (result, value) in operation.results().into_iter().zip(values) {
                    local.insert(result.key(), value);
                }
                *operation
            }
            Action::Assign {
                sources, arrays, ..
            } => {
                let mut values = Vec::new();
                for source in sources {
                    values.push(self.materialize(b, *source, thread, local)?);
                }
                for (value, array) in values.into_iter().zip(arrays) {
                    memref::store(b, value, *array, &[thread.number]);
                }
                return Ok(());
            }
        };
        for result in done.results() {
            let key = result.key();
            if let (Some(array), Some(value)) = (self.arrays.get(&key), local.get(&key)) {
                memref::store(b, *value, *array, &[thread.number]);
            }
        }
        Ok(())
    }

    /// Arrays for results of a phase that are used elsewhere.
    fn make_arrays(&mut self, b: &Builder<'c>, actions: &[Action<'c>]) -> Emulated<'c, ()> {
        let mut inside = HashSet::new();
        for action in actions {
            inside.insert(
                (match action {
                    Action::Run(operation) | Action::Exchange(operation) => *operation,
                    Action::Assign { by, .. } => *by,
                })
                .key(),
            );
        }
        for action in actions {
            let (Action::Run(operation) | Action::Exchange(operation)) = action else {
                continue;
            };
            for result in operation.results() {
                if self.is_used_outside(result, &inside) {
                    let array = self.array(b, result.ty(), *operation)?;
                    self.arrays.insert(result.key(), array);
                }
            }
        }
        Ok(())
    }

    /// Returns true if an op outside of the phase uses a value, directly or through values that are
    /// recomputed at their uses.
    fn is_used_outside(&self, value: Value<'c>, inside: &HashSet<usize>) -> bool {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            for (user, number) in value.uses() {
                // The condition or bounds of an op with a barrier inside are
                // read from an array; the values that it passes on are not.
                let passed_on = match user.name() {
                    scf::ForOp::NAME if self.uniformity.is_collective(user) => number >= 3,
                    scf::ConditionOp::NAME => number >= 1,
                    _ => true,
                };
                if passed_on && inside.contains(&user.key()) {
                    continue;
                }
                let derived = user.results().first().is_some_and(|result| {
                    self.uniformity.uniformity_of(*result) == Uniformity::Derived
                });
                if derived && !self.uniformity.is_collective(user) {
                    pending.extend(user.results());
                    continue;
                }
                if !self.is_nested_in(user, inside) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns true if an op is nested in one of the phase that threads execute individually.
    fn is_nested_in(&self, operation: Operation<'c>, inside: &HashSet<usize>) -> bool {
        let mut around = operation.parent();
        while let Some(parent) = around {
            if self.uniformity.is_collective(parent) {
                return false;
            }
            if inside.contains(&parent.key()) {
                return true;
            }
            around = parent.parent();
        }
        false
    }

    /// Returns true if a divergent value depends on a value of the pending phase.
    fn is_pending(&self, value: Value<'c>) -> bool {
        let made: HashSet<usize> = self
            .pending
            .iter()
            .filter_map(|action| match action {
                Action::Run(operation) | Action::Exchange(operation) => Some(*operation),
                Action::Assign { .. } => None,
            })
            .map(Operation::key)
            .collect();
        self.sources(value)
            .into_iter()
            .filter_map(definition)
            .any(|operation| made.contains(&operation.key()))
    }

    /// The divergent values from which a value is recomputed.
    fn sources(&self, value: Value<'c>) -> Vec<Value<'c>> {
        let (mut found, mut pending, mut seen) = (Vec::new(), vec![value], HashSet::new());
        while let Some(value) = pending.pop() {
            if !seen.insert(value.key()) {
                continue;
            }
            match (self.uniformity.uniformity_of(value), definition(value)) {
                (Uniformity::Block, _) => {}
                (Uniformity::Derived, Some(operation)) => pending.extend(operation.operands()),
                _ => found.push(value),
            }
        }
        found
    }

    /// Ends the pending phase if lanes read values or memory that other lanes
    /// write in it, and records these reads.
    fn before_exchange(&mut self, b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
        let operands = operation.operands();
        let reads_memory = operation.isa::<nvgpu::LdMatrixOp>();
        let writes = |action: &Action<'c>| match action {
            Action::Run(operation) => !super::uniformity::is_pure(*operation),
            _ => false,
        };
        if (reads_memory && self.pending.iter().any(writes))
            || operands.iter().any(|operand| self.is_pending(*operand))
        {
            self.flush(b)?;
        }
        for operand in operands {
            for source in self.sources(operand) {
                if let Some(array) = self.arrays.get(&source.key()) {
                    self.exchanged.insert(array.key());
                }
            }
        }
        Ok(())
    }

    /// The array of a value, for all threads.
    pub fn array_of(
        &mut self,
        b: &Builder<'c>,
        value: Value<'c>,
        user: Operation<'c>,
    ) -> Emulated<'c, Value<'c>> {
        if self.is_pending(value) {
            self.flush(b)?;
        }
        if let Some(array) = self.arrays.get(&value.key()) {
            return Ok(*array);
        }
        let array = self.array(b, value.ty(), user)?;
        let launch = self.launch;
        launch.each_thread(b, |b, thread| {
            let value = self.materialize(b, value, thread, &mut ValueMap::new())?;
            memref::store(b, value, array, &[thread.number]);
            Ok(())
        })?;
        Ok(array)
    }

    /// An array for the result of an op, which is filled immediately.
    pub fn result_array(
        &mut self,
        b: &Builder<'c>,
        operation: Operation<'c>,
        result: Value<'c>,
    ) -> Emulated<'c, Value<'c>> {
        let array = self.array(b, result.ty(), operation)?;
        self.arrays.insert(result.key(), array);
        Ok(array)
    }

    /// Makes the array of one value the array of another one.
    pub fn alias_array(&mut self, value: Value<'c>, array: Value<'c>) {
        self.arrays.insert(value.key(), array);
    }

    /// A thread's value: mapped here, uniform, in an array, or recomputed.
    pub fn materialize(
        &mut self,
        b: &Builder<'c>,
        value: Value<'c>,
        thread: &Thread<'c>,
        local: &mut ValueMap<'c>,
    ) -> Emulated<'c, Value<'c>> {
        let mut stack = vec![value];
        while let Some(&next) = stack.last() {
            if local.contains_key(&next.key()) {
                stack.pop();
                continue;
            }
            if let Some(found) = self.at_hand(b, next, thread) {
                local.insert(next.key(), found);
                continue;
            }
            let operation = definition(next)
                .filter(|_| self.uniformity.uniformity_of(next) == Uniformity::Derived)
                .ok_or_else(|| {
                    EmulationError::op(self.kernel, "has a value that no phase computes")
                })?;
            let missing: Vec<_> = operation
                .operands()
                .into_iter()
                .filter(|operand| !local.contains_key(&operand.key()))
                .collect();
            if missing.is_empty() {
                b.clone_op(operation, local);
            }
            stack.extend(missing);
        }
        Ok(halo_ir::mapped(local, value))
    }

    /// A value that is available without computation.
    fn at_hand(&self, b: &Builder<'c>, value: Value<'c>, thread: &Thread<'c>) -> Option<Value<'c>> {
        let key = value.key();
        if let Some(found) = self.block.get(&key) {
            return Some(*found);
        }
        if let Some(memory) = self.private.get(&key) {
            return Some(memory.of_thread(b, thread.number));
        }
        if let Some(array) = self.arrays.get(&key) {
            return Some(memref::load(b, *array, &[thread.number]));
        }
        match definition(value) {
            Some(operation) => self.launch.thread_id(b, thread, operation),
            None => None,
        }
    }
}

/// The values that an op and its nested ops use from outside.
fn outer_operands(operation: Operation<'_>) -> Vec<Value<'_>> {
    let mut inner = HashSet::new();
    let mut used = Vec::new();
    operation.visit(&mut |nested| {
        for block in nested.blocks() {
            inner.extend(block.arguments().into_iter().map(Value::key));
        }
        if nested != operation {
            inner.extend(nested.results().into_iter().map(Value::key));
        }
        used.extend(nested.operands());
    });
    used.retain(|value| !inner.contains(&value.key()));
    used
}
