//! `--halo-inline-repeated-contractions`: puts the code of equal contractions back into the
//! entry.
//!
//! `--halo-outline-repeated-contractions` made a function of them, and other passes lowered
//! it to loops. Memory is planned, and kernels are formed, with the whole entry in view.
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
//! Buffers and loops get the location of the call, for what is said of them to users.
//!
//! Upstream's `inline` also erases private functions that nothing calls, among them the
//! entry, and copies constants for each call; here calls share them.

use halo_ir::{ops::halo, prelude::*, set_location};
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
    let functions = body_of(module, 0).map(operations_of).unwrap_or_default();
    let mut repeated: HashMap<&str, Callee> = HashMap::new();
    for function in functions {
        if let Some(name) = attribute_of(function, "sym_name").and_then(string_value)
            && attribute_of(function, halo::CALLER_BYTES).is_some()
            && let Some(body) = body_of(function, 0)
        {
            repeated.insert(name, Callee::new(function, body));
        }
    }
    if repeated.is_empty() {
        return Ok(());
    }
    for call in collect_operations(module, |op| op.isa::<func::CallOp>()) {
        let name = call.cast::<func::CallOp>().map(|call| call.callee());
        if let Some(callee) = name.and_then(|name| repeated.get_mut(name)) {
            (callee.inline(call)).map_err(|error| PassFailure::internal(call, error))?;
        }
    }
    for callee in repeated.into_values() {
        with_builder(callee.function, |builder| builder.erase(callee.function))
            .map_err(|error| PassFailure::internal(module, error))?;
    }
    Ok(())
}

/// A function whose calls are replaced by its ops.
struct Callee<'c> {
    function: Operation<'c>,
    arguments: Vec<Value<'c>>,
    constants: Vec<Operation<'c>>,
    others: Vec<Operation<'c>>,
    /// The block of the last call, and the copies of the constants in it.
    copies: Option<(Block<'c>, ValueMap<'c>)>,
}

impl<'c> Callee<'c> {
    fn new(function: Operation<'c>, body: Block<'c>) -> Self {
        let (constants, others) = operations_of(body)
            .into_iter()
            .filter(|op| Some(*op) != terminator_of(body))
            .partition(|op| op.isa::<arith::ConstantOp>());
        Self {
            function,
            arguments: arguments_of(body),
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
                let first = operations_of(block).first().copied();
                with_builder(first.unwrap_or(call), |builder| {
                    for constant in &self.constants {
                        clone_operation(builder, *constant, &mut copies);
                    }
                });
                self.copies = Some((block, copies.clone()));
                copies
            }
        }
    }

    fn inline(&mut self, call: Operation<'c>) -> Result<(), BuildError> {
        let mut map = self.constants_at(call);
        for (argument, value) in self.arguments.iter().zip(operands_of(call)) {
            map.insert(value_key(*argument), value);
        }
        with_builder(call, |builder| {
            for operation in &self.others {
                let copy = clone_operation(builder, *operation, &mut map);
                set_location(copy, call.location());
            }
            builder.erase(call)
        })
    }
}
