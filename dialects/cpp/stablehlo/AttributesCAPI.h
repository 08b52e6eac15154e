/*===- AttributesCAPI.h - Structured attributes and types, in C -----------===*\
|*
|* For every structured attribute a struct of its members, and two functions:
|* ...Read fills the struct and tells whether the attribute is of that kind;
|* ...Build makes the attribute. Arrays that Read gives live as long as the
|* context. src/ir/stablehlo/attributes/ is the safe face.
|*
\*===----------------------------------------------------------------------===*/

#ifndef HALO_DIALECTS_ATTRIBUTES_CAPI_H
#define HALO_DIALECTS_ATTRIBUTES_CAPI_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HaloDims {
  const int64_t *data;
  intptr_t size;
} HaloDims;

#define HALO_DECLARE_ATTRIBUTE(Name)                                           \
  MLIR_CAPI_EXPORTED bool halo##Name##Read(MlirAttribute attribute,            \
                                           Halo##Name *members);               \
  MLIR_CAPI_EXPORTED MlirAttribute halo##Name##Build(                          \
      MlirContext context, const Halo##Name *members);

/*===- Dimension numbers --------------------------------------------------===*/

typedef struct HaloDotDimensionNumbers {
  HaloDims lhsBatching;
  HaloDims rhsBatching;
  HaloDims lhsContracting;
  HaloDims rhsContracting;
} HaloDotDimensionNumbers;
HALO_DECLARE_ATTRIBUTE(DotDimensionNumbers)

typedef struct HaloRaggedDotDimensionNumbers {
  HaloDims lhsBatching;
  HaloDims rhsBatching;
  HaloDims lhsContracting;
  HaloDims rhsContracting;
  HaloDims lhsRagged;
  HaloDims rhsGroup;
} HaloRaggedDotDimensionNumbers;
HALO_DECLARE_ATTRIBUTE(RaggedDotDimensionNumbers)

typedef struct HaloGatherDimensionNumbers {
  HaloDims offsetDims;
  HaloDims collapsedSliceDims;
  HaloDims operandBatchingDims;
  HaloDims startIndicesBatchingDims;
  HaloDims startIndexMap;
  int64_t indexVectorDim;
} HaloGatherDimensionNumbers;
HALO_DECLARE_ATTRIBUTE(GatherDimensionNumbers)

typedef struct HaloScatterDimensionNumbers {
  HaloDims updateWindowDims;
  HaloDims insertedWindowDims;
  HaloDims inputBatchingDims;
  HaloDims scatterIndicesBatchingDims;
  HaloDims scatterDimsToOperandDims;
  int64_t indexVectorDim;
} HaloScatterDimensionNumbers;
HALO_DECLARE_ATTRIBUTE(ScatterDimensionNumbers)

typedef struct HaloConvDimensionNumbers {
  int64_t inputBatchDimension;
  int64_t inputFeatureDimension;
  HaloDims inputSpatialDimensions;
  int64_t kernelInputFeatureDimension;
  int64_t kernelOutputFeatureDimension;
  HaloDims kernelSpatialDimensions;
  int64_t outputBatchDimension;
  int64_t outputFeatureDimension;
  HaloDims outputSpatialDimensions;
} HaloConvDimensionNumbers;
HALO_DECLARE_ATTRIBUTE(ConvDimensionNumbers)

/*===- Algorithms, accuracy, channels, aliases, encodings -----------------===*/

typedef struct HaloDotAlgorithm {
  MlirType lhsPrecisionType;
  MlirType rhsPrecisionType;
  MlirType accumulationType;
  int64_t lhsComponentCount;
  int64_t rhsComponentCount;
  int64_t numPrimitiveOperations;
  bool allowImpreciseAccumulation;
} HaloDotAlgorithm;
/* Build gives a null attribute for an algorithm that is not valid. */
HALO_DECLARE_ATTRIBUTE(DotAlgorithm)

typedef struct HaloResultAccuracy {
  double atol;
  double rtol;
  int64_t ulps;
  uint32_t mode;
} HaloResultAccuracy;
/* Build gives a null attribute for tolerances that contradict the mode. */
HALO_DECLARE_ATTRIBUTE(ResultAccuracy)

typedef struct HaloChannelHandle {
  int64_t handle;
  int64_t type;
} HaloChannelHandle;
HALO_DECLARE_ATTRIBUTE(ChannelHandle)

typedef struct HaloOutputOperandAlias {
  HaloDims outputTupleIndices;
  int64_t operandIndex;
  HaloDims operandTupleIndices;
} HaloOutputOperandAlias;
HALO_DECLARE_ATTRIBUTE(OutputOperandAlias)

/* ShapedType::kDynamic where a dimension has no bound. */
typedef struct HaloTypeExtensions {
  HaloDims bounds;
} HaloTypeExtensions;
HALO_DECLARE_ATTRIBUTE(TypeExtensions)

#undef HALO_DECLARE_ATTRIBUTE

/*===- Enumerations -------------------------------------------------------===*/

typedef enum HaloEnum {
  HaloEnumStablehloPrecision,
  HaloEnumStablehloResultAccuracyMode,
  HaloEnumStablehloFftType,
  HaloEnumStablehloComparisonDirection,
  HaloEnumStablehloComparisonType,
  HaloEnumStablehloTranspose,
  HaloEnumStablehloRngDistribution,
  HaloEnumStablehloRngAlgorithm,
  HaloEnumChloPrecision,
  HaloEnumChloComparisonDirection,
  HaloEnumChloComparisonType,
} HaloEnum;

/* The numbers are those of the cases in the dialects' Enums.td. Build gives a
 * null attribute for a number that is no case. */
MLIR_CAPI_EXPORTED bool haloEnumRead(MlirAttribute attribute, HaloEnum kind,
                                     uint32_t *value);
MLIR_CAPI_EXPORTED MlirAttribute haloEnumBuild(MlirContext context,
                                               HaloEnum kind, uint32_t value);

/*===- Elements -----------------------------------------------------------===*/

/* The bytes of `dense_resource<...>`, which belong to the context; false for any
 * other attribute, and where the program does not have them. */
MLIR_CAPI_EXPORTED bool haloDenseResourceRead(MlirAttribute attribute,
                                              MlirStringRef *data);

/*===- Types --------------------------------------------------------------===*/

MLIR_CAPI_EXPORTED bool haloTypeIsToken(MlirType type);
MLIR_CAPI_EXPORTED MlirType haloTokenTypeGet(MlirContext context);

MLIR_CAPI_EXPORTED bool haloTypeIsFuture(MlirType type);
/* A null type if one of the types is no ranked tensor. */
MLIR_CAPI_EXPORTED MlirType haloFutureTypeGet(MlirContext context,
                                              intptr_t numTypes,
                                              const MlirType *types);
MLIR_CAPI_EXPORTED intptr_t haloFutureTypeGetNumTypes(MlirType type);
MLIR_CAPI_EXPORTED MlirType haloFutureTypeGetType(MlirType type,
                                                  intptr_t position);

#ifdef __cplusplus
}
#endif

#endif /* HALO_DIALECTS_ATTRIBUTES_CAPI_H */
