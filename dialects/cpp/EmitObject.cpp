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

} // namespace

extern "C" {

// Calls `done` with the object file or the assembly of a module. Returns whether the
// machine can emit it. As `LLVMTargetMachineEmitToMemoryBuffer`, but loop strength
// reduction is left out unless it is asked for.
bool haloEmit(LLVMTargetMachineRef machineRef, LLVMModuleRef moduleRef,
              LLVMCodeGenFileType kind, bool reduceLoopStrength,
              void (*done)(MlirStringRef, void *), void *data) {
  auto &machine = *reinterpret_cast<TargetMachine *>(machineRef);
  Module &module = *unwrap(moduleRef);
  module.setDataLayout(machine.createDataLayout());
  SmallString<0> code;
  raw_svector_ostream out(code);
  legacy::PassManager all;
  WithoutLoopStrengthReduction fewer(all);
  legacy::PassManagerBase &passes =
      reduceLoopStrength ? static_cast<legacy::PassManagerBase &>(all) : fewer;
  CodeGenFileType type = kind == LLVMAssemblyFile ? CodeGenFileType::AssemblyFile
                                                  : CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, out, /*DwoOut=*/nullptr, type))
    return false;
  all.run(module);
  done(wrap(StringRef(code)), data);
  return true;
}
}
