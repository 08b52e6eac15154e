//! `--halo-lower-to-emitc`: lowers kernels and entries to C functions.
//!
//! EmitC has the statements and expressions of C as ops, which upstream prints. Structured loops
//! and branches are preserved, so that C compilers vectorize them and the code is readable.
//! Variables hold loop-carried values. A buffer is a pointer to its first element, since its sizes
//! and strides are constants of its type.
//!
//! ```mlir
//! func.func private @main_kernel_0(%begin: index, %end: index,
//!     %a: memref<8x64xf32> {llvm.noalias}, %b: memref<64xf32> {llvm.noalias})
//!     attributes {halo.kernel} {
//!   scf.for %i = %begin to %end step %c1 {
//!     %0 = memref.load %a[%c2, %i] : memref<8x64xf32>
//!     %1 = arith.addf %0, %0 : f32
//!     memref.store %1, %b[%i] : memref<64xf32>
//!   }
//!   return
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! emitc.func @main_kernel_0(%begin: i64, %end: i64, %0: !emitc.opaque<"float*restrict">,
//!     %1: !emitc.opaque<"float*restrict">) attributes {specifiers = ["static"]} {
//!   %a = cast %0 : !emitc.opaque<"float*restrict"> to !emitc.ptr<f32>
//!   %b = cast %1 : !emitc.opaque<"float*restrict"> to !emitc.ptr<f32>
//!   for %i = %begin to %end step %one : i64 {
//!     %2 = add %row, %i : (i64, i64) -> i64
//!     %3 = subscript %a[%2] : (!emitc.ptr<f32>, i64) -> !emitc.lvalue<f32>
//!     %4 = load %3 : <f32>
//!     %5 = add %4, %4 : (f32, f32) -> f32
//!     ...
//! ```
//!
//! An entry becomes a function of the runtime's interface (`halo_runtime::host::abi`), named
//! `<name>__entry`, and `halo.plan_sizes` becomes `<name>__sizes`; all other functions are `static`. The text of a program begins with
//! [`PREAMBLE`], which defines helper functions. [`super::c_code`] documents the C types of values.

mod arithmetic;
mod calls;
mod constants;
mod control_flow;
mod memory;

use super::c_code::{CCode, value_types};
use crate::{
    cpu::lower_to_runtime_abi::{ENTRY_SUFFIX, SIZES_SUFFIX, call_site},
    function::clone_computation,
    loops::prelude::*,
};
use constants::Table;
use halo_core::identifiers::identifier;
use halo_ir::{
    SymbolTable,
    conversion::Conversion,
    ops::halo::{CALL_SITES, CustomCallOp, ENTRY, ParallelCallOp, PlanSizesOp},
    pipeline::{Pipeline, Step, upstream},
    prelude::*,
};
use melior::ir::r#type::FunctionType;
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// The beginning of each program: helper functions for ops without C equivalents.
pub const PREAMBLE: &str = include_str!("preamble.c");

/// The dialects that the pass lowers.
const DIALECTS: &[&str] = &[
    "arith", "builtin", "complex", "emitc", "func", "halo", "llvm", "math", "memref", "scf", "ub",
];

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-lower-to-emitc",
    "Lower kernels and entry functions to EmitC",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["emitc", "func", "scf"]);

/// Properties of the whole program that lowerings use.
#[derive(Default)]
struct Program {
    /// The kernels that the runtime calls.
    tasks: HashSet<String>,
    /// The functions that plan sizes.
    plans: HashSet<String>,
    /// The numbers of custom calls.
    call_sites: HashMap<usize, i64>,
    /// The constants, by their names.
    tables: HashMap<String, String>,
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let passes = preparation(pass.operation());
    if !passes.steps.is_empty() {
        pass.run_pipeline(&passes)?;
    }
    let module = pass.operation();
    let foreign = module.collect_nested(|op| {
        let dialect = op.name().split('.').next().unwrap_or_default();
        !DIALECTS.contains(&dialect)
    });
    if let Some(op) = foreign.first() {
        let message = format!("'{}' op has no lowering to C", op.name());
        return Err(pass.error(*op, message).into());
    }
    let program = prepare(module).map_err(|error| PassFailure::at(module, error))?;
    conversion(&Rc::new(program)).apply_full(pass)
}

