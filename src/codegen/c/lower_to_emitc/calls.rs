//! Lowers functions, and calls between the program and the runtime.

use super::super::c_code::{CCode, c_name, context_pointer, signed, unsigned};
use super::Program;
use crate::{cpu::task_functions::TASK_SUFFIX, function::signature, loops::prelude::*};
use halo_ir::{
    conversion::{Conversion, Lowered, OpConversion},
    emitc::{array, lvalue, opaque, pointer},
    ops::{
        emitc,
        halo::{CustomCallOp, ENTRY, KERNEL, ParallelCallOp},
        llvm,
    },
    prelude::*,
};
use melior::ir::r#type::FunctionType;
use std::rc::Rc;

/// Adds the lowerings of functions and calls.
pub fn add(conversion: Conversion, program: &Rc<Program>) -> Conversion {
    let (functions, calls) = (Rc::clone(program), Rc::clone(program));
    conversion
        .lowering::<func::FuncOp>(0, move |op, old| function(op, old, &functions))
        .lowering::<func::CallOp>(0, call)
        .lowering::<ParallelCallOp>(0, parallel_call)
        .lowering::<CustomCallOp>(0, move |op, _| custom_call(op, &calls))
        // Fences follow nontemporal stores, which are ordinary stores in C.
        .lowering::<llvm::FenceOp>(0, |_, _| Ok(Vec::new()))
}

fn bytes(context: &Context) -> Type<'_> {
    pointer(unsigned(context, 8))
}

/// The type of a buffer in the buffer table of an entry.
fn buffer(context: &Context) -> Type<'_> {
    opaque(context, "uint8_t *const")
}

/// An entry takes the context and a table of its buffers, and returns a status. Its sizes are in an
/// array, whose address is the last in the table. Buffers of a kernel do not overlap.
fn function<'c>(
    op: OpConversion<'_, 'c>,
    function: func::FuncOp<'c>,
    program: &Program,
) -> Lowered<'c> {
    let name = function.sym_name();
    let body = op.body(0)?;
    let arguments = body.arguments();
    let context = op.builder.context();
    if op.op.has_attribute(ENTRY) {
        let status = signed(context, 32);
        let parameters = [context_pointer(context), pointer(buffer(context))];
        return emit(
            &op,
            (name, &[]),
            (&parameters, Some(status)),
            |code, values| {
                op.map(&arguments[..1], &values[..1])?;
                let slot_type = buffer(context);
                let address = |number: usize, ty: Type<'c>| {
                    let slot = code.subscript(values[1], code.index(number as i64), slot_type);
                    code.cast(code.load(slot, slot_type), ty)
                };
                let (buffers, sizes): (Vec<Value>, Vec<Value>) =
                    arguments[1..].iter().partition(|argument| argument.ty().is_memref());
                for (number, argument) in buffers.iter().enumerate() {
                    let ty = op.convert_type(argument.ty())?;
                    op.map(&[*argument], &[address(number, ty)?])?;
                }
                if !sizes.is_empty() {
                    let ty = signed(context, 64);
                    let table = address(buffers.len(), pointer(ty))?;
                    for (number, size) in sizes.iter().enumerate() {
                        let slot = code.subscript(table, code.index(number as i64), ty);
                        let own = op.convert_type(size.ty())?;
                        op.map(&[*size], &[code.cast(code.load(slot, ty), own)?])?;
                    }
                }
                op.convert_block(code.0, body)?;
                let done = code.integer(0, status);
                emitc::ReturnOp::build(code.0).operand(0, done).insert();
                Ok(())
            },
        );
    }
    let is_plan = program.plans.contains(name);
    let is_kernel = op.op.has_attribute(KERNEL);
    let (_, results) = signature(op.op).unwrap_or_default();
    let mut types = Vec::new();
    let mut parameters = Vec::new();
    for argument in &arguments {
        for ty in op.convert_types(argument.ty()) {
            types.push(ty);
            parameters.push(if is_kernel && argument.ty().is_memref() {
                opaque(context, &format!("{}restrict", c_name(ty)?))
            } else {
                ty
            });
        }
    }
    let result = match &results[..] {
        [] => None,
        [_] if is_plan => Some(signed(context, 32)),
        [result] => Some(op.convert_type(*result)?),
        _ => return Err(no_match("a function of C has one result at most")),
    };
    let specifiers: &[&str] = if is_plan { &[] } else { &["static"] };
    emit(
        &op,
        (name, specifiers),
        (&parameters, result),
        |code, values| {
            let values = values.iter().zip(&types);
            let values = values.map(|(value, ty)| code.cast(*value, *ty));
            op.map(&arguments, &values.collect::<Result<Vec<_>, _>>()?)?;
            let returned = op.convert_block(code.0, body)?;
            let returned = returned.first().zip(result);
            let returned = returned.map(|(value, ty)| code.cast(*value, ty)).transpose()?;
            let end = emitc::ReturnOp::build(code.0);
            end.maybe(returned, |end, value| end.operand(0, value)).insert();
            Ok(())
        },
    )?;
    if program.tasks.contains(name) {
        task(&op, name, types.get(2..).unwrap_or_default())?;
    }
    Ok(Vec::new())
}

