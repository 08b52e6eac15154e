//! Builds new ops from old ones.

use super::{Conversion, Lowered, OpConversion};
use crate::{
    block::BlockExt,
    build_error::Reported,
    builder::Builder,
    diagnostics::reported_errors,
    edit::with_builder,
    handles::{Block, Operation, Type, Value},
    operation::OperationExt,
    ops::{builtin, func, gpu},
    pass::failure::{emit_error, internal_error},
    rewrite::RewriteError,
    value::{ValueExt, ValuesExt},
};
use halo_core::panics;
use melior::Context;
use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet},
    ops::Range,
};

/// The treatment of ops of unknown legality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Partial,
    Full,
}

/// The state of a conversion.
pub(super) struct State<'c> {
    pub context: &'c Context,
    /// The new values of each old one, by its key.
    pub values: RefCell<HashMap<usize, Vec<Value<'c>>>>,
    /// The new value of the original type, for each old value whose op keeps its types.
    pub kept: RefCell<HashMap<usize, Value<'c>>>,
    /// The new block of each old one.
    pub blocks: RefCell<HashMap<usize, Block<'c>>>,
    /// The old blocks whose arguments keep their types.
    pub kept_blocks: RefCell<HashSet<usize>>,
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

    pub(super) fn has_failed(&self) -> bool {
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

pub(super) fn invalid<T>(message: String) -> Result<T, RewriteError> {
    Err(RewriteError::Invalid(message))
}

pub(super) fn block_key(block: Block) -> usize {
    block.to_raw().ptr as usize
}

pub(super) fn successors_of<'c>(op: Operation<'c>) -> Vec<Block<'c>> {
    op.successors()
}

/// The ends of consecutive groups of values with the given sizes.
pub(super) fn ranges(sizes: impl IntoIterator<Item = usize>) -> Vec<Range<usize>> {
    let mut end = 0;
    let range = |size| {
        end += size;
        end - size..end
    };
    sizes.into_iter().map(range).collect()
}

