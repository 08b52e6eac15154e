//! Bufferization: every result has a destination, every write is in place, and the remaining
//! allocations share one arena.

pub mod arena_packing;
pub mod bind_sizes;
pub mod buffer_assignment;
#[expect(
    clippy::module_inception,
    reason = "the pass has the name of the step that it is the core of"
)]
pub mod bufferize;
pub mod destination_passing;
pub mod externalize_constants;
pub mod flatten_dynamic_buffers;
pub mod insert_tensor_copies;

use halo_ir::prelude::*;

/// Returns true if an op reads from an operand at the index of the element that it writes, and
/// writes each element once.
fn reads_where_written(op: Operation, input: usize, output: usize) -> bool {
    let (Some(read), Some(written)) = (op.indexing_map(input), op.indexing_map(output)) else {
        return false;
    };
    read == written && written.result_count() == written.dim_count()
}
