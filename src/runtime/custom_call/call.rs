//! A call of a custom function, and its handler.

use halo_core::Position;
use std::sync::Arc;

use halo_core::{Layout, Literal, NativeType, Shape, panics};
use halo_numerics::{ParallelFor, SEQUENTIAL};
use serde::{Deserialize, Serialize};

use super::attribute::Attributes;
use super::layout;
use crate::communication::Process;
use crate::plan::encoding::{layouts, texts};
use crate::stream::NativeStream;
use crate::{Alias, Error, Result};

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

    /// The error of a handler.
    fn failed(&self, message: &str) -> Error {
        Error::execution_at(&self.location, format!("@{}: {message}", self.target))
    }

    /// An error about this call at its location, if known.
    pub(super) fn error_at_location(&self, message: String) -> Error {
        Error::invalid_at(Position::parse(&self.location), message)
    }
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

/// A function that gets the addresses of operands, followed by the addresses of results, and
/// enqueues its work. Its error is one line of text.
pub type StreamFunction = dyn Fn(&NativeStream<'_>) -> Result<(), String> + Send + Sync;

/// A handler for device memory, which enqueues its work on the stream of the run.
#[derive(Clone)]
pub struct StreamHandler {
    /// Results, each in the memory of an operand: the handler gets the memory of the result for
    /// both, with a copy of the operand.
    pub aliases: Vec<Alias>,
    pub call: Arc<StreamFunction>,
}

/// Returns the handler of a call site for device memory when a program is loaded, as [`Factory`].
pub type StreamFactory =
    Arc<dyn Fn(&CustomCallSite) -> Result<StreamHandler, String> + Send + Sync>;

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
    outcome.map_err(|message| call.failure.take().unwrap_or_else(|| site.failed(&message)))
}

/// Calls a handler on a stream; its panic becomes an error.
pub(crate) fn invoke_on_stream(
    handler: &StreamHandler,
    site: &CustomCallSite,
    stream: &NativeStream<'_>,
) -> Result<()> {
    let caught = panics::catch(|| (handler.call)(stream));
    let outcome = caught.unwrap_or_else(|panic| Err(format!("the handler panicked: {panic}")));
    outcome.map_err(|message| site.failed(&message))
}
