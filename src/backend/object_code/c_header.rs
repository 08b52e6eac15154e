//! The C header of a program.
//!
//! For `@main(%x: tensor<2x3xf32>) -> tensor<2xf32>` with the name `sum` it contains
//!
//! ```c
//! typedef struct sum_arguments {
//!   const float *x;  /* tensor<2x3xf32> */
//!   float *output;   /* tensor<2xf32> */
//! } sum_arguments;
//!
//! static inline halo_status sum_run(const sum_arguments *arguments, void *arena,
//!                                   size_t arena_size, const halo_context *context);
//! ```
//!
//! in addition to the sizes, the tables and the function that takes buffers with their sizes.

use std::fmt::{self, Write};

use halo_core::ElementType;
use halo_runtime::host::object_calls;

use super::{
    ObjectCode, Storage, c_constants,
    c_functions::{run, run_buffers},
    c_sizes, numbers, sizes_symbol, storage, types,
    value::Value,
};

/// Declarations that the headers of all programs share.
const INTERFACE: &str = include_str!("templates/interface.h");

/// The type of the numbers of an element.
fn c_type(element_type: ElementType) -> String {
    match storage(element_type) {
        Storage::Signed(bits) => format!("int{bits}_t"),
        Storage::Unsigned(bits) => format!("uint{bits}_t"),
        Storage::Float(32) => "float".to_owned(),
        Storage::Float(_) => "double".to_owned(),
    }
}

/// A literal of C.
fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => literal.extend(['\\', char::from(byte)]),
            // A question mark could begin a trigraph; digits after three octal ones are text.
            b' '..=b'~' if byte != b'?' => literal.push(char::from(byte)),
            other => literal.push_str(&format!("\\{other:03o}")),
        }
    }
    literal.push('"');
    literal
}

