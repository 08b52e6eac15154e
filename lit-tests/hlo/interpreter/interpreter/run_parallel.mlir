// RUN: halo-run --backend=interpreter %s

// A grid of two replicas and two partitions: the operands and results are those of the functions, row by row.

func.func @main() {
  %xa = stablehlo.constant dense<5> : tensor<ui32>
  %xb = stablehlo.constant dense<6> : tensor<ui32>
  %xc = stablehlo.constant dense<7> : tensor<ui32>
  %xd = stablehlo.constant dense<8> : tensor<ui32>
  %ra, %rb, %rc, %rd = "interpreter.run_parallel"(%xa, %xb, %xc, %xd) {
    programs = [[@place, @place], [@place, @place]]
  }
      : (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>) -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %ra, dense<0> : tensor<ui32>
  check.expect_eq_const %rb, dense<6> : tensor<ui32>
  check.expect_eq_const %rc, dense<14> : tensor<ui32>
  check.expect_eq_const %rd, dense<24> : tensor<ui32>
  func.return
}

func.func private @place(%x: tensor<ui32>) -> (tensor<ui32>) {
  %i = stablehlo.replica_id : tensor<ui32>
  %j = stablehlo.partition_id : tensor<ui32>
  %c = stablehlo.add %i, %i : tensor<ui32>
  %n = stablehlo.add %c, %j : tensor<ui32>
  %r = stablehlo.multiply %n, %x : tensor<ui32>
  func.return %r : tensor<ui32>
}
