//! Products of tensors, solvers and transforms.

use super::{
    op::{Op, expect_dimensions, expect_unique},
    quantization::Quantized,
    tensor::{Dim, Subject, Tensor, Verdict, expect_same_type, real_type},
};
use halo_dialects::{
    attributes::{DotAlgorithm, DotDimensionNumbers, FftType, Precision, Transpose},
    ir::{FloatKind, attribute_list, complex_type, float_kind, is_complex},
};

/// The precisions asked for the operands of a product: none, or one each.
pub fn precision_config(op: Op) -> Result<Vec<Precision>, String> {
    let config: Vec<Precision> = op
        .attribute("precision_config")
        .map(attribute_list)
        .unwrap_or_default()
        .into_iter()
        .filter_map(Precision::from_attribute)
        .collect();
    if config.len() > 2 {
        return Err(format!(
            "attribute 'precision_config' has {} entries, but the op has 2 operands",
            config.len()
        ));
    }
    Ok(config)
}

/// The rules of quantized products: the right operand is quantized too, and the
/// left operand is quantized where the result is. Section `dot_general`: (C14)
/// to (C20) but for zero points; `convolution`: (C28) to (C33).
pub fn quantized_product(lhs: &Tensor, rhs: &Tensor, result: &Tensor) -> Verdict {
    let [left, right, output] = [lhs, rhs, result].map(|tensor| Quantized::of(tensor.element));
    let Some(right) = right else {
        return match (left, output) {
            (None, None) => Ok(()),
            _ => Err(format!(
                "{} has element type {}, but {} has element type {}",
                rhs.subject, rhs.element, lhs.subject, lhs.element
            )),
        };
    };
    if left.is_some() != output.is_some() {
        return Err(format!(
            "{} has element type {}, but {} has element type {}",
            result.subject, result.element, lhs.subject, lhs.element
        ));
    }
    let expressed = |tensor: &Tensor, expected| {
        let found = Quantized::of(tensor.element).map_or(tensor.element, |q| q.expressed());
        if found == expected {
            return Ok(());
        }
        Err(format!(
            "{} has element type {}, but {} expresses {expected}",
            tensor.subject, tensor.element, rhs.subject
        ))
    };
    expressed(lhs, right.expressed())?;
    expressed(result, right.expressed())?;
    let (Some(left), Some(output)) = (left, output) else {
        return Ok(());
    };
    if left.storage() != right.storage() {
        return Err(format!(
            "{} stores {}, but {} stores {}",
            rhs.subject,
            right.storage(),
            lhs.subject,
            left.storage()
        ));
    }
    if right.axis().is_none() && output.axis().is_some() {
        return Err(format!(
            "{} is quantized per axis, but {} is quantized per tensor",
            result.subject, rhs.subject
        ));
    }
    Ok(())
}

