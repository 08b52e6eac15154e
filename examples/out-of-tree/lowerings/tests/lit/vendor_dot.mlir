// RUN: vendor-run %s --compile-to=hlo --insert-passes=hlo:vendor-dot | FileCheck %s
// RUN: vendor-run %s --input='dense<[[1.0, 2.0]]> : tensor<1x2xf32>' --input='dense<[[3.0], [4.0]]> : tensor<2x1xf32>' --expect=11.0
// RUN: vendor-run %s --compile-to=linalg | FileCheck %s --check-prefix=LINALG
// RUN: rm -rf %t && vendor-run %s --random-inputs --dump-dir=%t && ls %t | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.custom_call @vendor.dot(%arg0, %arg1)
// LINALG: halo.custom_call
// LINALG-SAME: vendor.dot
// DUMP: vendor-dot.mlir
func.func @main(%a: tensor<1x2xf32>, %b: tensor<2x1xf32>) -> tensor<1x1xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
