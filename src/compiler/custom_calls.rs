//! What a custom call says beside its operands.

use crate::ir::{Operation, attribute_of, dictionary_entry, string_value};
use melior::ir::operation::OperationLike;

/// The target by which exporters of dynamic programs state conditions on shapes.
pub const SHAPE_ASSERTION: &str = "shape_assertion";

/// Whether a target only says where its operand is to be, which is nothing to
/// do on one device.
pub fn is_annotation(target: &str) -> bool {
    matches!(
        target,
        "Sharding"
            | "SPMDFullToShardShape"
            | "SPMDShardToFullShape"
            | "annotate_device_placement"
            | "LayoutConstraint"
    )
}

/// The attribute `error_message` of an assertion: an attribute of the op, or an
/// entry of its configuration.
pub fn error_message<'c>(operation: Operation<'c>) -> Option<&'c str> {
    if let Some(message) = attribute_of(operation, "error_message") {
        return string_value(message);
    }
    let config = attribute_of(operation, "backend_config")?;
    string_value(dictionary_entry(config, "error_message")?)
}

/// The text of `backend_config`, and of the attributes that the op carries
/// beside its own, which the checks use for their limits; of a shape assertion
/// its message.
pub fn configuration(operation: Operation) -> String {
    let target = attribute_of(operation, "call_target_name").and_then(string_value);
    if target == Some(SHAPE_ASSERTION)
        && let Some(message) = error_message(operation)
    {
        return message.to_owned();
    }
    let mut parts = Vec::new();
    for (name, attribute) in operation.attributes() {
        let name = name.as_string_ref().as_str().unwrap_or_default().to_owned();
        let own = [
            "call_target_name",
            "has_side_effect",
            "api_version",
            "called_computations",
            "operand_layouts",
            "result_layouts",
            "output_operand_aliases",
            "value",
        ];
        if own.contains(&name.as_str()) {
            continue;
        }
        if name == "backend_config" {
            match string_value(attribute) {
                Some("") => continue,
                Some(text) => return text.to_owned(),
                None => return attribute.to_string(),
            }
        }
        parts.push(format!("{name} = {attribute}"));
    }
    format!("{{{}}}", parts.join(", "))
}
