// Deferred deletion of ops, blocks and block arguments that Rust code erased. They are kept until
// no handle to them can exist.
//
// Erased ops are detached from the program: their operands and successors are placeholders, so that
// they use no live value. Name, attributes, regions, results and operand types are preserved.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>

using namespace mlir;

namespace {

using Listener = RewriterBase::Listener;

Listener *listenerOf(RewriterBase *rewriter) {
  return rewriter ? llvm::dyn_cast_if_present<Listener>(rewriter->getListener())
                  : nullptr;
}

class Graveyard {
public:
  void take(Operation *op, RewriterBase *rewriter) {
    if (rewriter && rewriter->getInsertionBlock() == op->getBlock() &&
        rewriter->getInsertionPoint() == op->getIterator())
      rewriter->setInsertionPointAfter(op);
    detach(op, listenerOf(rewriter));
    if (op->getBlock())
      op->remove();
    operations.insert(op);
  }

  void take(Block *block, RewriterBase *rewriter) {
    detach(block, listenerOf(rewriter));
    if (Region *parent = block->getParent())
      parent->getBlocks().remove(block);
    blocks.insert(block);
  }

  // Swaps the argument with a new one, which is destroyed instead.
  void takeArgument(Block *block, unsigned index) {
    BlockArgument argument = block->getArgument(index);
    arguments.addArgument(argument.getType(), argument.getLoc());
    std::swap(block->getArguments()[index], arguments.getArguments().back());
    block->eraseArgument(index);
  }

  // Destroys everything. If a live op still uses a deferred value, replaces the use by a cast
  // without operands, and returns the location of the first such op.
  std::optional<Location> destroy() {
    forEachDead([&](Operation *op) { detach(op, nullptr); },
                [&](Block *block) { detach(block, nullptr); });
    forEachDead([&](Operation *op) { release(op); },
                [&](Block *block) { release(block); });
    // Ops that were inserted into a block again are no longer owned.
    SmallVector<Operation *> loose;
    for (Operation *op : operations)
      if (!op->getBlock())
        loose.push_back(op);
    for (Block *block : blocks)
      if (!block->getParent())
        delete block;
    for (Operation *op : loose)
      op->erase();
    release(&placeholders);
    release(&arguments);
    return user;
  }

private:
  template <typename OnOperation, typename OnBlock>
  void forEachDead(OnOperation onOperation, OnBlock onBlock) {
    for (Operation *op : operations)
      if (!op->getBlock())
        onOperation(op);
    for (Block *block : blocks)
      if (!block->getParent())
        onBlock(block);
  }

  // Returns a placeholder value of a type.
  Value placeholder(Type type) {
    Value &value = values[type];
    if (!value)
      value = placeholders.addArgument(type, UnknownLoc::get(type.getContext()));
    return value;
  }

  // Replaces the operands of an op and its nested ops by placeholders, and notifies a listener in
  // upstream's order of erasure: users first.
  void detach(Operation *op, Listener *listener) {
    for (Region &region : llvm::reverse(op->getRegions())) {
      if (region.empty())
        continue;
      if (region.hasOneBlock()) {
        detach(&region.front(), listener);
        continue;
      }
      llvm::SmallPtrSet<Block *, 4> visited{nullptr};
      for (Block &start : region) {
        if (visited.contains(&start))
          continue;
        SmallVector<Block *> order;
        for (Block *block : llvm::post_order_ext(&start, visited))
          order.push_back(block);
        for (Block *block : order)
          detach(block, listener);
      }
    }
    if (listener)
      listener->notifyOperationErased(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (value && value.getParentBlock() != &placeholders)
        operand.set(placeholder(value.getType()));
    }
    for (BlockOperand &successor : op->getBlockOperands())
      successor.set(&placeholders);
  }

  void detach(Block *block, Listener *listener) {
    for (Operation &op : llvm::reverse(*block))
      detach(&op, listener);
    if (listener)
      listener->notifyBlockErased(block);
  }

  void release(Operation *op) {
    for (OpResult result : op->getResults())
      release(Value(result));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        release(&block);
  }

  void release(Block *block) {
    for (BlockArgument argument : block->getArguments())
      release(Value(argument));
    for (Operation &op : *block)
      release(&op);
    for (BlockOperand &use : llvm::make_early_inc_range(block->getUses())) {
      note(use.getOwner());
      use.set(use.getOwner()->getBlock());
    }
  }

  // All deferred ops use placeholders by now, so each remaining use is by a live op.
  void release(Value value) {
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      Operation *owner = use.getOwner();
      note(owner);
      OpBuilder builder(owner);
      use.set(UnrealizedConversionCastOp::create(builder, owner->getLoc(),
                                                 value.getType(), ValueRange())
                  .getResult(0));
    }
  }

  void note(Operation *op) {
    if (!user)
      user = op->getLoc();
  }

  llvm::SetVector<Operation *> operations;
  llvm::SetVector<Block *> blocks;
  llvm::DenseMap<Type, Value> values;
  // The arguments are placeholders of operands; the block itself is the placeholder of successors.
  Block placeholders;
  // Arguments erased from blocks.
  Block arguments;
  std::optional<Location> user;
};

Graveyard &unwrapGraveyard(void *graveyard) {
  return *static_cast<Graveyard *>(graveyard);
}

RewriterBase *unwrapOptional(MlirRewriterBase rewriter) {
  return rewriter.ptr ? unwrap(rewriter) : nullptr;
}

} // namespace

extern "C" {

void *haloGraveyardCreate() { return new Graveyard; }

// Destroys the deferred ops. Returns true if a live op still used one of them, and the location of
// such a use.
bool haloGraveyardDestroy(void *wrapped, MlirLocation *user) {
  Graveyard *graveyard = &unwrapGraveyard(wrapped);
  std::optional<Location> location = graveyard->destroy();
  delete graveyard;
  if (!location)
    return false;
  *user = wrap(*location);
  return true;
}

// Removes an op without uses from the program. The rewriter may be null; its listener, if any, is
// notified as for an erasure.
void haloGraveyardTakeOperation(void *graveyard, MlirRewriterBase rewriter,
                                MlirOperation op) {
  unwrapGraveyard(graveyard).take(unwrap(op), unwrapOptional(rewriter));
}

// Removes a block from its region. It must have no predecessors, and its values no uses outside.
void haloGraveyardTakeBlock(void *graveyard, MlirRewriterBase rewriter,
                            MlirBlock block) {
  unwrapGraveyard(graveyard).take(unwrap(block), unwrapOptional(rewriter));
}

// Takes ownership of a region that belongs to no op.
void haloGraveyardTakeRegion(void *graveyard, MlirRegion wrapped) {
  Region *region = unwrap(wrapped);
  while (!region->empty())
    unwrapGraveyard(graveyard).take(&region->back(), nullptr);
  delete region;
}

// Removes an unused argument from a block.
void haloGraveyardTakeArgument(void *graveyard, MlirBlock block, intptr_t index) {
  unwrapGraveyard(graveyard).takeArgument(unwrap(block), index);
}

} // extern "C"
