//! The values of the names in a computation.

use super::{
    failure::{Failure, failure},
    importer::Importer,
};
use halo_hlo_text::Shape;
use halo_ir::{prelude::*, stablehlo::types::future_types};
use melior::ir::r#type::TupleType;

/// The value of an instruction. Tuples are flattened here, so that ops use their elements only.
#[derive(Clone)]
pub enum Tree<'m> {
    /// One value of the program: an array, token, buffer or future, or an unflattened tuple.
    Value(Value<'m>),
    Tuple(Vec<Tree<'m>>),
    /// The `u32[]` that `send`, `copy-start` and their like have in their tuple:
    /// a handle of the runtime, without a meaning.
    Handle,
}

/// The elements of a tuple type.
pub fn tuple_elements(ty: Type<'_>) -> Option<Vec<Type<'_>>> {
    let tuple = ty.cast::<TupleType>()?;
    let elements = 0..tuple.type_count();
    Some(elements.filter_map(|it| tuple.r#type(it).ok()).collect())
}

impl<'m> Importer<'m> {
    /// An element of a tuple.
    pub fn element(
        &self,
        builder: &Builder<'m>,
        tree: &Tree<'m>,
        index: usize,
    ) -> Result<Tree<'m>, Failure> {
        let found = match tree {
            Tree::Tuple(elements) => elements.get(index).cloned(),
            Tree::Value(value) => match tuple_elements(value.ty()) {
                Some(types) => match types.get(index) {
                    Some(element) => Some(self.taken(builder, *value, index, *element)?),
                    None => None,
                },
                None => None,
            },
            Tree::Handle => None,
        };
        found.ok_or_else(|| failure(format!("the operand has no element {index}")))
    }

    fn taken(
        &self,
        builder: &Builder<'m>,
        tuple: Value<'m>,
        index: usize,
        element: Type<'m>,
    ) -> Result<Tree<'m>, Failure> {
        let op = stablehlo::GetTupleElementOp::build(builder, tuple, index as i64);
        Ok(Tree::Value(op.result_types(&[element]).value()))
    }

    /// The flattened arrays, tokens and buffers of a value.
    pub fn flatten(
        &self,
        builder: &Builder<'m>,
        tree: &Tree<'m>,
    ) -> Result<Vec<Value<'m>>, Failure> {
        let mut values = Vec::new();
        let mut rest = vec![tree.clone()];
        while let Some(tree) = rest.pop() {
            match tree {
                Tree::Tuple(elements) => rest.extend(elements.into_iter().rev()),
                Tree::Handle => values.push(self.handle(builder)?),
                Tree::Value(value) => match tuple_elements(value.ty()) {
                    Some(types) => {
                        let elements = types.iter().enumerate();
                        let taken = elements
                            .map(|(index, element)| self.taken(builder, value, index, *element))
                            .collect::<Result<Vec<_>, Failure>>()?;
                        rest.extend(taken.into_iter().rev());
                    }
                    None if future_types(value.ty()).is_some() => {
                        values.extend(self.await_future(builder, value)?.results());
                    }
                    None => values.push(value),
                },
            }
        }
        Ok(values)
    }

    /// Waits for the result of an asynchronous op.
    pub fn await_future(
        &self,
        builder: &Builder<'m>,
        future: Value<'m>,
    ) -> Result<Operation<'m>, Failure> {
        let types = future_types(future.ty()).unwrap_or_default();
        let op = stablehlo::AsyncDoneOp::build(builder, future);
        Ok(op.result_types(&types).insert().operation())
    }

    fn handle(&self, builder: &Builder<'m>) -> Result<Value<'m>, Failure> {
        self.number(builder, halo_core::ElementType::Ui32, 0)
    }

    /// The value as one value of the program.
    pub fn whole(&self, builder: &Builder<'m>, tree: &Tree<'m>) -> Result<Value<'m>, Failure> {
        match tree {
            Tree::Value(value) => Ok(*value),
            Tree::Handle => self.handle(builder),
            Tree::Tuple(elements) => {
                let values = elements
                    .iter()
                    .map(|element| self.whole(builder, element))
                    .collect::<Result<Vec<_>, Failure>>()?;
                let types = values.types();
                let tuple = TupleType::new(self.context, &types).into();
                let op = stablehlo::TupleOp::build(builder, &values);
                Ok(op.result_types(&[tuple]).value())
            }
        }
    }

    /// Records the shape of a tuple that was made as the return value of a function.
    pub fn note_tuple(&self, values: &[Value<'m>], shape: &Shape) {
        if let [value] = values
            && let Some(operation) = value.defining_op()
            && operation.isa::<stablehlo::TupleOp>()
            && let Some(note) = self.shape_note(shape, &[value.ty()])
        {
            operation.set_attribute("xla_shape", note);
        }
    }

    /// The value of a shape with the given flattened elements.
    pub fn assemble(&self, shape: &Shape, values: &[Value<'m>]) -> Result<Tree<'m>, Failure> {
        let mut values = values.iter().copied();
        let tree = next_tree(shape, &mut values)?;
        match values.next() {
            None => Ok(tree),
            Some(_) => Err(failure("there are more values than the shape has arrays")),
        }
    }
}

/// Consumes one value per element of a shape. The parser bounds the nesting of shapes.
fn next_tree<'m>(
    shape: &Shape,
    values: &mut impl Iterator<Item = Value<'m>>,
) -> Result<Tree<'m>, Failure> {
    if let Shape::Tuple(elements) = shape {
        let elements = elements.iter().map(|element| next_tree(element, values));
        return Ok(Tree::Tuple(elements.collect::<Result<_, Failure>>()?));
    }
    let value = values.next();
    let value = value.ok_or_else(|| failure("the shape has more arrays than there are values"))?;
    Ok(Tree::Value(value))
}
