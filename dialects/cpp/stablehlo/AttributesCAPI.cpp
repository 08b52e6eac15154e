//===- AttributesCAPI.cpp - Structured attributes and types, in C ---------===//

#include "AttributesCAPI.h"

#include "ChloDialect.h"
#include "StablehloAttrs.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::stablehlo;
using mlir::chlo::RaggedDotDimensionNumbersAttr;

// The context, with the dialects of these attributes and types.
static MLIRContext *loaded(MlirContext context) {
  MLIRContext *unwrapped = unwrap(context);
  unwrapped->loadDialect<StablehloDialect, chlo::ChloDialect>();
  return unwrapped;
}

static HaloDims toC(ArrayRef<int64_t> dims) {
  return {dims.data(), static_cast<intptr_t>(dims.size())};
}

static ArrayRef<int64_t> fromC(HaloDims dims) {
  return ArrayRef<int64_t>(dims.data, dims.size);
}

//===----------------------------------------------------------------------===//
// Dimension numbers
//===----------------------------------------------------------------------===//

bool haloDotDimensionNumbersRead(MlirAttribute attribute,
                                 HaloDotDimensionNumbers *members) {
  auto dims = dyn_cast<DotDimensionNumbersAttr>(unwrap(attribute));
  if (!dims)
    return false;
  *members = {toC(dims.getLhsBatchingDimensions()),
              toC(dims.getRhsBatchingDimensions()),
              toC(dims.getLhsContractingDimensions()),
              toC(dims.getRhsContractingDimensions())};
  return true;
}

MlirAttribute
haloDotDimensionNumbersBuild(MlirContext context,
                             const HaloDotDimensionNumbers *members) {
  return wrap(DotDimensionNumbersAttr::get(
      loaded(context), fromC(members->lhsBatching), fromC(members->rhsBatching),
      fromC(members->lhsContracting), fromC(members->rhsContracting)));
}

bool haloRaggedDotDimensionNumbersRead(MlirAttribute attribute,
                                       HaloRaggedDotDimensionNumbers *members) {
  auto dims = dyn_cast<RaggedDotDimensionNumbersAttr>(unwrap(attribute));
  if (!dims)
    return false;
  *members = {toC(dims.getLhsBatchingDimensions()),
              toC(dims.getRhsBatchingDimensions()),
              toC(dims.getLhsContractingDimensions()),
              toC(dims.getRhsContractingDimensions()),
              toC(dims.getLhsRaggedDimensions()),
              toC(dims.getRhsGroupDimensions())};
  return true;
}

MlirAttribute haloRaggedDotDimensionNumbersBuild(
    MlirContext context, const HaloRaggedDotDimensionNumbers *members) {
  return wrap(RaggedDotDimensionNumbersAttr::get(
      loaded(context), fromC(members->lhsBatching), fromC(members->rhsBatching),
      fromC(members->lhsContracting), fromC(members->rhsContracting),
      fromC(members->lhsRagged), fromC(members->rhsGroup)));
}

bool haloGatherDimensionNumbersRead(MlirAttribute attribute,
                                    HaloGatherDimensionNumbers *members) {
  auto dims = dyn_cast<GatherDimensionNumbersAttr>(unwrap(attribute));
  if (!dims)
    return false;
  *members = {toC(dims.getOffsetDims()),
              toC(dims.getCollapsedSliceDims()),
              toC(dims.getOperandBatchingDims()),
              toC(dims.getStartIndicesBatchingDims()),
              toC(dims.getStartIndexMap()),
              dims.getIndexVectorDim()};
  return true;
}

MlirAttribute
haloGatherDimensionNumbersBuild(MlirContext context,
                                const HaloGatherDimensionNumbers *members) {
  return wrap(GatherDimensionNumbersAttr::get(
      loaded(context), fromC(members->offsetDims),
      fromC(members->collapsedSliceDims), fromC(members->operandBatchingDims),
      fromC(members->startIndicesBatchingDims), fromC(members->startIndexMap),
      members->indexVectorDim));
}

bool haloScatterDimensionNumbersRead(MlirAttribute attribute,
                                     HaloScatterDimensionNumbers *members) {
  auto dims = dyn_cast<ScatterDimensionNumbersAttr>(unwrap(attribute));
  if (!dims)
    return false;
  *members = {toC(dims.getUpdateWindowDims()),
              toC(dims.getInsertedWindowDims()),
              toC(dims.getInputBatchingDims()),
              toC(dims.getScatterIndicesBatchingDims()),
              toC(dims.getScatterDimsToOperandDims()),
              dims.getIndexVectorDim()};
  return true;
}

MlirAttribute
haloScatterDimensionNumbersBuild(MlirContext context,
                                 const HaloScatterDimensionNumbers *members) {
  return wrap(ScatterDimensionNumbersAttr::get(
      loaded(context), fromC(members->updateWindowDims),
      fromC(members->insertedWindowDims), fromC(members->inputBatchingDims),
      fromC(members->scatterIndicesBatchingDims),
      fromC(members->scatterDimsToOperandDims), members->indexVectorDim));
}

