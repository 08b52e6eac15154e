// Queries of the program structure that only MLIR's C++ API supports: dominance, uses of symbols,
// and control-flow interfaces.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

static DominanceInfo &unwrapDominance(void *dominance) {
  return *static_cast<DominanceInfo *>(dominance);
}

extern "C" {

void *haloDominanceCreate(MlirOperation op) {
  return new DominanceInfo(unwrap(op));
}

void haloDominanceDestroy(void *dominance) {
  delete &unwrapDominance(dominance);
}

bool haloDominatesOperation(void *dominance, MlirOperation a, MlirOperation b) {
  return unwrapDominance(dominance).properlyDominates(unwrap(a), unwrap(b));
}

bool haloDominatesBlock(void *dominance, MlirBlock a, MlirBlock b) {
  return unwrapDominance(dominance).properlyDominates(unwrap(a), unwrap(b));
}

bool haloValueDominates(void *dominance, MlirValue value, MlirOperation op) {
  return unwrapDominance(dominance).properlyDominates(unwrap(value), unwrap(op));
}

// Returns true if an op is a symbol table with exactly one region and block.
bool haloIsSymbolTable(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  return op->hasTrait<OpTrait::SymbolTable>() && op->getNumRegions() == 1 &&
         op->getRegion(0).hasOneBlock();
}

// Calls a function for each op within `from` that refers to a symbol. Returns false if an op of an
// unknown dialect may hide uses.
bool haloForEachSymbolUse(MlirOperation symbol, MlirOperation from,
                          void (*call)(MlirOperation, void *), void *data) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(unwrap(symbol), unwrap(from));
  if (!uses)
    return false;
  for (SymbolTable::SymbolUse use : *uses)
    call(wrap(use.getUser()), data);
  return true;
}

// Replaces the uses of a symbol within `from` by another name. Returns false if an op of an unknown
// dialect may hide uses.
bool haloReplaceSymbolUses(MlirOperation symbol, MlirStringRef name,
                           MlirOperation from) {
  Operation *op = unwrap(symbol);
  return succeeded(SymbolTable::replaceAllSymbolUses(
      op, StringAttr::get(op->getContext(), unwrap(name)), unwrap(from)));
}

// Returns true if an op forwards values unchanged between functions, blocks or regions.
bool haloForwardsValues(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  return isa<FunctionOpInterface, CallOpInterface, BranchOpInterface,
             RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(op) ||
         op->hasTrait<OpTrait::ReturnLike>();
}

bool haloIsTerminator(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::IsTerminator>();
}

} // extern "C"
