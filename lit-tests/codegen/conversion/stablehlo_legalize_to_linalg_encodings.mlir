// RUN: not halo-run %s --random-inputs --backend=cpu 2>&1 | FileCheck %s
// RUN: not halo-opt %s --stablehlo-legalize-to-linalg 2>&1 | FileCheck %s

#csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// CHECK: stablehlo_legalize_to_linalg_encodings.mlir:[[# @LINE + 3]]:8: error: there is no code for the encoding of tensor<4x4xf32, #sparse_tensor.encoding<{{.*}}>>, an operand or result of 'stablehlo.negate'
// CHECK-NOT: internal
func.func @main(%x: tensor<4x4xf32, #csr>) -> tensor<4x4xf32, #csr> {
  %0 = stablehlo.negate %x : tensor<4x4xf32, #csr>
  return %0 : tensor<4x4xf32, #csr>
}
