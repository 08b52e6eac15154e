// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @gemm
// CHECK: halo.gemm %arg0, %arg1 into %arg2 {batch = 1 : i64, k = 32 : i64
// CHECK-SAME: lhs_matrix = #halo.matrix<start = 0, leading_dimension = 32, batch_stride = 0, transposed = false>
// CHECK-SAME: m = 64 : i64, n = 48 : i64
// CHECK-SAME: output_matrix = #halo.matrix<start = 0, leading_dimension = 48, batch_stride = 0, transposed = false>
// CHECK-SAME: precision = #halo.gemm_precision<tf32>
// CHECK-SAME: rhs_matrix = #halo.matrix<start = 0, leading_dimension = 32, batch_stride = 0, transposed = true>
// CHECK-SAME: : memref<64x32xf32>, memref<48x32xf32>, memref<64x48xf32>
func.func @gemm(%a: memref<64x32xf32>, %b: memref<48x32xf32>, %c: memref<64x48xf32>) {
  halo.gemm %a, %b into %c {batch = 1 : i64, m = 64 : i64, n = 48 : i64, k = 32 : i64,
      precision = #halo.gemm_precision<tf32>,
      lhs_matrix = #halo.matrix<start = 0, leading_dimension = 32, batch_stride = 0, transposed = false>,
      rhs_matrix = #halo.matrix<start = 0, leading_dimension = 32, batch_stride = 0, transposed = true>,
      output_matrix = #halo.matrix<start = 0, leading_dimension = 48, batch_stride = 0, transposed = false>}
      : memref<64x32xf32>, memref<48x32xf32>, memref<64x48xf32>
  return
}
