//! Ops that take over the attributes of others, and the replacements that end patterns.

use super::Builder;
use crate::{
    handles::{Operation, Type, Value},
    operation::OperationExt,
    rewrite::RewriteResult,
    value::ValueExt,
};

impl<'c> Builder<'c> {
    /// An op like another one, all attributes kept, without regions.
    #[track_caller]
    pub fn rebuild(
        &self,
        op: Operation<'c>,
        name: &str,
        operands: &[Value<'c>],
        results: &[Type<'c>],
    ) -> Operation<'c> {
        let mut spec = self.op(name).operands(operands).results(results);
        for (name, attribute) in op.attributes() {
            spec = spec.attribute(name, attribute);
        }
        spec.insert()
    }

    /// The same op with other operands; the result types stay.
    #[track_caller]
    pub fn with_operands(&self, op: Operation<'c>, operands: &[Value<'c>]) -> Operation<'c> {
        self.rebuild(op, op.name(), operands, &op.result_types())
    }

    /// Replaces an op of one result with a value that takes over its discardable
    /// attributes.
    #[track_caller]
    pub fn replace_merged(&self, op: Operation<'c>, value: Value<'c>) -> RewriteResult {
        if let Some(definition) = value.defining_op() {
            definition.merge_discardable(op);
        }
        self.replace(op, &[value]);
        Ok(())
    }

    /// Replaces an op with another one that takes over its discardable attributes.
    #[track_caller]
    pub fn replace_with(&self, op: Operation<'c>, new: Operation<'c>) -> RewriteResult {
        new.merge_discardable(op);
        self.replace(op, &new.results());
        Ok(())
    }
}
