//===- Reproducer.h - What is left behind by a pass that crashes -----------===//
//
// `halo-opt` writes the program and its pipeline to a file where a pass ends the process,
// panics or leaves invalid IR. Upstream's crash reproducers are asked for by an option, are
// written for every pass that fails, and are made by signal handlers that allocate; one
// that is there without being asked for must cost nothing, stay away where a pass refuses
// a program, and never wait for a lock. So the text is ready before the passes run, and the
// handlers only open a file and write it.

#ifndef HALO_DIALECTS_REPRODUCER_H
#define HALO_DIALECTS_REPRODUCER_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir {
class DialectRegistry;
class PassManager;
} // namespace mlir

namespace halo {

// A reproducer of one run of passes. There is one at a time in a process.
class Reproducer {
public:
  // `input` is the file of the program, and `content` what was read of it, as MLIR.
  Reproducer(llvm::StringRef tool, llvm::StringRef input,
             llvm::StringRef content, const mlir::DialectRegistry &registry);
  ~Reproducer();
  Reproducer(const Reproducer &) = delete;
  Reproducer &operator=(const Reproducer &) = delete;

  // Adds the pipeline, which is about to run, and begins to look out for crashes.
  void watch(mlir::PassManager &manager);

  // Writes the file where a pass panicked or left invalid IR.
  void finish();

private:
  void makeText(mlir::PassManager &manager);

  // Of the file, without its ending.
  std::string path;
  std::string tool;
  std::string program;
  bool isWatching = false;
};

// A pass has left invalid IR.
void noteInvalidIR();

} // namespace halo

#endif // HALO_DIALECTS_REPRODUCER_H
