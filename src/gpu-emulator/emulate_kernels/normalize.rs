//! A kernel rid of what only a GPU knows and no cut depends on.
//!
//! Memory spaces, since the host has one; asynchronous copies, which become
//! copies at their place, and their tokens, which become constants; and where
//! ids stand: at the top, one of each, so that nothing that is nested asks for
//! them.

use super::{
    WARP,
    accesses::element_address,
    error::{Emulated, EmulationError},
};
use halo_codegen::loops::emit;
use halo_ir::ops::arith::{self, CmpIPredicate};
use halo_ir::{
    Builder, Operation, Type, Value, ValueMap, arguments_of, attribute_of, bits_of, blocks_of,
    body_of, clone_operation, collect_operations, element_type, i32_array_value, index_type,
    integer_attribute, integer_attribute_value, integer_type, is_float, mapped, name_of,
    operands_of, operations_of, replace_uses, results_of, set_type, value_key, with_builder,
    without_memory_space,
};
use melior::ir::{ValueLike, attribute::DenseI64ArrayAttribute, operation::OperationLike};

/// The type of the tokens of asynchronous copies.
const TOKEN: &str = "!nvgpu.device.async.token";

/// Rewrites a kernel in place.
pub fn normalize(kernel: Operation<'_>) -> Emulated<'_, ()> {
    let operations = collect_operations(kernel, |_| true);
    let types = kernel
        .regions()
        .chain(operations.iter().flat_map(|operation| operation.regions()))
        .flat_map(blocks_of)
        .flat_map(arguments_of)
        .chain(
            operations
                .iter()
                .flat_map(|operation| results_of(*operation)),
        );
    let boolean = integer_type(halo_ir::context_of(kernel), 1);
    for value in types {
        let r#type = if value.r#type().to_string() == TOKEN {
            boolean
        } else {
            without_memory_space(value.r#type())
        };
        if r#type != value.r#type() {
            set_type(value, r#type);
        }
    }
    for operation in operations {
        with_builder(operation, |builder| rewrite(builder, operation))?;
    }
    unify_ids(kernel)
}

fn rewrite<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
    match name_of(operation) {
        "memref.memory_space_cast" => {
            builder.replace(operation, &operands_of(operation))?;
        }
        "nvgpu.device_async_copy" => {
            copy(builder, operation)?;
            let token = token(builder)?;
            builder.replace(operation, &[token])?;
        }
        "nvgpu.device_async_create_group" => {
            let token = token(builder)?;
            builder.replace(operation, &[token])?;
        }
        "nvgpu.device_async_wait" => builder.erase(operation)?,
        "memref.generic_atomic_rmw" => exchange_bits(builder, operation)?,
        _ => {}
    }
    Ok(())
}

/// An atomic update of a float as a loop that exchanges its bits: LLVM compares
/// and exchanges no floats. Others are left to MLIR.
fn exchange_bits<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
    let operands = operands_of(operation);
    let (Some((memory, indices)), Some(update)) = (operands.split_first(), body_of(operation, 0))
    else {
        return Ok(());
    };
    let element = element_type(memory.r#type());
    let (true, Some(width)) = (is_float(element), bits_of(element)) else {
        return Ok(());
    };
    let context = builder.context();
    let bits = integer_type(context, width);
    let parse = |text: &str| {
        Type::parse(context, text)
            .ok_or_else(|| EmulationError::op(operation, "needs the LLVM dialect"))
    };
    let (pointer, exchanged) = (
        parse("!llvm.ptr")?,
        parse(&format!("!llvm.struct<(i{width}, i1)>"))?,
    );
    let address = element_address(builder, *memory, indices)?;
    let address = arith::index_cast(builder, address, integer_type(context, 64))?;
    let address = builder.value("llvm.inttoptr", &[address], pointer)?;
    let first = builder.value("llvm.load", &[address], bits)?;
    let exchange = builder.region(&[bits], |builder, expected| {
        let old = builder.value("arith.bitcast", expected, element)?;
        let mut map = ValueMap::new();
        for argument in arguments_of(update) {
            map.insert(value_key(argument), old);
        }
        let mut new = old;
        for nested in operations_of(update) {
            if name_of(nested) == "memref.atomic_yield" {
                for value in operands_of(nested) {
                    new = mapped(&map, value);
                }
            } else {
                clone_operation(builder, nested, &mut map);
            }
        }
        let new = arith::bitcast(builder, new, bits)?;
        let ordering = |number| integer_attribute(integer_type(context, 64), number);
        let pair = builder
            .op("llvm.cmpxchg")
            .operands(&[address, expected[0], new])
            .attribute("success_ordering", ordering(6))
            .attribute("failure_ordering", ordering(2))
            .result(exchanged)
            .value()?;
        let part = |number: i64, r#type| {
            builder
                .op("llvm.extractvalue")
                .operands(&[pair])
                .attribute("position", DenseI64ArrayAttribute::new(context, &[number]))
                .result(r#type)
                .value()
        };
        let (found, done) = (part(0, bits)?, part(1, integer_type(context, 1))?);
        let always = emit::scalar(builder, done.r#type(), 0.0, 1)?;
        let again = arith::xori(builder, done, always)?;
        builder
            .op("scf.condition")
            .operands(&[again, found])
            .insert()?;
        Ok::<_, EmulationError>(())
    })?;
    let retry = builder.region(&[bits], |builder, found| {
        builder.op("scf.yield").operands(found).insert()?;
        Ok::<_, EmulationError>(())
    })?;
    let old = builder
        .op("scf.while")
        .operands(&[first])
        .result(bits)
        .region(exchange)
        .region(retry)
        .value()?;
    let old = arith::bitcast(builder, old, element)?;
    builder.replace(operation, &[old])?;
    Ok(())
}

/// What stands for a token.
fn token<'c>(builder: &Builder<'c>) -> Emulated<'c, Value<'c>> {
    let boolean = integer_type(builder.context(), 1);
    Ok(emit::scalar(builder, boolean, 0.0, 0)?)
}

