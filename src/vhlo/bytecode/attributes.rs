//! The encodings of attributes.

use super::{cursor::Cursor, emitter::Emitter, numbers::Numbers, shardy, tables::Strings, types};
use crate::{
    AttributeId, Error, TypeId, Version,
    attribute::{Attribute, Builtin, Bytes, Enumeration, Location},
    types::{Builtin as BuiltinType, Type},
};

/// The numbers of the enumerations of VHLO.
const ENUMERATIONS: [(u64, Enumeration); 9] = [
    (3, Enumeration::ComparisonDirection),
    (4, Enumeration::ComparisonType),
    (5, Enumeration::CustomCallApiVersion),
    (7, Enumeration::FftType),
    (11, Enumeration::Precision),
    (12, Enumeration::RngAlgorithm),
    (13, Enumeration::RngDistribution),
    (16, Enumeration::Transpose),
    (19, Enumeration::ResultAccuracyMode),
];

/// The codes of the other attributes of VHLO.
mod code {
    pub const ARRAY: u64 = 1;
    pub const BOOLEAN: u64 = 2;
    pub const DICTIONARY: u64 = 6;
    pub const FLOAT: u64 = 8;
    pub const INTEGER: u64 = 9;
    pub const OUTPUT_OPERAND_ALIAS: u64 = 10;
    pub const STRING: u64 = 14;
    pub const TENSOR: u64 = 15;
    pub const TYPE: u64 = 17;
    pub const TYPE_EXTENSIONS: u64 = 18;
    pub const RESULT_ACCURACY: u64 = 20;
    pub const SUB_AXIS_INFO: u64 = 21;
    pub const AXIS_REF: u64 = 22;
    pub const REPLICA_GROUP_MESH_AXES: u64 = 23;
    pub const MESH_AXIS: u64 = 24;
    pub const MESH: u64 = 25;
}

/// The codes of MLIR's builtin attributes.
pub(super) mod builtin {
    pub const ARRAY: u64 = 0;
    pub const DICTIONARY: u64 = 1;
    pub const STRING: u64 = 2;
    pub const STRING_WITH_TYPE: u64 = 3;
    pub const FLAT_SYMBOL_REF: u64 = 4;
    pub const SYMBOL_REF: u64 = 5;
    pub const TYPE: u64 = 6;
    pub const UNIT: u64 = 7;
    pub const INTEGER: u64 = 8;
    pub const FLOAT: u64 = 9;
    pub const CALL_SITE: u64 = 10;
    pub const FILE_LINE_COL: u64 = 11;
    pub const FUSED: u64 = 12;
    pub const FUSED_WITH_METADATA: u64 = 13;
    pub const NAME: u64 = 14;
    pub const UNKNOWN: u64 = 15;
    pub const RESOURCE: u64 = 16;
    pub const DENSE_ARRAY: u64 = 17;
    pub const DENSE_ELEMENTS: u64 = 18;
    pub const DENSE_STRINGS: u64 = 19;
    pub const SPARSE_ELEMENTS: u64 = 20;
    pub const DISTINCT: u64 = 21;
    pub const FILE_LINE_COL_RANGE: u64 = 22;
}

/// The tables for reading attributes and types.
pub(super) struct Decoder<'a> {
    pub strings: &'a Strings,
    pub attribute_count: usize,
    pub type_count: usize,
    /// The types, read before: the width of numbers depends on them.
    pub types: &'a [Type],
    pub artifact: Version,
}

