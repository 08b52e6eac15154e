//! `--stablehlo-legalize-quant-to-math`: lowers quantized tensors to their stored integers.
//!
//! Products and convolutions use the stored integers, accumulated in 32 bits or in floats
//! (`products.rs`), and so do sums, maxima and similar ops of one type. Other ops that compute use
//! the expressed values, as specified; quantizing and dequantizing become arithmetic, with CHLO's
//! broadcasts for scales and zero points; ops that move elements move the stored integers.
//! Signatures change: an unsigned storage type becomes an unsigned integer. No quantized types
//! remain after this pass.
//!
//! ```mlir
//! %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %scale = stablehlo.constant dense<5.0e-01> : tensor<f32>
//! %zero = stablehlo.constant dense<3.0> : tensor<f32>
//! %min = stablehlo.constant dense<-128.0> : tensor<f32>
//! %max = stablehlo.constant dense<127.0> : tensor<f32>
//! %0 = chlo.broadcast_divide %a, %scale : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
//! %1 = chlo.broadcast_add %0, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
//! %2 = stablehlo.clamp %min, %1, %max : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
//! %3 = stablehlo.round_nearest_even %2 : tensor<4xf32>
//! %4 = stablehlo.convert %3 : (tensor<4xf32>) -> tensor<4xi8>
//! ```

mod products;
mod window;

use crate::{
    matchers::result_type,
    semantics::quantization::Quantized,
    transforms::quantization::quantized_ops::{self, expand, expressed_type},
};
use halo_ir::{apply_in_place, i64_array_attribute, prelude::*, type_attribute};
use melior::ir::{attribute::TypeAttribute, r#type::IntegerType};
use products::Sums;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The accumulation type of products: integers, floats, which some backends compute faster, or integers for matrices only
        products: Sums = "integers",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-legalize-quant-to-math",
    "Express quantized tensors and ops by arithmetic on stored integers",
    run,
)
.dependent_dialects(&["chlo", "stablehlo"])
.options::<Options>();

/// Products, on stored integers if possible.
fn products(sums: Sums) -> Vec<Pattern<'static>> {
    let dot = |name| {
        Pattern::named(name, move |b, op| {
            or_expand(b, op, products::dot(b, op, sums.of_matrices()))
        })
    };
    vec![
        Pattern::new::<stablehlo::ConvolutionOp>(move |b, op| {
            let sums = sums.of_convolution(op);
            or_expand(b, op.operation(), products::convolution(b, op, sums))
        }),
        dot(stablehlo::DotOp::NAME),
        dot(stablehlo::DotGeneralOp::NAME),
    ]
}

/// Ops that compute and are not in [`quantized_ops::OPS`], or compute on stored integers if
/// possible.
fn computations() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::AddOp>(add),
        Pattern::named(stablehlo::ClampOp::NAME, choose),
        Pattern::named(stablehlo::DynamicConvOp::NAME, expand),
        Pattern::named(stablehlo::FftOp::NAME, expand),
        Pattern::named(stablehlo::IotaOp::NAME, expand),
        Pattern::named(stablehlo::IsFiniteOp::NAME, expand),
        Pattern::named(stablehlo::MaxOp::NAME, choose),
        Pattern::named(stablehlo::MinOp::NAME, choose),
        Pattern::named(stablehlo::SelectOp::NAME, choose),
    ]
}

fn conversions() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::UniformDequantizeOp>(dequantize),
        Pattern::new::<stablehlo::UniformQuantizeOp>(quantize),
    ]
}

/// Casts between a quantized value and its stored integers, until all types are converted.
fn cast<'c>(b: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
    builtin::UnrealizedConversionCastOp::build(b, &[value], &[ty]).value()
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let sums = pass.options::<Options>().products;
    let root = pass.operation();
    let context = root.context();
    let operations = root.collect_nested(|_| true);
    if !is_quantized(context, root) && !operations.iter().any(|op| is_quantized(context, *op)) {
        return Ok(());
    }
    apply_in_place(pass, &products(sums))?;
    let mut patterns = computations();
    let names: Vec<String> = patterns.iter().map(|pattern| pattern.root().to_owned()).collect();
    let is_expanded = |name: &str| names.iter().all(|other| other != name);
    let expanded = quantized_ops::OPS.iter().copied().filter(|name| is_expanded(name));
    patterns.extend(expanded.map(|name| Pattern::named(name, expand)));
    apply_in_place(pass, &patterns)?;
    apply_in_place(pass, &conversions())?;
    let root = pass.operation();
    let context = root.context();
    convert_types(context, root);
    let operations = root.collect_nested(|_| true);
    for op in &operations {
        convert_types(context, *op);
    }
    for op in operations.into_iter().rev() {
        let (operands, results) = (op.operands(), op.results());
        if op.isa::<builtin::UnrealizedConversionCastOp>()
            && operands.len() == results.len()
            && operands
                .iter()
                .zip(&results)
                .all(|(operand, result)| operand.ty() == result.ty())
        {
            with_builder(op, |b| b.replace(op, &operands));
        }
    }
    Ok(())
}

