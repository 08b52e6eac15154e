// RUN: halo-translate --serialize --target=1.17.0 %s -o %t.mlirbc
// RUN: halo-translate --deserialize %t.mlirbc | FileCheck %s

// A typed call without a configuration has an empty dictionary in an artifact,
// which is left out again.

// CHECK: custom_call @f() {api_version = 4 : i32} : () -> tensor<f32>
func.func @main() -> tensor<f32> {
  %0 = stablehlo.custom_call @f() {api_version = 4 : i32} : () -> tensor<f32>
  return %0 : tensor<f32>
}
