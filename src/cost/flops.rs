//! Operation counts of ops.
//!
//! A kernel is measured by the operations of its program, not by the operations that its code
//! executes, so that computing a value twice does not increase its rate. The numbers follow the
//! formulas of StableHLO's specification; a product of `m x k` and `k x n` matrices has `2 m n k`
//! operations.

use halo_ir::prelude::*;

/// Arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flops {
    /// Additions, multiplications and similar operations on real numbers: a product of complex
    /// numbers is six. Integers count as well.
    pub arithmetic: u64,
    /// Elementary functions, such as an exponential or a square root.
    pub transcendental: u64,
}

impl Flops {
    fn arithmetic(count: u64) -> Self {
        Self {
            arithmetic: count,
            transcendental: 0,
        }
    }

    fn transcendental(count: u64) -> Self {
        Self {
            arithmetic: 0,
            transcendental: count,
        }
    }

    fn times(self, count: u64) -> Self {
        Self {
            arithmetic: self.arithmetic.saturating_mul(count),
            transcendental: self.transcendental.saturating_mul(count),
        }
    }
}

impl std::ops::Add for Flops {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            arithmetic: self.arithmetic.saturating_add(other.arithmetic),
            transcendental: self.transcendental.saturating_add(other.transcendental),
        }
    }
}

/// The arithmetic of one execution of an op of StableHLO or CHLO. It is zero for dynamic sizes, for
/// ops that only move or compare elements, for calls, and for control flow ops, whose regions are
/// counted separately.
pub fn flops(op: Operation) -> Flops {
    let result = op.results().first().map(|result| result.ty());
    let operand = |number: usize| op.operands().get(number).map(|value| value.ty());
    let (Some(result), Some(first)) = (result, operand(0)) else {
        return Flops::default();
    };
    if let Some(dot) = op.cast::<stablehlo::DotGeneralOp>() {
        let numbers = dot.dot_dimension_numbers();
        let depth = product(first, &numbers.lhs_contracting_dimensions);
        return sum_of_products(result, depth);
    }
    if op.isa::<stablehlo::DotOp>() {
        let last = first.static_shape().and_then(|shape| shape.last().copied());
        return sum_of_products(result, last.and_then(|last| u64::try_from(last).ok()));
    }
    if let Some(convolution) = op.cast::<stablehlo::ConvolutionOp>() {
        // An element of the result is a sum over the window and the input features of its group:
        // all dimensions of the kernel except its output features.
        let features = convolution.dimension_numbers().kernel_output_feature_dimension;
        let kernel = operand(1);
        let features = kernel.and_then(|kernel| product(kernel, &[features]));
        let depth = kernel.and_then(elements).zip(features);
        let depth = depth.and_then(|(all, features)| all.checked_div(features));
        return sum_of_products(result, depth);
    }
    if op.isa::<stablehlo::ReduceOp>() || op.isa::<stablehlo::MapOp>() {
        return body(op).times(elements(first).unwrap_or(0));
    }
    if let Some(windows) = op.cast::<stablehlo::ReduceWindowOp>() {
        let window = windows.window_dimensions();
        let window = window.iter().map(|size| u64::try_from(*size).unwrap_or(0));
        return body(op).times(elements(result).unwrap_or(0).saturating_mul(window.product()));
    }
    if op.isa::<stablehlo::ScatterOp>() {
        // Inputs, indices, updates.
        let updates = op.operands().last().map(|value| value.ty());
        return body(op).times(updates.and_then(elements).unwrap_or(0));
    }
    if op.isa::<stablehlo::SelectAndScatterOp>() {
        let sources = operand(1).and_then(elements).unwrap_or(0);
        return body(op).times(sources);
    }
    if op.isa::<stablehlo::FftOp>() {
        // The customary figure of 5 n log2(n) for a complex transform of length n, half of it
        // for a real one.
        let length = first.static_shape().and_then(|shape| shape.last().copied());
        let stages = f64::from(u32::try_from(length.unwrap_or(1)).unwrap_or(1).max(1)).log2();
        let count = elements(first).unwrap_or(0) as f64;
        let of_complex = match first.element_type().complex_element() {
            Some(_) => 5.0,
            None => 2.5,
        };
        return Flops::arithmetic((of_complex * count * stages) as u64);
    }
    if op.isa::<stablehlo::CholeskyOp>() {
        let size = first.static_shape().and_then(|shape| shape.last().copied());
        let size = u64::try_from(size.unwrap_or(0)).unwrap_or(0);
        let count = elements(first).unwrap_or(0);
        return Flops::arithmetic(count.saturating_mul(size) / 3);
    }
    if op.isa::<stablehlo::TriangularSolveOp>() {
        let size = first.static_shape().and_then(|shape| shape.last().copied());
        let size = u64::try_from(size.unwrap_or(0)).unwrap_or(0);
        return Flops::arithmetic(elements(result).unwrap_or(0).saturating_mul(size));
    }
    of_elements(op.name(), result.element_type()).times(elements(result).unwrap_or(0))
}

