// Passes written in Rust, as MLIR passes.

#include "Pass.h"
#include "Reproducer.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

using namespace mlir;

namespace {

// A pass ID must be a unique aligned address. There is one for each declaration.
TypeID typeIDFor(const HaloPassDeclaration *declaration) {
  struct alignas(8) Anchor {
    char storage;
  };
  static std::mutex mutex;
  static std::map<const HaloPassDeclaration *, std::unique_ptr<Anchor>> anchors;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Anchor> &anchor = anchors[declaration];
  if (!anchor)
    anchor = std::make_unique<Anchor>();
  return TypeID::getFromOpaquePointer(anchor.get());
}

std::optional<StringRef> anchorOf(const HaloPassDeclaration *declaration) {
  if (declaration->anchor.length == 0)
    return std::nullopt;
  return unwrap(declaration->anchor);
}

// The Rust analyses of an op. MLIR stores them as one analysis, and queries it for the analyses
// that a pass has preserved.
class RustAnalyses {
public:
  explicit RustAnalyses(Operation *) {}
  RustAnalyses(const RustAnalyses &) = delete;
  RustAnalyses &operator=(const RustAnalyses &) = delete;
  ~RustAnalyses() {
    for (const Kept &analysis : kept)
      analysis.destroy(analysis.object);
  }

  const void *find(const void *key) const {
    for (const Kept &analysis : kept)
      if (analysis.key == key)
        return analysis.object;
    return nullptr;
  }

  void keep(const void *key, const void *object, void (*destroy)(const void *)) {
    kept.push_back({key, object, destroy});
  }

  bool isInvalidated(const AnalysisManager::PreservedAnalyses &preserved) {
    if (preserved.isAll())
      return false;
    llvm::erase_if(kept, [&](const Kept &analysis) {
      if (preserved.isPreserved(TypeID::getFromOpaquePointer(analysis.key)))
        return false;
      analysis.destroy(analysis.object);
      return true;
    });
    return kept.empty();
  }

private:
  struct Kept {
    const void *key;
    const void *object;
    void (*destroy)(const void *);
  };
  std::vector<Kept> kept;
};

class RustPass final : public Pass {
public:
  explicit RustPass(const HaloPassDeclaration *declaration)
      : Pass(typeIDFor(declaration), anchorOf(declaration)),
        declaration(declaration) {
    for (size_t i = 0; i < declaration->optionCount; ++i)
      addOption(declaration->options[i]);
  }

  StringRef getName() const override { return unwrap(declaration->argument); }
  StringRef getArgument() const override {
    return unwrap(declaration->argument);
  }
  StringRef getDescription() const override {
    return unwrap(declaration->summary);
  }

  bool canScheduleOn(RegisteredOperationName name) const override {
    std::optional<StringRef> anchor = anchorOf(declaration);
    return !anchor || name.getStringRef() == *anchor;
  }

  LogicalResult initialize(MLIRContext *context) override {
    for (size_t i = 0; i < declaration->dependentDialectCount; ++i) {
      StringRef dialect = unwrap(declaration->dependentDialects[i]);
      if (!context->getOrLoadDialect(dialect))
        return emitError(UnknownLoc::get(context))
               << "pass '" << getArgument() << "' depends on dialect '"
               << dialect << "', which is not registered";
    }
    return success();
  }

  // Parses the options. On failure, reports one message with the wrong option.
  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    std::string reason;
    auto keep = [&](const Twine &message) {
      reason = message.str();
      return failure();
    };
    if (failed(Pass::initializeOptions(text, keep))) {
      StringRef unknown = StringRef(reason).split("no such option ").second;
      if (unknown.empty())
        return errorHandler(reason);
      return errorHandler("pass '" + getArgument() + "' has no option '" +
                          unknown.trim() + "'");
    }
    auto append = [](MlirStringRef part, void *data) {
      static_cast<std::string *>(data)->append(part.data, part.length);
    };
    if (declaration->checkOptions(declaration->pass, optionValues().data(),
                                  append, &reason))
      return success();
    return errorHandler(reason);
  }

