// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: the column of the process in the grid.

func.func @main() {
  %r = stablehlo.partition_id : tensor<ui32>
  check.expect_eq_const %r, dense<0> : tensor<ui32>
  func.return
}

func.func @parallel() {
  %ra, %rb, %rc, %rd = "interpreter.run_parallel"() {
    programs = [[@who, @who], [@who, @who]]
  } : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %ra, dense<0> : tensor<ui32>
  check.expect_eq_const %rb, dense<1> : tensor<ui32>
  check.expect_eq_const %rc, dense<0> : tensor<ui32>
  check.expect_eq_const %rd, dense<1> : tensor<ui32>
  func.return
}

func.func private @who() -> (tensor<ui32>) {
  %r = stablehlo.partition_id : tensor<ui32>
  func.return %r : tensor<ui32>
}
