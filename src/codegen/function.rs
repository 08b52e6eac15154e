//! Changes to the signatures of functions, and new functions.

use halo_ir::{prelude::*, type_attribute};
use melior::ir::{Attribute as RawAttribute, attribute::TypeAttribute, r#type::FunctionType};
use std::collections::HashSet;

/// The type of a function.
pub fn function_type<'c>(function: Operation<'c>) -> Option<FunctionType<'c>> {
    let attribute = function.attribute("function_type")?.cast::<TypeAttribute>()?;
    attribute.value().cast::<FunctionType>()
}

/// The types of the arguments and of the results of a function.
pub fn signature<'c>(function: Operation<'c>) -> Option<(Vec<Type<'c>>, Vec<Type<'c>>)> {
    let ty = function_type(function)?;
    let inputs = (0..ty.input_count()).filter_map(|index| ty.input(index).ok()).collect();
    let results = (0..ty.result_count()).filter_map(|index| ty.result(index).ok()).collect();
    Some((inputs, results))
}

/// `{}`
pub fn empty_dictionary(context: &melior::Context) -> Option<Attribute<'_>> {
    RawAttribute::parse(context, "{}")
}

/// Sets the types of the arguments and of the results of a function.
pub fn set_signature<'c>(function: Operation<'c>, inputs: &[Type<'c>], results: &[Type<'c>]) {
    let ty = FunctionType::new(function.context(), inputs, results);
    function.set_attribute("function_type", type_attribute(ty.into()));
}

/// Adds a last argument to a function with a body.
pub fn append_argument<'c>(function: Operation<'c>, ty: Type<'c>) -> Option<Value<'c>> {
    let context = function.context();
    let block = function.body(0)?;
    let (mut inputs, results) = signature(function)?;
    inputs.push(ty);
    set_signature(function, &inputs, &results);
    if let Some(attributes) = function.attribute("arg_attrs") {
        let mut attributes = attributes.array_elements();
        attributes.push(empty_dictionary(context)?);
        function.set_attribute("arg_attrs", array_attribute(context, &attributes));
    }
    Some(block.add_argument(ty, function.location()))
}

/// Moves computations of sizes to the start of an entry of dynamic shape.
pub struct Hoisting<'c> {
    /// The op in the first block of the entry that the computations are moved to.
    before: Operation<'c>,
    /// The sizes that are arguments, and the results of moved ops.
    known: HashSet<usize>,
}

impl<'c> Hoisting<'c> {
    /// The computations from these sizes that move before an op.
    pub fn new(before: Operation<'c>, sizes: &[Value<'c>]) -> Self {
        Self {
            before,
            known: sizes.iter().map(|size| size.key()).collect(),
        }
    }

    /// Moves the computation of a value.
    ///
    /// # Errors
    /// Returns the op that is computed from other values than sizes, if it is not an argument.
    pub fn hoist(&mut self, value: Value<'c>) -> Result<(), Option<Operation<'c>>> {
        if self.known.contains(&value.key()) {
            return Ok(());
        }
        let op = value.defining_op().ok_or(None)?;
        let is_computed = op.name().starts_with("arith.")
            && op.result_types().into_iter().all(|ty| ty.is_index() || ty.is_integer());
        if !is_computed {
            return Err(Some(op));
        }
        for operand in op.operands() {
            self.hoist(operand).map_err(|found| found.or(Some(op)))?;
        }
        if op.block() != self.before.block() || !op.is_before(self.before) {
            op.move_before(self.before);
        }
        self.known.extend(op.results().into_iter().map(Value::key));
        Ok(())
    }
}

/// Clones the computation of a value from known values, whose clones the map has.
///
/// # Errors
/// Returns no match if the value is not computed from them.
pub fn clone_computation<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    known: &mut ValueMap<'c>,
) -> RewriteResult<Value<'c>> {
    if !known.contains_key(&value.key()) {
        let op = value.defining_op().filter(|op| op.region_count() == 0);
        let op = op.ok_or_else(|| no_match("a size is not computed from sizes"))?;
        for operand in op.operands() {
            clone_computation(b, operand, known)?;
        }
        b.clone_op(op, known);
    }
    Ok(mapped(known, value))
}
