// Upstream's fusion of structured ops, which has no C interface. Which pairs
// are fused is decided by the caller.

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

extern "C" {

// Says whether the op that defines an operand is to be fused into the op that
// has it.
typedef bool (*HaloControlFusion)(MlirOperation producer, MlirOperation consumer,
                                  intptr_t operand);

// Fuses elementwise structured ops inside `root` into their users. Returns
// whether the rewriting came to an end.
bool haloFuseElementwise(MlirOperation root, HaloControlFusion control) {
  Operation *op = unwrap(root);
  RewritePatternSet patterns(op->getContext());
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [control](OpOperand *operand) {
        Operation *producer = operand->get().getDefiningOp();
        return producer && control(wrap(producer), wrap(operand->getOwner()),
                                   operand->getOperandNumber());
      });
  linalg::GenericOp::getCanonicalizationPatterns(patterns, op->getContext());
  // Each fusion leaves an op less; a chain may be as long as it likes.
  GreedyRewriteConfig config;
  config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
  return succeeded(applyPatternsGreedily(op, std::move(patterns), config));
}

} // extern "C"
