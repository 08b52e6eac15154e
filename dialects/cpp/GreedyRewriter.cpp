// The driver of canonicalization (see the header).

#include "GreedyRewriter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace halo {

bool isDead(Operation *op) {
  if (!op->use_empty() || (op->getNumResults() == 0 && op->getNumRegions() == 0))
    return false;
  return isOpTriviallyDead(op);
}

const GreedyRewriter::Kind &GreedyRewriter::kind(Operation *op) {
  auto [entry, isNew] = kinds.try_emplace(op->getName());
  if (isNew)
    entry->second.isConstant = op->hasTrait<OpTrait::ConstantLike>();
  return entry->second;
}

void GreedyRewriter::run(Operation *op) {
  root = op;
  collect(root);
  // They were listed in their order.
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
}

void GreedyRewriter::collect(Operation *around) {
  for (Region &region : around->getRegions())
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block)) {
        if (kind(&op).isConstant) {
          folder.insertKnownConstant(&op);
          continue;
        }
        pending.push_back(&op);
        collect(&op);
      }
}

void GreedyRewriter::visit(Operation *op) {
  if (isDead(op)) {
    rewriter.eraseOp(op);
    return;
  }
  if (fold(op))
    return;
  (void)patterns.matchAndRewrite(op, rewriter);
}

bool GreedyRewriter::fold(Operation *op) {
  if (kind(op).isConstant)
    return false;
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(results)))
    return false;
  if (results.empty()) {
    // It was changed in its place.
    notifyOperationModified(op);
    return true;
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> values;
  SmallVector<Operation *> constants;
  for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes())) {
    if (auto value = dyn_cast<Value>(result)) {
      values.push_back(value);
      continue;
    }
    Operation *constant = op->getDialect()->materializeConstant(
        rewriter, cast<Attribute>(result), type, op->getLoc());
    if (!constant) {
      // The dialect has no such constant.
      for (Operation *made : constants)
        rewriter.eraseOp(made);
      return false;
    }
    constants.push_back(constant);
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
  // What an operand is computed of may be dead now, or may be joined with its last user.
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
