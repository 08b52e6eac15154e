// RUN: not halo-run %s --random-inputs 2>&1 | FileCheck %s
// RUN: not halo-run %s --random-inputs --backend=cuda-emulator 2>&1 | FileCheck %s

// No code is linked to a program, so a function that is called has a body.

// CHECK: call_without_body.mlir:[[# @LINE + 4]]:8: error: 'func.call' op calls @part, which has no body; functions of the application are called by 'stablehlo.custom_call'
func.func private @part(tensor<f32>) -> tensor<f32>

func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "my.op" %a {decomposition = @part} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
