// Upstream's rewriting of tensors to buffers without its analysis, which has no
// C interface. Where a tensor has to be copied is decided by the caller, before.

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

// Rewrites all functions of a module so that each op works on the buffers of
// its operands, written in place. Returns whether that was possible.
extern "C" bool haloBufferize(MlirOperation root, int64_t alignment) {
  Operation *module = unwrap(root);
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.bufferAlignment = alignment;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  // Upstream says that "op was not bufferized", and not which.
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
