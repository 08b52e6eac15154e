//! Products, convolutions, factorizations and transforms.

use super::{
    elementwise::converted,
    failure::{Failure, failure},
    instruction::Instruction,
    reduction::{along_window, window, window_padding},
    values::Tree,
};
use halo_core::{ElementType, element_type::Class};
use halo_hlo_text::{Value as AttributeValue, WindowDimension};
use halo_ir::stablehlo::attributes::{
    ConvDimensionNumbers, DotAlgorithm, DotDimensionNumbers, FftType, Precision,
    RaggedDotDimensionNumbers, Transpose,
};
use halo_ir::{
    Type, Value,
    ops::{chlo, stablehlo},
};

/// The precision of each operand of a product.
fn precisions(i: &Instruction) -> Result<Vec<Precision>, Failure> {
    let words = match i.attribute("operand_precision") {
        None => return Ok(vec![Precision::Default; 2]),
        Some(AttributeValue::Words(words)) => words,
        Some(_) => return Err(failure("attribute 'operand_precision' must be words")),
    };
    let cases = [Precision::Default, Precision::High, Precision::Highest];
    let precision = |word: &String| {
        let found = cases.into_iter().find(|it| it.as_str().eq_ignore_ascii_case(word));
        found.ok_or_else(|| failure(format!("there is no precision '{word}'")))
    };
    words.iter().map(precision).collect()
}

/// `dot`. A product of matrices and vectors in the usual order is `dot`, all others are
/// `dot_general`. Products with sparse operands become custom calls.
pub fn dot<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    if i.source.attributes.get("sparsity").is_some() || i.operands.len() != 2 {
        return super::attributes::as_custom_call(i);
    }
    let numbers = DotDimensionNumbers {
        lhs_batching_dimensions: i.integers("lhs_batch_dims")?,
        rhs_batching_dimensions: i.integers("rhs_batch_dims")?,
        lhs_contracting_dimensions: i.integers("lhs_contracting_dims")?,
        rhs_contracting_dimensions: i.integers("rhs_contracting_dims")?,
    };
    let algorithm = algorithm(i)?;
    let ranks = (
        i.operand_array(0)?.dimensions.len(),
        i.operand_array(1)?.dimensions.len(),
    );
    let usual = DotDimensionNumbers {
        lhs_batching_dimensions: Vec::new(),
        rhs_batching_dimensions: Vec::new(),
        lhs_contracting_dimensions: vec![if ranks.0 == 1 { 0 } else { 1 }],
        rhs_contracting_dimensions: vec![0],
    };
    let simple = numbers == usual && ranks.0 <= 2 && ranks.1 <= 2 && algorithm.is_none();
    let [lhs, rhs] = i.fixed()?;
    let (precisions, ty) = (precisions(i)?, i.result_type()?);
    if simple {
        let op = stablehlo::DotOp::build(&i.builder, lhs, rhs, ty);
        return i.one(op.precision_config(&precisions));
    }
    let op = stablehlo::DotGeneralOp::build(&i.builder, lhs, rhs, &numbers, ty)
        .precision_config(&precisions)
        .maybe(algorithm, |op, algorithm| op.algorithm(algorithm));
    i.one(op)
}

