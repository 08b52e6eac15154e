// RUN: halo-opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// The handler sees columns; attributes go to the declaration.
// CHECK: func.func private @halo_custom_call_1(tensor<4x4xf32> {bufferization.access = "read"}) -> tensor<4x4xf32> attributes {{{.*}}halo.attributes = {lower = true}{{.*}}halo.custom_call_target = "halo.cholesky"
// CHECK: func.func private @halo_custom_call_0(tensor<3x2xf32> {bufferization.access = "read"}) -> tensor<2xf32> attributes {
// CHECK-SAME: halo.attributes = {uplo = 76 : ui8}
// CHECK-SAME: halo.operand_layouts = [array<i64: 0, 1>]
// CHECK-LABEL: func.func @layouts
// CHECK: %[[COLUMNS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x2xf32>)
// CHECK: call @halo_custom_call_0(%[[COLUMNS]]) : (tensor<3x2xf32>) -> tensor<2xf32>
func.func @layouts(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @f(%x) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @cholesky
// CHECK: call @halo_custom_call_1(%{{.*}}) : (tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @cholesky(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
