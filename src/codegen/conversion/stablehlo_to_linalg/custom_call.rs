//! `custom_call`: a call of a declaration that carries the target's name.
//!
//! The runtime finds the handler by name when the program is loaded. Operands
//! are only read, which the declaration says, so that they are not copied;
//! `--halo-destination-passing` gives results their places.
//!
//! Where the op asks for layouts other than the row-major one, the operands are
//! transposed before the call and the results after it, so that the handler
//! sees their elements in the order it expects:
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
//! %0 = call @halo_custom_call_0(%columns) : (tensor<3x2xf32>) -> tensor<2xf32>
//! ```
//!
//! Ops that libraries compute are calls of handlers that are always registered.

use super::{Lowered, Lowering, structured, type_dims};
use crate::{
    attributes::{
        CUSTOM_CALL_ATTRIBUTES, CUSTOM_CALL_CONFIG, CUSTOM_CALL_OPERAND_LAYOUTS,
        CUSTOM_CALL_OPERAND_TYPES, CUSTOM_CALL_PREFIX, CUSTOM_CALL_RESULT_LAYOUTS,
        CUSTOM_CALL_RESULT_TYPES, CUSTOM_CALL_TARGET,
    },
    conversion::{arithmetic, scalar::storage},
};
use halo_core::Layout;
use halo_hlo::custom_calls;
use halo_ir::Region;
use halo_ir::{
    Attribute, Builder, RewriteError, Type, Value, array_attribute, dictionary_attribute,
    i64_array_attribute,
    ops::{Op, func},
    results_of, string_attribute, string_value, type_attribute,
};
use melior::ir::{
    Identifier, ValueLike, attribute::DictionaryAttribute, operation::OperationLike,
    r#type::FunctionType,
};

