// Canonicalization with the patterns of those dialects alone that a program has.
//
// Before anything is rewritten, patterns are sorted. Those of all dialects of a context are a
// thousand, and programs of a few ops are canonicalized six times.

#include "CanonicalizationPatterns.h"

#include "GreedyRewriter.h"
#include "HaloDialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

namespace {

// Whether an op may carry a value twice: two begin with one value, and go on with one.
bool mayCarryTwice(Operation *op) {
  static constexpr unsigned most = 64;
  if (op->getNumResults() > most)
    return false;
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return true;
  llvm::SmallDenseSet<std::pair<Value, Value>, 32> carried;
  for (auto both : llvm::zip(loop.getInitArgs(), loop.getYieldedValues()))
    if (!carried.insert({std::get<0>(both), std::get<1>(both)}).second)
      return true;
  return false;
}

// Whether an op may carry a value that is always the same: the next iteration of a loop has it
// from the last one, or from outside.
bool mayCarryInvariant(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return !loop || llvm::any_of(loop.getYieldedValues(), [&](Value value) {
    Operation *source = value.getDefiningOp();
    return !source || !loop->isProperAncestor(source);
  });
}

// Whether an op may carry a value that nobody uses.
bool mayCarryUnused(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return !loop || llvm::any_of(llvm::zip(loop.getRegionIterArgs(), loop.getResults()),
                               [](auto both) {
                                 return std::get<0>(both).use_empty() &&
                                        std::get<1>(both).use_empty();
                               });
}

// Whether a loop passes each result of a branch to its body once: upstream's pattern gives the
// body the value of the wrong branch for all but the first
// (https://github.com/llvm/llvm-project/issues/219456, which LLVM 24 corrects).
bool forwardsBranchesOnce(Operation *op) {
  llvm::SmallDenseSet<Value> forwarded;
  return llvm::all_of(cast<scf::WhileOp>(op).getConditionOp().getArgs(), [&](Value value) {
    return !value.getDefiningOp<scf::IfOp>() || forwarded.insert(value).second;
  });
}

// A pattern of upstream's for what an op carries, where it has something to do. They look at all
// values, or at each pair, each time that something beside the op has changed: a loop of 256
// numbers took 10 s, and one of 24 vectors a fiftieth of a compilation.
class Limited : public RewritePattern {
public:
  using Condition = bool (*)(Operation *);

  Limited(std::unique_ptr<RewritePattern> own, Condition condition, MLIRContext *context)
      : RewritePattern(own->getRootKind()->getStringRef(), own->getBenefit(),
                       context),
        inner(std::move(own)), condition(condition) {
    setDebugName(inner->getDebugName());
    setHasBoundedRewriteRecursion(inner->hasBoundedRewriteRecursion());
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!condition(op))
      return rewriter.notifyMatchFailure(op, "nothing that it carries is left to do");
    return inner->matchAndRewrite(op, rewriter);
  }

private:
  std::unique_ptr<RewritePattern> inner;
  Condition condition;
};

// Puts them into the places of upstream's, which are found by the names of their classes: MLIR
// offers no other way to one pattern, and takes the same names to leave patterns out
// (`disable-patterns` of its passes). A release of LLVM that names them otherwise is noticed by
// the first program with a loop.
void limit(RewritePatternSet &patterns, bool hasLoops) {
  static constexpr std::pair<StringLiteral, Limited::Condition> conditions[] = {
      {"RemoveDuplicateSuccessorInputUses", mayCarryTwice},
      {"MakeRegionBranchOpSuccessorInputsDead", mayCarryInvariant},
      {"RemoveDeadRegionBranchOpSuccessorInputs", mayCarryUnused},
      {"WhileMoveIfDown", forwardsBranchesOnce},
  };
  llvm::StringSet<> missing;
  if (hasLoops)
    for (auto [name, condition] : conditions)
      missing.insert(name);
  for (std::unique_ptr<RewritePattern> &pattern : patterns.getNativePatterns()) {
    StringRef ofClass = pattern->getDebugName().rsplit("::").second;
    for (auto [name, condition] : conditions)
      if (pattern->getRootKind() && ofClass == name) {
        pattern = std::make_unique<Limited>(std::move(pattern), condition,
                                            patterns.getContext());
        missing.erase(name);
        break;
      }
  }
  if (!missing.empty())
    llvm::report_fatal_error("MLIR has no pattern " + missing.begin()->first() +
                             " for the ops of scf");
}

} // namespace

