//! Contractions on buffers for CPUs: the plan, panels, register tiles, and instruction sets.
//!
//! A plan is data that depends on the shape of a product, the machine and its instructions; the
//! emitters read it. GPUs share the description of a contraction ([`crate::loops::contraction`]),
//! not the plan: their tiles are divided among warps, and are in workgroup memory in stages.
//!
//! | module | |
//! |---|---|
//! | [`matmul`] | a contraction with one loop for each of m, n and k |
//! | [`shape`] | its sizes, types and layouts |
//! | [`normalize`] | other contractions, brought to this form |
//! | [`computed`] | operands that are computed as they are packed or streamed |
//! | [`plan`] | sizes of tiles and blocks, where operands are packed, and tasks |
//! | [`isa`] | the instructions that multiply groups of numbers, and of SVE and SME |
//! | [`pack`] | panels of lhs and rhs |
//! | [`im2col`] | panels of the patches of a convolution |
//! | [`kernel`] | a tile of the result in registers |
//! | [`tiled`] | the loops around tiles |
//! | [`dynamic_rows`], [`dynamic_blocks`] | products of sizes that are known only at run time |
//! | [`epilogue`] | elementwise ops on the result, in the same loops |
//! | [`matvec`], [`row_stream`] | products of few rows, without tiles |
//!
//! `--halo-lower-contractions` is the pass ([`crate::cpu::lower_contractions`]).

pub mod computed;
pub mod dynamic_blocks;
pub mod dynamic_rows;
pub mod epilogue;
pub mod im2col;
pub mod isa;
pub mod kernel;
pub mod matmul;
pub mod matvec;
pub mod normalize;
pub mod pack;
pub mod plan;
pub mod row_stream;
pub mod shape;
pub mod tiled;
pub mod vectors;
