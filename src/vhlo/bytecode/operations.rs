//! The ops of a file.

use super::{
    attributes::Decoder,
    cursor::Cursor,
    format::{MAX_REGION_NESTING, mask, section, since},
    tables::{Dialects, OpName, Properties, Section, index},
};
use crate::{
    Attribute, AttributeId, Block, Error, OpKind, Operation, Region, ShardyOp, TypeId, ValueId,
    attribute::{Builtin, Bytes, Location},
    ops,
};

/// The tables for reading ops.
pub(super) struct Reader<'a> {
    pub format: u64,
    pub dialects: &'a Dialects,
    pub properties: &'a Properties<'a>,
    pub decoder: &'a Decoder<'a>,
    pub attributes: &'a [Attribute],
    /// The types of the values so far.
    pub values: Vec<TypeId>,
    /// The size of the artifact in bytes, which bounds its contents.
    pub size: usize,
    /// The values that operands refer to, for each isolated region.
    scopes: Vec<Scope>,
    /// The attributes of all ops so far.
    attribute_total: usize,
    unknown_location: Option<AttributeId>,
}

/// Values by their number in the file. The values of an inner region follow the values of the
/// enclosing regions, and end with it.
#[derive(Default)]
struct Scope {
    values: Vec<Option<ValueId>>,
    /// For each open region, the number of its first value and of the next one.
    regions: Vec<(usize, usize)>,
}

/// An op whose regions are being read.
struct Level<'a> {
    operation: Operation,
    regions_left: usize,
    isolated: bool,
    /// The cursor after regions in a separate section.
    behind: Option<Cursor<'a>>,
    /// The current region.
    region: Option<OpenRegion>,
}

struct OpenRegion {
    region: Region,
    block: Block,
    operations_left: u64,
    blocks_left: u64,
}

/// An op without its regions.
struct Header {
    operation: Operation,
    regions: usize,
    isolated: bool,
}

impl<'a> Reader<'a> {
    pub fn new(
        format: u64,
        dialects: &'a Dialects,
        properties: &'a Properties<'a>,
        decoder: &'a Decoder<'a>,
        attributes: &'a [Attribute],
        size: usize,
    ) -> Self {
        let unknown = |attribute: &Attribute| *attribute == Attribute::Location(Location::Unknown);
        let unknown = attributes.iter().position(unknown);
        Self {
            format,
            dialects,
            properties,
            decoder,
            attributes,
            values: Vec::new(),
            size,
            scopes: Vec::new(),
            attribute_total: 0,
            unknown_location: unknown.map(|index| AttributeId(index as u32)),
        }
    }

    /// Reads the module.
    pub fn read(&mut self, mut cursor: Cursor<'a>) -> Result<Operation, Error> {
        self.scopes.push(Scope::default());
        self.open_region(0, &cursor)?;
        let (count, arguments) = cursor.flagged("the number of ops")?;
        if count != 1 || arguments {
            return Err(cursor.error("expected one op and no arguments"));
        }
        let root = self.read_header(&mut cursor)?;
        let mut levels = vec![self.enter(root, &mut cursor)?];
        loop {
            let depth = levels.len();
            let Some(level) = levels.last_mut() else {
                return Err(cursor.error("expected an op"));
            };
            if let Some(open) = &mut level.region {
                if open.operations_left > 0 {
                    open.operations_left -= 1;
                    let header = self.read_header(&mut cursor)?;
                    if header.regions == 0 {
                        open.block.operations.push(header.operation);
                    } else if depth >= MAX_REGION_NESTING {
                        return Err(cursor.error(format!(
                            "regions nested more than {MAX_REGION_NESTING} levels deep"
                        )));
                    } else {
                        levels.push(self.enter(header, &mut cursor)?);
                    }
                    continue;
                }
                open.region.blocks.push(std::mem::take(&mut open.block));
                if open.blocks_left > 0 {
                    open.blocks_left -= 1;
                    (open.block, open.operations_left) = self.read_block(&mut cursor)?;
                    continue;
                }
                self.close_region();
                let region = std::mem::take(&mut open.region);
                level.operation.regions.push(region);
                level.region = None;
            } else if level.regions_left > 0 {
                level.regions_left -= 1;
                match self.start_region(&mut cursor)? {
                    Some(region) => level.region = Some(region),
                    None => level.operation.regions.push(Region::default()),
                }
            } else {
                if level.isolated {
                    self.scopes.pop();
                }
                if let Some(behind) = level.behind {
                    cursor.finish("the regions of an op")?;
                    cursor = behind;
                }
                let Some(level) = levels.pop() else { continue };
                match levels.last_mut().and_then(|level| level.region.as_mut()) {
                    Some(open) => open.block.operations.push(level.operation),
                    None => {
                        cursor.finish("the ops")?;
                        return Ok(level.operation);
                    }
                }
            }
        }
    }

