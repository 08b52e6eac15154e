//! `custom_call`: a `halo.custom_call` with the types that the handler gets.
//!
//! The runtime looks the handler up by name when it loads the program. `--halo-destination-passing`
//! adds the destinations of its results.
//!
//! If the op requests layouts other than row-major, the operands are transposed before the call and
//! the results after it:
//!
//! ```mlir
//! %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
//!        result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! // %columns is %x transposed.
//! %0 = halo.custom_call "f"(%columns) {operand_layouts = [array<i64: 0, 1>], ...}
//!        : (tensor<3x2xf32>) -> tensor<2xf32>
//! ```
//!
//! A handler that [takes any layout](takes_any_layout), such as triangular solves, gets the
//! operands without transposes.
//!
//! Library functions and communication ops are calls of handlers that are always registered. Their
//! attributes become the `dictionary` of the call.

use super::{Lowered, Lowering};
use crate::conversion::scalar::storage;
use halo_core::Layout;
use halo_hlo::custom_calls;
use halo_ir::{dictionary_attribute, ops::halo, prelude::*};
use halo_runtime::custom_call::takes_any_layout;

impl<'c> Lowering<'_, 'c> {
    /// Annotations of sharding and placement are the identity on one device.
    pub(super) fn custom_call(&mut self) -> Lowered<'c> {
        let target = self
            .op
            .attribute("call_target_name")
            .and_then(Attribute::string_value)
            .ok_or_else(|| RewriteError::Invalid("'call_target_name' is not a string".into()))?;
        if target == custom_calls::SHAPE_ASSERTION && self.assert_shape().is_some() {
            return Ok(Vec::new());
        }
        if !custom_calls::is_annotation(target) {
            return self.call_handler(target);
        }
        // Annotations have no result.
        if self.op.result_types().is_empty() {
            return Ok(Vec::new());
        }
        let operands = self.op.operands();
        let operands = operands.iter().map(|operand| operand.ty());
        if !operands.eq(self.op.result_types()) {
            return Err(RewriteError::Invalid(format!(
                "@{target} changes the type of its operand, which takes more than one device"
            )));
        }
        Ok(self.operands.clone())
    }

    /// An assertion of the check dialect becomes the custom call of the same name. An expected
    /// value in an attribute becomes an operand.
    pub(super) fn check(&mut self) -> Lowered<'c> {
        let name = self.op.name();
        if let Some(target) = name.strip_suffix("_const") {
            let ty = self.operand(0)?.ty();
            let value = self
                .op
                .attribute("value")
                .and_then(|value| storage::stored_attribute(self.builder.context(), value))
                .ok_or_else(|| {
                    RewriteError::Invalid(format!("'{name}' has a value of unknown form"))
                })?;
            let expected = arith::constant_of(&self.builder, value, ty);
            self.operands.push(expected);
            return self.call_handler(target);
        }
        self.call_handler(name)
    }

    /// A probe returns its operand.
    pub(super) fn probe(&mut self) -> Lowered<'c> {
        self.results.clear();
        self.call_handler("halo.probe")?;
        Ok(self.operands.clone())
    }

    /// A call of a registered handler by its name.
    pub(super) fn call_handler(&mut self, target: &str) -> Lowered<'c> {
        let b = self.builder;
        let context = b.context();
        let mut original: Vec<Type> =
            self.op.operands().into_iter().map(|operand| operand.ty()).collect();
        let all = original.iter().copied();
        let mut all = all.chain(self.op.result_types());
        if let Some(buffer) = all.find(|ty| ty.is_memref()) {
            return Err(RewriteError::Invalid(format!(
                "there is no code for a custom call on buffers, such as {buffer}"
            )));
        }
        // An expected value from an attribute has the type of the checked value.
        if let Some(first) = original.first().copied() {
            original.resize(self.operands.len(), first);
        }
        let (operand_layouts, result_layouts) = self.layouts(target)?;
        let operands = self
            .operands
            .iter()
            .zip(&operand_layouts)
            .map(|(operand, layout)| in_layout(&b, *operand, layout))
            .collect::<Vec<Value>>();
        let returned: Vec<Type> = self
            .results
            .iter()
            .zip(&result_layouts)
            .map(|(ty, layout)| type_in_layout(*ty, layout))
            .collect::<_>();
        let attributes = custom_calls::attributes(self.op);
        let config = custom_calls::configuration(self.op);
        let mut types = self.op.result_types();
        types.truncate(self.results.len());
        let call =
            halo::CustomCallOp::build(&b, &operands, &[], target, &original, &types, &returned);
        let call = call.maybe(config.as_deref(), |call, config| {
            call.backend_config(config)
        });
        let call = if attributes.is_empty() {
            call
        } else {
            call.dictionary(dictionary_attribute(context, &attributes))
        };
        let orders = orders(&operand_layouts);
        let call = call.maybe(orders.as_deref(), |call, orders| {
            call.operand_layouts(&slices(orders))
        });
        let orders = self::orders(&result_layouts);
        let call = call.maybe(orders.as_deref(), |call, orders| {
            call.result_layouts(&slices(orders))
        });
        let results = call.insert().operation().results().into_iter().zip(&result_layouts);
        Ok(results.map(|(result, layout)| from_layout(&b, result, layout)).collect())
    }

    /// The layouts of the handler's operands and results.
    fn layouts(&self, target: &str) -> RewriteResult<(Vec<Layout>, Vec<Layout>)> {
        let any = takes_any_layout(target);
        let rank = |ty: Type| ty.shape().map_or(0, |shape| shape.len());
        let of = |name: &str, ranks: &mut dyn Iterator<Item = usize>| {
            let attribute = self.op.attribute(name);
            let asked = custom_calls::layouts(attribute, ranks).map_err(RewriteError::Invalid)?;
            let given = asked.into_iter().map(|layout| {
                if any {
                    Layout::row_major(layout.rank())
                } else {
                    layout
                }
            });
            Ok::<_, RewriteError>(given.collect())
        };
        let mut operands = self.operands.iter().map(|value| rank(value.ty()));
        let mut results = self.results.iter().map(|ty| rank(*ty));
        Ok((
            of("operand_layouts", &mut operands)?,
            of("result_layouts", &mut results)?,
        ))
    }
}

