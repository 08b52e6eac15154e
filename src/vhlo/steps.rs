//! The steps from one version of an op to the next, and back.
//!
//! Most versions differ in added attributes: a value without effect represents their absence in the
//! older version, and a newer op with that value can be downgraded. StableHLO's `VhloToVersion.cpp`
//! has the same steps.

use crate::{
    Arena, Attribute, AttributeId, Error, Module, OpKind, Operation, Type, TypeId, Version,
    attribute::Enumeration,
    ops::{self, OpDefinition},
};

/// The value of an attribute that an older version of the op lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Neutral {
    /// `tensor<0xi64>`
    NoIntegers,
    NoElements,
    False,
    NoType,
    DefaultAccuracy,
}

/// The step from a version to the next one.
struct Step {
    /// The older version.
    from: &'static str,
    /// The attributes that the newer version adds.
    added: &'static [(&'static str, Neutral)],
}

const ACCURACY: &[(&str, Neutral)] = &[("result_accuracy", Neutral::DefaultAccuracy)];
const GATHER: &[(&str, Neutral)] = &[
    ("operand_batching_dims", Neutral::NoIntegers),
    ("start_indices_batching_dims", Neutral::NoIntegers),
];
const PAIRS: &[(&str, Neutral)] = &[("source_target_pairs", Neutral::NoIntegers)];

#[rustfmt::skip]
const STEPS: &[Step] = &[
    Step { from: "all_gather_v1", added: &[] },
    Step { from: "all_reduce_v1", added: &[] },
    Step { from: "all_to_all_v1", added: &[] },
    Step { from: "cbrt_v1", added: ACCURACY },
    Step { from: "collective_broadcast_v1", added: &[("has_dynamic_root", Neutral::False)] },
    Step { from: "composite_v1", added: &[] },
    Step { from: "cosine_v1", added: ACCURACY },
    Step { from: "custom_call_v1", added: &[("result_tilings", Neutral::NoElements)] },
    Step {
        from: "dot_general_v1",
        added: &[
            ("accumulation_type", Neutral::NoType),
            ("allow_imprecise_accumulation", Neutral::NoType),
            ("lhs_component_count", Neutral::NoType),
            ("lhs_precision_type", Neutral::NoType),
            ("num_primitive_operations", Neutral::NoType),
            ("rhs_component_count", Neutral::NoType),
            ("rhs_precision_type", Neutral::NoType),
        ],
    },
    // The older version has an attribute that the newer one lacks.
    Step { from: "dynamic_conv_v1", added: &[] },
    Step { from: "dynamic_gather_v1", added: GATHER },
    Step { from: "exponential_minus_one_v1", added: ACCURACY },
    Step { from: "exponential_v1", added: ACCURACY },
    Step { from: "gather_v1", added: GATHER },
    Step { from: "log_plus_one_v1", added: ACCURACY },
    Step { from: "log_v1", added: ACCURACY },
    Step { from: "logistic_v1", added: ACCURACY },
    Step { from: "recv_v1", added: PAIRS },
    Step { from: "rsqrt_v1", added: ACCURACY },
    Step {
        from: "scatter_v1",
        added: &[
            ("input_batching_dims", Neutral::NoIntegers),
            ("scatter_indices_batching_dims", Neutral::NoIntegers),
        ],
    },
    Step { from: "send_v1", added: PAIRS },
    Step { from: "sine_v1", added: ACCURACY },
    Step { from: "sqrt_v1", added: ACCURACY },
    Step { from: "tan_v1", added: ACCURACY },
    Step { from: "tanh_v1", added: ACCURACY },
];

/// The step from the older of two versions to the newer one.
fn step_from(name: &str) -> Option<&'static Step> {
    STEPS.iter().find(|step| step.from == name)
}

impl Module {
    /// Upgrades all ops to their newest versions.
    pub fn upgrade(&mut self) {
        let (attributes, types) = (&mut self.attributes, &mut self.types);
        visit(&mut self.root, |operation| {
            while let OpKind::Vhlo(definition) = operation.kind
                && let Some(step) = step_from(definition.name)
                && let Some(next) = neighbour(definition, 1)
            {
                for (name, neutral) in step.added {
                    operation.set_attribute(name, neutral.make(attributes, types));
                }
                if next.name == "dynamic_conv_v2" {
                    // The removed operand always had the same value.
                    operation.remove_attribute("padding");
                }
                operation.kind = OpKind::Vhlo(next);
            }
            Ok::<_, std::convert::Infallible>(())
        })
        .unwrap_or_else(|never| match never {});
    }

