//! What programs are compiled by, run on, and may call.

use std::sync::Arc;

use crate::{CustomCallRegistry, Registry};

/// The backends, the platforms and the custom calls that an application or a tool offers to
/// programs.
#[derive(Default)]
pub struct Environment {
    /// What `--backend=` names, and what plans run on.
    pub registry: Registry,
    /// The functions that `stablehlo.custom_call` may name beside Halo's own.
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
