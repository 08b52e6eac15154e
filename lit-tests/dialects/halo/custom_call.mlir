// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @tensors
// CHECK: halo.custom_call "f"(%arg0) {operand_types = [tensor<4xui8>], result_types = [tensor<2xf32>]} : (tensor<4xi8>) -> tensor<2xf32>
func.func @tensors(%x: tensor<4xi8>) -> tensor<2xf32> {
  %0 = halo.custom_call "f"(%x) {operand_types = [tensor<4xui8>], result_types = [tensor<2xf32>]} : (tensor<4xi8>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @buffers
// CHECK: halo.custom_call "f"(%arg0) outs(%arg1 : memref<2xf32>)
// CHECK-SAME: {backend_config = "text", dictionary = {uplo = 76 : ui8}, operand_layouts = [array<i64: 0, 1>],
// CHECK-SAME: operand_types = [tensor<2x3xf32>], result_layouts = [array<i64: 0>], result_types = [tensor<2xf32>]} : (memref<3x2xf32>) -> ()
func.func @buffers(%x: memref<3x2xf32>, %place: memref<2xf32>) {
  halo.custom_call "f"(%x) outs(%place : memref<2xf32>) {backend_config = "text", dictionary = {uplo = 76 : ui8},
      operand_layouts = [array<i64: 0, 1>], operand_types = [tensor<2x3xf32>],
      result_layouts = [array<i64: 0>], result_types = [tensor<2xf32>]} : (memref<3x2xf32>) -> ()
  return
}
