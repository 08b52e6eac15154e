// A JIT that only links objects. The JIT of the C interface always detects the host processor and
// creates target machines for it.

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

// Creates a JIT for objects of this process's target, linked against the symbols of the process.
// Initializers are not run. Registers objects with debuggers if requested, through GDB's JIT
// interface, which LLDB supports too.
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