/// Returns true if values or the signature of an op are quantized.
fn is_quantized(context: &Context, op: Operation) -> bool {
    let differs = |ty| stored_type(context, ty) != ty;
    op.results().iter().any(|result| differs(result.ty()))
        || op
            .blocks()
            .into_iter()
            .flat_map(Block::arguments)
            .any(|argument| differs(argument.ty()))
        || function_type(op).is_some_and(differs)
}

fn function_type(op: Operation<'_>) -> Option<Type<'_>> {
    let attribute = op.attribute("function_type")?;
    Some(attribute.cast::<TypeAttribute>()?.value())
}

/// The integer type of stored elements, with explicit signedness.
fn storage<'c>(context: &'c Context, quantized: Quantized<'c>) -> Type<'c> {
    if quantized.is_signed() {
        integer_type(context, quantized.storage_width())
    } else {
        IntegerType::unsigned(context, quantized.storage_width()).into()
    }
}

/// The type with quantized elements replaced by the integers that store them.
fn stored_type<'c>(context: &'c Context, ty: Type<'c>) -> Type<'c> {
    ty.map_elements(context, &|element| {
        Quantized::of(element).map(|quantized| storage(context, quantized))
    })
}

fn convert_types<'c>(context: &'c Context, op: Operation<'c>) {
    for result in op.results() {
        result.set_type(stored_type(context, result.ty()));
    }
    for argument in op.blocks().into_iter().flat_map(Block::arguments) {
        argument.set_type(stored_type(context, argument.ty()));
    }
    if let Some(function) = function_type(op) {
        let converted = type_attribute(stored_type(context, function));
        op.set_attribute("function_type", converted);
    }
    // The attribute of a quantized constant has a separate type.
    if let Some(constant) = op.cast::<stablehlo::ConstantOp>()
        && let (value, ty) = (constant.value(), constant.output().ty())
        && value.ty() != ty
        && let Some(converted) = stored_elements(value, ty)
    {
        constant.set_value(converted);
    }
}

fn stored_elements<'c>(value: Attribute<'c>, ty: Type<'c>) -> Option<Attribute<'c>> {
    value.ty().element_type().integer_width()?;
    value.bitcast_dense(ty)
}

/// Expands an op that has no form on stored integers.
fn or_expand<'c>(b: &Builder<'c>, op: Operation<'c>, result: RewriteResult) -> RewriteResult {
    match result {
        Err(error) if error.is_no_match() => expand(b, op),
        result => result,
    }
}

/// The common quantization of all values of an op.
fn common<'c>(values: &[Value<'c>], result: Type<'c>) -> Option<Parameters<'c>> {
    let element = result.element_type();
    values
        .iter()
        .all(|value| value.ty().element_type() == element)
        .then(|| Parameters::of(result).ok())?
}

/// Ops that return one of their operands, such as the larger one: with a common quantization they
/// work on stored integers, which have the same order.
fn choose<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let values: Vec<Value> = op
        .operands()
        .into_iter()
        .skip(usize::from(op.isa::<stablehlo::SelectOp>()))
        .collect();
    match common(&values, result_type(op)?) {
        Some(_) => Err(RewriteError::NoMatch),
        None => expand(b, op),
    }
}

/// `lhs + rhs - zero_point`, clamped to the storage range.
fn add<'c>(b: &Builder<'c>, op: stablehlo::AddOp<'c>) -> RewriteResult {
    let (operands, result) = ([op.lhs(), op.rhs()], op.result().ty());
    let Some(parameters) = common(&operands, result) else {
        return expand(b, op.operation());
    };
    let width = if parameters.quantized.storage_width() < 32 {
        32
    } else {
        64
    };
    let wide = integer_type(b.context(), width);
    let term = |operand: Value<'c>| {
        let stored = cast(b, operand, stored_type(b.context(), operand.ty()));
        stablehlo::convert_elements(b, stored, wide)
    };
    let mut sum = chlo::BroadcastAddOp::build(b, term(op.lhs()), term(op.rhs()))
        .result_types(&[result.with_element_type(wide)])
        .value();
    if !parameters.quantized.is_symmetric() {
        let zero = stablehlo::integers(b, parameters.shaped(wide), &parameters.zero_points())?;
        sum = parameters.apply::<chlo::BroadcastSubOp>(b, sum, zero)?;
    }
    let (minimum, maximum) = parameters.quantized.range();
    let scalar = tensor_type(&[], wide);
    let minimum = stablehlo::integers(b, scalar, &[minimum])?;
    let maximum = stablehlo::integers(b, scalar, &[maximum])?;
    let sum = stablehlo::clamp(b, minimum, sum, maximum);
    let stored = stablehlo::convert_elements(b, sum, storage(b.context(), parameters.quantized));
    let value = cast(b, stored, result);
    b.replace(op.operation(), &[value]);
    Ok(())
}

/// Scales, zero points and their dimension.
struct Parameters<'c> {
    quantized: Quantized<'c>,
    axis: Option<i64>,
}

impl<'c> Parameters<'c> {
    fn of(ty: Type<'c>) -> RewriteResult<Self> {
        let quantized = Quantized::of(ty.element_type())
            .ok_or_else(|| no_match("the element type is not quantized"))?;
        Ok(Self {
            quantized,
            axis: quantized.axis(),
        })
    }

