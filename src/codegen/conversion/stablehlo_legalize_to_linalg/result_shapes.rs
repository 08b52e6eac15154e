//! Shapes of results of which some sizes are known only at run time.
//!
//! A size that types do not have comes from the operands: the value that determines it, so that
//! results of equal shape share their sizes. Where StableHLO requires sizes to agree, and neither
//! types nor values prove it, `cf.assert` checks it when the program runs:
//!
//! ```mlir
//! %0 = stablehlo.add %x, %y : tensor<?xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %n = tensor.dim %x, %c0 : tensor<?xf32>
//! %m = tensor.dim %y, %c0 : tensor<?xf32>
//! %same = arith.cmpi eq, %m, %n : index
//! cf.assert %same, "'stablehlo.add' op expected dimension 0 of operand 1 to equal dimension 0 of operand 0"
//! %empty = tensor.empty(%n) : tensor<?xf32>
//! %0 = linalg.generic ... ins(%x, %y) outs(%empty)
//! ```

use super::{Lowered, Lowering};
use halo_ir::{ops::cf, ops::index::Index, prelude::*};
use std::collections::HashSet;

/// A relation of sizes that the specification requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    AtLeast,
    AtMost,
    Equal,
}

/// A required size: its value, and its description in messages.
#[derive(Clone, Copy)]
pub struct Required<'c, 'a> {
    pub relation: Relation,
    pub size: Size<'c>,
    /// The size without a number, such as `dimension 0 of operand 1`.
    pub name: &'a str,
}

