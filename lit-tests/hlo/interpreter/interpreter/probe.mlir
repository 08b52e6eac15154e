// RUN: halo-run --backend=interpreter %s

// A probe passes its operand on and keeps it.

func.func @main() {
  %x0 = stablehlo.constant dense<[1.5, 0x7FC00000]> : tensor<2xf32>
  %y0 = interpreter.probe %x0, probe_id = "x" : tensor<2xf32>
  check.expect_serialized_eq %y0, probe_id = "x" : tensor<2xf32>
  check.expect_eq_const %y0, dense<[1.5, 0x7FC00000]> : tensor<2xf32>

  // Two probes of one name.
  %x1 = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %y1 = interpreter.probe %x1, probe_id = "twice" : tensor<2xi32>
  %z1 = stablehlo.negate %y1 : tensor<2xi32>
  %w1 = interpreter.probe %z1, probe_id = "twice" : tensor<2xi32>
  check.expect_serialized_eq %x1, probe_id = "twice" : tensor<2xi32>
  check.expect_serialized_eq %z1, probe_id = "twice", iter = 1 : tensor<2xi32>
  check.expect_eq_const %w1, dense<[-1, 2]> : tensor<2xi32>
  func.return
}