/// Upstream passes that expand rare ops, so that no lowering is needed for them.
fn preparation(root: Operation) -> Pipeline {
    let (mut has_linalg, mut has_complex, mut has_affine) = (false, false, false);
    let mut has_parallel = false;
    root.walk(WalkOrder::PreOrder, |operation| {
        let name = operation.name();
        match name.split_once('.') {
            Some(("linalg", _)) => has_linalg = true,
            Some(("affine", _)) => has_affine = true,
            Some(("complex", "constant" | "create" | "im" | "re")) => {}
            Some(("complex", _)) => has_complex = true,
            _ if name == scf::ParallelOp::NAME => has_parallel = true,
            _ => {}
        }
    });
    let passes = [
        (has_linalg, "convert-linalg-to-loops"),
        (has_affine, "lower-affine"),
        (has_parallel, "scf-parallel-for-to-nested-fors"),
        (has_complex, "convert-complex-to-standard"),
    ];
    let needed = passes.into_iter().filter(|(is_needed, _)| *is_needed);
    Pipeline {
        steps: needed.map(|(_, name)| Step::from(upstream(name))).collect(),
    }
}

fn conversion(program: &Rc<Program>) -> Conversion {
    let mut conversion = Conversion::new()
        .legal_dialect("emitc")
        .legal::<builtin::ModuleOp>()
        .one_to_many_types(value_types);
    conversion = arithmetic::add(conversion);
    conversion = calls::add(conversion, program);
    conversion = control_flow::add(conversion);
    conversion = memory::add(conversion);
    let tables = Rc::clone(program);
    conversion
        .lowering::<memref::GlobalOp>(0, |_, _| Ok(Vec::new()))
        .lowering::<memref::GetGlobalOp>(0, move |op, old| {
            let table = tables.tables.get(old.name());
            let table = table.ok_or_else(|| RewriteError::Invalid("no such constant".into()))?;
            Ok(vec![CCode(&op.builder).literal(table, op.result()?)])
        })
}

/// Defines the function that plans the sizes of an entry, and returns its name.
///
/// It reads the sizes of the inputs, writes the planned sizes after them, and returns 0, or the
/// number of the first check that fails, counted from 1.
fn define_sizes(plan: PlanSizesOp) -> RewriteResult<String> {
    let op = plan.operation();
    let entry = op.parent().filter(|entry| entry.isa::<func::FuncOp>());
    let entry = entry.ok_or_else(|| no_match("sizes are planned outside of an entry"))?;
    // The context comes first.
    let arguments = entry.body(0).map(Block::arguments).unwrap_or_default().into_iter().skip(1);
    let given: Vec<Value> = arguments.filter(|argument| !argument.ty().is_memref()).collect();
    let name = sizes_name(symbol(entry).unwrap_or_default());
    with_builder(entry, |b| {
        let count = (given.len() + plan.sizes().len()) as i64;
        let table = memref_type(&[count], Type::index(b.context()));
        let status = integer_type(b.context(), 32);
        let body = b.region(&[table], |b, parameters| {
            let slot = |number: usize| index::constant(b, number as i64);
            let mut known = ValueMap::new();
            for (number, size) in given.iter().enumerate() {
                let loaded = memref::load(b, parameters[0], &[slot(number)]);
                // Elements that sizes depend on are integers.
                let given = if size.ty().is_index() {
                    loaded
                } else {
                    arith::index_cast(b, loaded, size.ty())
                };
                known.insert(size.key(), given);
            }
            for (number, size) in plan.sizes().into_iter().enumerate() {
                let size = clone_computation(b, size, &mut known)?;
                memref::store(b, size, parameters[0], &[slot(given.len() + number)]);
            }
            let mut failed = arith::constant(b, status, 0);
            for (number, check) in plan.checks().into_iter().enumerate().rev() {
                let check = clone_computation(b, check, &mut known)?;
                let own = arith::constant(b, status, number as i64 + 1);
                failed = arith::select(b, check, failed, own);
            }
            func::return_(b, &[failed]);
            Ok::<_, RewriteError>(())
        })?;
        let ty = FunctionType::new(b.context(), &[table], &[status]).into();
        func::FuncOp::build(b, &name, ty, body).insert();
        b.erase(op);
        Ok::<_, RewriteError>(())
    })?;
    Ok(name)
}

/// Gives all functions valid C names, orders them so that each is declared before its calls, and
/// collects the [`Program`].
fn prepare(module: Operation) -> RewriteResult<Program> {
    let mut program = Program::default();
    let plans = all::<PlanSizesOp>(module).collect::<Vec<_>>().into_iter();
    program.plans = plans.map(define_sizes).collect::<RewriteResult<_>>()?;
    rename(module, &program.plans)?;
    call_directly(module);
    let tasks = all::<ParallelCallOp>(module).map(|call| call.callee().to_owned());
    program.tasks.extend(tasks);
    let mut sites = Vec::new();
    for call in all::<CustomCallOp>(module) {
        let number = sites.len() as i64;
        program.call_sites.insert(call.operation().key(), number);
        sites.push(call_site(call));
    }
    if !sites.is_empty() {
        module.set_attribute(CALL_SITES, array_attribute(module.context(), &sites));
    }
    order(module);
    declare_constants(module, &mut program)?;
    Ok(program)
}

