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

// One option of a pass. `valueName` is what help shows for the value. All strings
// live as long as the program.
typedef struct {
  MlirStringRef name;
  MlirStringRef description;
  MlirStringRef defaultValue;
  MlirStringRef valueName;
} HaloPassOption;

// Runs a pass on `op`. `run` is this run, for the functions below that take one.
// `optionValues` has the text of each declared option, in order. Returns false where
// the pass failed; the callback has emitted a diagnostic then.
typedef bool (*HaloRunPass)(const void *pass, void *run, MlirOperation op,
                            const MlirStringRef *optionValues);

// Whether the texts are values of the options; says through `say` which one is not.
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

// Whether MLIR's registry has a pass or a pipeline of a name.
bool haloIsRegistered(MlirStringRef argument);

// Hands to the callback one line for what MLIR says of a text that is no pipeline.
void haloDescribePipelineFault(MlirStringRef said, MlirStringCallback say,
                               void *data);

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

// Keeps what haloRunPipeline makes of texts for a context, until haloDropPipelines, which
// must come before the end of the context. One thread at a time uses the context.
void haloKeepPipelines(MlirContext context);
void haloDropPipelines(MlirContext context);

// Runs a pipeline, given as text for the body of the op's kind, on an op, in one
// thread. The verifier runs after each pass, once behind all of them, or not at
// all. A pass in which a hook panicked has failed.
int haloRunPipeline(MlirOperation op, MlirStringRef pipeline, bool verifyEach,
                    bool verifyAtEnd, HaloHasPanicked hasPanicked,
                    MlirStringCallback say, void *data);

// Runs a pipeline, given as text for the body of the op's kind, on the op of a run.
// Hands the reason to the callback where the text is no pipeline.
int haloRunNested(void *run, MlirStringRef pipeline, MlirStringCallback say,
                  void *data);

// The analysis of a key that is kept for the op of a run, or null. A key is aligned to
// eight bytes and lives as long as the program.
const void *haloFindAnalysis(void *run, const void *key);

// Keeps an analysis of a key for the op of a run, until a pass that does not preserve it
// ends. `destroy` then frees it.
void haloKeepAnalysis(void *run, const void *key, const void *analysis,
                      void (*destroy)(const void *));

// The pass preserves the analyses of a key, or all where that is null.
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

// Why a text is no pipeline, read from what MLIR says in several lines. The parts that
// it does not tell are empty.
struct PipelineFault {
  // The innermost pass whose options are wrong.
  std::string pass;
  // The option, and what is wrong with its value; nothing where there is no such option.
  std::string option, value;
  // A name that is no pass.
  std::string unknownPass;
  // Any other reason.
  std::string other;

  // One line.
  std::string message() const;
};

PipelineFault pipelineFault(llvm::StringRef said);

// Makes a pass manager print the name of the pass that left invalid IR.
void tellInvalidatingPass(mlir::PassManager &manager);

} // namespace halo
#endif

#endif // HALO_DIALECTS_PASS_H
