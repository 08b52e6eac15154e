//! `--halo-outline-kernels`: each parallel loop of an entry function as a
//! function of a range of iterations.
//!
//! The runtime hands ranges of iterations to its threads, so a parallel loop
//! becomes a function of where to begin and where to end, and of what the loop
//! used from around it. That also gives each buffer a pointer argument of its
//! own, which can say that it overlaps no other: inside one function LLVM would
//! have to check at run time, or to give up on vectorizing.
//!
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
//!   %0 = memref.load %a[%i] : memref<64xf32>
//!   memref.store %0, %b[%i] : memref<64xf32>
//!   scf.reduce
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! call @main_kernel_0(%c0, %c64, %a, %b) {halo.grain = 65536 : i64}
//!     : (index, index, memref<64xf32>, memref<64xf32>) -> ()
//!
//! func.func private @main_kernel_0(%begin: index, %end: index,
//!     %a: memref<64xf32> {llvm.noalias}, %b: memref<64xf32> {llvm.noalias})
//!     attributes {halo.kernel} {
//!   scf.for %i = %begin to %end step %c1 { ... }
//! }
//! ```
//!
//! `halo.grain` is the number of iterations that are worth a task of their own.
//! Where it is at least the count, the call is a plain one.
//!
//! Captured are scalars and memrefs that a bare pointer can stand for; other
//! views are made anew inside from what they are views of, and constants are
//! copied. A loop that uses anything else stays a loop.

use super::{
    buffer_assignment::ENTRY,
    captures::{Captures, overlap_free},
    emit, function, work,
};
use crate::ir::{
    Attribute, BuildError, Builder, Operation, Value, ValueMap, array_attribute, attribute_of,
    body_of, clone_operation, collect_operations, integer_attribute, integer_type, is_memref,
    name_of, operands_of, operations_of, parent_operation, string_attribute, string_value,
    terminator_of, type_attribute, unit_attribute, value_key, with_builder,
};
use halo_dialects::pass::{
    OptionKind, PassDeclaration, PassFailure, PassInvocation, PassOption, emit_error,
};
use melior::ir::{
    ValueLike, attribute::FlatSymbolRefAttribute, operation::OperationLike, r#type::FunctionType,
};
use std::collections::HashSet;

/// The attribute of a kernel function.
pub const KERNEL: &str = "halo.kernel";
/// The attribute of a call of a kernel: how many iterations make a task.
pub const GRAIN: &str = "halo.grain";

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-outline-kernels",
    summary: "Turn the parallel loops of entry functions into functions of a range",
    anchor: "builtin.module",
    dependent_dialects: &["arith", "func", "scf"],
    options: &[PassOption {
        name: "task-work",
        description: "Estimated scalar ops that make a task worth starting",
        default: "131072",
        kind: OptionKind::Integer,
    }],
    run,
};

fn run(invocation: &PassInvocation) -> Result<(), PassFailure> {
    let module = invocation.operation();
    let Some(body) = body_of(module, 0) else {
        return Ok(());
    };
    let functions: Vec<_> = operations_of(body)
        .into_iter()
        .filter(|operation| name_of(*operation) == "func.func")
        .collect();
    let mut names: HashSet<String> = functions
        .iter()
        .filter_map(|function| symbol_name(*function))
        .collect();
    let task_work = invocation.integer("task-work").max(1);
    for function in functions {
        if attribute_of(function, ENTRY).is_none() {
            continue;
        }
        let Some(entry) = symbol_name(function) else {
            continue;
        };
        let mut number = 0;
        for parallel in outermost_parallel_loops(function) {
            let name = loop {
                let name = format!("{entry}_kernel_{number}");
                number += 1;
                if names.insert(name.clone()) {
                    break name;
                }
            };
            if let Err(error) = outline(function, parallel, &name, task_work) {
                emit_error(parallel.location(), &format!("internal error: {error}"));
                return Err(PassFailure);
            }
        }
    }
    Ok(())
}

fn symbol_name(function: Operation) -> Option<String> {
    string_value(attribute_of(function, "sym_name")?).map(str::to_owned)
}

/// The one-dimensional parallel loops that return nothing and stand in no other
/// parallel loop.
fn outermost_parallel_loops<'c>(function: Operation<'c>) -> Vec<Operation<'c>> {
    collect_operations(function, |operation| {
        if name_of(operation) != "scf.parallel"
            || operands_of(operation).len() != 3
            || operation.result_count() != 0
        {
            return false;
        }
        let mut parent = parent_operation(operation);
        while let Some(ancestor) = parent {
            if name_of(ancestor) == "scf.parallel" {
                return false;
            }
            parent = parent_operation(ancestor);
        }
        true
    })
}

