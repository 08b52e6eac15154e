// LLVM's code generator without the passes that a module does not need. The C interface has only
// the whole pipeline of an optimization level.

#include "mlir-c/Support.h"
#include "mlir/CAPI/Support.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Utils.h"

#include <memory>

using namespace llvm;

namespace {

AnalysisID idOf(Pass *pass) { return std::unique_ptr<Pass>(pass)->getPassID(); }

// Returns true if a pass is loop strength reduction, or prepares loops for it.
bool isLoopStrengthReduction(const Pass &pass) {
  static const AnalysisID reduction = idOf(createLoopStrengthReducePass());
  static const AnalysisID freezes = idOf(createCanonicalizeFreezeInLoopsPass());
  return pass.getPassID() == reduction || pass.getPassID() == freezes;
}

// Passes of x86-64 without effect on Halo's code or its speed, by name: LLVM exports the IDs of few
// passes. For a module of one kernel, each costs about as much as its own work.
const StringSet<> &idlePasses() {
  static const StringSet<> names = {
      // For other languages and their runtimes: garbage collection, exceptions, jumps to
      // addresses, tracing, and measures against attacks that need an attribute.
      "Lower Garbage Collection Instructions",
      "Analyze Machine Code For Garbage Collection",
      "Shadow Stack GC Lowering",
      "Fixup Statepoint Caller Saved",
      "StackMap Liveness Analysis",
      "ObjC ARC contraction",
      "Exception handling preparation",
      "Contiguously Lay Out Funclets",
      "Prepare callbr",
      "Expand indirectbr instructions",
      "Insert XRay ops",
      "Insert fentry calls",
      "Implement the 'patchable-function' attribute",
      "Instrument function entry/exit with calls to e.g. mcount() (post inlining)",
      "Pseudo Probe Inserter",
      "Machine Sanitizer Binary Metadata",
      "Safe Stack instrumentation pass",
      "Insert stack protectors",
      "Insert KCFI indirect call checks",
      "Unpack machine instruction bundles",
      "X86 Indirect Branch Tracking",
      "X86 Indirect Thunks",
      "X86 Return Thunks",
      "X86 speculative load hardening",
      "X86 Speculative Execution Side Effect Suppression",
      "X86 Load Value Injection (LVI) Load Hardening",
      "X86 Load Value Injection (LVI) Ret-Hardening",
      // For calls of the C library, debug info of variables, and thread-local variables.
      "Replace intrinsics with calls to vector library",
      "Partially inline calls to library functions",
      "Merge contiguous icmps into a memcmp",
      "Expand memcmp() to load/stores",
      "Remove Redundant DEBUG_VALUE analysis",
      "Live DEBUG_VALUE analysis",
      "Remove Loads Into Fake Uses",
      "Local Dynamic TLS Access Clean-up",
      "Register Allocation Pass Scoring",
      "Stack Frame Layout Analysis",
      // For small processors, and for code outside of kernel loops.
      "X86 Atom pad short functions",
      "Shrink Wrapping analysis",
      "Constant Hoisting",
      "Tail Duplication",
      "Early Tail Duplication",
      "Live Range Shrink",
      "Optimize machine instruction PHIs",
      "Machine Late Instructions Cleanup Pass",
      "Machine Copy Propagation Pass",
      "X86 LEA Optimize",
      "X86 cmov Conversion",
      "X86 Byte/Word Instruction Fixup",
  };
  return names;
}

// The machine scheduler, which reduces register pressure. Kernels use values soon after they are
// computed, and processors reorder instructions: with 32 vector registers it makes no kernel
// faster. With 16, unrolled windows are slower without it.
constexpr StringLiteral scheduler = "Machine Instruction Scheduler";

// A pass manager that omits passes without effect on x86-64 (by measurement), and loop strength
// reduction unless requested. `TargetPassConfig` adds passes as objects, which `disablePass` does
// not prevent.
class FewerPasses : public legacy::PassManagerBase {
public:
  FewerPasses(legacy::PassManager &passes, bool reduceLoopStrength, const TargetMachine &machine)
      : passes(passes), reduceLoopStrength(reduceLoopStrength),
        isX86(machine.getTargetTriple().getArch() == Triple::x86_64),
        hasManyRegisters(isX86 && machine.getMCSubtargetInfo()->checkFeatures("+avx512f")) {}

  void add(Pass *pass) override {
    bool isLeftOut = (!reduceLoopStrength && isLoopStrengthReduction(*pass)) ||
                     (isX86 && idlePasses().contains(pass->getPassName())) ||
                     (hasManyRegisters && pass->getPassName() == scheduler);
    if (isLeftOut)
      delete pass;
    else
      passes.add(pass);
  }

private:
  legacy::PassManager &passes;
  bool reduceLoopStrength, isX86, hasManyRegisters;
};

// Emits modules for a target machine one after the other. Creating a pass manager with all passes
// takes LLVM as long as compiling a small kernel.
struct CodeGenerator {
  SmallString<0> code;
  raw_svector_ostream out{code};
  legacy::PassManager passes;
};

} // namespace

extern "C" {

// Creates a generator of object files or assembly for a machine, which must outlive it, or returns
// null if the machine cannot emit such a file. Like `LLVMTargetMachineEmitToMemoryBuffer`, but with
// fewer passes; loop strength reduction is omitted unless requested.
void *haloCodeGeneratorCreate(LLVMTargetMachineRef machineRef, LLVMCodeGenFileType kind,
                              bool reduceLoopStrength) {
  auto &machine = *reinterpret_cast<TargetMachine *>(machineRef);
  auto generator = std::make_unique<CodeGenerator>();
  FewerPasses passes(generator->passes, reduceLoopStrength, machine);
  CodeGenFileType type = kind == LLVMAssemblyFile ? CodeGenFileType::AssemblyFile
                                                  : CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, generator->out, /*DwoOut=*/nullptr, type))
    return nullptr;
  return generator.release();
}

// Passes the file of a module to `done`. The module is modified. Analyses may refer to the module,
// so it must be destroyed before the next one is emitted.
void haloCodeGeneratorEmit(void *generatorRef, LLVMTargetMachineRef machineRef,
                           LLVMModuleRef moduleRef, void (*done)(MlirStringRef, void *),
                           void *data) {
  auto &machine = *reinterpret_cast<TargetMachine *>(machineRef);
  auto &generator = *static_cast<CodeGenerator *>(generatorRef);
  Module &module = *unwrap(moduleRef);
  module.setDataLayout(machine.createDataLayout());
  generator.code.clear();
  generator.passes.run(module);
  done(wrap(StringRef(generator.code)), data);
}

void haloCodeGeneratorDestroy(void *generator) {
  delete static_cast<CodeGenerator *>(generator);
}
}
