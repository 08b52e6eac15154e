//! `--halo-outline-kernels`: outlines each loop of an entry function to a function of a range of
//! iterations.
//!
//! The runtime distributes ranges of iterations over threads, so a parallel
//! loop becomes a function of the begin and end of a range, and of the loop's
//! captures. Each buffer also becomes a pointer argument that can be `noalias`:
//! within one function LLVM would have to check for overlap at run time, or not
//! vectorize.
//!
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
//!   %0 = memref.load %a[%i] : memref<64xf32>
//!   memref.store %0, %b[%i] : memref<64xf32>
//!   scf.reduce
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! halo.parallel_call @main_kernel_0 from %c0 to %c64 grain 65536
//!     captures(%a, %b : memref<64xf32>, memref<64xf32>)
//!
//! func.func private @main_kernel_0(%begin: index, %end: index,
//!     %a: memref<64xf32> {llvm.noalias}, %b: memref<64xf32> {llvm.noalias})
//!     attributes {halo.kernel} {
//!   scf.for %i = %begin to %end step %c1 { ... }
//! }
//! ```
//!
//! A loop with `halo.packing`, which packs an operand of a contraction, becomes
//! `@main_pack_0`.
//!
//! The grain is the minimum number of iterations per task (`tasks.rs`).
//!
//! Sequential loops become functions too, each called once for all of its iterations: LLVM's time
//! is superlinear in the size of a function, and the entry would contain all loops. Loops that are
//! equal except for their buffers share one function.
//!
//! A loop that carries scalars stores its results in memory of the entry, which loads them after the
//! call: the code of the entry itself is not optimized.
//!
//! Buffers that an iteration allocates, on the stack or the heap, are allocated once per range. A
//! kernel with non-temporal stores ends with a fence, before another thread reads the result.
//!
//! Scalars, and memrefs that can be passed as a bare pointer, are captured;
//! other views are cloned inside, and constants are copied. A loop that uses
//! other values is not outlined.

use super::{copies, kernel_key::KernelKey, tasks};
use crate::{
    contraction::isa::sme::STREAMING,
    function,
    loops::captures::{Captures, overlap_free, replace_captured},
};
use halo_core::machine::Machine;
use halo_ir::{
    Location, SymbolNames, fused_location,
    ops::{halo, llvm},
    prelude::*,
};
use melior::ir::r#type::FunctionType;
use std::collections::{HashMap, HashSet};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The machine that code is for
        machine: Machine = "x86-64-v3",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-outline-kernels",
    "Turn the loops of entry functions into functions of a range",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["arith", "func", "halo", "llvm", "scf"])
.options::<Options>();

/// The maximum number of ops of an optimized loop over scalars: the time of LLVM's machine combiner
/// is superlinear in the length of a block.
const LONGEST_BODY: usize = 4096;

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = invocation.operation();
    let Some(body) = module.body(0) else {
        return Ok(());
    };
    let functions: Vec<_> = body
        .operations()
        .into_iter()
        .filter(|operation| operation.isa::<func::FuncOp>())
        .collect();
    let mut names = SymbolNames::of(module);
    let machine = invocation.options::<Options>().machine;
    for function in functions {
        if function.attribute(halo::ENTRY).is_none() {
            continue;
        }
        let Some(entry) = function.attribute("sym_name").and_then(Attribute::string_value) else {
            continue;
        };
        let mut kernels = Kernels {
            entry: function,
            entry_name: entry.to_owned(),
            names: &mut names,
            equal: HashMap::new(),
        };
        copies::skip_in_place(function);
        copies::share(function, &machine);
        let grains = tasks::grains(function, &machine).into_iter();
        kernels.outline_all(grains.map(|(parallel, grain)| (parallel, Some(grain))));
        // The remaining loops run on the thread of the entry.
        store_scalar_results(function);
        let sequential = sequential_loops(function).into_iter();
        kernels.outline_all(sequential.map(|sequential| (sequential, None)));
    }
    Ok(())
}

/// Makes loops with scalar results parts of loops without results, of one iteration.
///
/// ```mlir
/// %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (f32) { ... }
/// ```
///
/// becomes
///
/// ```mlir
/// %cell = memref.alloca() : memref<f32>
/// scf.for %once = %c0 to %c1 step %c1 {
///   %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (f32) { ... }
///   memref.store %0, %cell[] : memref<f32>
/// }
/// %sum = memref.load %cell[] : memref<f32>
/// ```
fn store_scalar_results(function: Operation) {
    let Some(entry) = function.body(0) else {
        return;
    };
    let is_scalar = |ty: Type| ty.is_float() || ty.is_integer() || ty.is_index();
    let carries_scalars = |op: Operation| {
        (op.isa::<scf::WhileOp>() || op.isa::<scf::ForOp>() && op.result_count() > 0)
            && op.result_types().into_iter().all(is_scalar)
            && op.collect_nested(|_| true).len() <= LONGEST_BODY
    };
    for op in outermost_loops(function, carries_scalars) {
        with_builder(op, |b| {
            let results = op.results().into_iter().filter(|result| !result.is_unused());
            let results: Vec<Value> = results.collect();
            let once = scf::for_(b, (0, 1, 1), &[], |_, _, _| Vec::new()).operation();
            let end = once.body(0).and_then(Block::terminator);
            let end = end.unwrap_or_else(|| bug("a loop has no end"));
            op.move_before(end);
            for result in results {
                b.set_to_start(entry);
                let cell = memref::alloca(b, &[], &[], memref_type(&[], result.ty()));
                b.set_after(once);
                let loaded = memref::load(b, cell, &[]);
                b.replace_uses(result, loaded);
                b.set_before(end);
                memref::store(b, result, cell, &[]);
            }
        });
    }
}

