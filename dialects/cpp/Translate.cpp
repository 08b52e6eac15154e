// Entry point of upstream's translation driver.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

#include "Register.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

using namespace mlir;

namespace {

// An option of the driver that a translation may ask for.
struct Option {
  std::string name, summary;
  std::unique_ptr<llvm::cl::opt<std::string>> value;
};

std::deque<Option> &options() {
  static std::deque<Option> options;
  return options;
}

} // namespace

extern "C" {

void haloRegisterEverything(MlirDialectRegistry registry);

// Translates the bytes of a file, `name`, and gives the result to `emit`.
// Diagnostics have said why where it returns false.
using HaloTranslate = bool (*)(const void *translation, MlirContext context,
                               MlirStringRef name, MlirStringRef code,
                               const MlirStringRef *optionValues,
                               MlirStringCallback emit, void *userData);

// Adds an option to the driver; a flag if its default is "false".
void haloRegisterTranslationOption(MlirStringRef name, MlirStringRef summary,
                                   MlirStringRef initial) {
  Option &option = options().emplace_back();
  option.name = unwrap(name).str();
  option.summary = unwrap(summary).str();
  option.value = std::make_unique<llvm::cl::opt<std::string>>(
      StringRef(option.name), llvm::cl::desc(option.summary),
      llvm::cl::init(unwrap(initial).str()));
  if (unwrap(initial) == "false")
    option.value->setNumOccurrencesFlag(llvm::cl::Optional),
        option.value->setValueExpectedFlag(llvm::cl::ValueOptional);
}

// Adds a translation from bytes to bytes. The texts live as long as the
// program.
void haloRegisterTranslation(const void *translation, MlirStringRef name,
                             MlirStringRef summary, HaloTranslate translate) {
  TranslateRegistration(
      unwrap(name), unwrap(summary),
      [=](const std::shared_ptr<llvm::SourceMgr> &sources,
          llvm::raw_ostream &output, MLIRContext *context) -> LogicalResult {
        DialectRegistry registry;
        haloRegisterEverything(wrap(&registry));
        context->appendDialectRegistry(registry);
        std::vector<MlirStringRef> values;
        for (const Option &option : options()) {
          const std::string &value = option.value->getValue();
          values.push_back(mlirStringRefCreate(value.data(), value.size()));
        }
        const llvm::MemoryBuffer *input =
            sources->getMemoryBuffer(sources->getMainFileID());
        auto emit = [](MlirStringRef text, void *stream) {
          *static_cast<llvm::raw_ostream *>(stream) << unwrap(text);
        };
        return success(translate(
            translation, wrap(context), wrap(input->getBufferIdentifier()),
            wrap(input->getBuffer()), values.data(), emit, &output));
      });
}

// Runs a translation tool and returns its exit code.
int haloTranslateMain(int argc, char **argv, MlirStringRef toolName) {
  return failed(mlirTranslateMain(argc, argv, unwrap(toolName)))
             ? EXIT_FAILURE
             : EXIT_SUCCESS;
}

// Prints a module of the LLVM dialect as LLVM IR. Diagnostics have said why
// where it returns false.
bool haloTranslateToLlvmIr(MlirOperation module, MlirStringCallback emit,
                           void *userData) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(unwrap(module), context);
  if (!translated)
    return false;
  std::string text;
  llvm::raw_string_ostream stream(text);
  translated->print(stream, nullptr);
  emit(mlirStringRefCreate(text.data(), text.size()), userData);
  return true;
}

} // extern "C"
