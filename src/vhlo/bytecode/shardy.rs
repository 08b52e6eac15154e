//! Attributes of the Shardy dialect, `sdy`.
//!
//! Halo keeps shardings without interpreting them, so each becomes the text that Shardy prints.

use super::{attributes::Decoder, cursor::Cursor};
use crate::{
    AttributeId, Error,
    attribute::{Attribute, Builtin, Bytes, Sharding},
};
use std::{collections::HashMap, fmt::Write};

/// Reads an attribute of `sdy`.
pub(super) fn read(decoder: &Decoder, cursor: &mut Cursor) -> Result<Attribute, Error> {
    let offset = cursor.offset();
    let number = cursor.number("the number of an attribute's kind")?;
    Ok(Attribute::Sharding(match number {
        0 => Sharding::ManualAxes(decoder.attributes(cursor)?),
        1 => Sharding::MeshAxis {
            name: decoder.string(cursor)?,
            size: cursor.signed("a size")?,
        },
        2 => Sharding::Mesh {
            axes: decoder.attributes(cursor)?,
            device_ids: cursor.signed_list("device ids")?,
        },
        3 => Sharding::SubAxisInfo {
            pre_size: cursor.signed("a size")?,
            size: cursor.signed("a size")?,
        },
        4 => Sharding::AxisRef {
            name: decoder.string(cursor)?,
            sub_axis_info: decoder.optional_attribute(cursor)?,
        },
        5 => Sharding::Dimension {
            axes: decoder.attributes(cursor)?,
            closed: cursor.byte("a boolean")? != 0,
            priority: match cursor.flagged("a priority")? {
                (priority, true) => Some(priority),
                _ => None,
            },
        },
        6 | 15 | 17 => Sharding::Tensor {
            mesh_or_ref: decoder.attribute(cursor)?,
            dimensions: decoder.attributes(cursor)?,
            replicated_axes: decoder.attributes(cursor)?,
            unreduced_axes: match number {
                6 => Vec::new(),
                _ => decoder.attributes(cursor)?,
            },
            reduction: match number {
                17 => reduction(cursor)?,
                _ => 0,
            },
        },
        7 | 16 => Sharding::PerValue(decoder.attributes(cursor)?),
        8 => Sharding::DimMapping(cursor.signed_list("factors")?),
        9 => Sharding::TensorMapping(decoder.attributes(cursor)?),
        10 => Sharding::OpShardingRule {
            factor_sizes: cursor.signed_list("sizes of factors")?,
            operand_mappings: decoder.attributes(cursor)?,
            result_mappings: decoder.attributes(cursor)?,
            reduction_factors: cursor.signed_list("factors")?,
            need_replication_factors: cursor.signed_list("factors")?,
            permutation_factors: cursor.signed_list("factors")?,
            blocked_propagation_factors: cursor.signed_list("factors")?,
            custom: cursor.byte("a boolean")? != 0,
        },
        _ => {
            let message = format!("attribute {number} of dialect 'sdy' is not expected here");
            return Err(Error::malformed(offset, message));
        }
    }))
}

/// Shardy's `ReductionOp`.
fn reduction(cursor: &mut Cursor) -> Result<u8, Error> {
    let offset = cursor.offset();
    let number = cursor.signed("a reduction")?;
    let known = u8::try_from(number)
        .ok()
        .filter(|number| usize::from(*number) < REDUCTIONS.len());
    known.ok_or_else(|| Error::malformed(offset, format!("{number} is no reduction of 'sdy'")))
}

/// The names of reductions. Sums are not named.
const REDUCTIONS: [&str; 3] = ["", "max", "min"];

