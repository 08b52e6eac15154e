//===- Sound.h - Damaged bytecode -----------------------------------------===//

#ifndef HALO_DIALECTS_SOUND_H
#define HALO_DIALECTS_SOUND_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"

namespace halo {

// Whether code can be parsed, or refused, without harm to the process. Text
// can. MLIR's bytecode reader trusts what it reads: numbers that were damaged
// lead it out of its memory, where the heap is spoilt before a signal comes, so
// that the only safe place to find out is another process.
bool isSound(llvm::StringRef code, const mlir::DialectRegistry &registry);

} // namespace halo

#endif // HALO_DIALECTS_SOUND_H
