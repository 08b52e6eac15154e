//===- GreedyRewriter.h - Folds and patterns until nothing applies --------===//

#ifndef HALO_DIALECTS_GREEDY_REWRITER_H
#define HALO_DIALECTS_GREEDY_REWRITER_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace halo {

// Folds the ops in an op, erases unused ones, and applies patterns. Ops are visited once in order,
// and again if a change may affect them.
//
// MLIR's driver (`applyPatternsGreedily`) also sorts the patterns in each run, merges the blocks of
// each region, and queries the effects of each op that stores: half of its time on a program of a
// few hundred ops without a match.
class GreedyRewriter : public mlir::RewriterBase::Listener {
public:
  // The patterns must be sorted and outlive the rewriter.
  GreedyRewriter(mlir::MLIRContext *context, mlir::PatternApplicator &patterns)
      : patterns(patterns), folder(context), rewriter(context) {
    rewriter.setListener(this);
  }

  // Rewrites the ops nested in an op, which itself stays. Returns the number of inspected ops, as a
  // measure of time.
  size_t run(mlir::Operation *root);

private:
  bool isConstant(mlir::Operation *op);

  // Collects the nested ops of an op in program order. Merges equal constants.
  void collect(mlir::Operation *root);
  void visit(mlir::Operation *op);
  // Returns true if an op was erased, replaced or modified by folding.
  bool fold(mlir::Operation *op);

  // Schedules an op and its ancestors, whose patterns may inspect nested ops.
  void revisit(mlir::Operation *op);
  void push(mlir::Operation *op);

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override;
  void notifyOperationModified(mlir::Operation *op) override;
  void notifyOperationErased(mlir::Operation *op) override;

  mlir::PatternApplicator &patterns;
  mlir::OperationFolder folder;
  mlir::PatternRewriter rewriter;
  // Caches whether ops of a name are constants.
  llvm::DenseMap<mlir::OperationName, bool> constants;
  mlir::Operation *root = nullptr;
  size_t inspected = 0;
  // A stack of ops to visit. Entries of erased ops are null.
  std::vector<mlir::Operation *> pending;
  // The indices in `pending`.
  llvm::DenseMap<mlir::Operation *, size_t> places;
};

// Returns true if an op can be erased. Ops without results and regions, and ops that contain such
// ops, are kept: they may have side effects. Adds the number of inspected ops to `inspected`.
bool isDead(mlir::Operation *op, size_t &inspected);

} // namespace halo

#endif // HALO_DIALECTS_GREEDY_REWRITER_H
