// RUN: halo-opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// The handler sees columns, and the attributes of a typed call.
// CHECK-LABEL: func.func @layouts
// CHECK: %[[COLUMNS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x2xf32>)
// CHECK: halo.custom_call "f"(%[[COLUMNS]]) {{{.*}}dictionary = {uplo = 76 : ui8}
// CHECK-SAME: operand_layouts = [array<i64: 0, 1>], operand_types = [tensor<2x3xf32>], result_types = [tensor<2xf32>]} : (tensor<3x2xf32>) -> tensor<2xf32>
func.func @layouts(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @f(%x) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Substitution takes any layout, so that nothing is transposed.
// CHECK-LABEL: func.func @any_layout
// CHECK-NOT: linalg
// CHECK: halo.custom_call "lapack_strsm_ffi"(%arg0, %arg1)
// CHECK-NOT: layouts
// CHECK: return
func.func @any_layout(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @cholesky
// CHECK: halo.custom_call "halo.cholesky"(%{{.*}}) {{{.*}}dictionary = {lower = true}{{.*}}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @cholesky(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// The limits of a check are attributes of the call, and no text.
// CHECK-LABEL: func.func @check
// CHECK: halo.custom_call "check.expect_close"(%{{.*}}, %{{.*}}) {dictionary = {max_ulp_difference = 5 : ui64}, operand_types
func.func @check(%x: tensor<f32>) {
  check.expect_close %x, %x, max_ulp_difference = 5 : tensor<f32>, tensor<f32>
  return
}
