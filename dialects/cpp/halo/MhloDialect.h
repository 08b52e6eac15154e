//===- MhloDialect.h - The mhlo dialect -----------------------------------===//

#ifndef HALO_DIALECTS_MHLO_DIALECT_H
#define HALO_DIALECTS_MHLO_DIALECT_H

#include "StablehloAttrs.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "MhloDialect.h.inc"

#define GET_OP_CLASSES
#include "MhloOps.h.inc"

#endif // HALO_DIALECTS_MHLO_DIALECT_H
