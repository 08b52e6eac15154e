//! Other types for all values of a program at once.

use halo::{
    core::{Literal, Shape},
    hlo::literals::{attribute_of as attribute_of_literal, literal_of, shape_of as shape_in},
    ir::{
        Attribute, Operation, Type, arguments_of, attribute_of, attribute_type, blocks_of,
        context_of, dense_splat, element_type, encoding_of, i64_array_attribute, i64_array_value,
        is_splat, is_tensor, map_elements,
        ops::{OperationExt, func},
        results_of, set_attribute, set_type, shape_of, splat_attribute, tensor_type,
        type_attribute, visit,
    },
    melior::ir::{ValueLike, operation::OperationLike},
};

/// MLIR's mark of a size that is not known.
const DYNAMIC: i64 = i64::MIN;

/// Attributes that are sizes of tensors.
const SIZES: [&str; 5] = [
    "limit_indices",
    "slice_sizes",
    "window_dimensions",
    "static_sizes",
    "fft_length",
];

/// A change of tensors: of their sizes, or of their elements.
pub struct Retyping<S, E> {
    size: S,
    element: E,
}

impl<'m, S: Fn(i64) -> i64> Retyping<S, fn(Type<'m>) -> Type<'m>> {
    /// Other sizes.
    pub fn of_sizes(size: S) -> Self {
        Self {
            size,
            element: |element| element,
        }
    }
}

impl<'m, E: Fn(Type<'m>) -> Type<'m>> Retyping<fn(i64) -> i64, E> {
    /// Other elements.
    pub fn of_elements(element: E) -> Self {
        Self {
            size: |size| size,
            element,
        }
    }
}

impl<'m, S: Fn(i64) -> i64, E: Fn(Type<'m>) -> Type<'m>> Retyping<S, E> {
    /// Changes a program. Functions, constants and sizes in attributes follow; whether ops
    /// agree with it is for the verifier.
    pub fn apply(&self, root: Operation<'m>) -> Option<()> {
        let mut ops = Vec::new();
        visit(root, &mut |op| ops.push(op));
        for op in ops {
            let blocks = op.regions().flat_map(blocks_of);
            let arguments = blocks.flat_map(arguments_of);
            for value in results_of(op).into_iter().chain(arguments) {
                set_type(value, self.mapped(root, value.r#type()));
            }
            if let Some(function) = op.cast::<func::FuncOp>() {
                let mapped = self.mapped(root, function.function_type());
                set_attribute(op, "function_type", type_attribute(mapped));
            }
            if crate::program::is_constant(op)
                && let Some(value) = attribute_of(op, "value")
            {
                set_attribute(op, "value", self.constant(root, value)?);
            }
            for name in SIZES {
                let Some(sizes) = attribute_of(op, name).and_then(i64_array_value) else {
                    continue;
                };
                let sizes: Vec<i64> = sizes.into_iter().map(&self.size).collect();
                set_attribute(op, name, i64_array_attribute(context_of(op), &sizes));
            }
        }
        Some(())
    }

    fn mapped(&self, root: Operation<'m>, r#type: Type<'m>) -> Type<'m> {
        map_elements(context_of(root), r#type, &|inner| {
            // What an encoding says may be of the sizes.
            if !is_tensor(inner) || encoding_of(inner).is_some() {
                return None;
            }
            let sizes: Vec<i64> = shape_of(inner)?
                .into_iter()
                .map(|size| size.map_or(DYNAMIC, &self.size))
                .collect();
            Some(tensor_type(&sizes, (self.element)(element_type(inner))))
        })
    }

    /// The first elements of a constant.
    fn constant(&self, root: Operation<'m>, value: Attribute<'m>) -> Option<Attribute<'m>> {
        let old = attribute_type(value);
        let new = self.mapped(root, old);
        if old == new {
            return Some(value);
        }
        if is_splat(value) && element_type(old) == element_type(new) {
            return Some(splat_attribute(new, dense_splat(value)?));
        }
        let literal = literal_of(value).ok()?;
        let shape: Shape = shape_in(new).ok()?;
        let literal = literal.convert(shape.element_type()).ok()?;
        let source = literal.shape().clone();
        let first = Literal::from_fn(shape.clone(), |position| {
            let index = shape.multi_index(position);
            let within: Vec<usize> = (index.iter().zip(source.dims()))
                .map(|(index, size)| (*index).min(size.saturating_sub(1)))
                .collect();
            literal.get(source.linear_index(&within).unwrap_or(0))
        });
        attribute_of_literal(&first, new).ok()
    }
}
