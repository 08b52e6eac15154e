// RUN: halo-opt %s --rng-bit-generator-expander | FileCheck %s

// CHECK-LABEL: func.func @philox
// CHECK-NOT: rng_bit_generator
// CHECK: %[[NUMBER:.*]] = stablehlo.iota dim = 0 : tensor<2xui64>
// CHECK: stablehlo.add %{{.*}}, %[[NUMBER]] : tensor<2xui64>
// CHECK: stablehlo.concatenate {{.*}}, dim = 1 : (tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x4xui32>
// CHECK: stablehlo.slice %{{.*}} [0:7] : (tensor<8xui32>) -> tensor<7xui32>
// CHECK: stablehlo.concatenate {{.*}}, dim = 0 : (tensor<1xui64>, tensor<1xui64>) -> tensor<2xui64>
func.func @philox(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<7xi32>) {
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xi32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<7xi32>
}

// Two neighbours along the even dimension are a block.
// CHECK-LABEL: func.func @three_fry
// CHECK-NOT: rng_bit_generator
// CHECK: stablehlo.iota dim = 0 : tensor<6xui64>
// CHECK: stablehlo.concatenate {{.*}}, dim = 2 : (tensor<3x2x1xui32>, tensor<3x2x1xui32>) -> tensor<3x2x2xui32>
func.func @three_fry(%state: tensor<4xui32>) -> (tensor<4xui32>, tensor<3x4xui8>) {
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<4xui32>) -> (tensor<4xui32>, tensor<3x4xui8>)
  return %0#0, %0#1 : tensor<4xui32>, tensor<3x4xui8>
}
