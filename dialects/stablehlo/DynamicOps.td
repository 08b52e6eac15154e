//===- DynamicOps.td - Ops whose shapes are computed ----------------------===//
//
// The result shapes depend on operands. Running an op with inconsistent sizes is undefined
// behavior.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_STABLEHLO_DYNAMIC_OPS
#define HALO_STABLEHLO_DYNAMIC_OPS

include "stablehlo/Attrs.td"
include "stablehlo/Dialect.td"

def Stablehlo_DynamicBroadcastInDimOp
    : Stablehlo_Op<"dynamic_broadcast_in_dim", [NoMemoryEffect]> {
  let summary = "Repetition to a computed shape";
  let description = [{
    `broadcast_in_dim` to the shape `output_dimensions`. The optional attributes
    state which dimensions of the operand are known to grow or to stay.
    Specification: `dynamic_broadcast_in_dim`.
  }];
  let arguments = (ins
    Hlo_TensorOrPerAxis:$operand,
    Hlo_StaticDimensionVector:$output_dimensions,
    DenseI64ArrayAttr:$broadcast_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions
    attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_DynamicConvOp : Stablehlo_Op<"dynamic_conv", [NoMemoryEffect]> {
  let summary = "Convolution with computed padding";
  let description = [{
    `convolution` whose padding is the operand `padding`.
    Specification: `dynamic_conv`.
  }];
  let arguments = (ins
    Hlo_Tensor:$lhs,
    Hlo_Tensor:$rhs,
    Hlo_StaticIntMatrix:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    Stablehlo_ConvDimensionNumbers:$dimension_numbers,
    ConfinedAttr<I64Attr, [IntPositive]>:$feature_group_count,
    ConfinedAttr<I64Attr, [IntPositive]>:$batch_group_count,
    OptionalAttr<Stablehlo_PrecisionConfigAttr>:$precision_config);
  let results = (outs Hlo_Tensor:$result);
}

def Stablehlo_DynamicGatherOp
    : Stablehlo_Op<"dynamic_gather", [NoMemoryEffect]> {
  let summary = "Slices of computed size at listed positions";
  let description = [{
    `gather` whose slice sizes are the operand `slice_sizes`.
    Specification: `dynamic_gather`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    Hlo_IntTensor:$start_indices,
    Hlo_StaticIntVector:$slice_sizes,
    Stablehlo_GatherDimensionNumbers:$dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Hlo_Tensor:$result);
}

def Stablehlo_DynamicIotaOp : Stablehlo_Op<"dynamic_iota", [NoMemoryEffect]> {
  let summary = "Consecutive numbers in a computed shape";
  let description = [{
    `iota` of the shape `output_shape`.
    Specification: `dynamic_iota`.
  }];
  let arguments = (ins
    Hlo_StaticDimensionVector:$output_shape, Hlo_DimensionAttr:$iota_dimension);
  let results = (outs Hlo_IotaTensor:$result);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_DynamicPadOp : Stablehlo_Op<"dynamic_pad", [NoMemoryEffect]> {
  let summary = "Padding by computed amounts";
  let description = [{
    `pad` whose amounts are operands.
    Specification: `dynamic_pad`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    Hlo_ScalarTensor:$padding_value,
    Hlo_StaticDimensionVector:$edge_padding_low,
    Hlo_StaticDimensionVector:$edge_padding_high,
    Hlo_StaticDimensionVector:$interior_padding);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_DynamicReshapeOp
    : Stablehlo_Op<"dynamic_reshape", [NoMemoryEffect]> {
  let summary = "The same elements in a computed shape";
  let description = [{
    `reshape` to the shape `output_shape`.
    Specification: `dynamic_reshape`.
  }];
  let arguments = (ins
    Hlo_TensorOrPerAxis:$operand, Hlo_StaticDimensionVector:$output_shape);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_RealDynamicSliceOp : Stablehlo_Op<"real_dynamic_slice", [
    NoMemoryEffect,
    AllTypesMatch<["start_indices", "limit_indices", "strides"]>]> {
  let summary = "Part of a tensor of computed position and size";
  let description = [{
    `slice` whose starts, limits and strides are operands.
    Not in the specification.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    Hlo_DimensionVector:$start_indices,
    Hlo_DimensionVector:$limit_indices,
    Hlo_DimensionVector:$strides);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_GetDimensionSizeOp : Stablehlo_Op<"get_dimension_size", [
    NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Size of a dimension";
  let description = [{
    Returns the size of `dimension` of the operand at run time.
    Specification: `get_dimension_size`.
  }];
  let arguments = (ins Hlo_TensorOrPerAxis:$operand, Hlo_DimensionAttr:$dimension);
  let results = (outs Hlo_I32Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dim` `=` $dimension attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_SetDimensionSizeOp
    : Stablehlo_Op<"set_dimension_size", [
      NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "A dimension cut to a computed size";
  let description = [{
    Makes `dimension` dynamic and keeps its first `size` entries; the previous
    size becomes the bound.
    Not in the specification.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand, Hlo_I32Tensor:$size, Hlo_DimensionAttr:$dimension);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $size `,` `dim` `=` $dimension attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // HALO_STABLEHLO_DYNAMIC_OPS
