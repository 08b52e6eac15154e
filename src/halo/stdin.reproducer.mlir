func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(panics)",
      disable_threading: true,
      verify_each: true
    }
  }
#-}
