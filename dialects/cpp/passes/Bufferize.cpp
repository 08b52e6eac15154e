// Upstream's bufferization without its analysis, which has no C interface. The caller decides
// beforehand where tensors are copied.

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

// Bufferizes all functions of a module: each op writes its operands' buffers in place. Returns true
// on success.
extern "C" bool haloBufferize(MlirOperation root, int64_t alignment) {
  Operation *module = unwrap(root);
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.bufferAlignment = alignment;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  // Upstream reports only that "op was not bufferized", without naming the op.
  WalkResult found = module->walk([&](Operation *op) {
    if (!bufferization::hasTensorSemantics(op) ||
        options.dynCastBufferizableOp(op))
      return WalkResult::advance();
    op->emitOpError("has no lowering: it works on tensors still, where they "
                    "become buffers");
    return WalkResult::interrupt();
  });
  if (found.wasInterrupted())
    return false;
  bufferization::BufferizationState state;
  if (failed(bufferization::bufferizeModuleOp(module, options, state)))
    return false;
  bufferization::removeBufferizationAttributesInModule(module);
  return true;
}
