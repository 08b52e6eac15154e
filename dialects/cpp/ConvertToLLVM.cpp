// The conversion to the LLVM dialect as one conversion, with upstream's patterns for
// all dialects, which has no C interface.

#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <memory>
#include <unordered_map>

using namespace mlir;

namespace {

// Whether LLVM has instructions for an op on vectors, which are of one dimension.
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

// Whether an op is rewritten to others before the conversion: a view of a buffer,
// or a vector of several dimensions.
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

// The constant of an index, if it is one.
std::optional<int64_t> constantOf(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

// Whether an index is the same in all iterations of the loop around an op. That loop is
// converted before its body: its index is an argument of the block that goes to the body.
bool isInvariant(Value index, Operation *op) {
  Block *body = op->getBlock();
  Block *block = index.getParentBlock();
  return block != body && block != body->getUniquePredecessor();
}

// The pointer to the elements in a descriptor. Those of arguments and of allocations are
// made one value after another just before.
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

// Where the elements of a buffer are. MLIR computes it by affine expressions.
struct Layout {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  bool hasStrides = false;

  explicit Layout(MemRefType type) {
    hasStrides = succeeded(type.getStridesAndOffset(strides, offset)) &&
                 llvm::none_of(strides, ShapedType::isDynamic);
  }
};

// What varies in the address of an access: the sum of indices by strides.
struct Varying {
  Block *block = nullptr;
  Value descriptor;
  SmallVector<std::pair<Value, int64_t>> terms;
  bool isInside = false;

  bool operator==(const Varying &other) const {
    return block == other.block && descriptor == other.descriptor &&
           terms == other.terms && isInside == other.isInside;
  }

  size_t hash() const {
    llvm::hash_code hash =
        llvm::hash_combine(block, descriptor.getAsOpaquePointer(), isInside);
    for (auto [value, stride] : terms)
      hash = llvm::hash_combine(hash, value.getAsOpaquePointer(), stride);
    return hash;
  }
};

// What the accesses of a program have in common. It has many of them and few types of
// buffers, and in an unrolled loop they are a constant apart.
class Accesses {
public:
  const Layout &layout(MemRefType type) {
    std::unique_ptr<Layout> &layout = layouts[type];
    if (!layout)
      layout = std::make_unique<Layout>(type);
    return *layout;
  }

  // The address of what varies, if an access before it in its block has the same. Ops are
  // converted in the order of the block.
  Value &address(Varying varying) {
    std::pair<Varying, Value> &known = addresses[varying.hash()];
    if (!(known.first == varying))
      known = {std::move(varying), Value()};
    return known.second;
  }

private:
  llvm::DenseMap<Type, std::unique_ptr<Layout>> layouts;
  std::unordered_map<size_t, std::pair<Varying, Value>> addresses;
};

// Loads and stores at an address that is the sum of what varies and of a constant, which
// is part of an instruction. Elements that are a constant apart have the rest in common.
//
// A scalar op's element is inside of its buffer, and so is the one at the same indices but
// zeros for the constants. Without a constant that is added to an index, an address may be
// outside. LLVM knows least of such addresses, so scalar ops have them only where the
// index is the same in all iterations of the loop around: a loop's own index decides whether
// it is vectorized.
template <typename Access>
struct AccessLowering : ConvertOpToLLVMPattern<Access> {
  using Base = ConvertOpToLLVMPattern<Access>;
  static constexpr bool isScalar =
      std::is_same_v<Access, memref::LoadOp> || std::is_same_v<Access, memref::StoreOp>;
  static constexpr bool isLoad =
      std::is_same_v<Access, memref::LoadOp> || std::is_same_v<Access, vector::LoadOp>;

  AccessLowering(const LLVMTypeConverter &converter, Accesses &accesses)
      : Base(converter, /*benefit=*/2), accesses(accesses) {}

  LogicalResult
  matchAndRewrite(Access op, typename Access::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    constexpr unsigned buffer = isLoad ? 0 : 1;
    auto type = cast<MemRefType>(op->getOperand(buffer).getType());
    const Layout &layout = accesses.layout(type);
    if (!layout.hasStrides)
      return rewriter.notifyMatchFailure(op, "strides vary");
    Type element = this->getTypeConverter()->convertType(type.getElementType());
    if (!element || !element.isIntOrFloat() ||
        !llvm::is_contained({8u, 16u, 32u, 64u}, element.getIntOrFloatBitWidth()))
      return rewriter.notifyMatchFailure(op, "not a number of whole bytes");
    uint64_t alignment = op.getAlignment().value_or(
        isScalar ? 0 : element.getIntOrFloatBitWidth() / 8);
    Value address = this->address(op, adaptor.getOperands()[buffer], type, element,
                                  layout, adaptor.getIndices(), rewriter);
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

  Value address(Access op, Value descriptor, MemRefType type, Type element,
                const Layout &layout, ValueRange converted,
                ConversionPatternRewriter &rewriter) const {
    Location location = op.getLoc();
    SmallVector<std::pair<Value, int64_t>> terms;
    bool isOffsetKnown = !ShapedType::isDynamic(layout.offset);
    int64_t constant = isOffsetKnown ? layout.offset : 0;
    bool isInside = isScalar;
    for (auto [index, value, stride] :
         llvm::zip_equal(op.getIndices(), converted, layout.strides)) {
      if (std::optional<int64_t> number = constantOf(index)) {
        constant += *number * stride;
        continue;
      }
      Value term = value;
      auto sum = index.template getDefiningOp<arith::AddIOp>();
      std::optional<int64_t> number = sum ? constantOf(sum.getRhs()) : std::nullopt;
      Value other = number ? rewriter.getRemappedValue(sum.getLhs()) : Value();
      if (other && (!isScalar || isInvariant(other, op))) {
        term = other;
        constant += *number * stride;
        isInside = false;
      }
      terms.emplace_back(term, stride);
    }
    isInside &= constant >= 0;
    LLVM::GEPNoWrapFlags inBuffer =
        LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw;
    auto wraps = isInside ? inBuffer : LLVM::GEPNoWrapFlags::none;
    Value &known = accesses.address({op->getBlock(), descriptor, terms, isInside});
    if (!known) {
      Value buffer =
          isOffsetKnown
              ? alignedPointer(descriptor, location, rewriter)
              : MemRefDescriptor(descriptor)
                    .bufferPtr(rewriter, location, *this->getTypeConverter(), type);
      Value varying = sum(terms, isInside, location, rewriter);
      known = varying ? LLVM::GEPOp::create(rewriter, location, buffer.getType(), element,
                                            buffer, varying, wraps)
                      : buffer;
    }
    Value address = known;
    Type pointer = address.getType();
    if (constant != 0 && constant == static_cast<int32_t>(constant))
      return LLVM::GEPOp::create(rewriter, location, pointer, element, address,
                                 LLVM::GEPArg(static_cast<int32_t>(constant)), wraps);
    if (constant != 0) {
      Value number = this->createIndexAttrConstant(rewriter, location,
                                                   this->getIndexType(), constant);
      address = LLVM::GEPOp::create(rewriter, location, pointer, element, address, number,
                                    wraps);
    }
    return address;
  }

  Value sum(ArrayRef<std::pair<Value, int64_t>> terms, bool isInside, Location location,
            ConversionPatternRewriter &rewriter) const {
    auto overflows =
        isInside ? LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw
                 : LLVM::IntegerOverflowFlags::none;
    Value sum;
    for (auto [term, stride] : terms) {
      if (stride != 1) {
        Value factor = this->createIndexAttrConstant(rewriter, location,
                                                     this->getIndexType(), stride);
        term = LLVM::MulOp::create(rewriter, location, term, factor, overflows);
      }
      sum = sum ? LLVM::AddOp::create(rewriter, location, sum, term, overflows) : term;
    }
    return sum;
  }

  Accesses &accesses;
};

// Rewrites what has no instructions, and looks at nothing else.
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
  // What it does not finish is an error of the conversion or of the translation.
  (void)applyOpPatternsGreedily(found, std::move(patterns), config);
}

} // namespace

// Converts a module to the LLVM dialect, where functions take the pointers of their
// buffers. Ops of which no pattern knows stay, with casts around them. Returns whether
// that was possible.
extern "C" bool haloConvertToLLVM(MlirOperation wrapped) {
  Operation *root = unwrap(wrapped);
  MLIRContext *context = root->getContext();
  expand(root);

  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addIllegalOp<scf::ExecuteRegionOp, scf::ForOp, scf::ForallOp, scf::IfOp,
                      scf::IndexSwitchOp, scf::ParallelOp, scf::WhileOp>();
  // The patterns of loops take their terminators away.
  target.addLegalOp<scf::ConditionOp, scf::InParallelOp, scf::ReduceOp,
                    scf::ReduceReturnOp, scf::YieldOp>();
  Accesses accesses;
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
  // Canonicalization has folded what can be.
  config.foldingMode = DialectConversionFoldingMode::Never;
  if (failed(applyPartialConversion(root, target, std::move(patterns), config)))
    return false;

  SmallVector<UnrealizedConversionCastOp> casts;
  root->walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
  return true;
}