/// Replaces the attributes of `sdy` by texts. `order` has all attributes, each after the ones that
/// it refers to.
pub(super) fn to_text(attributes: &mut [Attribute], order: &[AttributeId]) -> Result<(), Error> {
    let mut texts = Texts {
        bodies: HashMap::new(),
        attributes,
    };
    for id in order {
        let sharding = match texts.attributes.get(id.0 as usize) {
            Some(Attribute::Sharding(sharding)) => sharding.clone(),
            _ => continue,
        };
        let body = texts.body(&sharding).map_err(|_| {
            Error::malformed(0, "an attribute of dialect 'sdy' has parts of another kind")
        })?;
        texts.bodies.insert(*id, body);
    }
    let dialect: Bytes = b"sdy"[..].into();
    for (id, body) in texts.bodies {
        if let Some(attribute) = attributes.get_mut(id.0 as usize)
            && let Attribute::Sharding(sharding) = attribute
        {
            let name = mnemonic(sharding);
            let text = if body.starts_with('<') {
                format!("#sdy.{name}{body}")
            } else {
                format!("#sdy<{name}{body}>")
            };
            *attribute = Attribute::Text {
                dialect: dialect.clone(),
                text: text.into_bytes().into(),
            };
        }
    }
    Ok(())
}

fn mnemonic(sharding: &Sharding) -> &'static str {
    match sharding {
        Sharding::ManualAxes(_) => "manual_axes",
        Sharding::MeshAxis { .. } => "mesh_axis",
        Sharding::Mesh { .. } => "mesh",
        Sharding::SubAxisInfo { .. } => "sub_axis_info",
        Sharding::AxisRef { .. } => "axis_ref",
        Sharding::Dimension { .. } => "dimension_sharding",
        Sharding::Tensor { .. } => "sharding",
        Sharding::PerValue(_) => "sharding_per_value",
        Sharding::DimMapping(_) => "dim_mapping",
        Sharding::TensorMapping(_) => "tensor_mapping",
        Sharding::OpShardingRule { .. } => "op_sharding_rule",
    }
}

/// A component of the wrong kind.
struct Mismatch;

impl From<std::fmt::Error> for Mismatch {
    fn from(_: std::fmt::Error) -> Self {
        Self
    }
}

/// The text of attributes nested in others.
struct Texts<'a> {
    bodies: HashMap<AttributeId, String>,
    attributes: &'a [Attribute],
}

