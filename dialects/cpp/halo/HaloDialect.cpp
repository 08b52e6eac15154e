//===- HaloDialect.cpp - The halo dialect ---------------------------------===//

#include "HaloDialect.h"

#include "CanonicalizationPatterns.h"
#include "StablehloInlining.h"

#include "llvm/ADT/TypeSwitch.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace halo::dialect;

#include "HaloDialect.cpp.inc"

#include "HaloEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "HaloAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "HaloOps.cpp.inc"

void HaloDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "HaloAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "HaloOps.cpp.inc"
      >();
  addInterfaces<halo::InlinesEverywhere, halo::CanonicalizationPatterns>();
}

LogicalResult HaloDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  return halo::verifyAttribute(op, attribute);
}

LogicalResult
HaloDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned number,
                                      NamedAttribute attribute) {
  return halo::verifyArgumentAttribute(op, number, attribute);
}

LogicalResult
HaloDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                         unsigned number,
                                         NamedAttribute attribute) {
  return halo::verifyResultAttribute(op, number, attribute);
}

LogicalResult ParallelCallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return halo::verifyCallee(
      *this, symbols.lookupNearestSymbolFrom(*this, getCalleeAttr()));
}

//===----------------------------------------------------------------------===//
// Bufferization
//===----------------------------------------------------------------------===//

bool CustomCallOp::bufferizesToMemoryRead(
    OpOperand &, const bufferization::AnalysisState &) {
  return true;
}

bool CustomCallOp::bufferizesToMemoryWrite(
    OpOperand &, const bufferization::AnalysisState &) {
  return false;
}

bufferization::AliasingValueList
CustomCallOp::getAliasingValues(OpOperand &,
                                const bufferization::AnalysisState &) {
  return {};
}

// The handler receives bare pointers, so the inputs must be contiguous buffers.
LogicalResult
CustomCallOp::bufferize(RewriterBase &rewriter,
                        const bufferization::BufferizationOptions &options,
                        bufferization::BufferizationState &state) {
  if (getNumResults() != 0)
    return emitOpError("has results that no buffer was given for");
  SmallVector<Value> inputs;
  for (Value input : getInputs()) {
    auto tensor = dyn_cast<TensorType>(input.getType());
    if (!tensor) {
      inputs.push_back(input);
      continue;
    }
    FailureOr<Value> buffer =
        bufferization::getBuffer(rewriter, input, options, state);
    if (failed(buffer))
      return failure();
    auto wanted = cast<MemRefType>(
        bufferization::getMemRefTypeWithStaticIdentityLayout(tensor));
    if (buffer->getType() != wanted)
      buffer = bufferization::castOrReallocMemRefValue(rewriter, *buffer,
                                                       wanted, options);
    if (failed(buffer))
      return failure();
    inputs.push_back(*buffer);
  }
  rewriter.modifyOpInPlace(*this,
                           [&] { getInputsMutable().assign(inputs); });
  return success();
}

//===----------------------------------------------------------------------===//
// C interface
//===----------------------------------------------------------------------===//

// The C counterpart of src/ir/ops/halo.rs.
struct HaloMatrix {
  int64_t start;
  int64_t leadingDimension;
  int64_t batchStride;
  bool transposed;
};

extern "C" bool haloMatrixRead(MlirAttribute attribute, HaloMatrix *members) {
  auto matrix = dyn_cast<MatrixAttr>(unwrap(attribute));
  if (!matrix)
    return false;
  *members = {matrix.getStart(), matrix.getLeadingDimension(),
              matrix.getBatchStride(), matrix.getTransposed()};
  return true;
}

// Returns null if the dialect is not loaded.
extern "C" MlirAttribute haloMatrixBuild(MlirContext context,
                                         const HaloMatrix *members) {
  if (!unwrap(context)->getLoadedDialect<HaloDialect>())
    return wrap(Attribute());
  return wrap(MatrixAttr::get(unwrap(context), members->start,
                              members->leadingDimension, members->batchStride,
                              members->transposed));
}
