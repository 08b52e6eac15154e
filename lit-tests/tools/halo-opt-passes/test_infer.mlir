// RUN: halo-opt %s --halo-test-infer | FileCheck %s

// CHECK: stablehlo.add {{.*}}{inferred = [tensor<3xf32>], refined = [tensor<3xf32>]}
// CHECK: stablehlo.reshape {{.*}}{inferred = "has results whose types do not follow from its operands"}
func.func @add(%a: tensor<?xf32>, %b: tensor<3xf32>) -> tensor<3x1xf32> {
  %0 = stablehlo.add %a, %b : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
  %1 = stablehlo.reshape %0 : (tensor<?xf32>) -> tensor<3x1xf32>
  return %1 : tensor<3x1xf32>
}
