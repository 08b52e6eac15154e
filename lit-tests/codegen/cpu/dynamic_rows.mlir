// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-lower-contractions{machine=x86-64-v3}))' | FileCheck %s

// Up to eight rows have code for one to four of them. More rows are tiles, whose last row is
// repeated.

// CHECK-LABEL: func.func @product
//       CHECK:   %[[ROWS:.*]] = memref.dim %arg2, %c0
//       CHECK:   %[[FEW:.*]] = arith.cmpi ule, %[[ROWS]], %c8
//       CHECK:   scf.if %[[FEW]]
//       CHECK:     scf.for %[[FIRST:.*]] = %{{.*}} to %[[ROWS]] step %c4
//       CHECK:       %[[LEFT:.*]] = arith.minsi
//       CHECK:       arith.cmpi eq, %[[LEFT]], %c1
//       CHECK:       memref.subview %arg0[%[[FIRST]], 0] [1, 64] [1, 1]
//       CHECK:       arith.cmpi eq, %[[LEFT]], %c4
//       CHECK:       memref.subview %arg0[%[[FIRST]], 0] [4, 64] [1, 1]
//       CHECK:   } else {
//       CHECK:     arith.ceildivui
//       CHECK:     %[[LAST:.*]] = arith.subi %{{.*}}, %c1
//       CHECK:     arith.minsi %{{.*}}, %[[LAST]]
//   CHECK-NOT:   linalg.matmul
func.func @product(%x: memref<?x64xf32>, %w: memref<64x96xf32>, %y: memref<?x96xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?x96xf32>)
  linalg.matmul ins(%x, %w : memref<?x64xf32>, memref<64x96xf32>) outs(%y : memref<?x96xf32>)
  return
}
