//! `--halo-outline-scalar-code`: outlines scalar code of an entry function to
//! kernels of one thread.
//!
//! The host of a GPU cannot read an element of a buffer without waiting for the device. Therefore
//! scalar code, such as the offsets of a dynamic slice, runs on the device too: adjacent scalar ops
//! become one kernel of one thread, and rank-0 buffers pass results to other ops. Kernels load
//! these buffers and clone the views and constants that they use. The host reads only conditions of
//! loops and conditionals.
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
//! %buffer = memref.alloc() : memref<index>
//! gpu.launch blocks(..) in (%c1, ..) threads(..) in (%c1, ..) {
//!   %0 = memref.load %start[] : memref<i32>
//!   %1 = arith.index_cast %0 : i32 to index
//!   memref.store %1, %buffer[] : memref<index>
//! } {halo.strategy = "scalar"}
//! gpu.launch ... {
//!   %1 = memref.load %buffer[] : memref<index>
//!   %row = memref.subview %in[%1, 0] [1, 64] [1, 1] : memref<8x64xf32> to ...
//!   ... memref.load %row[..] ...
//! }
//! ```
//!
//! Loops and conditionals around kernels stay on the host; all others become scalar code, which is
//! a correct fallback for sequential code. A loop with computed bounds becomes an `scf.while` over
//! a counter in a rank-0 buffer. Each launch gets the name of its outlined kernel.
//!
//! The option `explain` emits a remark for each kernel of few threads with long loops, whichever
//! pass built it.

mod placement;
mod sequential;

use super::launch::{Dimensions, launch};
use halo_ir::{
    ops::halo::{ENTRY, STRATEGY},
    prelude::*,
};
use melior::ir::attribute::FlatSymbolRefAttribute;
use placement::{Placement, Placements};
use std::collections::HashMap;

/// The module of outlined kernels.
pub const KERNELS: &str = "kernels";

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Emit remarks for kernels of few threads with long loops
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-outline-scalar-code",
    "Turn scalar code between kernels into kernels of one thread",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "gpu", "memref", "scf"])
.options::<Options>();

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = invocation.operation();
    if function.attribute(ENTRY).is_none() {
        return Ok(());
    }
    let Some(body) = function.body(0) else {
        return Ok(());
    };
    convert(function, body);
    if invocation.options::<Options>().explain {
        sequential::explain(invocation, function);
    }
    Ok(())
}

fn convert<'c>(function: Operation<'c>, body: Block<'c>) {
    let placements = Placements::of(function);
    let is_counted = |op| has_computed_bounds(op) && placements.of_op(op) == Placement::Control;
    for counted in function.collect_nested(is_counted) {
        with_builder(counted, |builder| counted_while(builder, counted));
    }
    let mut conversion = Conversion {
        placements: Placements::of(function),
        buffers: HashMap::new(),
    };
    conversion.block(body);
    name_launches(function);
    erase_unused(function, &conversion.placements);
}

struct Conversion<'c> {
    placements: Placements,
    /// The rank-0 buffers of values that kernels compute.
    buffers: HashMap<usize, Value<'c>>,
}

impl<'c> Conversion<'c> {
    fn block(&mut self, block: Block<'c>) {
        let mut run: Vec<Operation<'c>> = Vec::new();
        for operation in block.operations() {
            match self.placements.of_op(operation) {
                Placement::Device => run.push(operation),
                Placement::View | Placement::Cloned => {}
                Placement::Host => {
                    self.flush(&mut run, operation);
                    self.read_conditions(operation);
                    if operation.isa::<gpu::LaunchOp>() {
                        self.isolate(operation);
                    }
                }
                Placement::Control => {
                    self.flush(&mut run, operation);
                    self.control(operation);
                }
            }
        }
    }

    fn control(&mut self, operation: Operation<'c>) {
        self.read_conditions(operation);
        for block in operation.blocks() {
            self.block(block);
        }
    }

    /// Outlines scalar ops to a kernel, before an op of the host.
    fn flush(&mut self, run: &mut Vec<Operation<'c>>, before: Operation<'c>) {
        let operations = std::mem::take(run);
        if operations.is_empty() {
            return;
        }
        with_builder(before, |builder| {
            let builder = &builder.at(operations[0].location());
            let mut stores = Vec::new();
            for operation in &operations {
                for result in operation.results() {
                    if is_used_outside(result, &operations) {
                        let rank0_buffer = memref::alloc_aligned(builder, &[], result.ty());
                        stores.push((result, rank0_buffer));
                    }
                }
            }
            for allocation in operations.iter().flat_map(|operation| {
                operation.collect_nested(|nested| {
                    matches!(
                        nested.name(),
                        memref::AllocOp::NAME | memref::GetGlobalOp::NAME
                    )
                })
            }) {
                // A kernel of one thread needs only one instance of an allocation.
                allocation.move_before(operations[0]);
            }
            let launch = launch(builder, "scalar", Dimensions::ONE, &[], |builder, _, _| {
                let mut map = ValueMap::new();
                for operation in &operations {
                    let mut used = Vec::new();
                    operation.visit(&mut |nested| used.extend(nested.operands()));
                    // Values inside the op are cloned with it.
                    used.retain(|value| !is_value_inside(*value, *operation));
                    for value in used {
                        self.take_names(builder, value, &mut map);
                    }
                    builder.clone_op(*operation, &mut map);
                }
                for (value, rank0_buffer) in &stores {
                    let value = halo_ir::mapped(&map, *value);
                    memref::store(builder, value, *rank0_buffer, &[]);
                }
            });
            // The ops are erased at the end, because they may still be cloned.
            for (value, rank0_buffer) in stores {
                self.buffers.insert(value.key(), rank0_buffer);
            }
            self.isolate(launch)
        })
    }

