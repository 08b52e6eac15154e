//===- ShapeOps.td - Constants and ops that move or regroup elements ------===//

#ifndef HALO_STABLEHLO_SHAPE_OPS
#define HALO_STABLEHLO_SHAPE_OPS

include "stablehlo/Attrs.td"
include "stablehlo/Dialect.td"

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

def Stablehlo_ConstantOp : Stablehlo_Op<"constant", [
    ConstantLike, NoMemoryEffect,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Constant tensor";
  let description = [{
    Returns `value`. For a quantized result, `value` has the stored integers.
    Specification: `constant`.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Hlo_StaticTensorOrPerAxis:$output);
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
    build($_builder, $_state, value.getType(), value);
  }]>];
  let extraClassDeclaration = [{
    // Returns null unless `value` is a constant tensor of type `type`.
    static ConstantOp materialize(::mlir::OpBuilder &builder,
                                  ::mlir::Attribute value, ::mlir::Type type,
                                  ::mlir::Location loc);
  }];
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
}

def Stablehlo_IotaOp : Stablehlo_Op<"iota", [NoMemoryEffect]> {
  let summary = "Consecutive numbers along one dimension";
  let description = [{
    Every element is its own index in `iota_dimension`.
    Specification: `iota`.
  }];
  let arguments = (ins Hlo_DimensionAttr:$iota_dimension);
  let results = (outs Hlo_StaticIotaTensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
}

//===----------------------------------------------------------------------===//
// Broadcasts and rearrangements
//===----------------------------------------------------------------------===//

def Stablehlo_BroadcastOp : Stablehlo_Op<"broadcast", [
    NoMemoryEffect, SameOperandsAndResultElementType, Hlo_InfersTypes]> {
  let summary = "Repetition along new leading dimensions";
  let description = [{
    Prepends the dimensions `broadcast_sizes` to the dimensions of the operand.
    Not in the specification; `broadcast_in_dim` is the general form.
  }];
  let arguments = (ins Hlo_Tensor:$operand, DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` $broadcast_sizes attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_BroadcastInDimOp : Stablehlo_Op<"broadcast_in_dim", [NoMemoryEffect]> {
  let summary = "Repetition along dimensions of size one and new ones";
  let description = [{
    Dimension `i` of the operand becomes `broadcast_dimensions[i]` of the
    result.
    Specification: `broadcast_in_dim`.
  }];
  let arguments = (ins
    Hlo_TensorOrPerAxis:$operand, DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs Hlo_StaticOrBoundedTensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_ReshapeOp : Stablehlo_Op<"reshape", [NoMemoryEffect]> {
  let summary = "The same elements in another shape";
  let description = [{
    Keeps the elements in row-major order.
    Specification: `reshape`.
  }];
  let arguments = (ins Hlo_TensorOrPerAxis:$operand);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_BitcastConvertOp : Stablehlo_Op<"bitcast_convert", [NoMemoryEffect]> {
  let summary = "The same bits as another element type";
  let description = [{
    Splits or joins elements along a last dimension if the widths differ.
    Specification: `bitcast_convert`.
  }];
  let arguments = (ins Hlo_TensorOrPerAxis:$operand);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_TransposeOp : Stablehlo_Op<"transpose", [NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Permutation of dimensions";
  let description = [{
    Dimension `i` of the result is `permutation[i]` of the operand.
    Specification: `transpose`.
  }];
  let arguments = (ins
    Hlo_TensorOrPerAxis:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_ReverseOp : Stablehlo_Op<"reverse", [
    NoMemoryEffect, SameOperandsAndResultElementType, Hlo_InfersOperandTypes]> {
  let summary = "Reversal of dimensions";
  let description = [{
    Reverses the order of elements along each of `dimensions`.
    Specification: `reverse`.
  }];
  let arguments = (ins Hlo_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dimensions attr-dict
    `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

def Stablehlo_SliceOp : Stablehlo_Op<"slice", [
    NoMemoryEffect, SameOperandsAndResultElementType, Hlo_InfersTypes]> {
  let summary = "Part of a tensor at fixed positions";
  let description = [{
    Takes every `strides[i]`-th element from `start_indices[i]` up to, but
    excluding, `limit_indices[i]`; prints as `[start:limit:stride, ...]`.
    Specification: `slice`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    DenseI64ArrayAttr:$start_indices,
    DenseI64ArrayAttr:$limit_indices,
    DenseI64ArrayAttr:$strides);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_DynamicSliceOp : Stablehlo_Op<"dynamic_slice", [NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Part of a tensor at computed positions";
  let description = [{
    Takes `slice_sizes` elements from `start_indices` on, which are clamped so
    that the slice is in bounds.
    Specification: `dynamic_slice`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    Variadic<Hlo_ScalarIntTensor>:$start_indices,
    DenseI64ArrayAttr:$slice_sizes);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    custom<OperandsWithAttribute>($operand, $start_indices)
    `sizes` `=` $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_DynamicUpdateSliceOp
    : Stablehlo_Op<"dynamic_update_slice", [NoMemoryEffect, Hlo_InfersOperandTypes]> {
  let summary = "Replacement of a part at computed positions";
  let description = [{
    Returns `operand` with `update` written from `start_indices` on, which are
    clamped so that the update is in bounds.
    Specification: `dynamic_update_slice`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    Hlo_Tensor:$update,
    Variadic<Hlo_ScalarIntTensor>:$start_indices);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_ConcatenateOp : Stablehlo_Op<"concatenate", [
    NoMemoryEffect, SameOperandsAndResultElementType, Hlo_InfersTypes]> {
  let summary = "Concatenation of tensors";
  let description = [{
    Concatenates the inputs along `dimension`.
    Specification: `concatenate`.
  }];
  let arguments = (ins Variadic<Hlo_Tensor>:$inputs, Hlo_DimensionAttr:$dimension);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    custom<VariadicOperandWithAttribute>($inputs) `dim` `=` $dimension
    attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_PadOp : Stablehlo_Op<"pad", [
    NoMemoryEffect, SameOperandsAndResultElementType, Hlo_InfersTypes]> {
  let summary = "Padding at the edges and between elements";
  let description = [{
    Negative amounts at the edges remove elements.
    Specification: `pad`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    Hlo_ScalarTensor:$padding_value,
    DenseI64ArrayAttr:$edge_padding_low,
    DenseI64ArrayAttr:$edge_padding_high,
    DenseI64ArrayAttr:$interior_padding);
  let results = (outs Hlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding_value `,`
    `low` `=` $edge_padding_low `,`
    `high` `=` $edge_padding_high `,`
    `interior` `=` $interior_padding attr-dict
    `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Indexed access
//===----------------------------------------------------------------------===//

def Stablehlo_GatherOp : Stablehlo_Op<"gather", [NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Slices at positions listed in a tensor";
  let description = [{
    Collects a slice of `slice_sizes` for each index vector in `start_indices`.
    Specification: `gather`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    Hlo_IntTensor:$start_indices,
    Stablehlo_GatherDimensionNumbers:$dimension_numbers,
    DenseI64ArrayAttr:$slice_sizes,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Hlo_Tensor:$result);
}

def Stablehlo_TorchIndexSelectOp
    : Stablehlo_Op<"torch_index_select", [NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Entries of one dimension, by index";
  let description = [{
    Takes the entries with the indices `index` along `dim`, for every index of
    the first `batch_dims` dimensions.
    Not in the specification; `gather` is the general form.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand, Hlo_Tensor:$index, I64Attr:$dim, I64Attr:$batch_dims);
  let results = (outs Hlo_Tensor:$result);
}

#endif // HALO_STABLEHLO_SHAPE_OPS
