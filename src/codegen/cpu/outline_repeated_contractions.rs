//! `--halo-outline-repeated-contractions`: outlines contractions of an entry that are equal except
//! for their buffers to one function.
//!
//! A model repeats the same layer many times. The code of a contraction is a hundred times as long
//! as the op, and most passes take time per op. Lowering one function and inlining it afterwards is
//! faster than lowering each contraction.
//!
//! ```mlir
//! func.func @main(%x: memref<32x32xf32>, %w: memref<32x32xf32>, %y: memref<32x32xf32>)
//!     attributes {halo.entry} {
//!   %0 = memref.alloc() : memref<32x32xf32>
//!   linalg.fill ins(%zero : f32) outs(%0 : memref<32x32xf32>)
//!   linalg.matmul ins(%x, %w : ...) outs(%0 : memref<32x32xf32>)
//!   linalg.fill ins(%zero : f32) outs(%y : memref<32x32xf32>)
//!   linalg.matmul ins(%0, %w : ...) outs(%y : memref<32x32xf32>)
//!   return
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(...) attributes {halo.entry} {
//!   %0 = memref.alloc() : memref<32x32xf32>
//!   call @main_contraction_0(%x, %w, %0) : (...) -> ()
//!   call @main_contraction_0(%0, %w, %y) : (...) -> ()
//!   return
//! }
//! func.func private @main_contraction_0(%a: memref<32x32xf32>, %b: memref<32x32xf32>,
//!     %c: memref<32x32xf32>) attributes {halo.caller_bytes = 12288 : i64} {
//!   linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32>)
//!   linalg.matmul ins(%a, %b : ...) outs(%c : memref<32x32xf32>)
//!   return
//! }
//! ```
//!
//! The function contains the ops that `--halo-lower-contractions` lowers together: the contraction,
//! the fill of its result, its epilogue, and a buffer without other users. Its buffer arguments
//! must not overlap, since they are assumed to be distinct.
//!
//! Contractions whose lowering depends on other ops stay in the entry: contractions in loops, which
//! may pack an operand before the loop; convolutions and others that may read the source of a copy;
//! and results that are larger than the caches, which may use non-temporal stores.

use super::kernel_key::KernelKey;
use crate::{
    contraction::{epilogue::Epilogue, im2col::is_own_copy},
    loops::{
        captures::{Captures, overlap_free},
        fill,
        prelude::*,
        sizes::argument_bytes,
    },
};
use halo_core::machine::Machine;
use halo_ir::{SymbolNames, ops::halo, prelude::*};
use melior::ir::r#type::FunctionType;
use std::collections::HashMap;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The machine that code is for
        machine: Machine = "x86-64-v3",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-outline-repeated-contractions",
    "Make one function of equal contractions of an entry function",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["func", "halo"])
.options::<Options>();

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = invocation.operation();
    let Some(body) = module.body(0) else {
        return Ok(());
    };
    let entries: Vec<_> = body
        .operations()
        .into_iter()
        .filter(|op| op.isa::<func::FuncOp>() && op.has_attribute(halo::ENTRY))
        .collect();
    let machine = invocation.options::<Options>().machine;
    let mut names = None;
    for entry in entries {
        for repeated in repeated_units(entry, &machine) {
            let names = names.get_or_insert_with(|| SymbolNames::of(module));
            outline(entry, &repeated, names);
        }
    }
    Ok(())
}

/// A contraction with the ops that are lowered with it.
struct Unit<'c> {
    /// In the order of the function.
    operations: Vec<Operation<'c>>,
    /// The last op, which the call replaces.
    last: Operation<'c>,
    captures: Captures<'c>,
}

