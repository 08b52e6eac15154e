//! The input of a lowering.

use super::{Lowered, converter::Converter};
use crate::{
    builder::Builder,
    handles::{Block, Operation, Type, Value},
    operation::OperationExt,
    ops::definition::Op,
    region::Region,
    rewrite::RewriteError,
    types::TypeExt,
};
use std::ops::Range;

/// An op that is being lowered.
pub struct OpConversion<'a, 'c> {
    /// Creates the new ops, with the location of the op. A lowering may leave the insertion point
    /// at the end of another block, where the following ops are converted to.
    pub builder: Builder<'c>,
    /// The original op.
    pub op: Operation<'c>,
    /// Its converted operands, in order: several or none for an operand whose type is converted to
    /// several or none.
    pub operands: Vec<Value<'c>>,
    /// The required types of the values for its results, in order: several or none for a result
    /// whose type is converted to several or none.
    pub results: Vec<Type<'c>>,
    /// The converted successors.
    pub successors: Vec<Block<'c>>,
    /// Whether operands and results are elements in place of tensors of rank 0, as in the body of a
    /// reduction ([`Self::lower_on_elements`]). A lowering that does not support that returns no
    /// match.
    pub on_elements: bool,
    pub(super) operand_parts: Vec<Range<usize>>,
    pub(super) converter: Converter<'a, 'c>,
}

