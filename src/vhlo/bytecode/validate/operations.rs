//! Ops: regions, blocks, values and the orders of their uses.

use super::{attributes::Attribute, entries::Entries, types::Type};
use crate::{
    Error,
    bytecode::{
        cursor::Cursor,
        format::{MAX_REGION_NESTING, mask, section, since},
        tables::{Dialects, Properties, Section, index},
    },
};
use std::mem;

/// The tables for checking ops.
struct Checker<'t, 'a> {
    format: u64,
    dialects: &'t Dialects,
    entries: &'t Entries<'a>,
    properties: &'t Properties<'a>,
    /// The values that operands refer to, for each isolated region.
    scopes: Vec<Scope>,
}

/// Values by their number in the file. The values of an inner region follow the values of the
/// enclosing regions, and end with it.
#[derive(Default)]
struct Scope {
    /// The number of uses of each value.
    uses: Vec<u32>,
    /// For each open region, the number of its first value and of the next one.
    regions: Vec<(usize, usize)>,
    /// The orders of uses of values that are still there.
    orders: Vec<(usize, Order)>,
}

/// The order of the uses of a value.
struct Order {
    /// Whether the numbers are pairs of indices to swap.
    pairs: bool,
    numbers: Vec<u64>,
    offset: usize,
}

/// An op whose regions are being read.
struct Level<'a> {
    regions_left: usize,
    isolated: bool,
    /// The cursor after regions in a separate section.
    behind: Option<Cursor<'a>>,
    /// The blocks of the current region.
    region: Option<OpenRegion>,
}

struct OpenRegion {
    blocks: usize,
    blocks_left: usize,
    operations_left: u64,
    /// Whether values of the region are numbered.
    numbered: bool,
}

/// Checks the section of ops.
pub fn check<'a>(
    cursor: Cursor<'a>,
    format: u64,
    dialects: &Dialects,
    entries: &Entries<'a>,
    properties: &Properties<'a>,
) -> Result<(), Error> {
    let mut checker = Checker {
        format,
        dialects,
        entries,
        properties,
        scopes: vec![Scope::default()],
    };
    checker.check(cursor)
}

