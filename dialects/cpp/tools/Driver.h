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

// The callbacks and strings of a tool. The strings must outlive the run.
struct HaloTool {
  // One line for the help.
  MlirStringRef title;
  // The options of the tool itself, which are suggested first for a misspelt option.
  const MlirStringRef *options;
  size_t optionCount;
  // Passes the content of the input with this name (`-` is standard input) to
  // `give`. On failure, reports an error and returns false.
  bool (*read)(MlirStringRef name, MlirStringCallback give, void *userData);
  // Writes the output with this name (`-` is standard output). On failure, reports
  // an error and returns false.
  bool (*write)(MlirStringRef name, MlirStringRef content);
};

} // extern "C"

namespace halo {

// Prints an error without a source location. `program` is the path of the executable.
void complain(llvm::StringRef program, llvm::StringRef message);

// Runs a function and returns its output to standard error.
std::string capturingErrors(llvm::function_ref<void()> run);

// Runs a function and returns its output to LLVM's standard output stream.
std::string capturingOutput(llvm::function_ref<void()> run);

// Returns the name that is most similar to another, or an empty string if none is similar.
llvm::StringRef nearest(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> names);

// Returns the option that a misspelt name most likely means, without its hyphens, or an empty
// string.
llvm::StringRef nearestOption(llvm::StringRef name, const HaloTool &tool);

// Parses the command line. On failure, reports one line and returns false.
bool parseCommandLine(int argc, char **argv, llvm::StringRef title,
                      const HaloTool &tool);

// Returns the content of an input, or null after the tool has reported an error.
std::unique_ptr<llvm::MemoryBuffer> readInput(const HaloTool &tool,
                                              llvm::StringRef name);

// Writes a whole output.
bool writeOutput(const HaloTool &tool, llvm::StringRef name,
                 llvm::StringRef content);

} // namespace halo

#endif // HALO_DIALECTS_DRIVER_H
