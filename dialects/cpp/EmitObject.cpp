// LLVM's code generator without passes that a module does not need. The C interface has
// the whole pipeline of a level only.

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

// Whether a pass is loop strength reduction, or prepares loops for it.
bool isLoopStrengthReduction(const Pass &pass) {
  static const AnalysisID reduction = idOf(createLoopStrengthReducePass());
  static const AnalysisID freezes = idOf(createCanonicalizeFreezeInLoopsPass());
  return pass.getPassID() == reduction || pass.getPassID() == freezes;
}

// Passes of x86-64 that do nothing for code of this compiler, or nothing that shows in its
// speed, by their names: LLVM exports the identities of few of them. Each costs a module of
// one kernel about as much as its own work is.
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
      // For calls of C's library, variables of debuggers, and thread-local variables.
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
      // For small processors, and what is not in loops of kernels.
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

// The pass that orders instructions so that they need few registers. Kernels use values soon
// after they are made, and processors reorder instructions: where there are 32 registers of
// vectors, it makes no kernel faster. With 16, unrolled windows are slower without it.
constexpr StringLiteral scheduler = "Machine Instruction Scheduler";

// A pass manager that leaves out idle passes on x86-64, where that was measured, and loop
// strength reduction unless it is asked for. `TargetPassConfig` adds passes as objects,
// which `disablePass` does not stop.
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

// What emits modules for a machine, one after the other. A pass manager of all passes takes
// LLVM as long to make as a small kernel's code.
struct CodeGenerator {
  SmallString<0> code;
  raw_svector_ostream out{code};
  legacy::PassManager passes;
};

} // namespace

extern "C" {

// A generator of object files or assembly for a machine, which must outlive it, or null if
// the machine can emit no such file. As `LLVMTargetMachineEmitToMemoryBuffer`, but with fewer
// passes; loop strength reduction is left out unless it is asked for.
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

// Calls `done` with the file of a module, which is changed. Analyses may refer to the
// module until it is destroyed, which has to happen before the next one is emitted.
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
