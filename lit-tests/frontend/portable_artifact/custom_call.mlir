// RUN: halo-translate --serialize --target=1.2.0 %s -o %t.old.mlirbc
// RUN: halo-translate --deserialize %t.old.mlirbc | FileCheck %s
// RUN: halo-translate --serialize --target=1.17.0 %s -o %t.new.mlirbc
// RUN: halo-translate --deserialize %t.new.mlirbc | FileCheck %s

// Layouts are there for operands and results or for neither, even where one of
// the lists is empty.

// CHECK-LABEL: @no_results
// CHECK: custom_call @f(%arg0) {has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = []}
func.func @no_results(%a: tensor<2x3xf32>) {
  stablehlo.custom_call @f(%a) {has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = []} : (tensor<2x3xf32>) -> ()
  return
}

// CHECK-LABEL: @no_operands
// CHECK: custom_call @f() {operand_layouts = [], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
func.func @no_operands() -> tensor<2x3xf32> {
  %0 = stablehlo.custom_call @f() {operand_layouts = [], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : () -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @no_layouts
// CHECK: custom_call @f() : () -> tensor<f32>
func.func @no_layouts() -> tensor<f32> {
  %0 = stablehlo.custom_call @f() : () -> tensor<f32>
  return %0 : tensor<f32>
}
