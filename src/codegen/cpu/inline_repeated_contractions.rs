//! `--halo-inline-repeated-contractions`: inlines calls of outlined contractions into the entry.
//!
//! `--halo-outline-repeated-contractions` outlined repeated contractions to a function, and other
//! passes lowered it to loops. Buffer assignment and kernel outlining work on the whole entry.
//!
//! ```mlir
//! func.func @main(%a: ..., %b: ..., %c: ..., %d: ...) attributes {halo.entry} {
//!   call @main_contraction_0(%a, %b, %c) : (...) -> ()
//!   call @main_contraction_0(%c, %b, %d) : (...) -> ()
//!   return
//! }
//! func.func private @main_contraction_0(%a: ..., %b: ..., %c: ...)
//!     attributes {halo.caller_bytes = 16384 : i64} {
//!   %packed = memref.alloc() : memref<1x32x32xf32>
//!   scf.parallel (%i) = (%c0) to (%c32) step (%c1) { ... }
//!   return
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(...) attributes {halo.entry} {
//!   %0 = memref.alloc() : memref<1x32x32xf32>
//!   scf.parallel (%i) = (%c0) to (%c32) step (%c1) { ... }
//!   %1 = memref.alloc() : memref<1x32x32xf32>
//!   scf.parallel (%i) = (%c0) to (%c32) step (%c1) { ... }
//!   return
//! }
//! ```
//!
//! Buffers and loops get the location of the call, for diagnostics and profiles.
//!
//! Upstream's `inline` also erases private functions without calls, such as the entry, and copies
//! constants for each call; this pass shares constants among calls.

use halo_ir::{ops::halo, prelude::*};
use std::collections::HashMap;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-inline-repeated-contractions",
    "Put the code of equal contractions back into the entry function",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["arith"]);

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = invocation.operation();
    let functions = module.body(0).map(Block::operations).unwrap_or_default();
    let mut repeated: HashMap<&str, Callee> = HashMap::new();
    for function in functions {
        if let Some(name) = function.attribute("sym_name").and_then(Attribute::string_value)
            && function.has_attribute(halo::CALLER_BYTES)
            && let Some(body) = function.body(0)
        {
            repeated.insert(name, Callee::new(function, body));
        }
    }
    if repeated.is_empty() {
        return Ok(());
    }
    for call in module.collect_nested(|op| op.isa::<func::CallOp>()) {
        let name = call.cast::<func::CallOp>().map(|call| call.callee());
        if let Some(callee) = name.and_then(|name| repeated.get_mut(name)) {
            callee.inline(call);
        }
    }
    for callee in repeated.into_values() {
        with_builder(callee.function, |builder| builder.erase(callee.function));
    }
    Ok(())
}

/// A function whose calls are inlined.
struct Callee<'c> {
    function: Operation<'c>,
    arguments: Vec<Value<'c>>,
    constants: Vec<Operation<'c>>,
    others: Vec<Operation<'c>>,
    /// The block of the last inlined call, and the copies of the constants in it.
    copies: Option<(Block<'c>, ValueMap<'c>)>,
}

impl<'c> Callee<'c> {
    fn new(function: Operation<'c>, body: Block<'c>) -> Self {
        let (constants, others) = body
            .operations()
            .into_iter()
            .filter(|op| Some(*op) != body.terminator())
            .partition(|op| op.isa::<arith::ConstantOp>());
        Self {
            function,
            arguments: body.arguments(),
            constants,
            others,
            copies: None,
        }
    }

    /// The copies of the constants in the block of a call.
    fn constants_at(&mut self, call: Operation<'c>) -> ValueMap<'c> {
        let Some(block) = call.block() else {
            return ValueMap::new();
        };
        match &self.copies {
            Some((last, copies)) if *last == block => copies.clone(),
            _ => {
                let mut copies = ValueMap::new();
                let first = block.operations().first().copied();
                with_builder(first.unwrap_or(call), |builder| {
                    for constant in &self.constants {
                        builder.clone_op(*constant, &mut copies);
                    }
                });
                self.copies = Some((block, copies.clone()));
                copies
            }
        }
    }

    fn inline(&mut self, call: Operation<'c>) {
        let mut map = self.constants_at(call);
        for (argument, value) in self.arguments.iter().zip(call.operands()) {
            map.insert(argument.key(), value);
        }
        with_builder(call, |builder| {
            for operation in &self.others {
                let copy = builder.clone_op(*operation, &mut map);
                copy.set_location(call.location());
                // Loops over ranges of k have parallel loops in them.
                copy.visit(&mut |op| {
                    if op.body(0).is_some() {
                        op.set_location(call.location());
                    }
                });
            }
            builder.erase(call)
        })
    }
}
