// C interface through which Rust declares passes and pipelines.
//
// MLIR keeps the registry, parses `--pass-pipeline`, prints help and times passes; the body of a
// pass is a Rust callback.

#ifndef HALO_DIALECTS_PASS_H
#define HALO_DIALECTS_PASS_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// One option of a pass. `valueName` is the placeholder of the value in help. All strings live as
// long as the program.
typedef struct {
  MlirStringRef name;
  MlirStringRef description;
  MlirStringRef defaultValue;
  MlirStringRef valueName;
} HaloPassOption;

// Runs a pass on `op`. `run` identifies the run in the functions below. `optionValues` has the text
// of each declared option, in order. Returns false if the pass failed; the callback has then
// emitted a diagnostic.
typedef bool (*HaloRunPass)(const void *pass, void *run, MlirOperation op,
                            const MlirStringRef *optionValues);

// Returns true if the strings are valid option values. Otherwise reports an error through `say`.
typedef bool (*HaloCheckOptions)(const void *pass,
                                 const MlirStringRef *optionValues,
                                 MlirStringCallback say, void *data);

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
  HaloCheckOptions checkOptions;
  HaloRunPass run;
} HaloPassDeclaration;

// Adds a pass to MLIR's registry. The declaration must live as long as the
// program.
void haloRegisterPass(const HaloPassDeclaration *declaration);

// Returns true if MLIR's registry has a pass or a pipeline of a name.
bool haloIsRegistered(MlirStringRef argument);

// Passes a one-line description of MLIR's pipeline error to the callback.
void haloDescribePipelineFault(MlirStringRef said, MlirStringCallback say,
                               void *data);

// The outcome of a pipeline.
enum HaloOutcome {
  HaloOutcomeSuccess = 0,
  // The pipeline is invalid; the reason was passed to the callback.
  HaloOutcomeNotParsed = 1,
  // A pass failed; its name was passed to the callback.
  HaloOutcomePassFailed = 2,
  // A pass left invalid IR. Its name, or the pipeline if not every pass is verified, was passed to
  // the callback.
  HaloOutcomeInvalid = 3,
};

// Returns true if a hook called by a pass has panicked.
typedef bool (*HaloHasPanicked)(MlirContext context);

// Caches parsed pipelines for a context until haloDropPipelines, which must precede the destruction
// of the context. Only one thread at a time may use the context.
void haloKeepPipelines(MlirContext context);
void haloDropPipelines(MlirContext context);

// Runs a pipeline on an op in one thread. The text is the body of the pipeline of the op's kind.
// The verifier runs after each pass, once after the last one, or not at all. A pass fails if a hook
// panics in it.
int haloRunPipeline(MlirOperation op, MlirStringRef pipeline, bool verifyEach,
                    bool verifyAtEnd, HaloHasPanicked hasPanicked,
                    MlirStringCallback say, void *data);

// Runs a pipeline on the op of a run. The text is the body of the pipeline of the op's kind. Passes
// the reason to the callback if it is invalid.
int haloRunNested(void *run, MlirStringRef pipeline, MlirStringCallback say,
                  void *data);

// Returns the cached analysis with a key for the op of a run, or null. A key is aligned to eight
// bytes and lives as long as the program.
const void *haloFindAnalysis(void *run, const void *key);

// Caches an analysis with a key for the op of a run. It is freed by `destroy` after a pass that
// does not preserve it.
void haloKeepAnalysis(void *run, const void *key, const void *analysis,
                      void (*destroy)(const void *));

// Preserves the analyses with a key in the current pass, or all if the key is null.
void haloPreserveAnalysis(void *run, const void *key);

// Adds a pipeline, given as text in MLIR's pipeline syntax for the body of a
// `builtin.module(...)`, to MLIR's registry under `argument`.
void haloRegisterPipeline(MlirStringRef argument, MlirStringRef summary,
                          MlirStringRef text);

#ifdef __cplusplus
}

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir {
class PassManager;
}

namespace halo {

// The error of a pipeline text, parsed from MLIR's multi-line message. Missing parts are empty.
struct PipelineFault {
  // The innermost pass whose options are wrong.
  std::string pass;
  // The option, and the error in its value; empty if the option is unknown.
  std::string option, value;
  // An unknown pass.
  std::string unknownPass;
  // Any other reason.
  std::string other;

  // Returns a message of one line.
  std::string message() const;
};

PipelineFault pipelineFault(llvm::StringRef said);

// Makes a pass manager print the name of the pass that left invalid IR.
void tellInvalidatingPass(mlir::PassManager &manager);

} // namespace halo
#endif

#endif // HALO_DIALECTS_PASS_H
