//===- ChloScanSyntax.cpp - The form of chlo.scan -------------------------===//
//
//   chlo.scan(%x) inits (%z) dimension=0 attributes {is_reverse = true} {
//   ^bb0(%input: tensor<3xf32>, %carry: tensor<3xf32>):
//     ...
//   } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
//
// The last results are carries, as many as there are initial values.
//
//===----------------------------------------------------------------------===//

#include "ChloOtherOps.h"

using namespace mlir;
using namespace mlir::chlo;

void ScanOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  for (auto [number, argument] : llvm::enumerate(region.getArguments()))
    setName(argument, number < getInputs().size() ? "input" : "carry");
}

void ScanOp::print(OpAsmPrinter &printer) {
  // The form cannot express another number of carries.
  if (getCarries().size() != getInits().size()) {
    printer.printGenericOp(*this, /*printOpName=*/false);
    return;
  }
  printer << '(' << getInputs() << ") inits (" << getInits()
          << ") dimension=" << getDimension() << ' ';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getDimensionAttrName(), "operandSegmentSizes",
       "resultSegmentSizes"});
  printer << ' ';
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

/// `(%a, %b)`.
static ParseResult
parseOperandList(OpAsmParser &parser,
                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  return parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren);
}

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  if (parseOperandList(parser, inputs))
    return failure();
  if (failed(parser.parseOptionalKeyword("inits")))
    return parser.parseGenericOperationAfterOpName(
        result, ArrayRef<OpAsmParser::UnresolvedOperand>(inputs));

  IntegerAttr dimension;
  FunctionType type;
  if (parseOperandList(parser, inits) || parser.parseKeyword("dimension") ||
      parser.parseEqual() ||
      parser.parseAttribute(dimension, parser.getBuilder().getI64Type()) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion()) || parser.parseColonType(type))
    return failure();
  size_t numResults = type.getNumResults();
  if (numResults < inits.size())
    return parser.emitError(loc)
           << "expected a result for each of the " << inits.size()
           << " initial values, but got " << numResults << " results";

  ensureTerminator(*result.regions.front(), parser.getBuilder(),
                   result.location);
  auto &properties = result.getOrAddProperties<Properties>();
  properties.dimension = dimension;
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    static_cast<int32_t>(inits.size())};
  properties.resultSegmentSizes = {
      static_cast<int32_t>(numResults - inits.size()),
      static_cast<int32_t>(inits.size())};
  result.addTypes(type.getResults());
  llvm::append_range(inputs, inits);
  return parser.resolveOperands(inputs, type.getInputs(), loc,
                                result.operands);
}
