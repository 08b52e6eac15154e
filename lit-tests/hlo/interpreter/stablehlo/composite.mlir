// RUN: halo-run --backend=interpreter %s

// Values: those of the function that it names.

func.func @main() {
  %x = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %r = stablehlo.composite "halo.twice" %x {
    composite_attributes = {factor = 2 : i32}, decomposition = @twice, version = 3 : i32
  } : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[3.0, -4.0]> : tensor<2xf32>
  func.return
}

func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.add %x, %x : tensor<2xf32>
  func.return %r : tensor<2xf32>
}
