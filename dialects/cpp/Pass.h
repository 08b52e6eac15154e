// C interface through which Rust declares passes and pipelines.
//
// MLIR keeps the registry, parses `--pass-pipeline`, prints help and times
// passes; what a pass does is a Rust callback.

#ifndef HALO_DIALECTS_PASS_H
#define HALO_DIALECTS_PASS_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Value types that a pass option may have.
enum HaloOptionKind {
  HaloOptionBool = 0,
  HaloOptionInteger = 1,
  HaloOptionString = 2,
};

// One option of a pass. All strings live as long as the program.
typedef struct {
  MlirStringRef name;
  MlirStringRef description;
  MlirStringRef defaultValue;
  int kind;
} HaloPassOption;

// Runs a pass on `op`. `optionValues` has one rendered value for each declared
// option, in order. Returns false where the pass failed; the callback has
// emitted a diagnostic then.
typedef bool (*HaloRunPass)(const void *pass, MlirOperation op,
                            const MlirStringRef *optionValues);

// Declaration of a pass. `anchor` is the name of the op that it runs on, or
// empty for any op. All memory lives as long as the program.
typedef struct {
  const void *pass;
  MlirStringRef argument;
  MlirStringRef summary;
  MlirStringRef anchor;
  const MlirStringRef *dependentDialects;
  size_t dependentDialectCount;
  const HaloPassOption *options;
  size_t optionCount;
  HaloRunPass run;
} HaloPassDeclaration;

// Adds a pass to MLIR's registry. The declaration must live as long as the
// program.
void haloRegisterPass(const HaloPassDeclaration *declaration);

// Whether MLIR's registry has a pass or a pipeline of a name.
bool haloIsRegistered(MlirStringRef argument);

// How a pipeline ended.
enum HaloOutcome {
  HaloOutcomeSuccess = 0,
  // The text is no pipeline; the reason was handed to the callback.
  HaloOutcomeNotParsed = 1,
  // A pass failed; its name was handed to the callback.
  HaloOutcomePassFailed = 2,
  // A pass left IR that is not valid; its name, or the pipeline where not each pass
  // was verified, was handed to the callback.
  HaloOutcomeInvalid = 3,
};

// Tells whether a hook that a pass called has panicked.
typedef bool (*HaloHasPanicked)(MlirContext context);

// Runs a pipeline, given as text for the body of the op's kind, on an op, in one
// thread. The verifier runs after each pass, or once behind all of them. A pass in
// which a hook panicked has failed.
int haloRunPipeline(MlirOperation op, MlirStringRef pipeline, bool verifyEach,
                    HaloHasPanicked hasPanicked, MlirStringCallback say,
                    void *data);

// Adds a pipeline, given as text in MLIR's pipeline syntax for the body of a
// `builtin.module(...)`, to MLIR's registry under `argument`.
void haloRegisterPipeline(MlirStringRef argument, MlirStringRef summary,
                          MlirStringRef text);

#ifdef __cplusplus
}

namespace mlir {
class PassManager;
}

namespace halo {

// Makes a pass manager print the name of the pass that left invalid IR.
void tellInvalidatingPass(mlir::PassManager &manager);

} // namespace halo
#endif

#endif // HALO_DIALECTS_PASS_H
