//! Changes the types of all values of a program at once.

use halo::{
    core::{Literal, Shape},
    hlo::literals::{attribute_of as attribute_of_literal, literal_of, shape_of as shape_in},
    ir::{i64_array_attribute, splat_attribute, type_attribute},
    prelude::*,
};

/// MLIR's marker of a dynamic size.
const DYNAMIC: i64 = i64::MIN;

/// Attributes that contain sizes of tensors.
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
    /// Changes sizes.
    pub fn of_sizes(size: S) -> Self {
        Self {
            size,
            element: |element| element,
        }
    }
}

impl<'m, E: Fn(Type<'m>) -> Type<'m>> Retyping<fn(i64) -> i64, E> {
    /// Changes elements.
    pub fn of_elements(element: E) -> Self {
        Self {
            size: |size| size,
            element,
        }
    }
}

impl<'m, S: Fn(i64) -> i64, E: Fn(Type<'m>) -> Type<'m>> Retyping<S, E> {
    /// Changes a program. Functions, constants and sizes in attributes are updated; the verifier
    /// checks the ops.
    pub fn apply(&self, root: Operation<'m>) -> Option<()> {
        let mut ops = Vec::new();
        root.visit(&mut |op| ops.push(op));
        for op in ops {
            let blocks = op.blocks().into_iter();
            let arguments = blocks.flat_map(Block::arguments);
            for value in op.results().into_iter().chain(arguments) {
                value.set_type(self.mapped(root, value.ty()));
            }
            if let Some(function) = op.cast::<func::FuncOp>() {
                let mapped = self.mapped(root, function.function_type());
                op.set_attribute("function_type", type_attribute(mapped));
            }
            if crate::program::is_constant(op)
                && let Some(value) = op.attribute("value")
            {
                op.set_attribute("value", self.constant(root, value)?);
            }
            for name in SIZES {
                let Some(sizes) = op.attribute(name).and_then(Attribute::i64_array_value) else {
                    continue;
                };
                let sizes: Vec<i64> = sizes.into_iter().map(&self.size).collect();
                op.set_attribute(name, i64_array_attribute(op.context(), &sizes));
            }
        }
        Some(())
    }

    fn mapped(&self, root: Operation<'m>, ty: Type<'m>) -> Type<'m> {
        ty.map_elements(root.context(), &|inner| {
            // An encoding may contain sizes.
            if !inner.is_tensor() || inner.encoding().is_some() {
                return None;
            }
            let sizes: Vec<i64> = inner
                .shape()?
                .into_iter()
                .map(|size| size.map_or(DYNAMIC, &self.size))
                .collect();
            Some(tensor_type(&sizes, (self.element)(inner.element_type())))
        })
    }

    /// The first elements of a constant.
    fn constant(&self, root: Operation<'m>, value: Attribute<'m>) -> Option<Attribute<'m>> {
        let old = value.ty();
        let new = self.mapped(root, old);
        if old == new {
            return Some(value);
        }
        if value.is_splat() && old.element_type() == new.element_type() {
            return Some(splat_attribute(new, value.splat_value()?));
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
