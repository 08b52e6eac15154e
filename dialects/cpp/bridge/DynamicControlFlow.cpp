//===- DynamicControlFlow.cpp - Calls and branches that are declared in Rust -===//
//
// Implements upstream's control-flow interfaces by the definition of an op. Each is implemented by
// a class to which any op can be cast; no op is registered as that class.
//
//===----------------------------------------------------------------------===//

#include "DynamicDialect.h"

#include "mlir/CAPI/Support.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace halo;

static const HaloOpDefinition &definitionOf(Operation *op) {
  return DeclaredOp::of(op->getName()).getDefinition();
}

/// The operands of a group, with the attribute that has their number.
static MutableOperandRange mutableGroup(Operation *op, int32_t group) {
  const DeclaredOp &declared = DeclaredOp::of(op->getName());
  auto [start, size] = declared.operandGroup(op, group);
  StringRef name = "operandSegmentSizes";
  if (!declared.getDefinition().hasOperandSegments)
    return MutableOperandRange(op, start, size);
  auto sizes = op->getAttrOfType<DenseI32ArrayAttr>(name);
  if (!sizes)
    return MutableOperandRange(op, start, 0);
  NamedAttribute segments(StringAttr::get(op->getContext(), name), sizes);
  return MutableOperandRange(op, start, size,
                             {MutableOperandRange::OperandSegment(group, segments)});
}

namespace halo {

/// Any op that calls a function by its symbol.
class AnyCall : public Op<AnyCall, ArgAndResultAttrsOpInterface::Trait,
                          CallOpInterface::Trait, SymbolUserOpInterface::Trait> {
public:
  using Op::Op;
  static bool classof(Operation *) { return true; }
  static StringRef getOperationName() { return "halo.any_call"; }

  SymbolRefAttr callee() {
    StringRef name = unwrap(definitionOf(getOperation()).callee);
    return getOperation()->getAttrOfType<SymbolRefAttr>(name);
  }
  CallInterfaceCallable getCallableForCallee() { return callee(); }
  void setCalleeFromCallable(CallInterfaceCallable callee) {
    StringRef name = unwrap(definitionOf(getOperation()).callee);
    if (auto symbol = dyn_cast<SymbolRefAttr>(callee))
      getOperation()->setAttr(name, symbol);
  }
  MutableOperandRange getArgOperandsMutable() {
    return mutableGroup(getOperation(),
                        definitionOf(getOperation()).callArguments);
  }
  Operation::operand_range getArgOperands() { return getArgOperandsMutable(); }

  ArrayAttr getArgAttrsAttr() { return {}; }
  ArrayAttr getResAttrsAttr() { return {}; }
  void setArgAttrsAttr(ArrayAttr) {}
  void setResAttrsAttr(ArrayAttr) {}
  Attribute removeArgAttrsAttr() { return {}; }
  Attribute removeResAttrsAttr() { return {}; }

  LogicalResult verifySymbolUses(SymbolTableCollection &symbols) {
    auto function = dyn_cast_or_null<CallableOpInterface>(
        symbols.lookupNearestSymbolFrom(getOperation(), callee()));
    if (!function)
      return emitOpError() << "calls " << callee() << ", which is no function";
    TypeRange arguments = function.getArgumentTypes();
    TypeRange given = getArgOperands().getTypes();
    if (given != arguments)
      return emitOpError() << "calls " << callee() << " with (" << given
                           << "), but it takes (" << arguments << ")";
    TypeRange results = function.getResultTypes();
    if (getOperation()->getResultTypes() != results)
      return emitOpError() << "has results (" << getOperation()->getResultTypes()
                           << "), but " << callee() << " returns (" << results
                           << ")";
    return success();
  }
};

/// Any terminator that passes operands to the blocks that it branches to.
class AnyBranch : public Op<AnyBranch, BranchOpInterface::Trait> {
public:
  using Op::Op;
  static bool classof(Operation *) { return true; }
  static StringRef getOperationName() { return "halo.any_branch"; }

