//===- Driver.cpp - What tools on upstream's drivers share -----------------===//
//
// Upstream's own way to open files and to report wrong options is left out:
// it truncates what it writes before there is anything to write, loses errors of
// standard output, reports in several lines, and installs signal handlers that
// allocate, which may wait for ever for the lock of a heap that was spoilt.

#include "Driver.h"

#include "mlir/CAPI/IR.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdio>
#include <string>

#ifdef __unix__
#include <unistd.h>
#endif

using namespace llvm;

namespace {

// Keeps what is written to standard error while it lives.
class CapturedErrors {
public:
  CapturedErrors() {
#ifdef __unix__
    if ((file = std::tmpfile()) && (saved = dup(STDERR_FILENO)) >= 0)
      dup2(fileno(file), STDERR_FILENO);
#endif
  }

  ~CapturedErrors() { take(); }

  // Ends it, and gives what was written.
  std::string take() {
    std::string text;
#ifdef __unix__
    if (saved < 0)
      return text;
    dup2(saved, STDERR_FILENO);
    close(saved);
    saved = -1;
    std::rewind(file);
    char part[512];
    while (size_t size = std::fread(part, 1, sizeof part, file))
      text.append(part, size);
    std::fclose(file);
#endif
    return text;
  }

private:
  std::FILE *file = nullptr;
  int saved = -1;
};

} // namespace

// The name nearest to another, if it is near enough to have been meant.
static StringRef nearest(StringRef name, ArrayRef<StringRef> names) {
  StringRef best;
  unsigned least = name.size() / 3 + 1;
  for (StringRef candidate : names) {
    unsigned distance =
        name.edit_distance(candidate, /*AllowReplacements=*/true, least);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

static StringRef nearestOption(StringRef name, const HaloTool &tool) {
  SmallVector<StringRef> names;
  for (size_t i = 0; i != tool.optionCount; ++i)
    names.push_back(unwrap(tool.options[i]));
  if (StringRef found = nearest(name, names); !found.empty())
    return found;
  names.clear();
  for (const auto &option : cl::getRegisteredOptions())
    names.push_back(option.first);
  llvm::sort(names);
  return nearest(name, names);
}

// One line for what the parser says in several, with the names of options that it
// knows nothing of.
static std::string describe(StringRef text, StringRef program,
                            const HaloTool &tool) {
  StringRef line = text.split('\n').first;
  line.consume_front(program);
  line.consume_front(": ");
  line = line.split("  Try:").first.rtrim(" .!:");
  constexpr StringLiteral unknown = "Unknown command line argument '";
  if (!line.consume_front(unknown)) {
    std::string message = line.str();
    if (!message.empty())
      message[0] = llvm::toLower(message[0]);
    return message;
  }
  StringRef option = line.rtrim('\'');
  std::string message = "unknown option '" + option.str() + "'";
  StringRef name = option.ltrim('-').split('=').first;
  if (StringRef meant = nearestOption(name, tool); !meant.empty())
    message += "; did you mean '--" + meant.str() + "'?";
  return message;
}

bool halo::parseCommandLine(int argc, char **argv, StringRef title,
                            const HaloTool &tool) {
#ifdef SIGPIPE
  // Whoever reads our output may have read enough; the tool then ends as others
  // do.
  std::signal(SIGPIPE, SIG_DFL);
#endif
  std::string text;
  bool isRight;
  {
    // Options report to standard error whatever stream the parser is given.
    CapturedErrors captured;
    isRight = cl::ParseCommandLineOptions(argc, argv, title, &errs());
    text = captured.take();
  }
  if (isRight) {
    errs() << text;
    return true;
  }
  StringRef program = sys::path::filename(argv[0]);
  errs() << program << ": error: " << describe(text, program, tool)
         << " (see --help)\n";
  return false;
}

// The alignment of bytecode in memory, of which no section has a larger one;
// `BYTECODE_ALIGNMENT` of diagnostics.rs.
static const Align bytecodeAlignment(4096);

std::unique_ptr<MemoryBuffer> halo::readInput(const HaloTool &tool,
                                              StringRef name) {
  struct Input {
    std::unique_ptr<MemoryBuffer> buffer;
    StringRef name;
  } input{nullptr, name == "-" ? "<stdin>" : name};
  auto give = [](MlirStringRef content, void *data) {
    auto &input = *static_cast<Input *>(data);
    auto copy = WritableMemoryBuffer::getNewUninitMemBuffer(
        unwrap(content).size(), input.name, bytecodeAlignment);
    llvm::copy(unwrap(content), copy->getBufferStart());
    input.buffer = std::move(copy);
  };
  if (!tool.read(wrap(name), give, &input))
    return nullptr;
  return std::move(input.buffer);
}

bool halo::writeOutput(const HaloTool &tool, StringRef name,
                       StringRef content) {
  return tool.write(wrap(name), wrap(content));
}