impl Decoder<'_> {
    /// Reads the number of an attribute.
    pub fn attribute(&self, cursor: &mut Cursor) -> Result<AttributeId, Error> {
        let offset = cursor.offset();
        let number = cursor.number("the number of an attribute")?;
        self.attribute_id(number, offset)
    }

    fn attribute_id(&self, number: u64, offset: usize) -> Result<AttributeId, Error> {
        let index = super::tables::index(number, self.attribute_count, offset, "attribute")?;
        Ok(AttributeId(index as u32))
    }

    /// Reads the number of an attribute that may be absent.
    pub fn optional_attribute(&self, cursor: &mut Cursor) -> Result<Option<AttributeId>, Error> {
        let offset = cursor.offset();
        let (number, present) = cursor.flagged("the number of an attribute")?;
        present.then(|| self.attribute_id(number, offset)).transpose()
    }

    pub fn attributes(&self, cursor: &mut Cursor) -> Result<Vec<AttributeId>, Error> {
        cursor.list("attributes", |cursor| self.attribute(cursor))
    }

    fn entries(&self, cursor: &mut Cursor) -> Result<Vec<(AttributeId, AttributeId)>, Error> {
        cursor.list("entries", |cursor| {
            Ok((self.attribute(cursor)?, self.attribute(cursor)?))
        })
    }

    /// Reads the number of a type.
    pub fn ty(&self, cursor: &mut Cursor) -> Result<TypeId, Error> {
        let offset = cursor.offset();
        let number = cursor.number("the number of a type")?;
        let index = super::tables::index(number, self.type_count, offset, "type")?;
        Ok(TypeId(index as u32))
    }

    pub fn types(&self, cursor: &mut Cursor) -> Result<Vec<TypeId>, Error> {
        cursor.list("types", |cursor| self.ty(cursor))
    }

    pub fn string(&self, cursor: &mut Cursor) -> Result<Bytes, Error> {
        self.strings.read_reference(cursor, "the number of a string")
    }

    /// Reads bytes with their length in front.
    fn blob(&self, cursor: &mut Cursor) -> Result<Bytes, Error> {
        let length = cursor.number("the length of data")?;
        Ok(cursor.bytes(length, "data")?.into())
    }

    /// The error for a part that no known version has.
    pub fn unknown(&self, offset: usize, what: String) -> Error {
        if self.artifact > Version::CURRENT {
            return Error::Unknown {
                what,
                artifact: self.artifact,
            };
        }
        Error::malformed(offset, format!("{what} does not exist"))
    }

    fn type_of(&self, id: TypeId) -> Option<&Type> {
        self.types.get(id.0 as usize)
    }

    fn integer_bits(&self, cursor: &mut Cursor, id: TypeId) -> Result<u64, Error> {
        match self.type_of(id).and_then(integer_width) {
            Some(width) => cursor.bits(width, "an integer"),
            None => Err(cursor.error("an integer whose type is not an integer type")),
        }
    }

    fn float_bits(&self, cursor: &mut Cursor, id: TypeId) -> Result<u64, Error> {
        match self.type_of(id).and_then(float_width) {
            Some(width) => cursor.bits(width, "a float"),
            None => Err(cursor.error("a float whose type is not a float type")),
        }
    }

    /// Reads the data of a tensor. Booleans are packed into bits; old versions had a byte for each.
    fn tensor_data(&self, cursor: &mut Cursor, id: TypeId) -> Result<Bytes, Error> {
        let data = self.blob(cursor)?;
        let Some(Type::RankedTensor { shape, element, .. }) = self.type_of(id) else {
            return Ok(data);
        };
        let count = shape.iter().try_fold(1_usize, |count, size| {
            count.checked_mul(usize::try_from(*size).ok()?)
        });
        let boolean = matches!(self.type_of(*element), Some(Type::Boolean));
        if !boolean || count != Some(data.len()) || data.len() == data.len().div_ceil(8) {
            return Ok(data);
        }
        let packed = data.chunks(8).map(|chunk| {
            let bits = chunk.iter().enumerate();
            bits.fold(0, |byte, (bit, value)| byte | u8::from(*value != 0) << bit)
        });
        Ok(packed.collect())
    }

    /// Reads an attribute of VHLO.
    pub fn read_vhlo(&self, cursor: &mut Cursor) -> Result<Attribute, Error> {
        let offset = cursor.offset();
        let number = cursor.number("the number of an attribute's kind")?;
        if let Some((_, kind)) = ENUMERATIONS.iter().find(|(code, _)| *code == number) {
            let offset = cursor.offset();
            let case = cursor.number("a case")?;
            return match u32::try_from(case) {
                Ok(case) if kind.cases().contains(&case) => Ok(Attribute::Enumeration(*kind, case)),
                _ => Err(self.unknown(offset, format!("case {case} of {kind:?}"))),
            };
        }
        Ok(match number {
            code::ARRAY => Attribute::Array(self.attributes(cursor)?),
            code::BOOLEAN => match cursor.number("a boolean")? {
                0 => Attribute::Boolean(false),
                1 => Attribute::Boolean(true),
                other => {
                    let message = format!("expected a boolean, 0 or 1, and it is {other}");
                    return Err(Error::malformed(offset, message));
                }
            },
            code::DICTIONARY => Attribute::Dictionary(self.entries(cursor)?),
            code::FLOAT => {
                let ty = self.ty(cursor)?;
                let bits = self.float_bits(cursor, ty)?;
                Attribute::Float { ty, bits }
            }
            code::INTEGER => {
                let ty = self.ty(cursor)?;
                let bits = self.integer_bits(cursor, ty)?;
                Attribute::Integer { ty, bits }
            }
            code::OUTPUT_OPERAND_ALIAS => Attribute::OutputOperandAlias {
                output_tuple_indices: cursor.signed_list("indices")?,
                operand_index: cursor.signed("an index")?,
                operand_tuple_indices: cursor.signed_list("indices")?,
            },
            code::STRING => Attribute::String(self.string(cursor)?),
            code::TENSOR => {
                let ty = self.ty(cursor)?;
                let data = self.tensor_data(cursor, ty)?;
                Attribute::Tensor { ty, data }
            }
            code::TYPE => Attribute::Type(self.ty(cursor)?),
            code::TYPE_EXTENSIONS => Attribute::TypeExtensions(cursor.signed_list("bounds")?),
            code::RESULT_ACCURACY => Attribute::ResultAccuracy {
                atol: cursor.bits(64, "a tolerance")?,
                rtol: cursor.bits(64, "a tolerance")?,
                ulps: cursor.signed("a tolerance")?,
                mode: self.attribute(cursor)?,
            },
            code::SUB_AXIS_INFO => Attribute::SubAxisInfo {
                pre_size: cursor.signed("a size")?,
                size: cursor.signed("a size")?,
            },
            code::AXIS_REF => Attribute::AxisRef {
                name: self.attribute(cursor)?,
                sub_axis_info: match cursor.number("whether there is a part of an axis")? {
                    0 => None,
                    _ => Some(self.attribute(cursor)?),
                },
            },
            code::REPLICA_GROUP_MESH_AXES => Attribute::ReplicaGroupMeshAxes {
                mesh: self.attribute(cursor)?,
                axes: self.attribute(cursor)?,
            },
            code::MESH_AXIS => Attribute::MeshAxis {
                name: self.attribute(cursor)?,
                size: cursor.signed("a size")?,
            },
            code::MESH => Attribute::Mesh {
                axes: self.attribute(cursor)?,
                device_ids: self.optional_attribute(cursor)?,
            },
            _ => {
                let what = format!("attribute {number} of dialect 'vhlo'");
                return Err(self.unknown(offset, what));
            }
        })
    }

    /// Reads an attribute of MLIR itself.
    pub fn read_builtin(&self, cursor: &mut Cursor) -> Result<Attribute, Error> {
        let offset = cursor.offset();
        let number = cursor.number("the number of an attribute's kind")?;
        let location = match number {
            builtin::CALL_SITE => Location::CallSite {
                callee: self.attribute(cursor)?,
                caller: self.attribute(cursor)?,
            },
            builtin::FILE_LINE_COL => Location::FileLineCol {
                file: self.attribute(cursor)?,
                line: cursor.number("a line")?,
                column: cursor.number("a column")?,
            },
            builtin::FILE_LINE_COL_RANGE => {
                let file = self.attribute(cursor)?;
                let numbers = cursor.list("lines and columns", |cursor| cursor.number("a line"))?;
                let (start, end) = match *numbers {
                    [] => ((0, 0), (0, 0)),
                    [line] => ((line, 0), (line, 0)),
                    [line, column] => ((line, column), (line, column)),
                    [line, from, to] => ((line, from), (line, to)),
                    [line, column, end_line, end_column] => {
                        ((line, column), (end_line, end_column))
                    }
                    _ => return Err(Error::malformed(offset, "a location of too many numbers")),
                };
                Location::FileLineColRange { file, start, end }
            }
            builtin::FUSED => Location::Fused {
                locations: self.attributes(cursor)?,
                metadata: None,
            },
            builtin::FUSED_WITH_METADATA => Location::Fused {
                locations: self.attributes(cursor)?,
                metadata: Some(self.attribute(cursor)?),
            },
            builtin::NAME => Location::Name {
                name: self.attribute(cursor)?,
                child: self.attribute(cursor)?,
            },
            builtin::UNKNOWN => Location::Unknown,
            _ => return Ok(Attribute::Builtin(self.read_value(cursor, number, offset)?)),
        };
        Ok(Attribute::Location(location))
    }

    fn read_value(
        &self,
        cursor: &mut Cursor,
        number: u64,
        offset: usize,
    ) -> Result<Builtin, Error> {
        Ok(match number {
            builtin::ARRAY => Builtin::Array(self.attributes(cursor)?),
            builtin::DICTIONARY => Builtin::Dictionary(self.entries(cursor)?),
            builtin::STRING => Builtin::String(self.string(cursor)?),
            builtin::FLAT_SYMBOL_REF => Builtin::FlatSymbolRef(self.attribute(cursor)?),
            builtin::TYPE => Builtin::Type(self.ty(cursor)?),
            builtin::UNIT => Builtin::Unit,
            builtin::INTEGER => {
                let ty = self.ty(cursor)?;
                let bits = self.integer_bits(cursor, ty)?;
                Builtin::Integer { ty, bits }
            }
            builtin::FLOAT => {
                let ty = self.ty(cursor)?;
                let bits = self.float_bits(cursor, ty)?;
                Builtin::Float { ty, bits }
            }
            builtin::DENSE_ARRAY => Builtin::DenseArray {
                element: self.ty(cursor)?,
                size: cursor.number("the size of an array")?,
                data: self.blob(cursor)?,
            },
            builtin::DENSE_ELEMENTS => Builtin::DenseElements {
                ty: self.ty(cursor)?,
                data: self.blob(cursor)?,
            },
            _ => {
                let message =
                    format!("attribute {number} of dialect 'builtin' is not expected here");
                return Err(Error::malformed(offset, message));
            }
        })
    }
}

