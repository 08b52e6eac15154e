// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

func.func private @part(tensor<f32>) -> tensor<f32>

// CHECK-LABEL: func.func @targets(
// CHECK: %0 = stablehlo.custom_call @target(%arg0) : (tensor<f32>) -> tensor<f32>
// CHECK: stablehlo.custom_call @"not an identifier"() {has_side_effect = true} : () -> ()
// CHECK: %1:2 = stablehlo.custom_call @two(%arg0, %arg0) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i1>)
func.func @targets(%a: tensor<f32>) {
  %0 = stablehlo.custom_call @target(%a) : (tensor<f32>) -> tensor<f32>
  stablehlo.custom_call @"not an identifier"() {has_side_effect = true} : () -> ()
  %1:2 = stablehlo.custom_call @two(%a, %a) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i1>)
  return
}

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = stablehlo.custom_call @target(%arg0) {api_version = 4 : i32, backend_config = {n = 3 : i32}, called_computations = [@part]} : (tensor<f32>) -> tensor<f32>
// CHECK: %1 = stablehlo.custom_call @target(%arg0) {backend_config = "text", operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<f32>) -> tensor<2xf32>
// CHECK: %2 = stablehlo.custom_call @target(%arg2) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %3 = stablehlo.custom_call @target(%arg1) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tuple<tensor<2xf32>>) -> tensor<2xf32>
// CHECK: %4 = stablehlo.custom_call @target(%arg0) {api_version = 2 : i32, mhlo.backend_config = {n = 1 : i64}} : (tensor<f32>) -> tensor<f32>
func.func @attributes(%a: tensor<f32>, %b: tuple<tensor<2xf32>>, %m: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @target(%a) {api_version = 4 : i32, backend_config = {n = 3 : i32}, called_computations = [@part]} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.custom_call @target(%a) {backend_config = "text", operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.custom_call @target(%m) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.custom_call @target(%b) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  %4 = stablehlo.custom_call @target(%a) {api_version = 2 : i32, mhlo.backend_config = {n = 1 : i64}} : (tensor<f32>) -> tensor<f32>
  return
}

// What says the default is kept, but not written in pretty form.
// CHECK-LABEL: func.func @default_values(
// CHECK: %0 = stablehlo.custom_call @target(%arg0) : (tensor<f32>) -> tensor<f32>
func.func @default_values(%a: tensor<f32>) {
  %0 = stablehlo.custom_call @target(%a) {api_version = 1 : i32, has_side_effect = false} : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @types(
// CHECK: %0:2 = stablehlo.custom_call @target(%arg0, %arg1) : (tensor<?xf32>, !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
// CHECK: %1 = stablehlo.custom_call @target(%arg2) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
// CHECK: %2 = stablehlo.custom_call @target(%arg3) : (tensor<*xi8>) -> tuple<tensor<2xi8>, tuple<>>
func.func @types(%a: tensor<?xf32>, %t: !stablehlo.token, %m: memref<2xf32>, %u: tensor<*xi8>) {
  %0:2 = stablehlo.custom_call @target(%a, %t) : (tensor<?xf32>, !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %1 = stablehlo.custom_call @target(%m) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
  %2 = stablehlo.custom_call @target(%u) : (tensor<*xi8>) -> tuple<tensor<2xi8>, tuple<>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.custom_call @target(%arg0) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
func.func @generic_form(%a: tensor<f32>) {
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "target", has_side_effect = true}> : (tensor<f32>) -> tensor<f32>
  return
}
