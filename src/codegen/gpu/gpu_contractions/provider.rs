//! The provider of contractions on a GPU: Halo's kernels or the vendor's library.

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
}
