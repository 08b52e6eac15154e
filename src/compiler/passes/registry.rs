//! Every pass and pipeline of Halo, in alphabetical order.

use crate::codegen;
use halo_dialects::pass::{PassDeclaration, register_pass, register_upstream_passes};
use std::sync::Once;

/// The passes, in alphabetical order of their arguments.
pub static PASSES: &[&PassDeclaration] = &[
    &codegen::buffer_assignment::PASS,
    &codegen::expand_math::PASS,
    &codegen::linalg_to_loops::PASS,
    &codegen::lower_contractions::PASS,
    &codegen::outline_kernels::PASS,
];

/// Adds upstream's and Halo's passes to the program-wide registry, once.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register_upstream_passes();
        for declaration in PASSES {
            register_pass(declaration);
        }
    });
}
