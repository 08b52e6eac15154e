//! Builds new ops from old ones.

use super::{
    Conversion, Lowered, OpConversion,
    types::{self, function_type},
};
use crate::{
    Attribute, Block, Builder, Operation, Region, RewriteError, Type, Value, arguments_of,
    array_attribute, attribute_list, block_argument, blocks_of, collect_operations,
    defining_operation,
    diagnostics::reported_errors,
    dictionary_attribute, i32_array_value, location_of_value, name_of, operands_of, operations_of,
    ops::{OperationExt, builtin, cf, func, gpu},
    parent_block,
    pass::{Reported, emit_error, internal_error, panic_message},
    result_types_of, results_of, value_key, with_builder,
};
use melior::{
    Context,
    ir::{
        BlockLike, BlockRef, RegionLike, RegionRef, ValueLike, attribute::DenseI32ArrayAttribute,
        operation::OperationLike,
    },
};
use mlir_sys::MlirOperation;
use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet},
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

unsafe extern "C" {
    fn haloForwardsValues(op: MlirOperation) -> bool;
    fn haloIsTerminator(op: MlirOperation) -> bool;
}

/// What becomes of ops of unknown legality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Partial,
    Full,
}

/// What is under conversion.
pub(super) struct State<'c> {
    context: &'c Context,
    /// The new values of each old one, by its key.
    values: RefCell<HashMap<usize, Vec<Value<'c>>>>,
    /// The new value of the same type of an old one whose op keeps its types.
    kept: RefCell<HashMap<usize, Value<'c>>>,
    /// The new block of each old one.
    blocks: RefCell<HashMap<usize, Block<'c>>>,
    /// The old blocks whose arguments keep their types.
    kept_blocks: RefCell<HashSet<usize>>,
    /// Whether an error was reported.
    failed: Cell<bool>,
}

impl<'c> State<'c> {
    pub fn new(context: &'c Context) -> Self {
        Self {
            context,
            values: RefCell::default(),
            kept: RefCell::default(),
            blocks: RefCell::default(),
            kept_blocks: RefCell::default(),
            failed: Cell::new(false),
        }
    }

    pub fn has_failed(&self) -> bool {
        self.failed.get()
    }
}

/// Builds new ops from old ones, and maps old values to new ones.
#[derive(Clone, Copy)]
pub(super) struct Converter<'a, 'c> {
    pub conversion: &'a Conversion,
    pub state: &'a State<'c>,
    pub mode: Mode,
}

fn invalid<T>(message: String) -> Result<T, RewriteError> {
    Err(RewriteError::Invalid(message))
}

fn block_key(block: Block) -> usize {
    block.to_raw().ptr as usize
}

/// Whether an op passes values on between functions, blocks or regions as they are.
fn forwards_values(op: Operation) -> bool {
    // SAFETY: The op is alive.
    unsafe { haloForwardsValues(op.to_raw()) }
}

fn is_terminator(op: Operation) -> bool {
    // SAFETY: The op is alive.
    unsafe { haloIsTerminator(op.to_raw()) }
}

/// The blocks of a region that can be reached, each behind those that dominate it.
fn reverse_postorder<'c>(region: RegionRef<'c, 'c>) -> Vec<Block<'c>> {
    let Some(entry) = region.first_block() else {
        return Vec::new();
    };
    // Each block with whether its successors were visited.
    let mut pending = vec![(entry, false)];
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    while let Some((block, is_visited)) = pending.pop() {
        if is_visited {
            order.push(block);
        } else if seen.insert(block_key(block)) {
            pending.push((block, true));
            let terminator = block.terminator();
            pending.extend(
                terminator
                    .into_iter()
                    .flat_map(successors_of)
                    .map(|to| (to, false)),
            );
        }
    }
    order.reverse();
    order
}

fn successors_of<'c>(op: Operation<'c>) -> Vec<Block<'c>> {
    op.successors()
        // SAFETY: The block is in the region of the op's block, so it lives as long.
        .map(|block| unsafe { BlockRef::from_raw(block.to_raw()) })
        .collect()
}

/// The end of each group of values, of sizes that follow each other.
fn ranges(sizes: impl IntoIterator<Item = usize>) -> Vec<Range<usize>> {
    let mut end = 0;
    let range = |size| {
        end += size;
        end - size..end
    };
    sizes.into_iter().map(range).collect()
}

