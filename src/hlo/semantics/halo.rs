//! The ops of the dialect `halo`, and its attributes on ops of other dialects.
//!
//! Compiler passes communicate by these ops and attributes. The verifier after a pass reports
//! invalid ones.

mod communication;

pub use communication::{collective_start, collective_step, run_parallel, transfer};

use super::{op::Op, prelude::*};
use halo_core::Layout;
use halo_ir::{
    ops::halo::{
        ARENA_BYTES, CALL_SITES, Content, Contract, CustomCallOp, GemmOp, KERNEL, Matrix,
        ParallelCallOp,
    },
    prelude::*,
    semantics::Bearer,
};
use melior::ir::{attribute::TypeAttribute, r#type::FunctionType};

/// Returns an error if an op, or an argument or result of it, must not carry an attribute of this
/// dialect.
pub fn attribute(
    operation: Operation,
    bearer: Bearer,
    name: &str,
    value: Attribute,
) -> VerifyResult {
    let on = match bearer {
        Bearer::Operation => String::new(),
        Bearer::Argument(number) => format!(" on argument {number}"),
        Bearer::Result(number) => format!(" on result {number}"),
    };
    let Some(contract) = Contract::of(name) else {
        return Err(format!(
            "has attribute '{name}'{on}, which the dialect does not have"
        ));
    };
    if !contract.owner.accepts(operation) || bearer != Bearer::Operation {
        return Err(format!(
            "has attribute '{name}'{on}, which belongs on {}",
            contract.owner
        ));
    }
    if !contract.value.accepts(value) {
        return Err(format!(
            "has attribute '{name}' = {value}, which is not {}",
            contract.value
        ));
    }
    match name {
        ARENA_BYTES => arena(operation, value),
        CALL_SITES => value.array_elements().into_iter().try_for_each(call_site),
        _ => Ok(()),
    }
}

/// The arena is the last argument of a function on memrefs; in the LLVM dialect
/// it is a bare pointer.
fn arena(function: Operation, bytes: Attribute) -> VerifyResult {
    let (true, Some(body)) = (function.isa::<func::FuncOp>(), function.body(0)) else {
        return Ok(());
    };
    let bytes = bytes.integer_value().unwrap_or(0);
    let byte = integer_type(function.context(), 8);
    let wanted = memref_type(&[bytes], byte);
    let is_dynamic = |ty: Type| ty == memref_type(&[sizes::DYNAMIC], byte);
    match body.arguments().last() {
        Some(last) if last.ty() == wanted || is_dynamic(last.ty()) => Ok(()),
        _ => Err(format!(
            "has {ARENA_BYTES} = {bytes}, but no last argument {wanted}"
        )),
    }
}

/// An element of `halo.call_sites`: the attributes of a custom call, and its location.
fn call_site(site: Attribute) -> VerifyResult {
    let entries = site.dictionary_entries();
    let find = |name: &str| entries.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
    for name in ["target", "location"] {
        if find(name).and_then(Attribute::string_value).is_none() {
            return Err(format!(
                "has a call site without the string '{name}': {site}"
            ));
        }
    }
    for (types, layouts) in [
        ("operand_types", "operand_layouts"),
        ("result_types", "result_layouts"),
    ] {
        let listed = find(types).filter(|types| Content::Array.accepts(*types));
        let listed = listed.ok_or_else(|| format!("has a call site without '{types}': {site}"))?;
        expect_layouts(&types_in(listed), find(layouts), layouts)?;
    }
    Ok(())
}

fn types_in<'c>(list: Attribute<'c>) -> Vec<Type<'c>> {
    let types = list.array_elements().into_iter();
    let types = types.filter_map(Attribute::cast::<TypeAttribute>);
    types.map(|attribute| attribute.value()).collect()
}

/// A layout for each type, a permutation of its dimensions.
fn expect_layouts(types: &[Type], layouts: Option<Attribute>, name: &str) -> VerifyResult {
    let Some(layouts) = layouts.map(Attribute::array_elements) else {
        return Ok(());
    };
    if layouts.len() != types.len() {
        let (given, expected) = (layouts.len(), types.len());
        return Err(format!(
            "attribute '{name}' has {given} layouts for {expected} types"
        ));
    }
    for (layout, ty) in layouts.into_iter().zip(types) {
        let rank = ty.shape().map_or(0, |shape| shape.len());
        let dims = layout.i64_array_value().unwrap_or_default();
        let dims = dims.into_iter().map(|dim| usize::try_from(dim).unwrap_or(usize::MAX));
        let orders = Layout::new(dims.collect::<Vec<_>>());
        if !orders.is_ok_and(|layout| layout.rank() == rank) {
            return Err(format!(
                "attribute '{name}' has {layout}, which does not order the dimensions of {ty}"
            ));
        }
    }
    Ok(())
}

/// The number of elements of a tensor or buffer of static shape.
fn elements(ty: Type) -> Option<i64> {
    let shape = ty.static_shape()?;
    shape.into_iter().try_fold(1i64, i64::checked_mul)
}