bool haloConvDimensionNumbersRead(MlirAttribute attribute,
                                  HaloConvDimensionNumbers *members) {
  auto dims = dyn_cast<ConvDimensionNumbersAttr>(unwrap(attribute));
  if (!dims)
    return false;
  *members = {dims.getInputBatchDimension(),
              dims.getInputFeatureDimension(),
              toC(dims.getInputSpatialDimensions()),
              dims.getKernelInputFeatureDimension(),
              dims.getKernelOutputFeatureDimension(),
              toC(dims.getKernelSpatialDimensions()),
              dims.getOutputBatchDimension(),
              dims.getOutputFeatureDimension(),
              toC(dims.getOutputSpatialDimensions())};
  return true;
}

MlirAttribute
haloConvDimensionNumbersBuild(MlirContext context,
                              const HaloConvDimensionNumbers *members) {
  return wrap(ConvDimensionNumbersAttr::get(
      loaded(context), members->inputBatchDimension,
      members->inputFeatureDimension, fromC(members->inputSpatialDimensions),
      members->kernelInputFeatureDimension,
      members->kernelOutputFeatureDimension,
      fromC(members->kernelSpatialDimensions), members->outputBatchDimension,
      members->outputFeatureDimension,
      fromC(members->outputSpatialDimensions)));
}

//===----------------------------------------------------------------------===//
// Algorithms, accuracy, channels, aliases, encodings
//===----------------------------------------------------------------------===//

bool haloDotAlgorithmRead(MlirAttribute attribute, HaloDotAlgorithm *members) {
  auto algorithm = dyn_cast<DotAlgorithmAttr>(unwrap(attribute));
  if (!algorithm)
    return false;
  *members = {wrap(algorithm.getLhsPrecisionType()),
              wrap(algorithm.getRhsPrecisionType()),
              wrap(algorithm.getAccumulationType()),
              algorithm.getLhsComponentCount(),
              algorithm.getRhsComponentCount(),
              algorithm.getNumPrimitiveOperations(),
              algorithm.getAllowImpreciseAccumulation()};
  return true;
}

/// Discards the diagnostic of a verification whose failure is returned as a null attribute.
static InFlightDiagnostic abandoned(MLIRContext *context) {
  InFlightDiagnostic diagnostic = emitError(UnknownLoc::get(context));
  diagnostic.abandon();
  return diagnostic;
}

MlirAttribute haloDotAlgorithmBuild(MlirContext context,
                                    const HaloDotAlgorithm *members) {
  MLIRContext *unwrapped = loaded(context);
  return wrap(DotAlgorithmAttr::getChecked(
      [&]() { return abandoned(unwrapped); }, unwrapped,
      unwrap(members->lhsPrecisionType), unwrap(members->rhsPrecisionType),
      unwrap(members->accumulationType), members->lhsComponentCount,
      members->rhsComponentCount, members->numPrimitiveOperations,
      members->allowImpreciseAccumulation));
}

bool haloResultAccuracyRead(MlirAttribute attribute,
                            HaloResultAccuracy *members) {
  auto accuracy = dyn_cast<ResultAccuracyAttr>(unwrap(attribute));
  if (!accuracy)
    return false;
  *members = {accuracy.getAtol().convertToDouble(),
              accuracy.getRtol().convertToDouble(), accuracy.getUlps(),
              static_cast<uint32_t>(accuracy.getMode().getValue())};
  return true;
}

MlirAttribute haloResultAccuracyBuild(MlirContext context,
                                      const HaloResultAccuracy *members) {
  MLIRContext *unwrapped = loaded(context);
  std::optional<ResultAccuracyMode> mode =
      symbolizeResultAccuracyMode(members->mode);
  if (!mode)
    return {nullptr};
  return wrap(ResultAccuracyAttr::getChecked(
      [&]() { return abandoned(unwrapped); }, unwrapped,
      llvm::APFloat(members->atol), llvm::APFloat(members->rtol), members->ulps,
      ResultAccuracyModeAttr::get(unwrapped, *mode)));
}

bool haloChannelHandleRead(MlirAttribute attribute,
                           HaloChannelHandle *members) {
  auto channel = dyn_cast<ChannelHandleAttr>(unwrap(attribute));
  if (!channel)
    return false;
  *members = {channel.getHandle(), channel.getType()};
  return true;
}

MlirAttribute haloChannelHandleBuild(MlirContext context,
                                     const HaloChannelHandle *members) {
  return wrap(ChannelHandleAttr::get(loaded(context), members->handle,
                                     members->type));
}

bool haloOutputOperandAliasRead(MlirAttribute attribute,
                                HaloOutputOperandAlias *members) {
  auto alias = dyn_cast<OutputOperandAliasAttr>(unwrap(attribute));
  if (!alias)
    return false;
  *members = {toC(alias.getOutputTupleIndices()), alias.getOperandIndex(),
              toC(alias.getOperandTupleIndices())};
  return true;
}

MlirAttribute
haloOutputOperandAliasBuild(MlirContext context,
                            const HaloOutputOperandAlias *members) {
  return wrap(OutputOperandAliasAttr::get(
      loaded(context), fromC(members->outputTupleIndices),
      members->operandIndex, fromC(members->operandTupleIndices)));
}