  SuccessorOperands getSuccessorOperands(unsigned index) {
    const HaloOpDefinition &definition = definitionOf(getOperation());
    return SuccessorOperands(
        mutableGroup(getOperation(), definition.successorOperands[index]));
  }
};

/// Any op whose regions pass values to each other and to its results.
class AnyRegionBranch
    : public Op<AnyRegionBranch, RegionBranchOpInterface::Trait> {
public:
  using Op::Op;
  using RegionBranchOpInterface::Trait<AnyRegionBranch>::getSuccessorRegions;
  static bool classof(Operation *) { return true; }
  static StringRef getOperationName() { return "halo.any_region_branch"; }

  OperandRange getEntrySuccessorOperands(RegionSuccessor) {
    Operation *op = getOperation();
    int32_t group = definitionOf(op).regionInputs;
    if (group < 0)
      return OperandRange(op->operand_end(), op->operand_end());
    return mutableGroup(op, group);
  }

  void getSuccessorRegions(RegionBranchPoint point,
                           SmallVectorImpl<RegionSuccessor> &successors) {
    Operation *op = getOperation();
    const HaloOpDefinition &definition = definitionOf(op);
    intptr_t source = 0;
    if (!point.isParent())
      source = 1 + std::min<intptr_t>(point.getTerminatorPredecessorOrNull()
                                          ->getParentRegion()
                                          ->getRegionNumber(),
                                      definition.numRegions - 1);
    const HaloRegionTargets &targets = definition.regionTargets[source];
    for (intptr_t i = 0; i < targets.count; ++i) {
      int32_t first = targets.regions[i];
      if (first < 0) {
        successors.emplace_back(op, op->getResults());
        continue;
      }
      bool isOpen =
          definition.lastRegionIsVariadic && first + 1 == definition.numRegions;
      unsigned end = isOpen ? op->getNumRegions() : first + 1;
      for (unsigned number = first; number < end; ++number) {
        Region &region = op->getRegion(number);
        auto arguments = region.getArguments();
        size_t produced = std::min<size_t>(definition.producedArguments,
                                           arguments.size());
        successors.emplace_back(&region, arguments.drop_front(produced));
      }
    }
  }
};

/// Any terminator that returns its operands from a region.
class AnyReturn : public Op<AnyReturn, RegionBranchTerminatorOpInterface::Trait> {
public:
  using Op::Op;
  static bool classof(Operation *) { return true; }
  static StringRef getOperationName() { return "halo.any_return"; }

  MutableOperandRange getMutableSuccessorOperands(RegionSuccessor) {
    return MutableOperandRange(getOperation());
  }
};

} // namespace halo

void halo::insertControlFlowInterfaces(const HaloOpDefinition &definition,
                                       detail::InterfaceMap &interfaces) {
  if (definition.callee.length > 0)
    interfaces.insertModels<ArgAndResultAttrsOpInterface::Trait<AnyCall>::ModelT,
                            CallOpInterface::Trait<AnyCall>::ModelT,
                            SymbolUserOpInterface::Trait<AnyCall>::ModelT>();
  if (definition.successorOperands)
    interfaces.insertModels<BranchOpInterface::Trait<AnyBranch>::ModelT>();
  if (definition.regionTargets)
    interfaces
        .insertModels<RegionBranchOpInterface::Trait<AnyRegionBranch>::ModelT>();
  if (definition.traits >> HaloTraitReturnLike & 1)
    interfaces.insertModels<
        RegionBranchTerminatorOpInterface::Trait<AnyReturn>::ModelT>();
}

LogicalResult halo::verifyControlFlow(const HaloOpDefinition &definition,
                                      Operation *op) {
  if (definition.successorOperands) {
    AnyBranch branch(op);
    for (unsigned i = 0, e = op->getNumSuccessors(); i != e; ++i)
      if (failed(detail::verifyBranchSuccessorOperands(
              op, i, branch.getSuccessorOperands(i))))
        return failure();
  }
  bool isReturn = definition.traits >> HaloTraitReturnLike & 1;
  auto function = dyn_cast_or_null<FunctionOpInterface>(op->getParentOp());
  if (isReturn && function &&
      TypeRange(function.getResultTypes()) != TypeRange(op->getOperandTypes()))
    return op->emitOpError()
           << "returns (" << op->getOperandTypes()
           << ") from a function that returns (" << function.getResultTypes()
           << ")";
  return success();
}

LogicalResult
halo::verifyControlFlowOfRegions(const HaloOpDefinition &definition,
                                 Operation *op) {
  return definition.regionTargets ? detail::verifyRegionBranchOpInterface(op)
                                  : success();
}
