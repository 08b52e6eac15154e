// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @directions(
// CHECK: %0 = stablehlo.compare EQ, %arg0, %arg0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
// CHECK: %1 = stablehlo.compare NE, %arg0, %arg0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
// CHECK: %2 = stablehlo.compare GE, %arg0, %arg0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
// CHECK: %3 = stablehlo.compare GT, %arg0, %arg0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
// CHECK: %4 = stablehlo.compare LE, %arg0, %arg0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
// CHECK: %5 = stablehlo.compare LT, %arg0, %arg0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
func.func @directions(%a: tensor<3xi32>) {
  %0 = stablehlo.compare EQ, %a, %a : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %1 = stablehlo.compare NE, %a, %a : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %2 = stablehlo.compare GE, %a, %a : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %3 = stablehlo.compare GT, %a, %a : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %4 = stablehlo.compare LE, %a, %a : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %5 = stablehlo.compare LT, %a, %a : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  return
}

// CHECK-LABEL: func.func @orders(
// CHECK: %0 = stablehlo.compare LT, %arg0, %arg0, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
// CHECK: %1 = stablehlo.compare LT, %arg1, %arg1, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
// CHECK: %2 = stablehlo.compare EQ, %arg2, %arg2, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
// CHECK: %3 = stablehlo.compare LT, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: %4 = stablehlo.compare LT, %arg3, %arg3, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: %5 = stablehlo.compare EQ, %arg4, %arg4, FLOAT : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<i1>
// CHECK: %6 = stablehlo.compare NE, %arg3, %arg3, NOTYPE : (tensor<f32>, tensor<f32>) -> tensor<i1>
func.func @orders(%i: tensor<i8>, %u: tensor<ui8>, %p: tensor<i1>, %f: tensor<f32>, %c: tensor<complex<f64>>) {
  %0 = stablehlo.compare LT, %i, %i, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %1 = stablehlo.compare LT, %u, %u, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %2 = stablehlo.compare EQ, %p, %p, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %3 = stablehlo.compare LT, %f, %f, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %4 = stablehlo.compare LT, %f, %f, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %5 = stablehlo.compare EQ, %c, %c, FLOAT : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<i1>
  %6 = stablehlo.compare NE, %f, %f, NOTYPE : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.compare EQ, %arg0, %arg0 : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
// CHECK: %1 = stablehlo.compare GE, %arg1, %arg1 : (tensor<3xui4>, tensor<3xui4>) -> tensor<3xi1>
// CHECK: %2 = stablehlo.compare GT, %arg2, %arg2 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
// CHECK: %3 = stablehlo.compare NE, %arg3, %arg3 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
// CHECK: %4 = stablehlo.compare LE, %arg4, %arg4 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3xi1>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xui4>, %c: tensor<3xbf16>, %d: tensor<3xcomplex<f32>>, %e: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.compare EQ, %a, %a : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %1 = stablehlo.compare GE, %b, %b : (tensor<3xui4>, tensor<3xui4>) -> tensor<3xi1>
  %2 = stablehlo.compare GT, %c, %c : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %3 = stablehlo.compare NE, %d, %d : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  %4 = stablehlo.compare LE, %e, %e : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3xi1>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.compare LT, %arg0, %arg1 : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xi1>
// CHECK: %1 = stablehlo.compare LT, %arg2, %arg2 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi1, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<?x3xf32>, %b: tensor<2x?xf32>, %c: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.compare LT, %a, %b : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xi1>
  %1 = stablehlo.compare LT, %c, %c : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi1, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.compare GE, %arg0, %arg1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
// CHECK: %1 = stablehlo.compare EQ, %arg0, %arg1, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
// CHECK: %2 = stablehlo.compare LT, %arg0, %arg1, FLOAT {tag} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
func.func @other_forms(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  %0 = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %2 = stablehlo.compare LT, %a, %b, FLOAT {tag} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return
}
