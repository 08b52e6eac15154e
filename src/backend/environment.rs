//! The environment of programs: compilers, devices and custom calls.

use std::sync::Arc;

use halo_runtime::CustomCallRegistry;

use crate::Registry;

/// The backends, the platforms and the custom calls that an application or a tool offers to
/// programs.
#[derive(Default)]
pub struct Environment {
    /// The values of `--backend=`, and the platforms of plans.
    pub registry: Registry,
    /// The functions that `stablehlo.custom_call` may name in addition to Halo's.
    pub custom_calls: Arc<CustomCallRegistry>,
}

impl From<Registry> for Environment {
    fn from(registry: Registry) -> Self {
        Self {
            registry,
            custom_calls: Arc::default(),
        }
    }
}
