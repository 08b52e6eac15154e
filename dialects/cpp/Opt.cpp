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

// Fails where upstream's inliner would crash: it takes for granted that the uses
// of symbols are known (`CGUseList` in Inliner.cpp), which they are not around an
// op that may define a symbol table of a dialect that nobody registered.
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

// The option of a pass or pipeline that a name is likely to stand for; empty if there is
// none.
std::string nearestPassOption(StringRef pass, StringRef name) {
  const PassRegistryEntry *entry = PassInfo::lookup(pass);
  if (!entry)
    entry = PassPipelineInfo::lookup(pass);
  if (!entry)
    return "";
  // Only help tells the names, each on a line with its value.
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

// Why the command line names no pipeline; empty if it names one. MLIR reports it at a
// location that says nothing, in several lines, and only when it has read the program.
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
  // Values of options that are wrong are told elsewhere.
  std::string told = halo::capturingErrors([&] {
    PassManager trial(&context, ModuleOp::getOperationName(),
                      OpPassManager::Nesting::Implicit);
    isRight = succeeded(config.setupPassPipeline(trial));
  });
  if (isRight)
    return "";
  StringRef value = StringRef(told).split(": ").second.split('\n').first;
  halo::PipelineFault fault = halo::pipelineFault(value.str() + '\n' + reason);
  // A pass that stands on the command line by itself is not in the message.
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

// Adds the passes that the command line names.
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

// Whether a crash leaves a reproducer that the command line does not ask for: not where it
// asks for upstream's, runs one, or has several programs or those of a test.
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
  // Those of mlir-reduce, which `registerAllPasses` leaves out.
  registerReducerPasses();
}

// Prints the list of passes or, where the name is not empty, what is known of one of them,
// and returns the exit code.
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
    // Passes in Rust run in no other context.
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