bool haloTypeExtensionsRead(MlirAttribute attribute,
                            HaloTypeExtensions *members) {
  auto extensions = dyn_cast<TypeExtensionsAttr>(unwrap(attribute));
  if (!extensions)
    return false;
  *members = {toC(extensions.getBounds())};
  return true;
}

MlirAttribute haloTypeExtensionsBuild(MlirContext context,
                                      const HaloTypeExtensions *members) {
  return wrap(TypeExtensionsAttr::get(loaded(context), fromC(members->bounds)));
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

namespace {

/// Reads and builds one kind of enumeration.
struct EnumAccess {
  std::optional<uint32_t> (*read)(Attribute attribute);
  Attribute (*build)(MLIRContext *context, uint32_t value);
};

template <typename Attr, typename Enum,
          std::optional<Enum> (*symbolize)(uint32_t)>
constexpr EnumAccess accessTo() {
  return {[](Attribute attribute) -> std::optional<uint32_t> {
            if (auto typed = dyn_cast<Attr>(attribute))
              return static_cast<uint32_t>(typed.getValue());
            return std::nullopt;
          },
          [](MLIRContext *context, uint32_t value) -> Attribute {
            if (std::optional<Enum> symbol = symbolize(value))
              return Attr::get(context, *symbol);
            return {};
          }};
}

} // namespace

static std::optional<EnumAccess> getEnumAccess(HaloEnum kind) {
  switch (kind) {
  case HaloEnumStablehloPrecision:
    return accessTo<PrecisionAttr, Precision, symbolizePrecision>();
  case HaloEnumStablehloResultAccuracyMode:
    return accessTo<ResultAccuracyModeAttr, ResultAccuracyMode,
                    symbolizeResultAccuracyMode>();
  case HaloEnumStablehloFftType:
    return accessTo<FftTypeAttr, FftType, symbolizeFftType>();
  case HaloEnumStablehloComparisonDirection:
    return accessTo<ComparisonDirectionAttr, ComparisonDirection,
                    symbolizeComparisonDirection>();
  case HaloEnumStablehloComparisonType:
    return accessTo<ComparisonTypeAttr, ComparisonType,
                    symbolizeComparisonType>();
  case HaloEnumStablehloTranspose:
    return accessTo<TransposeAttr, Transpose, symbolizeTranspose>();
  case HaloEnumStablehloRngDistribution:
    return accessTo<RngDistributionAttr, RngDistribution,
                    symbolizeRngDistribution>();
  case HaloEnumStablehloRngAlgorithm:
    return accessTo<RngAlgorithmAttr, RngAlgorithm, symbolizeRngAlgorithm>();
  case HaloEnumChloPrecision:
    return accessTo<chlo::PrecisionAttr, chlo::Precision,
                    chlo::symbolizePrecision>();
  case HaloEnumChloComparisonDirection:
    return accessTo<chlo::ComparisonDirectionAttr, chlo::ComparisonDirection,
                    chlo::symbolizeComparisonDirection>();
  case HaloEnumChloComparisonType:
    return accessTo<chlo::ComparisonTypeAttr, chlo::ComparisonType,
                    chlo::symbolizeComparisonType>();
  }
  return std::nullopt;
}

bool haloEnumRead(MlirAttribute attribute, HaloEnum kind, uint32_t *value) {
  std::optional<EnumAccess> access = getEnumAccess(kind);
  std::optional<uint32_t> number =
      access ? access->read(unwrap(attribute)) : std::nullopt;
  if (number)
    *value = *number;
  return number.has_value();
}

MlirAttribute haloEnumBuild(MlirContext context, HaloEnum kind,
                            uint32_t value) {
  std::optional<EnumAccess> access = getEnumAccess(kind);
  return wrap(access ? access->build(loaded(context), value) : Attribute());
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool haloTypeIsToken(MlirType type) { return isa<TokenType>(unwrap(type)); }

MlirType haloTokenTypeGet(MlirContext context) {
  return wrap(TokenType::get(loaded(context)));
}

bool haloTypeIsFuture(MlirType type) { return isa<FutureType>(unwrap(type)); }

MlirType haloFutureTypeGet(MlirContext context, intptr_t numTypes,
                           const MlirType *types) {
  SmallVector<Type> elements;
  for (MlirType type : ArrayRef<MlirType>(types, numTypes)) {
    elements.push_back(unwrap(type));
    if (!isa<RankedTensorType>(elements.back()))
      return {nullptr};
  }
  return wrap(FutureType::get(loaded(context), elements));
}

intptr_t haloFutureTypeGetNumTypes(MlirType type) {
  return cast<FutureType>(unwrap(type)).getTypes().size();
}

MlirType haloFutureTypeGetType(MlirType type, intptr_t position) {
  return wrap(cast<FutureType>(unwrap(type)).getTypes()[position]);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool haloDenseResourceRead(MlirAttribute attribute, MlirStringRef *data) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(unwrap(attribute));
  if (!resource)
    return false;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return false;
  *data = mlirStringRefCreate(blob->getData().data(), blob->getData().size());
  return true;
}
