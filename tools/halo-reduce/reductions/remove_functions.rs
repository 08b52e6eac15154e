//! Removes functions and other symbols, with the ops that refer to them.
//!
//! ```mlir
//! func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   return %a : tensor<4xf32>
//! }
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
//!   %1 = stablehlo.negate %0 : tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.negate %a : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```

use crate::{
    functions::named_in,
    program::{Program, inner_operations, symbol_of},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};

pub const REDUCTION: Reduction = Reduction {
    name: "remove functions",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| others(root_of(program.module()), program.entry.as_deref()).len(),
    apply: |draft, range| {
        let symbols = others(draft.root, draft.entry.as_deref());
        let Some(chosen) = symbols.get(range) else {
            return false;
        };
        let names: Vec<&str> = chosen.iter().filter_map(|op| symbol_of(*op)).collect();
        let users = inner_operations(draft.root).into_iter().filter(|op| {
            !chosen.iter().any(|symbol| op.is_inside(*symbol))
                && names.iter().any(|name| named_in(*op, name))
        });
        let users: Vec<Operation> = users.collect();
        draft.remove(&users) && chosen.iter().all(|symbol| draft.erase(*symbol))
    },
};

/// The symbols of a module except for the entry.
fn others<'m>(root: Operation<'m>, entry: Option<&str>) -> Vec<Operation<'m>> {
    let mut symbols = root.body(0).map(Block::operations).unwrap_or_default();
    symbols.retain(|op| entry.is_none() || symbol_of(*op) != entry);
    symbols
}
