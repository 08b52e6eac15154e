//! The Rust module of a program.
//!
//! For `@main(%x: tensor<2x3xf32>) -> tensor<2xf32>` it contains
//!
//! ```ignore
//! pub struct Arguments<'a> {
//!     pub x: &'a Aligned<[[f32; 3]; 2]>,
//!     pub output: &'a mut Aligned<[f32; 2]>,
//! }
//!
//! pub fn run(arguments: Arguments<'_>, arena: &mut Arena, runtime: &Runtime<'_>)
//!     -> Result<(), RunError>;
//! ```
//!
//! so that sizes, alignment and overlaps are the compiler's to check.

use std::fmt::{self, Write};

use halo_core::ElementType;

use super::external_constants::{ALIGNMENT, ExternalConstants};
use super::{ObjectCode, Storage, numbers, storage, types, value::Value};

/// Items that the modules of all programs share.
const INTERFACE: &str = include_str!("templates/interface.rs");
/// Items of modules whose constants are in a file.
const CONSTANTS: &str = include_str!("templates/constants.rs");

fn rust_type(element_type: ElementType) -> String {
    match storage(element_type) {
        Storage::Signed(bits) => format!("i{bits}"),
        Storage::Unsigned(bits) => format!("u{bits}"),
        Storage::Float(bits) => format!("f{bits}"),
    }
}

/// Nested arrays, the last dimension innermost.
fn array(value: &Value<'_>) -> String {
    let element_type = value.shape.element_type();
    let element = match numbers(element_type) {
        1 => rust_type(element_type),
        count => format!("[{}; {count}]", rust_type(element_type)),
    };
    let dims = value.shape.dims().iter().flatten().rev();
    dims.fold(element, |inner, size| format!("[{inner}; {size}]"))
}