/// The outermost loops without results and calls, except in regions that are outlined as a whole.
fn sequential_loops<'c>(function: Operation<'c>) -> Vec<Operation<'c>> {
    outermost_loops(function, |op| {
        op.isa::<scf::ForOp>() && op.result_count() == 0
    })
}

/// The outermost loops of a kind without calls, except in regions that are outlined as a whole.
fn outermost_loops<'c>(
    function: Operation<'c>,
    is_wanted: impl Fn(Operation<'c>) -> bool,
) -> Vec<Operation<'c>> {
    let mut found = Vec::new();
    let mut pending = vec![function];
    while let Some(around) = pending.pop() {
        for op in around.blocks().into_iter().flat_map(Block::operations) {
            if is_wanted(op) && op.collect_nested(is_no_loop_body).is_empty() {
                found.push(op);
            } else if !op.has_attribute(STREAMING) {
                pending.push(op);
            }
        }
    }
    found
}

/// Whether an op must stay in the entry.
fn is_no_loop_body(op: Operation) -> bool {
    matches!(
        op.name(),
        halo::CustomCallOp::NAME
            | halo::ParallelCallOp::NAME
            | func::CallOp::NAME
            | scf::ParallelOp::NAME
            | memref::AllocOp::NAME
            | memref::DeallocOp::NAME
    )
}

/// The kernels of an entry.
struct Kernels<'a, 'c> {
    entry: Operation<'c>,
    entry_name: String,
    names: &'a mut SymbolNames,
    /// The names of the kernels by key.
    equal: HashMap<KernelKey, String>,
}

impl<'c> Kernels<'_, 'c> {
    /// Replaces loops by calls of kernels, in parallel tasks of the given grain, if any.
    fn outline_all(&mut self, loops: impl Iterator<Item = (Operation<'c>, Option<i64>)>) {
        let loops = loops.filter_map(|(outlined, grain)| {
            let captures = Captures::of(outlined)?;
            Some((outlined, grain, captures))
        });
        let loops: Vec<_> = loops.collect();
        let kind = |captures: &Captures| (captures.values.len(), captures.uses);
        let mut alike = HashMap::new();
        for (.., captures) in &loops {
            *alike.entry(kind(captures)).or_insert(0) += 1;
        }
        for (outlined, grain, captures) in loops {
            let may_be_equal = alike.get(&kind(&captures)).is_some_and(|count| *count > 1);
            self.outline((outlined, grain), &captures, may_be_equal);
        }
    }

    fn outline(
        &mut self,
        (outlined, grain): (Operation<'c>, Option<i64>),
        captures: &Captures<'c>,
        may_be_equal: bool,
    ) {
        let [lower, upper, step] = outlined.operands()[..] else {
            return;
        };
        // Equal loops share a kernel, so each call keeps its own source locations.
        let location = location_of_all(outlined);
        let free = overlap_free(captures);
        let key = may_be_equal.then(|| KernelKey::of(outlined, captures, &free));
        let name = match key.as_ref().and_then(|key| self.equal.get(key)) {
            Some(name) => name.clone(),
            None => {
                let kind = if outlined.has_attribute(halo::PACKING) {
                    "pack"
                } else {
                    "kernel"
                };
                let name = self.names.fresh(&format!("{}_{kind}_", self.entry_name));
                with_builder(self.entry, |builder| {
                    builder.set_after(self.entry);
                    define_kernel(builder, &name, outlined, (captures, &free))
                });
                self.equal.extend(key.map(|key| (key, name.clone())));
                name
            }
        };
        with_builder(outlined, |builder| {
            let builder = &builder.at(location);
            let zero = index::constant(builder, 0);
            let mut count = index::sub(builder, upper, lower);
            if arith::constant_index(step) != Some(1) {
                count = arith::ceildivsi(builder, count, step);
            }
            match grain {
                Some(grain) => {
                    let captures = &captures.values;
                    halo::parallel_call(builder, &name, zero, count, grain, captures);
                }
                None => {
                    let operands = [&[zero, count], &captures.values[..]].concat();
                    func::call(builder, &name, &operands, &[]);
                }
            }
            builder.erase(outlined)
        })
    }
}

/// The fused location of a loop and all computing ops in it. Index arithmetic, constants and stack
/// buffers are excluded: CSE merges them across kernels, with the location of the first.
fn location_of_all<'c>(outlined: Operation<'c>) -> Location<'c> {
    let mut all = vec![outlined.location()];
    let key = |location: Location| location.to_raw().ptr.addr();
    let mut seen = HashSet::from([key(all[0])]);
    let computes = |op: Operation| {
        let result = op.results().first().map(|result| result.ty());
        let is_of_kernels = result.is_some_and(|result| result.is_index() || result.is_memref());
        !is_of_kernels && !op.isa::<arith::ConstantOp>()
    };
    for op in outlined.collect_nested(computes) {
        if seen.insert(key(op.location())) {
            all.push(op.location());
        }
    }
    match all[..] {
        [only] => only,
        _ => fused_location(outlined.context(), &all, None),
    }
}