    /// Converts all ops to their versions in a version of StableHLO.
    ///
    /// # Errors
    /// Returns an error if the version does not have an op, or cannot express it.
    pub(crate) fn downgrade(&mut self, target: Version) -> Result<(), Error> {
        let Self {
            attributes,
            types,
            values,
            ..
        } = self;
        let rank_of_first = |operation: &Operation, types: &Arena<Type>| {
            let first = operation.operands.first()?;
            match types.get(*values.get(first.0 as usize)?) {
                Type::RankedTensor { shape, .. } => Some(shape.len()),
                _ => None,
            }
        };
        visit(&mut self.root, |operation| {
            while let OpKind::Vhlo(definition) = operation.kind
                && !definition.is_in(target)
            {
                let location = operation.location;
                let fail = |why: &str| {
                    Err(Error::Target {
                        what: format!("op 'vhlo.{}'", definition.name),
                        target,
                        why: why.to_owned(),
                        location: Some(location),
                    })
                };
                let (Some(previous), true) = (
                    neighbour(definition, -1),
                    definition.since > target.of_dialect(),
                ) else {
                    return fail(&format!("it is new in {}", definition.since));
                };
                let Some(step) = step_from(previous.name) else {
                    return fail(&format!("it is new in {}", definition.since));
                };
                let newer = |(name, neutral): &&(&str, Neutral)| {
                    let value = operation.attribute(name);
                    !value.is_some_and(|value| neutral.is(value, attributes, types))
                };
                if let Some((name, _)) = step.added.iter().find(newer) {
                    return fail(&format!("its '{name}' is new in {}", definition.since));
                }
                let collective = [
                    "all_gather_v2",
                    "all_reduce_v2",
                    "all_to_all_v2",
                    "collective_broadcast_v2",
                ];
                if collective.contains(&definition.name) && operation.operands.len() != 1 {
                    return fail(&format!("several operands are new in {}", definition.since));
                }
                if definition.name == "composite_v2" && !operation.regions.is_empty() {
                    return fail(&format!("regions are new in {}", definition.since));
                }
                for (name, _) in step.added {
                    operation.remove_attribute(name);
                }
                if definition.name == "dynamic_conv_v2" {
                    let Some(rank) = rank_of_first(operation, types) else {
                        return fail("its operand has no rank");
                    };
                    let padding = zeros(rank.saturating_sub(2), attributes, types);
                    operation.set_attribute("padding", padding);
                }
                operation.kind = OpKind::Vhlo(previous);
            }
            Ok(())
        })
    }
}

/// The version of an op before or after another one.
fn neighbour(definition: &OpDefinition, distance: i32) -> Option<&'static OpDefinition> {
    let (family, number) = definition.name.rsplit_once("_v")?;
    let number: i32 = number.parse().ok()?;
    ops::find(&format!("{family}_v{}", number + distance))
}

/// Calls a function with an op and all ops in it.
pub(crate) fn visit<E>(
    root: &mut Operation,
    mut function: impl FnMut(&mut Operation) -> Result<(), E>,
) -> Result<(), E> {
    let mut stack = vec![root];
    while let Some(operation) = stack.pop() {
        function(operation)?;
        let blocks = operation.regions.iter_mut().flat_map(|region| &mut region.blocks);
        let inner: Vec<_> = blocks.flat_map(|block| &mut block.operations).collect();
        stack.extend(inner.into_iter().rev());
    }
    Ok(())
}

impl Neutral {
    fn make(self, attributes: &mut Arena<Attribute>, types: &mut Arena<Type>) -> AttributeId {
        let attribute = match self {
            Self::NoIntegers => Attribute::Tensor {
                ty: integers(vec![0], types),
                data: [][..].into(),
            },
            Self::NoElements => Attribute::Array(Vec::new()),
            Self::False => Attribute::Boolean(false),
            Self::NoType => Attribute::Type(types.intern(Type::None)),
            Self::DefaultAccuracy => Attribute::ResultAccuracy {
                atol: 0,
                rtol: 0,
                ulps: 0,
                mode: attributes.intern(Attribute::Enumeration(Enumeration::ResultAccuracyMode, 0)),
            },
        };
        attributes.intern(attribute)
    }

    fn is(self, value: AttributeId, attributes: &Arena<Attribute>, types: &Arena<Type>) -> bool {
        match (self, attributes.get(value)) {
            (Self::NoIntegers, Attribute::Tensor { data, .. }) => data.is_empty(),
            (Self::NoElements, Attribute::Array(elements)) => elements.is_empty(),
            (Self::False, Attribute::Boolean(value)) => !value,
            (Self::NoType, Attribute::Type(ty)) => *types.get(*ty) == Type::None,
            (
                Self::DefaultAccuracy,
                Attribute::ResultAccuracy {
                    atol,
                    rtol,
                    ulps,
                    mode,
                },
            ) => {
                // Either zero means none.
                let zero = |bits: &u64| bits << 1 == 0;
                let default = Attribute::Enumeration(Enumeration::ResultAccuracyMode, 0);
                zero(atol) && zero(rtol) && *ulps == 0 && *attributes.get(*mode) == default
            }
            _ => false,
        }
    }
}

/// The type of a tensor of `i64`.
fn integers(shape: Vec<i64>, types: &mut Arena<Type>) -> TypeId {
    let element = types.intern(Type::Integer {
        width: 64,
        unsigned: false,
    });
    types.intern(Type::RankedTensor {
        shape,
        element,
        encoding: None,
    })
}

/// The padding of a convolution without padding.
fn zeros(
    dimensions: usize,
    attributes: &mut Arena<Attribute>,
    types: &mut Arena<Type>,
) -> AttributeId {
    let ty = integers(vec![dimensions as i64, 2], types);
    // One element represents all.
    let data = [0; 8];
    let data = &data[..if dimensions == 0 { 0 } else { 8 }];
    attributes.intern(Attribute::Tensor {
        ty,
        data: data.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The attributes of two versions differ by the ones of the step.
    #[test]
    fn steps_lead_from_version_to_version() {
        for definition in ops::all() {
            let Some(next) = neighbour(definition, 1) else {
                assert!(step_from(definition.name).is_none(), "{}", definition.name);
                continue;
            };
            let step = step_from(definition.name)
                .unwrap_or_else(|| panic!("no step from {}", definition.name));
            let mut names: Vec<&str> = definition.attributes.to_vec();
            names.extend(step.added.iter().map(|(name, _)| *name));
            if next.name == "dynamic_conv_v2" {
                names.retain(|name| *name != "padding");
            }
            names.sort_unstable();
            assert_eq!(names, next.attributes, "{}", next.name);
        }
    }
}
