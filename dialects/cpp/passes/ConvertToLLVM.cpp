// The conversion to the LLVM dialect as one conversion: op by op if each op has one counterpart,
// otherwise with upstream's patterns for all dialects, which have no C interface.

#include "Addresses.h"
#include "DirectToLLVM.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace halo;

namespace {

// Returns true if LLVM has instructions for an op on vectors, which must be one-dimensional.
bool isInstruction(Operation *op) {
  if (!isa<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
           vector::MaskedStoreOp, vector::BroadcastOp, vector::FMAOp,
           vector::ShuffleOp, vector::ExtractOp, vector::InsertOp,
           vector::ReductionOp>(op))
    return false;
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op);
      broadcast && isa<VectorType>(broadcast.getSourceType()))
    return false;
  auto isLine = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return !vector || vector.getRank() == 1;
  };
  return llvm::all_of(op->getOperandTypes(), isLine) &&
         llvm::all_of(op->getResultTypes(), isLine);
}

// Returns true if an op is expanded to other ops before the conversion: views of buffers and ops on
// multi-dimensional vectors.
bool isExpanded(Operation *op) {
  if (isa<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
          memref::ExtractStridedMetadataOp,
          memref::ExtractAlignedPointerAsIndexOp>(op))
    return true;
  return isa_and_present<vector::VectorDialect>(op->getDialect()) &&
         !isInstruction(op);
}

// The patterns of `expand-strided-metadata` and of the first half of
// `convert-vector-to-llvm`.
void populateExpansion(RewritePatternSet &patterns) {
  memref::populateExpandStridedMetadataPatterns(patterns);
  vector::populateVectorToVectorCanonicalizationPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::Dot);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::EltWise);
  vector::populateVectorTransferLoweringPatterns(patterns,
                                                 /*maxTransferRank=*/1);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/true);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  vector::populateVectorToElementsUnrollPatterns(patterns);
}

// Returns the aligned pointer of a descriptor. Descriptors of arguments and allocations have just
// been built by a chain of inserts.
Value alignedPointer(Value descriptor, Location location, OpBuilder &builder) {
  constexpr int64_t position = 1;
  Value whole = descriptor;
  while (auto insert = whole.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition() == ArrayRef(position))
      return insert.getValue();
    whole = insert.getContainer();
  }
  return MemRefDescriptor(descriptor).alignedPtr(builder, location);
}

// Converts loads and stores of elements to accesses at an address.
template <typename Op>
struct AccessLowering : ConvertOpToLLVMPattern<Op> {
  using Base = ConvertOpToLLVMPattern<Op>;
  static constexpr bool isLoad =
      std::is_same_v<Op, memref::LoadOp> || std::is_same_v<Op, vector::LoadOp>;

  AccessLowering(const LLVMTypeConverter &converter, Accesses &accesses)
      : Base(converter, /*benefit=*/2), accesses(accesses) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr unsigned buffer = isLoad ? 0 : 1;
    auto type = cast<MemRefType>(op->getOperand(buffer).getType());
    const Layout &layout = accesses.layout(type);
    if (!layout.hasStrides)
      return rewriter.notifyMatchFailure(op, "strides vary");
    Type element = this->getTypeConverter()->convertType(type.getElementType());
    if (!element || !isWholeBytes(element))
      return rewriter.notifyMatchFailure(op, "not a number of whole bytes");
    uint64_t alignment = alignmentOf(op, element);
    Location location = op.getLoc();
    Value descriptor = adaptor.getOperands()[buffer];
    auto pointer = [&]() -> Value {
      if (!ShapedType::isDynamic(layout.offset))
        return alignedPointer(descriptor, location, rewriter);
      return MemRefDescriptor(descriptor)
          .bufferPtr(rewriter, location, *this->getTypeConverter(), type);
    };
    auto remapped = [&](Value value) { return rewriter.getRemappedValue(value); };
    auto constant = [&](int64_t number) {
      return this->createIndexAttrConstant(rewriter, location, this->getIndexType(),
                                           number);
    };
    Access access{location,        op->getBlock(),       layout,    element, isScalar(op),
                  op.getIndices(), adaptor.getIndices(), descriptor};
    Value address = addressOf(access, {remapped, pointer, constant}, accesses, rewriter);
    if constexpr (isLoad) {
      Type result = this->getTypeConverter()->convertType(op.getResult().getType());
      rewriter.template replaceOpWithNewOp<LLVM::LoadOp>(
          op, result, address, alignment, /*isVolatile=*/false, op.getNontemporal());
    } else {
      rewriter.template replaceOpWithNewOp<LLVM::StoreOp>(
          op, adaptor.getOperands()[0], address, alignment, /*isVolatile=*/false,
          op.getNontemporal());
    }
    return success();
  }

  Accesses &accesses;
};

