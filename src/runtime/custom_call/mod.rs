//! Functions that programs call by name.
//!
//! A `stablehlo.custom_call` is compiled to a call site; its target is looked
//! up here when the program is loaded. A handler sees typed views of the
//! operands and fills the results; its error ends the run, not the process.

mod checks;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use halo_core::{Literal, Shape};

use crate::communication::{self, Process};
use crate::{Error, Result};

/// One call of a custom function in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomCallSite {
    /// The name of the function.
    pub target: String,
    pub operands: Vec<Shape>,
    pub results: Vec<Shape>,
    /// The call's `backend_config` if it is a string, else the text of the
    /// dictionary it is, or of the attributes that the call's own dialect
    /// gives it: `{max_ulp_difference = 3 : i64}`. Of `shape_assertion` it is
    /// the message.
    pub backend_config: String,
    /// Where the call stands, `file:line:column`; empty if that is unknown.
    pub location: String,
}

/// The value of an operand.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub shape: &'a Shape,
    /// The elements as in a literal.
    pub bytes: &'a [u8],
}

impl View<'_> {
    /// A copy of the value.
    ///
    /// # Errors
    /// If `bytes` is not of the shape's size.
    pub fn to_literal(&self) -> Result<Literal, String> {
        Literal::from_bytes(self.shape.clone(), self.bytes).map_err(|error| error.to_string())
    }
}

/// The place of a result; its former contents are arbitrary.
pub struct ViewMut<'a> {
    pub shape: &'a Shape,
    pub bytes: &'a mut [u8],
}

/// What a handler is called with.
pub struct CustomCall<'a> {
    pub site: &'a CustomCallSite,
    pub operands: Vec<View<'a>>,
    pub results: Vec<ViewMut<'a>>,
    /// Who calls.
    pub process: &'a Arc<Process>,
    /// What a handler that fails may say in place of its message: an error that
    /// is complete, with its place.
    pub failure: Option<Error>,
}

/// A function that programs may call. Its error is one line of text; the
/// caller adds the name and the place.
pub type Handler = Arc<dyn Fn(&mut CustomCall<'_>) -> Result<(), String> + Send + Sync>;

/// Handlers by name.
#[derive(Clone)]
pub struct CustomCallRegistry {
    handlers: BTreeMap<String, Handler>,
}

impl CustomCallRegistry {
    /// A registry without handlers.
    pub fn empty() -> Self {
        Self {
            handlers: BTreeMap::new(),
        }
    }

    /// Adds a handler, replacing one of the same name.
    pub fn register(
        &mut self,
        name: impl Into<String>,
        handler: impl Fn(&mut CustomCall<'_>) -> Result<(), String> + Send + Sync + 'static,
    ) {
        self.handlers.insert(name.into(), Arc::new(handler));
    }

    /// The handler of this name.
    pub fn handler(&self, name: &str) -> Option<&Handler> {
        self.handlers.get(name)
    }

    /// The handler that a call site needs.
    ///
    /// # Errors
    /// Invalid input at the site's place if there is none.
    pub fn resolve(&self, site: &CustomCallSite) -> Result<Handler> {
        self.handler(&site.target).cloned().ok_or_else(|| {
            let message = format!("no custom call @{} is registered", site.target);
            let place =
                (!site.location.is_empty()).then(|| format!("{}: error: {message}", site.location));
            Error::diagnosed(message, place.into_iter().collect())
        })
    }

    /// Calls the function that `site` names on literals.
    ///
    /// # Errors
    /// Invalid input if there is no such function or the operands are not the
    /// site's; execution, with the site's place, if it fails.
    pub fn call(&self, site: &CustomCallSite, operands: &[Literal]) -> Result<Vec<Literal>> {
        let handler = self.resolve(site)?;
        if !operands.iter().map(Literal::shape).eq(&site.operands) {
            return Err(Error::internal(format!(
                "the operands of custom call @{} are not those of its site",
                site.target
            )));
        }
        let mut results: Vec<Literal> = site.results.iter().cloned().map(Literal::zeros).collect();
        let operands = operands.iter().map(|operand| View {
            shape: operand.shape(),
            bytes: operand.bytes(),
        });
        let places = site.results.iter().zip(&mut results);
        let places = places.map(|(shape, result)| ViewMut {
            shape,
            bytes: result.bytes_mut(),
        });
        let mut call = CustomCall {
            site,
            operands: operands.collect(),
            results: places.collect(),
            process: &Process::alone(),
            failure: None,
        };
        invoke(&handler, &mut call)?;
        Ok(results)
    }
}

impl Default for CustomCallRegistry {
    /// The `check.*` functions, which programs that test themselves call, and
    /// `shape_assertion`, by which exporters of dynamic programs state what
    /// shapes must be, and what programs [communicate](communication::calls) by.
    fn default() -> Self {
        let mut registry = Self::empty();
        checks::register(&mut registry);
        communication::calls::register(&mut registry);
        registry
    }
}

impl fmt::Debug for CustomCallRegistry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.handlers.keys()).finish()
    }
}

/// Calls a handler; its panic is an error like any other.
pub(crate) fn invoke(handler: &Handler, call: &mut CustomCall<'_>) -> Result<()> {
    let site = call.site;
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| handler(call)));
    let outcome = caught.unwrap_or_else(|_| Err("the handler panicked".to_owned()));
    outcome.map_err(|message| {
        let failure = call.failure.take();
        failure.unwrap_or_else(|| {
            Error::execution_at(&site.location, format!("@{}: {message}", site.target))
        })
    })
}
