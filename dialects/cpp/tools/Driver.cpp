//===- Driver.cpp - Shared by the tools on upstream's drivers --------------===//
//
// Replaces upstream's handling of files and wrong options. Upstream truncates an output file before
// there is anything to write, ignores write errors of standard output, reports in several lines,
// and installs signal handlers that allocate, which may deadlock if the heap is corrupt.

#include "Driver.h"

#include "mlir/CAPI/IR.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#ifdef __unix__
#include <unistd.h>
#endif

using namespace llvm;

// The alignment of bytecode in memory: the largest of any section. Same as `BYTECODE_ALIGNMENT` in
// diagnostics.rs.
static const Align bytecodeAlignment(4096);

namespace {

// Captures the output to a file descriptor of the process during its lifetime.
class Captured {
public:
  explicit Captured(int stream) : stream(stream) {
#ifdef __unix__
    if ((file = std::tmpfile()) && (saved = dup(stream)) >= 0)
      dup2(fileno(file), stream);
#endif
  }

  ~Captured() { take(); }

  // Stops capturing and returns the output.
  std::string take() {
    std::string text;
#ifdef __unix__
    if (saved < 0)
      return text;
    dup2(saved, stream);
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
  int stream;
  std::FILE *file = nullptr;
  int saved = -1;
};

} // namespace

StringRef halo::nearest(StringRef name, ArrayRef<StringRef> names) {
  StringRef best;
  unsigned least = std::max<unsigned>(name.size() / 3 + 1, 2);
  for (StringRef candidate : names) {
    if (candidate.size() < 2)
      continue;
    unsigned distance =
        name.edit_distance(candidate, /*AllowReplacements=*/true, least);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

StringRef halo::nearestOption(StringRef name, const HaloTool &tool) {
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

// Condenses the parser's message to one line.
static std::string describe(StringRef text, StringRef program) {
  StringRef line = text.split('\n').first;
  line.consume_front(program);
  line.consume_front(": ");
  std::string message = line.split("  Try:").first.rtrim(" .!:").str();
  if (!message.empty())
    message[0] = llvm::toLower(message[0]);
  return message;
}

// Returns true if an option without `=value` takes the next argument as its value.
static bool takesNextArgument(const cl::Option &option) {
  return option.getValueExpectedFlag() == cl::ValueRequired;
}

// Returns the first unknown option. This runs before LLVM's parser, which treats any name that
// begins with the letter of a one-letter option, such as `-p`, as that option, and reports an error
// about the letter.
static std::optional<StringRef> unknownOption(ArrayRef<char *> arguments) {
  const auto &known = cl::getRegisteredOptions();
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument == "--")
      break;
    auto [name, value] = argument.ltrim('-').split('=');
    if (!argument.starts_with("-") || name.empty())
      continue;
    auto found = known.find(name);
    if (found == known.end()) {
      bool isPrefixed = llvm::any_of(known, [&](const auto &option) {
        auto formatting = option.second->getFormattingFlag();
        return (formatting == cl::Prefix || formatting == cl::AlwaysPrefix) &&
               name.starts_with(option.first);
      });
      if (!isPrefixed)
        return argument;
    } else if (!argument.contains('=') && takesNextArgument(*found->second)) {
      ++i;
    }
  }
  return std::nullopt;
}

void halo::complain(StringRef program, StringRef message) {
  errs() << sys::path::filename(program) << ": error: " << message << "\n";
}

bool halo::parseCommandLine(int argc, char **argv, StringRef title,
                            const HaloTool &tool) {
#ifdef SIGPIPE
  // The reader of our output may close the pipe early; the tool then ends as others do.
  std::signal(SIGPIPE, SIG_DFL);
#endif
  // https://no-color.org: any value but the empty one.
  if (StringRef(std::getenv("NO_COLOR")).size() > 0)
    errs().enable_colors(false);
  if (auto option = unknownOption(ArrayRef(argv + 1, argv + std::max(argc, 1)))) {
    std::string message = "unknown option '" + option->split('=').first.str() + "'";
    StringRef name = option->ltrim('-').split('=').first;
    if (StringRef meant = nearestOption(name, tool); !meant.empty())
      message += "; did you mean '--" + meant.str() + "'?";
    complain(argv[0], message + " (see --help)");
    return false;
  }
  bool isRight;
  std::string text = capturingErrors([&] {
    isRight = cl::ParseCommandLineOptions(argc, argv, title, &errs());
  });
  if (isRight) {
    errs() << text;
    return true;
  }
  complain(argv[0],
           describe(text, sys::path::filename(argv[0])) + " (see --help)");
  return false;
}

// Option parsing reports to standard error, whatever stream it is given.
std::string halo::capturingErrors(function_ref<void()> run) {
  Captured captured(/*stream=*/2);
  run();
  return captured.take();
}

std::string halo::capturingOutput(function_ref<void()> run) {
  outs().flush();
  Captured captured(/*stream=*/1);
  run();
  outs().flush();
  return captured.take();
}

std::unique_ptr<MemoryBuffer> halo::readInput(const HaloTool &tool,
                                              StringRef name) {
  struct Input {
    std::unique_ptr<MemoryBuffer> buffer;
    StringRef name;
  } input{nullptr, name == "-" ? "<stdin>" : name};
  auto give = [](MlirStringRef content, void *data) {
    auto &input = *static_cast<Input *>(data);
    auto buffer = WritableMemoryBuffer::getNewUninitMemBuffer(
        unwrap(content).size(), input.name, bytecodeAlignment);
    llvm::copy(unwrap(content), buffer->getBufferStart());
    input.buffer = std::move(buffer);
  };
  if (!tool.read(wrap(name), give, &input))
    return nullptr;
  return std::move(input.buffer);
}

bool halo::writeOutput(const HaloTool &tool, StringRef name,
                       StringRef content) {
  return tool.write(wrap(name), wrap(content));
}