    /// Inserts loads of the values that a host op reads.
    fn read_conditions(&mut self, operation: Operation<'c>) {
        let decides = matches!(
            operation.name(),
            scf::ConditionOp::NAME | scf::IfOp::NAME | scf::IndexSwitchOp::NAME
        );
        for (number, operand) in operation.operands().into_iter().enumerate() {
            let is_cloned = operand.defining_op().is_some_and(|definition| {
                matches!(
                    self.placements.of_op(definition),
                    Placement::View | Placement::Cloned
                ) && !self.placements.is_buffer_read(definition)
            });
            // The induction variable is not in memory that the host reads.
            let is_number = operand
                .as_block_argument()
                .and_then(|(block, _)| block.parent())
                .is_some_and(|owner| owner.isa::<scf::ForOp>());
            if decides && (is_cloned || is_number) && !self.buffers.contains_key(&operand.key()) {
                self.keep(operation, operand);
            }
            if let Some(rank0_buffer) = self.buffers.get(&operand.key()) {
                let loaded = with_builder(operation, |builder| {
                    memref::load(builder, *rank0_buffer, &[])
                });
                operation.set_operand(number, loaded);
            }
            if is_number {
                // Kernels get the induction variable as an argument.
                self.buffers.remove(&operand.key());
            }
        }
    }

    /// Stores a value that kernels would clone in a rank-0 buffer, before a host op.
    fn keep(&mut self, before: Operation<'c>, value: Value<'c>) {
        let launch = with_builder(before, |builder| {
            let rank0_buffer = memref::alloc_aligned(builder, &[], value.ty());
            self.buffers.insert(value.key(), rank0_buffer);
            launch(builder, "scalar", Dimensions::ONE, &[], |builder, _, _| {
                memref::store(builder, value, rank0_buffer, &[]);
            })
        });
        // The store must use the value, not a load of its buffer.
        let rank0_buffer = self.buffers.remove(&value.key());
        self.isolate(launch);
        if let Some(rank0_buffer) = rank0_buffer {
            self.buffers.insert(value.key(), rank0_buffer);
        }
    }

    /// Clones or loads the values that a kernel uses, so that only buffers and
    /// loop counters remain as captures.
    fn isolate(&self, launch: Operation<'c>) {
        let Some(body) = launch.body(0) else {
            return;
        };
        for global in launch.collect_nested(|nested| nested.isa::<memref::GetGlobalOp>()) {
            global.move_before(launch);
        }
        let mut uses = Vec::new();
        launch.visit(&mut |nested| {
            if nested != launch {
                for (number, operand) in nested.operands().into_iter().enumerate() {
                    if !is_value_inside(operand, launch) {
                        uses.push((nested, number, operand));
                    }
                }
            }
        });
        let Some(first) = body.operations().first().copied() else {
            return;
        };
        let mut map = ValueMap::new();
        for (user, number, value) in uses {
            let inside = with_builder(first, |builder| self.import(builder, value, &mut map));
            user.set_operand(number, inside);
        }
    }

