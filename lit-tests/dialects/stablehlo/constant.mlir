// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
// CHECK: %c_0 = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi2>
// CHECK: %c_1 = stablehlo.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi16>
// CHECK: %c_2 = stablehlo.constant dense<[15, 0]> : tensor<2xui4>
// CHECK: %cst = stablehlo.constant dense<[1.000000e+00, -5.000000e-01]> : tensor<2xf8E4M3FN>
// CHECK: %cst_3 = stablehlo.constant dense<1.500000e+00> : tensor<bf16>
// CHECK: %cst_4 = stablehlo.constant dense<[0x7F800000, 0xFFC00000]> : tensor<2xf32>
// CHECK: %cst_5 = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f32>>
// CHECK: %cst_6 = stablehlo.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f64>>
func.func @element_types() {
  %0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %1 = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi2>
  %2 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi16>
  %3 = stablehlo.constant dense<[15, 0]> : tensor<2xui4>
  %4 = stablehlo.constant dense<[1.0, -0.5]> : tensor<2xf8E4M3FN>
  %5 = stablehlo.constant dense<1.5> : tensor<bf16>
  %6 = stablehlo.constant dense<[0x7F800000, 0xFFC00000]> : tensor<2xf32>
  %7 = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
  %8 = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @forms_of_values(
// CHECK: %cst = stablehlo.constant dense<1.500000e+00> : tensor<4xf32>
// CHECK: %cst_0 = stablehlo.constant dense<> : tensor<0x3xf32>
// CHECK: %c = stablehlo.constant dense<[1, 2, 3, -1]> : tensor<4xi8>
// CHECK: %c_1 = stablehlo.constant dense_resource<weights> : tensor<2xi32>
// CHECK: %c_2 = stablehlo.constant {tag = "x"} dense<7> : tensor<i64>
func.func @forms_of_values() {
  %0 = stablehlo.constant dense<1.5> : tensor<4xf32>
  %1 = stablehlo.constant dense<> : tensor<0x3xf32>
  %2 = stablehlo.constant dense<"0x010203FF"> : tensor<4xi8>
  %3 = stablehlo.constant dense_resource<weights> : tensor<2xi32>
  %4 = stablehlo.constant {tag = "x"} dense<7> : tensor<i64>
  return
}

// The attribute of a quantized constant holds the stored integers, so that its
// type does not tell that of the result.
// CHECK-LABEL: func.func @quantized(
// CHECK: %cst = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %cst_0 = stablehlo.constant() <{value = dense<7> : tensor<2xi8>}> {tag} : () -> tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @quantized() {
  %0 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.constant() <{value = dense<7> : tensor<2xi8>}> {tag} : () -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK: %cst = stablehlo.constant {tag} dense<1.000000e+00> : tensor<f32>
// CHECK: %cst_0 = stablehlo.constant() <{value = dense<-3> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @generic_form() {
  %0 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %1 = "stablehlo.constant"() {value = dense<1.0> : tensor<f32>, tag} : () -> tensor<f32>
  %2 = "stablehlo.constant"() {value = dense<-3> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000100000002000000"
    }
  }
#-}
