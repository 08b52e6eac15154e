// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK: %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
// CHECK: %values_0, %indices_1 = chlo.top_k(%arg1, k = 5) {tag} : tensor<5xi8> -> (tensor<5xi8>, tensor<5xi32>)
// CHECK: %values_2, %indices_3 = chlo.top_k(%arg2, k = 0) : tensor<?x6xbf16> -> (tensor<?x0xbf16>, tensor<?x0xi32>)
// CHECK: %values_4, %indices_5 = chlo.top_k(%arg3, k = 3) : tensor<*xui32> -> (tensor<*xui32>, tensor<*xi32>)
// CHECK: %values_6, %indices_7 = chlo.top_k(%arg1, k = 1) : tensor<5xi8> -> (tensor<1xi8>, tensor<1xi32>)
// CHECK: %values_8, %indices_9 = chlo.top_k(%arg1, k = 2, is_stable = false) : tensor<5xi8> -> (tensor<2xi8>, tensor<2xi32>)
// CHECK: %values_10, %indices_11 = chlo.top_k(%arg1, k = 2) : tensor<5xi8> -> (tensor<2xi8>, tensor<2xi32>)
func.func @shapes(%a: tensor<4x6xf32>, %b: tensor<5xi8>, %c: tensor<?x6xbf16>, %d: tensor<*xui32>) {
  %values, %indices = chlo.top_k(%a, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  %values_0, %indices_1 = chlo.top_k(%b, k = 5) {tag} : tensor<5xi8> -> (tensor<5xi8>, tensor<5xi32>)
  %values_2, %indices_3 = chlo.top_k(%c, k = 0) : tensor<?x6xbf16> -> (tensor<?x0xbf16>, tensor<?x0xi32>)
  %values_4, %indices_5 = chlo.top_k(%d, k = 3) : tensor<*xui32> -> (tensor<*xui32>, tensor<*xi32>)
  %6:2 = "chlo.top_k"(%b) <{k = 1 : i64}> : (tensor<5xi8>) -> (tensor<1xi8>, tensor<1xi32>)
  %values_8, %indices_9 = chlo.top_k(%b, k = 2, is_stable = false) : tensor<5xi8> -> (tensor<2xi8>, tensor<2xi32>)
  %values_10, %indices_11 = chlo.top_k(%b, k = 2, is_stable = true) : tensor<5xi8> -> (tensor<2xi8>, tensor<2xi32>)
  return
}