/// The op `dot`, which the specification has no section for: a product of
/// vectors or matrices.
pub fn dot(op: Op) -> Verdict {
    let (lhs, rhs, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    precision_config(op)?;
    for tensor in [&lhs, &rhs] {
        if !(1..=2).contains(&tensor.rank()) {
            return Err(format!(
                "{} has rank {}, but must be a vector or a matrix",
                tensor.subject,
                tensor.rank()
            ));
        }
    }
    let (left, right) = (lhs.dims[lhs.rank() - 1], rhs.dims[0]);
    if !left.agrees_with(right) {
        return Err(format!(
            "the last dimension of operand 0 has size {left}, but the first of operand 1 has size \
             {right}"
        ));
    }
    let shape: Vec<Dim> = lhs.dims[..lhs.rank() - 1]
        .iter()
        .chain(&rhs.dims[1..])
        .copied()
        .collect();
    result.expect_inferred_shape(&shape)
}

/// Section `dot_general`: (C1) to (C12) and (C14) to (C24), not (C13): operands of different
/// element types are in wide use.
pub fn dot_general(op: Op) -> Verdict {
    let (lhs, rhs, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    let numbers = op.required("dot_dimension_numbers", DotDimensionNumbers::from_attribute)?;
    let batching = (
        &numbers.lhs_batching_dimensions,
        &numbers.rhs_batching_dimensions,
    );
    let contracting = (
        &numbers.lhs_contracting_dimensions,
        &numbers.rhs_contracting_dimensions,
    );
    for (left, right, kind) in [
        (batching.0, batching.1, "batching"),
        (contracting.0, contracting.1, "contracting"),
    ] {
        let name = format_args!("rhs_{kind}_dimensions");
        if left.len() != right.len() {
            return Err(format!(
                "'{name}' has {} entries, but 'lhs_{kind}_dimensions' has {}",
                right.len(),
                left.len()
            ));
        }
    }
    for (tensor, batch, contract, side) in [
        (
            &lhs,
            batching.0,
            contracting.0,
            ["lhs_batching_dimensions", "lhs_contracting_dimensions"],
        ),
        (
            &rhs,
            batching.1,
            contracting.1,
            ["rhs_batching_dimensions", "rhs_contracting_dimensions"],
        ),
    ] {
        let subject = if tensor.subject == lhs.subject {
            "operand 0"
        } else {
            "operand 1"
        };
        expect_dimensions(side[0], batch, tensor.rank(), subject)?;
        expect_dimensions(side[1], contract, tensor.rank(), subject)?;
        expect_unique(side[0], batch)?;
        expect_unique(side[1], contract)?;
        if let Some(dimension) = batch.iter().find(|dimension| contract.contains(dimension)) {
            return Err(format!(
                "'{}' and '{}' both have {dimension}",
                side[0], side[1]
            ));
        }
    }
    for (left, right) in [batching, contracting] {
        for (from, to) in left.iter().zip(right) {
            let (left, right) = (lhs.dims[*from as usize], rhs.dims[*to as usize]);
            if !left.agrees_with(right) {
                return Err(format!(
                    "dimension {to} of operand 1 has size {right}, but dimension {from} of \
                     operand 0 has size {left}"
                ));
            }
        }
    }
    let free = |tensor: &Tensor, batch: &[i64], contract: &[i64]| -> Vec<Dim> {
        (0_i64..)
            .zip(&tensor.dims)
            .filter(|(index, _)| !batch.contains(index) && !contract.contains(index))
            .map(|(_, dim)| *dim)
            .collect()
    };
    let mut shape: Vec<Dim> = batching
        .0
        .iter()
        .map(|index| lhs.dims[*index as usize])
        .collect();
    shape.extend(free(&lhs, batching.0, contracting.0));
    shape.extend(free(&rhs, batching.1, contracting.1));
    result.expect_inferred_shape(&shape)?;
    let config = precision_config(op)?;
    dot_algorithm(op, &config)?;
    if let Some(right) = Quantized::of(rhs.element) {
        if !right.is_symmetric() {
            return Err(format!(
                "operand 1 has element type {}, but its zero points must be 0",
                rhs.element
            ));
        }
        if let Some(axis) = right.axis().filter(|axis| contracting.1.contains(axis)) {
            return Err(format!(
                "operand 1 is quantized along dimension {axis}, which is contracted"
            ));
        }
    }
    quantized_product(&lhs, &rhs, &result)
}

/// (C21) to (C24) of `dot_general`: an algorithm is asked for without precisions
/// beside it, and its counts are positive. Whether some hardware has it is for
/// backends to say.
fn dot_algorithm(op: Op, config: &[Precision]) -> Verdict {
    let Some(algorithm) = op
        .attribute("algorithm")
        .and_then(DotAlgorithm::from_attribute)
    else {
        return Ok(());
    };
    if let Some(precision) = config.iter().find(|entry| **entry != Precision::Default) {
        return Err(format!(
            "attribute 'precision_config' has {precision}, but with attribute 'algorithm' it must \
             be DEFAULT"
        ));
    }
    for (name, count) in [
        ("lhs_component_count", algorithm.lhs_component_count),
        ("rhs_component_count", algorithm.rhs_component_count),
        (
            "num_primitive_operations",
            algorithm.num_primitive_operations,
        ),
    ] {
        if count < 1 {
            return Err(format!(
                "attribute 'algorithm' has {name} = {count}, but it must be positive"
            ));
        }
    }
    Ok(())
}

/// Section `cholesky`: (C1) to (C3).
pub fn cholesky(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    square_matrices(&operand)?;
    expect_same_type(
        (result.subject, result.r#type),
        (operand.subject, operand.r#type),
    )
}

/// Fails unless a tensor is a batch of square matrices.
fn square_matrices(tensor: &Tensor) -> Verdict {
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
pub fn triangular_solve(op: Op) -> Verdict {
    let (a, b, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
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
    let transpose = op.required("transpose_a", Transpose::from_attribute)?;
    if transpose == Transpose::Invalid {
        return Err(format!("attribute 'transpose_a' is {transpose}"));
    }
    expect_same_type((result.subject, result.r#type), (b.subject, b.r#type))
}

/// Section `fft`: (C1) to (C5).
pub fn fft(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let kind = op.required("fft_type", FftType::from_attribute)?;
    let lengths = op.integers("fft_length")?;
    let count = lengths.len();
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
    let real_input = kind == FftType::Rfft;
    if is_complex(operand.element) == real_input {
        return Err(format!(
            "operand 0 has element type {}, which {kind} does not transform",
            operand.element
        ));
    }
    let part = real_type(operand.element);
    if !matches!(float_kind(part), Some(FloatKind::F32 | FloatKind::F64)) {
        return Err(format!(
            "operand 0 has element type {}, but {kind} transforms f32 and f64 only",
            operand.element
        ));
    }
    let element = match kind {
        FftType::Rfft => complex_type(operand.element),
        FftType::Irfft => part,
        FftType::Fft | FftType::Ifft => operand.element,
    };
    let first = operand.rank() - count;
    let mut shape = operand.dims.clone();
    // The dimension that loses the redundant half is the last one.
    let halved = |length: i64| if length == 0 { 0 } else { length / 2 + 1 };
    for (index, length) in lengths.iter().enumerate() {
        let last = index + 1 == count;
        let expected = match kind {
            FftType::Irfft if last => halved(*length),
            FftType::Fft | FftType::Ifft => continue,
            FftType::Rfft | FftType::Irfft => *length,
        };
        let dim = operand.dims[first + index];
        if !dim.agrees_with(Dim::Static(expected)) {
            return Err(format!(
                "dimension {} of operand 0 has size {dim}, but 'fft_length' implies {expected}",
                first + index
            ));
        }
        if last {
            shape[first + index] = match kind {
                FftType::Rfft => dim.map(halved),
                _ => Dim::Static(*length),
            };
        }
    }
    result.expect_element(element, &format!("{kind} of operand 0 has"))?;
    result.expect_inferred_shape(&shape)
}

/// The sizes of the three batch normalizations: `feature_index` is a dimension
/// of the operand, and each vector has one entry for each of its indices.
/// Sections `batch_norm_grad`, (C1), (C3) to (C5); `batch_norm_inference`, (C1),
/// (C3) to (C7); `batch_norm_training`, (C1), (C3) to (C7). Element types are in
/// ODS.
pub fn batch_norm(op: Op) -> Verdict {
    let operand = op.operand(0)?;
    let feature = op.integer("feature_index")?;
    expect_dimensions("feature_index", &[feature], operand.rank(), "operand 0")?;
    let size = operand.dims[feature as usize];
    let operands = (1..op.operand_count()).map(|number| op.operand(number));
    let results = (0..op.result_count()).map(|number| op.result(number));
    for (position, tensor) in operands.chain(results).enumerate() {
        let tensor = tensor?;
        // The whole tensors are the first result and the gradient of the output.
        let whole = tensor.subject == Subject::Result(0)
            || (op.result_count() == 3 && op.operand_count() == 5 && position == 3);
        if whole {
            tensor.expect_shape_of(&operand)?;
        } else {
            tensor.expect_shape(&[size], "the feature dimension of operand 0 implies")?;
        }
    }
    Ok(())
}
