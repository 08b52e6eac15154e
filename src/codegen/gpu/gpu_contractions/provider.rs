//! The provider of contractions on a GPU, Halo's kernels or the vendor's library, and the units that
//! compute f32.

use halo_ir::pass_options;

pass_options! {
    /// The provider of contractions on a GPU.
    pub enum Provider {
        /// The provider that is expected to be faster.
        Auto = "auto",
        /// The vendor's library, for the contractions that it supports.
        Library = "library",
        /// Kernels of [`contractions`](super).
        Codegen = "codegen",
    }

    /// The computation of f32 products whose precision is not `HIGHEST`.
    pub enum F32Products {
        /// Three TF32 products or multiply-adds of f32, whichever is expected to be faster.
        Auto = "auto",
        /// One TF32 product on tensor cores, whose factors have 11 bits.
        Tf32 = "tf32",
        /// Three TF32 products on tensor cores, whose factors have 21 bits.
        Split = "3xtf32",
        /// Multiply-adds of f32, each rounded once.
        Ieee = "ieee",
    }
}
