//! The part of the C header about sizes that differ from run to run.

use super::value::Value;
use halo_runtime::host::SizeElement;
use std::fmt::{self, Write};

/// The member of the sizes for a dimension of a value.
pub fn member(value: &Value<'_>, dimension: usize) -> String {
    format!("{}_{dimension}", value.name)
}

/// The dynamic dimensions of a value.
fn dimensions(value: &Value<'_>) -> impl Iterator<Item = usize> {
    let dims = value.shape.dims().iter().enumerate();
    dims.filter(|(_, size)| size.is_none()).map(|(number, _)| number)
}

/// The size of a value in bytes, an expression of sizes.
pub fn bytes(value: &Value<'_>, sizes: &str) -> String {
    let fixed = value.shape.dims().iter().flatten();
    let fixed = fixed.fold(value.shape.element_type().byte_width(), |product, size| {
        product.saturating_mul(*size)
    });
    dimensions(value).fold(format!("(size_t){fixed}"), |product, number| {
        format!("halo_times({product}, {sizes}{})", member(value, number))
    })
}

/// The members for the dynamic dimensions of values.
fn dimension_members(text: &mut String, values: &[Value<'_>]) -> fmt::Result {
    for value in values {
        for number in dimensions(value) {
            writeln!(
                text,
                "  int64_t {}; /* dimension {number} of {}, {} */",
                member(value, number),
                value.name,
                value.shape
            )?;
        }
    }
    Ok(())
}

/// The structure of the sizes, and the function that plans them. The messages are literals of C.
pub fn write(
    text: &mut String,
    (name, symbol): (&str, &str),
    (messages, elements): (&[String], &[SizeElement]),
    (inputs, outputs): (&[Value<'_>], &[Value<'_>]),
) -> fmt::Result {
    writeln!(
        text,
        "int32_t {symbol}(int64_t *sizes);\n\n\
         /* The sizes of a run. Those of the inputs are given, {name}_plan computes the others. */\n\
         typedef struct {name}_sizes {{"
    )?;
    dimension_members(text, inputs)?;
    for element in elements {
        if let Some(input) = inputs.get(element.input) {
            let (name, position) = (input.name, element.position);
            writeln!(
                text,
                "  int64_t {name}_at_{position}; /* given: element {position} of {name}, {} */",
                input.shape
            )?;
        }
    }
    dimension_members(text, outputs)?;
    writeln!(
        text,
        "  int64_t arena_size; /* in bytes */\n}} {name}_sizes;\n"
    )?;
    let negative: Vec<String> = inputs
        .iter()
        .flat_map(|value| dimensions(value).map(|number| member(value, number)))
        .map(|member| format!("sizes->{member} < 0"))
        .collect();
    let negative = if negative.is_empty() {
        "0".to_owned()
    } else {
        negative.join(" || ")
    };
    writeln!(
        text,
        "/* Computes the sizes of the outputs and of the arena from those of the inputs. If the\n   \
         program cannot have these, the status is HALO_IMPOSSIBLE_SIZES, and the reason, unless it\n   \
         is null, gets a text. */\n\
         static inline halo_status {name}_plan({name}_sizes *sizes, const char **reason) {{\n  \
         static const char *const reasons[] = {{{}}};\n  \
         int32_t failed = 0;\n  \
         if (sizes == NULL)\n    \
         return HALO_NULL_BUFFER;\n  \
         if (!({negative}))\n    \
         failed = {symbol}((int64_t *)sizes) + 1;\n  \
         if (failed == 1 && sizes->arena_size <= HALO_MOST_BYTES)\n    \
         return HALO_OK;\n  \
         if (reason != NULL)\n    \
         *reason = reasons[failed];\n  \
         return HALO_IMPOSSIBLE_SIZES;\n\
         }}\n",
        [
            "\"a size is negative\"".to_owned(),
            "\"intermediate values do not fit in memory\"".to_owned()
        ]
        .iter()
        .chain(messages)
        .cloned()
        .collect::<Vec<_>>()
        .join(",\n    ")
    )
}

/// Declares the planned sizes of a run, and the program with these sizes.
pub fn sized_program(name: &str, inputs: &[Value<'_>], outputs: &[Value<'_>]) -> String {
    let mut text = format!("{name}_sizes planned;\n  halo_program sized = {name}_program;\n");
    for (role, values) in [("inputs", inputs), ("outputs", outputs)] {
        if values.is_empty() {
            continue;
        }
        text += &format!("  halo_value {role}_of_run[{}];\n", values.len());
    }
    text += "  if (sizes == NULL)\n    return HALO_NULL_BUFFER;\n  planned = *sizes;\n";
    text += &format!(
        "  status = {name}_plan(&planned, NULL);\n  if (status != HALO_OK)\n    return status;\n"
    );
    for value in outputs {
        for number in dimensions(value) {
            let member = member(value, number);
            text += &format!(
                "  if (planned.{member} != sizes->{member})\n    return HALO_WRONG_SIZE;\n"
            );
        }
    }
    for (role, values) in [("inputs", inputs), ("outputs", outputs)] {
        for (number, value) in values.iter().enumerate() {
            text += &format!("  {role}_of_run[{number}] = {name}_{role}[{number}];\n");
            if value.byte_size().is_none() {
                let bytes = bytes(value, "planned.");
                text += &format!("  {role}_of_run[{number}].size = {bytes};\n");
            }
        }
        if !values.is_empty() {
            text += &format!("  sized.{role} = {role}_of_run;\n");
        }
    }
    text + "  sized.arena_size = (size_t)planned.arena_size;\n  "
}
