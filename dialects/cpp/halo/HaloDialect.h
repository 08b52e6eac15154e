//===- HaloDialect.h - The halo dialect -----------------------------------===//

#ifndef HALO_DIALECTS_HALO_DIALECT_H
#define HALO_DIALECTS_HALO_DIALECT_H

#include "StablehloAttrs.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

#include "HaloDialect.h.inc"

#include "HaloEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "HaloAttrs.h.inc"

#define GET_OP_CLASSES
#include "HaloOps.h.inc"

#endif // HALO_DIALECTS_HALO_DIALECT_H
