//! Code for CPUs: loops and vectors, kernels as functions of an iteration range, and the interface
//! between generated code and the runtime.

pub mod check_vector_length;
pub mod copies;
pub mod entry_checks;
pub mod fuse_parallel_loops;
pub mod inline_repeated_contractions;
pub mod kernel_key;
pub mod linalg_to_loops;
pub mod llvm_code;
pub mod lower_contractions;
pub mod lower_to_runtime_abi;
pub mod mark_vectorized_kernels;
pub mod nontemporal_stores;
pub mod outline_kernels;
pub mod outline_repeated_contractions;
pub mod outline_streaming_regions;
pub mod request_matrix_tiles;
pub mod split_entries;
pub mod split_kernels;
pub mod task_functions;
pub mod tasks;
pub mod transpose;
pub mod vectorize_loops;