impl Texts<'_> {
    fn part(&self, id: AttributeId) -> Result<&str, Mismatch> {
        self.bodies.get(&id).map(String::as_str).ok_or(Mismatch)
    }

    fn list(&self, ids: &[AttributeId]) -> Result<String, Mismatch> {
        let parts: Result<Vec<&str>, _> = ids.iter().map(|id| self.part(*id)).collect();
        Ok(parts?.join(", "))
    }

    /// The bytes of a string, or of the name in a symbol reference.
    fn string(&self, id: AttributeId) -> Result<&[u8], Mismatch> {
        match self.attributes.get(id.0 as usize) {
            Some(Attribute::Builtin(Builtin::String(bytes))) => Ok(bytes),
            Some(Attribute::Builtin(Builtin::FlatSymbolRef(name))) => {
                match self.attributes.get(name.0 as usize) {
                    Some(Attribute::Builtin(Builtin::String(bytes))) => Ok(bytes),
                    _ => Err(Mismatch),
                }
            }
            _ => Err(Mismatch),
        }
    }

    fn body(&self, sharding: &Sharding) -> Result<String, Mismatch> {
        let mut text = String::new();
        match sharding {
            Sharding::ManualAxes(names) => {
                let names = names.iter().map(|name| self.string(*name).map(quoted));
                let names = names.collect::<Result<Vec<String>, Mismatch>>()?;
                write!(text, "{{{}}}", names.join(", "))?;
            }
            Sharding::MeshAxis { name, size } => write!(text, "{}={size}", quoted(name))?,
            Sharding::Mesh { axes, device_ids } => {
                write!(text, "<[{}]", self.list(axes)?)?;
                if !device_ids.is_empty() {
                    write!(text, ", device_ids=[{}]", numbers(device_ids))?;
                }
                text.push('>');
            }
            Sharding::SubAxisInfo { pre_size, size } => write!(text, "({pre_size}){size}")?,
            Sharding::AxisRef {
                name,
                sub_axis_info,
            } => {
                text.push_str(&quoted(name));
                if let Some(info) = sub_axis_info {
                    write!(text, ":{}", self.part(*info)?)?;
                }
            }
            Sharding::Dimension {
                axes,
                closed,
                priority,
            } => {
                let open = match (closed, axes.is_empty()) {
                    (true, _) => "",
                    (false, true) => "?",
                    (false, false) => ", ?",
                };
                write!(text, "{{{}{open}}}", self.list(axes)?)?;
                if let Some(priority) = priority {
                    write!(text, "p{priority}")?;
                }
            }
            Sharding::Tensor {
                mesh_or_ref,
                dimensions,
                replicated_axes,
                unreduced_axes,
                reduction,
            } => {
                match self.part(*mesh_or_ref) {
                    Ok(mesh) => write!(text, "<mesh{mesh}")?,
                    Err(_) => write!(text, "<{}", symbol(self.string(*mesh_or_ref)?))?,
                }
                write!(text, ", [{}]", self.list(dimensions)?)?;
                let reduction = REDUCTIONS.get(usize::from(*reduction)).ok_or(Mismatch)?;
                for (name, kind, axes) in [
                    ("replicated", "", replicated_axes),
                    ("unreduced", *reduction, unreduced_axes),
                ] {
                    if !axes.is_empty() {
                        write!(text, ", {name}={kind}{{{}}}", self.list(axes)?)?;
                    }
                }
                text.push('>');
            }
            Sharding::PerValue(shardings) => write!(text, "<[{}]>", self.list(shardings)?)?,
            Sharding::DimMapping(factors) => {
                let factors: String = if factors.is_empty() {
                    "1".to_owned()
                } else {
                    factors.iter().map(|factor| factor_name(*factor)).collect()
                };
                text.push_str(&factors);
            }
            Sharding::TensorMapping(dimensions) => write!(text, "[{}]", self.list(dimensions)?)?,
            Sharding::OpShardingRule {
                factor_sizes,
                operand_mappings,
                result_mappings,
                reduction_factors,
                need_replication_factors,
                permutation_factors,
                blocked_propagation_factors,
                custom,
            } => {
                let sizes: Vec<String> = (0_i64..)
                    .zip(factor_sizes)
                    .map(|(factor, size)| format!("{}={size}", factor_name(factor)))
                    .collect();
                write!(
                    text,
                    "<({})->({}) {{{}}}",
                    self.list(operand_mappings)?,
                    self.list(result_mappings)?,
                    sizes.join(", ")
                )?;
                for (name, factors) in [
                    ("reduction", reduction_factors),
                    ("need_replication", need_replication_factors),
                    ("permutation", permutation_factors),
                    ("blocked_propagation", blocked_propagation_factors),
                ] {
                    if !factors.is_empty() {
                        let factors: Vec<_> = factors.iter().map(|f| factor_name(*f)).collect();
                        write!(text, " {name}={{{}}}", factors.join(", "))?;
                    }
                }
                text.push_str(if *custom { ", custom>" } else { ">" });
            }
        }
        Ok(text)
    }
}

/// The name of a factor of a sharding rule: `i` to `z`, then `z_1` and on.
fn factor_name(factor: i64) -> String {
    const LETTERS: &[u8] = b"ijklmnopqrstuvwxyz";
    match usize::try_from(factor).ok().and_then(|index| LETTERS.get(index)) {
        Some(letter) => char::from(*letter).to_string(),
        None => format!("z_{}", factor.saturating_sub(LETTERS.len() as i64 - 1)),
    }
}

fn numbers(values: &[i64]) -> String {
    let values: Vec<String> = values.iter().map(i64::to_string).collect();
    values.join(", ")
}

/// `@name`, quoted if necessary.
fn symbol(name: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
    let starts = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    if starts && name.iter().all(plain) {
        return format!("@{}", String::from_utf8_lossy(name));
    }
    format!("@{}", quoted(name))
}

/// A string in quotes, as MLIR prints it.
fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'\\' => text.push_str("\\\\"),
            b'"' | 0..=0x1f | 0x7f.. => {
                // Writing into a string does not fail.
                _ = write!(text, "\\{byte:02X}");
            }
            _ => text.push(char::from(*byte)),
        }
    }
    text.push('"');
    text
}
