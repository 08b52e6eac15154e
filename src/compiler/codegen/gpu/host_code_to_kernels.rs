//! `--halo-host-code-to-kernels`: what an entry function computes between its
//! kernels as kernels of one thread.
//!
//! The host of a GPU sees no element of a buffer without waiting for the
//! device. So scalar code, such as where a dynamic slice begins, runs there too:
//! neighbouring scalar ops become one kernel of one thread, and what others use
//! of their results goes through a cell, a buffer of one element. Kernels load
//! cells, and make anew inside the views and constants that they use; what is
//! left for the host to read is the condition of a loop or of a conditional.
//!
//! ```mlir
//! %0 = memref.load %start[] : memref<i32>
//! %1 = arith.index_cast %0 : i32 to index
//! %row = memref.subview %in[%1, 0] [1, 64] [1, 1] : memref<8x64xf32> to ...
//! gpu.launch ... { ... memref.load %row[..] ... }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %cell = memref.alloc() : memref<index>
//! gpu.launch blocks(..) in (%c1, ..) threads(..) in (%c1, ..) {
//!   %0 = memref.load %start[] : memref<i32>
//!   %1 = arith.index_cast %0 : i32 to index
//!   memref.store %1, %cell[] : memref<index>
//! } {halo.strategy = "scalar"}
//! gpu.launch ... {
//!   %1 = memref.load %cell[] : memref<index>
//!   %row = memref.subview %in[%1, 0] [1, 64] [1, 1] : memref<8x64xf32> to ...
//!   ... memref.load %row[..] ...
//! }
//! ```
//!
//! Loops and conditionals around kernels stay with the host; those without any
//! are scalar code like the rest, a right way to run what has no parallel form.
//! A loop whose bounds are computed becomes a `scf.while` over a counter in a
//! cell. Each launch gets the name that its kernel is outlined by.

use super::{
    super::{
        aliases::view_source,
        buffer_assignment::ENTRY,
        emit::{self, Emitted},
    },
    launch::{Dimensions, STRATEGY, launch},
};
use crate::ir::{
    Block, Builder, Operation, Value, ValueMap, arguments_of, attribute_of, block_argument,
    blocks_of, body_of, clone_operation, collect_operations, defining_operation, is_inside,
    move_before, name_of, operands_of, operations_of, owner_of, parent_block, replace_uses,
    results_of, set_attribute, set_operand, string_value, terminator_of, uses_of, value_key, visit,
    with_builder,
};
use halo_dialects::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use melior::ir::{ValueLike, attribute::FlatSymbolRefAttribute, operation::OperationLike};
use std::collections::HashMap;

/// The module that kernels are outlined to.
pub const KERNELS: &str = "kernels";

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-host-code-to-kernels",
    summary: "Turn scalar code between kernels into kernels of one thread",
    anchor: "func.func",
    dependent_dialects: &["arith", "gpu", "memref", "scf"],
    options: &[],
    run,
};

fn run(invocation: &PassInvocation) -> Result<(), PassFailure> {
    let function = invocation.operation();
    if attribute_of(function, ENTRY).is_none() {
        return Ok(());
    }
    let Some(body) = body_of(function, 0) else {
        return Ok(());
    };
    let mut conversion = Conversion {
        cells: HashMap::new(),
    };
    conversion
        .block(body)
        .and_then(|()| name_launches(function))
        .map_err(|error| {
            emit_error(function.location(), &format!("internal error: {error}"));
            PassFailure
        })?;
    erase_unused(function);
    Ok(())
}

/// What becomes of an op of the host's code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Something that the host does.
    Host,
    /// A loop or conditional around what the host does.
    Control,
    /// What names a buffer or a constant; it does nothing.
    Name,
    /// Arithmetic on constants and loop counters, made anew where it is used.
    Remade,
    /// Scalar code.
    Device,
}

struct Conversion<'c> {
    /// The cells of values that kernels compute.
    cells: HashMap<usize, Value<'c>>,
}

