//! Solvers, transforms and batch normalization.

use super::{prelude::*, tensor::real_type};

/// Section `cholesky`: (C1) to (C3).
pub fn cholesky<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    square_matrices(&operand)?;
    one(Inferred::like(&operand))
}

/// Fails unless a tensor is a batch of square matrices.
fn square_matrices<T: Ty>(tensor: &Tensor<T>) -> VerifyResult {
    let rank = tensor.rank();
    if rank < 2 {
        return Err(format!(
            "{} has rank {rank}, but must be a matrix or a batch of them",
            tensor.subject
        ));
    }
    let (rows, columns) = (tensor.dims[rank - 2], tensor.dims[rank - 1]);
    if !rows.agrees_with(columns) {
        return Err(format!(
            "{} has matrices of {rows} rows and {columns} columns, but they must be square",
            tensor.subject
        ));
    }
    Ok(())
}

/// Section `triangular_solve`: (C2) to (C4); (C1) is in ODS.
pub fn triangular_solve<O: Op>(op: O) -> Inference<O::Type> {
    let (a, b) = (op.operand(0)?, op.operand(1)?);
    square_matrices(&a)?;
    let rank = a.rank();
    if b.rank() != rank {
        return Err(format!(
            "operand 1 has rank {}, but operand 0 has rank {rank}",
            b.rank()
        ));
    }
    let shared = if op.flag("left_side") {
        rank - 2
    } else {
        rank - 1
    };
    for (index, (left, right)) in a.dims[..rank - 2]
        .iter()
        .zip(&b.dims)
        .enumerate()
        .chain([(shared, (&a.dims[rank - 2], &b.dims[shared]))])
    {
        if !left.agrees_with(*right) {
            return Err(format!(
                "dimension {index} of operand 1 has size {right}, but operand 0 needs size {left}"
            ));
        }
    }
    let transpose = required("transpose_a", op.case("transpose_a"))?;
    if transpose == "TRANSPOSE_INVALID" {
        return Err(format!("attribute 'transpose_a' is {transpose}"));
    }
    one(Inferred::like(&b))
}

/// Section `fft`: (C1) to (C5).
pub fn fft<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    let kind = required("fft_type", op.case("fft_type"))?;
    let lengths = op.integers("fft_length")?;
    let count = lengths.len();
    expect_at_least("fft_length", &lengths, 0)?;
    if !(1..=3).contains(&count) {
        return Err(format!(
            "attribute 'fft_length' has {count} entries, but a transform has 1 to 3 dimensions"
        ));
    }
    if operand.rank() < count {
        return Err(format!(
            "operand 0 has rank {}, but attribute 'fft_length' has {count} entries",
            operand.rank()
        ));
    }
    let real_input = kind == "RFFT";
    if operand.element.is_complex() == real_input {
        return Err(format!(
            "operand 0 has element type {}, which {kind} does not transform",
            operand.element
        ));
    }
    let part = real_type(operand.element);
    if !part.is_float() || !matches!(part.bit_width(), Some(32 | 64)) {
        return Err(format!(
            "operand 0 has element type {}, but {kind} transforms f32 and f64 only",
            operand.element
        ));
    }
    let element = match kind {
        "RFFT" => operand.element.complex_of(),
        "IRFFT" => part,
        _ => operand.element,
    };
    let first = operand.rank() - count;
    let mut shape = operand.dims.clone();
    // The last dimension loses the redundant half.
    let halved = |length: i64| if length == 0 { 0 } else { length / 2 + 1 };
    for (index, length) in lengths.iter().enumerate() {
        let last = index + 1 == count;
        let expected = match kind {
            "IRFFT" if last => halved(*length),
            _ => *length,
        };
        let dim = operand.dims[first + index];
        // One element has the same result as none, which the constraint allows.
        let is_void = kind == "IRFFT" && last && *length == 0;
        let agrees =
            dim.agrees_with(Dim::Static(expected)) || is_void && dim.agrees_with(Dim::Static(1));
        if !agrees {
            return Err(format!(
                "dimension {} of operand 0 has size {dim}, but 'fft_length' implies {expected}",
                first + index
            ));
        }
        if last {
            shape[first + index] = match kind {
                "RFFT" if dim == Dim::Dynamic => Dim::Static(halved(*length)),
                "RFFT" => dim.map(halved),
                _ => Dim::Static(*length),
            };
        }
    }
    one(Inferred::tensor(shape, element))
}

/// The sizes of the three batch normalizations: `feature_index` is a dimension of the operand, and
/// each vector has one entry for each of its indices. Sections `batch_norm_grad`, (C1), (C3) to
/// (C5); `batch_norm_inference`, (C1), (C3) to (C7); `batch_norm_training`, (C1), (C3) to (C7).
/// Element types are in ODS.
pub fn batch_norm<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    let feature = op.integer("feature_index")?;
    expect_dimensions("feature_index", &[feature], operand.rank(), "operand 0")?;
    let size = operand.dims[feature as usize];
    let is_gradient = op.name() == "stablehlo.batch_norm_grad";
    for number in 1..op.operand_count() {
        let tensor = op.operand(number)?;
        // The gradient of the output is a full tensor.
        if is_gradient && number == 4 {
            tensor.expect_shape_of(&operand)?;
        } else {
            tensor.expect_shape(&[size], "the feature dimension of operand 0 implies")?;
        }
    }
    let mut results = vec![Inferred::like(&operand)];
    if op.name() != "stablehlo.batch_norm_inference" {
        let vector = Inferred::tensor(vec![size], operand.element);
        results.extend([vector.clone(), vector]);
    }
    Ok(results)
}
