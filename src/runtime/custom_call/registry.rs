//! Handlers of custom calls by name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use halo_core::{Literal, panics};

use super::call::{
    CustomCall, CustomCallSite, Factory, Handler, StreamFactory, StreamHandler, invoke_on,
};
use super::{c_interface, layout};
use crate::communication::Process;
use crate::{Error, Result};

/// The target that represents a constant of HLO text whose elements were not
/// printed.
const ELIDED_CONSTANT: &str = "xla.constant";

/// Returns true if the handler of this name takes operands and results in any layout, so that no
/// transpositions are needed for a call that specifies other layouts. The call site is then
/// row-major.
pub fn takes_any_layout(target: &str) -> bool {
    let routine = target.strip_prefix("lapack_");
    let routine = routine.and_then(|name| name.strip_suffix("_ffi"));
    routine.is_some_and(|name| ["strsm", "dtrsm", "ctrsm", "ztrsm"].contains(&name))
}

/// Returns true if the handler of this name requires the cargo feature `linear-algebra`.
pub(super) fn is_of_linear_algebra(target: &str) -> bool {
    const NAMES: [&str; 7] = [
        "Eigh",
        "LuDecomposition",
        "ProductOfElementaryHouseholderReflectors",
        "Qr",
        "halo.cholesky",
        "halo.triangular_solve",
        "tridiagonal_solve_perturbed_ffi",
    ];
    NAMES.contains(&target) || (target.starts_with("lapack_") && target.ends_with("_ffi"))
}

/// Handlers by name.
#[derive(Clone)]
pub struct CustomCallRegistry {
    pub(super) factories: BTreeMap<String, Factory>,
    /// For plans on devices.
    stream_factories: BTreeMap<String, StreamFactory>,
}

impl CustomCallRegistry {
    /// A registry without handlers.
    pub fn empty() -> Self {
        Self {
            factories: BTreeMap::new(),
            stream_factories: BTreeMap::new(),
        }
    }

    /// Adds a handler for all call sites of a name, replacing one of the same
    /// name.
    pub fn register(
        &mut self,
        name: impl Into<String>,
        handler: impl Fn(&mut CustomCall<'_>) -> Result<(), String> + Send + Sync + 'static,
    ) {
        let handler: Handler = Arc::new(handler);
        self.register_factory(name, move |_| Ok(Arc::clone(&handler)));
    }

    /// Adds a factory of handlers for the call sites of a name, replacing a handler of the same
    /// name.
    pub fn register_factory(
        &mut self,
        name: impl Into<String>,
        factory: impl Fn(&CustomCallSite) -> Result<Handler, String> + Send + Sync + 'static,
    ) {
        self.factories.insert(name.into(), Arc::new(factory));
    }

    /// Adds a factory of handlers that plans call on device memory, before other handlers of the
    /// name.
    pub fn register_stream_factory(
        &mut self,
        name: impl Into<String>,
        factory: impl Fn(&CustomCallSite) -> Result<StreamHandler, String> + Send + Sync + 'static,
    ) {
        self.stream_factories.insert(name.into(), Arc::new(factory));
    }

    /// Returns true if a handler has this name.
    pub fn contains(&self, name: &str) -> bool {
        self.stream_factories.contains_key(name)
            || self.factories.contains_key(name)
            || c_interface::is_registered(name)
    }

    /// The handler that a call site needs.
    ///
    /// # Errors
    /// Returns an invalid-input error at the site's location if there is no handler, or if it
    /// rejects the attributes of the site.
    pub fn bind(&self, site: &CustomCallSite) -> Result<Handler> {
        let factory = self.factories.get(&site.target).cloned();
        let Some(factory) = factory.or_else(|| c_interface::registered(&site.target)) else {
            let message = match &site.target[..] {
                ELIDED_CONSTANT => "the value of this constant was left out of the text ({...}), \
                                    which only a text or proto with all values can run"
                    .to_owned(),
                target if cfg!(not(feature = "linear-algebra")) && is_of_linear_algebra(target) => {
                    format!(
                        "custom call @{target} needs the feature 'linear-algebra' of \
                         halo-runtime, which this build lacks"
                    )
                }
                target => format!("no custom call @{target} is registered"),
            };
            return Err(site.error_at_location(message));
        };
        bound(site, || factory(site))
    }

    /// The handler for device memory, if there is one.
    ///
    /// # Errors
    /// Returns an invalid-input error at the site's location if it rejects the attributes of the
    /// site.
    pub(crate) fn bind_on_stream(&self, site: &CustomCallSite) -> Result<Option<StreamHandler>> {
        let factory = self.stream_factories.get(&site.target);
        factory.map(|factory| bound(site, || factory(site))).transpose()
    }

    /// Calls the function that `site` names on literals.
    ///
    /// # Errors
    /// Returns an invalid-input error if the function is not registered or the operands do not
    /// match the site; an execution error, with the site's location, if the call fails.
    pub fn call(&self, site: &CustomCallSite, operands: &[Literal]) -> Result<Vec<Literal>> {
        let handler = self.bind(site)?;
        if !operands.iter().map(Literal::shape).eq(&site.operands) {
            return Err(Error::internal(format!(
                "the operands of custom call @{} are not those of its site",
                site.target
            )));
        }
        let given: Vec<_> = operands
            .iter()
            .zip(&site.operand_layouts)
            .map(|(operand, layout)| {
                layout::from_row_major(operand.shape(), layout, operand.bytes())
            })
            .collect();
        let given: Vec<&[u8]> = given.iter().map(|bytes| &**bytes).collect();
        let results = invoke_on(&handler, site, &given, &Process::alone())?;
        let laid_out = results.into_iter().zip(&site.result_layouts);
        laid_out
            .map(|(result, layout)| {
                if layout.is_row_major() {
                    return Ok(result);
                }
                let bytes = layout::to_row_major(result.shape(), layout, result.bytes());
                Ok(Literal::from_bytes(result.shape().clone(), &bytes)?)
            })
            .collect()
    }
}

/// The handler of a factory, whose panic becomes an error at the call site.
fn bound<T>(site: &CustomCallSite, factory: impl FnOnce() -> Result<T, String>) -> Result<T> {
    let caught = panics::catch(factory);
    let handler = caught.unwrap_or_else(|panic| Err(format!("the handler panicked: {panic}")));
    handler.map_err(|message| site.error_at_location(format!("@{}: {message}", site.target)))
}

impl fmt::Debug for CustomCallRegistry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (formatter.debug_set().entries(self.factories.keys())).finish()
    }
}