impl<'c> Conversion<'c> {
    fn block(&mut self, block: Block<'c>) -> Emitted<()> {
        let mut run: Vec<Operation<'c>> = Vec::new();
        for operation in operations_of(block) {
            match role(operation) {
                Role::Device => run.push(operation),
                Role::Name | Role::Remade => {}
                Role::Host => {
                    self.flush(&mut run, operation)?;
                    self.read_conditions(operation)?;
                    if name_of(operation) == "gpu.launch" {
                        self.isolate(operation)?;
                    }
                }
                Role::Control => {
                    if has_computed_bounds(operation) {
                        let (store, looping) =
                            with_builder(operation, |builder| counted_while(builder, operation))?;
                        run.push(store);
                        self.flush(&mut run, looping)?;
                        self.control(looping)?;
                    } else {
                        self.flush(&mut run, operation)?;
                        self.control(operation)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn control(&mut self, operation: Operation<'c>) -> Emitted<()> {
        self.read_conditions(operation)?;
        for block in operation.regions().flat_map(blocks_of) {
            self.block(block)?;
        }
        Ok(())
    }

    /// Makes a kernel of scalar ops, before an op of the host.
    fn flush(&mut self, run: &mut Vec<Operation<'c>>, before: Operation<'c>) -> Emitted<()> {
        let operations = std::mem::take(run);
        if operations.is_empty() {
            return Ok(());
        }
        with_builder(before, |builder| {
            let builder = &builder.at(operations[0].location());
            let mut stores = Vec::new();
            for operation in &operations {
                for result in results_of(*operation) {
                    if is_used_outside(result, &operations) {
                        let cell = emit::alloc(builder, &[], result.r#type())?;
                        stores.push((result, cell));
                    }
                }
            }
            for allocation in operations.iter().flat_map(|operation| {
                collect_operations(*operation, |nested| {
                    matches!(name_of(nested), "memref.alloc" | "memref.get_global")
                })
            }) {
                // One thread needs one of it.
                move_before(allocation, operations[0]);
            }
            let launch = launch(builder, "scalar", Dimensions::ONE, &[], |builder, _, _| {
                let mut map = ValueMap::new();
                for operation in &operations {
                    let mut used = Vec::new();
                    visit(*operation, &mut |nested| used.extend(operands_of(nested)));
                    for value in used {
                        take_names(builder, value, &mut map);
                    }
                    clone_operation(builder, *operation, &mut map);
                }
                for (value, cell) in &stores {
                    let value = crate::ir::mapped(&map, *value);
                    emit::store(builder, value, *cell, &[])?;
                }
                Ok(())
            })?;
            // The ops stay until the end, for those that are made anew of them.
            for (value, cell) in stores {
                self.cells.insert(value_key(value), cell);
            }
            self.isolate(launch)
        })
    }

    /// Lets the host load what an op of its own is to know.
    fn read_conditions(&mut self, operation: Operation<'c>) -> Emitted<()> {
        let decides = matches!(
            name_of(operation),
            "scf.condition" | "scf.if" | "scf.index_switch"
        );
        for (number, operand) in operands_of(operation).into_iter().enumerate() {
            let made_anew = defining_operation(operand).is_some_and(|(definition, _)| {
                matches!(role(definition), Role::Name | Role::Remade)
            });
            if decides && made_anew && !self.cells.contains_key(&value_key(operand)) {
                self.keep(operation, operand)?;
            }
            if let Some(cell) = self.cells.get(&value_key(operand)) {
                let loaded = with_builder(operation, |builder| emit::load(builder, *cell, &[]))?;
                set_operand(operation, number, loaded);
            }
        }
        Ok(())
    }

    /// Puts what a kernel could make anew into a cell, before an op of the host.
    fn keep(&mut self, before: Operation<'c>, value: Value<'c>) -> Emitted<()> {
        let launch = with_builder(before, |builder| {
            let cell = emit::alloc(builder, &[], value.r#type())?;
            self.cells.insert(value_key(value), cell);
            launch(builder, "scalar", Dimensions::ONE, &[], |builder, _, _| {
                emit::store(builder, value, cell, &[])?;
                Ok(())
            })
        })?;
        // The store is of the value, not of what the cell holds.
        let cell = self.cells.remove(&value_key(value));
        self.isolate(launch)?;
        if let Some(cell) = cell {
            self.cells.insert(value_key(value), cell);
        }
        Ok(())
    }

    /// Leaves a kernel with buffers and loop counters as all that it takes from
    /// around it.
    fn isolate(&self, launch: Operation<'c>) -> Emitted<()> {
        let Some(body) = body_of(launch, 0) else {
            return Ok(());
        };
        for global in collect_operations(launch, |nested| name_of(nested) == "memref.get_global") {
            move_before(global, launch);
        }
        let mut uses = Vec::new();
        visit(launch, &mut |nested| {
            if nested != launch {
                for (number, operand) in nested.operands().enumerate() {
                    if !is_value_inside(operand, launch) {
                        uses.push((nested, number, operand));
                    }
                }
            }
        });
        let Some(first) = operations_of(body).first().copied() else {
            return Ok(());
        };
        let mut map = ValueMap::new();
        for (user, number, value) in uses {
            let inside = with_builder(first, |builder| self.import(builder, value, &mut map))?;
            set_operand(user, number, inside);
        }
        Ok(())
    }

    /// A value of the host's code as a kernel sees it.
    fn import(
        &self,
        builder: &Builder<'c>,
        value: Value<'c>,
        map: &mut ValueMap<'c>,
    ) -> Emitted<Value<'c>> {
        if let Some(present) = map.get(&value_key(value)) {
            return Ok(*present);
        }
        if let Some(cell) = self.cells.get(&value_key(value)) {
            let loaded = emit::load(builder, *cell, &[])?;
            map.insert(value_key(value), loaded);
            return Ok(loaded);
        }
        let Some((operation, _)) = defining_operation(value) else {
            return Ok(value);
        };
        let made_anew = match role(operation) {
            Role::Remade => true,
            Role::Name => !matches!(name_of(operation), "memref.alloc" | "memref.get_global"),
            _ => false,
        };
        if !made_anew {
            return Ok(value);
        }
        for operand in operands_of(operation) {
            self.import(builder, operand, map)?;
        }
        clone_operation(builder, operation, map);
        Ok(crate::ir::mapped(map, value))
    }
}

/// Makes views anew whose offsets a kernel computes itself: their cells hold
/// nothing yet when it starts.
fn take_names<'c>(builder: &Builder<'c>, value: Value<'c>, map: &mut ValueMap<'c>) {
    if map.contains_key(&value_key(value)) {
        return;
    }
    let Some((operation, _)) = defining_operation(value) else {
        return;
    };
    if !matches!(role(operation), Role::Name | Role::Remade) {
        return;
    }
    let operands = operands_of(operation);
    for operand in &operands {
        take_names(builder, *operand, map);
    }
    let computed = |operand: &Value| map.contains_key(&value_key(*operand));
    if operands.iter().any(computed) {
        clone_operation(builder, operation, map);
    }
}

fn role(operation: Operation) -> Role {
    let name = name_of(operation);
    if matches!(
        name,
        "arith.constant" | "memref.alloc" | "memref.get_global" | "memref.dealloc"
    ) || view_source(operation).is_some()
    {
        return Role::Name;
    }
    if is_host_op(operation) {
        return Role::Host;
    }
    if matches!(
        name,
        "scf.for" | "scf.while" | "scf.if" | "scf.index_switch"
    ) {
        let around =
            !collect_operations(operation, |nested| is_host_op(nested) && !is_yield(nested))
                .is_empty();
        if around {
            return Role::Control;
        }
        return Role::Device;
    }
    if is_remade(operation) {
        return Role::Remade;
    }
    Role::Device
}

fn is_yield(operation: Operation) -> bool {
    matches!(
        name_of(operation),
        "scf.yield"
            | "scf.condition"
            | "scf.reduce"
            | "linalg.yield"
            | "memref.generic_atomic_yield"
    )
}

fn is_host_op(operation: Operation) -> bool {
    is_yield(operation)
        || matches!(
            name_of(operation),
            "gpu.launch" | "memref.copy" | "func.call" | "func.return"
        )
        || is_condition(operation)
}

/// Whether an op loads the condition of the loop or conditional right behind
/// it, which the host does itself.
fn is_condition(operation: Operation) -> bool {
    if name_of(operation) != "memref.load" || operands_of(operation).len() != 1 {
        return false;
    }
    let uses = results_of(operation)
        .first()
        .map(|value| uses_of(*value))
        .unwrap_or_default();
    let [(user, 0)] = uses[..] else {
        return false;
    };
    let mut next = next_of(operation);
    while let Some(between) = next.filter(|next| role(*next) == Role::Name) {
        next = next_of(between);
    }
    let waits = match name_of(user) {
        "scf.condition" => true,
        "scf.if" => role(user) == Role::Control,
        _ => false,
    };
    waits && next == Some(user)
}

fn next_of(operation: Operation<'_>) -> Option<Operation<'_>> {
    let operations = operations_of(parent_block(operation)?);
    let position = operations.iter().position(|other| *other == operation)?;
    operations.get(position + 1).copied()
}

/// Whether an op follows from constants and counters of loops alone.
fn is_remade(operation: Operation) -> bool {
    let name = name_of(operation);
    let arithmetic = name.starts_with("arith.") && operation.region_count() == 0;
    arithmetic
        && operands_of(operation)
            .into_iter()
            .all(|operand| match defining_operation(operand) {
                Some((definition, _)) => {
                    name_of(definition) == "arith.constant" || is_remade(definition)
                }
                None => is_counter(operand),
            })
}

fn is_counter(value: Value) -> bool {
    block_argument(value).is_some_and(|(block, number)| {
        number == 0 && owner_of(block).is_some_and(|owner| name_of(owner) == "scf.for")
    })
}

fn is_used_outside(value: Value, operations: &[Operation]) -> bool {
    uses_of(value).into_iter().any(|(user, _)| {
        !operations
            .iter()
            .any(|operation| user == *operation || is_inside(user, *operation))
    })
}

fn is_value_inside(value: Value, operation: Operation) -> bool {
    if let Some((definition, _)) = defining_operation(value) {
        return is_inside(definition, operation);
    }
    block_argument(value)
        .and_then(|(block, _)| owner_of(block))
        .is_some_and(|owner| owner == operation || is_inside(owner, operation))
}

fn has_computed_bounds(operation: Operation) -> bool {
    name_of(operation) == "scf.for"
        && operands_of(operation)
            .iter()
            .take(3)
            .any(|bound| emit::constant_index(*bound).is_none())
}

/// A loop with computed bounds as a `scf.while`, and the op before it that sets
/// the counter.
fn counted_while<'c>(
    builder: &Builder<'c>,
    counted: Operation<'c>,
) -> Emitted<(Operation<'c>, Operation<'c>)> {
    let [lower, upper, step] = operands_of(counted)[..] else {
        return Err(crate::ir::BuildError {
            operation: "scf.while".into(),
        });
    };
    let counter = emit::alloc(builder, &[], lower.r#type())?;
    let store = emit::store(builder, lower, counter, &[])?;
    let before = builder.region(&[], |builder, _| {
        let now = emit::load(builder, counter, &[])?;
        let more = emit::compare(builder, "slt", now, upper)?;
        builder.op("scf.condition").operands(&[more]).insert()?;
        Ok::<_, crate::ir::BuildError>(())
    })?;
    let after = builder.region(&[], |builder, _| {
        let now = emit::load(builder, counter, &[])?;
        let end = builder.op("scf.yield").insert()?;
        if let Some(body) = body_of(counted, 0) {
            for argument in arguments_of(body) {
                replace_uses(argument, now);
            }
            let terminator = terminator_of(body);
            for operation in operations_of(body) {
                if Some(operation) != terminator {
                    move_before(operation, end);
                }
            }
        }
        builder.set_before(end);
        let now = emit::load(builder, counter, &[])?;
        let next = emit::add(builder, now, step)?;
        emit::store(builder, next, counter, &[])?;
        Ok::<_, crate::ir::BuildError>(())
    })?;
    let looping = builder
        .op("scf.while")
        .region(before)
        .region(after)
        .insert()?;
    builder.erase(counted);
    Ok((store, looping))
}

/// Gives each launch the name of its kernel: the entry, the strategy, a number.
fn name_launches(function: Operation<'_>) -> Emitted<()> {
    let context = crate::ir::context_of(function);
    let entry = attribute_of(function, "sym_name")
        .and_then(string_value)
        .unwrap_or("main");
    let launches = collect_operations(function, |nested| name_of(nested) == "gpu.launch");
    for (number, launch) in launches.into_iter().enumerate() {
        let strategy = attribute_of(launch, STRATEGY)
            .and_then(string_value)
            .unwrap_or("kernel");
        let kernel = format!("{entry}_{strategy}_{number}");
        let symbol = |name: &str| FlatSymbolRefAttribute::new(context, name).into();
        set_attribute(launch, "module", symbol(KERNELS));
        set_attribute(launch, "function", symbol(&kernel));
    }
    Ok(())
}

/// Erases scalar ops and views that kernels have made their own.
fn erase_unused(function: Operation<'_>) {
    let mut operations = collect_operations(function, |operation| {
        !is_in_launch(operation)
            && matches!(role(operation), Role::Device | Role::Remade | Role::Name)
            && !is_inside_device(operation)
    });
    // Users stand behind what they use.
    operations.reverse();
    for operation in operations {
        let used = results_of(operation)
            .into_iter()
            .any(|result| !uses_of(result).is_empty());
        if !used {
            with_builder(operation, |builder| builder.erase(operation));
        }
    }
}

fn is_in_launch(operation: Operation) -> bool {
    ancestor(operation, |name| name == "gpu.launch")
}

/// Whether an op stands inside scalar code that is erased as a whole.
fn is_inside_device(operation: Operation) -> bool {
    let mut parent = crate::ir::parent_operation(operation);
    while let Some(around) = parent {
        if name_of(around) == "func.func" {
            return false;
        }
        if role(around) == Role::Device {
            return true;
        }
        parent = crate::ir::parent_operation(around);
    }
    false
}

fn ancestor(operation: Operation, is_wanted: impl Fn(&str) -> bool) -> bool {
    let mut parent = crate::ir::parent_operation(operation);
    while let Some(around) = parent {
        if is_wanted(name_of(around)) {
            return true;
        }
        parent = crate::ir::parent_operation(around);
    }
    false
}
