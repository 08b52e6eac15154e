// RUN: halo-opt %s --stablehlo-refine-arguments='types={tensor<5x10xf32>,dense<5> : tensor<i64>}' | FileCheck %s
// RUN: halo-opt %s --pass-pipeline='builtin.module(stablehlo-refine-arguments{types={tensor<5x10xf32>,tensor<i64>}},stablehlo-refine-shapes)' | FileCheck %s --check-prefix=REFINED
// RUN: not halo-opt %s --stablehlo-refine-arguments='types=tensor<5x10xf32>' 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not halo-opt %s --stablehlo-refine-arguments='types=tensor<5x11xf32>,tensor<i64>' 2>&1 | FileCheck %s --check-prefix=SIZE

// COUNT: has 2 arguments, but there are 1 types for them
// SIZE: type tensor<5x11xf32> does not refine type tensor<?x10xf32>

// CHECK: func.func @main(%[[A:.*]]: tensor<5x10xf32>, %{{.*}}: tensor<i64>) -> (tensor<?x10xf32>, tensor<i64>)
// CHECK-DAG: %[[SHAPE:.*]] = stablehlo.constant dense<[5, 10]> : tensor<2xi64>
// CHECK-DAG: %[[N:.*]] = stablehlo.constant dense<5> : tensor<i64>
// CHECK: %[[OLD:.*]] = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%[[A]], %[[SHAPE]]) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<5x10xf32>, tensor<2xi64>) -> tensor<?x10xf32>
// CHECK: return %[[OLD]], %[[N]]

// REFINED: func.func @main(%[[A:.*]]: tensor<5x10xf32>, %[[N:.*]]: tensor<i64>) -> (tensor<5x10xf32>, tensor<i64>)
// REFINED: return %[[A]], %[[N]]
func.func @main(%a: tensor<?x10xf32>, %n: tensor<i64>) -> (tensor<?x10xf32>, tensor<i64>) {
  return %a, %n : tensor<?x10xf32>, tensor<i64>
}
