//! The element types that sums are computed in.

use super::{addition, product};
use crate::matchers::{ensure, is_sum, static_shape};
use halo_ir::prelude::*;

/// `reduce(x)` -> `stablehlo::convert_elements(reduce(stablehlo::convert_elements(x)))`, for sums of floats of fewer than 32 bits: 256
/// ones are the largest sum of ones that bf16 holds.
pub fn widen_reduce<'c>(b: &Builder<'c>, op: stablehlo::ReduceOp<'c>) -> RewriteResult {
    let (x, init) = summed(op.operation(), &op.inputs(), &op.init_values())?;
    ensure_narrow(x)?;
    let wide = Type::float32(b.context());
    let (x, init) = (
        stablehlo::convert_elements(b, x, wide),
        stablehlo::convert_elements(b, init, wide),
    );
    let sum = stablehlo::reduce(b, &[x], &[init], &op.dimensions(), |b, sum, element| {
        vec![stablehlo::add(b, sum[0], element[0])]
    });
    replace(b, op.operation(), sum.results()[0])
}

/// The same for windows.
pub fn widen_window<'c>(b: &Builder<'c>, op: stablehlo::ReduceWindowOp<'c>) -> RewriteResult {
    let (x, init) = summed(op.operation(), &op.inputs(), &op.init_values())?;
    ensure_narrow(x)?;
    let wide = Type::float32(b.context());
    let body = addition(b, tensor_type(&[], wide))?;
    let (x, init) = (
        stablehlo::convert_elements(b, x, wide),
        stablehlo::convert_elements(b, init, wide),
    );
    let sums = stablehlo::ReduceWindowOp::build(b, &[x], &[init], &op.window_dimensions(), body)
        .maybe(op.window_strides(), |new, value| new.window_strides(&value))
        .maybe(op.base_dilations(), |new, value| new.base_dilations(&value))
        .maybe(op.window_dilations(), |new, value| {
            new.window_dilations(&value)
        })
        .maybe(op.padding(), |new, value| new.padding(value))
        .insert();
    replace(b, op.operation(), sums.results()[0])
}

/// `reduce(x)` -> `complex(reduce(real(x), imag(x)))`, for long sums of complex numbers.
pub fn split_complex<'c>(b: &Builder<'c>, op: stablehlo::ReduceOp<'c>) -> RewriteResult {
    let (x, init) = summed(op.operation(), &op.inputs(), &op.init_values())?;
    ensure(
        x.ty().element_type().complex_element().is_some(),
        "its elements are not complex",
    )?;
    let sizes = static_shape(x.ty())?;
    let terms = product(op.dimensions().iter().map(|dim| sizes[*dim as usize]));
    ensure(terms > SHORT, "it is short")?;
    let parts = |value: Value<'c>| [stablehlo::real(b, value), stablehlo::imag(b, value)];
    let (x, init) = (parts(x), parts(init));
    let sums = stablehlo::reduce(b, &x, &init, &op.dimensions(), |b, sums, elements| {
        let pairs = sums.iter().zip(elements);
        pairs
            .map(|(sum, element)| stablehlo::add(b, *sum, *element))
            .collect::<Vec<_>>()
    });
    let [real, imaginary] = [sums.results()[0], sums.results()[1]];
    b.replace(op.operation(), &[stablehlo::complex(b, real, imaginary)]);
    Ok(())
}

/// The maximum number of complex terms that are added sequentially.
const SHORT: i64 = 512;

/// The operand and the initial value of a sum.
fn summed<'c>(
    op: Operation<'c>,
    inputs: &[Value<'c>],
    init_values: &[Value<'c>],
) -> RewriteResult<(Value<'c>, Value<'c>)> {
    let ([x], [init]) = (inputs, init_values) else {
        return Err(no_match("it has several operands"));
    };
    let element = x.ty().element_type();
    let is_sum_of_elements = |body: Block| {
        let mut arguments = body.arguments().into_iter();
        is_sum(body) && arguments.all(|argument| argument.ty().element_type() == element)
    };
    ensure(op.body(0).is_some_and(is_sum_of_elements), "it is no sum")?;
    Ok((*x, *init))
}

fn ensure_narrow(x: Value) -> RewriteResult {
    let element = x.ty().element_type();
    let is_narrow = element.is_float() && element.bit_width().is_some_and(|bits| bits < 32);
    ensure(is_narrow, "its elements are not narrow")
}

/// Replaces a sum by one of another element type.
fn replace<'c>(b: &Builder<'c>, op: Operation<'c>, sum: Value<'c>) -> RewriteResult {
    let element = op.results()[0].ty().element_type();
    let sum = stablehlo::convert_elements(b, sum, element);
    b.replace_merged(op, sum)
}
