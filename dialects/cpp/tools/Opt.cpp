// Entry points of upstream's drivers, with everything of MLIR registered.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include "Driver.h"
#include "Pass.h"
#include "Register.h"
#include "Reproducer.h"
#include "Upstream.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace {

// Fails if upstream's inliner would crash: `CGUseList` in Inliner.cpp requires that all symbol uses
// are known, which is not the case for an unregistered op that may define a symbol table.
struct CheckSymbolTables
    : public PassWrapper<CheckSymbolTables, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckSymbolTables)

  bool canScheduleOn(RegisteredOperationName) const override { return true; }

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (op->getNumRegions() != 1 || op->getDialect())
        return WalkResult::advance();
      emitError(op->getLoc())
          << "'" << op->getName()
          << "' op is not registered and may define a symbol table, where the "
             "pass inline cannot know the uses of symbols";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

// Returns the option of a pass or pipeline that a misspelt name most likely means, or an empty
// string.
std::string nearestPassOption(StringRef pass, StringRef name) {
  const PassRegistryEntry *entry = PassInfo::lookup(pass);
  if (!entry)
    entry = PassPipelineInfo::lookup(pass);
  if (!entry)
    return "";
  // Only the help text has the names, one to a line with their values.
  std::string help = halo::capturingOutput([&] {
    entry->printHelpStr(0, entry->getOptionWidth() + 8);
  });
  SmallVector<StringRef> lines, names;
  StringRef(help).split(lines, '\n');
  for (StringRef line : ArrayRef(lines).drop_front()) {
    line = line.ltrim();
    if (line.consume_front("--"))
      names.push_back(line.take_until(
          [](char c) { return StringRef("=[ ").contains(c); }));
  }
  return halo::nearest(name, names).str();
}

// Returns the error of a command line with an invalid pipeline, or an empty string. MLIR reports it
// without a useful location, in several lines, and only after it has read the program.
std::string pipelineError(const MlirOptMainConfig &config,
                          ArrayRef<char *> arguments, const HaloTool &tool) {
  DialectRegistry none;
  MLIRContext context(none, MLIRContext::Threading::DISABLED);
  std::string reason;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    reason += diagnostic.str();
    return success();
  });
  bool isRight = false;
  // Errors in option values are reported elsewhere.
  std::string told = halo::capturingErrors([&] {
    PassManager trial(&context, ModuleOp::getOperationName(),
                      OpPassManager::Nesting::Implicit);
    isRight = succeeded(config.setupPassPipeline(trial));
  });
  if (isRight)
    return "";
  StringRef value = StringRef(told).split(": ").second.split('\n').first;
  halo::PipelineFault fault = halo::pipelineFault(value.str() + '\n' + reason);
  // The message does not contain a pass that is a separate argument.
  for (StringRef argument : arguments) {
    auto [name, options] = argument.ltrim('-').split('=');
    if (fault.pass.empty() && !fault.option.empty() && PassInfo::lookup(name) &&
        options.contains(fault.option))
      fault.pass = name.str();
  }
  std::string message = fault.message();
  StringRef unknown = fault.unknownPass;
  if (StringRef meant = unknown.empty() ? "" : halo::nearestOption(unknown, tool);
      !meant.empty())
    message += "; did you mean '" + meant.str() + "'?";
  if (!fault.pass.empty() && fault.value.empty())
    if (std::string meant = nearestPassOption(fault.pass, fault.option);
        !meant.empty())
      message += "; did you mean '" + meant + "'?";
  return message;
}

// Adds the passes given on the command line.
LogicalResult setUpPasses(const MlirOptMainConfig &named, PassManager &pm) {
  if (pm.getContext()->allowsUnregisteredDialects()) {
    PassManager trial(pm.getContext(), pm.getOpAnchorName(), pm.getNesting());
    if (failed(named.setupPassPipeline(trial)))
      return failure();
    std::string text;
    llvm::raw_string_ostream stream(text);
    trial.printAsTextualPipeline(stream);
    if (llvm::Regex("[(,]inline[{,)]").match(text))
      pm.addPass(std::make_unique<CheckSymbolTables>());
  }
  return named.setupPassPipeline(pm);
}

