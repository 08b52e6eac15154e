//! `--halo-widen-bool-memory`: bytes in memory for booleans.
//!
//! A `memref<i1>` has a byte for each element, but the loads and stores that it
//! is lowered to are of LLVM's `i1`. LLVM's vectorizer takes no loop with those,
//! since a vector of `i1` in memory would be bits. So masks are loaded and
//! stored as bytes:
//!
//! ```mlir
//! %0 = llvm.load %p : !llvm.ptr -> i1
//! llvm.store %1, %q : i1, !llvm.ptr
//! ```
//!
//! becomes
//!
//! ```mlir
//! %byte = llvm.load %p : !llvm.ptr -> i8
//! %0 = llvm.icmp "ne" %byte, %zero : i8
//! %2 = llvm.zext %1 : i1 to i8
//! llvm.store %2, %q : i8, !llvm.ptr
//! ```

use crate::loops::emit::Emitted;
use halo_ir::pass::{ANY_OPERATION, PassDeclaration, PassFailure, PassInvocation, emit_error};
use halo_ir::{
    Builder, Operation, attribute_of, collect_operations, integer_attribute, integer_type,
    integer_width, name_of, operands_of, results_of, set_attribute, set_operand, type_attribute,
    with_builder,
};
use melior::ir::{Type, ValueLike, attribute::TypeAttribute, operation::OperationLike};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-widen-bool-memory",
    summary: "Load and store booleans as bytes, so that loops over masks vectorize",
    anchor: ANY_OPERATION,
    dependent_dialects: &["llvm"],
    options: &[],
    run,
};

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let operations = collect_operations(invocation.operation(), |operation| {
        matches!(
            name_of(operation),
            "llvm.load" | "llvm.store" | "llvm.getelementptr"
        )
    });
    for operation in operations {
        let widened = with_builder(operation, |builder| match name_of(operation) {
            "llvm.load" => widen_load(builder, operation),
            "llvm.store" => widen_store(builder, operation),
            _ => {
                widen_address(builder, operation);
                Ok(())
            }
        });
        if let Err(error) = widened {
            emit_error(operation.location(), &format!("internal error: {error}"));
            return Err(PassFailure);
        }
    }
    Ok(())
}

fn is_bool(r#type: Type) -> bool {
    integer_width(r#type) == Some(1)
}

fn widen_load<'c>(builder: &Builder<'c>, load: Operation<'c>) -> Emitted<()> {
    let result = results_of(load)[0];
    if !is_bool(result.r#type()) {
        return Ok(());
    }
    let byte_type = integer_type(builder.context(), 8);
    let byte = builder
        .op("llvm.load")
        .operands(&operands_of(load))
        .attribute(
            "alignment",
            integer_attribute(integer_type(builder.context(), 64), 1),
        )
        .result(byte_type)
        .value()?;
    let zero = builder
        .op("llvm.mlir.constant")
        .attribute("value", integer_attribute(byte_type, 0))
        .result(byte_type)
        .value()?;
    let value = builder
        .op("llvm.icmp")
        .operands(&[byte, zero])
        // The number of `ne`.
        .attribute(
            "predicate",
            integer_attribute(integer_type(builder.context(), 64), 1),
        )
        .result(result.r#type())
        .value()?;
    builder.replace(load, &[value])?;
    Ok(())
}

fn widen_store<'c>(builder: &Builder<'c>, store: Operation<'c>) -> Emitted<()> {
    let value = operands_of(store)[0];
    if !is_bool(value.r#type()) {
        return Ok(());
    }
    let byte = builder.value("llvm.zext", &[value], integer_type(builder.context(), 8))?;
    set_operand(store, 0, byte);
    Ok(())
}

/// Steps over booleans become steps over bytes, which they are.
fn widen_address<'c>(builder: &Builder<'c>, address: Operation<'c>) {
    let element =
        attribute_of(address, "elem_type").and_then(halo_ir::attribute_as::<TypeAttribute>);
    if element.is_some_and(|element| is_bool(element.value())) {
        let byte = type_attribute(integer_type(builder.context(), 8));
        set_attribute(address, "elem_type", byte);
    }
}
