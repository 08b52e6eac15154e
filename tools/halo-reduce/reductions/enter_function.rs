//! Makes a called function the entry.
//!
//! ```mlir
//! func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.negate %a : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.negate %a : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```

use crate::{
    program::{Program, functions, symbol_of},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};

pub const REDUCTION: Reduction = Reduction {
    name: "enter a function",
    alternatives: true,
    restarts: true,
    sites: |program: &Program| others(root_of(program.module()), program.entry.as_deref()).len(),
    apply: |draft, range| {
        if range.len() != 1 {
            return false;
        }
        let chosen = others(draft.root, draft.entry.as_deref());
        let (Some(chosen), Some(entry)) = (chosen.get(range.start), draft.entry_function()) else {
            return false;
        };
        *draft.entry = symbol_of(*chosen).map(str::to_owned);
        draft.given.clear();
        // If the entry has callers, the program is invalid then.
        chosen.remove_attribute("sym_visibility");
        draft.erase(entry)
    },
};

/// The functions except for the entry.
fn others<'m>(root: Operation<'m>, entry: Option<&str>) -> Vec<Operation<'m>> {
    let mut functions = functions(root);
    functions.retain(|op| entry.is_some() && symbol_of(*op) != entry);
    functions
}
