//! Functions that programs call by name.
//!
//! A `stablehlo.custom_call` is compiled to a call site. Its target is looked up here when the
//! program is loaded: a [`Factory`] reads the site's attributes once, and returns the handler for
//! it. The handler gets typed views of the operands and fills the results; its error ends the run,
//! not the process.
//!
//! [`c_interface`] supports functions in C, or in any language with its calling convention. The
//! compiler itself uses custom calls for libraries: Fourier transforms, factorizations, random
//! numbers, sorts of long rows.

mod attribute;
mod attribute_encoding;
pub mod c_interface;
mod checks;
mod fourier;
mod layout;
#[cfg(feature = "linear-algebra")]
mod linear_algebra;
mod memory;
mod random;
mod sort;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use halo_core::{Layout, Literal, NativeType, Shape, panics};
use serde::{Deserialize, Serialize};

use crate::communication::{self, Process};
use crate::plan::encoding::{layouts, texts};
use crate::{Error, Result, run_observer};

pub use attribute::{Attribute, Attributes};

/// The target that represents a constant of HLO text whose elements were not
/// printed.
const ELIDED_CONSTANT: &str = "xla.constant";

/// One call of a custom function in a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CustomCallSite {
    /// The name of the function.
    pub target: String,
    #[serde(with = "texts")]
    pub operands: Vec<Shape>,
    #[serde(with = "texts")]
    pub results: Vec<Shape>,
    /// The memory layout of each operand passed to the handler.
    #[serde(with = "layouts")]
    pub operand_layouts: Vec<Layout>,
    /// The same for the results.
    #[serde(with = "layouts")]
    pub result_layouts: Vec<Layout>,
    /// The call's `backend_config` if it is a string, else the text of its dictionary, or of the
    /// call's attributes in the program: `{max_ulp_difference = 3 : i64}`. For `shape_assertion`,
    /// the message. Empty for a call that the compiler creates for an op.
    pub backend_config: String,
    /// The dictionary of a typed call: `backend_config` or
    /// `mhlo.backend_config`. For a call that the compiler creates for an op,
    /// the attributes of the op.
    pub attributes: Attributes,
    /// The location of the call, `file:line:column`; empty if unknown.
    pub location: String,
}

impl CustomCallSite {
    /// A call with operands only; operands and results are in row-major order.
    pub fn new(target: impl Into<String>, operands: Vec<Shape>, results: Vec<Shape>) -> Self {
        let row_major = |shape: &Shape| Layout::row_major(shape.rank());
        Self {
            target: target.into(),
            operand_layouts: operands.iter().map(row_major).collect(),
            result_layouts: results.iter().map(row_major).collect(),
            operands,
            results,
            backend_config: String::new(),
            attributes: Attributes::default(),
            location: String::new(),
        }
    }

    /// An error about this call at its location, if known.
    fn error_at_location(&self, message: String) -> Error {
        let known = !self.location.is_empty();
        let diagnostic = known.then(|| format!("{}: error: {message}", self.location));
        Error::diagnosed(message, diagnostic.into_iter().collect())
    }
}

/// Returns true if the handler of this name takes operands and results in any layout, so that no
/// transpositions are needed for a call that specifies other layouts. The call site is then
/// row-major.
pub fn takes_any_layout(target: &str) -> bool {
    let routine = target.strip_prefix("lapack_");
    let routine = routine.and_then(|name| name.strip_suffix("_ffi"));
    routine.is_some_and(|name| ["strsm", "dtrsm", "ctrsm", "ztrsm"].contains(&name))
}

/// Returns true if the handler of this name requires the cargo feature `linear-algebra`.
fn is_of_linear_algebra(target: &str) -> bool {
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

/// The value of an operand.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub shape: &'a Shape,
    /// The order of the elements.
    pub layout: &'a Layout,
    /// The elements as in a literal, but in the order of the layout.
    pub bytes: &'a [u8],
}

impl<'a> View<'a> {
    /// A copy of the value.
    ///
    /// # Errors
    /// Returns an error if `bytes` is not of the shape's size.
    pub fn to_literal(&self) -> Result<Literal, String> {
        let bytes = layout::to_row_major(self.shape, self.layout, self.bytes);
        Literal::from_bytes(self.shape.clone(), &bytes).map_err(|error| error.to_string())
    }

    /// The elements in the order of memory.
    ///
    /// # Errors
    /// Returns an error if they are stored as another type.
    pub fn as_slice<T: NativeType>(&self) -> Result<&'a [T], String> {
        expect_type::<T>(self.shape)?;
        match self.bytes {
            [] => Ok(&[]),
            bytes => bytemuck::try_cast_slice(bytes).map_err(|error| error.to_string()),
        }
    }
}

/// The memory of a result; its former contents are arbitrary.
pub struct ViewMut<'a> {
    pub shape: &'a Shape,
    /// The order in which the elements are wanted.
    pub layout: &'a Layout,
    pub bytes: &'a mut [u8],
}

