//! Gives the results of custom calls places.
//!
//! A handler writes its results to buffers of the caller's. Tensors cannot say
//! that a call with unknown effects overwrites one of them, so the places are
//! buffers before all others are, and the results are what the buffers hold
//! after the call:
//!
//! ```mlir
//! %0 = call @halo_custom_call_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %place = memref.alloc() : memref<4xf32>
//! call @halo_custom_call_0(%x, %place) : (tensor<4xf32>, memref<4xf32>) -> ()
//! %0 = bufferization.to_tensor %place restrict writable : memref<4xf32> to tensor<4xf32>
//! ```

use super::empty::{flat, flattened};
use crate::attributes::CUSTOM_CALL_TARGET;
use halo_ir::pass::{PassFailure, emit_error};
use halo_ir::{
    Attribute, Builder, Operation, RewriteError, Type, array_attribute, attribute_list,
    attribute_of, collect_operations, element_type, memref_type, operands_of,
    ops::{OperationExt, bufferization, func, memref, tensor},
    result_types_of, set_attribute, static_shape_of, string_value, symbol_value, type_attribute,
    with_builder,
};
use melior::ir::{
    attribute::{DictionaryAttribute, TypeAttribute},
    operation::OperationLike,
    r#type::FunctionType,
};
use std::collections::HashSet;

/// Rewrites all calls of custom calls' declarations, and the declarations.
pub fn give_places(module: Operation) -> Result<(), PassFailure> {
    let mut targets = HashSet::new();
    for declaration in collect_operations(module, |op| {
        op.isa::<func::FuncOp>() && op.has_attribute(CUSTOM_CALL_TARGET)
    }) {
        if let Some(name) = declaration
            .attribute("sym_name")
            .ok()
            .and_then(string_value)
        {
            targets.insert(name);
        }
        at(declaration, |_| take_places(declaration))?;
    }
    let is_custom = |op: Operation| {
        let callee = op.attribute("callee").ok().and_then(symbol_value);
        callee.is_some_and(|callee| targets.contains(callee))
    };
    for call in collect_operations(module, |op| op.isa::<func::CallOp>() && is_custom(op)) {
        at(call, |builder| write_results(builder, call))?;
    }
    Ok(())
}

fn at<'c>(
    op: Operation<'c>,
    function: impl FnOnce(&Builder<'c>) -> Result<(), RewriteError>,
) -> Result<(), PassFailure> {
    with_builder(op, function).map_err(|error| {
        emit_error(op.location(), &error.to_string());
        PassFailure
    })
}

/// The buffer that a tensor's elements are written to.
fn place<'c>(r#type: Type<'c>) -> Result<Type<'c>, RewriteError> {
    let r#type = flat(r#type).unwrap_or(r#type);
    static_shape_of(r#type)
        .map(|shape| memref_type(&shape, element_type(r#type)))
        .ok_or_else(|| {
            RewriteError::Invalid(format!(
                "a custom call returns {type}, and only tensors of static shape can be returned"
            ))
        })
}

/// Turns the results of a declaration into arguments behind the others.
fn take_places(declaration: Operation) -> Result<(), RewriteError> {
    let context = halo_ir::context_of(declaration);
    let function = declaration
        .attribute("function_type")
        .ok()
        .and_then(halo_ir::attribute_as::<TypeAttribute>)
        .and_then(|attribute| FunctionType::try_from(attribute.value()).ok())
        .ok_or(RewriteError::NoMatch)?;
    let mut types = (0..function.input_count())
        .map(|index| {
            function
                .input(index)
                .map(|r#type| flat(r#type).unwrap_or(r#type))
        })
        .collect::<Result<Vec<Type>, _>>()
        .map_err(|_| RewriteError::NoMatch)?;
    for index in 0..function.result_count() {
        let result = function.result(index).map_err(|_| RewriteError::NoMatch)?;
        types.push(place(result)?);
    }
    let none: Attribute = DictionaryAttribute::new(context, &[]).into();
    let mut attributes = declaration
        .attribute("arg_attrs")
        .map(attribute_list)
        .unwrap_or_default();
    attributes.resize(types.len(), none);
    let r#type = FunctionType::new(context, &types, &[]);
    set_attribute(declaration, "function_type", type_attribute(r#type.into()));
    set_attribute(
        declaration,
        "arg_attrs",
        array_attribute(context, &attributes),
    );
    halo_ir::remove_attribute(declaration, "res_attrs");
    Ok(())
}

/// Lets a call write its results to new buffers.
fn write_results<'c>(b: &Builder<'c>, call: Operation<'c>) -> Result<(), RewriteError> {
    let results = result_types_of(call);
    let callee = attribute_of(call, "callee")
        .and_then(symbol_value)
        .ok_or(RewriteError::NoMatch)?;
    let places = results
        .iter()
        .map(|r#type| Ok(memref::alloc(b, &[], &[], place(*r#type)?)?))
        .collect::<Result<Vec<_>, RewriteError>>()?;
    let mut operands = operands_of(call)
        .into_iter()
        .map(|operand| flattened(b, operand))
        .collect::<Result<Vec<_>, _>>()?;
    operands.extend(&places);
    func::call(b, callee, &operands, &[])?;
    let values = places
        .into_iter()
        .zip(results)
        .map(|(place, r#type)| {
            if flat(r#type).is_some() {
                return Ok(tensor::empty(b, &[], r#type)?);
            }
            let tensor = bufferization::ToTensorOp::build(b, place, r#type);
            Ok(tensor.restrict(true).writable(true).value()?)
        })
        .collect::<Result<Vec<_>, RewriteError>>()?;
    b.replace(call, &values)?;
    Ok(())
}
