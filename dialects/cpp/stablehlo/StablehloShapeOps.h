//===- StablehloShapeOps.h - Classes of dialects/stablehlo/ShapeOps.td ---===//

#ifndef HALO_DIALECTS_STABLEHLO_SHAPE_OPS_H
#define HALO_DIALECTS_STABLEHLO_SHAPE_OPS_H

#include "AssemblyFormat.h"

#define GET_OP_CLASSES
#include "StablehloShapeOps.h.inc"

#endif // HALO_DIALECTS_STABLEHLO_SHAPE_OPS_H
