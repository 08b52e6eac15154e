//===- CanonicalizationPatterns.h - Patterns by the dialects of a program -===//

#ifndef HALO_DIALECTS_CANONICALIZATION_PATTERNS_H
#define HALO_DIALECTS_CANONICALIZATION_PATTERNS_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

#include <map>
#include <mutex>
#include <vector>

namespace halo {

// The canonicalization patterns of a context, with the lifetime of the context. Owned by the
// dialect `halo`.
class CanonicalizationPatterns
    : public mlir::DialectInterface::Base<CanonicalizationPatterns> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CanonicalizationPatterns)

  CanonicalizationPatterns(mlir::Dialect *dialect) : Base(dialect) {}

  // Returns the patterns of the given dialects (sorted by name), sorted by benefit. Threads can
  // share an applicator: only PDL patterns modify one, and there are none.
  mlir::PatternApplicator &of(const std::vector<mlir::Dialect *> &dialects) const;

private:
  struct Sorted {
    explicit Sorted(mlir::RewritePatternSet patterns)
        : all(std::move(patterns)), applicator(all) {
      applicator.applyDefaultCostModel();
    }

    mlir::FrozenRewritePatternSet all;
    mlir::PatternApplicator applicator;
  };
  // A map, because inserting does not move the other sets.
  using Sets = std::map<std::vector<mlir::Dialect *>, Sorted>;
  mutable std::mutex mutex;
  mutable Sets sets;
};

} // namespace halo

#endif // HALO_DIALECTS_CANONICALIZATION_PATTERNS_H
