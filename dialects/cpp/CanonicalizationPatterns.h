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

// The canonicalization patterns of a context, which live as long as it does. The dialect
// `halo` has them.
class CanonicalizationPatterns
    : public mlir::DialectInterface::Base<CanonicalizationPatterns> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CanonicalizationPatterns)

  CanonicalizationPatterns(mlir::Dialect *dialect) : Base(dialect) {}

  // The patterns of some dialects, in the order of their names, sorted by their benefit.
  // Threads share them: only patterns in PDL, of which there are none, change an applicator.
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
  // Sets stay where they are while others are added.
  using Sets = std::map<std::vector<mlir::Dialect *>, Sorted>;
  mutable std::mutex mutex;
  mutable Sets sets;
};

} // namespace halo

#endif // HALO_DIALECTS_CANONICALIZATION_PATTERNS_H