// Returns true if a crash writes a reproducer by default: not if the command line requests
// upstream's, runs one, or has several programs or test expectations.
bool leavesReproducer(const MlirOptMainConfig &config) {
  const auto &options = llvm::cl::getRegisteredOptions();
  auto asked = options.find("mlir-pass-pipeline-crash-reproducer");
  return !config.shouldRunReproducer() && config.inputSplitMarker().empty() &&
         !config.shouldVerifyDiagnostics() &&
         (asked == options.end() || !asked->second->getNumOccurrences());
}

} // namespace

extern "C" {

void haloRegisterAllDialects(MlirDialectRegistry wrapped) {
  DialectRegistry &registry = *unwrap(wrapped);
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  haloRegisterDialects(wrapped);
}

void haloRegisterAllPasses() {
  registerAllPasses();
  // The passes of mlir-reduce, which `registerAllPasses` omits.
  registerReducerPasses();
}

// Prints the list of passes or, if the name is not empty, the documentation of one pass, and
// returns the exit code.
typedef int (*HaloExplainPasses)(MlirStringRef name, void *data);

// Runs an opt-like tool and returns its exit code.
int haloOptMain(int argc, char **argv, const HaloTool *tool,
                HaloExplainPasses explain, void *data) {
  DialectRegistry registry;
  haloRegisterAllDialects(wrap(&registry));
  static llvm::cl::opt<std::string> input(llvm::cl::Positional,
                                          llvm::cl::desc("<input file>"),
                                          llvm::cl::init("-"));
  static llvm::cl::opt<std::string> output("o",
                                           llvm::cl::desc("Output filename"),
                                           llvm::cl::value_desc("filename"),
                                           llvm::cl::init("-"));
  static llvm::cl::opt<std::string> explained(
      "explain-pass", llvm::cl::desc("Print what a pass does, and exit"),
      llvm::cl::value_desc("pass"));
  std::string title = registerCLIOptions(unwrap(tool->title), registry);
  if (!halo::parseCommandLine(argc, argv, title, *tool))
    return EXIT_FAILURE;
  const MlirOptMainConfig named = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig config = named;
  std::optional<halo::Reproducer> reproducer;
  config.setPassPipelineSetupFn([&](PassManager &pm) {
    // Passes in Rust require a single-threaded context.
    pm.getContext()->disableMultithreading();
    halo::tellInvalidatingPass(pm);
    if (failed(setUpPasses(named, pm)))
      return failure();
    if (reproducer)
      reproducer->watch(pm);
    return success();
  });
  if (config.shouldListPasses() || explained.getNumOccurrences() > 0)
    return explain(wrap(StringRef(explained)), data);
  if (config.shouldShowDialects())
    return asMainReturnCode(
        MlirOptMain(argc, argv, input, output, registry));
  std::string wrong =
      pipelineError(named, ArrayRef(argv + 1, argv + std::max(argc, 1)), *tool);
  if (!wrong.empty()) {
    halo::complain(argv[0], wrong);
    return EXIT_FAILURE;
  }
  auto file = halo::readInput(*tool, input);
  if (!file)
    return EXIT_FAILURE;
  if (leavesReproducer(config))
    reproducer.emplace(argv[0], input, file->getBuffer(), registry);
  std::string content;
  llvm::raw_string_ostream stream(content);
  LogicalResult result =
      MlirOptMain(stream, std::move(file), registry, config);
  if (reproducer)
    reproducer->finish();
  if (failed(result))
    return EXIT_FAILURE;
  return halo::writeOutput(*tool, output, content) ? EXIT_SUCCESS
                                                   : EXIT_FAILURE;
}

} // extern "C"
