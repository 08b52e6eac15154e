// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @elements(
// CHECK: %0 = stablehlo.get_tuple_element %arg0[0] : (tuple<tensor<f32>, tuple<!stablehlo.token, tensor<?xi8>>>) -> tensor<f32>
// CHECK: %1 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<f32>, tuple<!stablehlo.token, tensor<?xi8>>>) -> tuple<!stablehlo.token, tensor<?xi8>>
// CHECK: %2 = stablehlo.get_tuple_element %1[0] {tag} : (tuple<!stablehlo.token, tensor<?xi8>>) -> !stablehlo.token
// CHECK: %3 = stablehlo.get_tuple_element %1[1] : (tuple<!stablehlo.token, tensor<?xi8>>) -> tensor<?xi8>
func.func @elements(%a: tuple<tensor<f32>, tuple<!stablehlo.token, tensor<?xi8>>>) {
  %0 = stablehlo.get_tuple_element %a[0] : (tuple<tensor<f32>, tuple<!stablehlo.token, tensor<?xi8>>>) -> tensor<f32>
  %1 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<f32>, tuple<!stablehlo.token, tensor<?xi8>>>) -> tuple<!stablehlo.token, tensor<?xi8>>
  %2 = stablehlo.get_tuple_element %1[0] {tag} : (tuple<!stablehlo.token, tensor<?xi8>>) -> !stablehlo.token
  %3 = "stablehlo.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<!stablehlo.token, tensor<?xi8>>) -> tensor<?xi8>
  return
}