/// The orders of the dimensions, minor to major; `None` if all are row-major.
fn orders(layouts: &[Layout]) -> Option<Vec<Vec<i64>>> {
    let all_row_major = layouts.iter().all(Layout::is_row_major);
    (!all_row_major).then(|| layouts.iter().map(minor_to_major).collect())
}

fn slices(orders: &[Vec<i64>]) -> Vec<&[i64]> {
    orders.iter().map(Vec::as_slice).collect()
}

fn minor_to_major(layout: &Layout) -> Vec<i64> {
    let dims = layout.minor_to_major().iter();
    dims.map(|dim| *dim as i64).collect()
}

/// The dimensions in major-to-minor order.
fn major_to_minor(layout: &Layout) -> Vec<i64> {
    minor_to_major(layout).into_iter().rev().collect()
}

/// The type of a tensor whose dimensions are in the order of a layout.
fn type_in_layout<'c>(ty: Type<'c>, layout: &Layout) -> Type<'c> {
    if layout.is_row_major() {
        return ty;
    }
    let sizes = ty.sizes();
    let order = layout.minor_to_major().iter().rev();
    let sizes: Vec<i64> = order.filter_map(|dim| sizes.get(*dim).copied()).collect();
    tensor_type(&sizes, ty.element_type())
}

/// Transposes a value to the dimension order of a layout.
fn in_layout<'c>(b: &Builder<'c>, value: Value<'c>, layout: &Layout) -> Value<'c> {
    if layout.is_row_major() {
        return value;
    }
    structured::transpose(b, value, &major_to_minor(layout))
}

/// The inverse of [`in_layout`].
fn from_layout<'c>(b: &Builder<'c>, value: Value<'c>, layout: &Layout) -> Value<'c> {
    if layout.is_row_major() {
        return value;
    }
    let order = major_to_minor(layout);
    let mut inverse = vec![0; order.len()];
    for (position, dim) in order.into_iter().enumerate() {
        inverse[dim as usize] = position as i64;
    }
    structured::transpose(b, value, &inverse)
}