impl<'c> Lowering<'_, 'c> {
    /// The sizes of an operand.
    pub(super) fn sizes(&self, operand: usize) -> RewriteResult<Vec<Size<'c>>> {
        Ok(Size::all(&self.builder, self.operand(operand)?))
    }

    /// Checks a size when the program runs, unless it is proved to be as required.
    pub(super) fn expect(&self, found: Size<'c>, name: &str, required: Required<'c, '_>) {
        let b = self.builder;
        let size = required.size;
        let difference = found.known().zip(size.known()).map(|(found, size)| found.cmp(&size));
        let (is_proved, predicate, verb) = match required.relation {
            Relation::AtLeast => (
                difference.is_some_and(|order| order.is_ge())
                    || size.known().is_some_and(|size| size <= 0) && found.is_not_negative(),
                CmpIPredicate::Sge,
                "be at least",
            ),
            Relation::AtMost => (
                difference.is_some_and(|order| order.is_le())
                    || found.known().is_some_and(|found| found <= 0) && size.is_not_negative(),
                CmpIPredicate::Sle,
                "be at most",
            ),
            Relation::Equal => (false, CmpIPredicate::Eq, "equal"),
        };
        if is_proved || found.equals(size) {
            return;
        }
        let bound = size.known().map_or_else(|| required.name.to_owned(), |size| size.to_string());
        let holds = arith::cmpi(&b, predicate, found.value(&b), size.value(&b));
        let number = found.known().map(|found| format!(", which is {found},"));
        let (op, number) = (self.op.name(), number.unwrap_or_default());
        let message = format!("'{op}' op expected {name}{number} to {verb} {bound}");
        cf::assert(&b, holds, &message);
    }

    /// Checks that a size is another one.
    pub(super) fn expect_equal(&self, found: Size<'c>, name: &str, size: Size<'c>, of: &str) {
        let required = Required {
            relation: Relation::Equal,
            size,
            name: of,
        };
        self.expect(found, name, required);
    }

    /// Checks that a size is not negative.
    pub(super) fn expect_size(&self, size: Size<'c>, name: &str) {
        let required = Required {
            relation: Relation::AtLeast,
            size: 0.into(),
            name: "0",
        };
        self.expect(size, name, required);
    }

    /// Checks that two dimensions of operands, each given by the operand and the dimension, have
    /// the same size. Returns the size: a number if one of the types has it.
    pub(super) fn agreed_size(
        &self,
        (first, of_first): (usize, usize),
        (second, of_second): (usize, usize),
    ) -> RewriteResult<Size<'c>> {
        let b = self.builder;
        let left = Size::of(&b, self.operand(first)?, of_first);
        let right = Size::of(&b, self.operand(second)?, of_second);
        let left_name = dimension_of_operand(of_first, first);
        let right_name = dimension_of_operand(of_second, second);
        if left.known().is_none() && right.known().is_some() {
            self.expect_equal(left, &left_name, right, &right_name);
            return Ok(right);
        }
        self.expect_equal(right, &right_name, left, &left_name);
        Ok(left)
    }

    /// The shape of a result of type `ty` that the listed operands have too, except for operands of
    /// rank 0.
    pub(super) fn agreed_shape(
        &self,
        operands: std::ops::Range<usize>,
        ty: Type<'c>,
    ) -> RewriteResult<Shape<'c>> {
        let shape = ty.shape().unwrap_or_default();
        let mut sizes = Vec::new();
        for (dimension, declared) in shape.iter().enumerate() {
            let mut found = Vec::new();
            for number in operands.clone() {
                let operand = self.operand(number)?;
                if operand.ty().shape().is_some_and(|shape| shape.len() > dimension) {
                    found.push((number, Size::of(&self.builder, operand, dimension)));
                }
            }
            let in_type = declared.map(Size::from);
            let is_static = |(_, size): &&(usize, Size)| size.known().is_some();
            let (of, size) = match in_type {
                Some(size) => (None, size),
                None => {
                    let chosen = found.iter().find(is_static).or(found.first());
                    let (of, size) =
                        *chosen.ok_or_else(|| no_match("no operand has the size of the result"))?;
                    (Some(of), size)
                }
            };
            let of = of.map_or_else(
                || format!("dimension {dimension} of the result"),
                |of| dimension_of_operand(dimension, of),
            );
            for (number, other) in found {
                let name = dimension_of_operand(dimension, number);
                self.expect_equal(other, &name, size, &of);
            }
            sizes.push(size);
        }
        Ok(Shape::new(sizes, ty.element_type()))
    }

    /// The shape of a result of computed sizes. Sizes that its type has are numbers, which must equal
    /// the computed ones.
    pub(super) fn result_shape(
        &self,
        result: usize,
        computed: &[Size<'c>],
    ) -> RewriteResult<Shape<'c>> {
        let ty = self.results.get(result).copied();
        let ty = ty.ok_or_else(|| no_match("it has no result"))?;
        let declared = ty.shape().unwrap_or_default();
        let sizes = computed.iter().zip(declared).enumerate();
        let sizes = sizes.map(|(dimension, (size, declared))| match declared {
            Some(declared) => {
                let name = format!("dimension {dimension} of the result");
                self.expect_equal(*size, &name, declared.into(), "the size in its type");
                declared.into()
            }
            None => *size,
        });
        Ok(Shape::new(sizes.collect(), ty.element_type()))
    }

    /// Casts values to the types of the results, which may have more or fewer static sizes.
    pub(super) fn cast_results(&self, values: Vec<Value<'c>>) -> Lowered<'c> {
        if values.len() != self.results.len() {
            return Ok(values);
        }
        let values = values.into_iter().zip(&self.results).enumerate();
        values
            .map(|(number, (value, ty))| {
                let (Some(from), Some(to)) = (value.ty().shape(), ty.shape()) else {
                    return Ok(value);
                };
                if value.ty() == *ty || from.len() != to.len() {
                    return Ok(value);
                }
                if from.iter().zip(&to).any(|(from, to)| from.is_none() && to.is_some()) {
                    let sizes = Size::all(&self.builder, value);
                    self.result_shape(number, &sizes)?;
                }
                Ok(tensor::cast(&self.builder, value, *ty))
            })
            .collect()
    }
}

/// Removes assertions that compare the same sizes as an earlier one of their block.
pub fn remove_repeated_assertions(root: Operation) {
    let assertions = root.collect_nested(|op| op.isa::<cf::AssertOp>());
    let mut seen = HashSet::new();
    for assertion in assertions {
        let condition = assertion.operand(0).and_then(|value| value.defined_by::<arith::CmpIOp>());
        let first = assertion.block().and_then(Block::first_operation);
        let (Some(comparison), Some(first)) = (condition, first) else {
            continue;
        };
        if !comparison.lhs().ty().is_index() {
            continue;
        }
        let [left, right] =
            [comparison.lhs(), comparison.rhs()].map(|size| Size::from_index(size).key());
        let key = (first.key(), comparison.predicate(), left, right);
        if !seen.insert(key) {
            with_builder(assertion, |b| b.erase(assertion));
        }
    }
}

/// The name of a size in messages.
pub fn dimension_of_operand(dimension: usize, operand: usize) -> String {
    format!("dimension {dimension} of operand {operand}")
}
