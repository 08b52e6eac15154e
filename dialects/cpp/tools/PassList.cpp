// Facts about passes and pipelines from MLIR's registry.

#include "Driver.h"
#include "PassList.h"

#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"

#include <vector>

using namespace mlir;

extern "C" {

void haloForEachPass(HaloGivePass give, void *data) {
  // The registry has no list of names, but they are command-line options.
  std::vector<StringRef> names;
  for (const auto &option : llvm::cl::getRegisteredOptions())
    names.push_back(option.first);
  llvm::sort(names);
  for (StringRef name : names) {
    if (const PassInfo *pass = PassInfo::lookup(name))
      give(wrap(name), wrap(pass->getPassDescription()), false, data);
    else if (const PassPipelineInfo *pipeline = PassPipelineInfo::lookup(name))
      give(wrap(name), wrap(pipeline->getPassDescription()), true, data);
  }
}

bool haloDescribePass(MlirStringRef wrapped, HaloGiveFact give, void *data) {
  StringRef name = unwrap(wrapped);
  const PassRegistryEntry *entry = PassInfo::lookup(name);
  if (!entry)
    entry = PassPipelineInfo::lookup(name);
  if (!entry)
    return false;
  std::string help = halo::capturingOutput([&] { 
    entry->printHelpStr(0, entry->getOptionWidth() + 8);
  });
  give(HaloFactHelp, wrap(StringRef(help)), data);

  OpPassManager manager(ModuleOp::getOperationName(),
                        OpPassManager::Nesting::Implicit);
  auto ignore = [](const Twine &) { return failure(); };
  // Some passes cannot be created without options. For the named pass, upstream cannot print the
  // default value of the option, which is not a named value.
  if (name == "llvm-use-default-visibility" ||
      failed(entry->addToPipeline(manager, "", ignore)))
    return true;
  std::string text;
  llvm::raw_string_ostream stream(text);
  manager.printAsTextualPipeline(stream);
  give(HaloFactPipeline, wrap(StringRef(text)), data);
  DialectRegistry dialects;
  manager.getDependentDialects(dialects);
  for (StringRef dialect : dialects.getDialectNames())
    give(HaloFactDialect, wrap(dialect), data);
  return true;
}

} // extern "C"
