//! Folds fills and padding into the ops that read them.
//!
//! A reduction starts from the value that fills its result, and reads of padded buffers become
//! bounds-checked reads of the source ([`padded_reads`]). Both writing ops are erased, and
//! [`FoldedWrites`] records the information that lowerings of the readers need.

use super::{
    access::Access,
    fill,
    loop_nest::LoopNest,
    padded_reads::{self, Accepts, PaddedReads},
};
use halo_ir::prelude::*;
use std::collections::HashMap;

/// Facts about operands that come from erased ops.
#[derive(Default)]
pub struct FoldedWrites<'c> {
    pub padded: PaddedReads<'c>,
    /// The fill values of outputs, by the op and the number of the output.
    starts: HashMap<(usize, usize), Value<'c>>,
}

impl<'c> FoldedWrites<'c> {
    /// Erases the fills of outputs of a function, where `accepts` is true for the op that has the
    /// output.
    pub fn take_fills(
        &mut self,
        builder: &Builder<'c>,
        function: Operation<'c>,
        accepts: &Accepts<'_, 'c>,
    ) {
        for operation in function.collect_nested(Operation::is_structured) {
            for (output, fill, value) in fills_of(operation, accepts) {
                builder.erase(fill);
                self.starts.insert((operation.key(), output), value);
            }
        }
    }

    /// Finds the padded buffers that are redundant; see [`PaddedReads::take`].
    pub fn take_padding(
        &mut self,
        builder: &Builder<'c>,
        function: Operation<'c>,
        accepts: &Accepts<'_, 'c>,
        explain: &mut padded_reads::Explain<'_, 'c>,
    ) {
        self.padded = PaddedReads::take(builder, function, accepts, explain);
    }

    /// The initial values of the outputs of a nest.
    pub fn starts_of(
        &self,
        operation: Operation<'c>,
        nest: &LoopNest<'c>,
    ) -> Vec<Option<Value<'c>>> {
        let starts = (0..nest.outputs().len())
            .map(|output| self.starts.get(&(operation.key(), output)).copied());
        starts.collect()
    }
}

/// The outputs of an op that other ops fill, with the fills and their values.
fn fills_of<'c>(
    operation: Operation<'c>,
    accepts: &Accepts<'_, 'c>,
) -> Vec<(usize, Operation<'c>, Value<'c>)> {
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
    if !fills.is_empty() && !accepts(operation, &nest) {
        fills.clear();
    }
    fills
}

/// Whether an output has an element for each iteration of a reduction, as a
/// cumulative sum has.
pub fn is_running(nest: &LoopNest, output: &Access) -> bool {
    (0..nest.dims.len()).any(|dim| nest.dims[dim].reduction && output.mentions(dim))
}
