//! Lowers contractions of elements whose storage type differs from their arithmetic type (see
//! `conversion/scalar/storage.rs`).
//!
//! Products and convolutions of narrow floats are computed in f32, which has kernels, and rounded
//! once at the end. Integers of less than a byte are multiplied and added as bytes, whose low bits
//! are correct; the high bits are corrected at the end:
//!
//! ```mlir
//! %0 = linalg.generic ... { decode an i8 to an f32 }    // both operands
//! %1 = linalg.generic ... { multiply and add }
//! %2 = linalg.generic ... { encode an f32 in an i8 }
//! ```

use super::{Lowered, Lowering};
use crate::conversion::scalar::storage;
use halo_ir::prelude::*;
use melior::ir::r#type::IntegerType;

impl<'c> Lowering<'_, 'c> {
    /// Lowers the op with operands and results of arithmetic types.
    pub(super) fn in_arithmetic(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Lowered<'c>,
    ) -> Lowered<'c> {
        let b = self.builder;
        let context = b.context();
        let original = self.original.clone();
        for (number, element) in original.iter().enumerate() {
            if !storage::is_encoded(*element) {
                continue;
            }
            if element.is_float() {
                let working = storage::working_type(context, *element);
                let operand = self.operands[number];
                self.operands[number] = each(&b, operand, working, |b, value| {
                    storage::read(b, value, *element)
                })?;
                self.original[number] = working;
            } else {
                self.original[number] = if element.is_unsigned() {
                    IntegerType::unsigned(context, 8).into()
                } else {
                    integer_type(context, 8)
                };
            }
        }
        let wanted: Vec<Type> =
            self.op.result_types().into_iter().map(Type::element_type).collect();
        let results = self.results.clone();
        for (result, element) in self.results.iter_mut().zip(&wanted) {
            if storage::is_encoded(*element) && element.is_float() {
                let working = storage::working_type(context, *element);
                *result = result.with_element_type(working);
            }
        }
        let values = lower(self)?;
        self.results = results;
        values
            .into_iter()
            .zip(wanted)
            .map(|(value, element)| {
                if !storage::is_encoded(element) {
                    return Ok(value);
                }
                let stored = storage::stored_type(context, element);
                each(&b, value, stored, |b, value| {
                    // Only the low bits of integers are valid until the end.
                    let value = if element.is_float() {
                        value
                    } else {
                        storage::read(b, value, element)?
                    };
                    Ok(storage::write(b, value, element))
                })
            })
            .collect()
    }
}

/// Applies a function to each element of a tensor.
fn each<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    element: Type<'c>,
    function: impl FnOnce(&Builder<'c>, Value<'c>) -> RewriteResult<Value<'c>>,
) -> RewriteResult<Value<'c>> {
    let sizes = Size::all(b, value);
    let whole: Vec<usize> = (0..sizes.len()).collect();
    let map = structured::projection(b, sizes.len(), &whole);
    let result = Shape::new(sizes, element);
    structured::gather_elements(b, vec![(value, map)], result, |b, arguments| {
        function(b, arguments[0])
    })
}
