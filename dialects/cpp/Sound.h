//===- Sound.h - Damaged bytecode -----------------------------------------===//

#ifndef HALO_DIALECTS_SOUND_H
#define HALO_DIALECTS_SOUND_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace halo {

// An error or a note, with its place.
struct Complaint {
  bool isNote;
  std::string file;
  unsigned line, column;
  std::string message;
};

// Whether code can be parsed without harm to the process; what is wrong with it
// otherwise. Text can. MLIR's bytecode reader trusts what it reads: numbers that
// were damaged lead it out of its memory, where the heap is spoilt before a
// signal comes, so that the only safe place to find out is another process, and
// bytecode that it refuses there is not read here.
bool isSound(llvm::StringRef code, llvm::StringRef name,
             const mlir::DialectRegistry &registry,
             llvm::SmallVectorImpl<Complaint> &complaints);

} // namespace halo

#endif // HALO_DIALECTS_SOUND_H