/// Creates the function of a loop at the insertion point, and moves the body of the loop there.
fn define_kernel<'c>(
    builder: &Builder<'c>,
    name: &str,
    parallel: Operation<'c>,
    (captures, overlap_free): (&Captures<'c>, &[bool]),
) -> Operation<'c> {
    let builder = builder.at(parallel.location());
    let context = builder.context();
    let index = Type::index(context);
    let mut types = vec![index, index];
    types.extend(captures.types());
    let region = builder.region(&types, |builder, arguments| {
        fill_kernel(builder, parallel, captures, arguments)
    });
    let empty = function::empty_dictionary(context);
    let mut attributes: Vec<Attribute> = vec![empty, empty].into_iter().flatten().collect();
    attributes.extend(captures.argument_attributes(context, overlap_free));
    let signature = FunctionType::new(context, &types, &[]);
    let kernel = func::FuncOp::build(&builder, name, signature.into(), region)
        .sym_visibility("private")
        .arg_attrs(&attributes)
        .attribute(halo::KERNEL, unit_attribute(context))
        .insert();
    kernel.operation()
}

fn fill_kernel<'c>(
    builder: &Builder<'c>,
    parallel: Operation<'c>,
    captures: &Captures<'c>,
    arguments: &[Value<'c>],
) {
    let map = captures.clone_into(builder, &arguments[2..]);
    let bounds = parallel.operands();
    let (lower, step) = (
        halo_ir::mapped(&map, bounds[0]),
        halo_ir::mapped(&map, bounds[2]),
    );
    let plain =
        arith::constant_index(bounds[0]) == Some(0) && arith::constant_index(bounds[2]) == Some(1);
    let Some(body) = parallel.body(0) else {
        return;
    };
    let operations = body.operations();
    let frees: Vec<_> =
        operations.iter().copied().filter(|op| op.isa::<memref::DeallocOp>()).collect();
    let is_freed = |buffer: Operation<'c>| {
        let result = buffer.results().first().copied();
        frees.iter().any(|free| free.operands().first().copied() == result)
    };
    // An alloca in a loop grows the stack in each iteration, and a repeated heap allocation may
    // fault its pages in again.
    let is_buffer = |op: Operation<'c>| {
        op.isa::<memref::AllocaOp>()
            || op.isa::<memref::AllocOp>() && op.operands().is_empty() && is_freed(op)
    };
    let is_behind = |free: Operation<'c>| {
        let buffer = free.operands().first().copied().and_then(Value::defining_op);
        buffer.is_some_and(|buffer| buffer.block() == Some(body) && is_buffer(buffer))
    };
    let buffers = operations.iter().copied().filter(|op| is_buffer(*op));
    let buffers: Vec<_> = buffers.collect();
    let behind = frees.iter().copied().filter(|free| is_behind(*free));
    let behind: Vec<_> = behind.collect();
    let is_nontemporal = |op: Operation<'c>| {
        (op.cast::<vector::StoreOp>()).is_some_and(vector::StoreOp::nontemporal)
    };
    let is_stored_past_caches = !parallel.collect_nested(is_nontemporal).is_empty();
    let one = index::constant(builder, 1);
    let range = (arguments[0], arguments[1], one);
    let mut variable = None;
    let iterations = scf::for_(builder, range, &[], |builder, iv, _| {
        variable = Some(if plain {
            iv
        } else {
            let scaled = index::mul(builder, iv, step);
            index::add(builder, lower, scaled)
        });
        Vec::new()
    });
    let around = iterations.operation();
    let ivs: Vec<_> = variable.into_iter().collect();
    let end = around.body(0).and_then(Block::terminator);
    let end = end.unwrap_or_else(|| bug("a loop has no end"));
    builder.inline_before(body, end, &ivs);
    for buffer in &buffers {
        buffer.move_before(around);
    }
    if parallel.isa::<scf::ParallelOp>() || parallel.has_attribute(halo::PARALLEL) {
        let marker = unit_attribute(builder.context());
        around.set_attribute(halo::PARALLEL, marker);
    }
    if is_stored_past_caches {
        llvm::fence(builder, llvm::AtomicOrdering::SeqCst);
    }
    let end = func::return_(builder, &[]);
    for free in behind {
        free.move_before(end.operation());
    }
    replace_captured(builder, &[&buffers[..], &[around]].concat(), &map);
}
