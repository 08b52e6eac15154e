//===- AttributeDirectives.cpp - Attributes with a custom syntax ----------===//

#include "AssemblyFormat.h"

using namespace mlir;
using namespace mlir::stablehlo;

namespace halo::assembly {

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static void printDimensionPair(OpAsmPrinter &printer, ArrayRef<int64_t> lhs,
                               ArrayRef<int64_t> rhs) {
  halo::printDimensionList(printer, lhs);
  printer << " x ";
  halo::printDimensionList(printer, rhs);
}

static ParseResult parseDimensionPair(OpAsmParser &parser,
                                      SmallVectorImpl<int64_t> &lhs,
                                      SmallVectorImpl<int64_t> &rhs) {
  return failure(parser.parseEqual() || halo::parseDimensionList(parser, lhs) ||
                 parser.parseKeyword("x") ||
                 halo::parseDimensionList(parser, rhs));
}

void printDotDimensionNumbers(OpAsmPrinter &printer, Operation *,
                              DotDimensionNumbersAttr dims) {
  if (!dims.getLhsBatchingDimensions().empty() ||
      !dims.getRhsBatchingDimensions().empty()) {
    printer << "batching_dims = ";
    printDimensionPair(printer, dims.getLhsBatchingDimensions(),
                       dims.getRhsBatchingDimensions());
    printer << ", ";
  }
  printer << "contracting_dims = ";
  printDimensionPair(printer, dims.getLhsContractingDimensions(),
                     dims.getRhsContractingDimensions());
}

ParseResult parseDotDimensionNumbers(OpAsmParser &parser,
                                     DotDimensionNumbersAttr &dims) {
  SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parseDimensionPair(parser, lhsBatching, rhsBatching) ||
       parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") ||
      parseDimensionPair(parser, lhsContracting, rhsContracting))
    return failure();
  dims =
      DotDimensionNumbersAttr::get(parser.getContext(), lhsBatching,
                                   rhsBatching, lhsContracting, rhsContracting);
  return success();
}

void printPrecisionConfig(OpAsmPrinter &printer, Operation *,
                          ArrayAttr config) {
  if (!config)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(config, printer, [&](Attribute attribute) {
    printer << stringifyPrecision(cast<PrecisionAttr>(attribute).getValue());
  });
  printer << ']';
}

/// `= [DEFAULT, HIGH]`.
static ParseResult parsePrecisions(OpAsmParser &parser, ArrayAttr &config) {
  SmallVector<Attribute> precisions;
  auto parsePrecision = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<Precision> precision = symbolizePrecision(name);
    if (!precision)
      return parser.emitError(loc) << "unknown precision '" << name << "'";
    precisions.push_back(PrecisionAttr::get(parser.getContext(), *precision));
    return success();
  };
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parsePrecision))
    return failure();
  config = parser.getBuilder().getArrayAttr(precisions);
  return success();
}

ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &config) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseKeyword("precision") ||
                 parsePrecisions(parser, config));
}

void printPrecisionConfigAndAlgorithm(OpAsmPrinter &printer, Operation *op,
                                      ArrayAttr config,
                                      DotAlgorithmAttr algorithm) {
  printPrecisionConfig(printer, op, config);
  if (!algorithm)
    return;
  printer << ", algorithm = ";
  printer.printStrippedAttrOrType(algorithm);
}

ParseResult parsePrecisionConfigAndAlgorithm(OpAsmParser &parser,
                                             ArrayAttr &config,
                                             DotAlgorithmAttr &algorithm) {
  if (failed(parser.parseOptionalComma()))
    return success();
  if (succeeded(parser.parseOptionalKeyword("precision"))) {
    if (parsePrecisions(parser, config))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
  }
  return failure(parser.parseKeyword("algorithm") || parser.parseEqual() ||
                 parser.parseCustomAttributeWithFallback(algorithm));
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

void printConvolutionDimensions(OpAsmPrinter &printer, Operation *,
                                ConvDimensionNumbersAttr dims) {
  halo::printConvDimensions(printer, dims);
}

ParseResult parseConvolutionDimensions(OpAsmParser &parser,
                                       ConvDimensionNumbersAttr &dims) {
  return halo::parseConvDimensions(parser, dims);
}

static void printPadding(OpAsmPrinter &printer, DenseIntElementsAttr padding) {
  auto values = padding.getValues<int64_t>();
  int64_t columns =
      padding.getType().getRank() == 2 ? padding.getType().getDimSize(1) : 1;
  printer << '[';
  for (int64_t i = 0, e = padding.getNumElements(); i < e; ++i) {
    printer << (i == 0 ? "" : ", ") << (i % columns == 0 ? "[" : "")
            << values[i] << (i % columns == columns - 1 ? "]" : "");
  }
  printer << ']';
}

/// `[[low, high], ...]`, one pair per spatial dimension.
static ParseResult parsePadding(OpAsmParser &parser,
                                DenseIntElementsAttr &padding) {
  SmallVector<int64_t> values;
  int64_t rows = 0;
  auto parseRow = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    SmallVector<int64_t> row;
    if (halo::parseDimensionList(parser, row))
      return failure();
    if (row.size() != 2)
      return parser.emitError(loc, "expected a pair of low and high padding");
    llvm::append_range(values, row);
    ++rows;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRow))
    return failure();
  padding = DenseIntElementsAttr::get(
      RankedTensorType::get({rows, 2}, parser.getBuilder().getI64Type()),
      values);
  return success();
}

