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

// A product becomes one of parts. The smaller operand, the right one, becomes 2 x 2 blocks.
// CHECK-LABEL: func.func @product
// CHECK-DAG: %[[A:.*]] = stablehlo.real %arg0
// CHECK-DAG: %[[B:.*]] = stablehlo.imag %arg0
// CHECK-DAG: %[[ROW:.*]] = stablehlo.concatenate %[[A]], %[[B]], dim = 2 : {{.*}} -> tensor<2x64x64xf32>
// CHECK-DAG: %[[C:.*]] = stablehlo.real %arg1
// CHECK-DAG: %[[D:.*]] = stablehlo.imag %arg1
// CHECK-DAG: %[[NEGATED:.*]] = stablehlo.negate %[[D]]
// CHECK-DAG: %[[UPPER:.*]] = stablehlo.concatenate %[[C]], %[[D]], dim = 2
// CHECK-DAG: %[[LOWER:.*]] = stablehlo.concatenate %[[NEGATED]], %[[C]], dim = 2
// CHECK-DAG: %[[BLOCKS:.*]] = stablehlo.concatenate %[[UPPER]], %[[LOWER]], dim = 1 : {{.*}} -> tensor<2x64x96xf32>
// CHECK: %[[PRODUCT:.*]] = stablehlo.dot_general %[[ROW]], %[[BLOCKS]], batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : {{.*}} -> tensor<2x64x96xf32>
// CHECK: %[[REAL:.*]] = stablehlo.slice %[[PRODUCT]] [0:2, 0:64, 0:48]
// CHECK: %[[IMAGINARY:.*]] = stablehlo.slice %[[PRODUCT]] [0:2, 0:64, 48:96]
// CHECK: stablehlo.complex %[[REAL]], %[[IMAGINARY]] : tensor<2x64x48xcomplex<f32>>
func.func @product(%a: tensor<2x64x32xcomplex<f32>>, %b: tensor<2x32x48xcomplex<f32>>) -> tensor<2x64x48xcomplex<f32>> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST]
    : (tensor<2x64x32xcomplex<f32>>, tensor<2x32x48xcomplex<f32>>) -> tensor<2x64x48xcomplex<f32>>
  return %0 : tensor<2x64x48xcomplex<f32>>
}

// The smaller operand is the left one.
// CHECK-LABEL: func.func @left_blocks
// CHECK: stablehlo.dot_general {{.*}} : (tensor<64x32xf64>, tensor<4096x64xf64>) -> tensor<32x4096xf64>
// CHECK: stablehlo.slice {{.*}} [0:16, 0:4096]
// CHECK: stablehlo.slice {{.*}} [16:32, 0:4096]
func.func @left_blocks(%a: tensor<32x16xcomplex<f64>>, %b: tensor<4096x32xcomplex<f64>>) -> tensor<16x4096xcomplex<f64>> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1]
    : (tensor<32x16xcomplex<f64>>, tensor<4096x32xcomplex<f64>>) -> tensor<16x4096xcomplex<f64>>
  return %0 : tensor<16x4096xcomplex<f64>>
}

// Rearranging operands would take longer than these products.
// CHECK-LABEL: func.func @small
// CHECK: stablehlo.dot_general {{.*}} -> tensor<8x8xcomplex<f32>>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<4096xcomplex<f32>>
func.func @small(%a: tensor<8x8xcomplex<f32>>, %b: tensor<4096x512xcomplex<f32>>, %v: tensor<512xcomplex<f32>>)
    -> (tensor<8x8xcomplex<f32>>, tensor<4096xcomplex<f32>>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]
    : (tensor<8x8xcomplex<f32>>, tensor<8x8xcomplex<f32>>) -> tensor<8x8xcomplex<f32>>
  %1 = stablehlo.dot_general %b, %v, contracting_dims = [1] x [0]
    : (tensor<4096x512xcomplex<f32>>, tensor<512xcomplex<f32>>) -> tensor<4096xcomplex<f32>>
  return %0, %1 : tensor<8x8xcomplex<f32>>, tensor<4096xcomplex<f32>>
}

// The product of parts has the algorithm of the op.
// CHECK-LABEL: func.func @algorithm
// CHECK: stablehlo.dot_general {{.*}} algorithm = <lhs_precision_type = f32, {{.*}} : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
func.func @algorithm(%a: tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0],
      algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1,
        rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
    : (tensor<64x64xcomplex<f32>>, tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>>
  return %0 : tensor<64x64xcomplex<f32>>
}