/// Copies the elements one after the other; zeros follow where fewer are read
/// than written.
fn copy<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
    let invalid = || EmulationError::op(operation, "has operands that emulation cannot tell apart");
    let operands = operands_of(operation);
    let segments = attribute_of(operation, "operandSegmentSizes").and_then(i32_array_value);
    let Some(&[_, target_rank, _, source_rank, counted]) = segments.as_deref() else {
        return Err(invalid());
    };
    let (target_rank, source_rank) = (target_rank as usize, source_rank as usize);
    let (Some((target, rest)), Some(count)) = (
        operands.split_first(),
        attribute_of(operation, "dstElements").and_then(integer_attribute_value),
    ) else {
        return Err(invalid());
    };
    if rest.len() != target_rank + 1 + source_rank + counted as usize {
        return Err(invalid());
    }
    let (target_indices, rest) = rest.split_at(target_rank);
    let (source, source_indices, read) = (rest[0], &rest[1..=source_rank], rest.last().copied());
    let element = element_type(target.r#type());
    emit::for_range(builder, count, 1, |builder, number| {
        let read_one = |builder: &Builder<'c>| {
            emit::load(builder, source, &advanced(builder, source_indices, number)?)
        };
        let value = match read.filter(|_| counted == 1) {
            None => read_one(builder)?,
            Some(read) => {
                let inside = arith::cmpi(builder, CmpIPredicate::Slt, number, read)?;
                let yields = |value: Value<'c>| {
                    move |builder: &Builder<'c>, _: &[Value<'c>]| {
                        builder.op("scf.yield").operands(&[value]).insert()?;
                        Ok::<_, halo_ir::BuildError>(())
                    }
                };
                let zero = emit::zero(builder, element)?;
                let taken =
                    builder.region(&[], |builder, _| yields(read_one(builder)?)(builder, &[]))?;
                let filled = builder.region(&[], yields(zero))?;
                builder
                    .op("scf.if")
                    .operands(&[inside])
                    .result(element)
                    .region(taken)
                    .region(filled)
                    .value()?
            }
        };
        let indices = advanced(builder, target_indices, number)?;
        emit::store(builder, value, *target, &indices)?;
        Ok(())
    })?;
    Ok(())
}

/// The indices of the element that is `number` behind others in its row.
fn advanced<'c>(
    builder: &Builder<'c>,
    indices: &[Value<'c>],
    number: Value<'c>,
) -> emit::Emitted<Vec<Value<'c>>> {
    let mut indices = indices.to_vec();
    if let Some(last) = indices.last_mut() {
        *last = emit::add(builder, *last, number)?;
    }
    Ok(indices)
}

/// Puts one op for each id that the kernel asks for at its top, and says the
/// others in terms of these.
fn unify_ids(kernel: Operation<'_>) -> Emulated<'_, ()> {
    let Some(body) = body_of(kernel, 0) else {
        return Ok(());
    };
    let Some(first) = operations_of(body).first().copied() else {
        return Ok(());
    };
    let asked = collect_operations(kernel, |operation| {
        matches!(
            name_of(operation),
            "gpu.thread_id"
                | "gpu.block_id"
                | "gpu.block_dim"
                | "gpu.grid_dim"
                | "gpu.global_id"
                | "gpu.lane_id"
                | "gpu.subgroup_id"
                | "gpu.subgroup_size"
                | "gpu.num_subgroups"
        )
    });
    let mut made: Vec<(String, Value<'_>)> = Vec::new();
    with_builder(first, |builder| {
        for operation in asked {
            let dimension = attribute_of(operation, "dimension").map(|text| text.to_string());
            let key = format!(
                "{} {}",
                name_of(operation),
                dimension.clone().unwrap_or_default()
            );
            let known = made.iter().find(|(name, _)| *name == key).map(|it| it.1);
            let value = match known {
                Some(value) => value,
                None => {
                    // The op there before may be gone.
                    builder.set_to_start(body);
                    let value = id(builder, name_of(operation), operation)?;
                    made.push((key, value));
                    value
                }
            };
            for result in results_of(operation) {
                replace_uses(result, value);
            }
            builder.erase(operation)?;
        }
        Ok(())
    })
}

fn id<'c>(builder: &Builder<'c>, name: &str, operation: Operation<'c>) -> Emulated<'c, Value<'c>> {
    let ask = |name: &str| {
        let mut spec = builder.op(name);
        if let Some(dimension) = attribute_of(operation, "dimension") {
            spec = spec.attribute("dimension", dimension);
        }
        spec.result(index_type(builder.context())).value()
    };
    Ok(match name {
        "gpu.global_id" => {
            let (block, extent) = (ask("gpu.block_id")?, ask("gpu.block_dim")?);
            let first = emit::mul(builder, block, extent)?;
            emit::add(builder, first, ask("gpu.thread_id")?)?
        }
        "gpu.subgroup_size" => emit::index(builder, WARP)?,
        _ => ask(name)?,
    })
}
