//===- PassList.h - Passes and pipelines of MLIR's registry ----------------===//

#ifndef HALO_DIALECTS_PASS_LIST_H
#define HALO_DIALECTS_PASS_LIST_H

#include "mlir-c/Support.h"

extern "C" {

typedef void (*HaloGivePass)(MlirStringRef argument, MlirStringRef summary,
                             bool isPipeline, void *data);

// Passes the names of all passes and pipelines to the callback. The options of an opt-like tool
// must be registered.
void haloForEachPass(HaloGivePass give, void *data);

enum HaloFact {
  // Upstream's help, with the options on separate lines.
  HaloFactHelp = 0,
  // The pipeline, with the default values of options.
  HaloFactPipeline = 1,
  // A dependent dialect.
  HaloFactDialect = 2,
};

typedef void (*HaloGiveFact)(int fact, MlirStringRef text, void *data);

// Passes the description of a pass or pipeline to the callback. Returns false if there is none of
// the name.
bool haloDescribePass(MlirStringRef name, HaloGiveFact give, void *data);

} // extern "C"

#endif // HALO_DIALECTS_PASS_LIST_H
