// A product of matrices of bfloat16.
module @jit_matmul attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<48x80xbf16>, %arg1: tensor<80x64xbf16>) -> (tensor<48x64xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x80xbf16>, tensor<80x64xbf16>) -> tensor<48x64xbf16>
    return %0 : tensor<48x64xbf16>
  }
}
