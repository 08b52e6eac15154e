//! Legal ops: the same op again, on its converted parts.

use super::{
    converter::{Converter, block_key, invalid, ranges, successors_of},
    types::{self, function_type},
};
use crate::{
    attributes::{AttributeExt, array_attribute},
    block::{BlockExt, RegionExt},
    builder::Builder,
    discardable::dictionary_attribute,
    handles::{Attribute, Block, Operation, Type, Value},
    operation::OperationExt,
    ops::{cf, func},
    region::Region,
    rewrite::RewriteError,
    value::ValueExt,
};
use melior::ir::{
    BlockLike, BlockRef, RegionLike, RegionRef, ValueLike, attribute::DenseI32ArrayAttribute,
    r#type::FunctionType,
};
use mlir_sys::MlirOperation;
use std::collections::HashSet;

unsafe extern "C" {
    fn haloForwardsValues(op: MlirOperation) -> bool;
    fn haloIsTerminator(op: MlirOperation) -> bool;
}

/// Returns true if an op forwards values between functions, blocks or regions.
fn forwards_values(op: Operation) -> bool {
    // SAFETY: The op is alive.
    unsafe { haloForwardsValues(op.to_raw()) }
}

fn is_terminator(op: Operation) -> bool {
    // SAFETY: The op is alive.
    unsafe { haloIsTerminator(op.to_raw()) }
}

/// The reachable blocks of a region, each after its dominators.
fn reverse_postorder<'c>(region: RegionRef<'c, 'c>) -> Vec<Block<'c>> {
    let Some(entry) = region.first_block() else {
        return Vec::new();
    };
    // Each block, and whether its successors were visited.
    let mut pending = vec![(entry, false)];
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    while let Some((block, is_visited)) = pending.pop() {
        if is_visited {
            order.push(block);
        } else if seen.insert(block_key(block)) {
            pending.push((block, true));
            let terminator = block.terminator();
            pending.extend(terminator.into_iter().flat_map(successors_of).map(|to| (to, false)));
        }
    }
    order.reverse();
    order
}

