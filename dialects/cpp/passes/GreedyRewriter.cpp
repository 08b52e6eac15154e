// The canonicalization driver (see the header).

#include "GreedyRewriter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace halo {

// Returns true if an op can only have side effects: it has no results and no regions.
static bool hasOnlyEffects(Operation &op) {
  return op.getNumResults() == 0 && op.getNumRegions() == 0 &&
         !op.hasTrait<OpTrait::IsTerminator>();
}

// Walks backwards, because the stores of a loop are at its end.
static bool hasEffectInside(Operation &op, size_t &inspected) {
  for (Region &region : op.getRegions())
    for (Block &block : region)
      for (Operation &nested : llvm::reverse(block)) {
        ++inspected;
        if (hasOnlyEffects(nested) || hasEffectInside(nested, inspected))
          return true;
      }
  return false;
}

bool isDead(Operation *op, size_t &inspected) {
  ++inspected;
  if (!op->use_empty() || hasOnlyEffects(*op))
    return false;
  // A function is never dead, and is visited again after each change in it: its ops must not be
  // walked.
  if (isa<SymbolOpInterface>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  // Rejects loops with stores early. MLIR would first query the other nested ops, again for each
  // enclosing loop.
  if (hasEffectInside(*op, inspected))
    return false;
  return isOpTriviallyDead(op);
}

bool GreedyRewriter::isConstant(Operation *op) {
  auto [entry, isNew] = constants.try_emplace(op->getName());
  if (isNew)
    entry->second = op->hasTrait<OpTrait::ConstantLike>();
  return entry->second;
}

size_t GreedyRewriter::run(Operation *op) {
  root = op;
  collect(root);
  // They were pushed in program order.
  std::reverse(pending.begin(), pending.end());
  for (auto [place, listed] : llvm::enumerate(pending))
    places[listed] = place;
  while (!pending.empty()) {
    Operation *next = pending.back();
    pending.pop_back();
    if (!next)
      continue;
    places.erase(next);
    visit(next);
  }
  return inspected;
}

void GreedyRewriter::collect(Operation *around) {
  for (Region &region : around->getRegions())
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block)) {
        if (isConstant(&op)) {
          folder.insertKnownConstant(&op);
          continue;
        }
        pending.push_back(&op);
        collect(&op);
      }
}

void GreedyRewriter::visit(Operation *op) {
  if (isDead(op, inspected)) {
    rewriter.eraseOp(op);
    return;
  }
  if (fold(op))
    return;
  (void)patterns.matchAndRewrite(op, rewriter);
}

bool GreedyRewriter::fold(Operation *op) {
  if (isConstant(op))
    return false;
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(results)))
    return false;
  if (results.empty()) {
    // The op was modified in place.
    notifyOperationModified(op);
    return true;
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> values;
  SmallVector<Operation *> made;
  for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes())) {
    if (auto value = dyn_cast<Value>(result)) {
      values.push_back(value);
      continue;
    }
    Operation *constant = op->getDialect()->materializeConstant(
        rewriter, cast<Attribute>(result), type, op->getLoc());
    if (!constant) {
      // The dialect cannot materialize the constant.
      for (Operation *constant : made)
        rewriter.eraseOp(constant);
      return false;
    }
    made.push_back(constant);
    values.push_back(constant->getResult(0));
  }
  rewriter.replaceOp(op, values);
  return true;
}

void GreedyRewriter::revisit(Operation *op) {
  for (; op && op != root; op = op->getParentOp())
    push(op);
}

void GreedyRewriter::push(Operation *op) {
  if (places.try_emplace(op, pending.size()).second)
    pending.push_back(op);
}

void GreedyRewriter::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) {
  revisit(op);
}

void GreedyRewriter::notifyOperationModified(Operation *op) { revisit(op); }

void GreedyRewriter::notifyOperationErased(Operation *op) {
  // The producer of an operand may be dead now, or may be fused with its last user.
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source)
      continue;
    llvm::SmallPtrSet<Operation *, 2> others;
    for (Operation *user : operand.getUsers()) {
      if (user != op)
        others.insert(user);
      if (others.size() > 1)
        break;
    }
    if (others.size() < 2)
      revisit(source);
  }
  auto found = places.find(op);
  if (found != places.end()) {
    pending[found->second] = nullptr;
    places.erase(found);
  }
  folder.notifyRemoval(op);
}

} // namespace halo
