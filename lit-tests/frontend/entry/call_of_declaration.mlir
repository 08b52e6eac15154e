// RUN: not halo-run %s --random-inputs 2>&1 | FileCheck %s
// RUN: not halo-run %s --random-inputs --backend=interpreter 2>&1 | FileCheck %s
// RUN: not halo-compile %s --emit=ptx --backend=cuda 2>&1 | FileCheck %s

// CHECK: call_of_declaration.mlir:[[# @LINE + 4]]:8: error: 'func.call' op calls @part, which has no body; functions of the application are called by 'stablehlo.custom_call'
func.func private @part(tensor<f32>) -> tensor<f32>

func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = func.call @part(%a) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