/// The ops of a kind.
fn all<'c, O: Op<'c>>(module: Operation<'c>) -> impl Iterator<Item = O> {
    let ops = module.collect_nested(|op| op.isa::<O>());
    ops.into_iter().filter_map(|op| op.cast::<O>())
}

fn functions(module: Operation<'_>) -> Vec<Operation<'_>> {
    let top = module.body(0).map(Block::operations).unwrap_or_default();
    top.into_iter().filter(|op| op.isa::<func::FuncOp>()).collect()
}

fn symbol(op: Operation<'_>) -> Option<&str> {
    op.attribute("sym_name").and_then(Attribute::string_value)
}

/// The name of the C function of an entry.
pub fn entry_name(entry: &str) -> String {
    format!("{}{ENTRY_SUFFIX}", known_name(entry))
}

/// The name of the C function that plans the sizes of an entry.
pub fn sizes_name(entry: &str) -> String {
    format!("{}{SIZES_SUFFIX}", known_name(entry))
}

fn known_name(symbol: &str) -> String {
    identifier(symbol).unwrap_or_else(|| "function".to_owned())
}

/// Renames functions. An entry may be named `main`, and a function may have the name of a C library
/// function.
fn rename(module: Operation, plans: &HashSet<String>) -> Result<(), BuildError> {
    let mut symbols = SymbolTable::of(module)?;
    for function in functions(module) {
        if symbol(function).is_some_and(|name| plans.contains(name)) {
            continue;
        }
        let name = symbol(function).unwrap_or_default();
        let known = known_name(name);
        let is_entry = function.has_attribute(ENTRY);
        let is_kernel = function.has_attribute(halo_ir::ops::halo::KERNEL);
        let name = match (is_entry, is_kernel) {
            (true, _) => entry_name(name),
            (_, true) => known,
            _ => format!("program_{known}"),
        };
        symbols.rename(function, &name)?;
    }
    Ok(())
}

/// A single task needs no threads.
fn call_directly(module: Operation) {
    for call in all::<ParallelCallOp>(module) {
        let bounds = (constant_index(call.begin()), constant_index(call.end()));
        if let (Some(begin), Some(end)) = bounds
            && end - begin <= call.grain()
        {
            let operands = [&[call.begin(), call.end()], &call.captures()[..]].concat();
            with_builder(call.operation(), |b| {
                func::call(b, call.callee(), &operands, &[]);
                b.erase(call.operation())
            });
        }
    }
}

/// Orders constants first, then functions after their callees.
fn order(module: Operation) {
    let by_name: HashMap<&str, Operation> = functions(module)
        .into_iter()
        .filter_map(|function| Some((symbol(function)?, function)))
        .collect();
    let (mut ordered, mut seen) = (Vec::new(), HashSet::new());
    for function in functions(module) {
        visit(function, &by_name, &mut seen, &mut ordered);
    }
    let top = module.body(0).map(Block::operations).unwrap_or_default();
    let globals = top.into_iter().filter(|op| op.isa::<memref::GlobalOp>());
    let wanted: Vec<Operation> = globals.chain(ordered).collect();
    for pair in wanted.windows(2).rev() {
        if let [first, second] = pair {
            first.move_before(*second);
        }
    }
}

fn visit<'c>(
    function: Operation<'c>,
    by_name: &HashMap<&str, Operation<'c>>,
    seen: &mut HashSet<usize>,
    ordered: &mut Vec<Operation<'c>>,
) {
    if !seen.insert(function.key()) {
        return;
    }
    for call in function.collect_nested(|op| op.isa::<func::CallOp>() || op.isa::<ParallelCallOp>())
    {
        let direct = call.cast::<func::CallOp>().map(|call| call.callee());
        let callee = direct.or_else(|| call.cast::<ParallelCallOp>().map(|call| call.callee()));
        if let Some(callee) = callee.and_then(|callee| by_name.get(callee)) {
            visit(*callee, by_name, seen, ordered);
        }
    }
    ordered.push(function);
}

/// Declares the constants.
fn declare_constants(module: Operation, program: &mut Program) -> RewriteResult {
    let top = module.body(0).map(Block::operations).unwrap_or_default();
    let Some(first) = top.first() else {
        return Ok(());
    };
    let globals = top.iter().filter_map(|op| op.cast::<memref::GlobalOp>());
    let mut declarations = Vec::new();
    for (number, global) in globals.enumerate() {
        let table = Table::of(module.context(), &format!("constant_{number}"), global)?;
        declarations.push(table.declaration);
        program.tables.insert(global.sym_name().to_owned(), table.address);
    }
    with_builder(*first, |b| {
        b.set_before(*first);
        for text in &declarations {
            CCode(b).verbatim(text, &[]);
        }
    });
    Ok(())
}

#[cfg(test)]
#[path = "preamble_tests.rs"]
mod preamble_tests;