pub fn write(
    text: &mut String,
    code: &ObjectCode,
    inputs: &[Value<'_>],
    outputs: &[Value<'_>],
) -> fmt::Result {
    writeln!(
        text,
        "// Program '{}' for {}: made by halo-compile {}, not to be edited.\n\
         // The application links its object file, and nothing of Halo.\n",
        code.name,
        code.target,
        env!("CARGO_PKG_VERSION")
    )?;
    writeln!(text, "{INTERFACE}")?;
    values(text, "INPUTS", "inputs", inputs)?;
    values(text, "OUTPUTS", "outputs", outputs)?;
    writeln!(
        text,
        "/// The functions that the program calls, by their numbers.\n#[allow(dead_code)]\n\
         pub const CALLS: [Call; {}] = [",
        code.custom_calls.len()
    )?;
    for call in &code.custom_calls {
        writeln!(
            text,
            "    Call {{\n        target: {:?},\n        operands: {:?},\n        results: {:?},\n        \
             config: {:?},\n    }},",
            call.target,
            types(&call.operands),
            types(&call.results),
            call.backend_config
        )?;
    }
    writeln!(
        text,
        "];\n\n/// How many bytes of scratch memory a run needs.\n\
         pub const ARENA_SIZE: usize = {};\n\n\
         /// Scratch memory for one run at a time.\n\
         pub type Arena = Aligned<[u8; ARENA_SIZE]>;\n",
        code.arena_size
    )?;
    if let Some(file) = &code.constants {
        constants(text, file)?;
    }
    arguments(text, inputs, outputs)?;
    run(text, code, inputs, outputs)
}

/// The requirements on the file of the constants, and the function that opens it.
fn constants(text: &mut String, file: &ExternalConstants) -> fmt::Result {
    let start = file.start();
    writeln!(
        text,
        "/// The size of the file of the constants in bytes.\n\
         pub const CONSTANTS_SIZE: usize = {};\n\
         /// The alignment of its contents in bytes.\n\
         pub const CONSTANTS_ALIGNMENT: usize = {ALIGNMENT};\n\
         /// XXH64 of the constants.\n#[allow(dead_code)]\n\
         pub const CONSTANTS_HASH: u64 = 0x{:016X};\n\
         /// The header of the file.\n\
         const CONSTANTS_START: [u8; {}] = {start:?};\n\n{CONSTANTS}",
        file.bytes().len(),
        file.content(),
        start.len(),
    )
}

fn values(text: &mut String, name: &str, role: &str, values: &[Value<'_>]) -> fmt::Result {
    writeln!(
        text,
        "/// The {role} of the program, in its order.\n#[allow(dead_code)]\npub const {name}: [Value; {}] = [",
        values.len()
    )?;
    for value in values {
        writeln!(
            text,
            "    Value {{\n        name: {:?},\n        type_: {:?},\n        size: {},\n    }},",
            value.name,
            value.shape.to_string(),
            value.byte_size().unwrap_or_default()
        )?;
    }
    writeln!(text, "];\n")
}

fn arguments(text: &mut String, inputs: &[Value<'_>], outputs: &[Value<'_>]) -> fmt::Result {
    let lifetime = if inputs.is_empty() && outputs.is_empty() {
        ""
    } else {
        "<'a>"
    };
    writeln!(
        text,
        "/// The inputs and outputs of a run, row by row.\n#[allow(non_snake_case)]\n\
         pub struct Arguments{lifetime} {{"
    )?;
    for (qualifier, values) in [("", inputs), ("mut ", outputs)] {
        for value in values {
            writeln!(
                text,
                "    /// `{}`\n    pub {}: &'a {qualifier}Aligned<{}>,",
                value.shape,
                value.name,
                array(value)
            )?;
        }
    }
    writeln!(text, "}}\n")
}

fn run(
    text: &mut String,
    code: &ObjectCode,
    inputs: &[Value<'_>],
    outputs: &[Value<'_>],
) -> fmt::Result {
    let entry = code.entry_symbol();
    let lifetime = if inputs.is_empty() && outputs.is_empty() {
        ""
    } else {
        "<'_>"
    };
    let constants = match code.constants {
        Some(_) => "\n    constants: &Constants<'_>,",
        None => "",
    };
    writeln!(
        text,
        "unsafe extern \"C\" {{\n    \
         fn {entry}(context: *const interface::Context, buffers: *const *mut u8) -> i32;\n}}\n\n\
         /// Runs the program. Several runs may be active at once, each with a separate arena.\n\
         ///\n/// # Errors\n/// Returns an error if a function that the program calls fails, or the processor lacks features.\n\
         pub fn run(\n    arguments: Arguments{lifetime},{constants}\n    arena: &mut Arena,\n    \
         runtime: &Runtime<'_>,\n) -> Result<(), RunError> {{"
    )?;
    if lifetime.is_empty() {
        writeln!(text, "    let Arguments {{}} = arguments;")?;
    }
    if !code.custom_calls.is_empty() {
        writeln!(
            text,
            "    if runtime.custom_call.is_none() {{\n        \
             return Err(RunError::NoCustomCall);\n    }}"
        )?;
    }
    writeln!(
        text,
        "    let context = interface::Context::new(runtime);\n    let buffers = ["
    )?;
    for value in inputs {
        writeln!(
            text,
            "        (&raw const *arguments.{}).cast_mut().cast(),",
            value.name
        )?;
    }
    for value in outputs {
        writeln!(text, "        (&raw mut *arguments.{}).cast(),", value.name)?;
    }
    if code.constants.is_some() {
        writeln!(text, "        constants.address(),")?;
    }
    writeln!(
        text,
        "        (&raw mut *arena).cast(),\n    ];\n    \
         // SAFETY: The buffers match the parameters of the code; it does not write to inputs,\n    \
         // and the borrows keep outputs and arena apart.\n    \
         match unsafe {{ {entry}(&context, buffers.as_ptr()) }} {{\n        \
         0 => Ok(()),\n        2 => Err(RunError::NoTiles),\n        3 => Err(RunError::WrongVectorLength),\n        _ => Err(RunError::Failed),\n    }}\n}}"
    )
}
