//===- StablehloControlFlowOps.cpp - Ops of dialects/stablehlo/ControlFlowOps.td -----===//

#include "StablehloControlFlowOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "StablehloControlFlowOps.cpp.inc"

void StablehloDialect::registerControlFlowOps() {
  addOperations<
#define GET_OP_LIST
#include "StablehloControlFlowOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// if, case
//===----------------------------------------------------------------------===//

/// Branching ops run one of their regions, which yields the results. The folding hook selects the
/// region for constant operands.
static void getSuccessorsOfChoice(Operation *op, RegionBranchPoint point,
                                  SmallVectorImpl<RegionSuccessor> &regions) {
  if (!point.isParent()) {
    regions.emplace_back(op, op->getResults());
    return;
  }
  for (Region &region : op->getRegions())
    regions.emplace_back(&region, region.getArguments());
}

void IfOp::getSuccessorRegions(RegionBranchPoint point,
                               SmallVectorImpl<RegionSuccessor> &regions) {
  getSuccessorsOfChoice(*this, point, regions);
}

void CaseOp::getSuccessorRegions(RegionBranchPoint point,
                                 SmallVectorImpl<RegionSuccessor> &regions) {
  getSuccessorsOfChoice(*this, point, regions);
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

void WhileOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

SmallVector<Region *> WhileOp::getLoopRegions() {
  return {&getCond(), &getBody()};
}

/// The pretty form prints one list of types for the operands, the results and the arguments of both
/// regions, and one list of names for the arguments.
static bool hasUniformTypes(WhileOp op) {
  TypeRange types = op.getOperandTypes();
  return types == op.getResultTypes() &&
         llvm::all_of(op->getRegions(), [&](Region &region) {
           return region.hasOneBlock() &&
                  types == TypeRange(region.getArgumentTypes());
         });
}

void WhileOp::print(OpAsmPrinter &printer) {
  if (!hasUniformTypes(*this)) {
    printer.printGenericOp(*this, /*printOpName=*/false);
    return;
  }
  printer << '(';
  llvm::interleaveComma(
      llvm::zip_equal(getCond().getArguments(), getOperands()), printer,
      [&](auto pair) {
        printer.printOperand(std::get<0>(pair));
        printer << " = ";
        printer.printOperand(std::get<1>(pair));
      });
  printer << ')';
  if (getNumOperands() != 0)
    printer << " : " << getOperandTypes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<OpAsmParser::Argument> arguments;
  bool generic = false;
  // `%argument = %operand`, or in generic form the operand alone.
  auto parseEntry = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand first;
    if (parser.parseOperand(first))
      return failure();
    if (operands.empty())
      generic = failed(parser.parseOptionalEqual());
    else if (!generic && parser.parseEqual())
      return failure();
    if (generic) {
      operands.push_back(first);
      return success();
    }
    arguments.emplace_back().ssaName = first;
    return parser.parseOperand(operands.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseEntry))
    return failure();
  if (generic)
    return parser.parseGenericOperationAfterOpName(
        result, ArrayRef<OpAsmParser::UnresolvedOperand>(operands));

  SmallVector<Type> types;
  SMLoc typesLoc = parser.getCurrentLocation();
  if (!operands.empty() && parser.parseColonTypeList(types))
    return failure();
  if (types.size() != operands.size())
    return parser.emitError(typesLoc)
           << "expected " << operands.size() << " types, but got "
           << types.size();
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  if (parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseKeyword("cond") ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseKeyword("do") ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  for (auto &region : result.regions)
    ensureTerminator(*region, parser.getBuilder(), result.location);
  result.addTypes(types);
  return success();
}

//===----------------------------------------------------------------------===//
// custom_call
//===----------------------------------------------------------------------===//

void CustomCallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // Without the attribute, the op may have side effects.
  BoolAttr hasSideEffect = getHasSideEffectAttr();
  if (hasSideEffect && !hasSideEffect.getValue())
    return;
  effects.emplace_back(MemoryEffects::Allocate::get());
  effects.emplace_back(MemoryEffects::Free::get());
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
