// RUN: halo-opt %s --stablehlo-refine-arguments='types={tensor<5x10xf32>,dense<5> : tensor<i64>}' | FileCheck %s
// RUN: halo-opt %s --pass-pipeline='builtin.module(stablehlo-refine-arguments{types={tensor<5x10xf32>,tensor<i64>}},stablehlo-refine-shapes)' | FileCheck %s --check-prefix=REFINED
// RUN: not halo-opt %s --stablehlo-refine-arguments='types=tensor<5x10xf32>' 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not halo-opt %s --stablehlo-refine-arguments='types=tensor<5x11xf32>,tensor<i64>' 2>&1 | FileCheck %s --check-prefix=SIZE

// RUN: not halo-opt %s --stablehlo-refine-arguments='types=tensor<5x10xf64>,tensor<i64>' 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not halo-opt %s --stablehlo-refine-arguments='types=tensor<50xf32>,tensor<i64>' 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not halo-opt %s --stablehlo-refine-arguments='types=tensor<*xf32>,tensor<i64>' 2>&1 | FileCheck %s --check-prefix=UNRANKED
// RUN: not halo-opt %s --stablehlo-refine-arguments='types=tensor<5x10xf32>,!stablehlo.token' 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not halo-opt %s --stablehlo-refine-arguments='types=tensor<5x10xf32>,!not.a_type' 2>&1 | FileCheck %s --check-prefix=TEXT

// COUNT: number of refinements must match number of op operands 1 vs 2
// SIZE: invalid refinement for argument 0, refinement dimension sizes must match for static dimensions in tensor<?x10xf32> -> tensor<5x11xf32>
// ELEMENT: invalid refinement for argument 0, refinement element types must match in tensor<?x10xf32> -> tensor<5x10xf64>
// RANK: invalid refinement for argument 0, refinement rank must match operand rank in tensor<?x10xf32> -> tensor<50xf32>
// UNRANKED: invalid refinement for argument 0, refinement must be ranked in tensor<?x10xf32> -> tensor<*xf32>
// TENSOR: invalid refinement for argument 1, refinement must be a tensor in tensor<i64> -> !stablehlo.token
// TEXT: Invalid type string: !not.a_type

// CHECK: func.func @main(%[[A:.*]]: tensor<5x10xf32>, %{{.*}}: tensor<i64>) -> (tensor<?x10xf32>, tensor<i64>)
// CHECK: %[[SHAPE:.*]] = stablehlo.constant dense<[5, 10]> : tensor<2xi64>
// CHECK: %[[OLD:.*]] = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%[[A]], %[[SHAPE]]) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<5x10xf32>, tensor<2xi64>) -> tensor<?x10xf32>
// CHECK: %[[N:.*]] = stablehlo.constant dense<5> : tensor<i64>
// CHECK: return %[[OLD]], %[[N]]

// REFINED: func.func @main(%[[A:.*]]: tensor<5x10xf32>, %[[N:.*]]: tensor<i64>) -> (tensor<5x10xf32>, tensor<i64>)
// REFINED: return %[[A]], %[[N]]
func.func @main(%a: tensor<?x10xf32>, %n: tensor<i64>) -> (tensor<?x10xf32>, tensor<i64>) {
  return %a, %n : tensor<?x10xf32>, tensor<i64>
}
