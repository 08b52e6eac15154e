// LLVM's code generator without passes that a module does not need. The C interface has
// the whole pipeline of a level only.

#include "mlir-c/Support.h"
#include "mlir/CAPI/Support.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
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

// A pass manager that leaves out loop strength reduction. `TargetPassConfig` adds that
// pass as an object, which `disablePass` does not stop.
class WithoutLoopStrengthReduction : public legacy::PassManagerBase {
public:
  explicit WithoutLoopStrengthReduction(legacy::PassManager &passes)
      : passes(passes) {}

  void add(Pass *pass) override {
    if (isLoopStrengthReduction(*pass))
      delete pass;
    else
      passes.add(pass);
  }

private:
  legacy::PassManager &passes;
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
// the machine can emit no such file. As `LLVMTargetMachineEmitToMemoryBuffer`, but loop
// strength reduction is left out unless it is asked for.
void *haloCodeGeneratorCreate(LLVMTargetMachineRef machineRef, LLVMCodeGenFileType kind,
                              bool reduceLoopStrength) {
  auto &machine = *reinterpret_cast<TargetMachine *>(machineRef);
  auto generator = std::make_unique<CodeGenerator>();
  WithoutLoopStrengthReduction fewer(generator->passes);
  legacy::PassManagerBase &passes =
      reduceLoopStrength ? static_cast<legacy::PassManagerBase &>(generator->passes)
                         : fewer;
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
