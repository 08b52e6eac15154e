// RUN: halo-opt %s --split-input-file --canonicalize | FileCheck %s

// Nothing is computed, but what follows from the structure still folds.
// CHECK-LABEL: func.func @nothing
// CHECK: %[[SUM:.*]] = stablehlo.add
// CHECK: return %[[SUM]], %arg0
module attributes {halo.fold_element_limit = 0 : i64} {
  func.func @nothing(%a: tensor<4xi32>) -> (tensor<2xi32>, tensor<4xi32>) {
    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %1 = stablehlo.add %0, %0 : tensor<2xi32>
    %2 = stablehlo.reshape %a : (tensor<4xi32>) -> tensor<4xi32>
    return %1, %2 : tensor<2xi32>, tensor<4xi32>
  }
}

// -----

// CHECK-LABEL: func.func @little
// CHECK-DAG: %[[SMALL:.*]] = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
// CHECK-DAG: %[[LARGE:.*]] = stablehlo.add %{{.*}} : tensor<3xi32>
// CHECK: return %[[SMALL]], %[[LARGE]]
module attributes {halo.fold_element_limit = 2 : i64} {
  func.func @little() -> (tensor<2xi32>, tensor<3xi32>) {
    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %1 = stablehlo.add %0, %0 : tensor<2xi32>
    %2 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %3 = stablehlo.add %2, %2 : tensor<3xi32>
    return %1, %3 : tensor<2xi32>, tensor<3xi32>
  }
}

// -----

// Without the attribute the limit is large enough for this.
// CHECK-LABEL: func.func @usual
// CHECK-NOT: stablehlo.add
func.func @usual() -> tensor<3xi32> {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = stablehlo.add %0, %0 : tensor<3xi32>
  return %1 : tensor<3xi32>
}