  RustAnalyses &analyses() { return getAnalysis<RustAnalyses>(); }

  void preserve(const void *key) {
    if (key)
      markAnalysesPreserved(TypeID::getFromOpaquePointer(key));
    else
      markAllAnalysesPreserved();
  }

  // Runs a pipeline on the op of this pass.
  HaloOutcome runNested(StringRef pipeline, std::string &reason) {
    OpPassManager manager(getOperation()->getName(),
                          OpPassManager::Nesting::Explicit);
    llvm::raw_string_ostream reasons(reason);
    if (failed(parsePassPipeline(pipeline, manager, reasons)))
      return HaloOutcomeNotParsed;
    DialectRegistry dialects;
    manager.getDependentDialects(dialects);
    getContext().appendDialectRegistry(dialects);
    for (StringRef dialect : dialects.getDialectNames())
      getContext().getOrLoadDialect(dialect);
    if (failed(runPipeline(manager, getOperation())))
      return HaloOutcomePassFailed;
    return HaloOutcomeSuccess;
  }

  void runOnOperation() override {
    if (failedPass == this)
      failedPass = nullptr;
    // The handles of a pass reach the whole program, so no other thread may change it meanwhile.
    if (getContext().isMultithreadingEnabled()) {
      emitError(getOperation()->getLoc())
          << "pass '" << getArgument()
          << "' runs in one thread, but the context has several enabled";
      failedPass = this;
      return signalPassFailure();
    }
    if (!declaration->run(declaration->pass, this, wrap(getOperation()),
                          optionValues().data())) {
      failedPass = this;
      signalPassFailure();
    }
  }

  // The last pass of this thread that itself failed, rather than the verifier after it.
  static thread_local const Pass *failedPass;

protected:
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<RustPass>(declaration);
  }

private:
  // MLIR stores the value as a string; Rust validates it. A name alone is an empty string.
  void addOption(const HaloPassOption &option) {
    options.emplace_back(std::make_unique<Pass::Option<std::string>>(
        *this, unwrap(option.name), llvm::cl::desc(unwrap(option.description)),
        llvm::cl::value_desc(unwrap(option.valueName)), llvm::cl::ValueOptional,
        llvm::cl::init(unwrap(option.defaultValue).str())));
  }

  std::vector<MlirStringRef> optionValues() const {
    std::vector<MlirStringRef> values;
    for (const auto &option : options) {
      const std::string &value = option->getValue();
      values.push_back(mlirStringRefCreate(value.data(), value.size()));
    }
    return values;
  }

  const HaloPassDeclaration *declaration;
  std::vector<std::unique_ptr<Pass::Option<std::string>>> options;
};

thread_local const Pass *RustPass::failedPass = nullptr;

// Makes a context single-threaded during its lifetime.
class OneThread {
public:
  explicit OneThread(MLIRContext *context)
      : context(context), before(context->isMultithreadingEnabled()) {
    if (before)
      context->disableMultithreading();
  }

  ~OneThread() {
    if (before)
      context->enableMultithreading();
  }

private:
  MLIRContext *context;
  bool before;
};

// Records the first pass after which a pipeline stopped, or in which a hook panicked, and the
// reason.
class Witness final : public PassInstrumentation {
public:
  struct Failure {
    std::mutex mutex;
    std::string pass;
    bool isInvalid = false;

    void clear() {
      pass.clear();
      isInvalid = false;
    }
  };

  Witness(Failure &failure, HaloHasPanicked hasPanicked)
      : failure(failure), hasPanicked(hasPanicked) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    std::lock_guard<std::mutex> lock(failure.mutex);
    if (failure.pass.empty() && hasPanicked(wrap(op->getContext())))
      failure.pass = pass->getArgument().str();
  }

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    std::lock_guard<std::mutex> lock(failure.mutex);
    // A failure in a nested pipeline is also reported for its adaptor pass.
    if (!failure.pass.empty() || pass->getArgument().empty())
      return;
    failure.pass = pass->getArgument().str();
    ScopedDiagnosticHandler silence(op->getContext(),
                                    [](Diagnostic &) { return success(); });
    failure.isInvalid = RustPass::failedPass != pass && mlir::failed(verify(op));
  }