/// The op `halo.custom_call`: results or buffers for them, each with its type in the program.
pub fn custom_call(op: Op) -> VerifyResult {
    let Some(call) = op.operation().and_then(|op| op.cast::<CustomCallOp>()) else {
        return Ok(());
    };
    let (outputs, results) = (call.outputs(), call.operation().result_types());
    if !outputs.is_empty() && !results.is_empty() {
        return Err("has results and buffers for them".into());
    }
    let inputs = call.inputs().types();
    let outputs: Vec<Type> = if results.is_empty() {
        outputs.iter().map(|value| value.ty()).collect()
    } else {
        results
    };
    for (values, types, of_values, of_types) in [
        (&inputs, call.operand_types(), "inputs", "operand_types"),
        (&outputs, call.result_types(), "outputs", "result_types"),
    ] {
        if values.len() != types.len() {
            let (given, expected) = (values.len(), types.len());
            return Err(format!(
                "has {given} {of_values}, but attribute '{of_types}' has {expected} types"
            ));
        }
        for (number, (value, ty)) in values.iter().zip(types).enumerate() {
            if let (Some(own), Some(program)) = (elements(*value), elements(ty))
                && own != program
            {
                return Err(format!(
                    "has {value} as number {number} of its {of_values}, but attribute \
                     '{of_types}' has {ty}"
                ));
            }
        }
    }
    let layouts = |name| call.operation().attribute(name);
    expect_layouts(
        &call.operand_types(),
        layouts("operand_layouts"),
        "operand_layouts",
    )?;
    expect_layouts(
        &call.result_types(),
        layouts("result_layouts"),
        "result_layouts",
    )
}

/// The callee of `halo.parallel_call`: a kernel with the arguments range and captures.
pub fn callee(operation: Operation, callee: Option<Operation>) -> VerifyResult {
    let Some(call) = operation.cast::<ParallelCallOp>() else {
        return Ok(());
    };
    let name = call.callee();
    let kernel = callee.filter(|callee| callee.has_attribute(KERNEL));
    let Some(kernel) = kernel else {
        return Err(format!(
            "calls @{name}, which is not a function with '{KERNEL}'"
        ));
    };
    // In the LLVM dialect, buffers are bare pointers.
    let Some(ty) = function_type(kernel) else {
        return Ok(());
    };
    let inputs = (0..ty.input_count()).filter_map(|number| ty.input(number).ok());
    if ty.result_count() != 0
        || !inputs.eq(operation.operands().into_iter().map(|value| value.ty()))
    {
        return Err(format!(
            "calls @{name} of type {ty}, which its operands do not fit"
        ));
    }
    Ok(())
}

fn function_type<'c>(function: Operation<'c>) -> Option<FunctionType<'c>> {
    function.cast::<func::FuncOp>()?.function_type().cast::<FunctionType>()
}

/// The op `halo.gemm`: matrices of types that libraries support, within their buffers.
pub fn gemm(op: Op) -> VerifyResult {
    let Some(gemm) = op.operation().and_then(|op| op.cast::<GemmOp>()) else {
        return Ok(());
    };
    let element = |value: Value<'_>| value.ty().element_type().float_kind();
    let [lhs, rhs, output] = [gemm.lhs(), gemm.rhs(), gemm.output()].map(element);
    let is_half = matches!(lhs, Some(FloatKind::F16 | FloatKind::BF16));
    let is_known = is_half || matches!(lhs, Some(FloatKind::F32 | FloatKind::F64));
    if !is_known || rhs != lhs || (output != lhs && !(is_half && output == Some(FloatKind::F32))) {
        return Err("has matrices of types that no library multiplies".into());
    }
    if gemm.output_matrix().transposed {
        return Err("writes a matrix that is transposed".into());
    }
    let (m, n, k) = (gemm.m(), gemm.n(), gemm.k());
    for (number, value, name, matrix, (rows, columns)) in [
        (0, gemm.lhs(), "lhs_matrix", gemm.lhs_matrix(), (m, k)),
        (1, gemm.rhs(), "rhs_matrix", gemm.rhs_matrix(), (k, n)),
        (
            2,
            gemm.output(),
            "output_matrix",
            gemm.output_matrix(),
            (m, n),
        ),
    ] {
        let ty = value.ty();
        let size = elements(ty).filter(|_| ty.has_identity_layout());
        let end = reach(matrix, (rows, columns), gemm.batch());
        let fits = end.is_some_and(|end| size.is_none_or(|size| end <= size));
        if !fits {
            let subject = Subject::Operand(number);
            return Err(format!(
                "attribute '{name}' places a matrix of {rows} by {columns} outside of {subject}, \
                 {ty}"
            ));
        }
    }
    Ok(())
}

/// The end of the last element of a batch of matrices; `None` on overflow.
fn reach(matrix: Matrix, (rows, columns): (i64, i64), batch: i64) -> Option<i64> {
    let (outer, inner) = if matrix.transposed {
        (columns, rows)
    } else {
        (rows, columns)
    };
    if matrix.start < 0 || matrix.batch_stride < 0 || matrix.leading_dimension < inner {
        return None;
    }
    let last = (outer - 1).checked_mul(matrix.leading_dimension)?;
    let batches = (batch - 1).checked_mul(matrix.batch_stride)?;
    matrix.start.checked_add(last)?.checked_add(batches)?.checked_add(inner)
}
