// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

func.func private @part(tensor<f32>) -> tensor<f32>
func.func private @nothing()

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = stablehlo.composite "my.op" %arg0 {decomposition = @part} : (tensor<f32>) -> tensor<f32>
// CHECK: %1 = stablehlo.composite "my.op" %arg0 {composite_attributes = {n = 1 : i64, s = "x"}, decomposition = @part, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
// CHECK: stablehlo.composite "my.nothing" {decomposition = @nothing} : () -> ()
// CHECK: %2 = stablehlo.composite "my.op" %arg0({
// CHECK: stablehlo.return %arg0 : tensor<f32>
// CHECK: }) {decomposition = @part} : (tensor<f32>) -> tensor<f32>
// CHECK: %3 = stablehlo.composite "my.op" %arg0 {decomposition = @part, tag} : (tensor<f32>) -> tensor<f32>
func.func @attributes(%a: tensor<f32>) {
  %0 = stablehlo.composite "my.op" %a {decomposition = @part} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.composite "my.op" %a {composite_attributes = {n = 1 : i64, s = "x"}, decomposition = @part, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
  stablehlo.composite "my.nothing" {decomposition = @nothing} : () -> ()
  %2 = stablehlo.composite "my.op" %a ({
    stablehlo.return %a : tensor<f32>
  }) {decomposition = @part} : (tensor<f32>) -> tensor<f32>
  %3 = "stablehlo.composite"(%a) <{decomposition = @part, name = "my.op"}> {tag} : (tensor<f32>) -> tensor<f32>
  return
}