    /// The kernel's replacement for a value of the host code.
    fn import(&self, builder: &Builder<'c>, value: Value<'c>, map: &mut ValueMap<'c>) -> Value<'c> {
        if let Some(present) = map.get(&value.key()) {
            return *present;
        }
        if let Some(rank0_buffer) = self.buffers.get(&value.key()) {
            let loaded = memref::load(builder, *rank0_buffer, &[]);
            map.insert(value.key(), loaded);
            return loaded;
        }
        let Some(operation) = value.defining_op() else {
            return value;
        };
        let is_cloned = match self.placements.of_op(operation) {
            Placement::Cloned => true,
            Placement::View => !matches!(
                operation.name(),
                memref::AllocOp::NAME | memref::GetGlobalOp::NAME
            ),
            _ => false,
        };
        if !is_cloned {
            return value;
        }
        for operand in operation.operands() {
            self.import(builder, operand, map);
        }
        builder.clone_op(operation, map);
        halo_ir::mapped(map, value)
    }

    /// Clones views with offsets that the kernel computes, and loads of buffers to which it stores:
    /// their values do not exist yet when the kernel starts.
    fn take_names(&self, builder: &Builder<'c>, value: Value<'c>, map: &mut ValueMap<'c>) {
        if map.contains_key(&value.key()) {
            return;
        }
        let Some(operation) = value.defining_op() else {
            return;
        };
        if !matches!(
            self.placements.of_op(operation),
            Placement::View | Placement::Cloned
        ) {
            return;
        }
        let operands = operation.operands();
        for operand in &operands {
            self.take_names(builder, *operand, map);
        }
        let computed = |operand: &Value| map.contains_key(&operand.key());
        if self.placements.is_buffer_read(operation) || operands.iter().any(computed) {
            builder.clone_op(operation, map);
        }
    }
}

fn is_used_outside(value: Value, operations: &[Operation]) -> bool {
    value.uses().into_iter().any(|(user, _)| {
        !operations
            .iter()
            .any(|operation| user == *operation || user.is_inside(*operation))
    })
}

fn is_value_inside(value: Value, operation: Operation) -> bool {
    if let Some(definition) = value.defining_op() {
        return definition.is_inside(operation);
    }
    value
        .as_block_argument()
        .and_then(|(block, _)| block.parent())
        .is_some_and(|owner| owner == operation || owner.is_inside(operation))
}

fn has_computed_bounds(operation: Operation) -> bool {
    operation.isa::<scf::ForOp>()
        && operation
            .operands()
            .iter()
            .take(3)
            .any(|bound| arith::constant_index(*bound).is_none())
}

/// Replaces a loop with computed bounds by an `scf.while`.
fn counted_while<'c>(builder: &Builder<'c>, counted: Operation<'c>) {
    let [lower, upper, step] = counted.operands()[..] else {
        bug(format_args!("cannot create op '{}'", scf::WhileOp::NAME));
    };
    let counter = memref::alloc_aligned(builder, &[], lower.ty());
    memref::store(builder, lower, counter, &[]);
    let before = |builder: &Builder<'c>, _: &[Value<'c>]| -> _ {
        let now = memref::load(builder, counter, &[]);
        let more = arith::cmpi(builder, CmpIPredicate::Slt, now, upper);
        (more, Vec::new())
    };
    let after = |builder: &Builder<'c>, _: &[Value<'c>]| {
        let now = memref::load(builder, counter, &[]);
        let last = memref::LoadOp::build(builder, counter, &[]).insert();
        if let Some(body) = counted.body(0) {
            for argument in body.arguments() {
                argument.replace_uses_with(now);
            }
            let terminator = body.terminator();
            for operation in body.operations() {
                if Some(operation) != terminator {
                    operation.move_before(last.operation());
                }
            }
        }
        let next = index::add(builder, last.result(), step);
        memref::store(builder, next, counter, &[]);
        Vec::new()
    };
    scf::while_(builder, &[], before, after);
    builder.erase(counted)
}

/// Gives each launch the name of its kernel: entry, strategy, index.
fn name_launches(function: Operation<'_>) {
    let context = function.context();
    let entry = function
        .attribute("sym_name")
        .and_then(Attribute::string_value)
        .map_or_else(|| "main".into(), ptx_identifier);
    let launches = function.collect_nested(|nested| nested.isa::<gpu::LaunchOp>());
    for (number, launch) in launches.into_iter().enumerate() {
        let strategy =
            launch.attribute(STRATEGY).and_then(Attribute::string_value).unwrap_or("kernel");
        let kernel = format!("{entry}_{strategy}_{number}");
        let symbol = |name: &str| FlatSymbolRefAttribute::new(context, name).into();
        launch.set_attribute("module", symbol(KERNELS));
        launch.set_attribute("function", symbol(&kernel));
    }
}

/// A symbol name as a PTX identifier, which cannot be quoted (PTX ISA, section 4.4). Outlining
/// makes equal kernel names unique.
fn ptx_identifier(name: &str) -> String {
    let first = name.chars().next().is_some_and(|c| c.is_ascii_digit());
    let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let prefix = if first { "_" } else { "" };
    prefix.chars().chain(name.chars().map(legal)).collect()
}

/// Erases scalar ops and views that kernels have cloned.
fn erase_unused(function: Operation<'_>, placements: &Placements) {
    let mut operations = function.collect_nested(|operation| {
        !is_in_launch(operation)
            && matches!(
                placements.of_op(operation),
                Placement::Device | Placement::Cloned | Placement::View
            )
            && !is_inside_device(operation, placements)
    });
    // Users follow their operands.
    operations.reverse();
    for operation in operations {
        let used = operation.results().into_iter().any(|result| !result.uses().is_empty());
        if !used {
            with_builder(operation, |builder| builder.erase(operation));
        }
    }
}

fn is_in_launch(operation: Operation) -> bool {
    ancestor(operation, |name| name == gpu::LaunchOp::NAME)
}

/// Returns true if an op is inside scalar code that is erased as a whole.
fn is_inside_device(operation: Operation, placements: &Placements) -> bool {
    let mut parent = operation.parent();
    while let Some(around) = parent {
        if around.isa::<func::FuncOp>() {
            return false;
        }
        if placements.of_op(around) == Placement::Device {
            return true;
        }
        parent = around.parent();
    }
    false
}

fn ancestor(operation: Operation, is_wanted: impl Fn(&str) -> bool) -> bool {
    let mut parent = operation.parent();
    while let Some(around) = parent {
        if is_wanted(around.name()) {
            return true;
        }
        parent = around.parent();
    }
    false
}
