// Passes written in Rust, as MLIR passes.

#include "Pass.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <map>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

using namespace mlir;

namespace {

// A pass identity must be a unique aligned address: one is kept for each
// declaration.
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

  void runOnOperation() override {
    if (failedPass == this)
      failedPass = nullptr;
    // The handles of a pass reach all of the program, so nothing else may change it
    // meanwhile.
    if (getContext().isMultithreadingEnabled()) {
      emitError(getOperation()->getLoc())
          << "pass '" << getArgument()
          << "' runs in one thread, but the context has several enabled";
      failedPass = this;
      return signalPassFailure();
    }
    std::vector<std::string> values;
    for (const OptionStorage &option : options)
      values.push_back(render(option));
    std::vector<MlirStringRef> views;
    for (const std::string &value : values)
      views.push_back(mlirStringRefCreate(value.data(), value.size()));
    if (!declaration->run(declaration->pass, wrap(getOperation()),
                          views.data())) {
      failedPass = this;
      signalPassFailure();
    }
  }

  // The pass of this thread that failed last, as a pass and not by what the
  // verifier found behind it.
  static thread_local const Pass *failedPass;

protected:
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<RustPass>(declaration);
  }

private:
  using BoolOption = std::unique_ptr<Pass::Option<bool>>;
  using IntegerOption = std::unique_ptr<Pass::Option<int64_t>>;
  using StringOption = std::unique_ptr<Pass::Option<std::string>>;
  using OptionStorage = std::variant<BoolOption, IntegerOption, StringOption>;

  void addOption(const HaloPassOption &option) {
    StringRef name = unwrap(option.name);
    llvm::cl::desc description(unwrap(option.description));
    StringRef value = unwrap(option.defaultValue);
    switch (option.kind) {
    case HaloOptionBool:
      options.emplace_back(std::make_unique<Pass::Option<bool>>(
          *this, name, description, llvm::cl::init(value == "true")));
      return;
    case HaloOptionInteger: {
      int64_t number = 0;
      (void)value.getAsInteger(10, number);
      options.emplace_back(std::make_unique<Pass::Option<int64_t>>(
          *this, name, description, llvm::cl::init(number)));
      return;
    }
    default:
      options.emplace_back(std::make_unique<Pass::Option<std::string>>(
          *this, name, description, llvm::cl::init(value.str())));
    }
  }

  static std::string render(const OptionStorage &option) {
    if (auto *flag = std::get_if<BoolOption>(&option))
      return (*flag)->getValue() ? "true" : "false";
    if (auto *number = std::get_if<IntegerOption>(&option))
      return std::to_string((*number)->getValue());
    return std::get<StringOption>(option)->getValue();
  }

  const HaloPassDeclaration *declaration;
  std::vector<OptionStorage> options;
};

thread_local const Pass *RustPass::failedPass = nullptr;

// Lets a context work in one thread while it lives.
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

// Remembers the first pass behind which a pipeline stopped, or in which a hook
// panicked, and why.
class Witness final : public PassInstrumentation {
public:
  struct Failure {
    std::mutex mutex;
    std::string pass;
    bool isInvalid = false;
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
    // The pass that holds a nested pipeline fails behind the one in it.
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

// Tells which pass left invalid IR, behind what the verifier has said of it.
class Teller final : public PassInstrumentation {
public:
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    // The pass that holds a nested pipeline fails behind the one in it.
    if (pass->getArgument().empty() || RustPass::failedPass == pass)
      return;
    ScopedDiagnosticHandler silence(op->getContext(),
                                    [](Diagnostic &) { return success(); });
    if (mlir::failed(verify(op)))
      llvm::errs() << "error: pass '" << pass->getArgument()
                   << "' left invalid IR\n";
  }
};

} // namespace

void halo::tellInvalidatingPass(PassManager &manager) {
  manager.addInstrumentation(std::make_unique<Teller>());
}

bool haloIsRegistered(MlirStringRef argument) {
  return PassInfo::lookup(unwrap(argument)) ||
         PassPipelineInfo::lookup(unwrap(argument));
}

int haloRunPipeline(MlirOperation wrapped, MlirStringRef pipeline,
                    bool verifyEach, HaloHasPanicked hasPanicked,
                    MlirStringCallback say, void *data) {
  Operation *op = unwrap(wrapped);
  OneThread oneThread(op->getContext());
  auto tell = [&](StringRef text) { say(wrap(text), data); };
  PassManager manager(op->getContext(), op->getName().getStringRef());
  std::string reason;
  llvm::raw_string_ostream reasons(reason);
  if (failed(parsePassPipeline(unwrap(pipeline), manager, reasons))) {
    tell(reason);
    return HaloOutcomeNotParsed;
  }
  manager.enableVerifier(verifyEach);
  Witness::Failure failure;
  manager.addInstrumentation(std::make_unique<Witness>(failure, hasPanicked));
  if (succeeded(manager.run(op)) && failure.pass.empty()) {
    if (verifyEach || succeeded(verify(op)))
      return HaloOutcomeSuccess;
    tell(unwrap(pipeline));
    return HaloOutcomeInvalid;
  }
  tell(failure.pass);
  return failure.isInvalid ? HaloOutcomeInvalid : HaloOutcomePassFailed;
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
