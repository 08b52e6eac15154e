// C interface that adds Halo's dialects to a registry.

#ifndef HALO_DIALECTS_REGISTRATION_H
#define HALO_DIALECTS_REGISTRATION_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds stablehlo, chlo and check, and the dialects that they depend on.
void haloRegisterDialects(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif

#endif // HALO_DIALECTS_REGISTRATION_H