private:
  Failure &failure;
  HaloHasPanicked hasPanicked;
};

// A parsed pipeline, which runs on the programs of one context one after the other.
struct ReadPipeline {
  ReadPipeline(MLIRContext *context, StringRef anchor)
      : manager(context, anchor) {}

  PassManager manager;
  Witness::Failure failure;
  bool isRunning = false;
};

// Caches the parsed pipelines of contexts. Parsing creates the passes, and the first run collects
// the patterns of upstream's passes.
class KeptPipelines {
public:
  static KeptPipelines &get() {
    static KeptPipelines *kept = new KeptPipelines;
    return *kept;
  }

  void begin(MLIRContext *context) {
    std::lock_guard<std::mutex> lock(mutex);
    contexts[context];
  }

  void end(MLIRContext *context) {
    std::lock_guard<std::mutex> lock(mutex);
    contexts.erase(context);
  }

  // Returns the cache entry of a pipeline, initially empty, or null if pipelines of the context are
  // not cached.
  std::unique_ptr<ReadPipeline> *find(MLIRContext *context,
                                      const std::string &text) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = contexts.find(context);
    return found == contexts.end() ? nullptr : &found->second[text];
  }

private:
  // A map, because inserting does not move the other entries.
  using Pipelines = std::map<std::string, std::unique_ptr<ReadPipeline>>;
  std::mutex mutex;
  std::map<MLIRContext *, Pipelines> contexts;
};

// Reports the pass that left invalid IR, after the verifier's message.
class Teller final : public PassInstrumentation {
public:
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    // A failure in a nested pipeline is also reported for its adaptor pass.
    if (pass->getArgument().empty() || RustPass::failedPass == pass)
      return;
    ScopedDiagnosticHandler silence(op->getContext(),
                                    [](Diagnostic &) { return success(); });
    if (mlir::failed(verify(op))) {
      llvm::errs() << "error: pass '" << pass->getArgument()
                   << "' left invalid IR\n";
      halo::noteInvalidIR();
    }
  }
};

} // namespace

void halo::tellInvalidatingPass(PassManager &manager) {
  manager.addInstrumentation(std::make_unique<Teller>());
}

halo::PipelineFault halo::pipelineFault(StringRef said) {
  PipelineFault fault;
  SmallVector<StringRef> lines;
  said.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    StringRef rest = line.trim();
    if (rest.consume_front("failed to add `")) {
      if (fault.pass.empty())
        fault.pass = rest.split('`').first.str();
    } else if (auto [pass, option] = rest.split("' has no option '");
               !option.empty() && pass.consume_front("pass '")) {
      fault.pass = pass.str();
      fault.option = option.split('\'').first.str();
    } else if (rest.contains("no such option ")) {
      fault.option = rest.split("no such option ").second.trim().str();
    } else if (rest.consume_front("for the --")) {
      auto [option, value] = rest.split(" option: ");
      fault.option = option.str();
      fault.value = value.rtrim('!').str();
    } else if (fault.other.empty() && fault.option.empty()) {
      // The following lines show an excerpt that differs from the text as written.
      if (rest.starts_with("MLIR Textual PassPipeline Parser"))
        rest = rest.split("error: ").second;
      fault.other = rest.str();
      StringRef name = rest.split("' does not refer to").first;
      if (name.consume_front("'") && name.size() + 1 < rest.size())
        fault.unknownPass = name.str();
    }
  }
  return fault;
}

std::string halo::PipelineFault::message() const {
  if (option.empty()) {
    std::string message = other;
    if (!message.empty())
      message[0] = llvm::toLower(message[0]);
    return message;
  }
  std::string quoted = "option '" + option + "'";
  if (pass.empty())
    return value.empty() ? "no such " + quoted : quoted + ": " + value;
  return value.empty() ? "pass '" + pass + "' has no " + quoted
                       : quoted + " of pass '" + pass + "': " + value;
}