/// The width of an integer attribute of a type.
fn integer_width(ty: &Type) -> Option<u32> {
    match ty {
        Type::Integer { width, .. } => Some(*width),
        Type::Builtin(BuiltinType::Integer { width, .. }) => Some(*width),
        Type::Index | Type::Builtin(BuiltinType::Index) => Some(64),
        Type::Boolean => Some(1),
        _ => None,
    }
}

fn float_width(ty: &Type) -> Option<u32> {
    match ty {
        Type::Float(format) | Type::Builtin(BuiltinType::Float(format)) => Some(format.width()),
        _ => None,
    }
}

/// Writes an attribute; `None` if it is written as text.
pub(super) fn write(
    emitter: &mut Emitter,
    attribute: &Attribute,
    numbers: &mut Numbers,
) -> Option<()> {
    match attribute {
        Attribute::Array(elements) => {
            emitter.number(code::ARRAY);
            numbers.write_attributes(emitter, elements);
        }
        Attribute::Boolean(value) => {
            emitter.number(code::BOOLEAN);
            emitter.number(u64::from(*value));
        }
        Attribute::Enumeration(kind, case) => {
            let (number, _) = ENUMERATIONS.iter().find(|(_, known)| known == kind)?;
            emitter.number(*number);
            emitter.number(u64::from(*case));
        }
        Attribute::Dictionary(entries) => {
            emitter.number(code::DICTIONARY);
            numbers.write_entries(emitter, entries);
        }
        Attribute::Float { ty, bits } => {
            emitter.number(code::FLOAT);
            emitter.number(numbers.ty(*ty));
            emitter.bits(float_width(numbers.type_at(*ty))?, *bits);
        }
        Attribute::Integer { ty, bits } => {
            emitter.number(code::INTEGER);
            emitter.number(numbers.ty(*ty));
            emitter.bits(integer_width(numbers.type_at(*ty))?, *bits);
        }
        Attribute::OutputOperandAlias {
            output_tuple_indices,
            operand_index,
            operand_tuple_indices,
        } => {
            emitter.number(code::OUTPUT_OPERAND_ALIAS);
            emitter.signed_list(output_tuple_indices);
            emitter.signed(*operand_index);
            emitter.signed_list(operand_tuple_indices);
        }
        Attribute::String(bytes) => {
            emitter.number(code::STRING);
            emitter.number(numbers.string(bytes));
        }
        Attribute::Tensor { ty, data } => {
            emitter.number(code::TENSOR);
            emitter.number(numbers.ty(*ty));
            emitter.blob(data);
        }
        Attribute::Type(ty) => {
            emitter.number(code::TYPE);
            emitter.number(numbers.ty(*ty));
        }
        Attribute::TypeExtensions(bounds) => {
            emitter.number(code::TYPE_EXTENSIONS);
            emitter.signed_list(bounds);
        }
        Attribute::ResultAccuracy {
            atol,
            rtol,
            ulps,
            mode,
        } => {
            emitter.number(code::RESULT_ACCURACY);
            emitter.bits(64, *atol);
            emitter.bits(64, *rtol);
            emitter.signed(*ulps);
            emitter.number(numbers.attribute(*mode));
        }
        Attribute::SubAxisInfo { pre_size, size } => {
            emitter.number(code::SUB_AXIS_INFO);
            emitter.signed(*pre_size);
            emitter.signed(*size);
        }
        Attribute::AxisRef {
            name,
            sub_axis_info,
        } => {
            emitter.number(code::AXIS_REF);
            emitter.number(numbers.attribute(*name));
            emitter.number(u64::from(sub_axis_info.is_some()));
            if let Some(info) = sub_axis_info {
                emitter.number(numbers.attribute(*info));
            }
        }
        Attribute::ReplicaGroupMeshAxes { mesh, axes } => {
            emitter.number(code::REPLICA_GROUP_MESH_AXES);
            emitter.number(numbers.attribute(*mesh));
            emitter.number(numbers.attribute(*axes));
        }
        Attribute::MeshAxis { name, size } => {
            emitter.number(code::MESH_AXIS);
            emitter.number(numbers.attribute(*name));
            emitter.signed(*size);
        }
        Attribute::Mesh { axes, device_ids } => {
            emitter.number(code::MESH);
            emitter.number(numbers.attribute(*axes));
            match device_ids {
                Some(ids) => emitter.flagged(numbers.attribute(*ids), true),
                None => emitter.number(0),
            }
        }
        Attribute::Builtin(value) => write_builtin(emitter, value, numbers)?,
        Attribute::Location(location) => write_location(emitter, location, numbers),
        Attribute::Text { .. } | Attribute::Sharding(_) => return None,
    }
    Some(())
}

