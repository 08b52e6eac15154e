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

/// Tells whether an op is valid; if not, reports why through `report`.
typedef bool (*HaloVerifyHook)(MlirOperation op, MlirStringCallback report,
                               void *reportData);

/// Receives one result of a fold: an attribute, or a value if that is not null.
typedef void (*HaloFoldResultCallback)(MlirAttribute attribute, MlirValue value,
                                       void *resultData);

/// Tells whether an op folds, given the constants among its operands (null
/// where an operand is none), and if so reports every result, in order.
typedef bool (*HaloFoldHook)(MlirOperation op, intptr_t numOperands,
                             const MlirAttribute *operands,
                             HaloFoldResultCallback result, void *resultData);

/// An op that does not exist yet. A null dictionary has no attributes.
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

/// Tells whether the types of the results of an op follow from its parts, and
/// if so reports each, in order; if not, reports why through `report`.
typedef bool (*HaloInferHook)(const HaloOpParts *parts, HaloTypeCallback type,
                              void *typeData, MlirStringCallback report,
                              void *reportData);

/// Tells whether a dot algorithm is valid; if not, reports why.
typedef bool (*HaloVerifyDotAlgorithmHook)(const HaloDotAlgorithm *algorithm,
                                           MlirStringCallback report,
                                           void *reportData);

/// Whether an op may run where the program would not have run it.
typedef enum HaloSpeculatability {
  HaloNotSpeculatable,
  HaloSpeculatable,
  /// Where the ops in its regions may.
  HaloRecursivelySpeculatable,
} HaloSpeculatability;

/// Tells it of an op that need not be verified.
typedef HaloSpeculatability (*HaloSpeculateHook)(MlirOperation op);

/// Where an attribute stands: on an op, or on an argument or result of a
/// function.
typedef enum HaloAttributeBearer {
  HaloOnOperation,
  HaloOnArgument,
  HaloOnResult,
} HaloAttributeBearer;

/// Tells whether an op, or its argument or result of a number, may carry an
/// attribute that its definition does not name, of a name with the prefix
/// `halo.`; if not, reports why.
typedef bool (*HaloVerifyAttributeHook)(MlirOperation op,
                                        HaloAttributeBearer bearer,
                                        intptr_t number, MlirStringRef name,
                                        MlirAttribute attribute,
                                        MlirStringCallback report,
                                        void *reportData);

/// Tells whether an op may name a symbol, given the op of that name, which is
/// null where there is none; if not, reports why.
typedef bool (*HaloVerifyCalleeHook)(MlirOperation op, MlirOperation callee,
                                     MlirStringCallback report,
                                     void *reportData);

/// A null member leaves its part of the semantics to ODS.
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

/// Asks an op of any dialect; false where it does not say.
MLIR_CAPI_EXPORTED bool haloGetSpeculatability(MlirOperation op,
                                               HaloSpeculatability *result);

#ifdef __cplusplus
}
#endif

#endif /* HALO_DIALECTS_HOOKS_H */
