// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @algorithms(
// CHECK: %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
// CHECK: %output_state_0, %output_1 = stablehlo.rng_bit_generator %arg1, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xf32>)
// CHECK: %output_state_2, %output_3 = stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i8>)
func.func @algorithms(%a: tensor<2xui64>, %b: tensor<3xui64>) {
  %output_state, %output = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %output_state_0, %output_1 = stablehlo.rng_bit_generator %b, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xf32>)
  %output_state_2, %output_3 = stablehlo.rng_bit_generator %a, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i8>)
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui16>)
// CHECK: %output_state_0, %output_1 = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY {tag} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0xf64>)
func.func @other_forms(%a: tensor<2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui16>)
  %1:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY {tag} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0xf64>)
  return
}