fn write_builtin(emitter: &mut Emitter, value: &Builtin, numbers: &mut Numbers) -> Option<()> {
    match value {
        Builtin::Array(elements) => {
            emitter.number(builtin::ARRAY);
            numbers.write_attributes(emitter, elements);
        }
        Builtin::Dictionary(entries) => {
            emitter.number(builtin::DICTIONARY);
            numbers.write_entries(emitter, entries);
        }
        Builtin::String(bytes) => {
            emitter.number(builtin::STRING);
            emitter.number(numbers.string(bytes));
        }
        Builtin::FlatSymbolRef(name) => {
            emitter.number(builtin::FLAT_SYMBOL_REF);
            emitter.number(numbers.attribute(*name));
        }
        Builtin::Type(ty) => {
            emitter.number(builtin::TYPE);
            emitter.number(numbers.ty(*ty));
        }
        Builtin::Unit => emitter.number(builtin::UNIT),
        Builtin::Integer { ty, bits } => {
            emitter.number(builtin::INTEGER);
            emitter.number(numbers.ty(*ty));
            emitter.bits(integer_width(numbers.type_at(*ty))?, *bits);
        }
        Builtin::Float { ty, bits } => {
            emitter.number(builtin::FLOAT);
            emitter.number(numbers.ty(*ty));
            emitter.bits(float_width(numbers.type_at(*ty))?, *bits);
        }
        Builtin::DenseArray {
            element,
            size,
            data,
        } => {
            emitter.number(builtin::DENSE_ARRAY);
            emitter.number(numbers.ty(*element));
            emitter.number(*size);
            emitter.blob(data);
        }
        Builtin::DenseElements { ty, data } => {
            emitter.number(builtin::DENSE_ELEMENTS);
            emitter.number(numbers.ty(*ty));
            emitter.blob(data);
        }
    }
    Some(())
}