impl<'c> Converter<'_, 'c> {
    pub fn convert_type(&self, ty: Type<'c>) -> Vec<Type<'c>> {
        self.conversion.types.convert(self.state.context, ty)
    }

    pub(super) fn is_kept_type(&self, ty: Type<'c>) -> bool {
        self.convert_type(ty) == [ty]
    }

    /// The new values of an old one.
    pub fn values(&self, builder: &Builder<'c>, value: Value<'c>) -> Lowered<'c> {
        let key = value.key();
        if let Some(values) = self.state.values.borrow().get(&key) {
            return Ok(values.clone());
        }
        let kept = self.state.kept.borrow().get(&key).copied();
        let Some(kept) = kept else {
            return Ok(vec![value]);
        };
        let values = builder.with_insertion_point(|builder| {
            if let Some(op) = kept.defining_op() {
                builder.set_after(op);
            } else if let Some((block, _)) = kept.as_block_argument() {
                builder.set_to_start(block);
            }
            self.materialize_target(builder, kept)
        })?;
        self.state.values.borrow_mut().insert(key, values.clone());
        Ok(values)
    }

    fn materialize_target(&self, builder: &Builder<'c>, value: Value<'c>) -> Lowered<'c> {
        let types = self.convert_type(value.ty());
        let listed = list(types.iter());
        let Some(make) = &self.conversion.types.target else {
            return invalid(format!(
                "a value of type {} is needed as ({listed}), and the conversion has no target \
                 materialization",
                value.ty()
            ));
        };
        let values = make(builder, value, &types).map_err(|error| match error {
            RewriteError::Invalid(_) => error,
            _ => RewriteError::Invalid(format!(
                "the target materialization does not make ({listed}) from a value of type {}",
                value.ty()
            )),
        })?;
        self.check("the target materialization", &values, &types)?;
        Ok(values)
    }

    /// A value of its original type, for an op that keeps its types.
    pub(super) fn original(
        &self,
        builder: &Builder<'c>,
        value: Value<'c>,
    ) -> Result<Value<'c>, RewriteError> {
        let kept = self.state.kept.borrow().get(&value.key()).copied();
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let ty = value.ty();
        let values = self.values(builder, value)?;
        if let [value] = values[..]
            && value.ty() == ty
        {
            return Ok(value);
        }
        let types = values.types();
        let listed = list(types.iter());
        let Some(make) = &self.conversion.types.source else {
            return invalid(format!(
                "an operand of type {ty} became ({listed}), and the conversion has no source \
                 materialization"
            ));
        };
        let value = make(builder, ty, &values).map_err(|error| match error {
            RewriteError::Invalid(_) => error,
            _ => RewriteError::Invalid(format!(
                "the source materialization does not make a value of type {ty} from ({listed})"
            )),
        })?;
        self.check("the source materialization", &[value], &[ty])?;
        Ok(value)
    }

    /// Maps old values to new ones.
    pub fn map(&self, from: &[Value<'c>], to: &[Value<'c>]) -> Result<(), RewriteError> {
        let types = &self.conversion.types;
        let sizes: Vec<usize> = match types.one_to_many {
            None => vec![1; from.len()],
            Some(_) => {
                let from = from.iter();
                from.map(|value| self.convert_type(value.ty()).len()).collect()
            }
        };
        let count = sizes.iter().sum::<usize>();
        let ranges = if count == to.len() {
            ranges(sizes)
        } else if from.len() == to.len() {
            ranges(from.iter().map(|_| 1))
        } else {
            return invalid(format!(
                "internal error: {} values cannot stand for {} values, which become {count}",
                to.len(),
                from.len()
            ));
        };
        let parts = ranges.into_iter().map(|range| to[range].to_vec());
        let keys = from.iter().map(|from| from.key());
        self.state.values.borrow_mut().extend(keys.zip(parts));
        Ok(())
    }

    /// Reports an error at an op, if it is the first one, and MLIR has not reported the reason.
    fn report(&self, op: Operation<'c>, error: &RewriteError, errors_before: usize) {
        if !self.state.failed.replace(true) && reported_errors() == errors_before {
            emit_error(op.location(), &error.to_string());
        }
    }

    /// Converts the functions in an op, and the other illegal ops in it, and erases the old ones.
    pub(super) fn convert_nested(&self, root: Operation<'c>) {
        let mut converted = Vec::new();
        for op in root.blocks().into_iter().flat_map(Block::operations) {
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
        // A later op may have used it.
        for op in converted.into_iter().rev() {
            let erased = with_builder(op, |builder| builder.try_erase(op));
            if let Err(error) = erased {
                self.report(op, &error.into(), reported_errors());
                return;
            }
        }
    }

    /// Returns true if an op outside of functions is rebuilt.
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
        !is_module && !op.collect_nested(is_left).is_empty()
    }

    pub fn convert_block(&self, builder: &Builder<'c>, block: Block<'c>) -> Lowered<'c> {
        let mut operations = block.operations();
        let terminator = operations.pop().ok_or(RewriteError::NoMatch)?;
        for op in operations {
            self.convert(&builder.at(op.location()), op)?;
        }
        let mut values = Vec::new();
        for operand in terminator.operands() {
            values.extend(self.values(builder, operand)?);
        }
        Ok(values)
    }

    /// Lowers or clones an op at the insertion point of the builder, and maps its results.
    pub(super) fn convert(
        &self,
        builder: &Builder<'c>,
        op: Operation<'c>,
    ) -> Result<(), RewriteError> {
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
                let name = op.name();
                let unknown = match legality {
                    None => format!("'{name}' is not declared legal, and "),
                    Some(_) => String::new(),
                };
                invalid(format!(
                    "{unknown}there is no lowering for '{name}'{reasons}"
                ))
            }
            Err(error) => Err(error),
            Ok(values) => self.map(&op.results(), &values),
        }
    }

    fn lower(&self, builder: &Builder<'c>, op: Operation<'c>) -> Lowered<'c> {
        if self.conversion.lowerings_of(op.name()).next().is_none() {
            return Err(RewriteError::NoMatchBecause("".into()));
        }
        let mut operands = Vec::new();
        let mut sizes = Vec::new();
        for operand in op.operands() {
            let values = self.values(builder, operand)?;
            sizes.push(values.len());
            operands.extend(values);
        }
        let results = op.result_types().into_iter();
        let results: Vec<Type> = results.flat_map(|result| self.convert_type(result)).collect();
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
                op.name()
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
    /// Returns no match, with the reasons of all lowerings, if none matches.
    fn lower_by<'b>(
        &self,
        op: Operation<'c>,
        results: &[Type<'c>],
        conversion: impl Fn() -> OpConversion<'b, 'c>,
    ) -> Lowered<'c>
    where
        'c: 'b,
    {
        let name = op.name();
        let mut reasons = Vec::new();
        for lower in self.conversion.lowerings_of(name) {
            let conversion = conversion();
            let lowered = panics::catch(|| lower(conversion));
            match lowered {
                Ok(Err(RewriteError::NoMatch)) => {}
                Ok(Err(RewriteError::NoMatchBecause(reason))) => reasons.push(reason),
                Ok(Err(error)) => return Err(error),
                Ok(Ok(values)) => {
                    self.check(&format!("a lowering of '{name}'"), &values, results)?;
                    return Ok(values);
                }
                Err(panic) if panic.is::<Reported>() => panic.resume(),
                Err(panic) => {
                    return invalid(format!(
                        "{}, in a lowering of '{name}': {panic}",
                        internal_error(),
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

    /// Checks that values have the required types.
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
        match pairs.find(|(value, ty)| value.ty() != **ty) {
            Some((value, ty)) => invalid(format!(
                "internal error: {maker} returned a value of type {} for a result of type {ty}",
                value.ty()
            )),
            None => Ok(()),
        }
    }

    /// The block that a successor became.
    pub fn block(&self, block: Block<'c>) -> Result<Block<'c>, RewriteError> {
        let found = self.state.blocks.borrow().get(&block_key(block)).copied();
        found.ok_or_else(|| {
            RewriteError::Invalid("the block of a successor was not converted".to_owned())
        })
    }
}

fn list<'t, 'c: 't>(types: impl Iterator<Item = &'t Type<'c>>) -> String {
    let types: Vec<String> = types.map(ToString::to_string).collect();
    types.join(", ")
}
