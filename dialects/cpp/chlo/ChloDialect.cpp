//===- ChloDialect.cpp - The chlo dialect and its attributes --------------===//

#include "ChloDialect.h"

#include "StablehloInlining.h"
#include "StablehloShapeOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::chlo;

#include "ChloDialect.cpp.inc"

#include "ChloEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ChloAttrs.cpp.inc"

void ChloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ChloAttrs.cpp.inc"
      >();
}

void ChloDialect::initialize() {
  registerAttributes();
  registerUnaryOps();
  registerBroadcastOps();
  registerOtherOps();
  registerBytecode();
  addInterfaces<halo::InlinesEverywhere>();
}

Operation *ChloDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return stablehlo::ConstantOp::materialize(builder, value, type, loc);
}

Attribute RaggedDotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting, rhsContracting,
      lhsRagged, rhsGroup;
  if (halo::parseDimensionStruct(
          parser, {{"lhs_batching_dimensions", &lhsBatching},
                   {"rhs_batching_dimensions", &rhsBatching},
                   {"lhs_contracting_dimensions", &lhsContracting},
                   {"rhs_contracting_dimensions", &rhsContracting},
                   {"lhs_ragged_dimensions", &lhsRagged},
                   {"rhs_group_dimensions", &rhsGroup}}))
    return {};
  return get(parser.getContext(), lhsBatching, rhsBatching, lhsContracting,
             rhsContracting, lhsRagged, rhsGroup);
}

void RaggedDotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  halo::printDimensionStruct(
      printer, {{"lhs_batching_dimensions", getLhsBatchingDimensions()},
                {"rhs_batching_dimensions", getRhsBatchingDimensions()},
                {"lhs_contracting_dimensions", getLhsContractingDimensions()},
                {"rhs_contracting_dimensions", getRhsContractingDimensions()},
                {"lhs_ragged_dimensions", getLhsRaggedDimensions()},
                {"rhs_group_dimensions", getRhsGroupDimensions()}});
}