fn write_location(emitter: &mut Emitter, location: &Location, numbers: &mut Numbers) {
    match location {
        Location::Unknown => emitter.number(builtin::UNKNOWN),
        Location::FileLineCol { file, line, column } => {
            emitter.number(builtin::FILE_LINE_COL);
            emitter.number(numbers.attribute(*file));
            emitter.number(*line);
            emitter.number(*column);
        }
        Location::FileLineColRange { file, start, end } => {
            emitter.number(builtin::FILE_LINE_COL_RANGE);
            emitter.number(numbers.attribute(*file));
            let all = [start.0, start.1, end.0, end.1];
            let short = [start.0, start.1, end.1];
            let used = if start.0 == end.0 {
                &short[..]
            } else {
                &all[..]
            };
            emitter.number(used.len() as u64);
            for number in used {
                emitter.number(*number);
            }
        }
        Location::Name { name, child } => {
            emitter.number(builtin::NAME);
            emitter.number(numbers.attribute(*name));
            emitter.number(numbers.attribute(*child));
        }
        Location::CallSite { callee, caller } => {
            emitter.number(builtin::CALL_SITE);
            emitter.number(numbers.attribute(*callee));
            emitter.number(numbers.attribute(*caller));
        }
        Location::Fused {
            locations,
            metadata,
        } => {
            emitter.number(match metadata {
                Some(_) => builtin::FUSED_WITH_METADATA,
                None => builtin::FUSED,
            });
            numbers.write_attributes(emitter, locations);
            if let Some(metadata) = metadata {
                emitter.number(numbers.attribute(*metadata));
            }
        }
    }
}