impl<'c> Converter<'_, 'c> {
    /// Creates the same op again on converted operands, types and regions.
    pub fn copy(&self, builder: &Builder<'c>, op: Operation<'c>) -> Result<(), RewriteError> {
        let is_in_kept_block = || {
            let block = op.block().map(block_key);
            is_terminator(op)
                && block.is_some_and(|block| self.state.kept_blocks.borrow().contains(&block))
        };
        let forwards = forwards_values(op) && !is_in_kept_block();
        let types = &self.conversion.types;
        let keeps_types = !forwards && types.materializes();
        let mut operands = Vec::new();
        for (number, operand) in op.operands().into_iter().enumerate() {
            let values = if keeps_types {
                vec![self.original(builder, operand).map_err(|error| stays(op, &error))?]
            } else {
                self.values(builder, operand)?
            };
            if !forwards && values.len() != 1 {
                return invalid(format!(
                    "'{}' stays, but its operand {number} of type {} became {} values, and the \
                     conversion has no source materialization",
                    op.name(),
                    operand.ty(),
                    values.len()
                ));
            }
            operands.push(values);
        }
        let mut results = Vec::new();
        for (number, result) in op.result_types().into_iter().enumerate() {
            let converted = if keeps_types {
                vec![result]
            } else {
                self.convert_type(result)
            };
            if !forwards && converted.len() != 1 {
                return invalid(format!(
                    "'{}' stays, but its result {number} of type {result} becomes {} values, and \
                     the conversion has no target materialization",
                    op.name(),
                    converted.len()
                ));
            }
            results.push(converted);
        }
        let mut successors = Vec::new();
        for successor in successors_of(op) {
            successors.push(self.block(successor)?);
        }
        let mut spec = builder
            .op(op.name())
            .operands(&operands.concat())
            .results(&results.concat())
            .successors(&successors);
        let sizes = Sizes {
            operands: operands.iter().map(Vec::len).collect(),
            results: results.iter().map(Vec::len).collect(),
        };
        for (name, attribute) in op.attributes() {
            let attribute = if keeps_types {
                attribute
            } else {
                self.convert_attribute(op, name, attribute, &sizes)
            };
            spec = spec.attribute(name, attribute);
        }
        for region in op.regions() {
            spec = spec.region(self.copy_region(builder, region, keeps_types)?);
        }
        let new = spec.try_insert()?.results();
        if !keeps_types {
            return self.map(&op.results(), &new);
        }
        self.keep(&op.results(), &new);
        Ok(())
    }

    /// Maps old values to new ones of the same types.
    fn keep(&self, from: &[Value<'c>], to: &[Value<'c>]) {
        for (from, to) in from.iter().zip(to) {
            let key = from.key();
            if self.is_kept_type(from.ty()) {
                self.state.values.borrow_mut().insert(key, vec![*to]);
            } else {
                self.state.kept.borrow_mut().insert(key, *to);
            }
        }
    }

    /// Converts the reachable blocks of a region, in their order.
    pub(super) fn copy_region(
        &self,
        builder: &Builder<'c>,
        region: RegionRef<'c, 'c>,
        keeps_types: bool,
    ) -> Result<Region<'c>, RewriteError> {
        let order = reverse_postorder(region);
        let reached: HashSet<usize> = order.iter().copied().map(block_key).collect();
        let converted = Region::new();
        for block in region.blocks() {
            if reached.contains(&block_key(block)) {
                self.copy_signature(block, &converted, keeps_types)?;
            }
        }
        for block in order {
            let to = self.block(block)?;
            builder.with_insertion_point(|builder| {
                builder.set_to_end(to);
                for op in block.operations() {
                    self.convert(&builder.at(op.location()), op)?;
                }
                Ok::<_, RewriteError>(())
            })?;
        }
        Ok(converted)
    }

    /// Adds a block with the converted arguments of another one to a region.
    fn copy_signature(
        &self,
        block: Block<'c>,
        region: &Region<'c>,
        keeps_types: bool,
    ) -> Result<(), RewriteError> {
        let arguments = block.arguments();
        let mut typed = Vec::new();
        for argument in &arguments {
            let location = argument.location();
            let types = if keeps_types {
                vec![argument.ty()]
            } else {
                self.convert_type(argument.ty())
            };
            typed.extend(types.into_iter().map(|ty| (ty, location)));
        }
        let new = region.append_block(melior::ir::Block::new(&typed));
        // SAFETY: The block outlives the region: an op or the list of erased IR takes it over.
        let new: Block<'c> = unsafe { BlockRef::from_raw(new.to_raw()) };
        let key = block_key(block);
        self.state.blocks.borrow_mut().insert(key, new);
        if !keeps_types {
            return self.map(&arguments, &new.arguments());
        }
        self.state.kept_blocks.borrow_mut().insert(key);
        self.keep(&arguments, &new.arguments());
        Ok(())
    }

    /// An attribute with converted types of values, and the new numbers of values.
    fn convert_attribute(
        &self,
        op: Operation<'c>,
        name: &str,
        attribute: Attribute<'c>,
        sizes: &Sizes,
    ) -> Attribute<'c> {
        let context = self.state.context;
        let segments = |first: usize, of: &[usize]| -> Option<Attribute<'c>> {
            let groups = attribute.i32_array_value()?;
            let groups = ranges(groups.into_iter().map(|size| size.max(0) as usize));
            let sums = groups.into_iter().map(|group| {
                let of = of.get(first + group.start..first + group.end);
                of.map(|sizes| sizes.iter().sum::<usize>() as i32)
            });
            let sums: Option<Vec<i32>> = sums.collect();
            Some(DenseI32ArrayAttribute::new(context, &sums?).into())
        };
        let parts = |types: fn(FunctionType<'c>) -> Vec<Type<'c>>| {
            let function = op.attribute("function_type").and_then(function_type)?;
            let types = types(function).into_iter();
            let sizes: Vec<usize> = types.map(|one| self.convert_type(one).len()).collect();
            self.convert_dictionaries(attribute, &sizes)
        };
        let converted = match name {
            "operandSegmentSizes" => segments(0, &sizes.operands),
            "resultSegmentSizes" => segments(0, &sizes.results),
            // The operands of the cases are the last group.
            "case_operand_segments" if op.isa::<cf::SwitchOp>() => {
                let cases = attribute.i32_array_value().unwrap_or_default();
                let count = cases.into_iter().map(|size| size.max(0) as usize).sum();
                let first = sizes.operands.len().checked_sub(count);
                first.and_then(|first| segments(first, &sizes.operands))
            }
            "arg_attrs" if op.isa::<func::CallOp>() => {
                self.convert_dictionaries(attribute, &sizes.operands)
            }
            "res_attrs" if op.isa::<func::CallOp>() => {
                self.convert_dictionaries(attribute, &sizes.results)
            }
            "arg_attrs" => parts(types::inputs_of),
            "res_attrs" => parts(types::results_of),
            _ => None,
        };
        let types = &self.conversion.types;
        converted.unwrap_or_else(|| types.convert_attribute(context, attribute))
    }

    /// The attributes of arguments or results, each for the first of its converted values.
    fn convert_dictionaries(
        &self,
        attribute: Attribute<'c>,
        sizes: &[usize],
    ) -> Option<Attribute<'c>> {
        let all = attribute.array_elements();
        if all.len() != sizes.len() {
            return None;
        }
        let context = self.state.context;
        let parts = all.into_iter().zip(sizes).flat_map(|(one, size)| {
            let rest = std::iter::repeat_with(|| dictionary_attribute(context, &[]));
            std::iter::once(one).chain(rest).take(*size)
        });
        Some(array_attribute(context, &parts.collect::<Vec<_>>()))
    }
}

/// The number of converted values of each operand and result.
struct Sizes {
    operands: Vec<usize>,
    results: Vec<usize>,
}

fn stays(op: Operation, error: &RewriteError) -> RewriteError {
    RewriteError::Invalid(format!("'{}' stays, but {error}", op.name()))
}
