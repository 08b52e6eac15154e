// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @inputs(
// CHECK: %0:2 = chlo.scan(%arg0) inits (%arg2) dimension=0 {
// CHECK: ^bb0(%input: tensor<3xf32>, %carry: tensor<3xf32>):
// CHECK: %2 = stablehlo.add %input, %carry : tensor<3xf32>
// CHECK: stablehlo.return %2, %2 : tensor<3xf32>, tensor<3xf32>
// CHECK: } : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
// CHECK: %1:3 = chlo.scan(%arg0, %arg1) inits (%arg2) dimension=0 attributes {is_associative = false, is_reverse = true, scan_dim_size = 5 : i64} {
// CHECK: ^bb0(%input: tensor<3xf32>, %input_0: tensor<2xi32>, %carry: tensor<3xf32>):
// CHECK: stablehlo.return %input, %input_0, %carry : tensor<3xf32>, tensor<2xi32>, tensor<3xf32>
// CHECK: } : (tensor<5x3xf32>, tensor<5x2xi32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<5x2xi32>, tensor<3xf32>)
func.func @inputs(%a: tensor<5x3xf32>, %b: tensor<5x2xi32>, %z: tensor<3xf32>) {
  %0:2 = chlo.scan(%a) inits (%z) dimension=0 {
  ^bb0(%x: tensor<3xf32>, %c: tensor<3xf32>):
    %2 = stablehlo.add %x, %c : tensor<3xf32>
    stablehlo.return %2, %2 : tensor<3xf32>, tensor<3xf32>
  } : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  %1:3 = chlo.scan(%a, %b) inits (%z) dimension=0 attributes {is_associative = false, is_reverse = true, scan_dim_size = 5 : i64} {
  ^bb0(%x: tensor<3xf32>, %y: tensor<2xi32>, %c: tensor<3xf32>):
    stablehlo.return %x, %y, %c : tensor<3xf32>, tensor<2xi32>, tensor<3xf32>
  } : (tensor<5x3xf32>, tensor<5x2xi32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<5x2xi32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: func.func @no_inputs(
// CHECK: %0:2 = chlo.scan() inits (%arg0) dimension=0 attributes {scan_dim_size = 4 : i64} {
// CHECK: ^bb0(%carry: tensor<f32>):
// CHECK: stablehlo.return %carry, %carry : tensor<f32>, tensor<f32>
// CHECK: } : (tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
func.func @no_inputs(%z: tensor<f32>) {
  %0:2 = chlo.scan() inits (%z) dimension=0 attributes {scan_dim_size = 4 : i64} {
  ^bb0(%c: tensor<f32>):
    stablehlo.return %c, %c : tensor<f32>, tensor<f32>
  } : (tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0:2 = chlo.scan(%arg0) inits (%arg1) dimension=1 attributes {is_associative = true} {
// CHECK: ^bb0(%input: tensor<3xf32>, %carry: tensor<3xf32>):
// CHECK: %1 = stablehlo.maximum %input, %carry : tensor<3xf32>
// CHECK: stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
// CHECK: } : (tensor<3x5xf32>, tensor<3xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)
func.func @generic_form(%a: tensor<3x5xf32>, %z: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%a, %z) <{dimension = 1 : i64, is_associative = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: tensor<3xf32>, %c: tensor<3xf32>):
    %1 = stablehlo.maximum %x, %c : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<3x5xf32>, tensor<3xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)
  return
}