fn emit<'c>(
    op: &OpConversion<'_, 'c>,
    (name, specifiers): (&str, &[&str]),
    (parameters, result): (&[Type<'c>], Option<Type<'c>>),
    fill: impl FnOnce(CCode<'_, 'c>, &[Value<'c>]) -> RewriteResult,
) -> Lowered<'c> {
    let context = op.builder.context();
    let body = op.builder.region(parameters, |builder, values| fill(CCode(builder), values))?;
    let results: Vec<Type> = result.into_iter().collect();
    let ty = FunctionType::new(context, parameters, &results).into();
    let function = emitc::FuncOp::build(&op.builder, name, ty, body);
    let specifiers = Some(specifiers).filter(|words| !words.is_empty());
    let function = function.maybe(specifiers, |function, words| function.specifiers(words));
    function.insert();
    Ok(Vec::new())
}

/// The struct of a kernel's arguments, and the trampoline that unpacks it.
fn task<'c>(op: &OpConversion<'_, 'c>, kernel: &str, types: &[Type<'c>]) -> RewriteResult {
    let context = op.builder.context();
    let mut members = String::new();
    for (number, ty) in types.iter().enumerate() {
        members.push_str(&format!("  {} {};\n", c_name(*ty)?, member(number)));
    }
    if members.is_empty() {
        members.push_str("  char none;\n");
    }
    let structure = structure(kernel);
    CCode(&op.builder).verbatim(&format!("{structure} {{\n{members}}};"), &[]);
    let index = signed(context, 64);
    let parameters = [
        context_pointer(context),
        index,
        index,
        pointer(opaque(context, "const uint8_t")),
    ];
    let name = format!("{kernel}{TASK_SUFFIX}");
    emit(
        op,
        (&name, &["static"]),
        (&parameters, None),
        |code, values| {
            let captures = pointer(opaque(context, &format!("const {structure}")));
            let captures = code.variable_of(code.cast(values[3], captures)?);
            let mut operands = vec![values[1], values[2]];
            for (number, ty) in types.iter().enumerate() {
                let slot = emitc::member_of_ptr(code.0, &member(number), captures, lvalue(*ty));
                operands.push(code.load(slot, *ty));
            }
            code.call_statement(kernel, &operands);
            emitc::return_(code.0);
            Ok(())
        },
    )?;
    Ok(())
}

fn structure(kernel: &str) -> String {
    format!("struct {kernel}_captures")
}

fn member(number: usize) -> String {
    format!("capture{number}")
}

fn call<'c>(op: OpConversion<'_, 'c>, call: func::CallOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    match &op.results[..] {
        [] => {
            code.call_statement(call.callee(), &op.operands);
            Ok(Vec::new())
        }
        [result] => Ok(vec![code.call(call.callee(), &op.operands, *result)]),
        _ => Err(no_match("a function of C has one result at most")),
    }
}

/// The context, which is the first argument of every entry.
fn runtime<'c>(op: &OpConversion<'_, 'c>) -> RewriteResult<Value<'c>> {
    let mut function = op.op.parent();
    while let Some(outer) = function
        && !outer.isa::<func::FuncOp>()
    {
        function = outer.parent();
    }
    let body = function.and_then(|function| function.body(0));
    let context = body.and_then(|body| body.arguments().first().copied());
    op.lookup(context.ok_or_else(|| no_match("the function has no context"))?)
}

fn parallel_call<'c>(op: OpConversion<'_, 'c>, call: ParallelCallOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let context = op.builder.context();
    let kernel = call.callee();
    let (begin, end) = (op.operand(0)?, op.operand(1)?);
    let captures = code.variable(lvalue(opaque(context, &structure(kernel))));
    for (number, value) in op.operands[2..].iter().enumerate() {
        let slot = lvalue(value.ty());
        let slot = emitc::member(code.0, &member(number), captures, slot);
        code.assign(slot, *value);
    }
    let captures = code.address(captures, opaque(context, &structure(kernel)));
    let task = format!("{kernel}{TASK_SUFFIX}");
    let task = code.literal(&task, opaque(context, "halo_kernel"));
    let count = match constant_index(call.begin()) {
        Some(0) => end,
        _ => code.binary(emitc::sub, end, begin),
    };
    let grain = code.index(call.grain());
    let operands = [runtime(&op)?, task, count, grain, captures];
    code.call_statement("halo_parallel_for", &operands);
    Ok(Vec::new())
}

/// A failed call ends the program.
fn custom_call<'c>(op: OpConversion<'_, 'c>, program: &Program) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let context = op.builder.context();
    let byte_pointer = bytes(context);
    let buffers = op.op.operands().len();
    let table = code.variable(array(buffers.max(1) as i64, byte_pointer));
    for number in 0..buffers {
        let slot = code.subscript(table, code.index(number as i64), byte_pointer);
        code.assign(slot, code.cast(op.operand(number)?, byte_pointer)?);
    }
    let table = code.first(table, byte_pointer);
    let site = program.call_sites.get(&op.op.key());
    let site = code.index(*site.ok_or_else(|| no_match("the call has no number"))?);
    let status = signed(context, 32);
    let status = code.call("halo_custom_call", &[runtime(&op)?, site, table], status);
    code.verbatim("if ({} != 0) return 1;", &[status]);
    Ok(Vec::new())
}
