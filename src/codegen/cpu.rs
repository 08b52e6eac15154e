//! Code for CPUs: loops and vectors, kernels as functions of a range, and the
//! interface between generated code and the runtime.

pub mod check_vector_length;
pub mod copies;
pub mod cost_model;
pub mod dot_product;
pub mod entry_checks;
pub mod epilogue;
pub mod even_division;
pub mod fuse_parallel_loops;
pub mod im2col;
pub mod inline_repeated_contractions;
pub mod kernel_key;
pub mod linalg_to_loops;
pub mod llvm_code;
pub mod lower_contractions;
pub mod lower_to_runtime_abi;
pub mod mark_vectorized_kernels;
pub mod matmul;
pub mod matvec;
pub mod micro_kernel;
pub mod nontemporal_stores;
pub mod normalize_contraction;
pub mod outline_kernels;
pub mod outline_repeated_contractions;
pub mod packed_constants;
pub mod packing;
pub mod request_matrix_tiles;
pub mod row_stream;
pub mod small_tiles;
pub mod split_entries;
pub mod sve;
pub mod tasks;
pub mod tiled_matmul;
pub mod tiling;
pub mod transpose;
mod vector_body;
pub mod vectorize_loops;