// Gives arguments whose strides are constants static shapes: upstream passes only these as bare
// pointers. Sizes are not part of addresses.
void fixSizes(func::FuncOp function, Accesses &accesses) {
  if (function.isExternal())
    return;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !accesses.layout(type).hasStrides)
      continue;
    auto sizes = llvm::map_to_vector(type.getShape(), [](int64_t size) {
      return ShapedType::isDynamic(size) ? int64_t(1) : size;
    });
    argument.setType(MemRefType::get(sizes, type.getElementType()));
  }
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             function.front().getArgumentTypes(),
                                             function.getResultTypes()));
}

// Repeats the body of a loop by the unroll factor in its attribute, which divides the iteration
// count. Unrolling this late keeps the number of ops small for earlier passes.
void unroll(scf::ForOp loop) {
  auto factor = loop->getAttrOfType<IntegerAttr>("halo.unroll");
  std::optional<int64_t> step = constantOf(loop.getStep());
  if (!factor || !step)
    return;
  loop->removeAttr("halo.unroll");
  Block *body = loop.getBody();
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  SmallVector<Operation *> once;
  for (Operation &op : body->without_terminator())
    once.push_back(&op);
  SmallVector<Value> carried(yield.getOperands());
  auto number = [&](OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loop.getLoc(), value);
  };
  OpBuilder builder(yield);
  OpBuilder before(loop);
  for (int64_t time = 1; time < factor.getInt(); ++time) {
    IRMapping mapping;
    Value offset = number(before, time * *step);
    mapping.map(loop.getInductionVar(),
                arith::AddIOp::create(builder, loop.getLoc(), loop.getInductionVar(), offset)
                    .getResult());
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation *op : once)
      builder.clone(*op, mapping);
    for (auto [value, result] : llvm::zip_equal(carried, yield.getOperands()))
      value = mapping.lookupOrDefault(result);
  }
  yield->setOperands(carried);
  loop.setStep(number(before, factor.getInt() * *step));
}

// Expands the ops without instructions, and visits no others.
void expand(Operation *root) {
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    if (isExpanded(op))
      found.push_back(op);
  });
  if (found.empty())
    return;
  RewritePatternSet patterns(root->getContext());
  populateExpansion(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  // Leftover casts are errors of the conversion or of the translation.
  (void)applyOpPatternsGreedily(found, std::move(patterns), config);
}

} // namespace

extern "C" void haloCanonicalize(MlirOperation root);

// Converts a module to the LLVM dialect, where functions take the pointers of their buffers. Ops
// without a pattern stay, with casts around them. Returns true if the conversion succeeded.
extern "C" bool haloConvertToLLVM(MlirOperation wrapped) {
  Operation *root = unwrap(wrapped);
  MLIRContext *context = root->getContext();
  root->walk(unroll);
  Accesses accesses;
  convertDirectly(root, accesses);
  root->walk([&](func::FuncOp function) { fixSizes(function, accesses); });
  auto isConverted = [](Operation &op) {
    return isa_and_present<LLVM::LLVMDialect>(op.getDialect());
  };
  if (llvm::all_of(root->getRegion(0).front(), isConverted))
    return true;
  expand(root);

  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addIllegalOp<scf::ExecuteRegionOp, scf::ForOp, scf::ForallOp, scf::IfOp,
                      scf::IndexSwitchOp, scf::ParallelOp, scf::WhileOp>();
  // The patterns for loops erase the terminators.
  target.addLegalOp<scf::ConditionOp, scf::InParallelOp, scf::ReduceOp,
                    scf::ReduceReturnOp, scf::YieldOp>();
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  populateSCFToControlFlowConversionPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns,
                                         /*reassociateFPReductions=*/false,
                                         /*force32BitVectorIndices=*/true);
  patterns.add<AccessLowering<memref::LoadOp>, AccessLowering<memref::StoreOp>,
               AccessLowering<vector::LoadOp>, AccessLowering<vector::StoreOp>>(
      converter, accesses);
  for (StringRef name : {"amx", "arith", "cf", "complex", "func", "index", "math",
                         "memref", "ub"})
    if (Dialect *dialect = context->getLoadedDialect(name))
      if (auto *interface = dyn_cast<ConvertToLLVMPatternInterface>(dialect))
        interface->populateConvertToLLVMConversionPatterns(target, converter,
                                                           patterns);
  ConversionConfig config;
  // Canonicalization has already folded the ops.
  config.foldingMode = DialectConversionFoldingMode::Never;
  if (failed(applyPartialConversion(root, target, std::move(patterns), config)))
    return false;

  SmallVector<UnrealizedConversionCastOp> casts;
  root->walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
  // Folds the descriptors.
  haloCanonicalize(wrapped);
  return true;
}
