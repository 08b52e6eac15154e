//! Drops results of the entry.
//!
//! ```mlir
//! return %0, %1 : tensor<4xf32>, tensor<4xf32>
//! ```
//! becomes
//! ```mlir
//! return %1 : tensor<4xf32>
//! ```

use crate::{
    functions::numbered,
    program::{Draft, Program, functions, symbol_of},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};

pub const REDUCTION: Reduction = Reduction {
    name: "drop results",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| {
        let entry = program.entry.as_deref();
        let functions = functions(root_of(program.module())).into_iter();
        let mut entries = functions.filter(|op| entry.is_some() && symbol_of(*op) == entry);
        entries.next().and_then(last).map_or(0, |last| last.operands().len())
    },
    apply: |draft: &mut Draft, range| {
        let Some(function) = draft.entry_function() else {
            return false;
        };
        let Some(last) = last(function) else {
            return false;
        };
        let mut values = numbered(last.operands());
        values.retain(|(_, number)| number.is_some_and(|number| !range.contains(&number)));
        let is_done = draft.is_open(function) && draft.set_results(function, &values);
        draft.sweep();
        is_done
    },
};

fn last(function: Operation<'_>) -> Option<Operation<'_>> {
    function.body(0).and_then(Block::terminator)
}
