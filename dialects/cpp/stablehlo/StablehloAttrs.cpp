//===- StablehloAttrs.cpp - Attributes and types of the stablehlo dialect -===//

#include "StablehloAttrs.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::stablehlo;

//===----------------------------------------------------------------------===//
// Directives of the declarative formats
//===----------------------------------------------------------------------===//

static void printTupleIndices(AsmPrinter &printer, ArrayRef<int64_t> indices) {
  halo::printDimensionList(printer, indices);
}

static ParseResult parseTupleIndices(AsmParser &parser,
                                     SmallVectorImpl<int64_t> &indices) {
  return halo::parseDimensionList(parser, indices);
}

static void printBounds(AsmPrinter &printer, ArrayRef<int64_t> bounds) {
  llvm::interleaveComma(bounds, printer, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      printer << '?';
    else
      printer << bound;
  });
}

/// Parses any number of bounds; a scalar has none.
static ParseResult parseBounds(AsmParser &parser,
                               SmallVectorImpl<int64_t> &bounds) {
  do {
    int64_t bound;
    OptionalParseResult isInteger = parser.parseOptionalInteger(bound);
    if (isInteger.has_value() && failed(*isInteger))
      return failure();
    if (isInteger.has_value())
      bounds.push_back(bound);
    else if (succeeded(parser.parseOptionalQuestion()))
      bounds.push_back(ShapedType::kDynamic);
    else if (bounds.empty())
      return success();
    else
      return parser.emitError(parser.getCurrentLocation(),
                              "expected an integer or '?'");
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

static void printBracketedAxes(AsmPrinter &printer,
                               ArrayRef<MeshAxisAttr> axes) {
  printer << '[';
  llvm::interleaveComma(axes, printer, [&](MeshAxisAttr axis) {
    printer.printStrippedAttrOrType(axis);
  });
  printer << ']';
}

static ParseResult parseBracketedAxes(AsmParser &parser,
                                      SmallVectorImpl<MeshAxisAttr> &axes) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        return parser.parseCustomAttributeWithFallback(axes.emplace_back());
      });
}

//===----------------------------------------------------------------------===//
// Generated definitions
//===----------------------------------------------------------------------===//

#include "StablehloEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "StablehloTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "StablehloAttrs.cpp.inc"

void StablehloDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "StablehloTypes.cpp.inc"
      >();
}

void StablehloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "StablehloAttrs.cpp.inc"
      >();
}

/// Parses `<bounds = [3, ?]>`, the older syntax for the bounds of a tensor.
static Attribute parseTypeExtensions(DialectAsmParser &parser) {
  SmallVector<int64_t> bounds;
  if (parser.parseLess() || parser.parseKeyword("bounds") ||
      parser.parseEqual() || parser.parseLSquare() || parseBounds(parser, bounds) ||
      parser.parseRSquare() ||
      parser.parseGreater())
    return {};
  return TypeExtensionsAttr::get(parser.getContext(), bounds);
}

Attribute StablehloDialect::parseAttribute(DialectAsmParser &parser,
                                           Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult result =
      generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (result.has_value())
    return succeeded(*result) ? attribute : Attribute();
  if (mnemonic == "type_extensions")
    return parseTypeExtensions(parser);
  parser.emitError(loc) << "unknown attribute '" << mnemonic
                        << "' in dialect 'stablehlo'";
  return {};
}

void StablehloDialect::printAttribute(Attribute attribute,
                                      DialectAsmPrinter &printer) const {
  // All attributes of the dialect are generated, so the printer always succeeds.
  (void)generatedAttributePrinter(attribute, printer);
}

//===----------------------------------------------------------------------===//
// Dimension numbers
//===----------------------------------------------------------------------===//

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  if (halo::parseDimensionStruct(
          parser, {{"lhs_batching_dimensions", &lhsBatching},
                   {"rhs_batching_dimensions", &rhsBatching},
                   {"lhs_contracting_dimensions", &lhsContracting},
                   {"rhs_contracting_dimensions", &rhsContracting}}))
    return {};
  return get(parser.getContext(), lhsBatching, rhsBatching, lhsContracting,
             rhsContracting);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  halo::printDimensionStruct(
      printer, {{"lhs_batching_dimensions", getLhsBatchingDimensions()},
                {"rhs_batching_dimensions", getRhsBatchingDimensions()},
                {"lhs_contracting_dimensions", getLhsContractingDimensions()},
                {"rhs_contracting_dimensions", getRhsContractingDimensions()}});
}