fn outline<'c>(
    function: Operation<'c>,
    parallel: Operation<'c>,
    name: &str,
    task_work: i64,
) -> Result<(), BuildError> {
    let Some(captures) = Captures::of(parallel) else {
        return Ok(());
    };
    let [lower, upper, step] = operands_of(parallel)[..] else {
        return Ok(());
    };
    let grain = work::grain(parallel, task_work);
    with_builder(function, |builder| {
        builder.set_after(function);
        define_kernel(builder, parallel, &captures, name)
    })?;
    with_builder(parallel, |builder| {
        let zero = emit::index(builder, 0)?;
        let mut count = emit::binary(builder, "arith.subi", upper, lower)?;
        if emit::constant_index(step) != Some(1) {
            count = builder.value("arith.ceildivsi", &[count, step], count.r#type())?;
        }
        let context = builder.context();
        let grain = integer_attribute(integer_type(context, 64), grain);
        builder
            .op("func.call")
            .operands(&[zero, count])
            .operands(&captures.values)
            .attribute("callee", FlatSymbolRefAttribute::new(context, name))
            .attribute(GRAIN, grain)
            .insert()?;
        builder.erase(parallel);
        Ok(())
    })
}

/// Creates the function of a loop at the insertion point.
fn define_kernel<'c>(
    builder: &Builder<'c>,
    parallel: Operation<'c>,
    captures: &Captures<'c>,
    name: &str,
) -> Result<(), BuildError> {
    let builder = builder.at(parallel.location());
    let context = builder.context();
    let index = crate::ir::index_type(context);
    let mut types = vec![index, index];
    types.extend(captures.values.iter().map(|value| value.r#type()));
    let region = builder.region(&types, |builder, arguments| {
        fill_kernel(builder, parallel, captures, arguments)
    })?;
    let empty = function::empty_dictionary(context);
    let no_alias = Attribute::parse(context, "{llvm.noalias}").or(empty);
    let mut attributes: Vec<Attribute> = vec![empty, empty].into_iter().flatten().collect();
    for (value, free) in captures.values.iter().zip(overlap_free(captures)) {
        let noted = is_memref(value.r#type()) && free;
        attributes.extend(if noted { no_alias } else { empty });
    }
    let signature = FunctionType::new(context, &types, &[]);
    builder
        .op("func.func")
        .attribute("sym_name", string_attribute(context, name))
        .attribute("sym_visibility", string_attribute(context, "private"))
        .attribute("function_type", type_attribute(signature.into()))
        .attribute("arg_attrs", array_attribute(context, &attributes))
        .attribute(KERNEL, unit_attribute(context))
        .region(region)
        .insert()?;
    Ok(())
}

fn fill_kernel<'c>(
    builder: &Builder<'c>,
    parallel: Operation<'c>,
    captures: &Captures<'c>,
    arguments: &[Value<'c>],
) -> Result<(), BuildError> {
    let mut map = ValueMap::new();
    for (value, argument) in captures.values.iter().zip(&arguments[2..]) {
        map.insert(value_key(*value), *argument);
    }
    for operation in &captures.remade {
        clone_operation(builder, *operation, &mut map);
    }
    let bounds = operands_of(parallel);
    let (lower, step) = (
        crate::ir::mapped(&map, bounds[0]),
        crate::ir::mapped(&map, bounds[2]),
    );
    let plain =
        emit::constant_index(bounds[0]) == Some(0) && emit::constant_index(bounds[2]) == Some(1);
    let Some(body) = body_of(parallel, 0) else {
        return Ok(());
    };
    let one = emit::index(builder, 1)?;
    emit::for_loop(
        builder,
        (arguments[0], arguments[1], one),
        &[],
        |builder, iv, _| {
            let iv = if plain {
                iv
            } else {
                let scaled = emit::binary(builder, "arith.muli", iv, step)?;
                emit::binary(builder, "arith.addi", lower, scaled)?
            };
            for argument in crate::ir::arguments_of(body) {
                map.insert(value_key(argument), iv);
            }
            let terminator = terminator_of(body);
            for operation in operations_of(body) {
                if Some(operation) != terminator {
                    clone_operation(builder, operation, &mut map);
                }
            }
            Ok(Vec::new())
        },
    )?;
    builder.op("func.return").insert()?;
    Ok(())
}
