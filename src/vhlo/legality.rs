//! The features of each version of VHLO.
//!
//! [`crate::steps`] handles the versions of ops. Types and attributes have a
//! first version, too, and newer versions of StableHLO relax the constraints of
//! some ops.

use crate::{
    Attribute, AttributeId, Module, OpKind, Operation, Type, TypeId, Version,
    attribute::Enumeration, types::FloatFormat,
};

/// The first version with an attribute, not considering its references.
pub(crate) fn attribute_since(attribute: &Attribute) -> Version {
    match attribute {
        Attribute::Enumeration(Enumeration::ResultAccuracyMode, _)
        | Attribute::ResultAccuracy { .. } => Version::new(1, 9),
        Attribute::SubAxisInfo { .. }
        | Attribute::AxisRef { .. }
        | Attribute::MeshAxis { .. }
        | Attribute::Mesh { .. }
        | Attribute::ReplicaGroupMeshAxes { .. } => Version::new(1, 16),
        _ => Version::MINIMUM,
    }
}

/// The first version with a type, not considering its parts.
pub(crate) fn type_since(ty: &Type) -> Version {
    match ty {
        Type::Float(format) => match format {
            FloatFormat::F8E4M3FNUZ | FloatFormat::F8E5M2FNUZ => Version::new(0, 10),
            FloatFormat::F8E4M3B11FNUZ => Version::new(0, 11),
            FloatFormat::TF32 => Version::new(1, 6),
            FloatFormat::F8E4M3 | FloatFormat::F8E3M4 => Version::new(1, 7),
            FloatFormat::F4E2M1FN
            | FloatFormat::F6E2M3FN
            | FloatFormat::F6E3M2FN
            | FloatFormat::F8E8M0FNU => Version::new(1, 8),
            _ => Version::MINIMUM,
        },
        Type::Integer { width: 2, .. } => Version::new(1, 2),
        Type::UniformQuantizedPerAxis { .. } => Version::new(0, 18),
        Type::None => Version::new(1, 6),
        Type::RankedBuffer { .. } => Version::new(1, 13),
        Type::Future(_) => Version::new(1, 15),
        _ => Version::MINIMUM,
    }
}

/// The feature of an op that is newer than the version of the op, and the first version of
/// StableHLO with it.
pub(crate) fn newer_feature(
    module: &Module,
    operation: &Operation,
) -> Option<(&'static str, Version)> {
    let OpKind::Vhlo(definition) = operation.kind else {
        return None;
    };
    let attribute = |name: &str| operation.attribute(name).map(|id| module.attributes.get(id));
    let any_future = || {
        let types = operation.operands.iter().map(|value| module.types.get(module.type_of(*value)));
        types.into_iter().any(|ty| matches!(ty, Type::Future(_)))
    };
    match definition.name {
        "all_reduce_v1"
        | "reduce_v1"
        | "reduce_scatter_v1"
        | "reduce_window_v1"
        | "scatter_v1"
        | "select_and_scatter_v1" => {
            let pairs = operation.operands.iter().zip(&operation.results);
            let mut elements = pairs.map(|(operand, result)| {
                let element = |value| element_type(module, module.type_of(value));
                (element(*operand), element(*result))
            });
            elements
                .any(|(operand, result)| operand != result)
                .then_some(("results of another element type", Version::new(0, 17)))
        }
        "custom_call_v1" | "custom_call_v2" => {
            let typed = Attribute::Enumeration(Enumeration::CustomCallApiVersion, 4);
            if any_future() {
                Some(("operands that are futures", Version::new(1, 17)))
            } else if matches!(attribute("backend_config"), Some(Attribute::Dictionary(_)))
                || attribute("api_version") == Some(&typed)
            {
                Some(("a configuration that is a dictionary", Version::new(1, 3)))
            } else {
                None
            }
        }
        "convolution_v1" | "dynamic_conv_v1" | "dynamic_conv_v2" => {
            let element = |index: usize| {
                let value = operation.operands.get(index)?;
                float_of(element_type(module, module.type_of(*value))?)
            };
            let mixed = match (element(0), element(1)) {
                (Some(lhs), Some(rhs)) => lhs != rhs && lhs.is_f8() && rhs.is_f8(),
                _ => false,
            };
            mixed.then_some(("operands of different floats", Version::new(1, 20)))
        }
        "dot_general_v2" => {
            let narrow = ["lhs_precision_type", "rhs_precision_type"].into_iter().any(|name| {
                matches!(attribute(name), Some(Attribute::Type(ty))
                    if *module.types.get(*ty) == Type::Float(FloatFormat::F8E4M3FN))
            });
            narrow.then_some(("an algorithm on f8E4M3FN", Version::new(1, 21)))
        }
        _ => None,
    }
}

fn element_type(module: &Module, ty: TypeId) -> Option<&Type> {
    match module.types.get(ty) {
        Type::RankedTensor { element, .. } | Type::UnrankedTensor(element) => {
            Some(module.types.get(*element))
        }
        _ => None,
    }
}

fn float_of(ty: &Type) -> Option<FloatFormat> {
    match ty {
        Type::Float(format) => Some(*format),
        _ => None,
    }
}

/// The name of an attribute in messages.
pub(crate) fn attribute_name(module: &Module, id: AttributeId) -> String {
    match module.attributes.get(id) {
        Attribute::Enumeration(kind, _) => format!("attribute {kind:?}"),
        Attribute::ResultAccuracy { .. } => "attribute 'result_accuracy'".to_owned(),
        Attribute::SubAxisInfo { .. }
        | Attribute::AxisRef { .. }
        | Attribute::MeshAxis { .. }
        | Attribute::Mesh { .. }
        | Attribute::ReplicaGroupMeshAxes { .. } => "replica groups by mesh axes".to_owned(),
        _ => "an attribute".to_owned(),
    }
}

/// The name of a type in messages.
pub(crate) fn type_name(module: &Module, id: TypeId) -> String {
    match module.types.get(id) {
        Type::Float(format) => format!("type {format:?}"),
        Type::Integer { width, unsigned } => {
            format!("type {}i{width}", if *unsigned { "u" } else { "" })
        }
        Type::UniformQuantizedPerAxis { .. } => "a type that is quantized per axis".to_owned(),
        Type::RankedBuffer { .. } => "a buffer type".to_owned(),
        Type::Future(_) => "a future type".to_owned(),
        Type::None => "type none".to_owned(),
        _ => "a type".to_owned(),
    }
}
