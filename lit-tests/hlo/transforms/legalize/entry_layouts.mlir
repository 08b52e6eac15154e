// RUN: halo-opt %s --halo-entry-layouts --split-input-file --verify-diagnostics | FileCheck %s
// RUN: halo-opt %s --halo-entry-layouts=entry=other --split-input-file | FileCheck %s --check-prefix=OTHER

// Sizes are from major to minor, the attribute is gone, others stay.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:[^:]*]]: tensor<4x2x3xf32>, %[[B:[^:]*]]: tensor<5xi1> {jax.x = 1 : i64}, %[[C:[^:]*]]: tensor<f32>)
// CHECK-SAME: -> (tensor<3x2x4xf32> {jax.result_info = "r"}, tensor<5xi1>)
// OTHER: func.func @main(%{{[^:]*}}: tensor<2x3x4xf32> {mhlo.layout_mode = "{1,0,2}"}
func.func @main(%a: tensor<2x3x4xf32> {mhlo.layout_mode = "{1,0,2}"}, %b: tensor<5xi1> {jax.x = 1 : i64, mhlo.layout_mode = "auto"},
                %c: tensor<f32> {mhlo.layout_mode = "{}"})
    -> (tensor<2x3x4xf32> {jax.result_info = "r", mhlo.layout_mode = "{2,0,1}"}, tensor<5xi1> {mhlo.layout_mode = "default"}) {
  // CHECK: %[[TENSOR:.*]] = stablehlo.transpose %[[A]], dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  // CHECK: %[[SINE:.*]] = stablehlo.sine %[[TENSOR]]
  %0 = stablehlo.sine %a : tensor<2x3x4xf32>
  // CHECK: %[[RESULT:.*]] = stablehlo.transpose %[[SINE]], dims = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  // CHECK: return %[[RESULT]], %[[B]]
  return %0, %b : tensor<2x3x4xf32>, tensor<5xi1>
}

// OTHER: func.func private @other(%{{[^:]*}}: tensor<3x2xf32>) -> tensor<2x3xf32>
func.func private @other(%a: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}) -> tensor<2x3xf32> {
  return %a : tensor<2x3xf32>
}

// -----

// An argument gives its memory to a result that lies there alike, and to no other.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%{{[^:]*}}: tensor<3x2xf32> {tf.aliasing_output = 0 : i32}, %{{[^:]*}}: tensor<2x3xf32>)
func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}", tf.aliasing_output = 0 : i32}, %b: tensor<2x3xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}, tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}) {
  return %b, %a : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// expected-error @+1 {{argument 0: 'tensor<2x3xf32>' cannot have the layout {0}}}
func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = "{0}"}) {
  return
}

// -----

// expected-error @+1 {{result 0: 'tensor<?x3xf32>' cannot have the layout {0,1}: its sizes are not known}}
func.func @main(%a: tensor<?x3xf32>) -> (tensor<?x3xf32> {mhlo.layout_mode = "{0,1}"}) {
  return %a : tensor<?x3xf32>
}

// -----

// expected-error @+1 {{'mhlo.layout_mode': invalid layout: '{0,1:T(8,128)}' has tiles or a memory space}}
func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = "{0,1:T(8,128)}"}) {
  return
}
