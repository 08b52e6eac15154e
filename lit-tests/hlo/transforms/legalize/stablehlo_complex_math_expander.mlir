// RUN: halo-opt %s --stablehlo-complex-math-expander | FileCheck %s

// CHECK-LABEL: func.func @complex
// CHECK: %[[X:.*]] = stablehlo.real %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK: %[[Y:.*]] = stablehlo.imag %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK: stablehlo.exponential %[[X]] : tensor<4xf32>
// CHECK: stablehlo.cosine %[[Y]] : tensor<4xf32>
// CHECK: stablehlo.sine %[[Y]] : tensor<4xf32>
// CHECK: %[[RESULT:.*]] = stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
// CHECK: return %[[RESULT]]
func.func @complex(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = stablehlo.exponential %z : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// No op but those that take complex numbers apart and join them is left.
// CHECK-LABEL: func.func @all
// CHECK-COUNT-8: stablehlo.complex
// CHECK-NOT: stablehlo.{{(cosine|exponential_minus_one|log|log_plus_one|sine|sqrt|tan|tanh)}} {{.*}}complex
// CHECK: return
func.func @all(%z: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %0 = stablehlo.cosine %z : tensor<4xcomplex<f64>>
  %1 = stablehlo.exponential_minus_one %0 : tensor<4xcomplex<f64>>
  %2 = stablehlo.log %1 : tensor<4xcomplex<f64>>
  %3 = stablehlo.log_plus_one %2 : tensor<4xcomplex<f64>>
  %4 = stablehlo.sine %3 : tensor<4xcomplex<f64>>
  %5 = stablehlo.sqrt %4 : tensor<4xcomplex<f64>>
  %6 = stablehlo.tan %5 : tensor<4xcomplex<f64>>
  %7 = stablehlo.tanh %6 : tensor<4xcomplex<f64>>
  return %7 : tensor<4xcomplex<f64>>
}

// Real functions stay as they are.
// CHECK-LABEL: func.func @real
// CHECK-NEXT: %[[RESULT:.*]] = stablehlo.exponential %arg0 : tensor<4xf32>
// CHECK-NEXT: return %[[RESULT]]
func.func @real(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