void printWindowAttributes(OpAsmPrinter &printer, Operation *,
                           DenseI64ArrayAttr strides,
                           DenseIntElementsAttr padding,
                           DenseI64ArrayAttr lhsDilation,
                           DenseI64ArrayAttr rhsDilation,
                           DenseBoolArrayAttr reversal) {
  bool first = true;
  auto begin = [&](StringRef name) {
    printer << (first ? "" : ", ") << name << " = ";
    first = false;
  };
  if (strides) {
    begin("stride");
    halo::printDimensionList(printer, strides);
  }
  if (padding) {
    begin("pad");
    printPadding(printer, padding);
  }
  if (lhsDilation) {
    begin("lhs_dilate");
    halo::printDimensionList(printer, lhsDilation);
  }
  if (rhsDilation) {
    begin("rhs_dilate");
    halo::printDimensionList(printer, rhsDilation);
  }
  if (reversal) {
    begin("reverse");
    printer << '[';
    llvm::interleaveComma(reversal.asArrayRef(), printer, [&](bool reversed) {
      printer << (reversed ? "true" : "false");
    });
    printer << ']';
  }
}

static ParseResult parseBoolList(OpAsmParser &parser,
                                 DenseBoolArrayAttr &list) {
  SmallVector<bool> values;
  auto parseBool = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("true")))
      values.push_back(true);
    else if (succeeded(parser.parseOptionalKeyword("false")))
      values.push_back(false);
    else {
      int64_t number;
      if (parser.parseInteger(number))
        return failure();
      values.push_back(number != 0);
    }
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseBool))
    return failure();
  list = parser.getBuilder().getDenseBoolArrayAttr(values);
  return success();
}

ParseResult parseWindowAttributes(OpAsmParser &parser,
                                  DenseI64ArrayAttr &strides,
                                  DenseIntElementsAttr &padding,
                                  DenseI64ArrayAttr &lhsDilation,
                                  DenseI64ArrayAttr &rhsDilation,
                                  DenseBoolArrayAttr &reversal) {
  auto parseList = [&](DenseI64ArrayAttr &list) -> ParseResult {
    SmallVector<int64_t> values;
    if (halo::parseDimensionList(parser, values))
      return failure();
    list = parser.getBuilder().getDenseI64ArrayAttr(values);
    return success();
  };
  auto parseMember = [&](SMLoc loc, StringRef name) -> ParseResult {
    if (parser.parseEqual())
      return failure();
    auto isNew = [&](Attribute attribute) {
      if (attribute)
        parser.emitError(loc) << "'" << name << "' given twice";
      return !attribute;
    };
    if (name == "stride")
      return failure(!isNew(strides) || parseList(strides));
    if (name == "pad")
      return failure(!isNew(padding) || parsePadding(parser, padding));
    if (name == "lhs_dilate")
      return failure(!isNew(lhsDilation) || parseList(lhsDilation));
    if (name == "rhs_dilate")
      return failure(!isNew(rhsDilation) || parseList(rhsDilation));
    if (name == "reverse")
      return failure(!isNew(reversal) || parseBoolList(parser, reversal));
    return parser.emitError(loc)
           << "unknown window attribute '" << name
           << "', expected stride, pad, lhs_dilate, rhs_dilate or reverse";
  };
  // The braces belong to the op's format, and there may be nothing in them.
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    return success();
  if (parseMember(loc, name))
    return failure();
  while (succeeded(parser.parseOptionalComma())) {
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parseMember(loc, name))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Slices, calls and float formats
//===----------------------------------------------------------------------===//

void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      DenseI64ArrayAttr starts, DenseI64ArrayAttr limits,
                      DenseI64ArrayAttr strides) {
  printer << '[';
  llvm::interleaveComma(
      llvm::zip(starts.asArrayRef(), limits.asArrayRef(), strides.asArrayRef()),
      printer, [&](auto range) {
        auto [start, limit, stride] = range;
        printer << start << ':' << limit;
        if (stride != 1)
          printer << ':' << stride;
      });
  printer << ']';
}

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &starts,
                             DenseI64ArrayAttr &limits,
                             DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> start, limit, stride;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(start.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limit.emplace_back()))
      return failure();
    stride.push_back(1);
    if (succeeded(parser.parseOptionalColon()))
      return parser.parseInteger(stride.back());
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  starts = parser.getBuilder().getDenseI64ArrayAttr(start);
  limits = parser.getBuilder().getDenseI64ArrayAttr(limit);
  strides = parser.getBuilder().getDenseI64ArrayAttr(stride);
  return success();
}

void printCustomCallTarget(OpAsmPrinter &printer, Operation *,
                           StringAttr target) {
  printer.printSymbolName(target.getValue());
}

ParseResult parseCustomCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

void printExponentMantissa(OpAsmPrinter &printer, Operation *,
                           IntegerAttr exponent, IntegerAttr mantissa) {
  printer << 'e';
  printer.printAttributeWithoutType(exponent);
  printer << 'm';
  printer.printAttributeWithoutType(mantissa);
}

ParseResult parseExponentMantissa(OpAsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef format;
  if (parser.parseKeyword(&format))
    return failure();
  StringRef rest = format;
  int32_t exponentBits, mantissaBits;
  if (!rest.consume_front("e") || rest.consumeInteger(10, exponentBits) ||
      !rest.consume_front("m") || rest.consumeInteger(10, mantissaBits) ||
      !rest.empty())
    return parser.emitError(loc)
           << "expected a float format like 'e5m2', but got '" << format << "'";
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}

} // namespace halo::assembly
