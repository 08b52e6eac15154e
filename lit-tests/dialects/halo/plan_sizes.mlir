// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @main
//       CHECK: halo.plan_sizes(%arg0, %arg1) checks(%arg2) {messages = ["too many"]}
//       CHECK: halo.plan_sizes(%arg0) {messages = []}
//       CHECK: halo.plan_sizes() {messages = []}
func.func @main(%n: index, %m: index, %p: i1) {
  halo.plan_sizes(%n, %m) checks(%p) {messages = ["too many"]}
  halo.plan_sizes(%n) {messages = []}
  halo.plan_sizes() {messages = []}
  return
}
