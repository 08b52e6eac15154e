//===- PassList.h - Passes and pipelines of MLIR's registry ----------------===//

#ifndef HALO_DIALECTS_PASS_LIST_H
#define HALO_DIALECTS_PASS_LIST_H

#include "mlir-c/Support.h"

extern "C" {

typedef void (*HaloGivePass)(MlirStringRef argument, MlirStringRef summary,
                             bool isPipeline, void *data);

// Hands out all passes and pipelines by name, once the options of an opt-like tool are
// registered.
void haloForEachPass(HaloGivePass give, void *data);

enum HaloFact {
  // Upstream's help, with the options on lines of their own.
  HaloFactHelp = 0,
  // The pipeline that the name stands for, with the default values of options.
  HaloFactPipeline = 1,
  // A dialect that it depends on.
  HaloFactDialect = 2,
};

typedef void (*HaloGiveFact)(int fact, MlirStringRef text, void *data);

// Hands out what is known of a pass or pipeline. Returns false if there is none of the
// name.
bool haloDescribePass(MlirStringRef name, HaloGiveFact give, void *data);

} // extern "C"

#endif // HALO_DIALECTS_PASS_LIST_H
