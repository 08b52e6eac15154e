//===- StablehloShapeOps.cpp - Ops of dialects/stablehlo/ShapeOps.td -----===//

#include "StablehloShapeOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "StablehloShapeOps.cpp.inc"

void StablehloDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "StablehloShapeOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

// `dense<1> : tensor<i32>` also determines the result type, unless that is quantized. Then the op
// prints in generic form, which starts with a parenthesis.
void ConstantOp::print(OpAsmPrinter &printer) {
  if (getValue().getType() != getOutput().getType()) {
    printer.printGenericOp(*this, /*printOpName=*/false);
    return;
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << ' ';
  printer.printAttribute(getValue());
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalLParen()))
    return failure(
        parser.parseRParen() ||
        parser.parseGenericOperationAfterOpName(
            result, ArrayRef<OpAsmParser::UnresolvedOperand>()));
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  value = dyn_cast<ElementsAttr>(attribute);
  if (!value)
    return parser.emitError(loc, "expected an elements attribute");
  result.addAttribute("value", value);
  result.addTypes(value.getType());
  return success();
}

ConstantOp ConstantOp::materialize(OpBuilder &builder, Attribute value,
                                   Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elements || !tensor || !tensor.hasStaticShape())
    return nullptr;
  return create(builder, loc, tensor, elements);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  bool integer = getOutput().getType().getElementType().isIntOrIndex();
  setName(getOutput(), integer ? "c" : "cst");
}