pub fn write(
    text: &mut String,
    code: &ObjectCode,
    inputs: &[Value<'_>],
    outputs: &[Value<'_>],
) -> fmt::Result {
    let name = &code.name;
    let upper = name.to_uppercase();
    let entry = code.entry_symbol();
    writeln!(
        text,
        "/* Program '{name}' for {}: made by halo-compile {}, not to be edited.",
        code.target,
        env!("CARGO_PKG_VERSION")
    )?;
    writeln!(text, "   Needs its object file and nothing of Halo. */")?;
    writeln!(text, "#ifndef {upper}_HALO_H\n#define {upper}_HALO_H\n")?;
    writeln!(text, "#include <stddef.h>\n#include <stdint.h>\n")?;
    writeln!(text, "{INTERFACE}")?;
    if code.constants.is_some() {
        writeln!(text, "{}", c_constants::INTERFACE)?;
    }
    writeln!(
        text,
        "#if defined(__cplusplus)\nextern \"C\" {{\n#endif\n\n\
         /* The code. It trusts its arguments: {name}_run checks them. */\n\
         int32_t {entry}(const halo_context *context, uint8_t *const *buffers);\n"
    )?;
    counts(text, &upper, inputs, outputs, code)?;
    tables(text, code, inputs, outputs)?;
    if let Some(constants) = &code.constants {
        c_constants::write(text, name, constants)?;
    }
    let has_constants = code.constants.is_some();
    if let Some(messages) = &code.size_checks {
        let messages: Vec<String> = messages.iter().map(|message| quoted(message)).collect();
        c_sizes::write(
            text,
            (name, &sizes_symbol(&entry)),
            (&messages, &code.size_elements),
            (inputs, outputs),
        )?;
    }
    arguments(text, name, inputs, outputs, has_constants)?;
    run_buffers(text, code, &entry, (inputs, outputs))?;
    run(text, code, (inputs, outputs))?;
    writeln!(
        text,
        "#if defined(__cplusplus)\n}}\n#endif\n#endif /* {upper}_HALO_H */"
    )
}

fn counts(
    text: &mut String,
    upper: &str,
    inputs: &[Value<'_>],
    outputs: &[Value<'_>],
    code: &ObjectCode,
) -> fmt::Result {
    writeln!(text, "/* The counts and indices of values. */")?;
    writeln!(text, "#define {upper}_INPUTS {}", inputs.len())?;
    writeln!(text, "#define {upper}_OUTPUTS {}", outputs.len())?;
    for (role, values) in [("INPUT", inputs), ("OUTPUT", outputs)] {
        for (index, value) in values.iter().enumerate() {
            let value = value.name.to_uppercase();
            writeln!(text, "#define {upper}_{role}_{value} {index}")?;
        }
    }
    writeln!(text, "\n/* Sizes in bytes. */")?;
    for value in inputs.iter().chain(outputs) {
        if let Some(size) = value.byte_size() {
            writeln!(
                text,
                "#define {upper}_{}_SIZE {size}",
                value.name.to_uppercase()
            )?;
        }
    }
    if code.arena_varies {
        return writeln!(text);
    }
    let arena = code.arena_size;
    writeln!(
        text,
        "#define {upper}_ARENA_SIZE {arena}\n\n\
         /* Declares an arena: `static {upper}_ARENA(memory);` */\n\
         #define {upper}_ARENA(variable) HALO_ALIGNED uint8_t variable[{}]\n",
        arena.max(1)
    )
}

fn tables(
    text: &mut String,
    code: &ObjectCode,
    inputs: &[Value<'_>],
    outputs: &[Value<'_>],
) -> fmt::Result {
    let name = &code.name;
    for (role, values) in [("inputs", inputs), ("outputs", outputs)] {
        if values.is_empty() {
            continue;
        }
        writeln!(text, "static const halo_value {name}_{role}[] = {{")?;
        for value in values {
            let (label, size) = (quoted(value.name), value.byte_size().unwrap_or_default());
            let shape = quoted(&value.shape.to_string());
            writeln!(text, "  {{{label}, {shape}, {size}}},")?;
        }
        writeln!(text, "}};")?;
    }
    if !code.custom_calls.is_empty() {
        writeln!(
            text,
            "\n/* The called functions, by their numbers for the context's custom_call. */\n\
             static const halo_call {name}_calls[] = {{"
        )?;
        for call in &code.custom_calls {
            writeln!(
                text,
                "  {{{}, {}, {},\n   {}}},",
                quoted(&call.target),
                quoted(&types(&call.operands)),
                quoted(&types(&call.results)),
                quoted(&call.backend_config)
            )?;
        }
        writeln!(text, "}};")?;
        call_sites(text, code)?;
    }
    let aliases = &code.signature.aliases;
    if !aliases.is_empty() {
        writeln!(text, "static const halo_alias {name}_aliases[] = {{")?;
        for alias in aliases {
            writeln!(text, "  {{{}, {}}},", alias.input, alias.output)?;
        }
        writeln!(text, "}};")?;
    }
    let table = |role: &str, count: usize| match count {
        0 => "NULL, 0".to_owned(),
        _ => format!("{name}_{role}, {count}"),
    };
    writeln!(
        text,
        "static const halo_program {name}_program = {{\n  \
         {},\n  {},\n  {},\n  {},\n  {},\n}};\n",
        table("inputs", inputs.len()),
        table("outputs", outputs.len()),
        table("calls", code.custom_calls.len()),
        table("aliases", aliases.len()),
        code.arena_size
    )
}

/// The calls as bytes for Halo's functions.
fn call_sites(text: &mut String, code: &ObjectCode) -> fmt::Result {
    let bytes = object_calls::encode(&code.custom_calls).map_err(|_| fmt::Error)?;
    writeln!(
        text,
        "\n/* The same for halo_calls_create of libhalo_runtime.a. */\n\
         static const uint8_t {}_call_sites[] = {{",
        code.name
    )?;
    for line in bytes.chunks(20) {
        let numbers: Vec<String> = line.iter().map(u8::to_string).collect();
        writeln!(text, "  {},", numbers.join(", "))?;
    }
    writeln!(text, "}};")
}

/// The shape as C declares arrays: `float[64][784]`.
fn array(value: &Value<'_>) -> String {
    let element_type = value.shape.element_type();
    let mut text = c_type(element_type);
    for (number, size) in value.shape.dims().iter().enumerate() {
        let size = size.map_or_else(|| c_sizes::member(value, number), |size| size.to_string());
        text.push_str(&format!("[{size}]"));
    }
    if numbers(element_type) == 2 {
        text.push_str("[2]");
    }
    text
}

fn arguments(
    text: &mut String,
    name: &str,
    inputs: &[Value<'_>],
    outputs: &[Value<'_>],
    has_constants: bool,
) -> fmt::Result {
    let is_empty = inputs.is_empty() && outputs.is_empty() && !has_constants;
    writeln!(
        text,
        "/* The inputs and outputs of a run, row by row; addresses are multiples of \
         HALO_ALIGNMENT.{} */\ntypedef struct {name}_arguments {{",
        if is_empty {
            " The member is not used."
        } else {
            ""
        }
    )?;
    for (is_output, value) in
        (inputs.iter().map(|value| (false, value))).chain(outputs.iter().map(|value| (true, value)))
    {
        let (shape, qualifier) = (&value.shape, if is_output { "" } else { "const " });
        let c_type = c_type(shape.element_type());
        writeln!(
            text,
            "  {qualifier}{c_type} *{}; /* {}, {shape} */",
            value.name,
            array(value)
        )?;
    }
    if has_constants {
        writeln!(
            text,
            "  const halo_constants *constants; /* {name}_map_constants makes them */"
        )?;
    }
    if is_empty {
        writeln!(text, "  int none;")?;
    }
    writeln!(text, "}} {name}_arguments;\n")
}
