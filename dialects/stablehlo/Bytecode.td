//===- Bytecode.td - Bytecode of the stablehlo dialect --------------------===//
//
// The encoding of attributes and types by upstream's StableHLO, so that bytecode is compatible in
// both directions. The position in the lists at the end is the code with which an entry begins;
// codes are never reused.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_STABLEHLO_BYTECODE
#define HALO_STABLEHLO_BYTECODE

include "stablehlo/BytecodeBase.td"

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def ComparisonDirectionAttr : EnumAttribute<"ComparisonDirection">;
def ComparisonTypeAttr : EnumAttribute<"ComparisonType">;
def FftTypeAttr : EnumAttribute<"FftType">;
def PrecisionAttr : EnumAttribute<"Precision">;
def ResultAccuracyModeAttr : EnumAttribute<"ResultAccuracyMode">;
def RngAlgorithmAttr : EnumAttribute<"RngAlgorithm">;
def RngDistributionAttr : EnumAttribute<"RngDistribution">;
def TransposeAttr : EnumAttribute<"Transpose">;

//===----------------------------------------------------------------------===//
// Dimension numbers
//===----------------------------------------------------------------------===//

def ConvDimensionNumbersAttr : PlainAttribute<(attr
  SignedVarInt:$inputBatchDimension,
  SignedVarInt:$inputFeatureDimension,
  Array<SignedVarIntList>:$inputSpatialDimensions,
  SignedVarInt:$kernelInputFeatureDimension,
  SignedVarInt:$kernelOutputFeatureDimension,
  Array<SignedVarIntList>:$kernelSpatialDimensions,
  SignedVarInt:$outputBatchDimension,
  SignedVarInt:$outputFeatureDimension,
  Array<SignedVarIntList>:$outputSpatialDimensions)>;

def DotDimensionNumbersAttr : PlainAttribute<(attr
  Array<SignedVarIntList>:$lhsBatchingDimensions,
  Array<SignedVarIntList>:$rhsBatchingDimensions,
  Array<SignedVarIntList>:$lhsContractingDimensions,
  Array<SignedVarIntList>:$rhsContractingDimensions)>;

def GatherDimensionNumbersAttr : PlainAttribute<(attr
  Array<SignedVarIntList>:$offsetDims,
  Array<SignedVarIntList>:$collapsedSliceDims,
  Array<SignedVarIntList>:$operandBatchingDims,
  Array<SignedVarIntList>:$startIndicesBatchingDims,
  Array<SignedVarIntList>:$startIndexMap,
  SignedVarInt:$indexVectorDim)>;

def ScatterDimensionNumbersAttr : PlainAttribute<(attr
  Array<SignedVarIntList>:$updateWindowDims,
  Array<SignedVarIntList>:$insertedWindowDims,
  Array<SignedVarIntList>:$inputBatchingDims,
  Array<SignedVarIntList>:$scatterIndicesBatchingDims,
  Array<SignedVarIntList>:$scatterDimsToOperandDims,
  SignedVarInt:$indexVectorDim)>;

//===----------------------------------------------------------------------===//
// Accuracy and algorithms
//===----------------------------------------------------------------------===//

def DotAlgorithmAttr : CheckedAttribute<(attr
  Type:$lhsPrecisionType,
  Type:$rhsPrecisionType,
  Type:$accumulationType,
  SignedVarInt:$lhsComponentCount,
  SignedVarInt:$rhsComponentCount,
  SignedVarInt:$numPrimitiveOperations,
  Bool:$allowImpreciseAccumulation)>;

def ResultAccuracyAttr : CheckedAttribute<(attr
  Double:$atol,
  Double:$rtol,
  SignedVarInt:$ulps,
  ResultAccuracyModeAttr:$mode)> {
  let cBuilder = Checked<"*atol, *rtol, ulps, mode">.builder;
}

//===----------------------------------------------------------------------===//
// Communication
//===----------------------------------------------------------------------===//

def ChannelHandleAttr : PlainAttribute<(attr
  SignedVarInt:$handle,
  SignedVarInt:$type)>;

def SubAxisInfoAttr : PlainAttribute<(attr
  SignedVarInt:$preSize,
  SignedVarInt:$size)>;

def AxisRefAttr : PlainAttribute<(attr
  Text:$name,
  FlaggedAttribute<"SubAxisInfoAttr">:$subAxisInfo)>;

def ReplicaGroupMeshAxesAttr : PlainAttribute<(attr
  Attribute:$mesh,
  AttributeList:$axes)>;

def MeshAxisAttr : PlainAttribute<(attr
  Text:$name,
  SignedVarInt:$size)>;

// The axes are a nested array.
def MeshAxes :
  WithParser<"succeeded(readMeshAxes($_reader, $_var))",
  WithBuilder<"$_args",
  WithPrinter<"writeMeshAxes($_writer, $_name)",
  WithType<"SmallVector<MeshAxisAttr>">>>>;

def MeshAttr : PlainAttribute<(attr
  MeshAxes:$axes,
  FlaggedAttribute<"DenseIntElementsAttr">:$deviceIds)>;

//===----------------------------------------------------------------------===//
// Custom calls, tensor encodings and types
//===----------------------------------------------------------------------===//

def OutputOperandAliasAttr : PlainAttribute<(attr
  Array<SignedVarIntList>:$outputTupleIndices,
  SignedVarInt:$operandIndex,
  Array<SignedVarIntList>:$operandTupleIndices)>;

def TypeExtensionsAttr : PlainAttribute<(attr
  Array<SignedVarIntList>:$bounds)>;

def TokenType : DialectType<(type)>;

def FutureType : CheckedType<(type
  Array<Type>:$types)> {
  let cBuilder = Checked<"ArrayRef<Type>(types)">.builder;
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

def StablehloAttributes : DialectAttributes<"Stablehlo"> {
  let elems = [
    ReservedOrDead,
    ChannelHandleAttr,
    ComparisonDirectionAttr,
    ComparisonTypeAttr,
    ConvDimensionNumbersAttr,
    DotDimensionNumbersAttr,
    FftTypeAttr,
    GatherDimensionNumbersAttr,
    PrecisionAttr,
    RngAlgorithmAttr,
    RngDistributionAttr,
    ScatterDimensionNumbersAttr,
    TransposeAttr,
    TypeExtensionsAttr,
    OutputOperandAliasAttr,
    DotAlgorithmAttr,
    ResultAccuracyModeAttr,
    ResultAccuracyAttr,
    ReplicaGroupMeshAxesAttr,
    SubAxisInfoAttr,
    AxisRefAttr,
    MeshAxisAttr,
    MeshAttr
  ];
}

def StablehloTypes : DialectTypes<"Stablehlo"> {
  let elems = [TokenType, FutureType];
}

#endif // HALO_STABLEHLO_BYTECODE
