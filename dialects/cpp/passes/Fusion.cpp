// Upstream's fusion of structured ops, which has no C interface. The caller decides which pairs are
// fused.

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

// Returns true if the producer of an operand should be fused into the consumer.
typedef bool (*HaloControlFusion)(MlirOperation producer, MlirOperation consumer,
                                  intptr_t operand);

// Folds constants and fills into structured ops, and removes unused operands and results.
static LogicalResult simplify(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [](OpOperand *) { return false; });
  linalg::GenericOp::getCanonicalizationPatterns(patterns, root->getContext());
  GreedyRewriteConfig config;
  config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
  return applyPatternsGreedily(root, std::move(patterns), config);
}

// Fuses the producer of an operand into its consumer. Returns the fused op, or null if upstream
// does not support the fusion.
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

// Fuses elementwise structured ops inside `root` into their users. Returns true if the rewriting
// terminated.
//
// Each consumer is visited once, from the last to the first, and fuses producers until `control`
// rejects all remaining ones; all users of an op are visited before it. A greedy driver gives the
// same programs, but revisits each op after each fusion.
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
      // The operands changed: a rejected producer may now have one use.
      consumer = fused;
      number = 0;
    }
  }
  return succeeded(simplify(op));
}

} // extern "C"
