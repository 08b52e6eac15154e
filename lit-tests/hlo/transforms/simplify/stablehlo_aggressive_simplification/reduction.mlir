// RUN: halo-opt %s --stablehlo-aggressive-simplification | FileCheck %s

// CHECK-LABEL: func.func @along_no_dimension
// CHECK: return %arg0
func.func @along_no_dimension(%x: tensor<3xf32>) -> tensor<3xf32> {
  %i = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// The sum of a negative zero and 0.0 is positive.
// CHECK-LABEL: func.func @from_positive_zero
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[SAME:.*]] = stablehlo.reshape %arg0 : (tensor<3x1xf32>) -> tensor<3xf32>
// CHECK: %[[ZEROS:.*]] = stablehlo.broadcast_in_dim %[[ZERO]]
// CHECK: %[[SUM:.*]] = stablehlo.add %[[SAME]], %[[ZEROS]]
// CHECK: return %[[SUM]]
func.func @from_positive_zero(%x: tensor<3x1xf32>) -> tensor<3xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// An initial value that changes what it is combined with counts.
// CHECK-LABEL: func.func @along_no_dimension_from_elsewhere
// CHECK: stablehlo.reduce
func.func @along_no_dimension_from_elsewhere(%x: tensor<3xi32>) -> tensor<3xi32> {
  %i = stablehlo.constant dense<8> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @along_one_element
// CHECK: %[[SAME:.*]] = stablehlo.reshape %arg0 : (tensor<1x3x1xf32>) -> tensor<3xf32>
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1]
// CHECK: return %[[SAME]], %[[SUM]]
func.func @along_one_element(%x: tensor<1x3x1xf32>) -> (tensor<3xf32>, tensor<1xf32>) {
  %i = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x3x1xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x3x1xf32>, tensor<f32>) -> tensor<1xf32>
  return %0, %1 : tensor<3xf32>, tensor<1xf32>
}

// CHECK-LABEL: func.func @body_returns_outer_value
// CHECK: return %arg1
func.func @body_returns_outer_value(%x: tensor<3xf32>, %y: tensor<f32>) -> tensor<f32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  return %0 : tensor<f32>
}

// Without elements the body does not run.
// CHECK-LABEL: func.func @body_of_nothing_returns_outer_value
// CHECK-NOT: stablehlo.reduce
// CHECK: return %arg2
func.func @body_of_nothing_returns_outer_value(%x: tensor<0xf32>, %y: tensor<f32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @body_of_unknown_size_returns_outer_value
// CHECK: stablehlo.reduce
func.func @body_of_unknown_size_returns_outer_value(%x: tensor<?xf32>, %y: tensor<f32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @of_nothing
// CHECK: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK: return %[[WIDE]]
func.func @of_nothing(%x: tensor<0x4xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [0] : (tensor<0x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The middle pair is dropped with the result that nothing uses.
// CHECK-LABEL: func.func @unused_pair
// CHECK: stablehlo.reduce(%arg0 init: %arg3), (%arg2 init: %arg3) across dimensions = [0]
// CHECK-NEXT: reducer(%[[A:.*]]: tensor<i32>, %[[B:.*]]: tensor<i32>) (%[[C:.*]]: tensor<i32>, %[[D:.*]]: tensor<i32>)
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[A]], %[[B]]
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[C]], %[[D]]
// CHECK-NEXT: stablehlo.return %[[SUM]], %[[PRODUCT]]
func.func @unused_pair(%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<4xi32>, %i: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %0:3 = stablehlo.reduce(%x init: %i), (%y init: %i), (%z init: %i) across dimensions = [0] : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
    reducer(%a: tensor<i32>, %d: tensor<i32>) (%b: tensor<i32>, %e: tensor<i32>) (%c: tensor<i32>, %f: tensor<i32>) {
      %1 = stablehlo.add %a, %d : tensor<i32>
      %2 = stablehlo.maximum %b, %e : tensor<i32>
      %3 = stablehlo.multiply %c, %f : tensor<i32>
      stablehlo.return %1, %2, %3 : tensor<i32>, tensor<i32>, tensor<i32>
    }
  return %0#0, %0#2 : tensor<i32>, tensor<i32>
}

// The used result depends on the other pair too.
// CHECK-LABEL: func.func @pair_is_needed
// CHECK: stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg2)
func.func @pair_is_needed(%x: tensor<4xi32>, %y: tensor<4xi32>, %i: tensor<i32>) -> tensor<i32> {
  %0:2 = stablehlo.reduce(%x init: %i), (%y init: %i) across dimensions = [0] : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    reducer(%a: tensor<i32>, %c: tensor<i32>) (%b: tensor<i32>, %d: tensor<i32>) {
      %1 = stablehlo.add %a, %d : tensor<i32>
      stablehlo.return %1, %d : tensor<i32>, tensor<i32>
    }
  return %0#0 : tensor<i32>
}

// CHECK-LABEL: func.func @sorts
// CHECK: "stablehlo.sort"(%arg1) <{dimension = 1 : i64, is_stable = true}>
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT: stablehlo.compare LT, %[[A]], %[[B]]
func.func @sorts(%x: tensor<2x3xi32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.compare LT, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3xi32>, tensor<2x3xf32>) -> (tensor<2x3xi32>, tensor<2x3xf32>)
  return %0#1 : tensor<2x3xf32>
}

// The keys are needed though their result is not used.
// CHECK-LABEL: func.func @sort_by_key
// CHECK: "stablehlo.sort"(%arg0, %arg1)
func.func @sort_by_key(%x: tensor<3xi32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xi32>, tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  return %0#1 : tensor<3xf32>
}


// The range of integers of 128 bits is nobody's: complex numbers have no order.
// CHECK-LABEL: @complex_along_no_dimension
func.func @complex_along_no_dimension(%x: tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>> {
  // CHECK: stablehlo.reduce
  %init = stablehlo.constant dense<(3.5, -0.5)> : tensor<complex<f64>>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = []
      : (tensor<2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
  return %0 : tensor<2xcomplex<f64>>
}
