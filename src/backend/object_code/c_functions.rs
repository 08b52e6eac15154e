//! The functions of the C header that check the buffers of a run.

use std::fmt::{self, Write};

use super::{ObjectCode, c_sizes, value::Value};

/// The checked function with buffer sizes.
pub fn run_buffers(
    text: &mut String,
    code: &ObjectCode,
    entry: &str,
    (inputs, outputs): (&[Value<'_>], &[Value<'_>]),
) -> fmt::Result {
    let name = &code.name;
    let upper = name.to_uppercase();
    let is_dynamic = code.size_checks.is_some();
    let program = if is_dynamic {
        "sized".to_owned()
    } else {
        format!("{name}_program")
    };
    let (parameter, mut slots, mut check) = if code.constants.is_some() {
        (
            "const halo_constants *constants, ",
            2,
            format!(
                "  status = halo_bind_constants(&{program}, constants, \
                 &{name}_constants_start, buffers);\n  \
                 if (status != HALO_OK)\n    \
                 return status;\n"
            ),
        )
    } else {
        ("", 1, String::new())
    };
    let (mut sizes, mut plan) = ("", String::new());
    if is_dynamic {
        sizes = "SIZES";
        plan = c_sizes::sized_program(name, inputs, outputs);
        check += &format!(
            "  buffers[{upper}_INPUTS + {upper}_OUTPUTS + {slots}] = (uint8_t *)&planned;\n"
        );
        slots += 1;
    }
    let sizes = sizes.replace("SIZES", &format!("const {name}_sizes *sizes,\n    "));
    writeln!(
        text,
        "/* Runs the program on buffers in the order of {name}_program, after it has checked their\n   \
         number, sizes, alignment and overlaps. Without a context, on the calling thread. */\n\
         static inline halo_status {name}_run_buffers({sizes}const halo_input *inputs, size_t input_count,\n    \
         const halo_output *outputs, size_t output_count, {parameter}void *arena,\n    \
         size_t arena_size, const halo_context *context) {{\n  \
         uint8_t *buffers[{upper}_INPUTS + {upper}_OUTPUTS + {slots}];\n  \
         const halo_context serial = halo_serial();\n  \
         halo_status status = HALO_OK;\n  \
         {plan}if (context == NULL)\n    \
         context = &serial;\n  \
         status = halo_bind(&{program}, inputs, input_count, outputs, output_count, arena,\n                     \
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
    code: &ObjectCode,
    (inputs, outputs): (&[Value<'_>], &[Value<'_>]),
) -> fmt::Result {
    let name = &code.name;
    let is_dynamic = code.size_checks.is_some();
    let sizes = if is_dynamic {
        format!("const {name}_sizes *sizes,\n    ")
    } else {
        String::new()
    };
    writeln!(
        text,
        "/* Runs the program on arguments of the sizes above; checks alignment and overlaps. */\n\
         static inline halo_status {name}_run(const {name}_arguments *arguments, {sizes}void *arena,\n    \
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
        "  if (arguments == NULL{})\n    return HALO_NULL_BUFFER;",
        if is_dynamic { " || sizes == NULL" } else { "" }
    )?;
    for (role, values) in [("input", inputs), ("output", outputs)] {
        for (index, value) in values.iter().enumerate() {
            let label = value.name;
            let size = match value.byte_size() {
                Some(_) => format!("{upper}_{}_SIZE", label.to_uppercase()),
                None => c_sizes::bytes(value, "sizes->"),
            };
            writeln!(text, "  {role}s[{index}].data = arguments->{label};")?;
            writeln!(text, "  {role}s[{index}].size = {size};")?;
        }
    }
    let given = |role: &str, count: usize| match count {
        0 => "NULL, 0".to_owned(),
        _ => format!("{role}s, {count}"),
    };
    let constants = if code.constants.is_some() {
        "arguments->constants, "
    } else {
        ""
    };
    writeln!(
        text,
        "  return {name}_run_buffers({}{}, {}, {constants}arena, arena_size,\n                         \
         context);\n}}\n",
        if is_dynamic { "sizes, " } else { "" },
        given("input", inputs.len()),
        given("output", outputs.len()),
    )
}
