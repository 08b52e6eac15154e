//! What HLO programs mean, and rewrites of HLO into HLO.
//!
//! | module | what it is |
//! |---|---|
//! | [`semantics`] | what verifies ops and infers their types |
//! | [`folding`] | constants computed while a program is compiled |
//! | [`interpreter`] | the reference: programs run op by op |
//! | [`transforms`] | passes from HLO to HLO |
//! | [`communication`], [`custom_calls`] | what collectives and custom calls say |
//! | [`literals`], [`matchers`] | constants as values, and questions that rewrites ask |
//!
//! Nothing here knows how code is made of a program: that is `halo-codegen`.

pub mod communication;
pub mod custom_calls;
pub mod folding;
pub mod interpreter;
pub mod literals;
pub mod matchers;
pub mod semantics;
pub mod transforms;

use halo_ir::{
    opt::register_everything,
    pass::{register_pass, register_upstream_passes},
};
use melior::{Context, dialect::DialectRegistry};
use std::sync::Once;

/// Gives the ops their meaning, and adds upstream's passes and those of
/// [`transforms`] to the program-wide registry, once.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        semantics::install();
        register_upstream_passes();
        for declaration in transforms::PASSES {
            register_pass(declaration);
        }
    });
}

/// A context that knows every dialect, and at least the passes of this crate.
pub fn context() -> Context {
    register_passes();
    let registry = DialectRegistry::new();
    register_everything(&registry);
    Context::new_with_registry(&registry, false)
}
