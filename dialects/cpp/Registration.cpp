// Registration of Halo's dialects.

#include "Registration.h"

void haloRegisterDialects(MlirDialectRegistry) {}
