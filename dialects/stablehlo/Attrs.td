//===- Attrs.td - Structured attributes of the stablehlo dialect ----------===//

#ifndef HALO_STABLEHLO_ATTRS
#define HALO_STABLEHLO_ATTRS

include "mlir/IR/TensorEncoding.td"
include "stablehlo/Dialect.td"
include "stablehlo/Enums.td"

class Stablehlo_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Stablehlo_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Stablehlo_Dims : ArrayRefParameter<"int64_t", "list of dimensions">;

//===----------------------------------------------------------------------===//
// Dimension numbers
//===----------------------------------------------------------------------===//

def Stablehlo_DotDimensionNumbers
    : Stablehlo_Attr<"DotDimensionNumbers", "dot"> {
  let summary = "Batching and contracting dimensions of dot_general";
  let parameters = (ins
    Stablehlo_Dims:$lhsBatchingDimensions,
    Stablehlo_Dims:$rhsBatchingDimensions,
    Stablehlo_Dims:$lhsContractingDimensions,
    Stablehlo_Dims:$rhsContractingDimensions);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_GatherDimensionNumbers
    : Stablehlo_Attr<"GatherDimensionNumbers", "gather"> {
  let summary = "Mapping of gather's indices and slices to dimensions";
  let parameters = (ins
    Stablehlo_Dims:$offsetDims,
    Stablehlo_Dims:$collapsedSliceDims,
    Stablehlo_Dims:$operandBatchingDims,
    Stablehlo_Dims:$startIndicesBatchingDims,
    Stablehlo_Dims:$startIndexMap,
    "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ScatterDimensionNumbers
    : Stablehlo_Attr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "Mapping of scatter's indices and updates to dimensions";
  let parameters = (ins
    Stablehlo_Dims:$updateWindowDims,
    Stablehlo_Dims:$insertedWindowDims,
    Stablehlo_Dims:$inputBatchingDims,
    Stablehlo_Dims:$scatterIndicesBatchingDims,
    Stablehlo_Dims:$scatterDimsToOperandDims,
    "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ConvDimensionNumbers
    : Stablehlo_Attr<"ConvDimensionNumbers", "conv"> {
  let summary = "The role of every dimension of a convolution";
  let description = [{
    Prints one letter or number per dimension of input, kernel and output:
    `b` batch, `f` feature, `i` and `o` the kernel's input and output features,
    numbers for spatial dimensions: `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
  }];
  let parameters = (ins
    "int64_t":$inputBatchDimension,
    "int64_t":$inputFeatureDimension,
    Stablehlo_Dims:$inputSpatialDimensions,
    "int64_t":$kernelInputFeatureDimension,
    "int64_t":$kernelOutputFeatureDimension,
    Stablehlo_Dims:$kernelSpatialDimensions,
    "int64_t":$outputBatchDimension,
    "int64_t":$outputFeatureDimension,
    Stablehlo_Dims:$outputSpatialDimensions);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Accuracy and algorithms
//===----------------------------------------------------------------------===//

def Stablehlo_DotAlgorithm : Stablehlo_Attr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "The arithmetic that dot_general must use";
  let parameters = (ins
    "::mlir::Type":$lhs_precision_type,
    "::mlir::Type":$rhs_precision_type,
    "::mlir::Type":$accumulation_type,
    "int64_t":$lhs_component_count,
    "int64_t":$rhs_component_count,
    "int64_t":$num_primitive_operations,
    "bool":$allow_imprecise_accumulation);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Stablehlo_ResultAccuracyAttr
    : Stablehlo_Attr<"ResultAccuracy", "result_accuracy"> {
  let attrName = "stablehlo.result_accuracy";
  let summary = "The error that an elementwise function may have";
  let description = [{
    In mode `TOLERANCE` the error must stay within `atol + rtol * |exact|` or
    `ulps` units in the last place; in the other modes the numbers are zero.
  }];
  let parameters = (ins
    "::llvm::APFloat":$atol,
    "::llvm::APFloat":$rtol,
    "int64_t":$ulps,
    "::mlir::stablehlo::ResultAccuracyModeAttr":$mode);
  // The only default value in use, so the builder takes no argument.
  let constBuilderCall =
      "::halo::defaultResultAccuracy($_builder.getContext())";
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Communication
//===----------------------------------------------------------------------===//

def Stablehlo_ChannelHandle
    : Stablehlo_Attr<"ChannelHandle", "channel_handle"> {
  let summary = "Pairs the two ends of a communication";
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_SubAxisInfoAttr
    : Stablehlo_Attr<"SubAxisInfo", "sub_axis_info"> {
  let summary = "A factor of a mesh axis: its stride group and its size";
  let parameters = (ins "int64_t":$pre_size, "int64_t":$size);
  let assemblyFormat = "`(` $pre_size `` `)` `` $size";
}

def Stablehlo_AxisRefAttr : Stablehlo_Attr<"AxisRef", "axis_ref"> {
  let summary = "Names a mesh axis, or a factor of one";
  let parameters = (ins
    StringRefParameter<"name of the axis">:$name,
    OptionalParameter<"::mlir::stablehlo::SubAxisInfoAttr">:$sub_axis_info);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_MeshAxisAttr : Stablehlo_Attr<"MeshAxis", "mesh_axis"> {
  let summary = "A named axis of a device mesh and its size";
  let parameters = (ins
    StringRefParameter<"name of the axis">:$name, "int64_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_MeshAttr : Stablehlo_Attr<"Mesh", "mesh"> {
  let summary = "Devices arranged along named axes";
  let parameters = (ins
    ArrayRefParameter<"::mlir::stablehlo::MeshAxisAttr">:$axes,
    OptionalParameter<"::mlir::DenseIntElementsAttr">:$device_ids);
  let assemblyFormat = [{
    `<` `axes` `` `=` `` custom<BracketedAxes>($axes)
    (`,` `device_ids` `` `=` `` $device_ids^)? `>`
  }];
}

def Stablehlo_ReplicaGroupMeshAxesAttr
    : Stablehlo_Attr<"ReplicaGroupMeshAxes", "replica_group_mesh_axes"> {
  let summary = "Replica groups spelled as axes of a mesh";
  let description = [{
    `mesh` is a mesh or its symbol; `axes` lists the axes along which the
    devices of one group differ.
  }];
  let parameters = (ins "::mlir::Attribute":$mesh, "::mlir::ArrayAttr":$axes);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_ReplicaGroups
    : AnyAttrOf<[I64ElementsAttr, Stablehlo_ReplicaGroupMeshAxesAttr],
                "replica groups: a 64-bit integer matrix or mesh axes",
                "::mlir::Attribute", "$_self">;

//===----------------------------------------------------------------------===//
// Custom calls and tensor encodings
//===----------------------------------------------------------------------===//

def Stablehlo_OutputOperandAlias
    : Stablehlo_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "An output of a custom call that shares an operand's buffer";
  let description = [{
    The indices select an element of nested tuples; they are empty if the output
    or the operand is not a tuple.
  }];
  let parameters = (ins
    Stablehlo_Dims:$outputTupleIndices,
    "int64_t":$operandIndex,
    Stablehlo_Dims:$operandTupleIndices);
  let assemblyFormat = [{
    `<` `output_tuple_indices` `=` custom<TupleIndices>($outputTupleIndices)
    `,` `operand_index` `=` $operandIndex
    `,` `operand_tuple_indices` `=` custom<TupleIndices>($operandTupleIndices)
    `>`
  }];
}

def Stablehlo_TypeExtensions : Stablehlo_Attr<"TypeExtensions", "bounds",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Upper bounds of a tensor's dynamic dimensions";
  let description = [{
    The encoding in `tensor<?x4xf32, #stablehlo.bounds<3, ?>>`: one entry per
    dimension, `?` (`ShapedType::kDynamic`) for no bound.
  }];
  let parameters = (ins Stablehlo_Dims:$bounds);
  let assemblyFormat = "`<` custom<Bounds>($bounds) `>`";
}

def Stablehlo_LayoutAttr : Attr<
    And<[IndexElementsAttr.predicate,
         CPred<"::llvm::cast<::mlir::DenseIntElementsAttr>($_self)"
               ".getType().getRank() == 1">]>,
    "a 1D tensor of index type (layout)"> {
  let storageType = IndexElementsAttr.storageType;
  let returnType = IndexElementsAttr.returnType;
  let convertFromStorage = IndexElementsAttr.convertFromStorage;
}
def Stablehlo_ArrayOfLayoutAttr
    : TypedArrayAttrBase<Stablehlo_LayoutAttr, "array of layouts">;

// Both have a literal default value, which TypedArrayAttrBase does not support.
def Stablehlo_FlatSymbolRefArrayAttr
    : TypedArrayAttrBase<FlatSymbolRefAttr, "flat symbol ref array attribute"> {
  let constBuilderCall = "::mlir::ArrayAttr::get($_builder.getContext(), $0)";
}
def Stablehlo_OutputOperandAliasArrayAttr
    : TypedArrayAttrBase<Stablehlo_OutputOperandAlias,
                         "aliases of outputs and operands"> {
  let constBuilderCall = "::mlir::ArrayAttr::get($_builder.getContext(), $0)";
}

def Stablehlo_BackendConfigAttr
    : AnyAttrOf<[StrAttr, DictionaryAttr], "a string or a dictionary",
                "::mlir::Attribute", "$_self">;

#endif // HALO_STABLEHLO_ATTRS
