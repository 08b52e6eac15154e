//! What is known of the operands of ops from the ops before them, which are erased.

use super::{
    innermost::is_running,
    padded_reads::{self, PaddedReads},
};
use crate::{
    cpu::transpose,
    explain::Reason,
    loops::{fill, loop_nest::LoopNest, loop_ops::Emitted},
};
use halo_ir::{Operation, Value, collect_operations, is_structured, operation_key, with_builder};
use std::collections::HashMap;

/// What is known of the operands of ops from the ops before them, which are erased.
pub(super) struct Context<'c> {
    pub padded: PaddedReads<'c>,
    /// The values that fill outputs, by the op and the number of the output.
    starts: HashMap<(usize, usize), Value<'c>>,
}

impl<'c> Context<'c> {
    /// Erases the fills and padding of a function that its ops do without. `explain` gets
    /// the padded buffers that stay, and the reasons.
    pub fn of(
        function: Operation<'c>,
        explain: &mut dyn FnMut(Operation<'c>, Reason),
    ) -> Emitted<Self> {
        let mut padded = PaddedReads::take(function, explain)?;
        let mut starts = HashMap::new();
        for operation in collect_operations(function, is_structured) {
            for (output, fill, value) in fills_of(operation) {
                with_builder(fill, |builder| builder.erase(fill))?;
                starts.insert((operation_key(operation), output), value);
            }
        }
        padded.erase_copies()?;
        Ok(Self { padded, starts })
    }

    /// The values that the outputs of a nest have before it.
    pub fn starts_of(
        &self,
        operation: Operation<'c>,
        nest: &LoopNest<'c>,
    ) -> Vec<Option<Value<'c>>> {
        let starts = (0..nest.outputs().len()).map(|output| {
            self.starts
                .get(&(operation_key(operation), output))
                .copied()
        });
        starts.collect()
    }
}

/// The outputs of an op that other ops fill, the fills, and what they write.
fn fills_of<'c>(operation: Operation<'c>) -> Vec<(usize, Operation<'c>, Value<'c>)> {
    let Some(mut nest) = LoopNest::of(operation) else {
        return Vec::new();
    };
    let mut fills = Vec::new();
    for (output, access) in nest.outputs().iter().enumerate() {
        if nest.reads_output(output)
            && !is_running(&nest, access)
            && padded_reads::covers(&nest, output)
            && let Some((fill, value)) = fill::fill_of(operation, access.value)
        {
            fills.push((output, fill, value));
        }
    }
    nest.drop_unit_dims();
    if !fills.is_empty() && transpose::applies(&nest) {
        fills.clear();
    }
    fills
}
