// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @values(
// CHECK: interpreter.print %arg0 : tensor<2xf32>
// CHECK: interpreter.print %arg1 {tag} : tensor<?xcomplex<f32>>
// CHECK: interpreter.print %arg2 : tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
// CHECK: interpreter.print %arg0 : tensor<2xf32>
func.func @values(%a: tensor<2xf32>, %b: tensor<?xcomplex<f32>>, %c: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  interpreter.print %a : tensor<2xf32>
  interpreter.print %b {tag} : tensor<?xcomplex<f32>>
  interpreter.print %c : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  "interpreter.print"(%a) : (tensor<2xf32>) -> ()
  return
}
