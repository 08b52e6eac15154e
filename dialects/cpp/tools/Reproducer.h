//===- Reproducer.h - Reproducers of crashing passes -----------------------===//
//
// `halo-opt` writes the program and its pipeline to a file if a pass ends the process, panics or
// leaves invalid IR. Upstream's crash reproducers must be requested by an option, are written for
// every failing pass, and are made by signal handlers that allocate. A reproducer that is on by
// default must cost nothing, must not be written if a pass rejects a program, and must never wait
// for a lock. So the text is prepared before the passes run, and the handlers only open a file and
// write it.

#ifndef HALO_DIALECTS_REPRODUCER_H
#define HALO_DIALECTS_REPRODUCER_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir {
class DialectRegistry;
class PassManager;
} // namespace mlir

namespace halo {

// The reproducer of one pass pipeline. There is one at a time in a process.
class Reproducer {
public:
  // `input` is the file of the program, and `content` the MLIR read from it.
  Reproducer(llvm::StringRef tool, llvm::StringRef input,
             llvm::StringRef content, const mlir::DialectRegistry &registry);
  ~Reproducer();
  Reproducer(const Reproducer &) = delete;
  Reproducer &operator=(const Reproducer &) = delete;

  // Adds the pipeline, which is about to run, and starts watching for crashes.
  void watch(mlir::PassManager &manager);

  // Writes the file if a pass panicked or left invalid IR.
  void finish();

private:
  void makeText(mlir::PassManager &manager);

  // The path of the file without its extension.
  std::string path;
  std::string tool;
  std::string program;
  bool isWatching = false;
};

// Records that a pass left invalid IR.
void noteInvalidIR();

} // namespace halo

#endif // HALO_DIALECTS_REPRODUCER_H