impl<'c> Unit<'c> {
    fn of(contraction: Operation<'c>, machine: &Machine) -> Option<Self> {
        let result = *contraction.operands().last()?;
        let fill = fill::zero_fill_of(contraction);
        let epilogue = Epilogue::of(contraction).ok().map(|epilogue| epilogue.operation);
        let mut operations: Vec<_> = fill.into_iter().chain([contraction]).collect();
        operations.extend(epilogue);
        let is_own = |(user, _): (Operation<'c>, _)| operations.contains(&user);
        let allocation = result
            .defining_op()
            .filter(|op| op.isa::<memref::AllocOp>() && result.uses().into_iter().all(is_own));
        if let Some(allocation) = allocation {
            operations.insert(0, allocation);
        }
        let captures = Captures::of_all(&operations)?;
        let free = overlap_free(&captures);
        let is_argument = |(value, free): (&Value, &bool)| {
            let is_small = |bytes| bytes <= machine.kept_bytes() as u64;
            !value.ty().is_memref() || *free && size_in_bytes(value.ty()).is_some_and(is_small)
        };
        captures.values.iter().zip(&free).all(is_argument).then_some(Self {
            operations,
            last: epilogue.unwrap_or(contraction),
            captures,
        })
    }
}

/// Whether an op is a sum of products along a dimension, without windows.
fn is_contraction(operation: Operation) -> bool {
    let Some(nest) = operation.is_structured().then(|| LoopNest::of(operation)).flatten() else {
        return false;
    };
    let is_position = |index: &Expr| matches!(index, Expr::Dim(_) | Expr::Constant(_));
    nest.input_count == 2
        && nest.outputs().len() == 1
        && nest.dims.iter().any(|dim| dim.reduction)
        && nest.accesses.iter().all(|access| access.indices.iter().all(is_position))
        && nest.inputs().iter().all(|input| !is_own_copy(input.value, operation))
}

/// The contractions of an entry that occur more than once, grouped by equality, in the order of the
/// first of each group.
fn repeated_units<'c>(entry: Operation<'c>, machine: &Machine) -> Vec<Vec<Unit<'c>>> {
    let operations = entry.body(0).map(Block::operations).unwrap_or_default();
    let contractions = operations.into_iter().filter(|op| is_contraction(*op));
    let units: Vec<Unit> = contractions.filter_map(|op| Unit::of(op, machine)).collect();
    // An epilogue that adds two products may belong to either.
    let mut owners: HashMap<usize, usize> = HashMap::new();
    for operation in units.iter().flat_map(|unit| &unit.operations) {
        *owners.entry(operation.key()).or_default() += 1;
    }
    let is_alone = |op: &Operation| owners.get(&op.key()) == Some(&1);
    let mut kinds: Vec<Vec<Unit>> = Vec::new();
    let mut numbers: HashMap<KernelKey, usize> = HashMap::new();
    for unit in units {
        if !unit.operations.iter().all(is_alone) {
            continue;
        }
        let key = KernelKey::of_all(&unit.operations, &unit.captures);
        let number = *numbers.entry(key).or_insert(kinds.len());
        match kinds.get_mut(number) {
            Some(kind) => kind.push(unit),
            None => kinds.push(vec![unit]),
        }
    }
    kinds.retain(|kind| kind.len() > 1);
    kinds
}

/// Outlines equal units to a function, and calls it for each.
fn outline<'c>(entry: Operation<'c>, units: &[Unit<'c>], names: &mut SymbolNames) {
    let name_of_entry = entry.attribute("sym_name").and_then(Attribute::string_value);
    let name = names.fresh(&format!(
        "{}_contraction_",
        name_of_entry.unwrap_or("entry")
    ));
    if let Some(first) = units.first() {
        define(entry, &name, first);
    }
    for unit in units {
        with_builder(unit.last, |builder| {
            func::call(builder, &name, &unit.captures.values, &[]);
            let behind = unit.operations.iter().rev();
            behind.for_each(|operation| builder.erase(*operation))
        });
    }
}

fn define<'c>(entry: Operation<'c>, name: &str, unit: &Unit<'c>) {
    let bytes = argument_bytes(entry);
    with_builder(entry, |builder| {
        builder.set_after(entry);
        let builder = builder.at(unit.last.location());
        let captures = &unit.captures;
        let region = captures.function_body(&builder, &unit.operations, &[]);
        let context = builder.context();
        let signature = FunctionType::new(context, &captures.types(), &[]);
        func::FuncOp::build(&builder, name, signature.into(), region)
            .sym_visibility("private")
            .attribute(
                halo::CALLER_BYTES,
                integer_attribute(integer_type(context, 64), bytes),
            )
            .insert();
    })
}
