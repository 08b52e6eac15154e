//! Programs as object files, which applications link.
//!
//! An [`ObjectCode`] is code with one symbol, `<name>_entry`, an
//! [`EntryPoint`](halo_runtime::host::abi::EntryPoint), and the metadata that callers need: machine
//! code, or C for any C compiler. The C header and the Rust module generated from it check the buffers of
//! a run and need nothing of Halo: no library, no allocation, no global state, no thread that the
//! application does not provide.

mod c_constants;
mod c_functions;
mod c_header;
mod c_sizes;
pub mod external_constants;
pub mod linker;
pub mod loaded;
pub mod runner;
mod rust_module;
mod value;

use external_constants::ExternalConstants;
use std::fmt;
use value::Value;

use halo_core::{ElementType, Shape, ShapePattern};
use halo_runtime::{CustomCallSite, Error, Result, Signature, host::SizeElement};

/// The format of a program's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeForm {
    /// A relocatable object file.
    Object,
    /// C11, in one file.
    C,
}

impl CodeForm {
    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Object => "o",
            Self::C => "c",
        }
    }

    /// Flags of the C compiler in addition to linking. Products and sums are rounded one by one, as
    /// C11 specifies.
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Object => &["-O1"],
            Self::C => &["-O3", "-std=c11", "-ffp-contract=off", "-fopenmp-simd"],
        }
    }
}

/// A program as code that is not loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectCode {
    /// The prefix of all names: an identifier of C.
    pub name: String,
    /// The inputs and outputs.
    pub signature: Signature,
    /// The messages of the checks of sizes, for a program of dynamic shape.
    pub size_checks: Option<Vec<String>>,
    /// The elements of inputs that sizes depend on.
    pub size_elements: Vec<SizeElement>,
    /// Identifiers of the inputs.
    pub input_names: Vec<String>,
    /// Identifiers of the outputs.
    pub output_names: Vec<String>,
    /// A readable description of the target: `aarch64-unknown-linux-gnu, neoverse-v2`.
    pub target: String,
    /// Bytes of scratch memory that a run needs.
    pub arena_size: usize,
    /// Whether the sizes of a run decide how many more it needs.
    pub arena_varies: bool,
    /// The functions that it calls, by their numbers.
    pub custom_calls: Vec<CustomCallSite>,
    /// The constants outside the code, if it was compiled so.
    pub constants: Option<ExternalConstants>,
    /// The format of [`Self::code`].
    pub form: CodeForm,
    /// The bytes of its file.
    pub code: Vec<u8>,
}

/// The symbol of the code of a program.
pub fn entry_symbol(name: &str) -> String {
    format!("{name}_entry")
}

/// The symbol of code with constants in a file, so that declarations of other code do not link with
/// it.
pub fn entry_symbol_with_constants(name: &str) -> String {
    format!("{}_with_constants", entry_symbol(name))
}

/// The symbol of the function that plans the sizes of a program of dynamic shape, from the symbol of
/// its code.
pub fn sizes_symbol(entry: &str) -> String {
    format!("{entry}_sizes")
}

/// Writes the declarations of a program with these inputs and outputs.
type Writer = fn(&mut String, &ObjectCode, &[Value<'_>], &[Value<'_>]) -> fmt::Result;

impl ObjectCode {
    /// A C header, which C++ reads too.
    ///
    /// # Errors
    /// Returns an internal error if it cannot be written.
    pub fn c_header(&self) -> Result<String> {
        self.written(c_header::write)
    }

    /// A Rust module that declares the code and calls it safely. The application links the object.
    ///
    /// # Errors
    /// Returns an invalid-input error if a shape is unknown.
    pub fn rust_module(&self) -> Result<String> {
        if !self.signature.is_static() {
            return Err(Error::invalid(format!(
                "a Rust module is made for shapes that are known; {} has dimensions that are not: \
                 call the functions of the C header",
                self.signature
            )));
        }
        self.written(rust_module::write)
    }

    fn entry_symbol(&self) -> String {
        match self.constants {
            Some(_) => entry_symbol_with_constants(&self.name),
            None => entry_symbol(&self.name),
        }
    }

    fn written(&self, write: Writer) -> Result<String> {
        let mut text = String::new();
        write(&mut text, self, &self.inputs(), &self.outputs())
            .map_err(|_| Error::internal("the declarations were not written"))?;
        Ok(text)
    }

    fn inputs(&self) -> Vec<Value<'_>> {
        values(&self.input_names, &self.signature.inputs)
    }

    fn outputs(&self) -> Vec<Value<'_>> {
        values(&self.output_names, &self.signature.outputs)
    }
}

fn values<'a>(names: &'a [String], shapes: &[ShapePattern]) -> Vec<Value<'a>> {
    let value = |(name, shape): (&'a String, &ShapePattern)| Value {
        name,
        shape: shape.clone(),
    };
    names.iter().zip(shapes).map(value).collect()
}

/// The number of components of an element: a complex one has two.
fn numbers(element_type: ElementType) -> usize {
    if element_type.is_complex() { 2 } else { 1 }
}

/// The storage of an element, or of each component of a complex one.
enum Storage {
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

/// Small floats are unsigned integers with their bits.
fn storage(element_type: ElementType) -> Storage {
    let bits = 8 * element_type.byte_width() / numbers(element_type);
    match element_type.real_part() {
        part if part.is_signed_integer() => Storage::Signed(bits),
        ElementType::F32 | ElementType::F64 => Storage::Float(bits),
        _ => Storage::Unsigned(bits),
    }
}

/// The types of values, separated by commas.
fn types<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> String {
    let texts: Vec<String> = shapes.into_iter().map(ToString::to_string).collect();
    texts.join(", ")
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