/// The dialect whose encoding an attribute uses, and its text if it has no other encoding.
pub(super) fn dialect_of(attribute: &Attribute) -> &[u8] {
    match attribute {
        Attribute::Builtin(_) | Attribute::Location(_) => b"builtin",
        Attribute::Text { dialect, .. } => dialect,
        Attribute::Sharding(_) => b"sdy",
        _ => b"vhlo",
    }
}

/// The text of an attribute that has no other encoding.
pub(super) fn text(attribute: &Attribute) -> &[u8] {
    match attribute {
        Attribute::Text { text, .. } => text,
        _ => b"unit",
    }
}

/// Reads all entries of types, then the entries of attributes.
pub(super) fn read_all(
    entries: &super::tables::Entries,
    dialects: &[Bytes],
    strings: &Strings,
    artifact: Version,
) -> Result<(Vec<Attribute>, Vec<Type>), Error> {
    let mut decoder = Decoder {
        strings,
        attribute_count: entries.attributes.len(),
        type_count: entries.types.len(),
        types: &[],
        artifact,
    };
    let name = |dialect: usize| dialects.get(dialect).map_or(&b""[..], |name| name);
    let foreign = |cursor: &Cursor, dialect: usize| {
        let dialect = String::from_utf8_lossy(name(dialect)).into_owned();
        cursor.error(format!("dialect '{dialect}' is not expected here"))
    };
    let mut types = Vec::with_capacity(entries.types.len());
    for entry in &entries.types {
        let mut cursor = entry.content;
        types.push(match name(entry.dialect) {
            _ if !entry.custom => types::from_text(cursor.terminated("a type")?),
            b"vhlo" => types::read_vhlo(&decoder, &mut cursor)?,
            b"builtin" => types::read_builtin(&decoder, &mut cursor)?,
            // In ops of Shardy, whose types have no versions.
            b"stablehlo" => types::read_stablehlo(&mut cursor)?,
            _ => return Err(foreign(&cursor, entry.dialect)),
        });
        cursor.finish("a type")?;
    }
    decoder.types = &types;
    let mut attributes = Vec::with_capacity(entries.attributes.len());
    for entry in &entries.attributes {
        let mut cursor = entry.content;
        attributes.push(match name(entry.dialect) {
            dialect if !entry.custom => Attribute::Text {
                dialect: dialect.into(),
                text: cursor.terminated("an attribute")?.into(),
            },
            b"vhlo" => decoder.read_vhlo(&mut cursor)?,
            b"builtin" => decoder.read_builtin(&mut cursor)?,
            b"sdy" => shardy::read(&decoder, &mut cursor)?,
            _ => return Err(foreign(&cursor, entry.dialect)),
        });
        cursor.finish("an attribute")?;
    }
    Ok((attributes, types))
}