    /// A scalar, or a vector with one number per slice.
    fn shaped(&self, element: Type<'c>) -> Type<'c> {
        match self.axis {
            Some(_) => tensor_type(&[self.quantized.scale_count() as i64], element),
            None => tensor_type(&[], element),
        }
    }

    fn scales(&self, b: &Builder<'c>, element: Type<'c>) -> RewriteResult<Value<'c>> {
        let numbers: Vec<f64> = (0..self.quantized.scale_count())
            .map(|number| self.quantized.parameters(number).0)
            .collect();
        stablehlo::floats(b, self.shaped(element), &numbers)
    }

    fn zero_points(&self) -> Vec<i64> {
        (0..self.quantized.scale_count())
            .map(|number| self.quantized.parameters(number).1)
            .collect()
    }

    /// An op of a tensor and a broadcast parameter.
    fn apply<O: Op<'c>>(
        &self,
        b: &Builder<'c>,
        tensor: Value<'c>,
        parameter: Value<'c>,
    ) -> RewriteResult<Value<'c>> {
        broadcast::<O>(b, tensor, parameter, self.axis.as_slice())
    }
}

/// A CHLO op of a tensor and a smaller one, which is broadcast along dimensions of the former.
fn broadcast<'c, O: Op<'c>>(
    b: &Builder<'c>,
    tensor: Value<'c>,
    small: Value<'c>,
    dimensions: &[i64],
) -> RewriteResult<Value<'c>> {
    let mut spec = b.op(O::NAME).operands(&[tensor, small]).result(tensor.ty());
    if small.ty().shape().is_some_and(|shape| !shape.is_empty()) {
        let dimensions = i64_array_attribute(b.context(), dimensions);
        spec = spec.attribute("broadcast_dimensions", dimensions);
    }
    Ok(spec.value())
}

/// `(stored - zero_point) * scale`, with the difference in wider integers.
fn dequantize<'c>(b: &Builder<'c>, op: stablehlo::UniformDequantizeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let value = numbers(b, operand)?;
    let result = op.result().ty();
    let value = stablehlo::convert_elements(b, value, result.element_type());
    b.replace(op.operation(), &[value]);
    Ok(())
}

/// The numbers that a quantized value represents.
fn numbers<'c>(b: &Builder<'c>, operand: Value<'c>) -> RewriteResult<Value<'c>> {
    let parameters = Parameters::of(operand.ty())?;
    let expressed = parameters.quantized.expressed();
    let stored = cast(b, operand, stored_type(b.context(), operand.ty()));
    // 32-bit stored integers need an additional sign bit.
    let element = stored.ty().element_type();
    let narrow = element.integer_width().is_some_and(|width| width < 32)
        || !element.is_unsigned() && parameters.quantized.is_symmetric();
    let wide = integer_type(b.context(), if narrow { 32 } else { 64 });
    let scales = parameters.scales(b, expressed)?;
    let zero = stablehlo::integers(b, parameters.shaped(wide), &parameters.zero_points())?;
    let value = stablehlo::convert_elements(b, stored, wide);
    let value = parameters.apply::<chlo::BroadcastSubOp>(b, value, zero)?;
    let value = stablehlo::convert_elements(b, value, expressed);
    parameters.apply::<chlo::BroadcastMulOp>(b, value, scales)
}

/// `clamp(x / scale + zero_point)`, rounded to even.
fn quantize<'c>(b: &Builder<'c>, op: stablehlo::UniformQuantizeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let result = op.result().ty();
    let parameters = Parameters::of(result)?;
    let expressed = parameters.quantized.expressed();
    let value = if expressed_type(operand.ty()).is_some() {
        numbers(b, operand)?
    } else {
        operand
    };
    let value = stablehlo::convert_elements(b, value, expressed);
    let scales = parameters.scales(b, expressed)?;
    let zero: Vec<f64> = parameters.zero_points().into_iter().map(|number| number as f64).collect();
    let zero = stablehlo::floats(b, parameters.shaped(expressed), &zero)?;
    let (minimum, maximum) = parameters.quantized.range();
    let scalar = tensor_type(&[], expressed);
    let minimum = stablehlo::number(b, scalar, minimum as f64)?;
    let maximum = stablehlo::number(b, scalar, maximum as f64)?;
    let value = parameters.apply::<chlo::BroadcastDivOp>(b, value, scales)?;
    let value = parameters.apply::<chlo::BroadcastAddOp>(b, value, zero)?;
    let value = stablehlo::clamp(b, minimum, value, maximum);
    let value = stablehlo::round_nearest_even(b, value);
    let element = storage(b.context(), parameters.quantized);
    let value = stablehlo::convert_elements(b, value, element);
    // The result may have more or fewer static sizes than the operand.
    let stored = result.with_element_type(element);
    let value = if value.ty() == stored {
        value
    } else {
        stablehlo::convert(b, value, stored)
    };
    let value = cast(b, value, result);
    b.replace(op.operation(), &[value]);
    Ok(())
}
