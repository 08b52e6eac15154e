// Canonicalization with only the patterns of the dialects that occur in the program.
//
// The driver sorts the patterns before each run. All dialects of a context together have a thousand
// patterns, and programs of a few ops are canonicalized six times.

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

// Returns true if an op may carry the same value twice: equal initial and equal yielded values.
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

// Returns true if an op may carry a loop-invariant value: a loop that yields one of its arguments
// or a value defined outside.
bool mayCarryInvariant(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return !loop || llvm::any_of(loop.getYieldedValues(), [&](Value value) {
    Operation *source = value.getDefiningOp();
    return !source || !loop->isProperAncestor(source);
  });
}

// Returns true if an op may carry an unused value.
bool mayCarryUnused(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return !loop || llvm::any_of(llvm::zip(loop.getRegionIterArgs(), loop.getResults()),
                               [](auto both) {
                                 return std::get<0>(both).use_empty() &&
                                        std::get<1>(both).use_empty();
                               });
}

// Returns true if a loop passes each result of a branch to its body only once. Otherwise upstream's
// pattern passes the value of the wrong branch for all but the first
// (https://github.com/llvm/llvm-project/issues/219456, fixed in LLVM 24).
bool forwardsBranchesOnce(Operation *op) {
  llvm::SmallDenseSet<Value> forwarded;
  return llvm::all_of(cast<scf::WhileOp>(op).getConditionOp().getArgs(), [&](Value value) {
    return !value.getDefiningOp<scf::IfOp>() || forwarded.insert(value).second;
  });
}

// An upstream pattern for loop-carried values, applied only if it has an effect. These patterns
// compare all values, or all pairs, after each change of another op: a loop of 256 numbers took 10
// s, and a loop of 24 vectors a fiftieth of a compilation.
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

// Replaces the upstream patterns by limited ones. They are found by the names of their classes, as
// by MLIR's `disable-patterns`: MLIR offers no other way to select one pattern. If a release of
// LLVM renames one, the first program with a loop reports it.
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

// Dialects that occur together in a phase. Each set of dialects has a separate pattern set;
// creating one takes a hundredth of the first compilation that uses it.
constexpr StringLiteral kStructured[] = {"arith",  "linalg", "math",
                                         "memref", "scf",    "tensor"};
constexpr StringLiteral kLoops[] = {"arith", "math", "memref", "scf", "vector"};

// Returns the dialects of the ops in an op, and the dialects that occur together with them.
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

// Erases unused ops without side effects, users before their operands.
void eraseDeadOps(Operation *root, size_t &inspected) {
  for (Region &region : root->getRegions())
    for (Block &block : llvm::reverse(region))
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (halo::isDead(&op, inspected))
          op.erase();
        else
          eraseDeadOps(&op, inspected);
}

// Moves constants to the beginning of their functions and merges equal ones.
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

// Canonicalizes the ops in an op, without simplifying the CFG of regions. The rewriter revisits
// only ops that a change may affect. Upstream's pass revisits all ops until nothing changes, which
// mostly finds dead ops, and constants that patterns created within loops. Returns the number of
// inspected ops.
size_t haloCanonicalize(MlirOperation rootRef) {
  Operation *root = unwrap(rootRef);
  auto *dialect = root->getContext()->getLoadedDialect<halo::dialect::HaloDialect>();
  auto *patterns =
      dialect->getRegisteredInterface<halo::CanonicalizationPatterns>();
  std::vector<Dialect *> dialects = dialectsIn(root);
  size_t inspected = 0;
  while (true) {
    inspected += halo::GreedyRewriter(root->getContext(), patterns->of(dialects)).run(root);
    eraseDeadOps(root, inspected);
    hoistConstants(root);
    // Patterns may have created ops of other dialects.
    std::vector<Dialect *> now = dialectsIn(root);
    if (std::includes(dialects.begin(), dialects.end(), now.begin(), now.end(),
                      [](Dialect *one, Dialect *other) {
                        return one->getNamespace() < other->getNamespace();
                      }))
      return inspected;
    dialects = std::move(now);
  }
}

} // extern "C"
