//! Code generation: from linalg on buffers to loops, vectors and kernels.
//!
//! The passes here take over once a program is bufferized. Each is one step of
//! the way down and can be run alone:
//!
//! | pass | from | to |
//! |---|---|---|
//! | [`destination_passing`] | linalg on tensors | the same, every result with a place |
//! | [`linalg_to_loops`] | linalg ops | `scf.parallel` around `scf.for` |
//! | [`buffer_assignment`] | `memref.alloc` | views of one arena |
//! | [`outline_kernels`] | `scf.parallel` | functions of a range |

pub mod aliases;
pub mod best_fit;
pub mod buffer_assignment;
pub mod captures;
pub mod destination_passing;
pub mod emit;
pub mod function;
pub mod linalg_to_loops;
pub mod nest;
pub mod outline_kernels;
pub mod point;
pub mod runtime_abi;
pub mod transpose;
pub mod work;
