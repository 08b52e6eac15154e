//! Code generation: from linalg on buffers to loops, vectors and kernels.
//!
//! The passes here take over once a program is bufferized. Each is one step of
//! the way down and can be run alone:
//!
//! | pass | from | to |
//! |---|---|---|
//! | [`fuse_elementwise`] | linalg on tensors | the same, producers joined with users |
//! | [`detensorize`] | tensors of rank 0 | scalars |
//! | [`uplift_while_to_for`] | `scf.while` | `scf.for` |
//! | [`destination_passing`] | linalg on tensors | the same, every result with a place |
//! | [`insert_tensor_copies`] | linalg on tensors | the same, every write in place |
//! | [`bufferize`] | tensors | buffers |
//! | [`lower_contractions`] | matrix products | packed panels, vector tiles |
//! | [`gpu`] | all of this | kernels for NVIDIA devices |
//! | [`linalg_to_loops`] | linalg ops | `scf.parallel` around `scf.for` |
//! | [`buffer_assignment`] | `memref.alloc` | views of one arena |
//! | [`outline_kernels`] | `scf.parallel` | functions of a range |
//! | [`expand_math`] | elementary functions | polynomials |
//! | [`expand_bf16`] | arithmetic on bf16 | the same on f32, rounded by integers |
//! | [`runtime_abi`] | calls of kernels and custom calls | the runtime's C interface |
//! | [`widen_bool_memory`] | loads and stores of `i1` | of bytes |
//!
//! Kernels for GPUs are made in [`gpu`].

pub mod aliases;
pub mod best_fit;
pub mod buffer_assignment;
pub mod bufferize;
pub mod captures;
pub mod contraction;
pub mod destination_passing;
pub mod detensorize;
pub mod emit;
pub mod expand_bf16;
pub mod expand_math;
pub mod fill;
pub mod function;
pub mod fuse_elementwise;
pub mod gpu;
pub mod insert_tensor_copies;
pub mod kernel_key;
pub mod linalg_to_loops;
pub mod llvm_code;
pub mod lower_contractions;
pub mod materialize;
pub mod math;
pub mod micro_kernel;
pub mod nest;
pub mod order;
pub mod outline_kernels;
pub mod packing;
pub mod point;
pub mod row_stream;
pub mod runtime_abi;
pub mod transpose;
pub mod uplift_while_to_for;
pub mod widen_bool_memory;
pub mod work;
