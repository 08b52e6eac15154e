// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @one_op(
// CHECK: %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1] {tag} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
// CHECK: %2 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.multiply across dimensions = [] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %3 = stablehlo.reduce(%arg2 init: %arg3) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
func.func @one_op(%a: tensor<2x3xf32>, %z: tensor<f32>, %b: tensor<4xi1>, %p: tensor<i1>) {
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1] {tag} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.reduce(%a init: %z) applies stablehlo.multiply across dimensions = [] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %3 = stablehlo.reduce(%b init: %p) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
  return
}

// CHECK-LABEL: func.func @two_inputs(
// CHECK: %0:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
// CHECK: reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>) {
// CHECK: %1 = stablehlo.add %arg4, %arg6 : tensor<f32>
// CHECK: %2 = stablehlo.maximum %arg5, %arg7 : tensor<i32>
// CHECK: stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
func.func @two_inputs(%a: tensor<2x3xf32>, %i: tensor<2x3xi32>, %z: tensor<f32>, %y: tensor<i32>) {
  %0:2 = stablehlo.reduce(%a init: %z), (%i init: %y) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%x0: tensor<f32>, %x1: tensor<f32>) (%n0: tensor<i32>, %n1: tensor<i32>) {
    %1 = stablehlo.add %x0, %x1 : tensor<f32>
    %2 = stablehlo.maximum %n0, %n1 : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return
}

// The body is written as one op only if nothing is lost: not where the op is
// not commutative, has an operand from outside or an attribute, or computes in
// another type.
// CHECK-LABEL: func.func @bodies(
// CHECK: %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK: reducer(%arg4: tensor<f32>, %arg5: tensor<f32>) {
// CHECK: %4 = stablehlo.subtract %arg4, %arg5 : tensor<f32>
// CHECK: stablehlo.return %4 : tensor<f32>
// CHECK: %1 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK: reducer(%arg4: tensor<f32>, %arg5: tensor<f32>) {
// CHECK: %4 = stablehlo.add %arg4, %arg1 : tensor<f32>
// CHECK: stablehlo.return %4 : tensor<f32>
// CHECK: %2 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK: reducer(%arg4: tensor<f32>, %arg5: tensor<f32>) {
// CHECK: %4 = stablehlo.add %arg4, %arg5 {tag} : tensor<f32>
// CHECK: stablehlo.return %4 : tensor<f32>
// CHECK: %3 = stablehlo.reduce(%arg2 init: %arg3) across dimensions = [0] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<3xf32>
// CHECK: reducer(%arg4: tensor<f32>, %arg5: tensor<f32>) {
// CHECK: %4 = stablehlo.add %arg4, %arg5 : tensor<f32>
// CHECK: stablehlo.return %4 : tensor<f32>
func.func @bodies(%a: tensor<2x3xf32>, %z: tensor<f32>, %b: tensor<2x3xbf16>, %y: tensor<bf16>) {
  %0 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    reducer(%s: tensor<f32>, %t: tensor<f32>) {
    %4 = stablehlo.subtract %s, %t : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  %1 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    reducer(%s: tensor<f32>, %t: tensor<f32>) {
    %4 = stablehlo.add %s, %z : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  %2 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    reducer(%s: tensor<f32>, %t: tensor<f32>) {
    %4 = stablehlo.add %s, %t {tag} : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  %3 = stablehlo.reduce(%b init: %y) across dimensions = [0] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<3xf32>
    reducer(%s: tensor<f32>, %t: tensor<f32>) {
    %4 = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.add across dimensions = [1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
// CHECK: %1 = stablehlo.reduce(%arg1 init: %arg2) applies stablehlo.add across dimensions = [1] : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @dynamic(%a: tensor<?x3xf32>, %b: tensor<?x3xf32, #stablehlo.bounds<4, ?>>, %z: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.minimum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
func.func @generic_form(%a: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.minimum %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
