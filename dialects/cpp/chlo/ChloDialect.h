//===- ChloDialect.h - The chlo dialect -----------------------------------===//

#ifndef HALO_DIALECTS_CHLO_DIALECT_H
#define HALO_DIALECTS_CHLO_DIALECT_H

#include "AssemblyFormat.h"
#include "StablehloControlFlowOps.h"

#include "ChloDialect.h.inc"

#include "ChloEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ChloAttrs.h.inc"

#endif // HALO_DIALECTS_CHLO_DIALECT_H
