// Upstream's fusion of structured ops, which has no C interface. Which pairs
// are fused is decided by the caller.

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

// Says whether the op that defines an operand is to be fused into the op that
// has it.
typedef bool (*HaloControlFusion)(MlirOperation producer, MlirOperation consumer,
                                  intptr_t operand);

// Folds constants and fills into structured ops, and drops operands and results
// without use.
static LogicalResult simplify(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [](OpOperand *) { return false; });
  linalg::GenericOp::getCanonicalizationPatterns(patterns, root->getContext());
  GreedyRewriteConfig config;
  config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
  return applyPatternsGreedily(root, std::move(patterns), config);
}

// Fuses the op that defines an operand into the owner. Returns the fused op, or
// null where upstream cannot.
static linalg::GenericOp fuse(RewriterBase &rewriter, OpOperand &operand) {
  Operation *producer = operand.get().getDefiningOp();
  Operation *consumer = operand.getOwner();
  rewriter.setInsertionPoint(consumer);
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, &operand);
  if (failed(fused))
    return nullptr;
  for (auto [before, after] : fused->replacements)
    rewriter.replaceUsesWithIf(before, after, [&](OpOperand &use) {
      return use.get().getDefiningOp() != producer;
    });
  rewriter.eraseOp(consumer);
  auto result = cast<linalg::GenericOp>(fused->fusedOp);
  rewriter.setInsertionPoint(result);
  FailureOr<linalg::GenericOp> smaller =
      linalg::deduplicateOperandsAndRemoveDeadResults(rewriter, result,
                                                      /*removeOutputs=*/true);
  return succeeded(smaller) ? *smaller : result;
}

extern "C" {

// Fuses elementwise structured ops inside `root` into their users. Returns
// whether the rewriting came to an end.
//
// Each consumer is visited once, the last one first, and takes in producers until
// `control` allows none of what is left; the users of an op are all visited before
// it. A greedy driver comes to the same programs, and visits each op again after
// each fusion.
bool haloFuseElementwise(MlirOperation root, HaloControlFusion control) {
  Operation *op = unwrap(root);
  if (failed(simplify(op)))
    return false;
  SmallVector<linalg::GenericOp> consumers;
  op->walk([&](linalg::GenericOp generic) { consumers.push_back(generic); });

  IRRewriter rewriter(op->getContext());
  llvm::DenseSet<Operation *> erased;
  for (linalg::GenericOp consumer : llvm::reverse(consumers)) {
    if (erased.contains(consumer.getOperation()))
      continue;
    for (unsigned number = 0; number < consumer->getNumOperands();) {
      OpOperand &operand = consumer->getOpOperand(number++);
      Operation *producer = operand.get().getDefiningOp();
      if (!producer || !control(wrap(producer), wrap(consumer), number - 1) ||
          !linalg::areElementwiseOpsFusable(&operand))
        continue;
      linalg::GenericOp fused = fuse(rewriter, operand);
      if (!fused)
        continue;
      if (producer->use_empty()) {
        rewriter.eraseOp(producer);
        erased.insert(producer);
      }
      // Operands came and went: what was refused may have one use now.
      consumer = fused;
      number = 0;
    }
  }
  return succeeded(simplify(op));
}

} // extern "C"
