// A product of matrices whose sizes are odd.
module @jit_matmul attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<37x45xf32>, %arg1: tensor<45x51xf32>) -> (tensor<37x51xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<37x45xf32>, tensor<45x51xf32>) -> tensor<37x51xf32>
    return %0 : tensor<37x51xf32>
  }
}
