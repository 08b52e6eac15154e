//===- LinearAlgebraOps.td - Products, solvers, transforms, statistics ----===//

#ifndef HALO_STABLEHLO_LINEAR_ALGEBRA_OPS
#define HALO_STABLEHLO_LINEAR_ALGEBRA_OPS

include "stablehlo/Attrs.td"
include "stablehlo/Dialect.td"

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def Stablehlo_DotOp : Stablehlo_Op<"dot", [NoMemoryEffect]> {
  let summary = "Product of vectors and matrices";
  let description = [{
    Contracts the last dimension of `lhs` with the first of `rhs`.
    Not in the specification; `dot_general` is the general form.
  }];
  let arguments = (ins
    Hlo_Tensor:$lhs,
    Hlo_TensorOrPerAxis:$rhs,
    OptionalAttr<Stablehlo_PrecisionConfigAttr>:$precision_config);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<PrecisionConfig>($precision_config) attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_DotGeneralOp : Stablehlo_Op<"dot_general", [NoMemoryEffect]> {
  let summary = "Batched product of tensors";
  let description = [{
    Pairs the batching dimensions and sums products over the contracting ones.
    The result has the batching dimensions, then the rest of `lhs`, then the
    rest of `rhs`. `algorithm` prescribes the arithmetic.
    Specification: `dot_general`.
  }];
  let arguments = (ins
    Hlo_Tensor:$lhs,
    Hlo_TensorOrPerAxis:$rhs,
    Stablehlo_DotDimensionNumbers:$dot_dimension_numbers,
    OptionalAttr<Stablehlo_PrecisionConfigAttr>:$precision_config,
    OptionalAttr<Stablehlo_DotAlgorithm>:$algorithm);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensionNumbers>($dot_dimension_numbers) ``
    custom<PrecisionConfigAndAlgorithm>($precision_config, $algorithm)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_EinsumOp : Stablehlo_Op<"einsum", [NoMemoryEffect]> {
  let summary = "Product of two tensors in index notation";
  let description = [{
    Sums over the letters of `einsum_config` that its right side omits.
    Not in the specification.
  }];
  let arguments = (ins
    Hlo_Tensor:$lhs, Hlo_Tensor:$rhs, StrAttr:$einsum_config);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_UnaryEinsumOp : Stablehlo_Op<"unary_einsum", [NoMemoryEffect]> {
  let summary = "Sums and transpositions in index notation";
  let description = [{
    `einsum` of one tensor.
    Not in the specification.
  }];
  let arguments = (ins Hlo_Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `config` `=` $einsum_config attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_ConvolutionOp : Stablehlo_Op<"convolution", [NoMemoryEffect]> {
  let summary = "Convolution";
  let description = [{
    Slides the kernel `rhs` over `lhs` and sums products over the window and the
    input features. By default, strides and dilations are one, without padding
    and reversal.
    Specification: `convolution`.
  }];
  let arguments = (ins
    Hlo_Tensor:$lhs,
    Hlo_TensorOrPerAxis:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    Stablehlo_ConvDimensionNumbers:$dimension_numbers,
    ConfinedAttr<I64Attr, [IntPositive]>:$feature_group_count,
    ConfinedAttr<I64Attr, [IntPositive]>:$batch_group_count,
    OptionalAttr<Stablehlo_PrecisionConfigAttr>:$precision_config);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = [{
    `(` operands `)`
    `dim_numbers` `=` custom<ConvolutionDimensions>($dimension_numbers) `,`
    `window` `=` `{` custom<WindowAttributes>($window_strides, $padding,
        $lhs_dilation, $rhs_dilation, $window_reversal) `}`
    attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Solvers and transforms
//===----------------------------------------------------------------------===//

def Stablehlo_CholeskyOp : Stablehlo_Op<"cholesky", [
    NoMemoryEffect, SameOperandsAndResultElementType, Hlo_InfersOperandTypes]> {
  let summary = "Cholesky decomposition";
  let description = [{
    Factors every Hermitian positive definite matrix of a batch into a
    triangular matrix and its adjoint, and returns the lower or upper factor.
    Specification: `cholesky`.
  }];
  let arguments = (ins
    Hlo_QFpOrComplexTensor:$a,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs Hlo_QFpOrComplexTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict
    `:` custom<SameOperandsAndResultType>(type($a), type($result))
  }];
}

def Stablehlo_TriangularSolveOp : Stablehlo_Op<"triangular_solve", [
    NoMemoryEffect, SameOperandsAndResultElementType, Hlo_InfersTypeOf<1>]> {
  let summary = "Systems of equations with a triangular matrix";
  let description = [{
    Solves `op(a) * x = b`, or `x * op(a) = b` unless `left_side`, for every
    matrix of a batch.
    Specification: `triangular_solve`.
  }];
  let arguments = (ins
    Hlo_FpOrComplexTensor:$a,
    Hlo_FpOrComplexTensor:$b,
    BoolAttr:$left_side,
    BoolAttr:$lower,
    BoolAttr:$unit_diagonal,
    Stablehlo_TransposeAttr:$transpose_a);
  let results = (outs Hlo_FpOrComplexTensor:$result);
}

def Stablehlo_FftOp : Stablehlo_Op<"fft", [NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Fourier transform";
  let description = [{
    Transforms the innermost dimensions, as many as `fft_length` has entries.
    Specification: `fft`.
  }];
  let arguments = (ins
    Hlo_FpOrComplexTensor:$operand,
    Stablehlo_FftTypeAttr:$fft_type,
    DenseI64ArrayAttr:$fft_length);
  let results = (outs Hlo_FpOrComplexTensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` `` $fft_type `,` `length` `=` $fft_length attr-dict
    `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

def Stablehlo_BatchNormGradOp : Stablehlo_Op<"batch_norm_grad", [
    NoMemoryEffect,
    AllElementTypesMatch<["operand", "scale", "mean", "variance", "grad_output",
                          "grad_operand", "grad_scale", "grad_offset"]>,
    Hlo_InfersTypes]> {
  let summary = "Gradients of batch normalization";
  let description = [{
    Propagates `grad_output` back to operand, scale and offset.
    Specification: `batch_norm_grad`.
  }];
  let arguments = (ins
    Hlo_QFpTensor:$operand,
    Hlo_QFpVector:$scale,
    Hlo_QFpVector:$mean,
    Hlo_QFpVector:$variance,
    Hlo_QFpTensor:$grad_output,
    F32Attr:$epsilon,
    Hlo_DimensionAttr:$feature_index);
  let results = (outs
    Hlo_QFpTensor:$grad_operand,
    Hlo_QFpVector:$grad_scale,
    Hlo_QFpVector:$grad_offset);
}

def Stablehlo_BatchNormInferenceOp : Stablehlo_Op<"batch_norm_inference", [
    NoMemoryEffect,
    AllElementTypesMatch<["operand", "scale", "offset", "mean", "variance",
                          "result"]>,
    Hlo_InfersOperandTypes]> {
  let summary = "Normalization with given statistics";
  let description = [{
    Normalizes every feature with its `mean` and `variance`, then scales and
    shifts it.
    Specification: `batch_norm_inference`.
  }];
  let arguments = (ins
    Hlo_QFpTensor:$operand,
    Hlo_QFpVector:$scale,
    Hlo_QFpVector:$offset,
    Hlo_QFpVector:$mean,
    Hlo_QFpVector:$variance,
    F32Attr:$epsilon,
    Hlo_DimensionAttr:$feature_index);
  let results = (outs Hlo_QFpTensor:$result);
}

def Stablehlo_BatchNormTrainingOp : Stablehlo_Op<"batch_norm_training", [
    NoMemoryEffect,
    AllElementTypesMatch<["operand", "scale", "offset", "output", "batch_mean",
                          "batch_var"]>,
    Hlo_InfersTypes]> {
  let summary = "Normalization with the statistics of the batch";
  let description = [{
    Computes mean and variance of every feature over all other dimensions,
    normalizes with them, scales and shifts.
    Specification: `batch_norm_training`.
  }];
  let arguments = (ins
    Hlo_QFpTensor:$operand,
    Hlo_QFpVector:$scale,
    Hlo_QFpVector:$offset,
    F32Attr:$epsilon,
    Hlo_DimensionAttr:$feature_index);
  let results = (outs
    Hlo_QFpTensor:$output,
    Hlo_QFpVector:$batch_mean,
    Hlo_QFpVector:$batch_var);
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

def Stablehlo_RngOp : Stablehlo_Op<"rng", [Hlo_ExternalEffects]> {
  let summary = "Random numbers from the backend's own state";
  let description = [{
    Draws from the uniform distribution over `[a, b)` or the normal one with
    mean `a` and standard deviation `b`. Two equal ops return different numbers.
    Specification: `rng`.
  }];
  let arguments = (ins
    Hlo_ScalarPredIntOrFpTensor:$a,
    Hlo_ScalarPredIntOrFpTensor:$b,
    Hlo_StaticDimensionVector:$shape,
    Stablehlo_RngDistributionAttr:$rng_distribution);
  let results = (outs Hlo_PredIntOrFpTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` `` $rng_distribution attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_RngBitGeneratorOp : Stablehlo_Op<"rng_bit_generator", [NoMemoryEffect]> {
  let summary = "Random bits from a given state";
  let description = [{
    Returns uniformly distributed bits and the next state.
    Specification: `rng_bit_generator`.
  }];
  let arguments = (ins
    Stablehlo_RngAlgorithmAttr:$rng_algorithm, Hlo_IntOrFpTensor:$initial_state);
  let results = (outs
    Hlo_IntOrFpTensor:$output_state, Hlo_StaticIntOrFpTensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` `` $rng_algorithm attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // HALO_STABLEHLO_LINEAR_ALGEBRA_OPS
