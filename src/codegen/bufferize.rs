//! From tensors to buffers: every result has a destination, every write is in
//! place, and the remaining allocations share one arena.

pub mod arena_packing;
pub mod buffer_assignment;
#[expect(
    clippy::module_inception,
    reason = "the pass has the name of the step that it is the core of"
)]
pub mod bufferize;
pub mod destination_passing;
pub mod insert_tensor_copies;