void haloDescribePipelineFault(MlirStringRef said, MlirStringCallback say,
                               void *data) {
  std::string message = halo::pipelineFault(unwrap(said)).message();
  say(wrap(StringRef(message)), data);
}

bool haloIsRegistered(MlirStringRef argument) {
  return PassInfo::lookup(unwrap(argument)) ||
         PassPipelineInfo::lookup(unwrap(argument));
}

void haloKeepPipelines(MlirContext context) {
  KeptPipelines::get().begin(unwrap(context));
}

void haloDropPipelines(MlirContext context) {
  KeptPipelines::get().end(unwrap(context));
}

int haloRunPipeline(MlirOperation wrapped, MlirStringRef pipeline,
                    bool verifyEach, bool verifyAtEnd,
                    HaloHasPanicked hasPanicked, MlirStringCallback say,
                    void *data) {
  Operation *op = unwrap(wrapped);
  MLIRContext *context = op->getContext();
  OneThread oneThread(context);
  auto tell = [&](StringRef text) { say(wrap(text), data); };
  StringRef anchor = op->getName().getStringRef();
  std::string text = (anchor + ":" + unwrap(pipeline)).str();
  std::unique_ptr<ReadPipeline> own;
  std::unique_ptr<ReadPipeline> *place =
      KeptPipelines::get().find(context, text);
  // A pass may run the pipeline that it is part of.
  if (!place || (*place && (*place)->isRunning))
    place = &own;
  if (!*place) {
    auto read = std::make_unique<ReadPipeline>(context, anchor);
    std::string reason;
    llvm::raw_string_ostream reasons(reason);
    if (failed(parsePassPipeline(unwrap(pipeline), read->manager, reasons))) {
      tell(halo::pipelineFault(reason).message());
      return HaloOutcomeNotParsed;
    }
    read->manager.enableVerifier(verifyEach);
    read->manager.addInstrumentation(
        std::make_unique<Witness>(read->failure, hasPanicked));
    *place = std::move(read);
  }
  ReadPipeline &read = **place;
  read.failure.clear();
  read.isRunning = true;
  bool succeeds = succeeded(read.manager.run(op));
  read.isRunning = false;
  if (succeeds && read.failure.pass.empty()) {
    if (verifyEach || !verifyAtEnd || succeeded(verify(op)))
      return HaloOutcomeSuccess;
    tell(unwrap(pipeline));
    return HaloOutcomeInvalid;
  }
  tell(read.failure.pass);
  return read.failure.isInvalid ? HaloOutcomeInvalid : HaloOutcomePassFailed;
}

int haloRunNested(void *run, MlirStringRef pipeline, MlirStringCallback say,
                  void *data) {
  std::string reason;
  HaloOutcome outcome =
      static_cast<RustPass *>(run)->runNested(unwrap(pipeline), reason);
  if (outcome == HaloOutcomeNotParsed)
    reason = halo::pipelineFault(reason).message();
  say(wrap(StringRef(reason)), data);
  return outcome;
}

const void *haloFindAnalysis(void *run, const void *key) {
  return static_cast<RustPass *>(run)->analyses().find(key);
}

void haloKeepAnalysis(void *run, const void *key, const void *analysis,
                      void (*destroy)(const void *)) {
  static_cast<RustPass *>(run)->analyses().keep(key, analysis, destroy);
}

void haloPreserveAnalysis(void *run, const void *key) {
  static_cast<RustPass *>(run)->preserve(key);
}

void haloRegisterPass(const HaloPassDeclaration *declaration) {
  registerPass([declaration]() -> std::unique_ptr<Pass> {
    return std::make_unique<RustPass>(declaration);
  });
}

void haloRegisterPipeline(MlirStringRef argument, MlirStringRef summary,
                          MlirStringRef text) {
  std::string pipeline = unwrap(text).str();
  registerPassPipeline(
      unwrap(argument), unwrap(summary),
      [pipeline](OpPassManager &manager, StringRef options,
                 function_ref<LogicalResult(const Twine &)> errorHandler) {
        if (!options.empty())
          return errorHandler("this pipeline takes no options");
        return parsePassPipeline(pipeline, manager);
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}
