//! `--halo-lower-bf16-mma`: `nvgpu.mma.sync` of bf16 as the op of NVVM.
//!
//! Upstream's `convert-nvgpu-to-nvvm` knows f16, TF32, f64 and small integers,
//! but not bf16, though the instruction does. Its fragments are those of f16;
//! NVVM's op takes pairs of bf16 as words:
//!
//! ```mlir
//! %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]}
//!   : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! // each row of %a and %b bitcast to i32, the four elements of %c apart
//! %r = nvvm.mma.sync A[...] B[...] C[...]
//!   {multiplicandAPtxType = #nvvm.mma_type<bf16>, ..., shape = #nvvm.shape<m = 16, n = 8, k = 16>}
//!   : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
//! // the four elements of %r put together
//! ```

use super::kernel;
use crate::loops::emit::Emitted;
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use halo_ir::{
    BuildError, Builder, FloatKind, Operation, Type, Value, collect_operations, element_type,
    float_kind, integer_type, name_of, operands_of, static_shape_of, vector_type, with_builder,
};
use melior::ir::{
    Attribute, ValueLike,
    attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute},
    operation::OperationLike,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-lower-bf16-mma",
    summary: "Lower matrix products of bf16 fragments to NVVM",
    anchor: halo_ir::pass::ANY_OPERATION,
    dependent_dialects: &["arith", "llvm", "nvvm", "vector"],
    options: &[],
    run,
};

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    for operation in collect_operations(invocation.operation(), is_of_bf16) {
        let lowered = with_builder(operation, |builder| lower(builder, operation));
        if let Err(error) = lowered {
            emit_error(operation.location(), &format!("internal error: {error}"));
            return Err(PassFailure);
        }
    }
    Ok(())
}

fn is_of_bf16(operation: Operation) -> bool {
    name_of(operation) == "nvgpu.mma.sync"
        && operands_of(operation).first().is_some_and(|factor| {
            float_kind(element_type(factor.r#type())) == Some(FloatKind::BF16)
        })
}

fn lower<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Emitted<()> {
    let failed = || BuildError::new("nvvm.mma.sync");
    let context = builder.context();
    let [a, b, c] = operands_of(operation)[..] else {
        return Err(failed());
    };
    let float = element_type(c.r#type());
    let (a, b) = (words(builder, a)?, words(builder, b)?);
    let mut sums = Vec::new();
    for position in [[0, 0], [0, 1], [1, 0], [1, 1]] {
        sums.push(kernel::extract(builder, c, &position, float)?);
    }
    let rows = a.len() as i64;
    let depth = if rows == 4 { 16 } else { 8 };
    let parse = |text: &str| Attribute::parse(context, text).ok_or_else(failed);
    let result = Type::parse(context, "!llvm.struct<(f32, f32, f32, f32)>").ok_or_else(failed)?;
    let segments = [a.len() as i32, b.len() as i32, sums.len() as i32];
    let made = builder
        .op("nvvm.mma.sync")
        .operands(&a)
        .operands(&b)
        .operands(&sums)
        .attribute(
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(context, &segments),
        )
        .attribute(
            "shape",
            parse(&format!("#nvvm.shape<m = 16, n = 8, k = {depth}>"))?,
        )
        .attribute("layoutA", parse("#nvvm.mma_layout<row>")?)
        .attribute("layoutB", parse("#nvvm.mma_layout<col>")?)
        .attribute("multiplicandAPtxType", parse("#nvvm.mma_type<bf16>")?)
        .attribute("multiplicandBPtxType", parse("#nvvm.mma_type<bf16>")?)
        .result(result)
        .value()?;
    let mut whole = kernel::zeros(builder, c.r#type())?;
    for (number, position) in [[0, 0], [0, 1], [1, 0], [1, 1]].into_iter().enumerate() {
        let value = builder
            .op("llvm.extractvalue")
            .operands(&[made])
            .attribute(
                "position",
                DenseI64ArrayAttribute::new(context, &[number as i64]),
            )
            .result(float)
            .value()?;
        whole = kernel::insert(builder, value, whole, &position)?;
    }
    builder.replace(operation, &[whole])?;
    Ok(())
}

/// The rows of a fragment, each a pair of bf16, as words.
fn words<'c>(builder: &Builder<'c>, fragment: Value<'c>) -> Emitted<Vec<Value<'c>>> {
    let r#type = fragment.r#type();
    let rows = static_shape_of(r#type).and_then(|shape| shape.first().copied());
    let pair = vector_type(&[2], element_type(r#type));
    let word = integer_type(builder.context(), 32);
    (0..rows.unwrap_or_default())
        .map(|row| {
            let row = kernel::extract(builder, fragment, &[row], pair)?;
            builder.value("llvm.bitcast", &[row], word)
        })
        .collect()
}