impl<'a> Checker<'_, 'a> {
    fn check(&mut self, mut cursor: Cursor<'a>) -> Result<(), Error> {
        self.open_region(0);
        let root = self.read_block(&mut cursor)?;
        let mut levels = vec![Level {
            regions_left: 0,
            isolated: true,
            behind: None,
            region: Some(OpenRegion {
                blocks: 1,
                blocks_left: 0,
                operations_left: root,
                numbered: false,
            }),
        }];
        while let Some(level) = levels.last_mut() {
            if let Some(region) = &mut level.region {
                if region.operations_left > 0 {
                    region.operations_left -= 1;
                    let (blocks, numbered) = (region.blocks, region.numbered);
                    let inner = self.read_operation(&mut cursor, blocks, numbered)?;
                    if let Some(inner) = inner {
                        if levels.len() >= MAX_REGION_NESTING {
                            return Err(cursor.error(format!(
                                "regions nested more than {MAX_REGION_NESTING} levels deep"
                            )));
                        }
                        levels.push(inner);
                    }
                } else if region.blocks_left > 0 {
                    region.blocks_left -= 1;
                    region.operations_left = self.read_block(&mut cursor)?;
                } else {
                    level.region = None;
                    self.close_region()?;
                }
            } else if level.regions_left > 0 {
                level.regions_left -= 1;
                level.region = self.start_region(&mut cursor)?;
            } else {
                if level.isolated {
                    self.scopes.pop();
                }
                if let Some(behind) = level.behind {
                    cursor.finish("the regions of an op")?;
                    cursor = behind;
                }
                levels.pop();
            }
        }
        cursor.finish("the ops")
    }

    /// Reads the number of blocks and values of a region, and begins with its first block; `None`
    /// if it has no blocks.
    fn start_region(&mut self, cursor: &mut Cursor<'a>) -> Result<Option<OpenRegion>, Error> {
        let offset = cursor.offset();
        let blocks = cursor.number("the number of blocks")?;
        let blocks = cursor.check_count(blocks, offset, "blocks")?;
        let Some(blocks_left) = blocks.checked_sub(1) else {
            return Ok(None);
        };
        let offset = cursor.offset();
        let values = cursor.number("the number of values")?;
        let values = cursor.check_count(values, offset, "values")?;
        self.open_region(values);
        Ok(Some(OpenRegion {
            blocks,
            blocks_left,
            operations_left: self.read_block(cursor)?,
            numbered: values > 0,
        }))
    }

    fn open_region(&mut self, values: usize) {
        if let Some(scope) = self.scopes.last_mut() {
            let start = scope.uses.len();
            scope.uses.resize(start + values, 0);
            scope.regions.push((start, start));
        }
    }

    /// Drops the values of a region, after all their uses.
    fn close_region(&mut self) -> Result<(), Error> {
        let Some(scope) = self.scopes.last_mut() else {
            return Ok(());
        };
        let Some((start, _)) = scope.regions.pop() else {
            return Ok(());
        };
        while let Some((value, order)) = scope.orders.pop_if(|(value, _)| *value >= start) {
            let uses = scope.uses.get(value).copied().unwrap_or_default();
            check_order(&order, uses)?;
        }
        scope.uses.truncate(start);
        Ok(())
    }

    /// Numbers values; returns the first number.
    fn define(&mut self, count: usize, offset: usize) -> Result<usize, Error> {
        let scope = self.scopes.last_mut();
        let region = scope.and_then(|scope| {
            let end = scope.uses.len();
            scope.regions.last_mut().map(|region| (region, end))
        });
        if let Some(((_, next), end)) = region {
            let first = *next;
            if count <= end.saturating_sub(first) {
                *next += count;
                return Ok(first);
            }
        }
        let message = "more values than the region is said to have";
        Err(Error::malformed(offset, message))
    }

    /// Reads the header of a block; returns the number of its ops.
    fn read_block(&mut self, cursor: &mut Cursor<'a>) -> Result<u64, Error> {
        let (operations, has_arguments) = cursor.flagged("the number of ops")?;
        if !has_arguments {
            return Ok(operations);
        }
        let offset = cursor.offset();
        let count = cursor.count("arguments")?;
        for _ in 0..count {
            if self.format >= since::ELIDED_LOCATIONS {
                let offset = cursor.offset();
                let (number, has_location) = cursor.flagged("the type of an argument")?;
                index(number, self.entries.type_count(), offset, "type")?;
                if has_location {
                    self.read_attribute(cursor)?;
                }
            } else {
                self.read_type(cursor)?;
                self.read_attribute(cursor)?;
            }
        }
        let first = self.define(count, offset)?;
        if self.format >= since::USE_LIST_ORDER
            && cursor.byte("whether there are orders of uses")? != 0
        {
            self.read_orders(cursor, Some(first), count)?;
        }
        Ok(operations)
    }

    fn read_attribute(&self, cursor: &mut Cursor<'a>) -> Result<usize, Error> {
        let offset = cursor.offset();
        let number = cursor.number("an attribute")?;
        index(number, self.entries.attribute_count(), offset, "attribute")
    }

    fn read_type(&self, cursor: &mut Cursor<'a>) -> Result<Option<&Type>, Error> {
        let offset = cursor.offset();
        let number = cursor.number("a type")?;
        let number = index(number, self.entries.type_count(), offset, "type")?;
        Ok(self.entries.ty(number))
    }

    /// Reads an op up to its regions; returns the open op if it has any.
    fn read_operation(
        &mut self,
        cursor: &mut Cursor<'a>,
        blocks: usize,
        numbered: bool,
    ) -> Result<Option<Level<'a>>, Error> {
        let offset = cursor.offset();
        let number = cursor.number("the name of an op")?;
        let name = index(number, self.dialects.operations.len(), offset, "op name")?;
        let mask = cursor.byte("the mask of an op")?;
        self.read_attribute(cursor)?;
        if mask & mask::ATTRIBUTES != 0 {
            let offset = cursor.offset();
            let number = self.read_attribute(cursor)?;
            if !matches!(
                self.entries.attribute(number),
                Some(Attribute::Dictionary(_) | Attribute::Text(_))
            ) {
                return Err(Error::malformed(offset, "expected a dictionary"));
            }
        }
        if mask & mask::PROPERTIES != 0 {
            if self.format < since::PROPERTIES {
                return Err(cursor.error("properties in a format that has none"));
            }
            let offset = cursor.offset();
            let properties = cursor.number("the number of properties")?;
            let properties = self.properties.get(properties, offset)?;
            self.check_properties(name, properties)?;
        }
        let (mut results, mut first) = (0, None);
        if mask & mask::RESULTS != 0 {
            let offset = cursor.offset();
            results = cursor.count("results")?;
            for _ in 0..results {
                self.read_type(cursor)?;
            }
            // Values at the top level of the file are not numbered.
            if numbered {
                first = Some(self.define(results, offset)?);
            }
        }
        if mask & mask::OPERANDS != 0 {
            for _ in 0..cursor.count("operands")? {
                let offset = cursor.offset();
                let number = cursor.number("an operand")?;
                let uses = self.scopes.last_mut().map(|scope| &mut scope.uses[..]);
                let uses = uses.unwrap_or_default();
                let number = index(number, uses.len(), offset, "value")?;
                if let Some(count) = uses.get_mut(number) {
                    *count = count.saturating_add(1);
                }
            }
        }
        if mask & mask::SUCCESSORS != 0 {
            for _ in 0..cursor.count("successors")? {
                let offset = cursor.offset();
                let number = cursor.number("a successor")?;
                index(number, blocks, offset, "block")?;
            }
        }
        if self.format >= since::USE_LIST_ORDER && mask & mask::USE_LIST_ORDERS != 0 {
            self.read_orders(cursor, first, results)?;
        }
        if mask & mask::REGIONS == 0 {
            return Ok(None);
        }
        let offset = cursor.offset();
        let (count, isolated) = cursor.flagged("the number of regions")?;
        let regions_left = cursor.check_count(count, offset, "regions")?;
        if regions_left == 0 {
            return Ok(None);
        }
        let mut behind = None;
        if isolated && self.format >= since::LAZY_LOADING {
            let offset = cursor.offset();
            let Section {
                number, content, ..
            } = Section::read(cursor)?;
            if number != section::IR {
                return Err(Error::malformed(offset, "expected a section with regions"));
            }
            behind = Some(mem::replace(cursor, content));
        }
        if isolated {
            self.scopes.push(Scope::default());
        }
        Ok(Some(Level {
            regions_left,
            isolated,
            behind,
            region: None,
        }))
    }

    /// Checks that a custom call has no tilings of its results, which the reader would ignore:
    /// StableHLO 1.18 appended them to the properties.
    fn check_properties(&self, name: usize, mut properties: Cursor<'a>) -> Result<(), Error> {
        const OTHERS: usize = 8;
        let op = &self.dialects.operations[name];
        let dialect = &*self.dialects.names[op.dialect];
        if !op.registered || &*op.name != b"custom_call" || dialect != b"stablehlo" {
            return Ok(());
        }
        for _ in 0..OTHERS {
            // The reader reports missing attributes.
            if properties.number("an attribute of a custom call").is_err() {
                return Ok(());
            }
        }
        if !properties.is_empty() && properties.flagged("tilings of results")?.1 {
            let message = "attribute 'result_tilings' of a custom call is not supported";
            return Err(properties.error(message));
        }
        Ok(())
    }

    /// Reads the use-list orders of values, which are checked when all uses
    /// have been seen.
    fn read_orders(
        &mut self,
        cursor: &mut Cursor<'a>,
        first: Option<usize>,
        values: usize,
    ) -> Result<(), Error> {
        let orders = match values {
            0 => return Err(cursor.error("an order of uses of no value")),
            1 => 1,
            _ => cursor.count("orders of uses")?,
        };
        for _ in 0..orders {
            let offset = cursor.offset();
            let value = match values {
                1 => 0,
                _ => index(cursor.number("a value")?, values, offset, "value")?,
            };
            let (count, pairs) = cursor.flagged("the number of uses")?;
            let count = cursor.check_count(count, offset, "uses")?;
            let numbers: Result<_, Error> = (0..count).map(|_| cursor.number("a use")).collect();
            let numbers = numbers?;
            if let (Some(first), Some(scope)) = (first, self.scopes.last_mut()) {
                let order = Order {
                    pairs,
                    numbers,
                    offset,
                };
                scope.orders.push((first + value, order));
            }
        }
        Ok(())
    }
}

/// Checks that an order contains each use once.
fn check_order(order: &Order, uses: u32) -> Result<(), Error> {
    // The reader ignores the orders of other values.
    if uses < 2 {
        return Ok(());
    }
    let wrong = || {
        let message = format!("an order of {uses} uses that is not a permutation");
        Error::malformed(order.offset, message)
    };
    let uses = uses as usize;
    let numbers: Option<Vec<usize>> = order
        .numbers
        .iter()
        .map(|number| usize::try_from(*number).ok().filter(|n| *n < uses))
        .collect();
    let numbers = numbers.ok_or_else(wrong)?;
    let shuffle = if order.pairs {
        let mut shuffle: Vec<usize> = (0..uses).collect();
        let (pairs, []) = numbers.as_chunks::<2>() else {
            return Err(wrong());
        };
        for [from, to] in pairs {
            if let Some(slot) = shuffle.get_mut(*from) {
                *slot = *to;
            }
        }
        shuffle
    } else {
        numbers
    };
    let mut seen = vec![false; uses];
    for number in &shuffle {
        match seen.get_mut(*number) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(wrong()),
        }
    }
    if shuffle.len() == uses {
        Ok(())
    } else {
        Err(wrong())
    }
}
