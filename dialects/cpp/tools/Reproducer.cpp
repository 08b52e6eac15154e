//===- Reproducer.cpp - Reproducers of crashing passes ----------------------===//

#include "Reproducer.h"

#include "mlir-c/Support.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <vector>

#ifdef __unix__
#include <fcntl.h>
#include <unistd.h>
#endif

using namespace mlir;

// The folder of reproducers; an empty value disables them. The default is the current folder.
static const char folderVariable[] = "HALO_REPRODUCER_DIR";

// The maximum size of a program in text form, and in other formats, which must be printed: that can
// take as long as the passes.
static const size_t largestText = 16 << 20, largestOther = 1 << 20;

static std::atomic<bool> hasFault;

void halo::noteInvalidIR() { hasFault = true; }

namespace {

// A candidate path, and the message once the file is written.
struct Place {
  std::string path, message;
};

// The data that the handlers write; complete before they are installed. The first candidate path
// that does not exist is used, so earlier files are kept. The paths depend on the tool and its
// input, and are the same in all phases of a compilation.
struct Prepared {
  std::string tool, stem;
  std::vector<Place> places;
  std::string text, warning;
} prepared;

} // namespace

static const unsigned mostPlaces = 100;

// Prepares the text and the candidate paths of a tool. `path` has no extension.
static void prepare(StringRef tool, const Twine &path, std::string text) {
  prepared.text = std::move(text);
  std::string stem = path.str();
  if (prepared.tool == tool && prepared.stem == stem && !prepared.places.empty())
    return;
  prepared.tool = tool.str();
  prepared.stem = stem;
  prepared.places.clear();
  std::string name = llvm::sys::path::filename(tool).str();
  for (unsigned number = 1; number <= mostPlaces; ++number) {
    std::string file = stem;
    if (number > 1)
      file += "." + std::to_string(number);
    file += ".reproducer.mlir";
    std::string message = name + ": note: the program and its passes are in " +
                          file + "; halo-opt --run-reproducer runs them\n";
    prepared.places.push_back({std::move(file), std::move(message)});
  }
  prepared.warning = name + ": warning: no reproducer can be written: " + stem +
                     ".reproducer.mlir\n";
}

#ifdef __unix__

static const int fatalSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
static const size_t signalCount = sizeof fatalSignals / sizeof *fatalSignals;
static struct sigaction earlier[signalCount];

static bool writeAll(int file, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count <= 0)
      return false;
    done += size_t(count);
  }
  return true;
}

// Async-signal-safe: neither allocates nor locks.
static void writePrepared() {
  for (const Place &place : prepared.places) {
    int file =
        ::open(place.path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0 && errno == EEXIST)
      continue;
    if (file < 0)
      break;
    bool isWritten = writeAll(file, prepared.text);
    ::close(file);
    if (!isWritten) {
      ::unlink(place.path.c_str());
      break;
    }
    writeAll(2, place.message);
    return;
  }
  writeAll(2, prepared.warning);
}

static void handle(int signal, siginfo_t *info, void *) {
  for (size_t i = 0; i != signalCount; ++i)
    if (fatalSignals[i] == signal)
      ::sigaction(signal, &earlier[i], nullptr);
  writePrepared();
  // A hardware fault occurs again when the handler returns, and reaches the previous handler.
  if (info && info->si_code > 0)
    return;
  ::raise(signal);
}

static void installHandlers() {
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i != signalCount; ++i)
    ::sigaction(fatalSignals[i], &action, &earlier[i]);
}

static void removeHandlers() {
  for (size_t i = 0; i != signalCount; ++i)
    ::sigaction(fatalSignals[i], &earlier[i], nullptr);
}

#else

static void writePrepared() {}
static void installHandlers() {}
static void removeHandlers() {}

#endif

// Returns a bytecode program as text, or an empty string if it cannot be read.
static std::string textOf(StringRef content, const DialectRegistry &registry) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  ScopedDiagnosticHandler silence(&context,
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(content, ParserConfig(&context));
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (module)
    module->print(stream);
  return text;
}

halo::Reproducer::Reproducer(StringRef tool, StringRef input, StringRef content,
                             const DialectRegistry &registry) {
  const char *folder = std::getenv(folderVariable);
  bool isText = !content.starts_with("ML\xefR");
  if ((folder && !*folder) ||
      content.size() > (isText ? largestText : largestOther))
    return;
  StringRef name = input == "-" ? "stdin" : llvm::sys::path::stem(input);
  llvm::SmallString<128> file(folder ? folder : "");
  llvm::sys::path::append(file, name);
  path = std::string(file);
  this->tool = tool.str();
  program = isText ? content.str() : textOf(content, registry);
  hasFault = false;
}

halo::Reproducer::~Reproducer() {
  if (isWatching)
    removeHandlers();
}

// Like upstream's `makeReproducer`, which writes to a file itself.
void halo::Reproducer::makeText(PassManager &manager) {
  std::string pipeline;
  llvm::raw_string_ostream passes(pipeline);
  manager.printAsTextualPipeline(passes);
  std::string text = program;
  llvm::raw_string_ostream stream(text);
  stream << "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n"
         << "      pipeline: \"";
  llvm::printEscapedString(pipeline, stream);
  stream << "\",\n      disable_threading: true,\n      verify_each: true\n"
         << "    }\n  }\n#-}\n";
  prepare(tool, path, std::move(text));
}

void halo::Reproducer::watch(PassManager &manager) {
  if (program.empty() || isWatching || manager.size() == 0)
    return;
  makeText(manager);
  // Only internal errors of Halo are faults; other errors are due to the program.
  manager.getContext()->getDiagEngine().registerHandler(
      [](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            StringRef(diagnostic.str()).contains("internal error"))
          hasFault = true;
        return failure();
      });
  isWatching = true;
  installHandlers();
}

void halo::Reproducer::finish() {
  if (isWatching && hasFault)
    writePrepared();
}

extern "C" {

// Starts watching for crashes. A crash writes the reproducer `text` of a tool to `path`, which has
// no extension.
void haloWatchForCrashes(MlirStringRef tool, MlirStringRef path,
                         MlirStringRef text) {
  prepare(unwrap(tool), unwrap(path), unwrap(text).str());
  installHandlers();
}

// Stops watching for crashes. May write the prepared reproducer now.
void haloStopWatching(bool writes) {
  removeHandlers();
  if (writes)
    writePrepared();
}

} // extern "C"
