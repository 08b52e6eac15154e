//===- Sound.cpp - Damaged bytecode ---------------------------------------===//

#include "Sound.h"
#include "OlderForms.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBufferRef.h"

#ifdef __unix__
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace mlir;

// How long the reader may take before it counts as lost, in seconds.
static constexpr unsigned limit = 20;

// How much of what the reader says is passed on.
static constexpr size_t mostText = 1 << 16;

// Whether dense attributes have as many elements as their types say, which the
// reader does not check and all that use them rely on.
static bool holdsItsElements(ModuleOp module) {
  bool sound = true;
  AttrTypeWalker walker;
  walker.addWalk([&](DenseIntOrFPElementsAttr attribute) {
    bool splat = false;
    if (!DenseElementsAttr::isValidRawBuffer(attribute.getType(),
                                             attribute.getRawData(), splat))
      sound = false;
  });
  module->walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      walker.walk(attribute.getValue());
  });
  return sound;
}

#ifdef __unix__

namespace {

enum Outcome : int { Sound = 0, Damaged = 1, Refused = 2 };

// Fields end with a byte that texts do not have.
constexpr char fieldEnd = '\x1f';

} // namespace

static void write(std::string &text, const llvm::Twine &field) {
  for (char letter : field.str())
    text += letter == fieldEnd ? '?' : letter;
  text += fieldEnd;
}

static void write(std::string &text, Diagnostic &diagnostic, bool isNote) {
  auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
  write(text, isNote ? "note" : "error");
  write(text, place ? place.getFilename().getValue() : "");
  write(text, llvm::Twine(place ? place.getLine() : 0));
  write(text, llvm::Twine(place ? place.getColumn() : 0));
  write(text, diagnostic.str());
  for (Diagnostic &note : diagnostic.getNotes())
    write(text, note, /*isNote=*/true);
}

// Reads bytecode in the other process, and gives what is wrong with it.
static Outcome tryToRead(llvm::StringRef code, llvm::StringRef name,
                         const DialectRegistry &registry, std::string &text) {
  bool isIntact = true;
  bool isRead = false;
  {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects();
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
          text.size() < mostText)
        write(text, diagnostic, /*isNote=*/false);
      return success();
    });
    if (auto module = halo::parse(context, code, name)) {
      isRead = true;
      isIntact = holdsItsElements(*module);
    }
  }
  // What was written outside of its place is found when all is given back.
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return !isIntact ? Damaged : isRead ? Sound : Refused;
}

static void readComplaints(llvm::StringRef text,
                           llvm::SmallVectorImpl<halo::Complaint> &complaints) {
  llvm::SmallVector<llvm::StringRef> fields;
  text.split(fields, fieldEnd);
  llvm::ArrayRef<llvm::StringRef> rest = fields;
  for (; rest.size() > 5; rest = rest.drop_front(5)) {
    halo::Complaint complaint{rest[0] == "note", rest[1].str(), 0, 0,
                              rest[4].str()};
    llvm::to_integer(rest[2], complaint.line);
    llvm::to_integer(rest[3], complaint.column);
    complaints.push_back(std::move(complaint));
  }
}

#endif

bool halo::isSound(llvm::StringRef code, llvm::StringRef name,
                   const DialectRegistry &registry,
                   llvm::SmallVectorImpl<Complaint> &complaints) {
  if (!isBytecode(llvm::MemoryBufferRef(code, "")))
    return true;
#ifdef __unix__
  int ends[2];
  if (pipe(ends) != 0)
    return true;
  pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return true;
  }
  if (child == 0) {
    close(ends[0]);
    for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
      std::signal(number, SIG_DFL);
    alarm(limit);
    // What the allocator has to say helps nobody.
    std::freopen("/dev/null", "w", stderr);
    std::string text;
    Outcome outcome = tryToRead(code, name, registry, text);
    // The pipe holds this much at once.
    if (outcome == Refused &&
        ::write(ends[1], text.data(), std::min(text.size(), mostText)) < 0)
      outcome = Damaged;
    _exit(outcome);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t size; (size = read(ends[0], part, sizeof part)) != 0;) {
    if (size > 0)
      text.append(part, size);
    else if (errno != EINTR)
      break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == Sound)
    return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == Refused)
    readComplaints(text, complaints);
  if (complaints.empty())
    complaints.push_back({false, name.str(), 0, 0, "this bytecode is damaged"});
  return false;
#else
  return true;
#endif
}
