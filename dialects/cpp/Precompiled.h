/*===- Precompiled.h - The headers that most files read --------------------===*\
|*
|* The build script compiles them once for all files. A file includes what it
|* uses nevertheless.
|*
\*===----------------------------------------------------------------------===*/

#ifndef HALO_DIALECTS_PRECOMPILED_H
#define HALO_DIALECTS_PRECOMPILED_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#endif // HALO_DIALECTS_PRECOMPILED_H