impl<'c> Converter<'_, 'c> {
    pub fn convert_type(&self, r#type: Type<'c>) -> Vec<Type<'c>> {
        self.conversion.types.convert(self.state.context, r#type)
    }

    fn is_kept_type(&self, r#type: Type<'c>) -> bool {
        self.convert_type(r#type) == [r#type]
    }

    /// The new values that stand for an old one.
    pub fn values(&self, builder: &Builder<'c>, value: Value<'c>) -> Lowered<'c> {
        let key = value_key(value);
        if let Some(values) = self.state.values.borrow().get(&key) {
            return Ok(values.clone());
        }
        let kept = self.state.kept.borrow().get(&key).copied();
        let Some(kept) = kept else {
            return Ok(vec![value]);
        };
        let values = builder.with_insertion_point(|builder| {
            if let Some((op, _)) = defining_operation(kept) {
                builder.set_after(op);
            } else if let Some((block, _)) = block_argument(kept) {
                builder.set_to_start(block);
            }
            self.materialize_target(builder, kept)
        })?;
        self.state.values.borrow_mut().insert(key, values.clone());
        Ok(values)
    }

    fn materialize_target(&self, builder: &Builder<'c>, value: Value<'c>) -> Lowered<'c> {
        let types = self.convert_type(value.r#type());
        let listed = list(types.iter());
        let Some(make) = &self.conversion.types.target else {
            return invalid(format!(
                "a value of type {} is needed as ({listed}), and the conversion has no target \
                 materialization",
                value.r#type()
            ));
        };
        let values = make(builder, value, &types).map_err(|error| match error {
            RewriteError::Invalid(_) => error,
            _ => RewriteError::Invalid(format!(
                "the target materialization does not make ({listed}) from a value of type {}",
                value.r#type()
            )),
        })?;
        self.check("the target materialization", &values, &types)?;
        Ok(values)
    }

    /// A value as it was, for an op that keeps its types.
    fn original(&self, builder: &Builder<'c>, value: Value<'c>) -> Result<Value<'c>, RewriteError> {
        let kept = self.state.kept.borrow().get(&value_key(value)).copied();
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let r#type = value.r#type();
        let values = self.values(builder, value)?;
        if let [value] = values[..]
            && value.r#type() == r#type
        {
            return Ok(value);
        }
        let types: Vec<Type> = values.iter().map(ValueLike::r#type).collect();
        let listed = list(types.iter());
        let Some(make) = &self.conversion.types.source else {
            return invalid(format!(
                "an operand of type {type} became ({listed}), and the conversion has no source \
                 materialization"
            ));
        };
        let value = make(builder, r#type, &values).map_err(|error| match error {
            RewriteError::Invalid(_) => error,
            _ => RewriteError::Invalid(format!(
                "the source materialization does not make a value of type {type} from ({listed})"
            )),
        })?;
        self.check("the source materialization", &[value], &[r#type])?;
        Ok(value)
    }

    /// Says which new values stand for old ones.
    pub fn map(&self, from: &[Value<'c>], to: &[Value<'c>]) -> Result<(), RewriteError> {
        let types = &self.conversion.types;
        let sizes: Vec<usize> = match types.one_to_many {
            None => vec![1; from.len()],
            Some(_) => {
                let from = from.iter();
                from.map(|value| self.convert_type(value.r#type()).len())
                    .collect()
            }
        };
        let count = sizes.iter().sum::<usize>();
        let ranges = match count == to.len() {
            true => ranges(sizes),
            false if from.len() == to.len() => ranges(from.iter().map(|_| 1)),
            false => {
                return invalid(format!(
                    "internal error: {} values cannot stand for {} values, which become {count}",
                    to.len(),
                    from.len()
                ));
            }
        };
        let parts = ranges.into_iter().map(|range| to[range].to_vec());
        let keys = from.iter().map(|from| value_key(*from));
        self.state.values.borrow_mut().extend(keys.zip(parts));
        Ok(())
    }

    /// Reports an error at an op, if it is the first one, and MLIR has not said why.
    fn report(&self, op: Operation<'c>, error: &RewriteError, errors_before: usize) {
        if !self.state.failed.replace(true) && reported_errors() == errors_before {
            emit_error(op.location(), &error.to_string());
        }
    }

    /// Converts the functions in an op, and the other ops in it that are not legal, and
    /// erases what they were.
    pub fn convert_nested(&self, root: Operation<'c>) {
        let mut converted = Vec::new();
        for op in root.regions().flat_map(blocks_of).flat_map(operations_of) {
            if self.must_convert(op) {
                let errors = reported_errors();
                let outcome = with_builder(op, |builder| self.convert(builder, op));
                if let Err(error) = outcome {
                    self.report(op, &error, errors);
                    return;
                }
                converted.push(op);
            } else if op.region_count() > 0 {
                self.convert_nested(op);
            }
            if self.state.has_failed() {
                return;
            }
        }
        // An op behind it may have used it.
        for op in converted.into_iter().rev() {
            let erased = with_builder(op, |builder| builder.erase(op));
            if let Err(error) = erased {
                self.report(op, &error.into(), reported_errors());
                return;
            }
        }
    }

    /// Whether an op that is in no function is built anew.
    fn must_convert(&self, op: Operation<'c>) -> bool {
        if op.isa::<func::FuncOp>() {
            return true;
        }
        let is_left = |op| match self.mode {
            Mode::Full => self.conversion.legality_of(op) != Some(true),
            Mode::Partial => self.conversion.is_converted(op),
        };
        if is_left(op) || op.operand_count() > 0 || op.result_count() > 0 {
            return true;
        }
        let is_module = op.isa::<builtin::ModuleOp>() || op.isa::<gpu::GPUModuleOp>();
        !is_module && !collect_operations(op, is_left).is_empty()
    }

    pub fn convert_block(&self, builder: &Builder<'c>, block: Block<'c>) -> Lowered<'c> {
        let mut operations = operations_of(block);
        let terminator = operations.pop().ok_or(RewriteError::NoMatch)?;
        for op in operations {
            self.convert(&builder.at(op.location()), op)?;
        }
        let mut values = Vec::new();
        for operand in operands_of(terminator) {
            values.extend(self.values(builder, operand)?);
        }
        Ok(values)
    }

    /// Lowers or copies an op to where the builder stands, and maps its results.
    fn convert(&self, builder: &Builder<'c>, op: Operation<'c>) -> Result<(), RewriteError> {
        let errors = reported_errors();
        let converted = self.lower_or_copy(builder, op);
        if let Err(error) = &converted {
            self.report(op, error, errors);
        }
        converted
    }

    fn lower_or_copy(&self, builder: &Builder<'c>, op: Operation<'c>) -> Result<(), RewriteError> {
        let legality = self.conversion.legality_of(op);
        if legality == Some(true) {
            return self.copy(builder, op);
        }
        match self.lower(builder, op) {
            Err(RewriteError::NoMatchBecause(_))
                if legality.is_none() && self.mode == Mode::Partial =>
            {
                self.copy(builder, op)
            }
            Err(RewriteError::NoMatchBecause(reasons)) => {
                let name = name_of(op);
                let unknown = match legality {
                    None => format!("'{name}' is not declared legal, and "),
                    Some(_) => String::new(),
                };
                invalid(format!(
                    "{unknown}there is no lowering for '{name}'{reasons}"
                ))
            }
            Err(error) => Err(error),
            Ok(values) => self.map(&results_of(op), &values),
        }
    }

    fn lower(&self, builder: &Builder<'c>, op: Operation<'c>) -> Lowered<'c> {
        if self.conversion.lowerings_of(name_of(op)).next().is_none() {
            return Err(RewriteError::NoMatchBecause("".into()));
        }
        let mut operands = Vec::new();
        let mut sizes = Vec::new();
        for operand in operands_of(op) {
            let values = self.values(builder, operand)?;
            sizes.push(values.len());
            operands.extend(values);
        }
        let results = result_types_of(op).into_iter();
        let results: Vec<Type> = results
            .flat_map(|result| self.convert_type(result))
            .collect();
        let mut successors = Vec::new();
        for successor in successors_of(op) {
            successors.push(self.block(successor)?);
        }
        self.lower_by(op, &results, || OpConversion {
            builder: *builder,
            op,
            operands: operands.clone(),
            results: results.clone(),
            successors: successors.clone(),
            on_elements: false,
            operand_parts: ranges(sizes.iter().copied()),
            converter: *self,
        })
    }

    pub fn lower_on_elements(
        &self,
        builder: &Builder<'c>,
        op: Operation<'c>,
        operands: Vec<Value<'c>>,
        results: Vec<Type<'c>>,
    ) -> Lowered<'c> {
        let errors = reported_errors();
        let lowered = self.lower_by(op, &results, || OpConversion {
            builder: builder.at(op.location()),
            op,
            operands: operands.clone(),
            results: results.clone(),
            successors: Vec::new(),
            on_elements: true,
            operand_parts: ranges(operands.iter().map(|_| 1)),
            converter: *self,
        });
        let lowered = lowered.map_err(|error| match error {
            RewriteError::NoMatchBecause(reasons) => RewriteError::Invalid(format!(
                "there is no lowering for '{}' in a region on elements{reasons}",
                name_of(op)
            )),
            error => error,
        });
        if let Err(error) = &lowered {
            self.report(op, error, errors);
        }
        lowered
    }

    /// Asks the lowerings of an op in their order.
    ///
    /// # Errors
    /// No match, with the reasons of all, where none matches.
    fn lower_by<'b>(
        &self,
        op: Operation<'c>,
        results: &[Type<'c>],
        conversion: impl Fn() -> OpConversion<'b, 'c>,
    ) -> Lowered<'c>
    where
        'c: 'b,
    {
        let name = name_of(op);
        let mut reasons = Vec::new();
        for lower in self.conversion.lowerings_of(name) {
            let conversion = conversion();
            let lowered = catch_unwind(AssertUnwindSafe(|| lower(conversion)));
            match lowered {
                Ok(Err(RewriteError::NoMatch)) => {}
                Ok(Err(RewriteError::NoMatchBecause(reason))) => reasons.push(reason),
                Ok(Err(error)) => return Err(error),
                Ok(Ok(values)) => {
                    self.check(&format!("a lowering of '{name}'"), &values, results)?;
                    return Ok(values);
                }
                Err(payload) if payload.is::<Reported>() => resume_unwind(payload),
                Err(payload) => {
                    return invalid(format!(
                        "{}, in a lowering of '{name}': {}",
                        internal_error(),
                        panic_message(&*payload)
                    ));
                }
            }
        }
        let reasons = match reasons.as_slice() {
            [] => String::new(),
            reasons => format!(": {}", reasons.join("; ")),
        };
        Err(RewriteError::NoMatchBecause(reasons.into()))
    }

    /// Whether values are of the types that they must have.
    fn check(
        &self,
        maker: &str,
        values: &[Value<'c>],
        types: &[Type<'c>],
    ) -> Result<(), RewriteError> {
        if values.len() != types.len() {
            return invalid(format!(
                "internal error: {maker} returned {} values for {} results",
                values.len(),
                types.len()
            ));
        }
        let mut pairs = values.iter().zip(types);
        match pairs.find(|(value, r#type)| value.r#type() != **r#type) {
            Some((value, r#type)) => invalid(format!(
                "internal error: {maker} returned a value of type {} for a result of type {type}",
                value.r#type()
            )),
            None => Ok(()),
        }
    }

    /// The block that a successor became.
    fn block(&self, block: Block<'c>) -> Result<Block<'c>, RewriteError> {
        let found = self.state.blocks.borrow().get(&block_key(block)).copied();
        found.ok_or_else(|| {
            RewriteError::Invalid("the block of a successor was not converted".to_owned())
        })
    }

    /// Creates the same op again on converted operands, types and regions.
    fn copy(&self, builder: &Builder<'c>, op: Operation<'c>) -> Result<(), RewriteError> {
        let is_in_kept_block = || {
            let block = parent_block(op).map(block_key);
            is_terminator(op)
                && block.is_some_and(|block| self.state.kept_blocks.borrow().contains(&block))
        };
        let forwards = forwards_values(op) && !is_in_kept_block();
        let types = &self.conversion.types;
        let keeps_types = !forwards && types.materializes();
        let mut operands = Vec::new();
        for (number, operand) in operands_of(op).into_iter().enumerate() {
            let values = match keeps_types {
                true => vec![
                    self.original(builder, operand)
                        .map_err(|error| stays(op, &error))?,
                ],
                false => self.values(builder, operand)?,
            };
            if !forwards && values.len() != 1 {
                return invalid(format!(
                    "'{}' stays, but its operand {number} of type {} became {} values, and the \
                     conversion has no source materialization",
                    name_of(op),
                    operand.r#type(),
                    values.len()
                ));
            }
            operands.push(values);
        }
        let mut results = Vec::new();
        for (number, result) in result_types_of(op).into_iter().enumerate() {
            let converted = match keeps_types {
                true => vec![result],
                false => self.convert_type(result),
            };
            if !forwards && converted.len() != 1 {
                return invalid(format!(
                    "'{}' stays, but its result {number} of type {result} becomes {} values, and \
                     the conversion has no target materialization",
                    name_of(op),
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
            .op(name_of(op))
            .operands(&operands.concat())
            .results(&results.concat())
            .successors(&successors);
        let sizes = Sizes {
            operands: operands.iter().map(Vec::len).collect(),
            results: results.iter().map(Vec::len).collect(),
        };
        for (name, attribute) in op.attributes() {
            let name = name.as_string_ref();
            let name = name.as_str().unwrap_or_default();
            let attribute = match keeps_types {
                true => attribute,
                false => self.convert_attribute(op, name, attribute, &sizes),
            };
            spec = spec.attribute(name, attribute);
        }
        for region in op.regions() {
            spec = spec.region(self.copy_region(builder, region, keeps_types)?);
        }
        let new = results_of(spec.insert()?);
        if !keeps_types {
            return self.map(&results_of(op), &new);
        }
        self.keep(&results_of(op), &new);
        Ok(())
    }

    /// Says which new values of the same types stand for old ones.
    fn keep(&self, from: &[Value<'c>], to: &[Value<'c>]) {
        for (from, to) in from.iter().zip(to) {
            let key = value_key(*from);
            match self.is_kept_type(from.r#type()) {
                true => drop(self.state.values.borrow_mut().insert(key, vec![*to])),
                false => drop(self.state.kept.borrow_mut().insert(key, *to)),
            }
        }
    }

    /// Converts the blocks of a region that can be reached, in the order that they have.
    pub fn copy_region(
        &self,
        builder: &Builder<'c>,
        region: RegionRef<'c, 'c>,
        keeps_types: bool,
    ) -> Result<Region<'c>, RewriteError> {
        let order = reverse_postorder(region);
        let reached: HashSet<usize> = order.iter().copied().map(block_key).collect();
        let converted = Region::new();
        for block in blocks_of(region) {
            if reached.contains(&block_key(block)) {
                self.copy_signature(block, &converted, keeps_types)?;
            }
        }
        for block in order {
            let to = self.block(block)?;
            builder.with_insertion_point(|builder| {
                builder.set_to_end(to);
                for op in operations_of(block) {
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
        let arguments = arguments_of(block);
        let mut typed = Vec::new();
        for argument in &arguments {
            let location = location_of_value(*argument);
            let types = match keeps_types {
                true => vec![argument.r#type()],
                false => self.convert_type(argument.r#type()),
            };
            typed.extend(types.into_iter().map(|r#type| (r#type, location)));
        }
        let new = region.append_block(melior::ir::Block::new(&typed));
        // SAFETY: The block outlives the region: an op takes it over, or the graveyard.
        let new: Block<'c> = unsafe { BlockRef::from_raw(new.to_raw()) };
        let key = block_key(block);
        self.state.blocks.borrow_mut().insert(key, new);
        if !keeps_types {
            return self.map(&arguments, &arguments_of(new));
        }
        self.state.kept_blocks.borrow_mut().insert(key);
        self.keep(&arguments, &arguments_of(new));
        Ok(())
    }

    /// An attribute with the types of values in it converted, and the numbers of values.
    fn convert_attribute(
        &self,
        op: Operation<'c>,
        name: &str,
        attribute: Attribute<'c>,
        sizes: &Sizes,
    ) -> Attribute<'c> {
        let context = self.state.context;
        let segments = |first: usize, of: &[usize]| -> Option<Attribute<'c>> {
            let groups = i32_array_value(attribute)?;
            let groups = ranges(groups.into_iter().map(|size| size.max(0) as usize));
            let sums = groups.into_iter().map(|group| {
                let of = of.get(first + group.start..first + group.end);
                of.map(|sizes| sizes.iter().sum::<usize>() as i32)
            });
            let sums: Option<Vec<i32>> = sums.collect();
            Some(DenseI32ArrayAttribute::new(context, &sums?).into())
        };
        let parts = |types: fn(melior::ir::r#type::FunctionType<'c>) -> Vec<Type<'c>>| {
            let function = crate::attribute_of(op, "function_type").and_then(function_type)?;
            let types = types(function).into_iter();
            let sizes: Vec<usize> = types.map(|one| self.convert_type(one).len()).collect();
            self.convert_dictionaries(attribute, &sizes)
        };
        let converted = match name {
            "operandSegmentSizes" => segments(0, &sizes.operands),
            "resultSegmentSizes" => segments(0, &sizes.results),
            // The operands of the cases are the last group.
            "case_operand_segments" if op.isa::<cf::SwitchOp>() => {
                let cases = i32_array_value(attribute).unwrap_or_default();
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

    /// The attributes of arguments or results, each for the first of the values that it
    /// became.
    fn convert_dictionaries(
        &self,
        attribute: Attribute<'c>,
        sizes: &[usize],
    ) -> Option<Attribute<'c>> {
        let all = attribute_list(attribute);
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

/// How many values each operand and each result became.
struct Sizes {
    operands: Vec<usize>,
    results: Vec<usize>,
}

fn stays(op: Operation, error: &RewriteError) -> RewriteError {
    RewriteError::Invalid(format!("'{}' stays, but {error}", name_of(op)))
}

fn list<'t, 'c: 't>(types: impl Iterator<Item = &'t Type<'c>>) -> String {
    let types: Vec<String> = types.map(ToString::to_string).collect();
    types.join(", ")
}
