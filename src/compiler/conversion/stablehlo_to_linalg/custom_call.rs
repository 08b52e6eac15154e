//! `custom_call`: a call of a declaration that carries the target's name.
//!
//! The runtime finds the handler by name when the program is loaded. Operands
//! are only read, which the declaration says, so that they are not copied;
//! `--halo-destination-passing` gives results their places.

use super::{Lowered, Lowering};
use crate::conversion::{arithmetic as arith, scalar::storage};
use crate::custom_calls;
use crate::ir::{
    self, Attribute, RewriteError, Type, array_attribute, results_of, string_attribute,
    string_value, type_attribute,
};
use melior::ir::{
    Identifier, Region, ValueLike,
    attribute::{DictionaryAttribute, FlatSymbolRefAttribute},
    operation::OperationLike,
    r#type::FunctionType,
};

/// What the names of the declarations begin with; the number of the call site
/// follows.
pub const PREFIX: &str = "halo_custom_call_";
/// The attribute of a declaration that names the target of a custom call.
pub const TARGET: &str = "halo.custom_call_target";
/// The attribute with the types of the operands, unsigned ones included.
pub const OPERAND_TYPES: &str = "halo.operand_types";
/// The attribute with the types of the results, unsigned ones included.
pub const RESULT_TYPES: &str = "halo.result_types";
/// The attribute with the backend's configuration of a custom call.
pub const CONFIG: &str = "halo.backend_config";

impl<'c> Lowering<'_, 'c> {
    /// Annotations of sharding and placement are the identity on one device.
    pub(super) fn custom_call(&mut self) -> Lowered<'c> {
        let target = string_value(self.attribute("call_target_name")?)
            .ok_or_else(|| RewriteError::Invalid("'call_target_name' is not a string".into()))?;
        if !custom_calls::is_annotation(target) {
            return self.call_handler(target);
        }
        let operands = ir::operands_of(self.op);
        let operands = operands.iter().map(|operand| operand.r#type());
        if !operands.eq(ir::result_types_of(self.op)) {
            return Err(RewriteError::Invalid(format!(
                "@{target} changes the type of its operand, which takes more than one device"
            )));
        }
        Ok(self.operands.clone())
    }

    /// An assertion of the check dialect: the custom call of the same name. An
    /// expectation that is an attribute becomes an operand.
    pub(super) fn check(&mut self) -> Lowered<'c> {
        let name = ir::name_of(self.op);
        if let Some(target) = name.strip_suffix("_const") {
            let r#type = self.operand(0)?.r#type();
            let value = storage::stored_attribute(self.builder.context(), self.attribute("value")?)
                .ok_or_else(|| {
                    RewriteError::Invalid(format!("'{name}' has a value of unknown form"))
                })?;
            let expected = arith::constant(&self.builder, value, r#type)?;
            self.operands.push(expected);
            return self.call_handler(target);
        }
        self.call_handler(name)
    }

    /// A call of the handler that the runtime knows by a name.
    fn call_handler(&mut self, target: &str) -> Lowered<'c> {
        let b = self.builder;
        let context = b.context();
        let types: Vec<Type> = self.operands.iter().map(|value| value.r#type()).collect();
        let name = format!("{PREFIX}{}", self.converter.custom_calls);
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
        let results: Vec<Attribute> = ir::result_types_of(self.op)
            .into_iter()
            .map(type_attribute)
            .collect();
        let mut original: Vec<Attribute> = self
            .op
            .operands()
            .map(|operand| type_attribute(operand.r#type()))
            .collect();
        original.resize(
            self.operands.len(),
            original.first().copied().unwrap_or(read_only),
        );
        let module = ir::body_of(self.converter.module, 0).ok_or(RewriteError::NoMatch)?;
        b.with_insertion_point(|b| {
            b.set_to_start(module);
            b.op("func.func")
                .attribute("sym_name", string_attribute(context, &name))
                .attribute("sym_visibility", string_attribute(context, "private"))
                .attribute(
                    "function_type",
                    type_attribute(FunctionType::new(context, &types, &self.results).into()),
                )
                .attribute(
                    "arg_attrs",
                    array_attribute(context, &vec![read_only; types.len()]),
                )
                .attribute(TARGET, string_attribute(context, target))
                .attribute(OPERAND_TYPES, array_attribute(context, &original))
                .attribute(RESULT_TYPES, array_attribute(context, &results))
                .attribute(CONFIG, string_attribute(context, &config))
                .region(Region::new())
                .insert()
        })?;
        let call = b
            .op("func.call")
            .operands(&self.operands)
            .results(&self.results)
            .attribute("callee", FlatSymbolRefAttribute::new(context, &name))
            .insert()?;
        Ok(results_of(call))
    }
}
