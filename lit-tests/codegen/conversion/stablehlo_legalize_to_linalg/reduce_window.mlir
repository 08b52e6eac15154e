// RUN: halo-opt %s --split-input-file --stablehlo-legalize-to-linalg | FileCheck %s

// A loop over the window, whose size is that of a tensor that is never read.
// CHECK-DAG: #[[$ELEMENT:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK-DAG: #[[$WINDOW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$PLACE:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @strided
// CHECK: %[[SHAPE:.*]] = tensor.empty() : tensor<3xi8>
// CHECK: %[[START:.*]] = linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[$ELEMENT]], #[[$WINDOW]], #[[$PLACE]]], iterator_types = ["parallel", "reduction"]} ins(%arg0, %[[SHAPE]] : tensor<9xf32>, tensor<3xi8>) outs(%[[START]] : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: i8, %[[OUT:.*]]: f32):
// CHECK-NEXT: arith.maximumf %[[OUT]], %[[IN]] : f32
func.func @strided(%x: tensor<9xf32>, %init: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<9xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The initial value lies around and between the elements.
// CHECK-LABEL: func.func @padded
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<9xi32>
// CHECK: %[[FILLED:.*]] = linalg.fill ins(%{{.*}} : i32) outs(%[[EMPTY]] : tensor<9xi32>)
// CHECK: %[[SPREAD:.*]] = tensor.insert_slice %arg0 into %[[FILLED]][1] [4] [2] : tensor<4xi32> into tensor<9xi32>
// CHECK: linalg.generic {{.*}} ins(%[[SPREAD]], %{{.*}} : tensor<9xi32>, tensor<2xi8>)
func.func @padded(%x: tensor<4xi32>, %init: tensor<i32>) -> tensor<8xi32> {
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// A window of all elements before: one loop with a running value.
// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @cumulative
// CHECK: %[[SUMS:.*]] = tensor.empty() : tensor<3x4xf32>
// CHECK: %[[RUNNING:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<3xf32>)
// CHECK: %[[RESULT:.*]]:2 = linalg.generic {indexing_maps = [#[[$ALL]], #[[$ALL]], #[[$ROW]]], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<3x4xf32>) outs(%[[SUMS]], %[[RUNNING]] : tensor<3x4xf32>, tensor<3xf32>)
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK-NEXT: linalg.yield %[[SUM]], %[[SUM]] : f32, f32
// CHECK: return %[[RESULT]]#0
func.func @cumulative(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK-DAG: #[[$BACK:.*]] = affine_map<(d0, d1) -> (-d0 + 2, d1)>
// CHECK-LABEL: func.func @from_the_end
// CHECK: linalg.generic {indexing_maps = [#[[$BACK]], #{{.*}}, #[[$BACK]], #{{.*}}], iterator_types = ["reduction", "parallel"]}
func.func @from_the_end(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 3, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// Each place over padding adds 1, which a running value would not.
// CHECK-LABEL: func.func @not_neutral
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[3] [4] [1] : tensor<4xf32> into tensor<7xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
func.func @not_neutral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %one) <{window_dimensions = array<i64: 4>, padding = dense<[[3, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