/// The arithmetic that a name such as `dot_bf16_bf16_f32_x3` specifies.
fn algorithm<'m>(i: &Instruction<'_, 'm>) -> Result<Option<DotAlgorithm<'m>>, Failure> {
    // StableHLO cannot express this; it is kept as a discardable attribute.
    if let Some(AttributeValue::Word(name)) = i.source.attributes.get("algorithm")
        && name.starts_with("dot_any_f8_any_f8_any")
    {
        return Ok(None);
    }
    let Some(name) = i.word("algorithm")? else {
        return Ok(None);
    };
    let (operand, accumulation, steps, imprecise) = match name {
        "dot_unset" => return Ok(None),
        "dot_any_f8_any_f8_f32" => ("f8E5M2", "f32", 1, false),
        "dot_any_f8_any_f8_f32_fast_accum" => ("f8E5M2", "f32", 1, true),
        "dot_f16_f16_f16" => ("f16", "f16", 1, false),
        "dot_f16_f16_f32" => ("f16", "f32", 1, false),
        "dot_bf16_bf16_bf16" => ("bf16", "bf16", 1, false),
        "dot_bf16_bf16_f32" => ("bf16", "f32", 1, false),
        "dot_bf16_bf16_f32_x3" => ("bf16", "f32", 3, false),
        "dot_bf16_bf16_f32_x6" => ("bf16", "f32", 6, false),
        "dot_bf16_bf16_f32_x9" => ("bf16", "f32", 9, false),
        "dot_tf32_tf32_f32" => ("tf32", "f32", 1, false),
        "dot_tf32_tf32_f32_x3" => ("tf32", "f32", 3, false),
        "dot_f32_f32_f32" => ("f32", "f32", 1, false),
        "dot_f64_f64_f64" => ("f64", "f64", 1, false),
        _ => return Err(failure(format!("there is no algorithm '{name}'"))),
    };
    let context = i.importer.context;
    let parse = |name: &str| {
        let found = Type::parse(context, name);
        found.ok_or_else(|| failure(format!("there is no type {name}")))
    };
    let operand = parse(operand)?;
    let algorithm = DotAlgorithm {
        lhs_precision_type: operand,
        rhs_precision_type: operand,
        accumulation_type: parse(accumulation)?,
        lhs_component_count: 1,
        rhs_component_count: 1,
        num_primitive_operations: steps,
        allow_imprecise_accumulation: imprecise,
    };
    match algorithm.to_attribute(context) {
        Some(_) => Ok(Some(algorithm)),
        None => Err(failure(format!("'{name}' is not an algorithm here"))),
    }
}

/// `ragged-dot`
pub fn ragged_dot<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let numbers = RaggedDotDimensionNumbers {
        lhs_batching_dimensions: i.integers("lhs_batch_dims")?,
        rhs_batching_dimensions: i.integers("rhs_batch_dims")?,
        lhs_contracting_dimensions: i.integers("lhs_contracting_dims")?,
        rhs_contracting_dimensions: i.integers("rhs_contracting_dims")?,
        lhs_ragged_dimensions: i.integers("lhs_ragged_dims")?,
        rhs_group_dimensions: i.integers("rhs_group_dims")?,
    };
    let [lhs, rhs, sizes] = i.fixed()?;
    let precisions = precisions(i)?;
    let ty = i.result_type()?;
    let op = chlo::RaggedDotOp::build(&i.builder, lhs, rhs, sizes, &numbers, ty);
    i.one(op.precision_config(&precisions))
}

/// `convolution`
pub fn convolution<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    if i.operands.len() != 2 {
        return super::attributes::as_custom_call(i);
    }
    let Some(AttributeValue::ConvolutionDimensionNumbers(labels)) = i.attribute("dim_labels")
    else {
        return Err(i.missing("dim_labels"));
    };
    let numbers = ConvDimensionNumbers {
        input_batch_dimension: labels.input_batch,
        input_feature_dimension: labels.input_feature,
        input_spatial_dimensions: labels.input_spatial.clone(),
        kernel_input_feature_dimension: labels.kernel_input_feature,
        kernel_output_feature_dimension: labels.kernel_output_feature,
        kernel_spatial_dimensions: labels.kernel_spatial.clone(),
        output_batch_dimension: labels.output_batch,
        output_feature_dimension: labels.output_feature,
        output_spatial_dimensions: labels.output_spatial.clone(),
    };
    let mut window = window(i)?;
    if window.dimensions.is_empty() {
        let kernel = super::types::static_sizes(i.operand_array(1)?).unwrap_or_default();
        let size = |dimension: &i64| {
            let index = usize::try_from(*dimension).ok();
            index.and_then(|it| kernel.get(it)).copied().unwrap_or(1)
        };
        let dimension = |dimension| WindowDimension {
            size: size(dimension),
            ..WindowDimension::default()
        };
        window.dimensions = labels.kernel_spatial.iter().map(dimension).collect();
    }
    let reversal = window.dimensions.iter().map(|it| it.window_reversal);
    let reversal: Vec<bool> = reversal.collect();
    let [lhs, rhs] = same_elements(i)?;
    let op = stablehlo::ConvolutionOp::build(
        &i.builder,
        lhs,
        rhs,
        &numbers,
        i.integer("feature_group_count")?.unwrap_or(1),
        i.integer("batch_group_count")?.unwrap_or(1),
        i.result_type()?,
    );
    let op = op
        .window_strides(&along_window(&window, |it| it.stride))
        .padding(window_padding(i, &window)?)
        .lhs_dilation(&along_window(&window, |it| it.base_dilation))
        .rhs_dilation(&along_window(&window, |it| it.window_dilation))
        .window_reversal(&reversal)
        .precision_config(&precisions(i)?);
    i.one(op)
}

