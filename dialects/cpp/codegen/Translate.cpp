// Entry point of upstream's translation driver.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include "Driver.h"
#include "Upstream.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

using namespace mlir;

namespace {

// A driver option that translations can read.
struct Option {
  std::string name, summary;
  std::unique_ptr<llvm::cl::opt<std::string>> value;
};

std::deque<Option> &options() {
  static std::deque<Option> options;
  return options;
}

// The names of the translations other than MLIR's.
std::vector<std::string> &translations() {
  static std::vector<std::string> names;
  return names;
}

} // namespace

extern "C" {

// Translates the bytes of a file, `name`, and passes the result to `emit`. On failure, emits
// diagnostics and returns false.
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

// Adds a translation from bytes to bytes. The strings must live as long as the program.
void haloRegisterTranslation(const void *translation, MlirStringRef name,
                             MlirStringRef summary, HaloTranslate translate) {
  translations().push_back(unwrap(name).str());
  TranslateRegistration(
      unwrap(name), unwrap(summary),
      [=](const std::shared_ptr<llvm::SourceMgr> &sources,
          llvm::raw_ostream &output, MLIRContext *context) -> LogicalResult {
        DialectRegistry registry;
        haloRegisterAllDialects(wrap(&registry));
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

// Runs a translation tool and returns its exit code. Several translations run one after the other.
int haloTranslateMain(int argc, char **argv, const HaloTool *tool) {
  namespace cl = llvm::cl;
  cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"),
                             cl::init("-"));
  cl::opt<std::string> output("o", cl::desc("Output filename"),
                              cl::value_desc("filename"), cl::init("-"));
  cl::opt<bool> unregistered("allow-unregistered-dialect",
                             cl::desc("Allow ops of dialects that are unknown"));
  cl::opt<bool> errorsOnly("error-diagnostics-only",
                           cl::desc("Report errors only"));
  cl::opt<bool> verify("verify-diagnostics",
                       cl::desc("Check that diagnostics are those that "
                                "expected-* comments name"));
  cl::opt<std::string> splitMarker(
      "split-input-file", cl::ValueOptional,
      cl::desc("Split the input at this marker, // ----- by default"));
  cl::opt<std::string> outputMarker(
      "output-split-marker", cl::desc("What to print between the parts"));
  cl::list<const Translation *, bool, TranslationParser> requested(
      "", cl::desc("Translations to perform"));
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerTranslationCLOptions();
  if (!halo::parseCommandLine(argc, argv, unwrap(tool->title), *tool))
    return EXIT_FAILURE;
  if (requested.empty()) {
    std::vector<llvm::StringRef> names(translations().begin(),
                                       translations().end());
    llvm::errs() << llvm::sys::path::filename(argv[0])
                 << ": error: no translation is asked for; there are: --"
                 << llvm::join(names, ", --") << "\n";
    return EXIT_FAILURE;
  }
  auto file = halo::readInput(*tool, input);
  if (!file)
    return EXIT_FAILURE;

  auto translate = [&](std::unique_ptr<llvm::MemoryBuffer> code,
                       const Translation &translation,
                       llvm::raw_ostream &stream) -> LogicalResult {
    MLIRContext context;
    context.allowUnregisteredDialects(unregistered);
    context.printOpOnDiagnostic(!verify);
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(std::move(code), llvm::SMLoc());
    if (verify) {
      SourceMgrDiagnosticVerifierHandler handler(*sources, &context);
      (void)translation(sources, stream, &context);
      return handler.verify();
    }
    SourceMgrDiagnosticHandler handler(*sources, &context);
    ScopedDiagnosticHandler filter(&context, [&](Diagnostic &diagnostic) {
      return success(errorsOnly && diagnostic.getSeverity() !=
                                       DiagnosticSeverity::Error);
    });
    return translation(sources, stream, &context);
  };
  auto process = [&](std::unique_ptr<llvm::MemoryBuffer> part,
                     llvm::raw_ostream &stream) -> LogicalResult {
    std::string name = part->getBufferIdentifier().str();
    std::string code = part->getBuffer().str();
    for (const Translation *translation : requested) {
      std::string result;
      llvm::raw_string_ostream results(result);
      // Copied, because some parsers require a terminating zero byte.
      auto buffer = llvm::MemoryBuffer::getMemBufferCopy(code, name);
      if (failed(translate(std::move(buffer), *translation, results)))
        return failure();
      code = std::move(result);
    }
    stream << code;
    return success();
  };
  std::string marker = splitMarker;
  if (splitMarker.getNumOccurrences() != 0 && marker.empty())
    marker = kDefaultSplitMarker;
  std::string content;
  llvm::raw_string_ostream stream(content);
  if (failed(splitAndProcessBuffer(std::move(file), process, stream, marker,
                                   outputMarker)))
    return EXIT_FAILURE;
  return halo::writeOutput(*tool, output, content) ? EXIT_SUCCESS
                                                   : EXIT_FAILURE;
}

// Prints a module of the LLVM dialect as LLVM IR. On failure, emits diagnostics and returns false.
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