PatternApplicator &halo::CanonicalizationPatterns::of(
    const std::vector<Dialect *> &dialects) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = sets.find(dialects);
  if (found != sets.end())
    return found->second.applicator;
  MLIRContext *context = getDialect()->getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : dialects)
    dialect->getCanonicalizationPatterns(patterns);
  // `getRegisteredOperationsByDialect` misses some.
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (llvm::is_contained(dialects, &op.getDialect()))
      op.getCanonicalizationPatterns(patterns, context);
  limit(patterns, llvm::is_contained(dialects, context->getLoadedDialect<scf::SCFDialect>()));
  return sets.try_emplace(dialects, std::move(patterns)).first->second.applicator;
}

namespace {

// Dialects that go together in a phase. Each set of dialects has patterns of its own, which take a
// hundredth of the compilation that is the first one with the set.
constexpr StringLiteral kStructured[] = {"arith",  "linalg", "math",
                                         "memref", "scf",    "tensor"};
constexpr StringLiteral kLoops[] = {"arith", "math", "memref", "scf", "vector"};

// The dialects of the ops in an op, and those that go with them.
std::vector<Dialect *> dialectsIn(Operation *root) {
  llvm::SmallSetVector<Dialect *, 16> found;
  root->walk([&](Operation *op) {
    if (Dialect *dialect = op->getDialect())
      found.insert(dialect);
  });
  auto has = [&](ArrayRef<StringLiteral> names) {
    return llvm::any_of(found, [&](Dialect *dialect) {
      return llvm::is_contained(names, dialect->getNamespace());
    });
  };
  ArrayRef<StringLiteral> others;
  if (has({"linalg", "tensor"}))
    others = kStructured;
  else if (has({"memref", "scf", "vector"}))
    others = kLoops;
  for (StringRef name : others)
    if (Dialect *dialect = root->getContext()->getLoadedDialect(name))
      found.insert(dialect);
  std::vector<Dialect *> dialects(found.begin(), found.end());
  llvm::sort(dialects, [](Dialect *one, Dialect *other) {
    return one->getNamespace() < other->getNamespace();
  });
  return dialects;
}

// Erases ops without users or effects, those that use others first.
void eraseDeadOps(Operation *root) {
  for (Region &region : root->getRegions())
    for (Block &block : llvm::reverse(region))
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (halo::isDead(&op))
          op.erase();
        else
          eraseDeadOps(&op);
}

// Moves constants to the beginning of their functions, equal ones as one.
void hoistConstants(Operation *root) {
  OperationFolder folder(root->getContext());
  std::vector<Operation *> constants;
  root->walk([&](Operation *op) {
    if (op != root && op->hasTrait<OpTrait::ConstantLike>())
      constants.push_back(op);
  });
  for (Operation *constant : constants)
    folder.insertKnownConstant(constant);
}

} // namespace

extern "C" {

// Canonicalizes what is in an op, but for the blocks of regions. The rewriter visits each op
// again that a change may concern. Upstream's pass looks at all ops again, until nothing
// changes; what that finds is mostly ops that have become dead, and constants that patterns
// have made within loops.
void haloCanonicalize(MlirOperation rootRef) {
  Operation *root = unwrap(rootRef);
  auto *dialect = root->getContext()->getLoadedDialect<halo::dialect::HaloDialect>();
  auto *patterns =
      dialect->getRegisteredInterface<halo::CanonicalizationPatterns>();
  std::vector<Dialect *> dialects = dialectsIn(root);
  while (true) {
    halo::GreedyRewriter(root->getContext(), patterns->of(dialects)).run(root);
    eraseDeadOps(root);
    hoistConstants(root);
    // Patterns make ops of other dialects, too.
    std::vector<Dialect *> now = dialectsIn(root);
    if (std::includes(dialects.begin(), dialects.end(), now.begin(), now.end(),
                      [](Dialect *one, Dialect *other) {
                        return one->getNamespace() < other->getNamespace();
                      }))
      return;
    dialects = std::move(now);
  }
}

} // extern "C"
