/*===- Hooks.h - Functions that give the ops their meaning ----------------===*\
|*
|* The C side of src/ir/semantics.rs. The hooks are set once, before the
|* first context is created, and are then called from any thread.
|*
\*===----------------------------------------------------------------------===*/

#ifndef HALO_DIALECTS_HOOKS_H
#define HALO_DIALECTS_HOOKS_H

#include "AttributesCAPI.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns true if an op is valid. Otherwise reports the reason through `report`.
typedef bool (*HaloVerifyHook)(MlirOperation op, MlirStringCallback report,
                               void *reportData);

/// Receives one result of a fold: an attribute, or a value if that is not null.
typedef void (*HaloFoldResultCallback)(MlirAttribute attribute, MlirValue value,
                                       void *resultData);

/// Returns true if an op folds, given its constant operands (null for other operands), and reports
/// every result in order.
typedef bool (*HaloFoldHook)(MlirOperation op, intptr_t numOperands,
                             const MlirAttribute *operands,
                             HaloFoldResultCallback result, void *resultData);

/// The parts of an op that is not created yet. A null dictionary is an empty one.
typedef struct HaloOpParts {
  MlirContext context;
  MlirStringRef name;
  intptr_t numOperands;
  const MlirValue *operands;
  MlirAttribute attributes;
  intptr_t numRegions;
  const MlirRegion *regions;
} HaloOpParts;

/// Receives the type of one result.
typedef void (*HaloTypeCallback)(MlirType type, void *typeData);

/// Returns true if the result types of an op can be inferred from its parts, and reports each in
/// order. Otherwise reports the reason through `report`.
typedef bool (*HaloInferHook)(const HaloOpParts *parts, HaloTypeCallback type,
                              void *typeData, MlirStringCallback report,
                              void *reportData);

/// Returns true if a dot algorithm is valid. Otherwise reports the reason.
typedef bool (*HaloVerifyDotAlgorithmHook)(const HaloDotAlgorithm *algorithm,
                                           MlirStringCallback report,
                                           void *reportData);

/// Whether an op may be executed speculatively.
typedef enum HaloSpeculatability {
  HaloNotSpeculatable,
  HaloSpeculatable,
  /// If the ops in its regions may.
  HaloRecursivelySpeculatable,
} HaloSpeculatability;

/// Returns the speculatability of an op, which need not be verified.
typedef HaloSpeculatability (*HaloSpeculateHook)(MlirOperation op);

/// The position of an attribute: on an op, or on an argument or result of a function.
typedef enum HaloAttributeBearer {
  HaloOnOperation,
  HaloOnArgument,
  HaloOnResult,
} HaloAttributeBearer;

/// Returns true if an op, or one of its arguments or results by number, may carry a discardable
/// attribute with the prefix `halo.`. Otherwise reports the reason.
typedef bool (*HaloVerifyAttributeHook)(MlirOperation op,
                                        HaloAttributeBearer bearer,
                                        intptr_t number, MlirStringRef name,
                                        MlirAttribute attribute,
                                        MlirStringCallback report,
                                        void *reportData);

/// Returns true if an op may refer to a symbol, given the op of that name, or null if there is
/// none. Otherwise reports the reason.
typedef bool (*HaloVerifyCalleeHook)(MlirOperation op, MlirOperation callee,
                                     MlirStringCallback report,
                                     void *reportData);

/// If a member is null, ODS implements that part of the semantics.
typedef struct HaloSemanticsHooks {
  HaloVerifyHook verify;
  HaloVerifyHook verifySymbolUses;
  HaloFoldHook fold;
  HaloInferHook infer;
  HaloVerifyDotAlgorithmHook verifyDotAlgorithm;
  HaloSpeculateHook speculate;
  HaloVerifyAttributeHook verifyAttribute;
  HaloVerifyCalleeHook verifyCallee;
} HaloSemanticsHooks;

MLIR_CAPI_EXPORTED void haloSetSemanticsHooks(const HaloSemanticsHooks *hooks);

/// Queries an op of any dialect; returns false if it does not implement the interface.
MLIR_CAPI_EXPORTED bool haloGetSpeculatability(MlirOperation op,
                                               HaloSpeculatability *result);

#ifdef __cplusplus
}
#endif

#endif /* HALO_DIALECTS_HOOKS_H */
