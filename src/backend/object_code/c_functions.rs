//! The functions of the C header that check the buffers of a run.

use std::fmt::{self, Write};

use super::Value;

/// The checked function with buffer sizes.
pub fn run_buffers(text: &mut String, name: &str, entry: &str, has_constants: bool) -> fmt::Result {
    let upper = name.to_uppercase();
    let (parameter, slots, check) = if has_constants {
        (
            "const halo_constants *constants, ",
            2,
            format!(
                "  status = halo_bind_constants(&{name}_program, constants, \
                 &{name}_constants_start, buffers);\n  \
                 if (status != HALO_OK)\n    \
                 return status;\n"
            ),
        )
    } else {
        ("", 1, String::new())
    };
    writeln!(
        text,
        "/* Runs the program on buffers in the order of {name}_program, after it has checked their\n   \
         number, sizes, alignment and overlaps. Without a context, on the calling thread. */\n\
         static inline halo_status {name}_run_buffers(const halo_input *inputs, size_t input_count,\n    \
         const halo_output *outputs, size_t output_count, {parameter}void *arena,\n    \
         size_t arena_size, const halo_context *context) {{\n  \
         uint8_t *buffers[{upper}_INPUTS + {upper}_OUTPUTS + {slots}];\n  \
         const halo_context serial = halo_serial();\n  \
         halo_status status = HALO_OK;\n  \
         if (context == NULL)\n    \
         context = &serial;\n  \
         status = halo_bind(&{name}_program, inputs, input_count, outputs, output_count, arena,\n                     \
         arena_size, context, buffers);\n  \
         if (status != HALO_OK)\n    \
         return status;\n\
         {check}  \
         return halo_status_of({entry}(context, buffers));\n\
         }}\n"
    )
}

/// The function with a pointer for each value.
pub fn run(
    text: &mut String,
    name: &str,
    inputs: &[Value<'_>],
    outputs: &[Value<'_>],
    has_constants: bool,
) -> fmt::Result {
    writeln!(
        text,
        "/* Runs the program on arguments of the sizes above; checks alignment and overlaps. */\n\
         static inline halo_status {name}_run(const {name}_arguments *arguments, void *arena,\n    \
         size_t arena_size, const halo_context *context) {{"
    )?;
    let upper = name.to_uppercase();
    for (role, values) in [("input", inputs), ("output", outputs)] {
        if values.is_empty() {
            continue;
        }
        writeln!(text, "  halo_{role} {role}s[{}];", values.len())?;
    }
    writeln!(
        text,
        "  if (arguments == NULL)\n    return HALO_NULL_BUFFER;"
    )?;
    for (role, values) in [("input", inputs), ("output", outputs)] {
        for (index, value) in values.iter().enumerate() {
            let label = value.name;
            let size = format!("{upper}_{}_SIZE", label.to_uppercase());
            writeln!(text, "  {role}s[{index}].data = arguments->{label};")?;
            writeln!(text, "  {role}s[{index}].size = {size};")?;
        }
    }
    let given = |role: &str, count: usize| match count {
        0 => "NULL, 0".to_owned(),
        _ => format!("{role}s, {count}"),
    };
    let constants = if has_constants {
        "arguments->constants, "
    } else {
        ""
    };
    writeln!(
        text,
        "  return {name}_run_buffers({}, {}, {constants}arena, arena_size,\n                         \
         context);\n}}\n",
        given("input", inputs.len()),
        given("output", outputs.len()),
    )
}