    /// Begins with the regions of an op. Isolated regions are in a section, if the format has such.
    fn enter(&mut self, header: Header, cursor: &mut Cursor<'a>) -> Result<Level<'a>, Error> {
        let mut behind = None;
        if header.isolated {
            self.scopes.push(Scope::default());
        }
        if header.isolated && header.regions > 0 && self.format >= since::LAZY_LOADING {
            let offset = cursor.offset();
            let Section {
                number, content, ..
            } = Section::read(cursor)?;
            if number != section::IR {
                return Err(Error::malformed(offset, "expected a section with regions"));
            }
            behind = Some(std::mem::replace(cursor, content));
        }
        Ok(Level {
            operation: header.operation,
            regions_left: header.regions,
            isolated: header.isolated,
            behind,
            region: None,
        })
    }

    /// Reads a region up to the ops of its first block; `None` if it has no blocks.
    fn start_region(&mut self, cursor: &mut Cursor<'a>) -> Result<Option<OpenRegion>, Error> {
        let blocks = cursor.number("the number of blocks")?;
        let Some(blocks_left) = blocks.checked_sub(1) else {
            return Ok(None);
        };
        let offset = cursor.offset();
        let values = cursor.number("the number of values")?;
        let values = cursor.check_count(values, offset, "values")?;
        self.open_region(values, cursor)?;
        let (block, operations_left) = self.read_block(cursor)?;
        Ok(Some(OpenRegion {
            region: Region::default(),
            block,
            operations_left,
            blocks_left,
        }))
    }

    fn open_region(&mut self, values: usize, cursor: &Cursor) -> Result<(), Error> {
        let open: usize = self.scopes.iter().map(|scope| scope.values.len()).sum();
        if values > self.size.saturating_sub(open) {
            return Err(cursor.error("more values than there can be"));
        }
        if let Some(scope) = self.scopes.last_mut() {
            let start = scope.values.len();
            scope.regions.push((start, start));
            scope.values.resize(start + values, None);
        }
        Ok(())
    }

    fn close_region(&mut self) {
        if let Some(scope) = self.scopes.last_mut()
            && let Some((start, _)) = scope.regions.pop()
        {
            scope.values.truncate(start);
        }
    }

    /// Makes values of types, the next ones of the region.
    fn define(&mut self, types: &[TypeId], offset: usize) -> Result<Vec<ValueId>, Error> {
        let more = || Error::malformed(offset, "more values than the region was said to have");
        let first = self.values.len() as u32;
        let ids: Vec<ValueId> = (first..).take(types.len()).map(ValueId).collect();
        self.values.extend_from_slice(types);
        let Scope { values, regions } = self.scopes.last_mut().ok_or_else(more)?;
        let (_, next) = regions.last_mut().ok_or_else(more)?;
        let slots = values.get_mut(*next..).unwrap_or_default();
        if slots.len() < ids.len() {
            return if ids.is_empty() { Ok(ids) } else { Err(more()) };
        }
        for (slot, id) in slots.iter_mut().zip(&ids) {
            *slot = Some(*id);
        }
        *next += ids.len();
        Ok(ids)
    }

    /// Reads a block up to its ops, and returns their number.
    fn read_block(&mut self, cursor: &mut Cursor) -> Result<(Block, u64), Error> {
        let (operations, has_arguments) = cursor.flagged("the number of ops")?;
        let mut block = Block::default();
        if has_arguments {
            let offset = cursor.offset();
            let arguments = cursor.list("arguments", |cursor| {
                if self.format < since::ELIDED_LOCATIONS {
                    let ty = self.decoder.ty(cursor)?;
                    return Ok((ty, self.read_location(cursor)?));
                }
                let offset = cursor.offset();
                let (number, located) = cursor.flagged("the type of an argument")?;
                let count = self.decoder.type_count;
                let ty = TypeId(index(number, count, offset, "type")? as u32);
                let location = if located {
                    self.read_location(cursor)?
                } else {
                    // An absent location is unknown.
                    self.unknown_location.unwrap_or(AttributeId(u32::MAX))
                };
                Ok((ty, location))
            })?;
            let types: Vec<TypeId> = arguments.iter().map(|(ty, _)| *ty).collect();
            let values = self.define(&types, offset)?;
            let locations = arguments.into_iter().map(|(_, location)| location);
            block.arguments = values.into_iter().zip(locations).collect();
            if self.format >= since::USE_LIST_ORDER
                && cursor.byte("whether there are orders of uses")? != 0
            {
                skip_use_list_orders(cursor, block.arguments.len())?;
            }
        }
        Ok((block, operations))
    }

    fn read_location(&self, cursor: &mut Cursor) -> Result<AttributeId, Error> {
        let offset = cursor.offset();
        let id = self.decoder.attribute(cursor)?;
        match self.attributes.get(id.0 as usize) {
            Some(Attribute::Location(_)) => Ok(id),
            _ => Err(Error::malformed(offset, "expected a location")),
        }
    }

    fn read_header(&mut self, cursor: &mut Cursor) -> Result<Header, Error> {
        let offset = cursor.offset();
        let number = cursor.number("the name of an op")?;
        let names = &self.dialects.operations;
        let name = names.get(index(number, names.len(), offset, "op name")?);
        let name = name.ok_or_else(|| Error::malformed(offset, "expected the name of an op"))?;
        let kind = self.kind(name, offset)?;
        let mask = cursor.byte("the mask of an op")?;
        let location = self.read_location(cursor)?;
        let mut attributes = Vec::new();
        if mask & mask::ATTRIBUTES != 0 {
            self.read_dictionary(cursor, &mut attributes)?;
        }
        if mask & mask::PROPERTIES != 0 {
            if self.format < since::PROPERTIES {
                return Err(cursor.error("properties in a format that has none"));
            }
            if name.registered {
                self.read_properties(cursor, kind, &mut attributes)?;
            } else {
                self.read_dictionary(cursor, &mut attributes)?;
            }
        }
        check_attributes(kind, &mut attributes, offset)?;
        let mut results = Vec::new();
        if mask & mask::RESULTS != 0 {
            let offset = cursor.offset();
            let types = self.decoder.types(cursor)?;
            results = self.define(&types, offset)?;
        }
        let mut operands = Vec::new();
        if mask & mask::OPERANDS != 0 {
            operands = cursor.list("operands", |cursor| {
                let offset = cursor.offset();
                let number = cursor.number("an operand")?;
                let values = self.scopes.last().map_or(&[][..], |scope| &scope.values);
                let value = values.get(index(number, values.len(), offset, "value")?);
                value.copied().flatten().ok_or_else(|| {
                    Error::malformed(
                        offset,
                        format!("value {number} is used before it is defined"),
                    )
                })
            })?;
        }
        if mask & mask::SUCCESSORS != 0 {
            return Err(cursor.error("no op of VHLO has successors"));
        }
        if mask & mask::USE_LIST_ORDERS != 0 {
            skip_use_list_orders(cursor, results.len())?;
        }
        let (mut regions, mut isolated) = (0, false);
        if mask & mask::REGIONS != 0 {
            let offset = cursor.offset();
            let (count, flag) = cursor.flagged("the number of regions")?;
            regions = cursor.check_count(count, offset, "regions")?;
            isolated = flag;
        }
        Ok(Header {
            operation: Operation {
                kind,
                location,
                attributes,
                operands,
                results,
                regions: Vec::new(),
            },
            regions,
            isolated,
        })
    }

    /// The kind of an op.
    fn kind(&self, name: &OpName, offset: usize) -> Result<OpKind, Error> {
        let dialect = self.dialects.names.get(name.dialect);
        let dialect = dialect.map_or(&b""[..], |dialect| dialect);
        let known = match dialect {
            b"vhlo" => std::str::from_utf8(&name.name).ok().and_then(ops::find).map(OpKind::Vhlo),
            b"builtin" => match &*name.name {
                b"module" => Some(OpKind::Module),
                b"unrealized_conversion_cast" => Some(OpKind::Cast),
                _ => None,
            },
            b"sdy" => ShardyOp::from_name(&name.name).map(OpKind::Shardy),
            _ => None,
        };
        known.ok_or_else(|| {
            let dialect = String::from_utf8_lossy(dialect);
            let what = format!("op '{dialect}.{}'", String::from_utf8_lossy(&name.name));
            match &*dialect {
                "vhlo" => Error::Unknown {
                    what,
                    artifact: self.decoder.artifact,
                },
                _ => Error::malformed(offset, format!("{what} is not expected in an artifact")),
            }
        })
    }

    /// Reads the number of a dictionary and adds its entries.
    fn read_dictionary(
        &mut self,
        cursor: &mut Cursor,
        attributes: &mut Vec<(Bytes, AttributeId)>,
    ) -> Result<(), Error> {
        let offset = cursor.offset();
        let id = self.decoder.attribute(cursor)?;
        let Some(Attribute::Builtin(Builtin::Dictionary(entries))) =
            self.attributes.get(id.0 as usize)
        else {
            return Err(Error::malformed(offset, "expected a dictionary"));
        };
        // Ops may share a dictionary; each use counts its entries.
        self.attribute_total = self.attribute_total.saturating_add(entries.len());
        if self.attribute_total > self.size.saturating_mul(64) {
            return Err(Error::malformed(offset, "ops with too many attributes"));
        }
        for (name, value) in entries {
            match self.attributes.get(name.0 as usize) {
                Some(Attribute::Builtin(Builtin::String(name))) => {
                    attributes.push((name.clone(), *value));
                }
                _ => {
                    return Err(Error::malformed(
                        offset,
                        "a dictionary whose keys are not strings",
                    ));
                }
            }
        }
        Ok(())
    }

    /// Reads the attributes that an op defines.
    fn read_properties(
        &self,
        cursor: &mut Cursor,
        kind: OpKind,
        attributes: &mut Vec<(Bytes, AttributeId)>,
    ) -> Result<(), Error> {
        let offset = cursor.offset();
        let number = cursor.number("the number of properties")?;
        let mut cursor = self.properties.get(number, offset)?;
        let (names, optional): (&[&str], bool) = match kind {
            OpKind::Vhlo(definition) => (definition.attributes, false),
            OpKind::Module => (&["sym_name", "sym_visibility"], true),
            OpKind::Cast => (&[], false),
            OpKind::Shardy(op) => op.attributes(),
        };
        for name in names {
            let id = if optional {
                self.decoder.optional_attribute(&mut cursor)?
            } else {
                Some(self.decoder.attribute(&mut cursor)?)
            };
            attributes.extend(id.map(|id| (name.as_bytes().into(), id)));
        }
        cursor.finish("the properties of an op")
    }
}

/// Sorts attributes and fails unless they are unique and include all that the op requires.
fn check_attributes(
    kind: OpKind,
    attributes: &mut [(Bytes, AttributeId)],
    offset: usize,
) -> Result<(), Error> {
    attributes.sort();
    let same = |pair: &[(Bytes, AttributeId)]| matches!(pair, [(a, _), (b, _)] if a == b);
    if attributes.windows(2).any(same) {
        return Err(Error::malformed(offset, "an attribute is there twice"));
    }
    let OpKind::Vhlo(definition) = kind else {
        return Ok(());
    };
    for name in definition.attributes {
        let found = attributes.binary_search_by(|(key, _)| (**key).cmp(name.as_bytes()));
        if found.is_err() {
            return Err(Error::Operation {
                operation: definition.name,
                message: format!("has no attribute '{name}'"),
            });
        }
    }
    Ok(())
}

/// Skips the use-list orders of values, which do not affect the semantics.
fn skip_use_list_orders(cursor: &mut Cursor, values: usize) -> Result<(), Error> {
    let orders = if values > 1 {
        cursor.count("orders of uses")?
    } else {
        1
    };
    for _ in 0..orders {
        if values > 1 {
            cursor.number("the number of a value")?;
        }
        let offset = cursor.offset();
        let (count, _) = cursor.flagged("the number of uses")?;
        for _ in 0..cursor.check_count(count, offset, "uses")? {
            cursor.number("a use")?;
        }
    }
    Ok(())
}

impl ShardyOp {
    fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"data_flow_edge" => Self::DataFlowEdge,
            b"manual_computation" => Self::ManualComputation,
            b"mesh" => Self::Mesh,
            b"propagation_barrier" => Self::PropagationBarrier,
            b"reshard" => Self::Reshard,
            b"return" => Self::Return,
            b"sharding_constraint" => Self::ShardingConstraint,
            b"sharding_group" => Self::ShardingGroup,
            _ => return None,
        })
    }

    /// The name without the dialect.
    pub fn name(self) -> &'static str {
        match self {
            Self::DataFlowEdge => "data_flow_edge",
            Self::ManualComputation => "manual_computation",
            Self::Mesh => "mesh",
            Self::PropagationBarrier => "propagation_barrier",
            Self::Reshard => "reshard",
            Self::Return => "return",
            Self::ShardingConstraint => "sharding_constraint",
            Self::ShardingGroup => "sharding_group",
        }
    }

    /// The attributes that the op defines, in order, and whether they are optional.
    pub(super) fn attributes(self) -> (&'static [&'static str], bool) {
        match self {
            Self::DataFlowEdge => (&["sharding"], true),
            Self::ManualComputation => (&["in_shardings", "manual_axes", "out_shardings"], false),
            Self::Mesh => (&["mesh", "sym_name"], false),
            Self::PropagationBarrier => (&["allowed_direction"], false),
            Self::Reshard | Self::ShardingConstraint => (&["sharding"], false),
            Self::Return => (&[], false),
            Self::ShardingGroup => (&["group_id"], false),
        }
    }
}