impl<'c> Lowering<'_, 'c> {
    /// Annotations of sharding and placement are the identity on one device.
    pub(super) fn custom_call(&mut self) -> Lowered<'c> {
        let target = halo_ir::attribute_of(self.op, "call_target_name")
            .and_then(string_value)
            .ok_or_else(|| RewriteError::Invalid("'call_target_name' is not a string".into()))?;
        if !custom_calls::is_annotation(target) {
            return self.call_handler(target);
        }
        // What is only looked at has no result.
        if halo_ir::result_types_of(self.op).is_empty() {
            return Ok(Vec::new());
        }
        let operands = halo_ir::operands_of(self.op);
        let operands = operands.iter().map(|operand| operand.r#type());
        if !operands.eq(halo_ir::result_types_of(self.op)) {
            return Err(RewriteError::Invalid(format!(
                "@{target} changes the type of its operand, which takes more than one device"
            )));
        }
        Ok(self.operands.clone())
    }

    /// An assertion of the check dialect: the custom call of the same name. An
    /// expectation that is an attribute becomes an operand.
    pub(super) fn check(&mut self) -> Lowered<'c> {
        let name = halo_ir::name_of(self.op);
        if let Some(target) = name.strip_suffix("_const") {
            let r#type = self.operand(0)?.r#type();
            let value = halo_ir::attribute_of(self.op, "value")
                .and_then(|value| storage::stored_attribute(self.builder.context(), value))
                .ok_or_else(|| {
                    RewriteError::Invalid(format!("'{name}' has a value of unknown form"))
                })?;
            let expected = arithmetic::constant(&self.builder, value, r#type)?;
            self.operands.push(expected);
            return self.call_handler(target);
        }
        self.call_handler(name)
    }

    /// A call of the handler that the runtime knows by a name.
    pub(super) fn call_handler(&mut self, target: &str) -> Lowered<'c> {
        let b = self.builder;
        let context = b.context();
        let mut original: Vec<Attribute> = self
            .op
            .operands()
            .map(|operand| type_attribute(operand.r#type()))
            .collect();
        // An expectation that was an attribute has the type of the value.
        if let Some(first) = original.first().copied() {
            original.resize(self.operands.len(), first);
        }
        let (operand_layouts, result_layouts) = self.layouts()?;
        let operands = self
            .operands
            .iter()
            .zip(&operand_layouts)
            .map(|(operand, layout)| in_layout(&b, *operand, layout))
            .collect::<Result<Vec<Value>, RewriteError>>()?;
        let returned: Vec<Type> = self
            .results
            .iter()
            .zip(&result_layouts)
            .map(|(r#type, layout)| type_in_layout(*r#type, layout))
            .collect::<Result<_, RewriteError>>()?;
        let types: Vec<Type> = operands.iter().map(|value| value.r#type()).collect();
        let name = format!("{CUSTOM_CALL_PREFIX}{}", self.converter.custom_calls);
        self.converter.custom_calls += 1;
        let read_only: Attribute = DictionaryAttribute::new(
            context,
            &[(
                Identifier::new(context, "bufferization.access"),
                string_attribute(context, "read"),
            )],
        )
        .into();
        let config = custom_calls::configuration(self.op);
        let attributes = custom_calls::attributes(self.op);
        let results: Vec<Attribute> = halo_ir::result_types_of(self.op)
            .into_iter()
            .map(type_attribute)
            .collect();
        let orders = |layouts: &[Layout]| {
            let order = |layout: &Layout| i64_array_attribute(context, &minor_to_major(layout));
            array_attribute(context, &layouts.iter().map(order).collect::<Vec<_>>())
        };
        let module = halo_ir::body_of(self.converter.module, 0).ok_or(RewriteError::NoMatch)?;
        b.with_insertion_point(|b| {
            b.set_to_start(module);
            let r#type = FunctionType::new(context, &types, &returned).into();
            let mut declaration = func::FuncOp::build(b, &name, r#type, Region::new())
                .sym_visibility("private")
                .arg_attrs(&vec![read_only; types.len()])
                .attribute(CUSTOM_CALL_TARGET, string_attribute(context, target))
                .attribute(
                    CUSTOM_CALL_OPERAND_TYPES,
                    array_attribute(context, &original),
                )
                .attribute(CUSTOM_CALL_RESULT_TYPES, array_attribute(context, &results))
                .attribute(CUSTOM_CALL_CONFIG, string_attribute(context, &config));
            if !attributes.is_empty() {
                declaration = declaration.attribute(
                    CUSTOM_CALL_ATTRIBUTES,
                    dictionary_attribute(context, &attributes),
                );
            }
            for (name, layouts) in [
                (CUSTOM_CALL_OPERAND_LAYOUTS, &operand_layouts),
                (CUSTOM_CALL_RESULT_LAYOUTS, &result_layouts),
            ] {
                if !layouts.iter().all(Layout::is_row_major) {
                    declaration = declaration.attribute(name, orders(layouts));
                }
            }
            declaration.insert()
        })?;
        let call = func::call(&b, &name, &operands, &returned)?;
        results_of(call.operation())
            .into_iter()
            .zip(&result_layouts)
            .map(|(result, layout)| from_layout(&b, result, layout))
            .collect()
    }

    /// The layouts that the op asks for.
    fn layouts(&self) -> Result<(Vec<Layout>, Vec<Layout>), RewriteError> {
        let rank = |r#type: Type| halo_ir::shape_of(r#type).map_or(0, |shape| shape.len());
        let of = |name: &str, ranks: &mut dyn Iterator<Item = usize>| {
            let attribute = halo_ir::attribute_of(self.op, name);
            custom_calls::layouts(attribute, ranks).map_err(RewriteError::Invalid)
        };
        let mut operands = self.operands.iter().map(|value| rank(value.r#type()));
        let mut results = self.results.iter().map(|r#type| rank(*r#type));
        Ok((
            of("operand_layouts", &mut operands)?,
            of("result_layouts", &mut results)?,
        ))
    }
}

fn minor_to_major(layout: &Layout) -> Vec<i64> {
    let dims = layout.minor_to_major().iter();
    dims.map(|dim| *dim as i64).collect()
}

/// The dimensions in the order in which memory has them.
fn major_to_minor(layout: &Layout) -> Vec<i64> {
    minor_to_major(layout).into_iter().rev().collect()
}

/// The type of a tensor whose dimensions are in the order of a layout.
fn type_in_layout<'c>(r#type: Type<'c>, layout: &Layout) -> Result<Type<'c>, RewriteError> {
    if layout.is_row_major() {
        return Ok(r#type);
    }
    let sizes = type_dims(r#type)?;
    let order = layout.minor_to_major().iter().rev();
    let sizes: Vec<i64> = order.filter_map(|dim| sizes.get(*dim).copied()).collect();
    Ok(halo_ir::tensor_type(&sizes, halo_ir::element_type(r#type)))
}

/// A value with its dimensions in the order of a layout.
fn in_layout<'c>(b: &Builder<'c>, value: Value<'c>, layout: &Layout) -> Moved<'c> {
    if layout.is_row_major() {
        return Ok(value);
    }
    structured::transpose(b, value, &major_to_minor(layout))
}

/// A value whose dimensions are in the order of a layout, in its own order.
fn from_layout<'c>(b: &Builder<'c>, value: Value<'c>, layout: &Layout) -> Moved<'c> {
    if layout.is_row_major() {
        return Ok(value);
    }
    let order = major_to_minor(layout);
    let mut inverse = vec![0; order.len()];
    for (position, dim) in order.into_iter().enumerate() {
        inverse[dim as usize] = position as i64;
    }
    structured::transpose(b, value, &inverse)
}

type Moved<'c> = Result<Value<'c>, RewriteError>;
