// The LLVM targets that Halo generates code for, and no others.
//
// Upstream's passes and the bindings of LLVM name every target that LLVM was built with, which
// would link them all. This file defines the entry points of the others as empty functions, so that
// the linker takes none of them from LLVM's archives: requesting such a target is an error.
// Disassemblers are omitted for all targets.

#include "llvm/Support/TargetSelect.h"

// The macro IS_LINKED(target) is 1 for the targets of this list, and 0 for others: the definitions
// contain a comma, which moves the 1 to the second place.
#define HALO_LINKED_AArch64 0,
#if defined(HALO_ROCM)
#define HALO_LINKED_AMDGPU 0,
#endif
#define HALO_LINKED_NVPTX 0,
#define HALO_LINKED_RISCV 0,
#define HALO_LINKED_X86 0,

#define SECOND(first, second, ...) second
#define SECOND_OF(...) SECOND(__VA_ARGS__)
#define IS_LINKED(target) SECOND_OF(HALO_LINKED_##target 1, 0, )
#define PASTE(first, second) first##second
#define PASTED(first, second) PASTE(first, second)

#define DEFINE(target, part)                                                   \
  void LLVMInitialize##target##part() {}
#define DEFINE_UNLESS_1(target)
#define DEFINE_UNLESS_0(target)                                                \
  DEFINE(target, TargetInfo)                                                   \
  DEFINE(target, Target)                                                       \
  DEFINE(target, TargetMC)                                                     \
  DEFINE(target, AsmParser)                                                    \
  DEFINE(target, AsmPrinter)

extern "C" {

#define LLVM_TARGET(target) PASTED(DEFINE_UNLESS_, IS_LINKED(target))(target)
#include "llvm/Config/Targets.def"
#define LLVM_DISASSEMBLER(target) DEFINE(target, Disassembler)
#include "llvm/Config/Disassemblers.def"

// Registers the targets with LLVM.
void haloInitializeTargets() {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmParsers();
  llvm::InitializeAllAsmPrinters();
}

} // extern "C"
