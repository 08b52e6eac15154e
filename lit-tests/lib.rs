//! The lit and FileCheck tests of Halo's tools; `lit.rs` runs them.
