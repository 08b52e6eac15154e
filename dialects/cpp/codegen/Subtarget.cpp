// Queries of LLVM's processors and their features, which the C interface lacks.

#include "mlir-c/Support.h"
#include "mlir/CAPI/Support.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

using namespace llvm;

// Adds to `bits` the features that a list of features implies, transitively.
static void close(FeatureBitset &bits, ArrayRef<SubtargetFeatureKV> features) {
  for (FeatureBitset before; before != bits;) {
    before = bits;
    for (const SubtargetFeatureKV &feature : features)
      if (bits.test(feature.Value))
        bits |= feature.Implies.getAsBitset();
  }
}

extern "C" {

// Calls `processor` with the name of each processor of a target, and `feature` with each feature
// and whether a processor has it. Features that only tune code for a processor are never enabled.
// Returns true if the target is known. The processor and the features must be of the target.
bool haloDescribeSubtarget(MlirStringRef triple, MlirStringRef cpu,
                           MlirStringRef features,
                           void (*processor)(MlirStringRef, void *),
                           void (*feature)(MlirStringRef, bool, void *),
                           void *data) {
  Triple parsed(unwrap(triple));
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(parsed, error);
  if (!target)
    return false;
  std::unique_ptr<MCSubtargetInfo> info(target->createMCSubtargetInfo(
      parsed, unwrap(cpu), unwrap(features)));
  if (!info)
    return false;
  FeatureBitset base, tuning;
  for (const SubtargetSubTypeKV &known : info->getAllProcessorDescriptions()) {
    processor(wrap(StringRef(known.Key)), data);
    if (StringRef(known.Key) == info->getCPU()) {
      base = known.Implies.getAsBitset();
      tuning = known.TuneImplies.getAsBitset();
    }
  }
  // Some Arm processors are aliases of others.
  SmallVector<StringRef> aliases;
  if (parsed.isAArch64())
    AArch64::fillValidCPUArchList(aliases);
  for (StringRef alias : aliases)
    processor(wrap(alias), data);
  ArrayRef<SubtargetFeatureKV> all = info->getAllProcessorFeatures();
  close(base, all);
  close(tuning, all);
  FeatureBitset enabled = info->getFeatureBits() & ~(tuning & ~base);
  for (const SubtargetFeatureKV &known : all)
    feature(wrap(StringRef(known.Key)), enabled.test(known.Value), data);
  return true;
}

} // extern "C"