impl<'c> OpConversion<'_, 'c> {
    /// The op as one of a type.
    ///
    /// # Errors
    /// Returns no match if it is of another type.
    pub fn op_as<O: Op<'c>>(&self) -> Result<O, RewriteError> {
        self.op.cast::<O>().ok_or(RewriteError::NoMatch)
    }

    /// A converted operand.
    ///
    /// # Errors
    /// Returns `RewriteError::Invalid` if there are fewer, or its type became several or none.
    pub fn operand(&self, number: usize) -> Result<Value<'c>, RewriteError> {
        match self.parts(number)? {
            [value] => Ok(*value),
            parts => Err(RewriteError::Invalid(format!(
                "operand {number} of '{}' became {} values",
                self.op.name(),
                parts.len()
            ))),
        }
    }

    /// The values that an operand became.
    ///
    /// # Errors
    /// Returns `RewriteError::Invalid` if the op has fewer.
    pub fn parts(&self, number: usize) -> Result<&[Value<'c>], RewriteError> {
        let parts = self.operand_parts.get(number).cloned();
        let parts = parts.and_then(|range| self.operands.get(range));
        parts.ok_or_else(|| {
            RewriteError::Invalid(format!("'{}' lacks operand {number}", self.op.name()))
        })
    }

    /// The type of the first value for the results.
    ///
    /// # Errors
    /// Returns `RewriteError::Invalid` if there is none.
    pub fn result(&self) -> Result<Type<'c>, RewriteError> {
        self.results
            .first()
            .copied()
            .ok_or_else(|| RewriteError::Invalid(format!("'{}' has no result", self.op.name())))
    }

    /// The first block of a region of the op.
    ///
    /// # Errors
    /// Returns `RewriteError::Invalid` if there is none.
    pub fn body(&self, region: usize) -> Result<Block<'c>, RewriteError> {
        self.op.body(region).ok_or_else(|| self.lacks_region(region))
    }

    fn lacks_region(&self, region: usize) -> RewriteError {
        RewriteError::Invalid(format!("'{}' lacks region {region}", self.op.name()))
    }

    /// A type after the conversion.
    ///
    /// # Errors
    /// Returns `RewriteError::Invalid` if it becomes several or none.
    pub fn convert_type(&self, ty: Type<'c>) -> Result<Type<'c>, RewriteError> {
        match self.convert_types(ty)[..] {
            [ty] => Ok(ty),
            ref types => Err(RewriteError::Invalid(format!(
                "type {ty} becomes {} types",
                types.len()
            ))),
        }
    }

    /// The types that a type becomes.
    pub fn convert_types(&self, ty: Type<'c>) -> Vec<Type<'c>> {
        self.converter.convert_type(ty)
    }

    /// The new value of an old one; a new value itself.
    ///
    /// # Errors
    /// Returns `RewriteError::Invalid` if its type became several or none.
    pub fn lookup(&self, value: Value<'c>) -> Result<Value<'c>, RewriteError> {
        match self.lookup_parts(value)?[..] {
            [value] => Ok(value),
            ref parts => Err(RewriteError::Invalid(format!(
                "a value that '{}' uses became {} values",
                self.op.name(),
                parts.len()
            ))),
        }
    }

    /// The new values of an old one; a new value itself.
    ///
    /// # Errors
    /// Returns the errors of a materialization.
    pub fn lookup_parts(&self, value: Value<'c>) -> Lowered<'c> {
        self.converter.values(&self.builder, value)
    }

    /// Maps old values to new ones, such as the arguments of a block that is converted next: one
    /// for each, or as many as its type is converted to.
    ///
    /// # Errors
    /// Returns `RewriteError::Invalid` if they are more or fewer.
    pub fn map(&self, from: &[Value<'c>], to: &[Value<'c>]) -> Result<(), RewriteError> {
        self.converter.map(from, to)
    }

    /// Converts the ops of a block in the op, without its terminator, to the insertion point of a
    /// builder. Returns the converted operands of the terminator.
    ///
    /// # Errors
    /// Returns the errors of lowering the ops.
    pub fn convert_block(&self, builder: &Builder<'c>, block: Block<'c>) -> Lowered<'c> {
        self.converter.convert_block(builder, block)
    }

    /// Converts a region of the op: all reachable blocks, with their arguments and terminators.
    ///
    /// ```no_run
    /// # use halo_ir::conversion::{Lowered, OpConversion};
    /// /// The same op, with what is inside of it converted.
    /// fn keep<'c>(op: OpConversion<'_, 'c>) -> Lowered<'c> {
    ///     let region = op.convert_region(0)?;
    ///     let new = op.builder.op("scf.execute_region").results(&op.results).region(region);
    ///     Ok(vec![new.value()])
    /// }
    /// ```
    ///
    /// # Errors
    /// Returns an error if the op has no such region, and the errors of lowering the ops.
    pub fn convert_region(&self, number: usize) -> Result<Region<'c>, RewriteError> {
        let region = self.op.region(number).ok_or_else(|| self.lacks_region(number))?;
        self.converter.copy_region(&self.builder, region, false)
    }

    /// Lowers an op of a region on scalars, as a lowering of a reduction does with the ops of its
    /// body. `operands` are the elements of its operands, which are tensors of rank 0, and so are
    /// the values that this returns for its results. The lowerings of the op are tried in their
    /// order, with [`on_elements`](Self::on_elements).
    ///
    /// ```no_run
    /// # use halo_ir::{BlockExt, RewriteError, Value, conversion::OpConversion};
    /// /// The first op of a body, for the element of an array.
    /// fn first<'c>(op: &OpConversion<'_, 'c>, element: Value<'c>) -> Result<Value<'c>, RewriteError> {
    ///     let inner = op.body(0)?.operations()[0];
    ///     Ok(op.lower_on_elements(&op.builder, inner, &[element])?[0])
    /// }
    /// ```
    ///
    /// # Errors
    /// Returns an error if none matches or one fails, which is reported at the op.
    pub fn lower_on_elements(
        &self,
        builder: &Builder<'c>,
        op: Operation<'c>,
        operands: &[Value<'c>],
    ) -> Lowered<'c> {
        let results = op
            .result_types()
            .into_iter()
            .flat_map(|result| self.convert_types(result))
            .map(TypeExt::element_type)
            .collect();
        self.converter.lower_on_elements(builder, op, operands.to_vec(), results)
    }
}
