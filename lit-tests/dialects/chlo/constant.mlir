// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @values(
// CHECK: %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK: %1 = chlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK: %2 = chlo.constant {tag} dense<true> : tensor<3xi1>
// CHECK: %3 = chlo.constant dense<1.500000e+00> : tensor<2x2xbf16>
func.func @values() {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = chlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %2 = chlo.constant {tag} dense<true> : tensor<3xi1>
  %3 = "chlo.constant"() <{value = dense<1.5> : tensor<2x2xbf16>}> : () -> tensor<2x2xbf16>
  return
}
