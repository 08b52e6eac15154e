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
mod call;
mod checks;
mod fourier;
mod layout;
#[cfg(feature = "linear-algebra")]
mod linear_algebra;
mod memory;
mod random;
mod registry;
mod sort;

use crate::{communication, run_observer};

pub use attribute::{Attribute, Attributes};
pub use call::{
    CustomCall, CustomCallSite, Factory, Handler, StreamFactory, StreamFunction, StreamHandler,
    View, ViewMut, invoke_on,
};
pub(crate) use call::{invoke, invoke_on_stream};
pub use halo_numerics::{ParallelFor, SEQUENTIAL};
pub use registry::{CustomCallRegistry, takes_any_layout};

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