/// The operands of a convolution, both converted to the element type that represents the values of
/// both.
fn same_elements<'m>(i: &Instruction<'_, 'm>) -> Result<[Value<'m>; 2], Failure> {
    let (lhs, rhs) = (i.value(0)?, i.value(1)?);
    let (left, right) = (i.operand_array(0)?, i.operand_array(1)?);
    let (one, other) = (left.element_type, right.element_type);
    if one == other {
        return Ok([lhs, rhs]);
    }
    if holds(other, one) {
        let element = i.importer.element_type(other)?;
        return Ok([converted(i, lhs, element)?, rhs]);
    }
    if holds(one, other) {
        let element = i.importer.element_type(one)?;
        return Ok([lhs, converted(i, rhs, element)?]);
    }
    let shapes = (i.operand_shape(0)?, i.operand_shape(1)?);
    Err(failure(format!(
        "a convolution has operands of one element type, and those of {} and {} cannot be \
         converted",
        shapes.0, shapes.1
    )))
}

/// Returns true if an element type represents every value of another.
fn holds(wide: ElementType, narrow: ElementType) -> bool {
    let bits = |element: ElementType| element.bit_width();
    match (wide.class(), narrow.class()) {
        (Class::Boolean, _) => narrow == wide,
        // It has no zero.
        (_, Class::Boolean) => wide != ElementType::F8E8M0FNU,
        (Class::Signed, Class::Signed) | (Class::Unsigned, Class::Unsigned) => {
            bits(wide) >= bits(narrow)
        }
        (Class::Signed, Class::Unsigned) => bits(wide) > bits(narrow),
        (Class::Float | Class::Complex, Class::Signed | Class::Unsigned) => {
            integer_digits(wide) >= bits(narrow) as i32
        }
        (Class::Float, Class::Float) | (Class::Complex, Class::Complex | Class::Float) => {
            wider_float(wide, narrow)
        }
        _ => false,
    }
}

/// The number of integer bits that a float or a component of a complex number represents exactly.
fn integer_digits(element: ElementType) -> i32 {
    match element {
        ElementType::F64 | ElementType::Complex128 => 53,
        ElementType::F32 | ElementType::Complex64 => 24,
        ElementType::F16 => 11,
        ElementType::BF16 => 8,
        _ => 0,
    }
}

fn wider_float(wide: ElementType, narrow: ElementType) -> bool {
    use ElementType as E;
    if wide == narrow {
        return true;
    }
    match wide {
        E::F64 | E::Complex128 => true,
        E::F32 => !matches!(narrow, E::F64),
        E::Complex64 => !matches!(narrow, E::F64 | E::Complex128),
        E::BF16 => narrow.bit_width() <= 8,
        E::F16 => narrow.bit_width() <= 8 && narrow != E::F8E8M0FNU,
        _ => false,
    }
}

/// `cholesky`
pub fn cholesky<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let [value] = i.fixed()?;
    let op = stablehlo::CholeskyOp::build(&i.builder, value).lower(i.boolean("lower")?);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `triangular-solve`
pub fn triangular_solve<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let word = i.word("transpose_a")?.unwrap_or("NO_TRANSPOSE");
    let transpose = [
        Transpose::NoTranspose,
        Transpose::Transpose,
        Transpose::Adjoint,
    ]
    .into_iter()
    .find(|it| it.as_str() == word)
    .ok_or_else(|| failure(format!("there is no transposition '{word}'")))?;
    let [a, b] = i.fixed()?;
    let op = stablehlo::TriangularSolveOp::build(
        &i.builder,
        a,
        b,
        i.boolean("left_side")?,
        i.boolean("lower")?,
        i.boolean("unit_diagonal")?,
        transpose,
    );
    i.one(op.result_types(&[i.result_type()?]))
}

/// `fft`
pub fn fft<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let word = i.word("fft_type")?.ok_or_else(|| i.missing("fft_type"))?;
    let kind = [FftType::Fft, FftType::Ifft, FftType::Rfft, FftType::Irfft]
        .into_iter()
        .find(|it| it.as_str() == word)
        .ok_or_else(|| failure(format!("there is no transform '{word}'")))?;
    let lengths = i.integers("fft_length")?;
    let [value] = i.fixed()?;
    let op = stablehlo::FftOp::build(&i.builder, value, kind, &lengths);
    i.one(op.result_types(&[i.result_type()?]))
}
