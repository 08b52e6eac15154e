//===- Driver.h - What tools on upstream's drivers share -------------------===//

#ifndef HALO_DIALECTS_DRIVER_H
#define HALO_DIALECTS_DRIVER_H

#include "mlir/CAPI/Support.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

extern "C" {

// What a tool does for its driver; the texts live during the run.
struct HaloTool {
  // One line, for the help of all options.
  MlirStringRef title;
  // The options that are the tool's own: what a misspelt one is taken for first.
  const MlirStringRef *options;
  size_t optionCount;
  // Gives the content of the input of this name, `-` being standard input, to
  // `give`; says why where it returns false.
  bool (*read)(MlirStringRef name, MlirStringCallback give, void *userData);
  // Writes the output of this name, `-` being standard output; says why where it
  // returns false.
  bool (*write)(MlirStringRef name, MlirStringRef content);
};

} // extern "C"

namespace halo {

// Prints an error that has no place in a file, of the program of this path.
void complain(llvm::StringRef program, llvm::StringRef message);

// What a function prints to standard error.
std::string capturingErrors(llvm::function_ref<void()> run);

// What a function prints to standard output by LLVM's stream.
std::string capturingOutput(llvm::function_ref<void()> run);

// The name nearest to another, if it is near enough to have been meant; empty if none is.
llvm::StringRef nearest(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> names);

// The option that a name is likely to stand for, without its hyphens; empty if there is
// none.
llvm::StringRef nearestOption(llvm::StringRef name, const HaloTool &tool);

// Reads the command line, and says on one line what is wrong with it where it
// returns false.
bool parseCommandLine(int argc, char **argv, llvm::StringRef title,
                      const HaloTool &tool);

// The content of an input; null where the tool has said why there is none.
std::unique_ptr<llvm::MemoryBuffer> readInput(const HaloTool &tool,
                                              llvm::StringRef name);

// Writes an output whole.
bool writeOutput(const HaloTool &tool, llvm::StringRef name,
                 llvm::StringRef content);

} // namespace halo

#endif // HALO_DIALECTS_DRIVER_H