impl ViewMut<'_> {
    /// The elements in the order of memory.
    ///
    /// # Errors
    /// Returns an error if they are stored as another type.
    pub fn as_mut_slice<T: NativeType>(&mut self) -> Result<&mut [T], String> {
        expect_type::<T>(self.shape)?;
        match &mut *self.bytes {
            [] => Ok(&mut []),
            bytes => bytemuck::try_cast_slice_mut(bytes).map_err(|error| error.to_string()),
        }
    }
}

fn expect_type<T: NativeType>(shape: &Shape) -> Result<(), String> {
    if T::stores(shape.element_type()) {
        Ok(())
    } else {
        Err(format!("elements of {shape} are not of type {}", T::NAME))
    }
}

pub use halo_numerics::{ParallelFor, SEQUENTIAL};

/// The arguments of a handler.
pub struct CustomCall<'a> {
    pub site: &'a CustomCallSite,
    pub operands: Vec<View<'a>>,
    pub results: Vec<ViewMut<'a>>,
    /// The threads of the executable.
    pub parallel_for: ParallelFor<'a>,
    /// The calling process.
    pub process: &'a Arc<Process>,
    /// A located error, which a handler may report in place of its message.
    pub failure: Option<Error>,
}

/// A function for custom calls. Its error is one line of text; the caller adds the name and the
/// location.
pub type Handler = Arc<dyn Fn(&mut CustomCall<'_>) -> Result<(), String> + Send + Sync>;

/// Returns the handler of a call site when a program is loaded. Its error is one line of text, to
/// which the name and the location are added.
pub type Factory = Arc<dyn Fn(&CustomCallSite) -> Result<Handler, String> + Send + Sync>;

/// Handlers by name.
#[derive(Clone)]
pub struct CustomCallRegistry {
    factories: BTreeMap<String, Factory>,
}

impl CustomCallRegistry {
    /// A registry without handlers.
    pub fn empty() -> Self {
        Self {
            factories: BTreeMap::new(),
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

    /// Returns true if a handler has this name.
    pub fn contains(&self, name: &str) -> bool {
        self.factories.contains_key(name) || c_interface::is_registered(name)
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
        let caught = panics::catch(|| factory(site));
        let handler = caught.unwrap_or_else(|panic| Err(format!("the handler panicked: {panic}")));
        handler.map_err(|message| site.error_at_location(format!("@{}: {message}", site.target)))
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

impl Default for CustomCallRegistry {
    /// The `check.*` functions of self-checking programs, `shape_assertion`, by which exporters of
    /// dynamic programs assert shapes, the calls by which programs
    /// [communicate](communication::calls), and the calls that the compiler creates for ops,
    /// `halo.*`, and for factorizations under the names of XLA and LAPACK, which require the cargo
    /// feature `linear-algebra`.
    fn default() -> Self {
        let mut registry = Self::empty();
        checks::register(&mut registry);
        communication::calls::register(&mut registry);
        fourier::register(&mut registry);
        #[cfg(feature = "linear-algebra")]
        linear_algebra::register(&mut registry);
        memory::register(&mut registry);
        random::register(&mut registry);
        run_observer::register(&mut registry);
        sort::register(&mut registry);
        registry
    }
}

impl fmt::Debug for CustomCallRegistry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (formatter.debug_set().entries(self.factories.keys())).finish()
    }
}

/// Calls a handler on elements in the order of the site's layouts, and returns the results
/// likewise.
pub fn invoke_on(
    handler: &Handler,
    site: &CustomCallSite,
    operands: &[&[u8]],
    process: &Arc<Process>,
) -> Result<Vec<Literal>> {
    let mut results: Vec<Literal> =
        site.results.iter().cloned().map(Literal::try_zeros).collect::<Result<_, _>>()?;
    let shapes = site.operands.iter().zip(&site.operand_layouts);
    let views = shapes.zip(operands).map(|((shape, layout), bytes)| View {
        shape,
        layout,
        bytes,
    });
    let shapes = site.results.iter().zip(&site.result_layouts);
    let places = shapes.zip(&mut results).map(|((shape, layout), result)| ViewMut {
        shape,
        layout,
        bytes: result.bytes_mut(),
    });
    let mut call = CustomCall {
        site,
        operands: views.collect(),
        results: places.collect(),
        parallel_for: SEQUENTIAL,
        process,
        failure: None,
    };
    invoke(handler, &mut call)?;
    Ok(results)
}

/// Calls a handler; its panic becomes an error.
pub(crate) fn invoke(handler: &Handler, call: &mut CustomCall<'_>) -> Result<()> {
    let site = call.site;
    let caught = panics::catch(|| handler(call));
    let outcome = caught.unwrap_or_else(|panic| Err(format!("the handler panicked: {panic}")));
    outcome.map_err(|message| {
        let failure = call.failure.take();
        failure.unwrap_or_else(|| {
            Error::execution_at(&site.location, format!("@{}: {message}", site.target))
        })
    })
}