/// The arithmetic of an elementwise op for one element.
fn of_elements(name: &str, element: Type) -> Flops {
    let short = name.strip_prefix("stablehlo.").or(name.strip_prefix("chlo."));
    let is_complex = element.complex_element().is_some();
    let complex = |count: u64, of_complex: u64| {
        if is_complex {
            Flops::arithmetic(of_complex)
        } else {
            Flops::arithmetic(count)
        }
    };
    let short = short.unwrap_or_default();
    match short.strip_prefix("broadcast_").unwrap_or(short) {
        "add" | "subtract" | "negate" => complex(1, 2),
        "multiply" => complex(1, 6),
        "divide" => complex(1, 11),
        "abs" | "maximum" | "minimum" | "remainder" | "sign" | "floor" | "ceil"
        | "round_nearest_afz" | "round_nearest_even" => Flops::arithmetic(1),
        "clamp" => Flops::arithmetic(2),
        "acos"
        | "acosh"
        | "asin"
        | "asinh"
        | "atan"
        | "atan2"
        | "atanh"
        | "bessel_i1e"
        | "cbrt"
        | "cosh"
        | "cosine"
        | "digamma"
        | "erf"
        | "erf_inv"
        | "erfc"
        | "exponential"
        | "exponential_minus_one"
        | "lgamma"
        | "log"
        | "log_plus_one"
        | "logistic"
        | "next_after"
        | "polygamma"
        | "power"
        | "rsqrt"
        | "sine"
        | "sinh"
        | "sqrt"
        | "square"
        | "tan"
        | "tanh"
        | "zeta" => Flops::transcendental(1),
        _ => Flops::default(),
    }
}

/// The arithmetic of one execution of the regions of an op.
fn body(op: Operation) -> Flops {
    let nested = op.collect_nested(|nested| nested != op);
    nested.into_iter().map(flops).fold(Flops::default(), |sum, of_op| sum + of_op)
}

/// The arithmetic of a sum of `depth` products for each element of the result.
fn sum_of_products(result: Type, depth: Option<u64>) -> Flops {
    let of_each = match result.element_type().complex_element() {
        Some(_) => 8,
        None => 2,
    };
    let count = elements(result).zip(depth);
    let count = count.map_or(0, |(count, depth)| count.saturating_mul(depth));
    Flops::arithmetic(count.saturating_mul(of_each))
}

fn elements(of: Type) -> Option<u64> {
    of.element_count().and_then(|count| u64::try_from(count).ok())
}

/// The product of some dimensions of a type.
fn product(of: Type, dims: &[i64]) -> Option<u64> {
    let shape = of.static_shape()?;
    let sizes = dims.iter().map(|dim| {
        let size = shape.get(usize::try_from(*dim).ok()?)?;
        u64::try_from(*size).ok()
    });
    sizes.product()
}
