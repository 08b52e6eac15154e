/*===- Hooks.h - Functions that give the ops their meaning ----------------===*\
|*
|* The C side of dialects/src/semantics.rs. The hooks are set once, before the
|* first context is created, and are then called from any thread.
|*
\*===----------------------------------------------------------------------===*/

#ifndef HALO_DIALECTS_HOOKS_H
#define HALO_DIALECTS_HOOKS_H

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

/// A null member leaves its part of the semantics to ODS.
typedef struct HaloSemanticsHooks {
  HaloVerifyHook verify;
  HaloVerifyHook verifySymbolUses;
  HaloFoldHook fold;
} HaloSemanticsHooks;

MLIR_CAPI_EXPORTED void haloSetSemanticsHooks(const HaloSemanticsHooks *hooks);

#ifdef __cplusplus
}
#endif

#endif /* HALO_DIALECTS_HOOKS_H */
