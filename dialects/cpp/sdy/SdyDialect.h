//===- SdyDialect.h - The ops of Shardy -----------------------------------===//

#ifndef HALO_DIALECTS_SDY_DIALECT_H
#define HALO_DIALECTS_SDY_DIALECT_H

#include "StablehloAttrs.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "SdyDialect.h.inc"

#define GET_OP_CLASSES
#include "SdyOps.h.inc"

#endif // HALO_DIALECTS_SDY_DIALECT_H
