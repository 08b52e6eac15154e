//! `--halo-lower-bf16-mma`: lowers `nvgpu.mma.sync` of bf16 to NVVM.
//!
//! Upstream's `convert-nvgpu-to-nvvm` supports f16, TF32, f64 and small integers, but not bf16. The
//! fragments have the layout of f16; NVVM's op takes pairs of bf16 as words:
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

use halo_ir::{
    ops::{
        llvm, nvgpu,
        nvvm::{self, MMALayout, MMATypes},
    },
    prelude::*,
};
use melior::ir::Attribute;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-lower-bf16-mma",
    "Lower matrix products of bf16 fragments to NVVM",
    run,
)
.dependent_dialects(&["arith", "llvm", "nvvm", "vector"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    pass.for_each(
        |operation| operation.isa::<nvgpu::MmaSyncOp>(),
        |builder, operation| {
            if let Some(product) = product_of_bf16(operation) {
                lower(builder, product);
            }
        },
    )
}

/// The op, if it is a product of bf16.
fn product_of_bf16(operation: Operation<'_>) -> Option<nvgpu::MmaSyncOp<'_>> {
    let product = operation.cast::<nvgpu::MmaSyncOp>()?;
    let element = product.matrix_a().ty().element_type();
    (element.float_kind() == Some(FloatKind::BF16)).then_some(product)
}

fn lower<'c>(builder: &Builder<'c>, product: nvgpu::MmaSyncOp<'c>) {
    let context = builder.context();
    let (a, b, c) = (product.matrix_a(), product.matrix_b(), product.matrix_c());
    let float = c.ty().element_type();
    let (a, b) = (words(builder, a), words(builder, b));
    let mut sums = Vec::new();
    for position in [[0, 0], [0, 1], [1, 0], [1, 1]] {
        sums.push(vector::extract(builder, c, &[], &position));
    }
    let rows = a.len() as i64;
    let depth = if rows == 4 { 16 } else { 8 };
    let parse = |text: &str| {
        Attribute::parse(context, text).unwrap_or_else(|| bug(format_args!("invalid {text}")))
    };
    let result = Type::parse(context, "!llvm.struct<(f32, f32, f32, f32)>")
        .unwrap_or_else(|| bug("invalid type of the sums"));
    let shape = parse(&format!("#nvvm.shape<m = 16, n = 8, k = {depth}>"));
    let (row, column) = (MMALayout::Row, MMALayout::Col);
    let made = nvvm::MmaOp::build(builder, shape, row, column, &a, &b, &sums, result)
        .multiplicand_a_ptx_type(MMATypes::Bf16)
        .multiplicand_b_ptx_type(MMATypes::Bf16)
        .value();
    let mut whole = arith::constant(builder, c.ty(), 0);
    for (number, position) in [[0, 0], [0, 1], [1, 0], [1, 1]].into_iter().enumerate() {
        let value = llvm::extractvalue(builder, made, &[number as i64], float);
        whole = vector::insert(builder, value, whole, &[], &position);
    }
    builder.replace(product.operation(), &[whole])
}

/// The rows of a fragment, each a pair of bf16, as words.
fn words<'c>(builder: &Builder<'c>, fragment: Value<'c>) -> Vec<Value<'c>> {
    let ty = fragment.ty();
    let rows = ty.static_shape().and_then(|shape| shape.first().copied());
    let word = integer_type(builder.context(), 32);
    (0..rows.unwrap_or_default())
        .map(|row| {
            let row = vector::extract(builder, fragment, &[], &[row]);
            llvm::bitcast(builder, row, word)
        })
        .collect()
}
