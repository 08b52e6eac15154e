//===- GreedyRewriter.h - Folds and patterns until nothing applies --------===//

#ifndef HALO_DIALECTS_GREEDY_REWRITER_H
#define HALO_DIALECTS_GREEDY_REWRITER_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace halo {

// Folds the ops in an op, erases those that are not used, and applies patterns to them. Ops are
// visited once in their order, and again when a change concerns them.
//
// MLIR's driver (`applyPatternsGreedily`) does the same and more. It sorts the patterns in each
// run, merges the blocks of each region, and asks each op that stores what effects it has: half
// of the time for a program of a few hundred ops in which nothing is left to do.
class GreedyRewriter : public mlir::RewriterBase::Listener {
public:
  // The patterns are sorted already, and outlive the rewriter.
  GreedyRewriter(mlir::MLIRContext *context, mlir::PatternApplicator &patterns)
      : patterns(patterns), folder(context), rewriter(context) {
    rewriter.setListener(this);
  }

  // Rewrites what is in an op, which stays.
  void run(mlir::Operation *root);

private:
  bool isConstant(mlir::Operation *op);

  // Lists the ops in an op, in their order. Equal constants become one.
  void collect(mlir::Operation *root);
  void visit(mlir::Operation *op);
  // Whether an op is erased, replaced or changed by folding.
  bool fold(mlir::Operation *op);

  // Lets an op be visited, and those around it, whose patterns look into them.
  void revisit(mlir::Operation *op);
  void push(mlir::Operation *op);

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override;
  void notifyOperationModified(mlir::Operation *op) override;
  void notifyOperationErased(mlir::Operation *op) override;

  mlir::PatternApplicator &patterns;
  mlir::OperationFolder folder;
  mlir::PatternRewriter rewriter;
  // Whether ops of a name are constants.
  llvm::DenseMap<mlir::OperationName, bool> constants;
  mlir::Operation *root = nullptr;
  // The last one is visited next. Null where an op was erased.
  std::vector<mlir::Operation *> pending;
  // Where they are in the list.
  llvm::DenseMap<mlir::Operation *, size_t> places;
};

// Whether nothing is lost without an op. Ops without results and regions stay, and those with such
// ops in their regions: they are there for what they do.
bool isDead(mlir::Operation *op);

} // namespace halo

#endif // HALO_DIALECTS_GREEDY_REWRITER_H