LogicalResult DotAlgorithmAttr::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError, Type lhsPrecisionType,
    Type rhsPrecisionType, Type accumulationType, int64_t lhsComponentCount,
    int64_t rhsComponentCount, int64_t numPrimitiveOperations,
    bool allowImpreciseAccumulation) {
  return halo::verifyDotAlgorithm(
      emitError, lhsPrecisionType, rhsPrecisionType, accumulationType,
      lhsComponentCount, rhsComponentCount, numPrimitiveOperations,
      allowImpreciseAccumulation);
}

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> offset, collapsed, operandBatching, indicesBatching, map;
  int64_t indexVectorDim = 0;
  if (halo::parseDimensionStruct(
          parser, {{"offset_dims", &offset},
                   {"collapsed_slice_dims", &collapsed},
                   {"operand_batching_dims", &operandBatching},
                   {"start_indices_batching_dims", &indicesBatching},
                   {"start_index_map", &map},
                   {"index_vector_dim", nullptr, &indexVectorDim}}))
    return {};
  return get(parser.getContext(), offset, collapsed, operandBatching,
             indicesBatching, map, indexVectorDim);
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  halo::printDimensionStruct(
      printer, {{"offset_dims", getOffsetDims()},
                {"collapsed_slice_dims", getCollapsedSliceDims()},
                {"operand_batching_dims", getOperandBatchingDims()},
                {"start_indices_batching_dims", getStartIndicesBatchingDims()},
                {"start_index_map", getStartIndexMap()},
                {"index_vector_dim", {}, getIndexVectorDim()}});
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> window, inserted, inputBatching, indicesBatching, map;
  int64_t indexVectorDim = 0;
  if (halo::parseDimensionStruct(
          parser, {{"update_window_dims", &window},
                   {"inserted_window_dims", &inserted},
                   {"input_batching_dims", &inputBatching},
                   {"scatter_indices_batching_dims", &indicesBatching},
                   {"scatter_dims_to_operand_dims", &map},
                   {"index_vector_dim", nullptr, &indexVectorDim}}))
    return {};
  return get(parser.getContext(), window, inserted, inputBatching,
             indicesBatching, map, indexVectorDim);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  halo::printDimensionStruct(
      printer,
      {{"update_window_dims", getUpdateWindowDims()},
       {"inserted_window_dims", getInsertedWindowDims()},
       {"input_batching_dims", getInputBatchingDims()},
       {"scatter_indices_batching_dims", getScatterIndicesBatchingDims()},
       {"scatter_dims_to_operand_dims", getScatterDimsToOperandDims()},
       {"index_vector_dim", {}, getIndexVectorDim()}});
}

//===----------------------------------------------------------------------===//
// Result accuracy
//===----------------------------------------------------------------------===//

ResultAccuracyAttr halo::defaultResultAccuracy(MLIRContext *context) {
  return ResultAccuracyAttr::get(
      context, llvm::APFloat(0.0), llvm::APFloat(0.0), 0,
      ResultAccuracyModeAttr::get(context, ResultAccuracyMode::DEFAULT));
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  auto parseMember = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("atol")))
      return failure(parser.parseEqual() || parser.parseFloat(atol));
    if (succeeded(parser.parseOptionalKeyword("rtol")))
      return failure(parser.parseEqual() || parser.parseFloat(rtol));
    if (succeeded(parser.parseOptionalKeyword("ulps")))
      return failure(parser.parseEqual() || parser.parseInteger(ulps));
    return failure(parser.parseKeyword("mode") || parser.parseEqual() ||
                   parser.parseAttribute(mode));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseMember))
    return {};
  if (!mode) {
    parser.emitError(loc, "expected 'mode'");
    return {};
  }
  return getChecked([&]() { return parser.emitError(loc); },
                    parser.getContext(), llvm::APFloat(atol),
                    llvm::APFloat(rtol), ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (!getAtol().isZero()) {
    printer << "atol = ";
    printer.printFloat(getAtol());
    printer << ", ";
  }
  if (!getRtol().isZero()) {
    printer << "rtol = ";
    printer.printFloat(getRtol());
    printer << ", ";
  }
  if (getUlps() != 0)
    printer << "ulps = " << getUlps() << ", ";
  printer << "mode = " << getMode() << '>';
}

LogicalResult
ResultAccuracyAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                           llvm::APFloat atol, llvm::APFloat rtol, int64_t ulps,
                           ResultAccuracyModeAttr mode) {
  if (atol.isNegative() || rtol.isNegative() || ulps < 0)
    return emitError() << "a tolerance must not be negative";
  if (mode.getValue() != ResultAccuracyMode::TOLERANCE &&
      (!atol.isZero() || !rtol.isZero() || ulps != 0))
    return emitError() << "tolerances need the mode TOLERANCE, but the mode is "
                       << stringifyResultAccuracyMode(mode.getValue());
  return success();
}

//===----------------------------------------------------------------------===//
// Types and encodings
//===----------------------------------------------------------------------===//

LogicalResult
FutureType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   ArrayRef<Type> types) {
  for (Type type : types)
    if (!isa<RankedTensorType>(type))
      return emitError() << "a future holds ranked tensors, but got " << type;
  return success();
}

LogicalResult TypeExtensionsAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    llvm::function_ref<InFlightDiagnostic()> emitError) const {
  ArrayRef<int64_t> bounds = getBounds();
  if (bounds.size() != shape.size())
    return emitError() << "expected one bound per dimension, but got "
                       << bounds.size() << " bounds for rank " << shape.size();
  for (auto [dim, size, bound] : llvm::enumerate(shape, bounds))
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(bound))
      return emitError() << "dimension " << dim
                         << " is static and cannot have a bound";
  return success();
}
