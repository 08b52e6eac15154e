// Entry points of upstream's drivers, with everything of MLIR registered.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

#include "Register.h"

using namespace mlir;

// The alignment of bytecode in memory, of which no section has a larger one;
// `BYTECODE_ALIGNMENT` of diagnostics.rs.
static const llvm::Align bytecodeAlignment(4096);

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

// Looks an input through, with the name of its file: whether it is fit to be
// parsed, which it reports otherwise. An input of another form than MLIR's is
// given to `replace` as MLIR.
using HaloReadInput = bool (*)(MlirStringRef name, MlirStringRef code,
                               MlirStringCallback replace, void *userData);

// Runs an opt-like tool and returns its exit code.
int haloOptMain(int argc, char **argv, MlirStringRef toolName,
                HaloReadInput readInput) {
  DialectRegistry registry;
  haloRegisterEverything(wrap(&registry));
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, unwrap(toolName), registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(
        MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  std::string error;
  auto file = openInputFile(input, bytecodeAlignment, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return EXIT_FAILURE;
  }
  auto replace = [](MlirStringRef code, void *file) {
    auto &buffer = *static_cast<std::unique_ptr<llvm::MemoryBuffer> *>(file);
    auto copy = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
        unwrap(code).size(), buffer->getBufferIdentifier(), bytecodeAlignment);
    llvm::copy(unwrap(code), copy->getBufferStart());
    buffer = std::move(copy);
  };
  if (!readInput(wrap(StringRef(file->getBufferIdentifier())),
                 wrap(file->getBuffer()), replace, &file))
    return EXIT_FAILURE;
  auto result = openOutputFile(output, &error);
  if (!result) {
    llvm::errs() << error << "\n";
    return EXIT_FAILURE;
  }
  if (failed(MlirOptMain(result->os(), std::move(file), registry, config)))
    return EXIT_FAILURE;
  result->keep();
  return EXIT_SUCCESS;
}

} // extern "C"
