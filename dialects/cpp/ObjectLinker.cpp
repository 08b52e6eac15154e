// A JIT that links objects and compiles nothing. The C interface's always detects this
// processor and makes target machines for it.

#include "llvm-c/Error.h"
#include "llvm-c/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/Debugging/DebuggerSupport.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <utility>

using namespace llvm;
using namespace llvm::orc;

namespace {

class NoCompiler : public IRCompileLayer::IRCompiler {
public:
  NoCompiler() : IRCompiler(IRSymbolMapper::ManglingOptions()) {}

  Expected<std::unique_ptr<MemoryBuffer>> operator()(Module &) override {
    return createStringError("the JIT links objects only");
  }
};

} // namespace

extern "C" {

// Makes a JIT for objects of this process's target, which are linked against the symbols
// of the process. Their initializers are not run. Debuggers are told of them if they are to
// know, by the interface of GDB's that LLDB has too.
LLVMErrorRef haloCreateObjectLinker(bool tellsDebuggers,
                                    LLVMOrcLLJITRef *result) {
  Triple triple(sys::getProcessTriple());
  DataLayout layout(triple.computeDataLayout());
  Expected<std::unique_ptr<LLJIT>> jit =
      LLJITBuilder()
          .setJITTargetMachineBuilder(JITTargetMachineBuilder(std::move(triple)))
          .setDataLayout(std::move(layout))
          .setCompileFunctionCreator([](JITTargetMachineBuilder) {
            return Expected<std::unique_ptr<IRCompileLayer::IRCompiler>>(
                std::make_unique<NoCompiler>());
          })
          .setPlatformSetUp(setUpInactivePlatform)
          .create();
  if (!jit)
    return wrap(jit.takeError());
  if (tellsDebuggers)
    if (Error error = enableDebuggerSupport(**jit))
      return wrap(std::move(error));
  *result = reinterpret_cast<LLVMOrcLLJITRef>(jit->release());
  return LLVMErrorSuccess;
}

} // extern "C"
