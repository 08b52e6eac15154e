// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @values(
// CHECK: %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %arg2) : tensor<i32>, tensor<2xf32>, !stablehlo.token attributes {tag = 1 : i64}
// CHECK: cond {
// CHECK: %1 = stablehlo.compare NE, %iterArg, %arg0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: stablehlo.return %1 : tensor<i1>
// CHECK: } do {
// CHECK: %1 = stablehlo.add %iterArg_0, %arg1 : tensor<2xf32>
// CHECK: stablehlo.return %iterArg, %1, %iterArg_1 : tensor<i32>, tensor<2xf32>, !stablehlo.token
func.func @values(%n: tensor<i32>, %a: tensor<2xf32>, %t: !stablehlo.token) {
  %0:3 = stablehlo.while(%iterArg = %n, %iterArg_0 = %a, %iterArg_1 = %t) : tensor<i32>, tensor<2xf32>, !stablehlo.token attributes {tag = 1 : i64}
  cond {
    %1 = stablehlo.compare NE, %iterArg, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %iterArg_0, %a : tensor<2xf32>
    stablehlo.return %iterArg, %1, %iterArg_1 : tensor<i32>, tensor<2xf32>, !stablehlo.token
  }
  return
}

// CHECK-LABEL: func.func @no_values(
// CHECK: stablehlo.while()
// CHECK: cond {
// CHECK: stablehlo.return %arg0 : tensor<i1>
// CHECK: } do {
// CHECK: stablehlo.return
func.func @no_values(%p: tensor<i1>) {
  stablehlo.while()
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return
  }
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg2) : tensor<i32>, tensor<?xi32>
// CHECK: cond {
// CHECK: stablehlo.return %arg1 : tensor<i1>
// CHECK: } do {
// CHECK: stablehlo.return %iterArg, %iterArg_0 : tensor<i32>, tensor<?xi32>
func.func @generic_form(%n: tensor<i32>, %p: tensor<i1>, %d: tensor<?xi32>) {
  %0:2 = "stablehlo.while"(%n, %d) ({
  ^bb0(%x: tensor<i32>, %y: tensor<?xi32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<?xi32>):
    stablehlo.return %x, %y : tensor<i32>, tensor<?xi32>
  }) : (tensor<i32>, tensor<?xi32>) -> (tensor<i32>, tensor<?xi32>)
  return
}
