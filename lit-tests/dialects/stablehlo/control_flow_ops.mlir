// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Branches, loops, order, tuples and calls.

// CHECK-LABEL: func.func @branches(
// CHECK: %0 = "stablehlo.if"(%arg0) ({
// CHECK: stablehlo.return %arg2 : tensor<2xf32>
// CHECK: %2 = stablehlo.negate %arg2 : tensor<2xf32>
// CHECK: stablehlo.return %2 : tensor<2xf32>
// CHECK: }) : (tensor<i1>) -> tensor<2xf32>
// CHECK: %1:2 = "stablehlo.case"(%arg1) ({
// CHECK: stablehlo.return %arg2, %arg1 : tensor<2xf32>, tensor<i32>
// CHECK: stablehlo.return %arg2, %arg1 : tensor<2xf32>, tensor<i32>
// CHECK: stablehlo.return %arg2, %arg1 : tensor<2xf32>, tensor<i32>
// CHECK: }) : (tensor<i32>) -> (tensor<2xf32>, tensor<i32>)
func.func @branches(%p: tensor<i1>, %i: tensor<i32>, %a: tensor<2xf32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    %2 = stablehlo.negate %a : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %1:2 = "stablehlo.case"(%i) ({
    stablehlo.return %a, %i : tensor<2xf32>, tensor<i32>
  }, {
    stablehlo.return %a, %i : tensor<2xf32>, tensor<i32>
  }, {
    stablehlo.return %a, %i : tensor<2xf32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<2xf32>, tensor<i32>)
  return
}

// CHECK-LABEL: func.func @loops(
// CHECK: %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i32>, tensor<2xf32> attributes {tag = 1 : i64}
// CHECK: cond {
// CHECK: %1 = stablehlo.compare NE, %iterArg, %arg0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: stablehlo.return %1 : tensor<i1>
// CHECK: } do {
// CHECK: %1 = stablehlo.add %iterArg_0, %arg1 : tensor<2xf32>
// CHECK: stablehlo.return %iterArg, %1 : tensor<i32>, tensor<2xf32>
// CHECK: stablehlo.while()
// CHECK: cond {
// CHECK: %c = stablehlo.constant dense<false> : tensor<i1>
// CHECK: stablehlo.return %c : tensor<i1>
// CHECK: } do {
// CHECK: stablehlo.return
func.func @loops(%n: tensor<i32>, %a: tensor<2xf32>) {
  %0:2 = stablehlo.while(%iterArg = %n, %iterArg_0 = %a) : tensor<i32>, tensor<2xf32> attributes {tag = 1 : i64}
  cond {
    %1 = stablehlo.compare NE, %iterArg, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %iterArg_0, %a : tensor<2xf32>
    stablehlo.return %iterArg, %1 : tensor<i32>, tensor<2xf32>
  }
  stablehlo.while()
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return
  }
  return
}

// CHECK-LABEL: func.func @order(
// CHECK: %0 = stablehlo.create_token : !stablehlo.token
// CHECK: %1 = stablehlo.after_all %arg0, %0 : !stablehlo.token
// CHECK: %2 = stablehlo.after_all  : !stablehlo.token
// CHECK: %3:2 = stablehlo.optimization_barrier %arg1, %arg0 : tensor<f32>, !stablehlo.token
// CHECK: stablehlo.optimization_barrier()
func.func @order(%t: !stablehlo.token, %a: tensor<f32>) {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %t, %0 : !stablehlo.token
  %2 = stablehlo.after_all  : !stablehlo.token
  %3:2 = stablehlo.optimization_barrier %a, %t : tensor<f32>, !stablehlo.token
  stablehlo.optimization_barrier ()
  return
}

// CHECK-LABEL: func.func @tuples(
// CHECK: %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<f32>, !stablehlo.token>
// CHECK: %1 = stablehlo.tuple %0, %arg0 : tuple<tuple<tensor<f32>, !stablehlo.token>, tensor<f32>>
// CHECK: %2 = stablehlo.tuple  : tuple<>
// CHECK: %3 = stablehlo.get_tuple_element %1[0] : (tuple<tuple<tensor<f32>, !stablehlo.token>, tensor<f32>>) -> tuple<tensor<f32>, !stablehlo.token>
func.func @tuples(%a: tensor<f32>, %t: !stablehlo.token) {
  %0 = stablehlo.tuple %a, %t : tuple<tensor<f32>, !stablehlo.token>
  %1 = stablehlo.tuple %0, %a : tuple<tuple<tensor<f32>, !stablehlo.token>, tensor<f32>>
  %2 = stablehlo.tuple  : tuple<>
  %3 = stablehlo.get_tuple_element %1[0] : (tuple<tuple<tensor<f32>, !stablehlo.token>, tensor<f32>>) -> tuple<tensor<f32>, !stablehlo.token>
  return
}

func.func private @part(tensor<f32>) -> tensor<f32>

// CHECK-LABEL: func.func @calls(
// CHECK: %0 = stablehlo.composite "my.op" %arg0 {decomposition = @part} : (tensor<f32>) -> tensor<f32>
// CHECK: %1 = stablehlo.composite "my.op" %arg0 {composite_attributes = {n = 1 : i64}, decomposition = @part, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
// CHECK: %2 = stablehlo.custom_call @target(%arg0) : (tensor<f32>) -> tensor<f32>
// CHECK: stablehlo.custom_call @"not an identifier"() {has_side_effect = true} : () -> ()
// CHECK: %3 = stablehlo.custom_call @target(%arg0) {api_version = 4 : i32, backend_config = {n = 3 : i32}, called_computations = [@part]} : (tensor<f32>) -> tensor<f32>
// CHECK: %4 = stablehlo.custom_call @target(%arg0) {backend_config = "text", operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<f32>) -> tensor<2xf32>
// CHECK: %5 = stablehlo.custom_call @target(%arg1) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tuple<tensor<2xf32>>) -> tensor<2xf32>
func.func @calls(%a: tensor<f32>, %b: tuple<tensor<2xf32>>) {
  %0 = stablehlo.composite "my.op" %a {decomposition = @part} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.composite "my.op" %a {composite_attributes = {n = 1 : i64}, decomposition = @part, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.custom_call @target(%a) : (tensor<f32>) -> tensor<f32>
  stablehlo.custom_call @"not an identifier"() {has_side_effect = true} : () -> ()
  %3 = stablehlo.custom_call @target(%a) {api_version = 4 : i32, backend_config = {n = 3 : i32}, called_computations = [@part]} : (tensor<f32>) -> tensor<f32>
  %4 = stablehlo.custom_call @target(%a) {backend_config = "text", operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<f32>) -> tensor<2xf32>
  %5 = stablehlo.custom_call @target(%b) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  return
}
