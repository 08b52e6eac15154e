// RUN: halo-opt %s --canonicalize | FileCheck %s

// Ops that change nothing.
// CHECK-LABEL: func.func @identities
// CHECK-NEXT: return %arg0
func.func @identities(%x: tensor<2x3xf32>, %p: tensor<f32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.convert %0 : tensor<2x3xf32>
  %2 = stablehlo.transpose %1, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.slice %3 [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = stablehlo.pad %4, %p, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %6 = stablehlo.concatenate %5, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = stablehlo.bitcast_convert %6 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = stablehlo.reverse %7, dims = [] : tensor<2x3xf32>
  return %8 : tensor<2x3xf32>
}

// Ops that only look as if.
// CHECK-LABEL: func.func @no_identities
// CHECK: stablehlo.transpose
// CHECK: stablehlo.pad
// CHECK: stablehlo.reverse
func.func @no_identities(%x: tensor<3x3xf32>, %p: tensor<f32>) -> tensor<3x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = stablehlo.pad %0, %p, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<3x3xf32>
  return %2 : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @values
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>, %[[P:.*]]: tensor<2xi1>
// CHECK: %[[SIZE:.*]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK: return %[[Y]], %[[X]], %[[X]], %[[SIZE]]
func.func @values(%x: tensor<2xf32>, %y: tensor<2xf32>, %p: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.tuple %x, %y : tuple<tensor<2xf32>, tensor<2xf32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<2xf32>>) -> tensor<2xf32>
  %2 = stablehlo.select %true, %x, %y : tensor<i1>, tensor<2xf32>
  %3 = stablehlo.select %p, %x, %x : tensor<2xi1>, tensor<2xf32>
  %4 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<2xf32>) -> tensor<i32>
  return %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>
}

// A branch that is known and only returns; an index out of range means the
// last.
// CHECK-LABEL: func.func @branches
// CHECK-NEXT: return %arg1, %arg1, %arg0
func.func @branches(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.case"(%one) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %1 = "stablehlo.case"(%nine) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %2 = "stablehlo.if"(%true) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @loop
// CHECK-NEXT: return %arg0
func.func @loop(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%i = %x) : tensor<f32>
    cond {
      %false = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %false : tensor<i1>
    } do {
      %1 = stablehlo.sine %i : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: %[[SUM:.*]] = stablehlo.constant dense<[11, 22]> : tensor<2xi32>
// CHECK-DAG: %[[LESS:.*]] = stablehlo.constant dense<true> : tensor<2xi1>
// CHECK-DAG: %[[QUOTIENT:.*]] = stablehlo.constant dense<[7.500000e-01, -2.500000e-01]> : tensor<2xf32>
// CHECK-DAG: %[[TOTAL:.*]] = stablehlo.constant dense<3> : tensor<i32>
// CHECK-DAG: %[[PART:.*]] = stablehlo.constant dense<2> : tensor<1xi32>
// CHECK: return %[[SUM]], %[[LESS]], %[[QUOTIENT]], %[[TOTAL]], %[[PART]]
func.func @constants() -> (tensor<2xi32>, tensor<2xi1>, tensor<2xf32>, tensor<i32>, tensor<1xi32>) {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f = stablehlo.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %g = stablehlo.constant dense<4.0> : tensor<2xf32>
  %0 = stablehlo.add %a, %b : tensor<2xi32>
  %1 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %2 = stablehlo.divide %f, %g : tensor<2xf32>
  %3 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %4 = stablehlo.slice %a [1:2] : (tensor<2xi32>) -> tensor<1xi32>
  return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<2xi1>, tensor<2xf32>, tensor<i32>, tensor<1xi32>
}

// What is not defined is left to the backend, and so is what would grow the
// program.
// CHECK-LABEL: func.func @left_alone
// CHECK: stablehlo.divide
// CHECK: stablehlo.convert
// CHECK: stablehlo.broadcast_in_dim
func.func @left_alone() -> (tensor<i32>, tensor<i8>, tensor<1000xf32>) {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f = stablehlo.constant dense<300.0> : tensor<f32>
  %0 = stablehlo.divide %a, %zero : tensor<i32>
  %1 = stablehlo.convert %f : (tensor<f32>) -> tensor<i8>
  %2 = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1000xf32>
  return %0, %1, %2 : tensor<i32>, tensor<i8>, tensor<1000xf32>
}

// CHECK-LABEL: func.func @complex_constant_like
// CHECK: %[[C:.*]] = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<4xcomplex<f32>>
// CHECK: return %[[C]]
func.func @complex_constant_like(%x: tensor<4xf32>) -> tensor<4xcomplex<f32>> {
  %0 = "chlo.constant_like"(%x) <{value = #complex.number<:f32 1.0, 2.0> : complex<f32>}> : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @constant_like
// CHECK: %[[C:.*]] = stablehlo.constant dense<2.500000e+00> : tensor<4xf32>
// CHECK: return %[[C]]
func.func @constant_like(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.constant_like"(%x) <{value = 2.5 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant_like_complex
// CHECK: %[[C:.*]] = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<4xcomplex<f64>>
// CHECK: return %[[C]]
func.func @constant_like_complex(%x: tensor<4xf32>) -> tensor<4xcomplex<f64>> {
  %0 = "chlo.constant_like"(%x) <{value = #complex.number<:f64 1.0, -2.0> : complex<f64>}>
    : (tensor<4xf32>) -> tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}
