// Upstream's elimination of common subexpressions, with hashes that tell regions apart.
//
// Upstream hashes an op without its regions and compares them where hashes are equal. A
// thousand structured ops that read the same operands and compute something else in their
// regions are compared each with all others. Here, an op with regions has a hash of them in
// an attribute while upstream's pass runs.

#include "mlir/Transforms/CSE.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using llvm::hash_code;

namespace {

// The discardable attribute that is there during the pass.
constexpr StringLiteral kRegions = "halo.regions";

// Hashes the regions of an op. Regions that upstream takes for equal have equal hashes: a
// value from outside is hashed only if it is a constant, since another one may be merged
// with what is here in its place.
class RegionHash {
public:
  static uint64_t of(Operation &op) {
    RegionHash hash;
    return hash.regions(op);
  }

private:
  hash_code regions(Operation &op) {
    hash_code code = op.getNumRegions();
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        for (BlockArgument argument : block.getArguments())
          code = llvm::hash_combine(code, define(argument));
        for (Operation &nested : block)
          code = llvm::hash_combine(code, operation(nested));
      }
    return code;
  }

  hash_code operation(Operation &op) {
    bool commutes = op.hasTrait<OpTrait::IsCommutative>();
    size_t operands = 0;
    for (Value operand : op.getOperands()) {
      size_t code = value(operand);
      operands = commutes ? operands + code
                          : size_t(llvm::hash_combine(operands, code));
    }
    hash_code code =
        llvm::hash_combine(op.getName(), op.getDiscardableAttrDictionary(),
                           op.hashProperties(), operands);
    for (Value result : op.getResults())
      code = llvm::hash_combine(code, define(result));
    return llvm::hash_combine(code, regions(op));
  }

  hash_code define(Value value) {
    numbers.try_emplace(value, numbers.size());
    return hash_value(value.getType());
  }

  hash_code value(Value value) {
    auto found = numbers.find(value);
    if (found != numbers.end())
      return llvm::hash_combine(found->second);
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      return hash_value(constant);
    return hash_value(value.getType());
  }

  llvm::DenseMap<Value, size_t> numbers;
};

} // namespace

extern "C" {

void haloEliminateCommonSubexpressions(MlirOperation root) {
  Operation *op = unwrap(root);
  Builder builder(op->getContext());
  StringAttr name = builder.getStringAttr(kRegions);
  op->walk([&](Operation *nested) {
    if (nested != op && nested->getNumRegions() != 0)
      nested->setDiscardableAttr(
          name, builder.getI64IntegerAttr(RegionHash::of(*nested)));
  });
  DominanceInfo dominance(op);
  IRRewriter rewriter(op->getContext());
  eliminateCommonSubExpressions(rewriter, dominance, op);
  op->walk([&](Operation *nested) { nested->removeDiscardableAttr(name); });
}

} // extern "C"
