// Entry points of upstream's drivers, with everything of MLIR registered.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

#include "Driver.h"
#include "Pass.h"
#include "Register.h"

using namespace mlir;

extern "C" {

// Adds every upstream dialect and extension, the translations to LLVM IR and
// Halo's dialects.
void haloRegisterEverything(MlirDialectRegistry wrapped) {
  DialectRegistry &registry = *unwrap(wrapped);
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  haloRegisterDialects(wrapped);
}

// Adds every upstream pass and pipeline to the program-wide registry.
void haloRegisterUpstreamPasses() { registerAllPasses(); }

// Runs an opt-like tool and returns its exit code.
int haloOptMain(int argc, char **argv, const HaloTool *tool) {
  DialectRegistry registry;
  haloRegisterEverything(wrap(&registry));
  static llvm::cl::opt<std::string> input(llvm::cl::Positional,
                                          llvm::cl::desc("<input file>"),
                                          llvm::cl::init("-"));
  static llvm::cl::opt<std::string> output("o",
                                           llvm::cl::desc("Output filename"),
                                           llvm::cl::value_desc("filename"),
                                           llvm::cl::init("-"));
  std::string title = registerCLIOptions(unwrap(tool->title), registry);
  if (!halo::parseCommandLine(argc, argv, title, *tool))
    return EXIT_FAILURE;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig fromCommandLine = config;
  config.setPassPipelineSetupFn([fromCommandLine](PassManager &manager) {
    halo::tellInvalidatingPass(manager);
    return fromCommandLine.setupPassPipeline(manager);
  });
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(
        MlirOptMain(argc, argv, input, output, registry));
  auto file = halo::readInput(*tool, input);
  if (!file)
    return EXIT_FAILURE;
  std::string content;
  llvm::raw_string_ostream stream(content);
  if (failed(MlirOptMain(stream, std::move(file), registry, config)))
    return EXIT_FAILURE;
  return halo::writeOutput(*tool, output, content) ? EXIT_SUCCESS
                                                   : EXIT_FAILURE;
}

} // extern "C"
